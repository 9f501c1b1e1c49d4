#pragma once

#include <algorithm>
#include <string_view>

#include "group.hpp"

namespace treewright {

// Counts and rates: half of the Poisson deviance that a test explains. The sum is the raw one, since the
// logarithm of a mean is not the same about another centre.
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr Reads reads = Reads::raw_sum;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  static constexpr Loss loss = Loss::poisson;
  static constexpr int degree = 1;
  // Half the deviance of the node is at most this.
  static double most_cost(const NodeFigures& node) {
    return node.sum * std::max(1.0, natural_log(node.greatest / node.mean));
  }
  // -S ln(S / W), less S ln of the node's rate, which every partition of the node shares.
  static double impurity(const RateGroup& g) {
    return g.sum > 0 ? -g.sum * g.log(g.sum / g.weight / g.rate) : 0;
  }
  // No rate is 0: a branch without an event has no likelihood.
  static bool allows(const RateGroup& g) { return g.sum > 0; }
};

}  // namespace treewright
