#include "treewright/quick/grow.hpp"

namespace treewright {

TreeArrays grow_by_squared_error(const Problem& problem, const NumberTarget& target) {
  return grow_quickly<SquaredError>(problem, target);
}

}  // namespace treewright
