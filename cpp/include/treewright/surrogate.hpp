// Surrogate splits (Breiman et al. 1984, 5.3): other columns' tests that best reproduce a chosen two-way
// split, asked in turn when the chosen column has a gap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "groups.hpp"
#include "parallel.hpp"
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

// Of equal cuts the first: right after a row whose primary value is known.
inline void best_cut(const Measured<ClassStats>& m, Surrogate& best, std::int64_t& agreeing) {
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
      best.split.cut_code = m.groups.code[g];
    }
  }
}

// The cut lies half-way to the next value of any row of the node, also of those that need the surrogate.
inline void place_cut(const Column& column, std::span<const Piece> pieces, Split& split) {
  const std::int32_t low = split.cut_code;
  std::int32_t high = column.n_codes;
  for (Piece piece : pieces) {
    const std::int32_t code = column.code[static_cast<std::size_t>(piece.row)];
    if (code > low && code < high) high = code;
  }
  split.cut = midpoint(column.value[static_cast<std::size_t>(low)], column.value[static_cast<std::size_t>(high)]);
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

// Finds the surrogates of splits of one table, whose cut columns have their codes.
class SurrogateSearch {
 public:
  SurrogateSearch(std::span<const Column> columns, std::size_t n_rows, const Settings& settings,
                  std::function<void()> breathe)
      : columns_(columns),
        settings_(settings),
        breathe_(std::move(breathe)),
        scratch_(std::clamp<std::size_t>(static_cast<std::size_t>(settings.n_threads), 1,
                                         std::max<std::size_t>(1, columns.size()))),
        n_rows_(n_rows) {}

  // The surrogates of a split on the rows of its node, best agreement first.
  std::vector<Surrogate> find(const Split& primary, std::span<const Piece> pieces) {
    const std::vector<Piece> known = place(primary, pieces);
    const ClassTarget target{side_, 2};
    ClassStats all(2);
    for (Piece piece : known) target.add(all, piece);
    std::vector<Surrogate> candidates(columns_.size());
    const bool is_alone = pieces.size() * columns_.size() < 50000;
    in_shares(is_alone ? 1 : scratch_.size(), columns_.size(), breathe_, [&](std::size_t c, std::size_t t) {
      if (static_cast<std::int32_t>(c) != primary.column)
        candidates[c] = best_of(c, target, known, pieces, all, scratch_[t]);
    });
    return ranked(std::move(candidates));
  }

 private:
  // The side of every row whose primary value is known; return those rows.
  std::vector<Piece> place(const Split& primary, std::span<const Piece> pieces) {
    side_.resize(n_rows_);
    std::vector<Piece> known;
    const Column& column = columns_[static_cast<std::size_t>(primary.column)];
    for (Piece piece : pieces) {
      const std::int32_t branch = primary.branch_of(column.code[static_cast<std::size_t>(piece.row)]);
      if (branch < 0) continue;
      side_[static_cast<std::size_t>(piece.row)] = branch;
      known.push_back(piece);
    }
    return known;
  }

  // What one column offers; without a test where it does not help.
  Surrogate best_of(std::size_t c, const ClassTarget& target, std::span<const Piece> known,
                    std::span<const Piece> pieces, const ClassStats& all, CodeOrder& scratch) const {
    const Column& column = columns_[c];
    const auto measured = measure(target, known, column, scratch);
    Surrogate best;
    std::int64_t agreeing = 0;
    if (column.form == SplitForm::cut)
      surrogates::best_cut(measured, best, agreeing);
    else
      surrogates::best_levels(measured, best, agreeing);
    // Gaps of the surrogate count against it, or (CART's book) only rows where both are known are looked at.
    const ClassStats& judged = settings_.count_gaps_against_surrogates ? all : measured.known;
    const auto base = judged.weight, bigger = std::max(judged.counts[0], judged.counts[1]);
    if (best.split.kind == SplitKind::none || agreeing <= bigger) return {};
    if (best.split.kind == SplitKind::cut) surrogates::place_cut(column, pieces, best.split);
    best.split.column = static_cast<std::int32_t>(c);
    best.agreement = static_cast<double>(agreeing) / static_cast<double>(base);
    best.adjusted = static_cast<double>(agreeing - bigger) / static_cast<double>(base - bigger);
    return best;
  }

  std::vector<Surrogate> ranked(std::vector<Surrogate>&& candidates) const {
    std::vector<Surrogate> found;
    for (Surrogate& candidate : candidates)
      if (candidate.split.kind != SplitKind::none) found.push_back(std::move(candidate));
    std::stable_sort(found.begin(), found.end(), [&](const Surrogate& a, const Surrogate& b) {
      if (a.agreement != b.agreement) return a.agreement > b.agreement;
      return columns_[static_cast<std::size_t>(a.split.column)].rank <
             columns_[static_cast<std::size_t>(b.split.column)].rank;
    });
    if (found.size() > static_cast<std::size_t>(settings_.max_surrogates))
      found.resize(static_cast<std::size_t>(settings_.max_surrogates));
    return found;
  }

  std::span<const Column> columns_;
  const Settings& settings_;
  std::function<void()> breathe_;
  std::vector<CodeOrder> scratch_;  // one a thread
  std::size_t n_rows_;
  std::vector<std::int32_t> side_;
};

}  // namespace treewright
