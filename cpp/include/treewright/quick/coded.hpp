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
#include "records.hpp"
#include "scan.hpp"

namespace treewright {

struct Coded {
  std::optional<RecordTable> records;  // where record_growth.hpp serves; or else:
  std::optional<RankedTable> ranks;    // where drawn.hpp serves; or else:
  std::optional<BinnedTable> bins;     // for nodes of many rows
};

// May columns be drawn by their ranks? Some are drawn, all are numbers or ordered categories, rows count
// whole numbers and classes are not scaled, a branch may be as small as it likes, there may be any number of
// leaves, and impurity stops none.
template <class Target>
bool draws_by_ranks(const Problem& problem) {
  const Settings& s = problem.settings;
  if (!std::is_same_v<Target, ClassTarget> || s.weight_unit != 1 || SideLimits(s).any()) return false;
  if (!s.class_scale.empty() || s.min_impurity > 0) return false;
  if (s.max_leaves != std::numeric_limits<std::int64_t>::max()) return false;
  if (s.max_columns >= static_cast<std::int64_t>(problem.columns.size())) return false;
  return std::all_of(problem.columns.begin(), problem.columns.end(),
                     [](const Column& column) { return column.form == SplitForm::cut; });
}
inline bool has_any_gaps(const Problem& problem) {
  if (problem.has_gaps) return *problem.has_gaps;
  return std::any_of(problem.columns.begin(), problem.columns.end(), has_gaps);
}

// Records know gini alone, and few classes; a row that is drawn several times must not weigh too much.
template <class Target>
std::optional<RecordTable> records_of(const Problem& problem, const Target& target, bool is_gini,
                                      const std::function<void()>& breathe) {
  if constexpr (std::is_same_v<Target, ClassTarget>) {
    constexpr std::int64_t max_draws = 64;
    const bool is_light = std::all_of(problem.weight.begin(), problem.weight.end(), [](std::int64_t w) {
      return w <= RecordTable::max_weight / max_draws;
    });
    if (is_gini && is_light && target.n_classes <= RecordTable::max_classes)
      return RecordTable::of(problem.columns, target.label,
                             static_cast<std::size_t>(problem.settings.n_threads), breathe);
  }
  return std::nullopt;
}

template <class Target>
void code_table(const Problem& problem, const Target& target, bool is_gini, Coded& coded) {
  const std::size_t n_rows = problem.weight.size(),
                    n_threads = static_cast<std::size_t>(problem.settings.n_threads);
  const std::function<void()> breathe = [&] { problem.rest(0); };
  if (draws_by_ranks<Target>(problem)) {
    coded.records = records_of(problem, target, is_gini, breathe);
    if (coded.records) return;
    if (!has_any_gaps(problem)) {
      coded.ranks.emplace(problem.columns, n_rows, n_threads, breathe);
      return;
    }
  }
  if (n_rows > ShortKey::max_rows) coded.bins.emplace(problem.columns, n_rows, n_threads, breathe);
}

}  // namespace treewright
