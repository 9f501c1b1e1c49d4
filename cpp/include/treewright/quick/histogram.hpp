// What lies in each bin of each column, for one node: one addition per row and column tells a large node what
// all its columns look like, and a sibling is a subtraction. All integers, so subtracting is exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../stats.hpp"
#include "binned.hpp"

namespace treewright {

// The rows to grow on: the weights of all rows, or none where each counts one.
struct RowWeights {
  std::span<const std::int64_t> weight;
  std::int64_t of(std::uint32_t row) const { return weight.empty() ? 1 : weight[row]; }
  Piece piece(std::uint32_t row) const { return {static_cast<std::int32_t>(row), of(row)}; }
};

// One cell of a histogram: what the rows in a bin amount to, as a few integers.
template <class Target, bool is_weighted>
class Cells;

// Classes: the weight of each, and the number of rows where that is another thing.
template <bool is_weighted>
class Cells<ClassTarget, is_weighted> {
 public:
  using Number = std::conditional_t<is_weighted, std::int64_t, std::uint32_t>;
  Cells(const ClassTarget& target, RowWeights weights) : target_(target), weights_(weights) {}

  std::size_t width() const { return target_.n_classes + (is_weighted ? 1 : 0); }
  void add_row(Number* cells, std::span<const std::uint32_t> offset, const std::uint8_t* bin,
               std::uint32_t row) const {
    Number* own = cells + target_.label[row];
    const std::size_t width = this->width();
    if constexpr (is_weighted) {
      const std::int64_t weight = weights_.of(row);
      for (std::size_t c = 0; c < offset.size(); ++c) {
        const std::size_t cell = (offset[c] + bin[c]) * width;
        own[cell] += weight;
        ++cells[cell + width - 1];
      }
    } else {
      for (std::size_t c = 0; c < offset.size(); ++c) ++own[(offset[c] + bin[c]) * width];
    }
  }
  std::int64_t rows(const Number* cell) const {
    if constexpr (is_weighted) return cell[target_.n_classes];
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < target_.n_classes; ++k) sum += static_cast<std::int64_t>(cell[k]);
    return sum;
  }
  void add_to(ClassStats& stats, const Number* cell, std::int64_t sign = 1) const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < target_.n_classes; ++k) {
      const auto n = static_cast<std::int64_t>(cell[k]);
      stats.counts[k] += sign * n;
      sum += n;
    }
    stats.weight += sign * sum;
    stats.rows += sign * (is_weighted ? rows(cell) : sum);
  }

 private:
  ClassTarget target_;
  RowWeights weights_;
};

// Numbers: weight, the sum in limbs of 32 bits, and an upper bound of the squares about one centre; and the
// number of rows where that is not the weight.
template <bool is_weighted>
class Cells<NumberTarget, is_weighted> {
 public:
  using Number = std::int64_t;
  static constexpr std::size_t n_limbs = is_weighted ? 4 : 2, first_limb = is_weighted ? 3 : 2;

  Cells(const NumberTarget& target, RowWeights weights) : target_(target), weights_(weights) {
    int128 sum = 0, total = 0;
    for (std::size_t r = 0; r < target.value.size(); ++r) {
      const auto w = weights_.of(static_cast<std::uint32_t>(r));
      total += w;
      sum += static_cast<int128>(w) * target.value[r];
    }
    centre_ = static_cast<std::int64_t>(sum / std::max<int128>(1, total));
    square_shift_ = 65 - std::countl_zero(static_cast<std::uint64_t>(total));
    std::uint64_t farthest = 0;
    for (std::int64_t y : target.value) farthest = std::max(farthest, distance(y));
    coarse_bits_ = std::max(0, 34 - std::countl_zero(farthest));  // to 30 bits
  }

  static constexpr std::size_t width() { return first_limb + n_limbs; }
  void add_row(Number* cells, std::span<const std::uint32_t> offset, const std::uint8_t* bin,
               std::uint32_t row) const {
    Number own[width()];
    fill(own, row);
    for (std::size_t c = 0; c < offset.size(); ++c) {
      Number* cell = cells + (offset[c] + bin[c]) * width();
      for (std::size_t i = 0; i < width(); ++i) cell[i] += own[i];
    }
  }
  std::int64_t rows(const Number* cell) const { return cell[is_weighted ? 2 : 0]; }
  void add_to(MomentStats& stats, const Number* cell, std::int64_t sign = 1) const {
    int128 sum = 0;
    for (std::size_t i = n_limbs; i-- > 0;) sum = sum * limb + cell[first_limb + i];
    stats.weight += sign * cell[0];
    stats.rows += sign * rows(cell);
    stats.sum += sign * sum;
  }
  // At least the sum of squared deviations from `centre()`, in squared units of the target.
  double squares(const Number* cell) const {
    return static_cast<double>(cell[1]) * std::ldexp(1.0, square_shift_ + 2 * coarse_bits_);
  }
  std::int64_t centre() const { return centre_; }

 private:
  static constexpr int128 limb = int128{1} << 32;
  std::uint64_t distance(std::int64_t y) const {
    return static_cast<std::uint64_t>(y < centre_ ? centre_ - y : y - centre_);
  }

  void fill(Number* own, std::uint32_t row) const {
    const std::int64_t w = weights_.of(row), y = target_.value[row];
    const int128 coarse = static_cast<int128>((distance(y) >> coarse_bits_) + 1);
    own[0] = w;
    own[1] = static_cast<std::int64_t>((w * coarse * coarse) >> square_shift_) + 1;
    if constexpr (is_weighted) own[2] = 1;
    int128 rest = static_cast<int128>(w) * y;
    for (std::size_t i = 0; i + 1 < n_limbs; ++i) {
      own[first_limb + i] = static_cast<std::int64_t>(rest & (limb - 1));
      rest >>= 32;
    }
    own[first_limb + n_limbs - 1] = static_cast<std::int64_t>(rest);
  }

  NumberTarget target_;
  RowWeights weights_;
  std::int64_t centre_ = 0;
  int square_shift_ = 0, coarse_bits_ = 0;  // deviations are squared after losing so many bits
};

// Where each column's cells begin.
class CellLayout {
 public:
  explicit CellLayout(const BinnedTable& table) : offset_(table.n_columns()) {
    for (std::size_t c = 0; c < table.n_columns(); ++c) {
      offset_[c] = n_cells_;
      n_cells_ += static_cast<std::uint32_t>(table.bins(c).n_bins() + 1);
    }
  }
  std::span<const std::uint32_t> offset() const { return offset_; }
  std::size_t n_cells() const { return n_cells_; }

 private:
  std::vector<std::uint32_t> offset_;
  std::uint32_t n_cells_ = 0;
};

template <class Target, bool is_weighted>
class Histogram {
 public:
  using OwnCells = Cells<Target, is_weighted>;
  using Number = typename OwnCells::Number;

  bool is_empty() const { return numbers_.empty(); }
  void clear(const CellLayout& layout, const OwnCells& cells) {
    numbers_.assign(layout.n_cells() * cells.width(), 0);
  }
  // Add up rows; the table's bytes are fetched a little ahead.
  void count(const BinnedTable& table, const CellLayout& layout, const OwnCells& cells,
             std::span<const std::uint32_t> rows) {
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + ahead < rows.size()) fetch(table.row(rows[i + ahead]));
      cells.add_row(numbers_.data(), layout.offset(), table.row(rows[i]), rows[i]);
    }
  }
  void add(const Histogram& other) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
  }
  // What is left without `part`.
  void subtract(const Histogram& part) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] -= part.numbers_[i];
  }
  const Number* cell(const CellLayout& layout, std::size_t width, std::size_t column, std::size_t bin) const {
    return numbers_.data() + (layout.offset()[column] + bin) * width;
  }

 private:
  std::vector<Number> numbers_;
};

}  // namespace treewright
