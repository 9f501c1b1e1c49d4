// What the rows of a leaf cost, added up row by row. Every cost is the least over a leaf's answer of a sum of
// costs that are not negative, one a row: more rows never cost less, and two leaves never cost more than one.
// All bounds of the search rest on these two facts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../logs.hpp"
#include "problem.hpp"

namespace treewright::optimal {

// Classes: weights by class.
class ClassTally {
 public:
  explicit ClassTally(const Problem& problem)
      : problem_(&problem),
        logs_(static_cast<std::int64_t>(problem.n_rows())),
        counts_(static_cast<std::size_t>(problem.n_classes)),
        costs_(has_costs() ? counts_.size() : 0) {}

  void clear() {
    std::fill(counts_.begin(), counts_.end(), 0.0);
    std::fill(costs_.begin(), costs_.end(), 0.0);
    total_ = most_ = terms_ = 0;
  }
  void add(std::uint32_t row) { add(static_cast<std::size_t>(problem_->label[row]), problem_->weight[row]); }
  double value() const {
    switch (problem_->loss) {
      case Loss::error:
        return has_costs() ? *std::min_element(costs_.begin(), costs_.end()) : total_ - most_;
      case Loss::gini:
        return total_ > 0 ? std::max(0.0, total_ - terms_ / total_) : 0;
      case Loss::entropy:
        return std::max(0.0, logs_.n_log_n(total_) - terms_);
      default:
        return counts_.size() == 2 ? std::sqrt(counts_[0] * counts_[1]) : 0;
    }
  }

  // The cost of rows that were counted by class, each of weight one.
  double value_of(const std::int32_t* count) const {
    std::int32_t total = 0, most = 0;
    double terms = 0;
    const std::size_t k = counts_.size();
    for (std::size_t c = 0; c < k; ++c) {
      total += count[c];
      most = std::max(most, count[c]);
      if (problem_->loss == Loss::gini) terms += static_cast<double>(count[c]) * count[c];
      if (problem_->loss == Loss::entropy) terms += logs_.n_log_n(count[c]);
    }
    switch (problem_->loss) {
      case Loss::error:
        return has_costs() ? least_cost(count) : total - most;
      case Loss::gini:
        return total > 0 ? std::max(0.0, total - terms / total) : 0;
      case Loss::entropy:
        return std::max(0.0, logs_.n_log_n(total) - terms);
      default:
        return k == 2 ? std::sqrt(static_cast<double>(count[0]) * count[1]) : 0;
    }
  }

  // By how much each row can raise the cost of any tree that it joins, at most.
  static std::vector<double> slacks(const Problem& problem) {
    std::vector<double> found = problem.weight;
    const auto k = static_cast<std::size_t>(problem.n_classes);
    for (std::size_t row = 0; row < found.size(); ++row) {
      if (problem.loss == Loss::gini) found[row] *= 2;
      if (problem.loss == Loss::entropy || problem.loss == Loss::hellinger)
        found[row] = std::numeric_limits<double>::infinity();
      if (problem.loss != Loss::error || problem.cost.empty()) continue;
      const double* cost = problem.cost.data() + static_cast<std::size_t>(problem.label[row]) * k;
      found[row] *= *std::max_element(cost, cost + k);
    }
    return found;
  }

 private:
  bool has_costs() const { return problem_->loss == Loss::error && !problem_->cost.empty(); }
  void add(std::size_t label, double weight) {
    double& count = counts_[label];
    if (problem_->loss == Loss::gini) terms_ += weight * (2 * count + weight);
    if (problem_->loss == Loss::entropy) terms_ += logs_.n_log_n(count + weight) - logs_.n_log_n(count);
    count += weight;
    total_ += weight;
    most_ = std::max(most_, count);
    const double* cost = problem_->cost.data() + label * costs_.size();
    for (std::size_t c = 0; c < costs_.size(); ++c) costs_[c] += weight * cost[c];
  }
  double least_cost(const std::int32_t* count) const {
    const std::size_t k = counts_.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t answer = 0; answer < k; ++answer) {
      double cost = 0;
      for (std::size_t c = 0; c < k; ++c) cost += count[c] * problem_->cost[c * k + answer];
      least = std::min(least, cost);
    }
    return least;
  }

  const Problem* problem_;
  Logs logs_;
  std::vector<double> counts_, costs_;  // costs: of each answer
  double total_ = 0, most_ = 0, terms_ = 0;
};

// Numbers: weight, sum and squares.
class NumberTally {
 public:
  explicit NumberTally(const Problem& problem) : problem_(&problem) {
    for (std::uint32_t row = 0; row < problem.n_rows(); ++row) add(row);
    root_variance_ = weight_ > 0 ? std::max(0.0, squares_ - sum_ * sum_ / weight_) / weight_ : 0;
    clear();
  }

  void clear() { weight_ = sum_ = squares_ = 0; }
  void add(std::uint32_t row) {
    const double y = problem_->value[row], w = problem_->weight[row];
    weight_ += w;
    sum_ += w * y;
    squares_ += w * (problem_->loss == Loss::poisson ? y * natural_log(y) : y * y);
  }
  double value() const {
    if (weight_ <= 0) return 0;
    if (problem_->loss == Loss::poisson) return std::max(0.0, squares_ - sum_ * natural_log(sum_ / weight_));
    const double spread = std::max(0.0, squares_ - sum_ * sum_ / weight_);
    if (problem_->loss == Loss::squared) return spread;
    if (root_variance_ <= 0) return 0;
    return weight_ * 0.5 * natural_log(1 + spread / weight_ / (1e-9 * root_variance_));
  }
  double value_of(const std::int32_t*) const { return 0; }  // numbers have no classes to count

  static std::vector<double> slacks(const Problem& problem) {
    std::vector<double> found(problem.n_rows(), std::numeric_limits<double>::infinity());
    if (problem.loss != Loss::squared || found.empty()) return found;
    const auto [least, most] = std::minmax_element(problem.value.begin(), problem.value.end());
    for (std::size_t row = 0; row < found.size(); ++row) {
      const double far = std::max(problem.value[row] - *least, *most - problem.value[row]);
      found[row] = problem.weight[row] * far * far;
    }
    return found;
  }

 private:
  static double natural_log(double x) { return portable_log2(x) * 0.69314718055994531; }

  const Problem* problem_;
  double weight_ = 0, sum_ = 0, squares_ = 0, root_variance_ = 0;
};

}  // namespace treewright::optimal
