#include "treewright/grow.hpp"

namespace treewright {

// For the verbs one at a time (verbs.hpp).
template class Growth<ClassTarget, ClassCriterion>;
template class Growth<NumberTarget, NumberCriterion>;

}  // namespace treewright
