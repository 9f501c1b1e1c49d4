// Both sides of a cut while drawn columns are walked along, as weights by class, in units; sums of whole
// numbers, exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "../column.hpp"
#include "../contest.hpp"
#include "../criterion.hpp"

namespace treewright {

// Weights by class on both sides of a cut. `n_known` is the number of classes, or 0 where only the run tells.
// If `is_real`, a unit of weight is not one, and may count another multiple for each class.
template <class Criterion, std::size_t n_known, bool is_real>
class DrawnSides {
  using Counts = std::conditional_t<n_known == 0, std::vector<double>, std::array<double, n_known>>;

 public:
  explicit DrawnSides(const Scale& scale) : scale_(scale) {}

  void set_node(std::span<const double> counts) {
    if constexpr (n_known == 0) {
      all_.resize(counts.size());
      left_.resize(counts.size());
      right_.resize(counts.size());
      if constexpr (is_real) scaled_.resize(counts.size());
    }
    total_ = 0;
    for (std::size_t j = 0; j < counts.size(); ++j) total_ += all_[j] = counts[j];
  }
  std::size_t n_classes() const { return all_.size(); }

  // What lies left is given.
  using Left = std::conditional_t<n_known == 2, std::array<double, 2>, const double*>;
  void start(const Left& left) {
    left_total_ = 0;
    left_squares_ = right_squares_ = 0;
    for (std::size_t j = 0; j < n_classes(); ++j) {
      left_total_ += left_[j] = left[j];
      right_[j] = all_[j] - left[j];
      if constexpr (has_squares) {
        left_squares_ += whole(left_[j]) * whole(left_[j]);
        right_squares_ += whole(right_[j]) * whole(right_[j]);
      }
    }
  }
  TREEWRIGHT_INLINE void move(std::size_t label, double weight) {
    if constexpr (has_squares) {
      const std::int64_t w = whole(weight);
      left_squares_ += w * (2 * whole(left_[label]) + w);
      right_squares_ -= w * (2 * whole(right_[label]) - w);
    }
    left_[label] += weight;
    right_[label] -= weight;
    left_total_ += weight;
  }
  const double* left() const { return left_.data(); }
  TREEWRIGHT_INLINE double worth() const {
    if constexpr (has_squares)
      return -Criterion::impurity(left_total_, static_cast<double>(left_squares_)) -
             Criterion::impurity(total_ - left_total_, static_cast<double>(right_squares_));
    return -cost(left_, left_total_) - cost(right_, total_ - left_total_);
  }
  double left_total() const { return left_total_; }
  double uncut_worth() const { return -cost(all_, total_); }

  // Two classes: the most that is worth a corner of a bucket in which they part, between what lies left of it
  // and what lies left of its end. No cut inside is worth more than the best corner; its edges are the other
  // two.
  double corner_bound(const Left& from, const Left& to) const {
    static_assert(n_known == 2);
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < 2; ++j) {
      Counts left{from[0], from[1]};
      left[j] = to[j];
      const double total = left[0] + left[1];
      most =
          std::max(most, -cost(left, total) - cost({all_[0] - left[0], all_[1] - left[1]}, total_ - total));
    }
    return most;
  }

 private:
  // Are cuts judged by sums of squares, which are known from one row to the next?
  static constexpr bool has_squares = n_known == 0 && !is_real && IsOfSquares<Criterion>;
  static std::int64_t whole(double n) { return static_cast<std::int64_t>(n); }

  TREEWRIGHT_INLINE double cost(const Counts& counts, double total) const {
    if constexpr (is_real) {
      total = 0;
      for (std::size_t j = 0; j < n_classes(); ++j) total += scaled_[j] = counts[j] * scale_.class_unit(j);
      return cost_of_scaled(scaled_, total);
    }
    return cost_of_scaled(counts, total);
  }
  TREEWRIGHT_INLINE double cost_of_scaled(const Counts& counts, double total) const {
    if constexpr (n_known == 2)
      return total > 0 ? Criterion::pair_cost(counts[0], counts[1], 1 / total, *scale_.logs) : 0;
    else
      return Criterion::impurity(ClassGroup{{counts.data(), counts.size()}, total, *scale_.logs});
  }
  const Scale& scale_;
  Counts all_{}, left_{}, right_{};
  mutable Counts scaled_{};
  double total_ = 0, left_total_ = 0;
  std::int64_t left_squares_ = 0, right_squares_ = 0;
};

}  // namespace treewright
