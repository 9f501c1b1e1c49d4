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
#include "input.hpp"
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

// Are columns drawn, or cuts, and searched by ranks? Where cuts are drawn, a branch may be as small as it
// likes, and there may be any number of leaves.
inline bool draws_by_ranks(const Problem& problem) {
  const Settings& s = problem.settings;
  if (s.use_random_cuts && (SideLimits(s).any() || has_budget(s) || has_categories(problem))) return false;
  return s.use_random_cuts || s.max_columns < static_cast<std::int64_t>(problem.columns.size());
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
// RandomCut draws a place instead. No row may lack a value; in a record, none may weigh too much.
inline bool draws_cuts_by_ranks(const Problem& problem) {
  if (const Coded* coded = problem.coded; coded != nullptr)
    return coded->ranks.has_value() ||
           (coded->records.has_value() && std::all_of(problem.weight.begin(), problem.weight.end(),
                                                      [](auto w) { return w <= RecordTable::max_weight; }));
  return draws_by_ranks(problem) && have_finite_ranges(problem.columns);
}

// Records are judged by squares of whole counts, of few classes; a row that is drawn several times must not
// weigh too much, nor all of them.
template <class Target>
std::optional<RecordTable> records_of(const Problem& problem, const Target& target, bool is_of_squares,
                                      const std::function<void()>& breathe) {
  if constexpr (std::is_same_v<Target, ClassTarget>) {
    constexpr std::int64_t max_draws = 64;
    const Settings& s = problem.settings;
    if (s.weight_unit != 1 || !s.class_scale.empty()) return std::nullopt;
    const bool is_light = std::all_of(problem.weight.begin(), problem.weight.end(), [](std::int64_t w) {
      return w <= RecordTable::max_weight / max_draws;
    });
    if (std::accumulate(problem.weight.begin(), problem.weight.end(), std::int64_t{0}) >
        most_drawn_weight / 2)
      return std::nullopt;
    if (is_of_squares && is_light && target.n_classes <= RecordTable::max_classes)
      return RecordTable::of(problem.columns, target.label,
                             static_cast<std::size_t>(problem.settings.n_threads), breathe);
  }
  return std::nullopt;
}

inline void code_ranks(const Problem& problem, Coded& coded) {
  coded.ranks.emplace(problem.columns, problem.weight.size(), problem.settings.use_random_cuts,
                      static_cast<std::size_t>(problem.settings.n_threads), [&] { problem.breathe(0); });
}

template <class Target>
void code_table(const Problem& problem, const Target& target, bool is_of_squares, Coded& coded) {
  const Settings& settings = problem.settings;
  const std::size_t n_rows = problem.weight.size();
  const std::function<void()> breathe = [&] { problem.breathe(0); };
  if (draws_by_ranks(problem)) {
    if (!SideLimits(settings).any() && !has_budget(settings) && !has_categories(problem))
      coded.records = records_of(problem, target, is_of_squares, breathe);
    if (!coded.records) code_ranks(problem, coded);
  } else if (n_rows > ShortKey::max_rows) {
    coded.bins.emplace(problem.columns, n_rows, static_cast<std::size_t>(settings.n_threads), breathe);
  }
}

}  // namespace treewright
