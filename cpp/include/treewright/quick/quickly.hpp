// The quick growths, one translation unit each.
#pragma once

#include "../problem.hpp"
#include "../stats.hpp"
#include "../tree.hpp"

namespace treewright {

constexpr std::size_t max_quick_classes = std::size_t{1} << 16;

TreeArrays grow_by_gini(const Problem& problem, const ClassTarget& target);
TreeArrays grow_by_entropy(const Problem& problem, const ClassTarget& target);
TreeArrays grow_by_squared_error(const Problem& problem, const NumberTarget& target);

}  // namespace treewright
