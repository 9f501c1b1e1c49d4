#pragma once

#include <algorithm>
#include <string_view>

#include "entropy.hpp"

namespace treewright {

// 0-1 loss: what the majority class gets wrong. Equal losses are common, so entropy decides between them.
struct Error {
  static constexpr std::string_view name = "error";
  static constexpr bool is_concave = true;
  using TieBreak = Entropy;
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) {
    double most = 0;
    for (double c : g.counts) most = std::max(most, c);
    return g.total - most;
  }
};

}  // namespace treewright
