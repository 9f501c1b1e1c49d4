// The policies most_common and most_common_overall: gaps take a common value before anything is scored.
#pragma once

#include <cstdint>
#include <utility>

#include "column.hpp"
#include "groups.hpp"
#include "split.hpp"

namespace treewright {

// The code of the most common category, first on ties, or of the lower median number. Weights that differ by
// less than `slack` tie.
template <class Stats>
std::int32_t common_code(const Measured<Stats>& measured, const Column& column, std::int64_t slack) {
  const Groups<Stats>& groups = measured.groups;
  std::size_t best = 0;
  std::int64_t running = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    running += groups.weight[g];
    if (!column.is_nominal && 2 * running + slack >= measured.known.weight) return groups.code[g];
    if (groups.weight[g] > groups.weight[best] + slack) best = g;
  }
  return groups.code[best];
}

// Let the gaps join the group of `fill`, which is made where no row has it. `group` is an empty Stats to work
// with.
template <class Stats>
void fill_gaps(Measured<Stats>& measured, std::int32_t fill, Stats group) {
  if (measured.missing.rows == 0) return;
  Groups<Stats> filled;
  bool is_placed = false;
  for (std::size_t g = 0; g < measured.groups.size(); ++g) {
    const std::int32_t code = measured.groups.code[g];
    if (!is_placed && code > fill) filled.push(fill, measured.missing);
    group.clear();
    measured.groups.add_to(group, g);
    if (code == fill) group.add(measured.missing);
    is_placed |= code >= fill;
    filled.push(code, group);
  }
  if (!is_placed) filled.push(fill, measured.missing);
  measured.groups = std::move(filled);
  measured.known.add(measured.missing);
  measured.missing.clear();
}

// By value where there is a cut: no row of a node need have the common value of the whole table.
inline std::int32_t branch_of_fill(const Column& column, const Split& split, std::int32_t fill) {
  if (split.kind != SplitKind::cut) return split.branch_of(fill);
  return branch_of_cut(column.value[static_cast<std::size_t>(fill)], split.cut);
}

}  // namespace treewright
