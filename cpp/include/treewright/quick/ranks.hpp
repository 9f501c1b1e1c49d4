// The table as ranks: the place of each value among the distinct values of its column. Where columns are
// drawn, these are compared instead of the numbers. Twice: column after column, for nodes of many rows, and
// row after row, for rows from all over the table. Where cuts are drawn between values, a column of numbers
// that float32 holds is kept as their keys, unsigned numbers of the same order: a value is read off its key,
// and the column need not be sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../column.hpp"
#include "../parallel.hpp"
#include "../rank.hpp"
#include "../roomy.hpp"
#include "packed_rows.hpp"

namespace treewright {

// Ranks in memory, column after column.
struct RankColumns {
  const std::uint32_t* first = nullptr;
  std::size_t n_rows = 0;
  const std::uint32_t* column(std::size_t c) const { return first + c * n_rows; }
};

class RankedTable {
 public:
  static constexpr std::uint32_t gap = std::numeric_limits<std::uint32_t>::max();  // a value is missing

  // Columns that are cut, and categories by their codes. If cuts are drawn between values, these are kept, or
  // keys instead of ranks; such columns have no gaps.
  RankedTable(std::span<const Column> columns, std::size_t n_rows, bool keeps_values, std::size_t n_threads,
              const std::function<void()>& breathe)
      : n_rows_(n_rows),
        width_(columns.size()),
        by_column_(n_rows * width_),
        is_two_valued_(width_),
        has_gaps_(width_),
        has_keys_(width_),
        greatest_(width_),
        value_(keeps_values ? width_ : 0) {
    struct Own {
      RankRoom room;
      Ranks ranks;
    };
    std::vector<Own> own(std::max<std::size_t>(1, n_threads));
    in_shares(n_threads, width_, breathe, [&](std::size_t c, std::size_t thread) {
      if (columns[c].form != SplitForm::cut) return take_codes(c, columns[c].code);
      if (keeps_values && has_floats(columns[c].number)) {
        has_keys_[c] = 1;
        for (std::size_t r = 0; r < n_rows; ++r)
          by_column_[c * n_rows + r] = ordered_bits(static_cast<float>(columns[c].number[r]));
        return;
      }
      Ranks& ranks = own[thread].ranks;
      rank(columns[c].number, false, own[thread].room, ranks);
      std::copy(ranks.code.begin(), ranks.code.end(), by_column_.data() + c * n_rows);
      has_gaps_[c] = std::find(ranks.code.begin(), ranks.code.end(), missing_code) != ranks.code.end();
      is_two_valued_[c] = ranks.value.size() == 2 && has_gaps_[c] == 0;
      greatest_[c] = has_gaps(c) ? gap : static_cast<std::uint32_t>(ranks.value.size()) - 1;
      if (keeps_values) value_[c] = std::move(ranks.value);
    });
    by_row_.set_size(n_rows, greatest_, !keeps_values);
    constexpr std::size_t block = PackedRows::block;
    in_shares(n_threads, (n_rows + block - 1) / block, breathe, [&](std::size_t b, std::size_t) {
      by_row_.fill(b * block, std::min(n_rows, (b + 1) * block),
                   [&](std::size_t c) { return by_column_.data() + c * n_rows_; });
    });
  }
  std::size_t width() const { return width_; }
  RankColumns by_column() const { return {by_column_.data(), n_rows_}; }
  const PackedRows& by_row() const { return by_row_; }
  // The keys of a row side by side, where cuts are drawn between values.
  const std::uint32_t* row(std::uint32_t r) const {
    return reinterpret_cast<const std::uint32_t*>(by_row_.row(r));
  }
  // Has the column just two values, of ranks 0 and 1, and no gaps?
  bool is_two_valued(std::size_t c) const { return is_two_valued_[c] != 0; }
  bool has_gaps(std::size_t c) const { return has_gaps_[c] != 0; }
  // The distinct values of a column, ascending, where they are kept; none if it has keys.
  std::span<const double> values(std::size_t c) const { return value_[c]; }
  bool has_keys(std::size_t c) const { return has_keys_[c] != 0; }
  // The value of a rank or key, where cuts are drawn.
  double value(std::size_t c, std::uint32_t rank) const {
    return has_keys(c) ? number_of(rank) : value_[c][rank];
  }
  // Ask for a row that will be read soon.
  void fetch_row(std::uint32_t r) const { by_row_.fetch_row(r); }

 private:
  static bool has_floats(const Numbers& numbers) {
    if (numbers.type == Numbers::Type::float32) return true;
    for (std::size_t r = 0; r < numbers.size; ++r)
      if (const double x = numbers[r]; static_cast<double>(static_cast<float>(x)) != x) return false;
    return true;
  }

  void take_codes(std::size_t c, std::span<const std::int32_t> code) {
    std::copy(code.begin(), code.end(), by_column_.data() + c * n_rows_);
    has_gaps_[c] = std::find(code.begin(), code.end(), missing_code) != code.end();
    greatest_[c] = std::numeric_limits<std::int32_t>::max();
    if (has_gaps(c)) greatest_[c] = gap;
  }

  std::size_t n_rows_, width_;
  Roomy<std::uint32_t> by_column_;
  PackedRows by_row_;
  std::vector<std::uint8_t> is_two_valued_, has_gaps_, has_keys_;
  std::vector<std::uint32_t> greatest_;  // rank of each column, at most
  std::vector<std::vector<double>> value_;
};

// The greatest rank whose value is not above a cut. Where rows are few, those of their own values: each is
// a cache miss, but none waits for another, as the steps of a binary search do.
inline std::uint32_t last_not_above(std::span<const double> values, std::uint32_t least, std::uint32_t most,
                                    double cut, std::span<const std::uint32_t> ranks) {
  if (ranks.size() > 64) {
    const auto above = std::upper_bound(values.begin() + least, values.begin() + most, cut);
    return static_cast<std::uint32_t>(above - values.begin()) - 1;
  }
  std::uint32_t last = least;
  for (std::uint32_t rank : ranks) last = values[rank] <= cut ? std::max(last, rank) : last;
  return last;
}

}  // namespace treewright
