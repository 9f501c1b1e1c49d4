// Surrogate splits (Breiman et al. 1984, 5.3): other columns' tests that best reproduce a chosen two-way
// split, asked in turn when the chosen column has a gap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "groups.hpp"
#include "settings.hpp"
#include "split.hpp"

namespace treewright {

struct Surrogate {
  Split split;
  bool flip = false;  // the low side of the cut goes to branch 1
  double agreement = 0, adjusted = 0;

  std::int32_t branch_of(std::int32_t code) const {
    const std::int32_t branch = split.branch_of(code);
    return branch < 0 || !flip ? branch : 1 - branch;
  }
};

namespace surrogates {

// Each side of a surrogate holds at least two rows.
constexpr std::int64_t min_rows = 2;

inline void best_cut(const Column& column, const Measured<ClassStats>& m, Surrogate& best,
                     std::int64_t& agreeing) {
  ClassStats left(2);
  for (std::size_t g = 0; g + 1 < m.groups.size(); ++g) {
    m.groups.add_to(left, g);
    if (left.rows < min_rows || m.known.rows - left.rows < min_rows) continue;
    const std::int64_t straight = left.counts[0] + m.known.counts[1] - left.counts[1];
    for (bool flip : {false, true}) {
      const std::int64_t agrees = flip ? m.known.weight - straight : straight;
      if (agrees <= agreeing) continue;
      agreeing = agrees;
      best.flip = flip;
      best.split.kind = SplitKind::cut;
      best.split.n_branches = 2;
      best.split.cut = midpoint(column.value[static_cast<std::size_t>(m.groups.code[g])],
                                column.value[static_cast<std::size_t>(m.groups.code[g + 1])]);
      // Rows that need the surrogate may lie between its two neighbours: the value decides, not the
      // neighbour's code.
      best.split.cut_code = static_cast<std::int32_t>(
          std::upper_bound(column.value.begin(), column.value.end(), best.split.cut) - column.value.begin() -
          1);
    }
  }
}

// Every level goes where most of its rows went.
inline void best_levels(const Measured<ClassStats>& m, Surrogate& best, std::int64_t& agreeing) {
  Split split;
  split.kind = SplitKind::values;
  split.n_branches = 2;
  std::int64_t agrees = 0, rows[2] = {0, 0};
  for (std::size_t g = 0; g < m.groups.size(); ++g) {
    ClassStats level(2);
    m.groups.add_to(level, g);
    const int side = level.counts[1] > level.counts[0] ? 1 : 0;
    agrees += level.counts[static_cast<std::size_t>(side)];
    rows[side] += level.rows;
    split.code.push_back(m.groups.code[g]);
    split.branch.push_back(side);
  }
  if (rows[0] < min_rows || rows[1] < min_rows) return;
  agreeing = agrees;
  best.split = split;
}

}  // namespace surrogates

// The surrogates of a split, best agreement first. `side` holds the branch of every row whose primary value
// is known.
inline std::vector<Surrogate> find_surrogates(std::span<const Column> columns, std::int32_t primary,
                                              std::span<const std::int32_t> side,
                                              std::span<const Piece> pieces, const Settings& settings,
                                              CodeOrder& scratch, const std::function<void()>& breathe) {
  const ClassTarget target{side, 2};
  ClassStats all(2);
  for (Piece piece : pieces) target.add(all, piece);
  const auto majority = std::max(all.counts[0], all.counts[1]);
  std::vector<Surrogate> found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (static_cast<std::int32_t>(c) == primary) continue;
    breathe();
    const auto measured = measure(target, pieces, columns[c], scratch);
    Surrogate best;
    std::int64_t agreeing = 0;
    if (columns[c].form == SplitForm::cut)
      surrogates::best_cut(columns[c], measured, best, agreeing);
    else
      surrogates::best_levels(measured, best, agreeing);
    if (best.split.kind == SplitKind::none) continue;
    // Gaps of the surrogate count against it, or (CART's book) only rows where both are known are looked at.
    auto base = all.weight, bigger = majority;
    if (!settings.count_gaps_against_surrogates) {
      base = measured.known.weight;
      bigger = std::max(measured.known.counts[0], measured.known.counts[1]);
    }
    if (agreeing <= bigger) continue;
    best.split.column = static_cast<std::int32_t>(c);
    best.agreement = static_cast<double>(agreeing) / static_cast<double>(base);
    best.adjusted = static_cast<double>(agreeing - bigger) / static_cast<double>(base - bigger);
    found.push_back(best);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Surrogate& a, const Surrogate& b) {
    if (a.agreement != b.agreement) return a.agreement > b.agreement;
    return columns[static_cast<std::size_t>(a.split.column)].rank <
           columns[static_cast<std::size_t>(b.split.column)].rank;
  });
  if (found.size() > static_cast<std::size_t>(settings.max_surrogates))
    found.resize(static_cast<std::size_t>(settings.max_surrogates));
  return found;
}

}  // namespace treewright
