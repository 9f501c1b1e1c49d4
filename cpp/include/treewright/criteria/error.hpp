#pragma once

#include <algorithm>
#include <string_view>

#include "entropy.hpp"

namespace treewright {

// 0-1 loss: what the majority class gets wrong. Equal losses are common, so entropy decides between them.
struct Error {
  static constexpr std::string_view name = "error";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  using TieBreak = Entropy;
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) {
    double most = 0;
    for (double c : g.counts) most = std::max(most, c);
    return g.total - most;
  }
};

}  // namespace treewright
