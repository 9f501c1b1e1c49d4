// Surrogate splits (Breiman et al. 1984, 5.3): other columns' tests that best reproduce a chosen two-way
// split, asked in turn when the chosen column has a gap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "groups.hpp"
#include "parallel.hpp"
#include "search/counted.hpp"
#include "search/orders.hpp"
#include "settings.hpp"
#include "split.hpp"

namespace treewright {

struct Surrogate {
  Split split;
  bool flip = false;  // the low side of the cut goes to branch 1
  double agreement = 0, adjusted = 0;
};

// The branch that the first surrogate with an answer says: answer(its test) is one, or negative.
template <class Answer>
std::int32_t first_answer(std::span<const Surrogate> surrogates, const Answer& answer) {
  for (const Surrogate& surrogate : surrogates) {
    const std::int32_t branch = answer(surrogate.split);
    if (branch >= 0) return surrogate.flip ? 1 - branch : branch;
  }
  return -1;
}

namespace surrogates {

// Each side of a surrogate holds at least two rows.
constexpr std::int64_t min_rows = 2;

// The best test of one column, from its values in order: of each the weight on both sides of the primary
// split, and the rows. `all` is the sum of what will be added.
class Candidate {
 public:
  Candidate(const Column& column, const ClassStats& all) : column_(column), all_(all) {}

  TREEWRIGHT_INLINE void add(std::int32_t code, std::int64_t left, std::int64_t right, std::int64_t rows) {
    if (column_.form == SplitForm::cut)
      add_value(code, left, right, rows);
    else
      add_level(code, left, right, rows);
  }

  // Does a cut agree more than the best so far? Its left side holds so much more of the left than of the
  // right.
  TREEWRIGHT_INLINE bool may_cut(std::int64_t more_left) const {
    const std::int64_t straight = more_left + all_.counts[1];
    return std::max(straight, all_.weight - straight) > agreeing_;
  }
  // Then it is the best, if both sides have rows enough. Is it?
  bool cut(std::int32_t code, std::int64_t more_left, std::int64_t rows) {
    if (rows < min_rows || all_.rows - rows < min_rows) return false;
    const std::int64_t straight = more_left + all_.counts[1], flipped = all_.weight - straight;
    flip_ = flipped > std::max(straight, agreeing_);
    agreeing_ = std::max(straight, flipped);
    split_.kind = SplitKind::cut;
    split_.n_branches = 2;
    split_.cut_code = code;
    return true;
  }
  // The value above the cut that was last found.
  void set_next(std::int32_t code) { high_ = code; }

  // Without a test where it does not help. `judged` is what agreement is a share of. `lacking` are rows of
  // the node that were not added, for want of a primary value: their values are neighbours of a cut, too.
  Surrogate best(std::int32_t index, const ClassStats& judged, std::span<const Piece> lacking) const {
    Surrogate found{split_, flip_, 0, 0};
    if (column_.form != SplitForm::cut && (rows_[0] < min_rows || rows_[1] < min_rows)) return {};
    const auto base = judged.weight, bigger = std::max(judged.counts[0], judged.counts[1]);
    if (found.split.kind == SplitKind::none || agreeing_ <= bigger) return {};
    if (found.split.kind == SplitKind::cut) place_cut(found.split, lacking);
    found.split.column = index;
    found.agreement = static_cast<double>(agreeing_) / static_cast<double>(base);
    found.adjusted = static_cast<double>(agreeing_ - bigger) / static_cast<double>(base - bigger);
    return found;
  }

 private:
  // Of equal cuts the first: right after a row that was added.
  void add_value(std::int32_t code, std::int64_t left, std::int64_t right, std::int64_t rows) {
    if (is_last_) high_ = code;
    is_last_ = false;
    more_left_ += left - right;
    rows_[0] += rows;
    is_last_ = may_cut(more_left_) && cut(code, more_left_, rows_[0]);
  }
  // Every level goes where most of its rows went.
  void add_level(std::int32_t code, std::int64_t left, std::int64_t right, std::int64_t rows) {
    const std::int32_t side = right > left ? 1 : 0;
    agreeing_ += std::max(left, right);
    rows_[side] += rows;
    split_.kind = SplitKind::values;
    split_.n_branches = 2;
    split_.code.push_back(code);
    split_.branch.push_back(side);
  }
  // Half-way to the next value of any row of the node.
  void place_cut(Split& split, std::span<const Piece> lacking) const {
    const std::int32_t low = split.cut_code;
    std::int32_t high = high_;
    for (Piece piece : lacking) {
      const std::int32_t code = column_.code[static_cast<std::size_t>(piece.row)];
      if (code > low && code < high) high = code;
    }
    split.cut =
        midpoint(column_.value[static_cast<std::size_t>(low)], column_.value[static_cast<std::size_t>(high)]);
  }

  const Column& column_;
  const ClassStats& all_;
  Split split_;
  bool flip_ = false, is_last_ = false;
  std::int32_t high_ = 0;
  std::int64_t agreeing_ = 0, more_left_ = 0, rows_[2] = {0, 0};
};

// Best agreement first, no more than are kept.
inline void rank(std::vector<Surrogate>& found, std::span<const Column> columns, const Settings& settings) {
  std::stable_sort(found.begin(), found.end(), [&](const Surrogate& a, const Surrogate& b) {
    if (a.agreement != b.agreement) return a.agreement > b.agreement;
    return columns[static_cast<std::size_t>(a.split.column)].rank <
           columns[static_cast<std::size_t>(b.split.column)].rank;
  });
  if (found.size() > static_cast<std::size_t>(settings.max_surrogates))
    found.resize(static_cast<std::size_t>(settings.max_surrogates));
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

  // The surrogates of a split on the rows of its node, best agreement first. Where the node has its rows in
  // the order of the cut columns, nothing is sorted.
  std::vector<Surrogate> find(const Split& primary, std::span<const Piece> pieces,
                              const OrderedRows* ordered = nullptr) {
    place(primary, pieces);
    const ClassTarget target{side_, 2};
    ClassStats all(2);
    for (Piece piece : known_) target.add(all, piece);
    std::vector<Surrogate> candidates(columns_.size());
    const bool is_alone = pieces.size() * columns_.size() < 50000;
    in_shares(is_alone ? 1 : scratch_.size(), columns_.size(), breathe_, [&](std::size_t c, std::size_t t) {
      // A monotone column stands in for no other: rows that differ in it must part at its own tests only.
      if (static_cast<std::int32_t>(c) == primary.column || columns_[c].direction != 0) return;
      candidates[c] = ordered != nullptr && columns_[c].form == SplitForm::cut
                          ? best_in_order(c, *ordered, all)
                          : best_of(c, target, all, scratch_[t]);
    });
    std::erase_if(candidates, [](const Surrogate& s) { return s.split.kind == SplitKind::none; });
    surrogates::rank(candidates, columns_, settings_);
    return candidates;
  }

 private:
  // The side of every row whose primary value is known, and the rows whose is not.
  void place(const Split& primary, std::span<const Piece> pieces) {
    side_.resize(n_rows_);
    sign_.resize(n_rows_);
    known_.clear();
    lacking_.clear();
    const Column& column = columns_[static_cast<std::size_t>(primary.column)];
    for (Piece piece : pieces) {
      const std::int32_t branch = primary.branch_of(column.code[static_cast<std::size_t>(piece.row)]);
      (branch < 0 ? lacking_ : known_).push_back(piece);
      side_[static_cast<std::size_t>(piece.row)] = branch;
      sign_[static_cast<std::size_t>(piece.row)] = branch < 0 ? 0 : branch == 0 ? 1 : -1;
    }
  }

  Surrogate best_of(std::size_t c, const ClassTarget& target, const ClassStats& all,
                    CountRoom& scratch) const {
    const auto measured = treewright::measured(target, known_, columns_[c], all, scratch);
    surrogates::Candidate candidate(columns_[c], measured.known);
    ClassStats group(2);
    for (std::size_t g = 0; g < measured.groups.size(); ++g) {
      group.clear();
      measured.groups.add_to(group, g);
      candidate.add(measured.groups.code[g], group.counts[0], group.counts[1], group.rows);
    }
    // Gaps of the surrogate count against it, or (CART's book) only rows where both are known are looked at.
    const ClassStats& judged = settings_.count_gaps_against_surrogates ? all : measured.known;
    return candidate.best(static_cast<std::int32_t>(c), judged, lacking_);
  }

  // The same from the order of the column. Rows without a side count nothing, so that the agreement stays as
  // it is behind them and no cut is found there.
  Surrogate best_in_order(std::size_t c, const OrderedRows& ordered, const ClassStats& all) const {
    const auto keys = ordered.orders.of(c);
    return ordered.weight.of_row == nullptr
               ? best_along(c, keys, ordered.layout, all, [&](std::size_t) { return ordered.weight.each; })
               : best_along(c, keys, ordered.layout, all,
                            [&](std::size_t row) { return ordered.weight.of_row[row]; });
  }
  template <class Weight>
  Surrogate best_along(std::size_t c, std::span<const std::uint64_t> keys, const KeyLayout& layout,
                       const ClassStats& all, Weight weight) const {
    ClassStats known(2);
    std::int64_t more_left = 0;  // left less right
    for (std::uint64_t key : keys) {
      const std::size_t row = layout.row(key);
      more_left += sign_[row] * weight(row);
      known.weight += std::abs(sign_[row]) * weight(row);
      known.rows += std::abs(sign_[row]);
    }
    known.counts[1] = (known.weight - more_left) / 2;
    known.counts[0] = known.weight - known.counts[1];
    surrogates::Candidate candidate(columns_[c], known);
    std::int64_t rows = 0;
    more_left = 0;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      const std::size_t row = layout.row(keys[i]);
      more_left += sign_[row] * weight(row);
      rows += std::abs(sign_[row]);
      if (!candidate.may_cut(more_left) || layout.place(keys[i]) == layout.place(keys[i + 1])) continue;
      if (candidate.cut(static_cast<std::int32_t>(layout.rank(keys[i])), more_left, rows))
        candidate.set_next(next_code(keys.subspan(i + 1), layout));
    }
    const ClassStats& judged = settings_.count_gaps_against_surrogates ? all : known;
    return candidate.best(static_cast<std::int32_t>(c), judged, lacking_);
  }
  // The value of the next row that has a side.
  std::int32_t next_code(std::span<const std::uint64_t> keys, const KeyLayout& layout) const {
    for (std::uint64_t key : keys)
      if (sign_[layout.row(key)] != 0) return static_cast<std::int32_t>(layout.rank(key));
    return 0;
  }

  std::span<const Column> columns_;
  const Settings& settings_;
  std::function<void()> breathe_;
  std::vector<CountRoom> scratch_;  // one a thread
  std::size_t n_rows_;
  std::vector<std::int32_t> side_;
  std::vector<std::int8_t> sign_;  // by row: 1 on the left, -1 on the right, 0 without a side
  std::vector<Piece> known_, lacking_;
};

}  // namespace treewright
