#include "treewright/quick/grow.hpp"

namespace treewright {

TreeArrays grow_by_gini(const Problem& problem, const ClassTarget& target) {
  return grow_quickly<Gini>(problem, target);
}

}  // namespace treewright
