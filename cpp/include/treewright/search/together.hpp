// The multiway columns of a node, counted all at once: the record of a row is read once for all of them, and
// a column costs as much as the node has rows, however many categories it has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../column.hpp"
#include "../stats.hpp"
#include "near.hpp"

namespace treewright {

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
    }
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

  // Count the rows of a node in these columns. False, and nothing is counted, where rows differ in weight.
  bool count(std::span<const Piece> pieces, std::span<const std::size_t> columns) {
    constexpr std::size_t ahead = 12;
    if (pieces.empty()) return false;
    each_ = pieces.front().weight;
    for (std::size_t i = 0; !is_even_ && i < pieces.size(); ++i)
      if (pieces[i].weight != each_) return false;
    places_.clear();
    for (std::size_t c : columns) places_.push_back(static_cast<std::uint32_t>(lane_of_[c].place));
    pieces_ = pieces;
    const std::size_t width = records_.width();
    const std::int16_t* const records = records_.data();
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i + ahead < pieces.size()) fetch(records + static_cast<std::size_t>(pieces[i + ahead].row) * width);
      const std::int16_t* const record = records + static_cast<std::size_t>(pieces[i].row) * width;
      std::uint32_t* const of_class = cells_.data() + record[width - 1];
      for (std::uint32_t place : places_) ++of_class[record[place]];
    }
    return true;
  }

  // Of these columns the first in rank that parts two rows. None where the rows differ in weight, or one of
  // them lacks a value.
  std::optional<std::size_t> first_that_parts(std::span<const Piece> rows, std::span<const std::size_t> among,
                                              std::span<const Column> columns) {
    if (rows[0].weight != rows[1].weight) return std::nullopt;
    const std::int16_t* const records = records_.data();
    const std::int16_t* const a = records + static_cast<std::size_t>(rows[0].row) * records_.width();
    const std::int16_t* const b = records + static_cast<std::size_t>(rows[1].row) * records_.width();
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
      if (lane_.n_places > table_.pieces_.size())
        table_.by_rows(lane_, branch, visit, visit_one);
      else
        table_.by_codes(lane_, branch, [&](std::int32_t) { visit(); }, visit_one);
    }
    // The same with the codes, ascending.
    template <class Visit>
    void for_each_code(ClassStats& branch, Visit visit) const {
      table_.by_codes(lane_, branch, visit, nullptr);
    }
    // Where a code has its cells among those of the column, and how many these are.
    std::size_t cell(std::int32_t code) const {
      return static_cast<std::size_t>(code + 1) * table_.n_classes_;
    }
    std::size_t n_cells() const { return lane_.n_places * table_.n_classes_; }
    // Each piece and the cell of its code, in their order.
    template <class Visit>
    void for_each_piece(Visit visit) const {
      const std::size_t width = table_.records_.width();
      const std::int16_t* const records = table_.records_.data() + lane_.place;
      for (Piece piece : table_.pieces_)
        visit(piece,
              static_cast<std::size_t>(records[static_cast<std::size_t>(piece.row) * width]) - lane_.first);
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

  // Few rows: the cells that they are in, each as it comes first.
  template <class Visit, class VisitOne>
  void by_rows(const Lane& lane, ClassStats& branch, Visit visit, VisitOne visit_one) {
    const std::size_t width = records_.width();
    const std::int16_t* const records = records_.data() + lane.place;
    for (Piece piece : pieces_)
      take(static_cast<std::size_t>(records[static_cast<std::size_t>(piece.row) * width]), branch, visit,
           visit_one);
  }
  template <class Visit, class VisitOne>
  void by_codes(const Lane& lane, ClassStats& branch, Visit visit, VisitOne visit_one) {
    for (std::size_t place = 0; place < lane.n_places; ++place)
      take(
          lane.first + place * n_classes_, branch, [&] { visit(static_cast<std::int32_t>(place) - 1); },
          visit_one);
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
  bool is_small_ = false;
  std::vector<std::uint32_t> cells_;   // all zero between nodes
  std::vector<std::uint32_t> places_;  // in records, of the columns of the node at hand, and its rows
  std::span<const Piece> pieces_;
  std::int64_t each_ = 1;
};

}  // namespace treewright
