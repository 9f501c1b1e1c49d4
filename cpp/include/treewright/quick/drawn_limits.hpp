// Sides of a cut that must have some rows or weight, where columns are drawn: a filter on edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "drawn_edges.hpp"
#include "input.hpp"

namespace treewright {

class DrawnLimits {
 public:
  explicit DrawnLimits(const Settings& settings) : limits_(settings), unit_(settings.weight_unit) {}
  bool any() const { return limits_.any(); }
  bool can_split(std::size_t n_rows) const { return static_cast<double>(n_rows) >= 2 * limits_.rows; }
  void set_node(std::size_t n_rows, double weight) {
    n_rows_ = static_cast<double>(n_rows);
    weight_ = weight;
  }

  // Count the rows left of the edges at the ends of buckets.
  void count(std::size_t first_edge, Buckets buckets, std::span<const std::uint32_t> ranks) {
    n_left_.resize(std::max(n_left_.size(), first_edge + buckets.size));
    std::uint32_t* n = n_left_.data() + first_edge;
    std::fill_n(n, buckets.size, 0);
    for (std::uint32_t rank : ranks) ++n[buckets.of(rank)];
    for (std::size_t b = 1; b < buckets.size; ++b) n[b] += n[b - 1];
  }
  std::size_t rows_left(std::size_t edge) const { return n_left_[edge]; }

  // May so many rows, of this weight in units, lie left of a cut?
  template <class Weight>
  bool allow(std::size_t n_left, const Weight& weight_left) const {
    const auto n = static_cast<double>(n_left);
    if (n < limits_.rows || n_rows_ - n < limits_.rows) return false;
    if (limits_.weight <= 0) return true;
    const double weight = weight_left();
    return weight * unit_ >= limits_.weight && (weight_ - weight) * unit_ >= limits_.weight;
  }
  // May a cut between two edges, with so many rows left of each, leave enough rows on both sides?
  bool may_allow(std::size_t n_left, std::size_t n_through) const {
    return static_cast<double>(n_through) > limits_.rows &&
           static_cast<double>(n_left) + limits_.rows < n_rows_;
  }

 private:
  SideLimits limits_;
  double unit_, n_rows_ = 0, weight_ = 0;
  std::vector<std::uint32_t> n_left_;  // by edge
};

}  // namespace treewright
