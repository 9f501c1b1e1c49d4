#include "treewright/grow.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/quick/coded.hpp"
#include "treewright/quick/quickly.hpp"
#include "treewright/rank.hpp"
#include "treewright/varying.hpp"

namespace treewright {

namespace {

// May the quick search serve? Two-way tests, nobody asks for the losers' figures, and gaps, if any, try both
// sides.
bool is_plain(const Problem& problem) {
  const Settings& s = problem.settings;
  const bool is_two_way = std::all_of(problem.columns.begin(), problem.columns.end(),
                                      [](const Column& c) { return c.form != SplitForm::multiway; });
  return s.use_histograms && is_two_way && !problem.outside && !s.keep_ledger && !s.use_random_cuts &&
         !s.use_c45_cuts && !s.use_average_gain && s.significance >= 1 && s.class_scale.empty() &&
         (s.missing == MissingPolicy::learned || s.missing == MissingPolicy::none);
}
bool is_quick(const Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return is_plain(problem) && target.n_classes <= max_quick_classes && target.n_classes > 1 &&
         (criterion == Gini::name || criterion == Entropy::name);
}
bool is_quick(const Problem& problem, const NumberTarget&, std::string_view criterion) {
  return is_plain(problem) && criterion == SquaredError::name;
}

// Give every cut column its codes, unless it has them.
std::vector<Ranks> rank_columns(Problem& problem) {
  std::vector<Ranks> ranks(problem.columns.size());
  in_shares(
      static_cast<std::size_t>(problem.settings.n_threads), ranks.size(), [&] { problem.rest(0); },
      [&](std::size_t c, std::size_t) {
        Column& column = problem.columns[c];
        if (column.form != SplitForm::cut || !column.value.empty()) return;
        if (column.number.type == Numbers::Type::code) {  // ordered categories are ranks already
          ranks[c].value.resize(static_cast<std::size_t>(column.n_codes));
          std::iota(ranks[c].value.begin(), ranks[c].value.end(), 0.0);
        } else {
          ranks[c] = rank(column.number);
          column.code = ranks[c].code;
          column.n_codes = static_cast<std::int32_t>(ranks[c].value.size());
        }
        column.value = ranks[c].value;
      });
  return ranks;
}

template <class CriterionVariant, class Target>
TreeArrays grow_with(Problem& problem, const Target& target, std::string_view criterion) {
  // Under C4.5's choice the cut inside a column is the one of best gain; the ratio only compares columns.
  const std::string_view inside = problem.settings.use_average_gain ? Entropy::name : criterion;
  auto found = find_criterion<CriterionVariant>(inside);
  if (!found) throw std::invalid_argument("unknown criterion '" + std::string(criterion) + "'");
  const std::vector<Ranks> ranks = rank_columns(problem);
  TreeArrays arrays = Growth<Target, CriterionVariant>(problem, target, *found).run();
  for (const Column& column : problem.columns) arrays.gaps.push_back(has_gaps(column));
  return arrays;
}

template <class Target>
Prepared prepare_for(Problem& problem, const Target& target, std::string_view criterion) {
  Prepared made;
  leave_out_constants(problem);
  if (is_quick(problem, target, criterion)) {
    auto coded = std::make_shared<Coded>();
    code_table<Target>(problem, *coded);
    made.coded = std::move(coded);
    problem.coded = made.coded.get();
  } else {
    made.ranks = rank_columns(problem);
  }
  return made;
}

TreeArrays grow_prepared(Problem& problem, const ClassTarget& target, std::string_view criterion) {
  if (!is_quick(problem, target, criterion)) return grow_with<ClassCriterion>(problem, target, criterion);
  return criterion == Gini::name ? grow_by_gini(problem, target) : grow_by_entropy(problem, target);
}
TreeArrays grow_prepared(Problem& problem, const NumberTarget& target, std::string_view criterion) {
  if (!is_quick(problem, target, criterion)) return grow_with<NumberCriterion>(problem, target, criterion);
  return grow_by_squared_error(problem, target);
}

template <class Target>
TreeArrays grow_for(Problem& problem, const Target& target, std::string_view criterion) {
  leave_out_constants(problem);
  TreeArrays arrays = grow_prepared(problem, target, criterion);
  put_back_constants(problem, arrays);
  return arrays;
}

}  // namespace

Prepared prepare(Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return prepare_for(problem, target, criterion);
}
Prepared prepare(Problem& problem, const NumberTarget& target, std::string_view criterion) {
  return prepare_for(problem, target, criterion);
}

TreeArrays grow(Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return grow_for(problem, target, criterion);
}
TreeArrays grow(Problem& problem, const NumberTarget& target, std::string_view criterion) {
  return grow_for(problem, target, criterion);
}

}  // namespace treewright
