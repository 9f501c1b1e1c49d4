// The multiway columns of a node, counted all at once: the record of a row is read once for all of them, and
// a column costs as much as the node has rows, however many categories it has.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../column.hpp"
#include "../stats.hpp"
#include "near.hpp"

namespace treewright {

// Rows of a node and their records, one behind the other; where there are none, they are looked up.
struct NodeRows {
  std::span<const Piece> pieces;
  std::span<const std::int16_t> records;
};

// cells   [ gaps a0 a1 | gaps b0 b1 b2 | ... ]     of each column the rows by code and class, gaps first
//
// Rows are counted, so they must weigh the same. What is counted is read once and cleared by that.
class TogetherCounts {
  struct Lane {
    std::size_t place = 0, first = 0, n_places = 0;  // in a record; of the cells; codes and gaps
  };

 public:
  // `is_even`: all rows are whole and weigh the same, in every node.
  TogetherCounts(std::span<const Column> columns, const ClassTarget& target, bool is_even)
      : n_classes_(target.n_classes), is_even_(is_even), records_(columns, target), lane_of_(columns.size()) {
    std::size_t n_cells = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!has(c)) continue;
      const auto n_places = static_cast<std::size_t>(columns[c].n_codes) + 1;
      lane_of_[c] = {static_cast<std::size_t>(records_.lane(c)), n_cells, n_places};
      n_cells += n_places * n_classes_;
      columns_.push_back(c);
    }
    std::ranges::stable_sort(columns_, std::greater(), [&](std::size_t c) { return lane_of_[c].n_places; });
    is_small_ = records_.is_worth_it() && n_cells < most_cells;
    if (!is_small_) return;
    cells_.resize(n_cells);
    for (const Lane& lane : lane_of_)
      if (lane.n_places > 0)
        records_.set_places(lane.place,
                            {static_cast<std::int32_t>(lane.first), static_cast<std::int32_t>(n_classes_)});
  }

  // Do all cells fit into the nearest caches?
  bool is_small() const { return is_small_; }
  bool has(std::size_t column) const { return records_.lane(column) >= 0; }
  // Those with most categories first: they are likely to cost least.
  std::span<const std::size_t> columns() const { return columns_; }
  const CodeRecords& records() const { return records_; }

  // Count the rows of a node in these columns. False, and nothing is counted, where rows differ in weight.
  bool count(const NodeRows& rows, std::span<const std::size_t> columns) {
    if (rows.pieces.empty()) return false;
    each_ = rows.pieces.front().weight;
    for (std::size_t i = 0; !is_even_ && i < rows.pieces.size(); ++i)
      if (rows.pieces[i].weight != each_) return false;
    set_rows(rows);
    for (std::size_t first = 0; first < n_rows(); first += some_rows)
      for (std::size_t c = 0; c < columns.size(); c += most_at_once)
        count_some(first, columns.subspan(c, std::min(most_at_once, columns.size() - c)), c == 0);
    return true;
  }

  // Of these columns the first in rank that parts two rows. None where the rows differ in weight, or one of
  // them lacks a value.
  std::optional<std::size_t> first_that_parts(const NodeRows& rows, std::span<const std::size_t> among,
                                              std::span<const Column> columns) {
    if (rows.pieces[0].weight != rows.pieces[1].weight) return std::nullopt;
    set_rows(rows);
    const std::int16_t *const a = record(0), *const b = record(1);
    std::optional<std::size_t> first;
    for (std::size_t c : among) {
      const Lane& lane = lane_of_[c];
      const auto gap = static_cast<std::int16_t>(lane.first);
      if (a[lane.place] == gap || b[lane.place] == gap) return std::nullopt;
      if (a[lane.place] == b[lane.place]) continue;
      if (!first || columns[c].rank < columns[*first].rank) first = c;
    }
    return first;
  }

  // The counts of a column.
  class Counts {
   public:
    Counts(TogetherCounts& table, std::size_t column) : table_(table), lane_(table.lane_of_[column]) {}

    bool has_gaps() const {
      const std::uint32_t* gaps = table_.cells_.data() + lane_.first;
      return std::any_of(gaps, gaps + table_.n_classes_, [](std::uint32_t n) { return n > 0; });
    }
    // Write the rows of each code that has some to `branch` and visit it, in any order; codes of one row may
    // be only told to `visit_one`. They are gone then.
    template <class Visit, class VisitOne>
    void for_each_branch(ClassStats& branch, Visit visit, VisitOne visit_one) const {
      if (lane_.n_places > table_.n_rows())
        table_.by_rows(lane_, branch, visit, visit_one);
      else
        table_.by_codes(lane_, branch, [&](std::int32_t) { visit(); }, visit_one);
    }
    // The same with the codes, ascending.
    template <class Visit>
    void for_each_code(ClassStats& branch, Visit visit) const {
      if (lane_.n_places > table_.n_rows())
        table_.by_marks(lane_, branch, visit);
      else
        table_.by_codes(lane_, branch, visit, nullptr);
    }
    // Where a code has its cells among those of the column, and how many these are.
    std::size_t cell(std::int32_t code) const {
      return static_cast<std::size_t>(code + 1) * table_.n_classes_;
    }
    std::size_t n_cells() const { return lane_.n_places * table_.n_classes_; }
    // Each piece, the cell of its code and its record, in their order.
    template <class Visit>
    void for_each_piece(Visit visit) const {
      for (std::size_t i = 0; i < table_.n_rows(); ++i) {
        const std::int16_t* const record = table_.record(i);
        visit(table_.rows_.pieces[i], static_cast<std::size_t>(record[lane_.place]) - lane_.first, record);
      }
    }
    void clear(ClassStats& room) const {
      for_each_branch(room, [] {}, nullptr);
    }

   private:
    TogetherCounts& table_;
    const Lane& lane_;
  };
  Counts of(std::size_t column) { return {*this, column}; }

 private:
  static constexpr std::size_t most_cells = std::size_t{1} << 15;

  void set_rows(const NodeRows& rows) {
    rows_ = rows;
    table_ = records_.data();
    width_ = records_.width();
  }
  std::size_t n_rows() const { return rows_.pieces.size(); }
  const std::int16_t* record(std::size_t i) const {
    if (!rows_.records.empty()) return rows_.records.data() + i * width_;
    return table_ + static_cast<std::size_t>(rows_.pieces[i].row) * width_;
  }

  // So many rows stay in the nearest cache while the columns are counted, a few at once.
  static constexpr std::size_t some_rows = 512, most_at_once = 8, ahead = 12;

  void count_some(std::size_t first, std::span<const std::size_t> columns, bool fetches) {
    [&]<std::size_t... N>(std::index_sequence<N...>) {
      ((columns.size() == N + 1 ? count_lanes<N + 1>(first, columns, fetches) : void()), ...);
    }(std::make_index_sequence<most_at_once>());
  }
  // With their number known, the places of columns stay in registers, and no store can be taken for them.
  template <std::size_t n_lanes>
  void count_lanes(std::size_t first, std::span<const std::size_t> columns, bool fetches) {
    std::array<std::size_t, n_lanes> place;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) place[lane] = lane_of_[columns[lane]].place;
    const std::size_t last = std::min(n_rows(), first + some_rows), of_class = records_.class_place();
    const std::size_t stop = fetches ? n_rows() : 0;
    std::uint32_t* const cells = cells_.data();
    for (std::size_t i = first; i < last; ++i) {
      if (i + ahead < stop) fetch(record(i + ahead));
      const std::int16_t* const at = record(i);
      std::uint32_t* const counts = cells + at[of_class];
      for (std::size_t lane = 0; lane < n_lanes; ++lane) ++counts[at[place[lane]]];
    }
  }

  // Few rows: the cells that they are in, each as it comes first.
  template <class Visit, class VisitOne>
  void by_rows(const Lane& lane, ClassStats& branch, Visit visit, VisitOne visit_one) {
    for (std::size_t i = 0; i < n_rows(); ++i)
      take(static_cast<std::size_t>(record(i)[lane.place]), branch, visit, visit_one);
  }
  template <class Visit, class VisitOne>
  void by_codes(const Lane& lane, ClassStats& branch, Visit visit, VisitOne visit_one) {
    for (std::size_t place = 0; place < lane.n_places; ++place)
      take(
          lane.first + place * n_classes_, branch, [&] { visit(static_cast<std::int32_t>(place) - 1); },
          visit_one);
  }
  // Few rows, codes ascending: their cells are marked, and of the others only the marks are looked at.
  template <class Visit>
  void by_marks(const Lane& lane, ClassStats& branch, Visit visit) {
    constexpr std::size_t word = 64;
    marks_.assign(lane.n_places * n_classes_ / word + 1, 0);
    for (std::size_t i = 0; i < n_rows(); ++i) {
      const std::size_t at = static_cast<std::size_t>(record(i)[lane.place]) - lane.first;
      marks_[at / word] |= std::uint64_t{1} << at % word;
    }
    for (std::size_t w = 0; w < marks_.size(); ++w)
      for (std::uint64_t marks = marks_[w]; marks != 0; marks &= marks - 1) {
        const std::size_t at = w * word + static_cast<std::size_t>(std::countr_zero(marks));
        take(
            lane.first + at, branch, [&] { visit(static_cast<std::int32_t>(at / n_classes_) - 1); }, nullptr);
      }
  }
  template <class Visit, class VisitOne>
  void take(std::size_t first, ClassStats& branch, Visit visit, VisitOne visit_one) {
    std::uint32_t* const counts = cells_.data() + first;
    std::int64_t rows = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) rows += counts[c];
    if (rows == 0) return;
    if constexpr (!std::is_null_pointer_v<VisitOne>)
      if (rows == 1) {
        std::fill_n(counts, n_classes_, 0);
        return visit_one();
      }
    for (std::size_t c = 0; c < n_classes_; ++c) {
      branch.counts[c] = counts[c] * each_;
      counts[c] = 0;
    }
    branch.rows = rows;
    branch.weight = rows * each_;
    visit();
  }

  std::size_t n_classes_;
  bool is_even_;
  CodeRecords records_;        // of places among the cells
  std::vector<Lane> lane_of_;  // by column
  std::vector<std::size_t> columns_;
  bool is_small_ = false;
  std::vector<std::uint32_t> cells_;  // all zero between nodes
  std::vector<std::uint64_t> marks_;  // a bit for each cell of a column
  NodeRows rows_;                     // of the node at hand
  const std::int16_t* table_ = nullptr;
  std::size_t width_ = 0;
  std::int64_t each_ = 1;
};

}  // namespace treewright
