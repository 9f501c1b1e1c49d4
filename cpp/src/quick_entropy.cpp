#include "treewright/quick/grow.hpp"

namespace treewright {

TreeArrays grow_by_entropy(const Problem& problem, const ClassTarget& target) {
  return grow_quickly<Entropy>(problem, target);
}

}  // namespace treewright
