#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

// Distances from the lower weighted median, which needs all values and not their sums.
struct AbsoluteError {
  static constexpr std::string_view name = "absolute_error";
  static constexpr Reads reads = Reads::all_values;
  static constexpr Bound bound = Bound::none;
  static constexpr bool has_level_order = false;
  static constexpr Loss loss = Loss::absolute;
  static constexpr int degree = 1;
  static double impurity(const DeviationGroup& g) { return g.deviations; }
};

}  // namespace treewright
