#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

struct SquaredError {
  static constexpr std::string_view name = "squared_error";
  static constexpr Reads reads = Reads::sum;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  static constexpr Loss loss = Loss::squared;
  static constexpr int degree = 2;                // of the score in units of the target
  static constexpr bool is_square_of_sum = true;  // -S^2 / W, which the quick search of numbers is built on
  // sum (y - mean)^2 less sum y^2, which every partition of the node shares: only -S^2 / W is left.
  // No partition explains more than the squares about the centre: they bound every score of the node.
  static double most_cost(const NodeFigures& node) { return node.squares; }
  static double impurity(const MomentGroup& g) { return g.weight > 0 ? -(g.sum * g.sum) / g.weight : 0; }
};

}  // namespace treewright
