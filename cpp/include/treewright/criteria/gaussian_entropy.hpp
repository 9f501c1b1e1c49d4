#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

// Information gain for numbers: the entropy of a normal distribution in nats, 1/2 ln(variance) and a constant
// that all branches share. A billionth of the root's variance is added, so that a branch of equal values has
// an entropy, too; and the logarithm of it is taken off, so that costs begin at 0.
struct GaussianEntropy {
  static constexpr std::string_view name = "gaussian_entropy";
  static constexpr Reads reads = Reads::squares;
  static constexpr Bound bound = Bound::none;
  static constexpr bool has_level_order =
      false;  // means and variances are two things: no one order holds both
  static constexpr Loss loss = Loss::squared;
  static constexpr int degree = 0;
  static constexpr double floor = 1e-9;
  // 1/2 ln(1 + 1e9 * 2^52): a group of the least weight cannot have more.
  static double most_cost(const NodeFigures& node) { return 32 * node.weight; }
  static double impurity(const SpreadGroup& g) {
    if (!(g.weight > 0 && g.root_variance > 0)) return 0;
    return g.weight * 0.5 * natural_log(1 + g.squares / g.weight / (floor * g.root_variance));
  }
};

}  // namespace treewright
