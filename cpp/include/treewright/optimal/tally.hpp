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
  void add(std::uint32_t row) {
    count(static_cast<std::size_t>(problem_->label[row]), problem_->weight[row]);
  }
  // Only a share of a row's weight.
  void add(std::uint32_t row, double share) {
    count(static_cast<std::size_t>(problem_->label[row]), problem_->weight[row] * share);
  }
  double value() const {
    if (has_costs()) return *std::min_element(costs_.begin(), costs_.end());
    return cost_of(total_, most_, terms_, counts_.size() == 2 ? counts_[0] * counts_[1] : 0);
  }
  // The cost of these rows together with a share of others.
  double value_with(const ClassTally& others, double share) const {
    if (has_costs()) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t a = 0; a < costs_.size(); ++a)
        least = std::min(least, costs_[a] + share * others.costs_[a]);
      return least;
    }
    double total = 0, most = 0, terms = 0, product = 1;
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const double count = counts_[c] + share * others.counts_[c];
      total += count;
      most = std::max(most, count);
      product *= count;
      if (problem_->loss == Loss::gini) terms += count * count;
      if (problem_->loss == Loss::entropy) terms += logs_.n_log_n(count);
    }
    return cost_of(total, most, terms, product);
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
    if (has_costs()) return least_cost(count);
    return cost_of(total, most, terms, k == 2 ? static_cast<double>(count[0]) * count[1] : 0);
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
  // By all rows, those of the largest class, the terms of all classes; hellinger: of two, multiplied.
  double cost_of(double total, double most, double terms, double product) const {
    switch (problem_->loss) {
      case Loss::error:
        return total - most;
      case Loss::gini:
        return total > 0 ? std::max(0.0, total - terms / total) : 0;
      case Loss::entropy:
        return std::max(0.0, logs_.n_log_n(total) - terms);
      default:
        return counts_.size() == 2 ? std::sqrt(product) : 0;
    }
  }
  bool has_costs() const { return problem_->loss == Loss::error && !problem_->cost.empty(); }
  void count(std::size_t label, double weight) {
    double& of_class = counts_[label];
    if (problem_->loss == Loss::gini) terms_ += weight * (2 * of_class + weight);
    if (problem_->loss == Loss::entropy) terms_ += logs_.n_log_n(of_class + weight) - logs_.n_log_n(of_class);
    of_class += weight;
    total_ += weight;
    most_ = std::max(most_, of_class);
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
  void add(std::uint32_t row, double share = 1) {
    const double y = problem_->value[row], w = problem_->weight[row] * share;
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
  // The cost of these rows together with a share of others.
  double value_with(const NumberTally& others, double share) const {
    NumberTally both = *this;
    both.weight_ += share * others.weight_;
    both.sum_ += share * others.sum_;
    both.squares_ += share * others.squares_;
    return both.value();
  }

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
