// The table in the forms that the quick growth reads, made once: for one tree, or for all trees of a forest.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../logs.hpp"
#include "../problem.hpp"
#include "drawn_edges.hpp"
#include "field.hpp"
#include "ranks.hpp"
#include "records.hpp"
#include "scan.hpp"

namespace treewright {

struct Coded {
  std::optional<RecordTable> records;  // where record_growth.hpp serves; or else:
  std::optional<RankedTable> ranks;    // where drawn.hpp serves; or else:
  std::optional<BinnedTable> bins;     // for nodes of many rows
  std::optional<Logs> logs;            // where trees share them
};

// May there be so many leaves at most?
inline bool has_budget(const Settings& settings) {
  return settings.max_leaves != std::numeric_limits<std::int64_t>::max();
}

inline bool has_categories(const Problem& problem) {
  return std::any_of(problem.columns.begin(), problem.columns.end(),
                     [](const Column& column) { return column.form != SplitForm::cut; });
}

// May columns be drawn by their ranks? Some are drawn, or cuts are, rows count whole numbers, not too large,
// classes are not scaled, and impurity stops none. Where cuts are drawn, a branch may be as small as it
// likes, and there may be any number of leaves.
template <class Target>
bool draws_by_ranks(const Problem& problem) {
  const Settings& s = problem.settings;
  if (s.weight_unit != 1) return false;
  if (s.use_random_cuts && (SideLimits(s).any() || has_budget(s) || has_categories(problem))) return false;
  if (!s.class_scale.empty() || s.min_impurity > 0) return false;
  const std::int64_t total = std::accumulate(problem.weight.begin(), problem.weight.end(), std::int64_t{0});
  if (total > PairEdges<Gini>::most_weight / 2)
    return false;  // some rows may be drawn more often than others
  return s.use_random_cuts || s.max_columns < static_cast<std::int64_t>(problem.columns.size());
}
inline bool has_any_gaps(const Problem& problem) {
  if (problem.has_gaps) return *problem.has_gaps;
  return std::any_of(problem.columns.begin(), problem.columns.end(), has_gaps);
}

// Has every column numbers only, not too far apart? Some rows of all columns at a time: rows may lie side by
// side in memory.
inline bool have_finite_ranges(std::span<const Column> columns) {
  constexpr std::size_t block = 512;
  constexpr double endless = std::numeric_limits<double>::infinity();
  std::vector<double> least(columns.size(), endless), most(columns.size(), -endless);
  const std::size_t n_rows = columns.empty() ? 0 : columns[0].number.size;
  for (std::size_t first = 0; first < n_rows; first += block)
    for (std::size_t c = 0; c < columns.size(); ++c) {
      bool has_gap = false;
      for (std::size_t r = first; r < std::min(n_rows, first + block); ++r) {
        const double x = columns[c].number[r];
        has_gap |= std::isnan(x);
        least[c] = x < least[c] ? x : least[c];
        most[c] = x > most[c] ? x : most[c];
      }
      if (has_gap) return false;
    }
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!std::isfinite(most[c] - least[c])) return false;
  return true;
}

// May cuts be drawn by ranks, too? Where the least and the greatest value of a column are too far apart,
// RandomCut draws a place instead. Rows must not weigh too much, and none may lack a value.
template <class Target>
bool draws_cuts_by_ranks(Problem& problem) {
  const std::int64_t total = std::accumulate(problem.weight.begin(), problem.weight.end(), std::int64_t{0});
  if (total > PairEdges<Gini>::most_weight) return false;
  if (const Coded* coded = problem.coded; coded != nullptr)
    return coded->ranks.has_value() ||
           (coded->records.has_value() && std::all_of(problem.weight.begin(), problem.weight.end(),
                                                      [](auto w) { return w <= RecordTable::max_weight; }));
  return draws_by_ranks<Target>(problem) && have_finite_ranges(problem.columns);
}

// Records are judged by squares of whole counts, of few classes; a row that is drawn several times must not
// weigh too much.
template <class Target>
std::optional<RecordTable> records_of(const Problem& problem, const Target& target, bool is_of_squares,
                                      const std::function<void()>& breathe) {
  if constexpr (std::is_same_v<Target, ClassTarget>) {
    constexpr std::int64_t max_draws = 64;
    const bool is_light = std::all_of(problem.weight.begin(), problem.weight.end(), [](std::int64_t w) {
      return w <= RecordTable::max_weight / max_draws;
    });
    if (is_of_squares && is_light && target.n_classes <= RecordTable::max_classes)
      return RecordTable::of(problem.columns, target.label,
                             static_cast<std::size_t>(problem.settings.n_threads), breathe);
  }
  return std::nullopt;
}

template <class Target>
void code_table(const Problem& problem, const Target& target, bool is_of_squares, Coded& coded) {
  const std::size_t n_rows = problem.weight.size(),
                    n_threads = static_cast<std::size_t>(problem.settings.n_threads);
  const std::function<void()> breathe = [&] { problem.rest(0); };
  if (draws_by_ranks<Target>(problem)) {
    const Settings& settings = problem.settings;
    if (!SideLimits(settings).any() && !has_budget(settings) && !has_categories(problem))
      coded.records = records_of(problem, target, is_of_squares, breathe);
    if (coded.records) return;
    if (problem.settings.missing == MissingPolicy::learned || !has_any_gaps(problem)) {
      coded.ranks.emplace(problem.columns, n_rows, problem.settings.use_random_cuts, n_threads, breathe);
      return;
    }
  }
  if (n_rows > ShortKey::max_rows) coded.bins.emplace(problem.columns, n_rows, n_threads, breathe);
}

}  // namespace treewright
