#include "treewright/by_growth.hpp"

namespace treewright {

template TreeArrays grow_by_offers<NumberCriterion>(Problem&, const NumberTarget&, std::string_view);
template TreeArrays grow_by_offers<SpreadCriterion>(Problem&, const SpreadTarget&, std::string_view);
template TreeArrays grow_by_offers<ValueCriterion>(Problem&, const ValueTarget&, std::string_view);
template class Verbs<NumberTarget, NumberCriterion>;

}  // namespace treewright
