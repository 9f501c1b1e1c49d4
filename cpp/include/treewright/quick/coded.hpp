// The table in the forms that the quick growth reads, made once: for one tree, or for all trees of a forest.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include "../problem.hpp"
#include "field.hpp"
#include "ranks.hpp"
#include "scan.hpp"

namespace treewright {

struct Coded {
  std::optional<BinnedTable> bins;  // for nodes of many rows
  std::optional<RowRanks> ranks;    // for the others, where drawn.hpp serves
};

// Does drawn.hpp serve? Some columns are drawn, all are numbers or ordered categories without gaps, rows count
// whole numbers, and a branch may be as small as it likes.
template <class Target>
bool draws_by_ranks(const Problem& problem, const Coded& coded) {
  const Settings& s = problem.settings;
  if (!std::is_same_v<Target, ClassTarget> || s.weight_unit != 1 || SideLimits(s).any()) return false;
  const std::size_t n = problem.columns.size();
  if (s.max_columns >= static_cast<std::int64_t>(n)) return false;
  for (std::size_t c = 0; c < n; ++c) {
    const Column& column = problem.columns[c];
    if (column.form != SplitForm::cut) return false;
    if (coded.bins ? coded.bins->has_gaps(c) : has_gaps(column)) return false;
  }
  return true;
}

template <class Target>
void code_table(const Problem& problem, Coded& coded) {
  const std::size_t n_rows = problem.weight.size(),
                    n_threads = static_cast<std::size_t>(problem.settings.n_threads);
  const std::function<void()> breathe = [&] { problem.rest(0); };
  if (n_rows > ShortKey::max_rows) coded.bins.emplace(problem.columns, n_rows, n_threads, breathe);
  if (draws_by_ranks<Target>(problem, coded))
    coded.ranks.emplace(problem.columns, n_rows, n_threads, breathe);
}

}  // namespace treewright
