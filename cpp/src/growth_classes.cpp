#include "treewright/by_growth.hpp"

namespace treewright {

template TreeArrays grow_by_offers<ClassCriterion>(Problem&, const ClassTarget&, std::string_view);
template class Verbs<ClassTarget, ClassCriterion>;

}  // namespace treewright
