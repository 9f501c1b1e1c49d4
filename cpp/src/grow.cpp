#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "treewright/growing.hpp"
#include "treewright/quick/coded.hpp"
#include "treewright/quick/growths.hpp"
#include "treewright/revisit.hpp"
#include "treewright/varying.hpp"

namespace treewright {

namespace {

bool has_any_gap(Problem& problem) {
  if (!problem.has_gaps)
    problem.has_gaps = std::any_of(problem.columns.begin(), problem.columns.end(), has_gaps);
  return *problem.has_gaps;
}

bool is_common(MissingPolicy missing) {
  return missing == MissingPolicy::most_common || missing == MissingPolicy::most_common_overall;
}

// A row that may be divided counts by its weight. Where no row will be, and each weighs one, that is a row.
bool counts_rows(const Problem& problem) {
  const Settings& s = problem.settings;
  return !s.counts_weight() || std::all_of(problem.weight.begin(), problem.weight.end(), [&](std::int64_t w) {
    return static_cast<double>(w) * s.weight_unit == 1;
  });
}
// The same problem in whole rows, which is what the quick growth counts.
struct WholeRows {
  explicit WholeRows(Problem& problem) {
    Settings& s = problem.settings;
    if (!s.counts_weight()) return;
    ones.assign(problem.weight.size(), 1);
    problem.weight = ones;
    s.weight_unit = 1;
    for (double* least : {&s.min_leaf, &s.min_branch, &s.min_split}) *least = std::ceil(*least - 1e-6);
    s.missing = MissingPolicy::none;
  }
  std::vector<std::int64_t> ones;
};

// May the quick search serve? Two-way tests, nobody asks for the losers' figures, and gaps, if any, try both
// sides.
bool is_plain(Problem& problem) {
  const Settings& s = problem.settings;
  const bool is_two_way = std::all_of(problem.columns.begin(), problem.columns.end(),
                                      [](const Column& c) { return c.form != SplitForm::multiway; });
  return s.search != Search::every && is_two_way && !problem.outside && !s.keep_ledger && !s.use_c45_cuts &&
         !s.use_average_gain && !s.use_boundary_cuts && s.significance >= 1 && !s.has_filters() &&
         (s.missing == MissingPolicy::learned || s.missing == MissingPolicy::none ||
          (!has_any_gap(problem) && counts_rows(problem)));
}
// Cuts that are drawn are found by ranks, or one by one.
bool serves_cuts(const Problem& problem, const ClassTarget&) {
  return !problem.settings.use_random_cuts || draws_cuts_by_ranks(problem);
}
template <class Target>
bool serves_cuts(const Problem& problem, const Target&) {
  return !problem.settings.use_random_cuts;
}

template <class Target>
bool is_quick(Problem& problem, const Target& target, std::string_view criterion) {
  return is_plain(problem) && quick_growth(target, criterion) != nullptr && serves_cuts(problem, target);
}

template <class CriterionVariant, class Target>
TreeArrays grow_varying(Problem& problem, const Target& target, std::string_view criterion) {
  const bool quick = is_quick(problem, target, criterion);
  // Squares of numbers are rounded by the unit of weights: either growth must count the same way.
  const bool has_numbers = std::is_same_v<Target, NumberTarget>;
  std::optional<WholeRows> rows;
  if (quick || (has_numbers && counts_rows(problem) && !has_any_gap(problem))) rows.emplace(problem);
  if (!quick) return grow_by_offers<CriterionVariant>(problem, target, criterion);
  TreeArrays tree = quick_growth(target, criterion)(problem, target);
  tree.is_quick = true;
  if (is_common(problem.settings.missing)) place_common_values(tree, problem);
  return tree;
}

template <class CriterionVariant, class Target>
TreeArrays grow_for(Problem& problem, const Target& target, std::string_view criterion) {
  leave_out_constants(problem);
  TreeArrays tree = grow_varying<CriterionVariant>(problem, target, criterion);
  if (problem.is_final && problem.settings.missing == MissingPolicy::surrogate)
    tree.set_surrogates(find_surrogates(Tests::of(tree), problem));
  put_back_constants(problem, tree);
  return tree;
}

template <class Target>
Prepared prepare_for(Problem& problem, const Target& target, std::string_view criterion) {
  Prepared made;
  leave_out_constants(problem);
  // Rows that may be divided count by their weight, and a draw may give a row more than one.
  const bool quick = !problem.settings.counts_weight() && is_quick(problem, target, criterion);
  if (quick) {
    auto coded = std::make_shared<Coded>();
    code_table(problem, target, is_of_squares<ClassCriterion>(criterion), *coded);
    coded->logs.emplace(static_cast<std::int64_t>(problem.weight.size()));
    made.coded = std::move(coded);
    problem.coded = made.coded.get();
  }
  if (!quick || problem.settings.missing == MissingPolicy::surrogate) made.ranks = rank_columns(problem);
  return made;
}

}  // namespace

Prepared prepare(Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return prepare_for(problem, target, criterion);
}
Prepared prepare(Problem& problem, const NumberTarget& target, std::string_view criterion) {
  return prepare_for(problem, target, criterion);
}

TreeArrays grow(Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return grow_for<ClassCriterion>(problem, target, criterion);
}
TreeArrays grow(Problem& problem, const NumberTarget& target, std::string_view criterion) {
  problem.settings.numbers = number_rules(criterion);
  if (find_criterion<ValueCriterion>(criterion))
    return grow_for<ValueCriterion>(problem, ValueTarget{target}, criterion);
  if (find_criterion<SpreadCriterion>(criterion))
    return grow_for<SpreadCriterion>(problem, SpreadTarget(target, problem.weight, problem.settings.y_unit),
                                     criterion);
  return grow_for<NumberCriterion>(problem, target, criterion);
}

}  // namespace treewright
