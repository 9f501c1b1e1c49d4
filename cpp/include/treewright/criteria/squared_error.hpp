#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

struct SquaredError {
  static constexpr std::string_view name = "squared_error";
  static constexpr bool is_concave = true;
  // sum (y - mean)^2 less sum y^2, which every partition of the node shares: only -S^2 / W is left.
  static double impurity(const MomentGroup& g) { return g.weight > 0 ? -(g.sum * g.sum) / g.weight : 0; }
};

}  // namespace treewright
