// Both sides of a cut while drawn columns are walked along, as weights by class; sums of whole numbers,
// exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../column.hpp"
#include "../criterion.hpp"

namespace treewright {

// Weights by class on both sides of a cut. `n_known` is the number of classes, or 0 where only the run tells.
template <class Criterion, std::size_t n_known>
class DrawnSides {
  using Counts = std::conditional_t<n_known == 0, std::vector<double>, std::array<double, n_known>>;

 public:
  explicit DrawnSides(const Logs& logs) : logs_(logs) {}

  void set_node(std::span<const double> counts) {
    if constexpr (n_known == 0) {
      all_.resize(counts.size());
      left_.resize(counts.size());
      right_.resize(counts.size());
    }
    total_ = 0;
    for (std::size_t j = 0; j < counts.size(); ++j) total_ += all_[j] = counts[j];
  }
  std::size_t n_classes() const { return all_.size(); }

  // What lies left is given.
  void start(const double* left) {
    left_total_ = 0;
    for (std::size_t j = 0; j < n_classes(); ++j) {
      left_total_ += left_[j] = left[j];
      right_[j] = all_[j] - left[j];
    }
  }
  TREEWRIGHT_INLINE void move(std::size_t label, double weight) {
    left_[label] += weight;
    right_[label] -= weight;
    left_total_ += weight;
  }
  const double* left() const { return left_.data(); }
  TREEWRIGHT_INLINE double worth() const {
    return -cost(left_, left_total_) - cost(right_, total_ - left_total_);
  }
  double left_total() const { return left_total_; }
  double uncut_worth() const { return -cost(all_, total_); }

  // Two classes: the most that a cut inside a bucket can be worth, between what lies left of it and what lies
  // left of its end. `edges` is what its edges say: where both are as good, so may be a cut between them.
  double corner_bound(const double* from, const double* to, double edges) const {
    static_assert(n_known == 2);
    double most = edges;
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
  TREEWRIGHT_INLINE double cost(const Counts& counts, double total) const {
    if constexpr (n_known == 2)
      return total > 0 ? Criterion::pair_cost(counts[0], counts[1], 1 / total, logs_) : 0;
    else
      return Criterion::impurity(ClassGroup{{counts.data(), counts.size()}, total, logs_});
  }
  const Logs& logs_;
  Counts all_{}, left_{}, right_{};
  double total_ = 0, left_total_ = 0;
};

}  // namespace treewright
