// What is asked of growth. Whoever asks need not know how it is done (grow.hpp, quick/grow.hpp), nor wait
// until that is compiled.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "problem.hpp"
#include "rank.hpp"
#include "stats.hpp"
#include "tree.hpp"

namespace treewright {

// What growths on the same columns share, made once and kept while they run: ranks, or the table as bytes.
struct Prepared {
  std::vector<Ranks> ranks;
  std::shared_ptr<const Coded> coded;
};
// The problem refers to it from then on.
Prepared prepare(Problem& problem, const ClassTarget& target, std::string_view criterion);
Prepared prepare(Problem& problem, const NumberTarget& target, std::string_view criterion);

// The numbers of cut columns are ranked first, if the settings ask for a search that works on ranks.
TreeArrays grow(Problem& problem, const ClassTarget& target, std::string_view criterion);
TreeArrays grow(Problem& problem, const NumberTarget& target, std::string_view criterion);

// By Growth (grow.hpp), whatever the settings; for each list of criteria and its targets (by_growth.hpp).
template <class CriterionVariant, class Target>
TreeArrays grow_by_offers(Problem& problem, const Target& target, std::string_view criterion);

}  // namespace treewright
