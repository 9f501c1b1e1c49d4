// The categories of a small node, brought together. Its rows lie all over the table, and each code that is
// looked up there is a cache miss: here a row is one record of all its codes, and a node copies the records
// of its rows once, column after column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../roomy.hpp"
#include "../stats.hpp"

namespace treewright {

//   table   [ a0 b0 y0 | a1 b1 y1 | a2 b2 y2 | a3 b3 y3 ]      codes of two columns and the class, row by row
//
// Instead of a code c a record may hold first + step * (c + 1): where the code has its place in a table.
class CodeRecords {
 public:
  struct Places {
    std::int32_t first = -1, step = 1;  // as they are: the code itself
  };
  CodeRecords(std::span<const Column> columns, const ClassTarget& target)
      : label_(target.label), lane_(columns.size(), -1) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].form == SplitForm::multiway && columns[c].n_codes < most_codes) {
        lane_[c] = static_cast<std::int32_t>(codes_.size());
        codes_.push_back(columns[c].code);
      }
    places_.resize(codes_.size() + 1);
    is_worth_it_ = codes_.size() > 1 && target.label.size() >= least_table &&
                   target.n_classes < static_cast<std::size_t>(most_codes);
  }

  bool is_worth_it() const { return is_worth_it_; }
  std::size_t n_lanes() const { return codes_.size(); }
  // Of the class in a record, and of all a record holds: whole words, so that it is copied word by word.
  std::size_t class_place() const { return codes_.size(); }
  std::size_t width() const { return codes_.size() / in_word * in_word + in_word; }
  void copy(const std::int16_t* record, std::int16_t* to) const {
    for (std::size_t first = 0; first < width(); first += in_word)
      std::memcpy(to + first, record + first, in_word * sizeof(std::int16_t));
  }
  // Where a column is in a record; -1 if it is in none.
  std::int32_t lane(std::size_t column) const { return lane_[column]; }
  void set_places(std::size_t lane, Places places) { places_[lane] = places; }
  // The records are written when they are first asked for.
  const std::int16_t* data() {
    if (records_.empty()) write();
    return records_.data();
  }

 private:
  static constexpr std::int32_t most_codes = std::numeric_limits<std::int16_t>::max();
  static constexpr std::size_t least_table = 4096, in_word = 4;

  // Some rows at a time, so that what is written stays at hand until it is complete.
  void write() {
    constexpr std::size_t some = 1024;
    const std::size_t n = label_.size(), width = this->width();
    records_.resize(n * width);
    for (std::size_t first = 0; first < n; first += some) {
      const std::size_t last = std::min(n, first + some);
      for (std::size_t lane = 0; lane <= class_place(); ++lane) {
        const auto codes = lane < codes_.size() ? codes_[lane] : label_;
        const auto [origin, step] = places_[lane];
        std::int16_t* to = records_.data() + first * width + lane;
        for (std::size_t row = first; row < last; ++row, to += width)
          *to = static_cast<std::int16_t>(origin + step * (codes[row] + 1));
      }
    }
  }

  std::span<const std::int32_t> label_;
  std::vector<std::span<const std::int32_t>> codes_;
  std::vector<std::int32_t> lane_;
  std::vector<Places> places_;
  bool is_worth_it_ = false;
  Roomy<std::int16_t> records_;
};

//   node of rows 1 and 3:   a [ a1 a3 ]   b [ b1 b3 ]   y [ y1 y3 ]   its rows are numbered 0 and 1
class NearRows {
 public:
  NearRows(std::span<const Column> columns, const ClassTarget& target)
      : columns_(columns.begin(), columns.end()), target_(target), records_(columns, target) {}

  // The rows of the next node, if they are few of many.
  void gather(std::span<const Piece> pieces) {
    is_gathered_ = records_.is_worth_it() && pieces.size() <= most_rows;
    if (!is_gathered_) return;
    const std::size_t n = pieces.size(), width = records_.width(), last = records_.class_place();
    const std::int16_t* const records = records_.data();
    pieces_.resize(n);
    codes_.resize(n * (last + 1));
    for (std::size_t i = 0; i < n; ++i) {
      pieces_[i] = {static_cast<std::int32_t>(i), pieces[i].weight};
      const std::int16_t* record = records + static_cast<std::size_t>(pieces[i].row) * width;
      for (std::size_t lane = 0; lane <= last; ++lane) codes_[lane * n + i] = record[lane];
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (records_.lane(c) >= 0) columns_[c].code = gathered(static_cast<std::size_t>(records_.lane(c)));
    target_.label = gathered(last);
  }

  bool has(std::size_t column) const { return is_gathered_ && records_.lane(column) >= 0; }
  const Column& column(std::size_t column) const { return columns_[column]; }
  const ClassTarget& target() const { return target_; }
  std::span<const Piece> pieces() const { return pieces_; }

 private:
  static constexpr std::size_t most_rows = 2048;

  std::span<const std::int32_t> gathered(std::size_t lane) const {
    return std::span(codes_).subspan(lane * pieces_.size(), pieces_.size());
  }

  std::vector<Column> columns_;  // as the node at hand sees them
  ClassTarget target_;
  CodeRecords records_;
  bool is_gathered_ = false;
  std::vector<std::int32_t> codes_;
  std::vector<Piece> pieces_;
};

}  // namespace treewright
