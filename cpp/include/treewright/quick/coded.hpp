// The table in the forms that the quick growth reads, made once: for one tree, or for all trees of a forest.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>

#include "../problem.hpp"
#include "field.hpp"
#include "ranks.hpp"
#include "scan.hpp"

namespace treewright {

struct Coded {
  std::optional<RankedTable> ranks;  // where drawn.hpp serves; or else:
  std::optional<BinnedTable> bins;   // for nodes of many rows
};

// Does drawn.hpp serve? Some columns are drawn, all are numbers or ordered categories without gaps, rows
// count whole numbers and classes are not scaled, a branch may be as small as it likes, there may be any
// number of leaves, and impurity stops none.
template <class Target>
bool draws_by_ranks(const Problem& problem) {
  const Settings& s = problem.settings;
  if (!std::is_same_v<Target, ClassTarget> || s.weight_unit != 1 || SideLimits(s).any()) return false;
  if (!s.class_scale.empty() || s.min_impurity > 0) return false;
  if (s.max_leaves != std::numeric_limits<std::int64_t>::max()) return false;
  if (s.max_columns >= static_cast<std::int64_t>(problem.columns.size())) return false;
  return std::all_of(problem.columns.begin(), problem.columns.end(),
                     [](const Column& column) { return column.form == SplitForm::cut && !has_gaps(column); });
}

template <class Target>
void code_table(const Problem& problem, Coded& coded) {
  const std::size_t n_rows = problem.weight.size(),
                    n_threads = static_cast<std::size_t>(problem.settings.n_threads);
  const std::function<void()> breathe = [&] { problem.rest(0); };
  if (draws_by_ranks<Target>(problem))
    coded.ranks.emplace(problem.columns, n_rows, n_threads, breathe);
  else if (n_rows > ShortKey::max_rows)
    coded.bins.emplace(problem.columns, n_rows, n_threads, breathe);
}

}  // namespace treewright
