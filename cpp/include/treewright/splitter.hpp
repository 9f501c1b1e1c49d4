// The table of splitters: which one serves which form of test.
#pragma once

#include "splitters/each_value.hpp"
#include "splitters/grouped.hpp"
#include "splitters/one_vs_rest.hpp"
#include "splitters/random_cut.hpp"
#include "splitters/sorted_cut.hpp"
#include "splitters/subset.hpp"

namespace treewright {

template <class Criterion, class Stats>
Offer best_offer(const Task<Stats>& task) {
  if (task.settings.use_random_cuts && task.column.form != SplitForm::multiway)
    return RandomCut::best<Criterion>(task);
  switch (task.column.form) {
    case SplitForm::cut:
      return SortedCut::best<Criterion>(task);
    case SplitForm::multiway:
      return task.settings.use_groups ? Grouped::best<Criterion>(task) : EachValue::best<Criterion>(task);
    case SplitForm::one_vs_rest:
      return OneVsRest::best<Criterion>(task);
    case SplitForm::subset:
      return Subset::best<Criterion>(task);
  }
  return {};
}

}  // namespace treewright
