// Both sides of sixteen first tests where costs follow from sums: squared distances (sums of numbers), the
// gini index of two classes (twice the squared distances of zeros and ones), errors among two classes of any
// weights (sums of weights, one class against the other), the gini index of many classes, and entropy where
// rows weigh one each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../logs.hpp"
#include "frame.hpp"
#include "problem.hpp"
#include "sums.hpp"

namespace treewright::optimal {

class SummedSides {
 public:
  SummedSides(const Problem& problem, const Frame& frame) : problem_(problem), frame_(frame) {
    const bool has_two = problem.n_classes == 2,
               has_many = problem.n_classes > 2 && problem.n_classes <= most_classes;
    const std::vector<double>& weight = problem.weight;
    const bool is_counted = std::all_of(weight.begin(), weight.end(), [](double w) { return w == 1; });
    is_error_ = has_two && problem.loss == Loss::error && problem.cost.empty();
    is_squared_ = problem.loss == Loss::squared || (has_two && problem.loss == Loss::gini);
    is_entropy_ = (has_two || has_many) && problem.loss == Loss::entropy && is_counted;
    has_many_ = has_many && (problem.loss == Loss::gini || is_entropy_);
    double total = 0, lightest = std::numeric_limits<double>::infinity();
    for (double w : weight) {
      total += w;
      lightest = std::min(lightest, w);
    }
    // What is left of a sum of weights when all of them are taken off again must be below the lightest.
    const double rounding =
        4 * std::numeric_limits<double>::epsilon() * static_cast<double>(problem.n_rows());
    is_served_ = (is_error_ || is_squared_ || is_entropy_ || has_many_) && lightest > rounding * total;
    least_ = lightest / 2;
    if (!is_entropy_) return;
    n_log_n_.assign(problem.n_rows() + 1, 0.0);
    for (std::size_t n = 2; n < n_log_n_.size(); ++n)
      n_log_n_[n] = static_cast<double>(n) * portable_log2(static_cast<double>(n));
  }

  bool is_served() const { return is_served_; }

  // `bits` of each row of the part: which of the `n` tests send it left. Second tests are all cuts and, where
  // nobody counts them, the 0/1 tests.
  template <class Sides>
  void sides(const Part& part, const std::vector<std::uint16_t>& bits, std::size_t n, bool with_bits,
             Sides* found) {
    with_bits_ = with_bits;
    if (has_many_) return by_classes(part, bits, n, found);
    if (is_entropy_) return by_counts(part, bits, n, found);
    rows_.resize(part.n);
    squares_.resize(part.n);
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::uint32_t row = part.row[r];
      const double w = problem_.weight[row], y = number(row);
      rows_[r] = {w, w * y, bits[r]};
      squares_[r] = w * y * y;
    }
    add_up(rows_.data(), squares_.data(), part.n, held_);
    if (is_error_)
      by_extremes(part, n, found);
    else
      by_squares(part, n, found);
  }

 private:
  double number(std::uint32_t row) const {
    if (!problem_.has_classes()) return problem_.value[row];
    const bool is_second = problem_.label[row] == 1;
    return is_error_ ? (is_second ? 1.0 : -1.0) : is_second ? 1.0 : 0.0;
  }

  // Every chain, with its gaps on the right and on the left, and every bit: runs of rows with cuts behind
  // them.
  template <class Sweep>
  void each_run(const Part& part, Sweep&& sweep) {
    for (std::size_t chain = 0; chain < frame_.n_chains(); ++chain) {
      const std::uint32_t *order = part.orders(chain), *place = part.places(chain);
      const std::size_t n_known = part.n_known[chain];
      const Run known{order, place, n_known}, gaps{order + n_known, place + n_known, part.n - n_known};
      sweep(no_rows, known);
      if (gaps.n > 0) sweep(gaps, known);
    }
    for (std::size_t b = 0; with_bits_ && b < frame_.n_bits(); ++b) {
      list_.clear();
      for (std::uint32_t r = 0; r < part.n; ++r)
        if (part.has_bit(b, r)) list_.push_back(r);
      if (!list_.empty()) sweep(Run{list_.data(), nullptr, list_.size()}, no_rows);
    }
  }

  template <class Sides>
  void by_squares(const Part& part, std::size_t n, Sides* found) {
    const double factor = problem_.has_classes() ? 2 : 1;
    auto of_one = [&](double w, double s) { return w > least_ ? s * s / w : 0.0; };
    Spared most;
    for (std::size_t i = 0; i < n_lanes; ++i) {
      most.left.lane[i] = of_one(held_.weight.lane[i], held_.sum.lane[i]);
      most.right.lane[i] = of_one(held_.all_weight - held_.weight.lane[i], held_.all_sum - held_.sum.lane[i]);
    }
    const Spared alone = most;
    each_run(part,
             [&](Run before, Run run) { sweep_squares(rows_.data(), before, run, held_, least_, most); });
    for (std::size_t i = 0; i < n; ++i) {
      const double squares[2] = {held_.squares.lane[i], held_.all_squares - held_.squares.lane[i]};
      const double one[2] = {alone.left.lane[i], alone.right.lane[i]};
      const double two[2] = {most.left.lane[i], most.right.lane[i]};
      for (std::size_t side = 0; side < 2; ++side) {
        found[i].leaf[side] = factor * std::max(0.0, squares[side] - one[side]);
        found[i].stump[side] = factor * std::max(0.0, squares[side] - two[side]);
      }
    }
  }

  template <class Sides>
  void by_extremes(const Part& part, std::size_t n, Sides* found) {
    Reached reached = {};
    each_run(part, [&](Run before, Run run) { sweep_extremes(rows_.data(), before, run, reached); });
    for (std::size_t i = 0; i < n; ++i) {
      const double weight[2] = {held_.weight.lane[i], held_.all_weight - held_.weight.lane[i]};
      const double sum[2] = {held_.sum.lane[i], held_.all_sum - held_.sum.lane[i]};
      const double least[2] = {reached.left_least.lane[i], reached.right_least.lane[i]};
      const double most[2] = {reached.left_most.lane[i], reached.right_most.lane[i]};
      for (std::size_t side = 0; side < 2; ++side) {
        const double first = (weight[side] - sum[side]) / 2, second = (weight[side] + sum[side]) / 2;
        found[i].leaf[side] = std::max(0.0, std::min(first, second));
        // the second class left of the cut and the first right of it, or the other way round
        found[i].stump[side] =
            std::max(0.0, std::min({first, second, second - most[side], first + least[side]}));
      }
    }
  }
  template <class Sides>
  void by_counts(const Part& part, const std::vector<std::uint16_t>& bits, std::size_t n, Sides* found) {
    labels_.resize(part.n);
    for (std::uint32_t r = 0; r < part.n; ++r)
      labels_[r] = {static_cast<std::uint16_t>(problem_.label[part.row[r]]), bits[r]};
    Tallied held;
    add_up(labels_.data(), part.n, held);
    auto alone = [&](std::int32_t all, std::int32_t second) {
      const auto a = static_cast<std::size_t>(all), b = static_cast<std::size_t>(second);
      return n_log_n_[a] - n_log_n_[b] - n_log_n_[a - b];
    };
    Least least;
    for (std::size_t i = 0; i < n_lanes; ++i) {
      least.left.lane[i] = alone(held.left.all[i], held.left.second[i]);
      least.right.lane[i] = alone(held.all - held.left.all[i], held.second - held.left.second[i]);
    }
    const Least one = least;
    each_run(part, [&](Run before, Run run) {
      sweep_entropy(labels_.data(), before, run, held, n_log_n_.data(), least);
    });
    for (std::size_t i = 0; i < n; ++i) {
      found[i] = {{std::max(0.0, one.left.lane[i]), std::max(0.0, one.right.lane[i])},
                  {std::max(0.0, least.left.lane[i]), std::max(0.0, least.right.lane[i])}};
    }
  }
  // Many classes: the terms of each, added up.
  template <class Sides>
  void by_classes(const Part& part, const std::vector<std::uint16_t>& bits, std::size_t n, Sides* found) {
    const ClassHoldings held = holdings(part, bits);
    Least least;
    for (std::size_t i = 0; i < n_lanes; ++i) {
      least.left.lane[i] = cost(held.left_weight.lane[i], held.left_terms.lane[i]);
      least.right.lane[i] = cost(held.all_weight - held.left_weight.lane[i], held.right_terms.lane[i]);
    }
    const Least one = least;
    const double* n_log_n = is_entropy_ ? n_log_n_.data() : nullptr;
    each_run(part, [&](Run before, Run run) {
      sweep_classes(classed_.data(), of_all_.size(), before, run, held, least_, n_log_n, room_.data(), least);
    });
    for (std::size_t i = 0; i < n; ++i)
      found[i] = {{std::max(0.0, one.left.lane[i]), std::max(0.0, one.right.lane[i])},
                  {std::max(0.0, least.left.lane[i]), std::max(0.0, least.right.lane[i])}};
  }
  ClassHoldings holdings(const Part& part, const std::vector<std::uint16_t>& bits) {
    const auto k = static_cast<std::size_t>(problem_.n_classes);
    of_left_.assign(k, {});
    of_all_.assign(k, 0.0);
    room_.resize(2 * k);
    classed_.resize(part.n);
    ClassHoldings held{of_left_.data(), of_all_.data(), {}, {}, {}, 0};
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::uint32_t row = part.row[r];
      const auto label = static_cast<std::size_t>(problem_.label[row]);
      const double w = problem_.weight[row];
      classed_[r] = {w, static_cast<std::uint16_t>(label), bits[r]};
      of_all_[label] += w;
      held.all_weight += w;
      for (std::size_t i = 0; i < n_lanes; ++i) of_left_[label].lane[i] += (bits[r] >> i & 1) != 0 ? w : 0;
    }
    for (std::size_t c = 0; c < k; ++c)
      for (std::size_t i = 0; i < n_lanes; ++i) {
        const double left = of_left_[c].lane[i];
        held.left_weight.lane[i] += left;
        held.left_terms.lane[i] += term(left);
        held.right_terms.lane[i] += term(of_all_[c] - left);
      }
    return held;
  }
  double term(double weight) const {
    return is_entropy_ ? n_log_n_[static_cast<std::size_t>(weight)] : weight * weight;
  }
  double cost(double weight, double terms) const {
    if (weight <= least_) return 0;
    return is_entropy_ ? n_log_n_[static_cast<std::size_t>(weight)] - terms : weight - terms / weight;
  }
  static constexpr std::int32_t most_classes = 256;  // room for all of them is cleared for every column
  static constexpr Run no_rows = {nullptr, nullptr, 0};

  const Problem& problem_;
  const Frame& frame_;
  bool is_error_ = false, is_squared_ = false, is_entropy_ = false, has_many_ = false;
  bool is_served_ = false, with_bits_ = true;
  double least_ = 0;
  std::vector<Summed> rows_;
  std::vector<double> squares_, n_log_n_;
  std::vector<Counted> labels_;
  std::vector<Classed> classed_;
  std::vector<Lane16> of_left_, room_;
  std::vector<double> of_all_;
  std::vector<std::uint32_t> list_;
  Holdings held_;
};

}  // namespace treewright::optimal
