// A column with one value in all rows, and no gap, cannot split the root nor any node below. Where columns
// are drawn, drawing goes on past such columns (semantics 3.14.7): they are left out beforehand, so that a
// node does not meet them one by one. Draws are keyed by a column's rank, which it keeps: the tree is the
// same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "problem.hpp"
#include "tree.hpp"

namespace treewright {

inline bool is_constant(const Column& column) {
  const Numbers& numbers = column.number;
  for (std::size_t r = 0; r < numbers.size; ++r)
    if (!(numbers[r] == numbers[0])) return false;  // a gap differs from everything, itself included
  return true;
}

// Leave out the columns that cannot split, if columns are drawn and no ledger tells of each. One of them
// stays: C4.5 asks whether all columns have many values, and that one has the fewest.
inline void leave_out_constants(Problem& problem) {
  if (!problem.place.empty() || problem.settings.keep_ledger ||
      problem.settings.max_columns >= static_cast<std::int64_t>(problem.columns.size()))
    return;
  auto n_values = [&](std::size_t c) {
    return problem.columns[c].is_nominal ? problem.columns[c].n_codes : 0;
  };
  std::vector<std::uint8_t> stays(problem.columns.size());
  std::optional<std::size_t> fewest;
  for (std::size_t c = 0; c < problem.columns.size(); ++c) {
    stays[c] = !is_constant(problem.columns[c]);
    if (stays[c] == 0 && (!fewest || n_values(c) < n_values(*fewest))) fewest = c;
  }
  if (fewest) stays[*fewest] = 1;
  std::vector<Column> varying;
  for (std::size_t c = 0; c < stays.size(); ++c) {
    if (stays[c] == 0) continue;
    problem.place.push_back(static_cast<std::int32_t>(c));
    varying.push_back(problem.columns[c]);
  }
  problem.n_left_out = problem.columns.size() - varying.size();
  problem.columns = std::move(varying);
}

// Name columns by their places in the caller's table again.
inline void put_back_constants(const Problem& problem, TreeArrays& tree) {
  if (problem.n_left_out == 0) return;
  auto name_again = [&](std::vector<std::int32_t>& columns) {
    for (std::int32_t& c : columns)
      if (c >= 0) c = problem.place[static_cast<std::size_t>(c)];
  };
  name_again(tree.column);
  name_again(tree.surrogate_column);
  std::vector<std::uint8_t> gaps(problem.n_given());
  for (std::size_t c = 0; c < tree.gaps.size(); ++c)
    gaps[static_cast<std::size_t>(problem.place[c])] = tree.gaps[c];
  tree.gaps = std::move(gaps);
}

}  // namespace treewright
