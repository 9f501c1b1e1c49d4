// The rows of a node in the order of every cut column. The table is sorted once; a split divides each order
// and keeps it (as SPRINT did: Shafer, Agrawal, Mehta 1996), so that no node sorts again.
//
//   column 0   [ r3 r1 r0 | r2 r4 ]      rows whose value is known; a node owns a stretch of every column,
//   column 1   [ r1 r3 | r4 r2 ]         its children own the parts
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../parallel.hpp"
#include "../rank.hpp"
#include "../stats.hpp"

namespace treewright {

// A row in one column's order, as one word: rank of its value, how many ranks further a value may be parted
// from it, its class, its number.
struct KeyLayout {
  static constexpr int reach_bits = 6;
  static constexpr std::uint64_t far = (std::uint64_t{1} << reach_bits) - 1;  // so many or more: values tell
  int row_bits = 0, label_bits = 0;

  // Nothing if so many rows, classes and values do not fit into one word.
  static std::optional<KeyLayout> of(std::size_t n_rows, std::size_t n_classes, std::size_t n_values) {
    const KeyLayout layout{static_cast<int>(std::bit_width(n_rows)),
                           n_classes < 2 ? 0 : static_cast<int>(std::bit_width(n_classes - 1))};
    const int value_bits = static_cast<int>(std::bit_width(n_values)) + reach_bits;
    if (layout.row_bits + layout.label_bits + value_bits > 64) return std::nullopt;
    return layout;
  }

  std::uint64_t make(std::uint64_t rank, std::uint64_t reach, std::uint64_t label, std::uint64_t row) const {
    return ((rank << reach_bits | reach) << label_bits | label) << row_bits | row;
  }
  // Equal for equal values, and ascending with them.
  TREEWRIGHT_INLINE std::uint64_t place(std::uint64_t key) const { return key >> (label_bits + row_bits); }
  TREEWRIGHT_INLINE std::uint64_t rank(std::uint64_t key) const { return place(key) >> reach_bits; }
  TREEWRIGHT_INLINE std::uint64_t reach(std::uint64_t key) const { return place(key) & far; }
  TREEWRIGHT_INLINE std::size_t label(std::uint64_t key) const {
    return static_cast<std::size_t>(key >> row_bits & ((std::uint64_t{1} << label_bits) - 1));
  }
  TREEWRIGHT_INLINE std::size_t row(std::uint64_t key) const {
    return static_cast<std::size_t>(key & ((std::uint64_t{1} << row_bits) - 1));
  }
};

// The most values that a cut column has.
inline std::size_t most_values(std::span<const Column> columns) {
  std::size_t most = 0;
  for (const Column& column : columns)
    if (column.form == SplitForm::cut) most = std::max(most, static_cast<std::size_t>(column.n_codes));
  return most;
}

// The inner loops along an order, built for plain and for wide instructions (quick/dispatch.hpp).
// After how many of the first n - 1 keys a cut may lie, if no reach is `far`.
std::size_t count_cuts(std::span<const std::uint64_t> keys, KeyLayout layout);
// Keys of rows whose bit is 0 first, each part in its old order; returns how many those are. `spare` has room
// for one key more than there are.
std::size_t part_keys(std::span<std::uint64_t> keys, KeyLayout layout, const std::uint64_t* is_right,
                      std::uint64_t* spare);
// How many ranks further C4.5 may part a value from each of these, which are ascending; at most `far`.
std::vector<std::uint8_t> reaches_of(std::span<const double> values);

// The keys of a node by column; columns that are not cut have none. Nodes that come from whole rows share the
// buffers of the root: each owns a stretch of every column.
class Orders {
 public:
  bool is_empty() const { return keys_ == nullptr; }
  std::span<std::uint64_t> of(std::size_t column) const { return at_[column]; }
  void clear() {
    keys_.reset();
    at_.clear();
  }

 private:
  friend class OrderBook;
  std::shared_ptr<const void> keys_;  // who owns them
  std::vector<std::span<std::uint64_t>> at_;
};

// What the rows of a node weigh: all the same, or each its own.
struct NodeWeights {
  std::int64_t each = 1;
  const std::int64_t* of_row = nullptr;

  TREEWRIGHT_INLINE std::int64_t operator[](std::size_t row) const {
    return of_row == nullptr ? each : of_row[row];
  }
};

// The rows of a node, for those who walk along them.
struct OrderedRows {
  const Orders& orders;
  const KeyLayout& layout;
  NodeWeights weight;
};

// Makes the orders of the root, and divides them.
class OrderBook {
 public:
  using Branches = std::vector<std::span<const Piece>>;  // the rows of each branch

  OrderBook(std::span<const Column> columns, KeyLayout layout, std::span<const std::int32_t> label,
            std::size_t n_rows, bool use_c45, std::size_t n_threads, std::function<void()> breathe)
      : columns_(columns),
        layout_(layout),
        label_(label),
        use_c45_(use_c45),
        n_threads_(n_threads),
        breathe_(std::move(breathe)),
        branch_(n_rows),
        is_right_(n_rows / 64 + 1),
        is_far_(columns.size()) {}

  const KeyLayout& layout() const { return layout_; }
  std::uint64_t key(std::uint64_t rank, std::uint64_t reach, std::size_t row) const {
    return layout_.make(rank, reach, label_.empty() ? 0 : static_cast<std::uint64_t>(label_[row]), row);
  }
  // How many ranks further a value may be parted from one of the column.
  std::uint64_t reach(std::size_t column, std::int32_t rank) const {
    if (!use_c45_) return 1;
    const auto rest = columns_[column].value.subspan(static_cast<std::size_t>(rank));
    return reaches_of(rest.first(std::min<std::size_t>(rest.size(), KeyLayout::far))).front();
  }

  // The order of a node's rows by a column, with the gaps at the place of the value that stands in for them.
  std::vector<std::uint64_t> with_gaps_filled(std::size_t column, std::span<const std::uint64_t> keys,
                                              std::span<const Piece> pieces, std::int32_t fill) const {
    std::vector<std::uint64_t> filled;
    filled.reserve(pieces.size());
    const auto rank = static_cast<std::uint64_t>(fill);
    const auto middle = std::partition_point(keys.begin(), keys.end(),
                                             [&](std::uint64_t key) { return layout_.rank(key) <= rank; });
    filled.insert(filled.end(), keys.begin(), middle);
    const std::uint64_t reach_of_fill = reach(column, fill);
    for (Piece piece : pieces) {
      const auto row = static_cast<std::size_t>(piece.row);
      if (columns_[column].code[row] == missing_code) filled.push_back(key(rank, reach_of_fill, row));
    }
    filled.insert(filled.end(), middle, keys.end());
    return filled;
  }

  // Is a value of the column so close to so many others that keys cannot say how many?
  bool is_far(std::size_t column) const { return is_far_[column] != 0; }

  // The rows of the root by every cut column: as they were ranked, or by a counting sort.
  Orders root(std::span<const Piece> pieces, std::span<Ranks> ranks) {
    auto all = std::make_shared<std::vector<std::vector<std::uint64_t>>>(columns_.size());
    Orders orders;
    orders.keys_ = all;
    orders.at_.resize(columns_.size());
    in_shares(n_threads_, columns_.size(), breathe_, [&](std::size_t c, std::size_t) {
      if (columns_[c].form != SplitForm::cut) return;
      std::vector<std::uint64_t>& keys = (*all)[c];
      if (c < ranks.size()) keys = std::move(ranks[c].sorted);
      if (!keys.empty() && pieces.size() == branch_.size())
        make_keys(c, keys);
      else
        keys = sorted_keys(c, pieces);
      orders.at_[c] = keys;
    });
    return orders;
  }

  // The orders of the children. `wanted` says which of them need any.
  std::vector<Orders> divide(Orders&& whole, std::span<const Piece> pieces, const Branches& parts,
                             const std::vector<std::uint8_t>& wanted) {
    const bool is_shared = mark_branches(pieces, parts);
    if (parts.size() == 2 && !is_shared) mark_sides(pieces, parts);
    std::vector<Orders> children(parts.size());
    if (std::find(wanted.begin(), wanted.end(), 1) == wanted.end()) return children;
    if (is_shared)
      copy_parts(whole, parts, wanted, children);
    else
      divide_in_place(whole, parts, wanted, children);
    return children;
  }

 private:
  static constexpr std::int32_t nowhere = -1, everywhere = -2;

  // The next rank whose value may be parted from this one: C4.5 asks that they be apart.
  std::vector<std::uint8_t> reaches(std::size_t c) {
    const Column& column = columns_[c];
    if (!use_c45_) return std::vector<std::uint8_t>(static_cast<std::size_t>(column.n_codes), 1);
    std::vector<std::uint8_t> reaches = reaches_of(column.value);
    is_far_[c] = std::find(reaches.begin(), reaches.end(), KeyLayout::far) != reaches.end();
    return reaches;
  }
  // Of ranks above the numbers of rows.
  void make_keys(std::size_t c, std::span<std::uint64_t> sorted) {
    const std::vector<std::uint8_t> reaches = this->reaches(c);
    for (std::uint64_t& word : sorted)
      word = key(word >> 32, reaches[word >> 32], static_cast<std::uint32_t>(word));
  }
  std::vector<std::uint64_t> sorted_keys(std::size_t c, std::span<const Piece> pieces) {
    const Column& column = columns_[c];
    const std::vector<std::uint8_t> reaches = this->reaches(c);
    std::vector<std::uint32_t> first(reaches.size() + 1);
    for (Piece piece : pieces)
      if (const auto code = column.code[static_cast<std::size_t>(piece.row)]; code >= 0)
        ++first[static_cast<std::size_t>(code) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint64_t> keys(first.back());
    for (Piece piece : pieces) {
      const auto row = static_cast<std::size_t>(piece.row);
      if (const std::int32_t code = column.code[row]; code >= 0)
        keys[first[static_cast<std::size_t>(code)]++] =
            key(static_cast<std::uint64_t>(code), reaches[static_cast<std::size_t>(code)], row);
    }
    return keys;
  }

  // The branch of every row of the node. Is any row in several of them?
  bool mark_branches(std::span<const Piece> pieces, const Branches& parts) {
    for (Piece piece : pieces) branch_[static_cast<std::size_t>(piece.row)] = nowhere;
    bool is_shared = false;
    for (std::size_t b = 0; b < parts.size(); ++b)
      for (Piece piece : parts[b]) {
        std::int32_t& branch = branch_[static_cast<std::size_t>(piece.row)];
        is_shared |= branch != nowhere;
        branch = branch == nowhere ? static_cast<std::int32_t>(b) : everywhere;
      }
    return is_shared;
  }

  // The same as one bit a row, where there are two branches: it is read for every key, and bits stay in the
  // nearest cache.
  void mark_sides(std::span<const Piece> pieces, const Branches& parts) {
    all_have_sides_ = parts[0].size() + parts[1].size() == pieces.size();
    for (Piece piece : parts[0]) {
      const auto row = static_cast<std::size_t>(piece.row);
      is_right_[row / 64] &= ~(std::uint64_t{1} << row % 64);
    }
    for (Piece piece : parts[1]) {
      const auto row = static_cast<std::size_t>(piece.row);
      is_right_[row / 64] |= std::uint64_t{1} << row % 64;
    }
  }

  // Each column's stretch, part after part; order inside a part is kept.
  void divide_in_place(const Orders& whole, const Branches& parts, const std::vector<std::uint8_t>& wanted,
                       std::vector<Orders>& children) const {
    for (std::size_t b = 0; b < children.size(); ++b)
      if (wanted[b] != 0) {
        children[b].keys_ = whole.keys_;
        children[b].at_.resize(columns_.size());
      }
    for_each_column(whole, [&](std::size_t c, Scratch& scratch) {
      const auto keys = whole.of(c);
      if (parts.size() == 2)
        divide_in_two(keys, scratch);
      else
        divide_in_many(keys, parts.size(), scratch);
      std::size_t begin = 0;
      for (std::size_t b = 0; b < children.size(); ++b) {
        if (wanted[b] != 0) children[b].at_[c] = keys.subspan(begin, scratch.size[b]);
        begin += scratch.size[b];
      }
    });
  }
  struct Scratch {
    std::vector<std::uint64_t> spare;
    std::vector<std::size_t> size, next;
  };
  void divide_in_two(std::span<std::uint64_t> keys, Scratch& scratch) const {
    if (!all_have_sides_) return divide_in_many(keys, 2, scratch);
    scratch.spare.resize(std::max(scratch.spare.size(), keys.size() + 1));
    const std::size_t n_left = part_keys(keys, layout_, is_right_.data(), scratch.spare.data());
    scratch.size = {n_left, keys.size() - n_left};
  }
  void divide_in_many(std::span<std::uint64_t> keys, std::size_t n_branches, Scratch& scratch) const {
    scratch.size.assign(n_branches, 0);
    for (std::uint64_t key : keys)
      if (const auto b = branch_[layout_.row(key)]; b >= 0) ++scratch.size[static_cast<std::size_t>(b)];
    scratch.next.assign(n_branches, 0);
    for (std::size_t b = 1; b < n_branches; ++b) scratch.next[b] = scratch.next[b - 1] + scratch.size[b - 1];
    const std::size_t total = scratch.next.back() + scratch.size.back();
    scratch.spare.resize(std::max(scratch.spare.size(), keys.size() + 1));
    for (std::uint64_t key : keys)
      if (const auto b = branch_[layout_.row(key)]; b >= 0)
        scratch.spare[scratch.next[static_cast<std::size_t>(b)]++] = key;
    std::copy_n(scratch.spare.begin(), total, keys.begin());
  }

  // Rows that were divided are in several branches: each child gets a buffer of its own.
  void copy_parts(const Orders& whole, const Branches& parts, const std::vector<std::uint8_t>& wanted,
                  std::vector<Orders>& children) {
    const std::size_t n_columns = columns_.size();
    for (std::size_t b = 0; b < children.size(); ++b) {
      if (wanted[b] == 0) continue;
      for (Piece piece : parts[b]) {
        const auto row = static_cast<std::size_t>(piece.row);
        if (branch_[row] == everywhere) is_here_.push_back(row);
      }
      for (std::size_t row : is_here_) branch_[row] = static_cast<std::int32_t>(b);
      std::vector<std::size_t> begin(n_columns);
      std::size_t size = 0;
      for (std::size_t c = 0; c < n_columns; ++c) {
        begin[c] = size;
        size += std::min(whole.at_[c].size(), parts[b].size()) + 1;  // one more is written than counts
      }
      const std::shared_ptr<std::uint64_t[]> own(new std::uint64_t[size]);
      children[b].keys_ = own;
      children[b].at_.resize(n_columns);
      for_each_column(whole, [&](std::size_t c, Scratch&) {
        std::uint64_t *first = own.get() + begin[c], *next = first;
        for (std::uint64_t key : whole.of(c)) {
          *next = key;
          next += branch_[layout_.row(key)] == static_cast<std::int32_t>(b);
        }
        children[b].at_[c] = {first, next};
      });
      for (std::size_t row : is_here_) branch_[row] = everywhere;
      is_here_.clear();
    }
  }

  template <class Work>
  void for_each_column(const Orders& whole, Work work) const {
    std::size_t n_keys = 0;
    for (const auto& range : whole.at_) n_keys += range.size();
    const std::size_t n_threads = n_keys < 1'000'000 ? 1 : n_threads_;
    if (scratch_.size() < n_threads) scratch_.resize(n_threads);
    if (n_threads == 1) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (whole.at_[c].size() > 0) work(c, scratch_[0]);
      return;
    }
    in_shares(n_threads, columns_.size(), breathe_, [&](std::size_t c, std::size_t t) {
      if (whole.at_[c].size() > 0) work(c, scratch_[t]);
    });
  }

  std::span<const Column> columns_;
  KeyLayout layout_;
  std::span<const std::int32_t> label_;  // empty where the target is a number
  bool use_c45_;
  std::size_t n_threads_;
  std::function<void()> breathe_;
  std::vector<std::int32_t> branch_;  // by row
  std::vector<std::uint64_t> is_right_;
  bool all_have_sides_ = true;
  std::vector<std::size_t> is_here_;
  std::vector<std::uint8_t> is_far_;  // by column
  mutable std::vector<Scratch> scratch_;
};

}  // namespace treewright
