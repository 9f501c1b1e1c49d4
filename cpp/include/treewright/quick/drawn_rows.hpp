// The rows that drawn columns are looked at for: all of the table, or some that were brought together so that
// they lie side by side in the cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../divide.hpp"
#include "ranks.hpp"

namespace treewright {

// `Mark` is what a row is beside its ranks: class and weight, or target and weight.
template <class Mark>
class DrawnRows {
 public:
  DrawnRows(const RankedTable& table, std::span<const Mark> marks) : table_(table), all_marks_(marks) {}

  // All rows of the table: they are named by their numbers.
  void take_table() {
    rows_ = {};
    ranks_ = table_.by_column();
    marks_ = all_marks_;
  }
  // These rows: they are named by their places here.
  void take_rows(std::span<const std::uint32_t> rows) {
    rows_ = rows;
    const std::size_t n = rows.size();
    local_.resize(n * table_.width());
    own_marks_.resize(n);
    for (std::size_t first = 0; first < n; first += tile) turn(first, std::min(tile, n - first));
    for (std::size_t i = 0; i < n; ++i) own_marks_[i] = all_marks_[rows[i]];
    ranks_ = {local_.data(), n};
    marks_ = own_marks_;
  }

  const std::uint32_t* column(std::size_t c) const { return ranks_.column(c); }
  std::span<const Mark> marks() const { return marks_; }
  // The number of a row in the table.
  std::uint32_t row_of(std::uint32_t id) const { return rows_.empty() ? id : rows_[id]; }

 private:
  static constexpr std::size_t tile = 16;  // ranks in a line of cache

  // Some rows from rows to columns: lines are written whole, and the next rows are fetched meanwhile.
  void turn(std::size_t first, std::size_t n_rows) {
    const std::size_t n = rows_.size();
    const std::byte* row[tile];
    for (std::size_t i = 0; i < n_rows; ++i) row[i] = table_.by_row().row(rows_[first + i]);
    for (std::size_t i = first + n_rows; i < std::min(n, first + n_rows + tile); ++i)
      table_.fetch_row(rows_[i]);
    for (std::size_t c = 0; c < table_.width(); ++c) {
      std::uint32_t* place = local_.data() + c * n + first;
      const PackedField field = table_.by_row().field(c);
      for (std::size_t i = 0; i < n_rows; ++i) place[i] = field.of(row[i]);
    }
  }

  const RankedTable& table_;
  std::span<const Mark> all_marks_;  // by row of the table
  RankColumns ranks_;
  std::span<const std::uint32_t> rows_;  // that were brought together; none: all of the table
  std::vector<std::uint32_t> local_;     // their ranks, column after column
  std::span<const Mark> marks_;
  std::vector<Mark> own_marks_;
};

// Ranks of which some are gaps: on the right with these behind all others, and on the left with them at the
// least rank. Returns the greatest.
inline std::uint32_t place_gaps_at_ends(std::uint32_t* right, std::uint32_t* left, std::size_t n,
                                        std::uint32_t least) {
  std::uint32_t most = least;
  for (std::size_t i = 0; i < n; ++i) most = right[i] == RankedTable::gap ? most : std::max(most, right[i]);
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_gap = right[i] == RankedTable::gap;
    left[i] = is_gap ? least : right[i];
    right[i] = is_gap ? most + 1 : right[i];
  }
  return most;
}

// The rows next to a cut, on its left and on its right.
struct Neighbours {
  std::uint32_t below = 0, above = 0;
};

// Divide rows by their ranks: those up to `last_left` first, each part in its old order. Returns those next
// to the cut.
inline Neighbours divide_by_rank(std::span<const std::uint32_t> rank, std::uint32_t last_left,
                                 std::span<std::uint32_t> ids, std::vector<std::uint32_t>& spare,
                                 std::size_t& n_left) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  spare.resize(ids.size());
  std::uint64_t below = 0, above = none;
  const std::uint32_t* next = rank.data();
  n_left = divide_in_two(ids, spare.data(), [&](std::uint32_t id) {
    const std::uint32_t own = *next++;
    const bool is_right = own > last_left;
    const std::uint64_t ranked = std::uint64_t{own} << 32 | id;
    below = std::max(below, is_right ? 0 : ranked);
    above = std::min(above, is_right ? ranked : none);
    return is_right;
  });
  return {static_cast<std::uint32_t>(below), static_cast<std::uint32_t>(above)};
}

}  // namespace treewright
