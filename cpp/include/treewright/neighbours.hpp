// The values of a column on both sides of a cut, for many cuts at once.
#pragma once

#include <span>
#include <vector>

#include "column.hpp"

namespace treewright {

// Of one cut of a column.
struct Neighbours {
  double below,
      above;  // the largest value not above the cut, the smallest above it; -inf and inf where none is
};

// Of each cut of each column, column after column. All columns are numbers with as many rows.
std::vector<std::vector<Neighbours>> neighbours(std::span<const Numbers> columns,
                                                std::span<const std::span<const double>> cuts);

}  // namespace treewright
