// Small nodes: the rows of a block are sorted once by every column; each node below owns the same stretch of
// all columns, and a split keeps their order (as SPRINT did: Shafer, Agrawal, Mehta 1996).
//
//   column 0   [ r3 r1 r0 | r2 r4 ]      a node owns [begin, end) of every column;
//   column 1   [ r1 r0 r3 | r4 r2 ]      its children own the two parts
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "../divide.hpp"
#include "../open.hpp"
#include "input.hpp"
#include "scan.hpp"

namespace treewright {

template <class Target, class Key>
class BlockOrder {
  using Word = typename Key::Word;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

 public:
  explicit BlockOrder(const Input<Target>& input) : input_(input), is_two_valued_(input.columns.size()) {}

  // Sort these rows by every column.
  void load(std::span<const std::uint32_t> rows, const std::function<void()>& breathe) {
    rows_ = rows;
    n_ = rows.size();
    keys_.resize(n_ * input_.columns.size());
    spare_.resize(n_);
    gather_bins();
    for (std::uint32_t c = 0; c < input_.columns.size(); ++c) {
      if (n_ > 20'000 || c % 16 == 15) breathe();
      if (input_.table != nullptr && input_.table->is_binned(c))
        by_bins(c);
      else
        by_values(c);
      rank_items(c);
    }
  }

  // The keys of a column, in its order.
  const Word* column(std::uint32_t c) const { return keys_.data() + c * n_; }
  // Has the column just two values in this block, and no gaps?
  bool is_two_valued(std::uint32_t c) const { return is_two_valued_[c] != 0; }

  // Give the classes of a stretch new numbers.
  void number(std::uint32_t c, Stretch at, std::span<const std::int32_t> number) {
    Word* key = keys_.data() + c * n_ + at.begin;
    for (std::size_t i = 0; i < at.size(); ++i)
      key[i] = Key::with_label(key[i], static_cast<Word>(number[Key::label(key[i])]));
  }

  // Rows of a stretch whose side is 0 first; order inside a part is kept.
  void divide(std::uint32_t c, Stretch at, std::span<const std::uint8_t> side) {
    divide_in_two(std::span(keys_).subspan(c * n_ + at.begin, at.size()), spare_.data(),
                  [&](Word key) { return side[Key::row(key)] != 0; });
  }

 private:
  struct Item {
    double value;
    std::uint32_t row;
  };

  double value(std::uint32_t c, std::uint32_t row) const {
    const Column& column = input_.columns[c];
    if (column.form == SplitForm::cut) return column.number[row];
    return column.code[row] < 0 ? nan : column.code[row];
  }
  static bool is_less(const Item& a, const Item& b) { return a.value < b.value; }

  // Known values ascending, then gaps.
  void by_values(std::uint32_t c) {
    items_.resize(n_);
    std::size_t known = 0, gap = n_;
    for (std::uint32_t i = 0; i < n_; ++i) {
      const double x = value(c, rows_[i]);
      items_[std::isnan(x) ? --gap : known++] = {x, i};
    }
    std::sort(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(known), is_less);
  }

  // The rows of the block from all over the table, side by side.
  void gather_bins() {
    if (input_.table == nullptr) return;
    const std::size_t width = input_.table->n_columns();
    bins_.resize(n_ * width);
    for (std::size_t i = 0; i < n_; ++i)
      std::copy_n(input_.table->row(rows_[i]), width, bins_.data() + i * width);
  }

  // The bytes put the rows nearly in order; what shares a bin is sorted by value.
  void by_bins(std::uint32_t c) {
    const Bins& bins = input_.table->bins(c);
    const BinsOf bin_of{bins_.data() + c, input_.table->n_columns()};
    std::uint32_t first[257];
    items_.resize(n_);
    count_bins(bin_of, first);
    std::uint32_t place[256];
    std::copy(first, first + 256, place);
    for (std::uint32_t i = 0; i < n_; ++i) {
      const std::uint8_t b = bin_of[i];
      items_[place[b]++] = {
          bins.is_exact ? exact_value(bins, b) : value_in_bin(input_.columns[c].number, rows_[i], bins, b),
          i};
    }
    if (bins.is_exact) return;  // bins are as good as values
    for (std::size_t b = 0; b < bins.n_bins(); ++b)
      if (bins.is_single[b] == 0) sort_few(first[b], first[b + 1]);
  }
  // Where each bin begins. Store forwarding: a counter that is hit again and again would wait for itself, so
  // four of them take turns.
  void count_bins(BinsOf bin_of, std::uint32_t* first) const {
    std::uint32_t count[4][256] = {};
    for (std::size_t i = 0; i < n_; ++i) ++count[i % 4][bin_of[i]];
    first[0] = 0;
    for (std::size_t b = 0; b < 256; ++b)
      first[b + 1] = first[b] + count[0][b] + count[1][b] + count[2][b] + count[3][b];
  }
  void sort_few(std::size_t begin, std::size_t end) {
    if (end - begin > 24) {
      std::sort(items_.data() + begin, items_.data() + end, is_less);
      return;
    }
    for (std::size_t i = begin + 1; i < end; ++i) {
      const Item item = items_[i];
      std::size_t j = i;
      for (; j > begin && item.value < items_[j - 1].value; --j) items_[j] = items_[j - 1];
      items_[j] = item;
    }
  }

  void rank_items(std::uint32_t c) {
    Word* key = keys_.data() + c * n_;
    Word rank = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Item& item = items_[i];
      if (i > 0 && item.value != items_[i - 1].value) ++rank;
      key[i] = Key::make(std::isnan(item.value) ? Key::gap : rank, label(item.row), item.row);
    }
    is_two_valued_[c] = rank == 1 && Key::rank(key[n_ - 1]) != Key::gap;
  }
  Word label(std::uint32_t local) const {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return static_cast<Word>(input_.target.label[rows_[local]]);
    else
      return 0;
  }
  static double exact_value(const Bins& bins, std::uint8_t bin) { return bin == bins.gap() ? nan : bin; }

  const Input<Target>& input_;
  std::span<const std::uint32_t> rows_;
  std::size_t n_ = 0;
  std::vector<Word> keys_, spare_;  // n_ keys a column
  std::vector<std::uint8_t> bins_, is_two_valued_;
  std::vector<Item> items_;
};

}  // namespace treewright
