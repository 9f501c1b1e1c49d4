// The table as bytes, and histograms over it: one increment per row and column tells a large node what all
// its columns look like, and a sibling's histogram is a subtraction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "column.hpp"
#include "groups.hpp"
#include "stats.hpp"

namespace treewright {

// Codes in at most 255 bins a column, row-major; the bin after the last is for gaps. A column with few codes
// has one bin per code and is exact at once; else a bin is a run of codes that holds about as many rows as
// the others.
class BinnedTable {
 public:
  static constexpr std::int32_t max_bins = 255;

  BinnedTable(std::span<const Column> columns, std::size_t n_rows)
      : stride_(columns.size()),
        bins_(n_rows * columns.size()),
        n_bins_(columns.size()),
        direct_(columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<std::uint8_t> bin = bin_of_code(columns[c], c);
      const auto gap = static_cast<std::uint8_t>(n_bins_[c]);
      for (std::size_t r = 0; r < n_rows; ++r) {
        const std::int32_t code = columns[c].code[r];
        bins_[r * stride_ + c] = code == missing_code ? gap : bin[static_cast<std::size_t>(code)];
      }
    }
  }

  std::size_t n_columns() const { return stride_; }
  std::size_t n_cells(std::size_t n_classes) const {
    std::size_t cells = 0;
    for (std::int32_t n : n_bins_) cells += (static_cast<std::size_t>(n) + 1) * n_classes;
    return cells;
  }
  std::size_t n_bins(std::size_t column) const { return static_cast<std::size_t>(n_bins_[column]); }
  bool is_direct(std::size_t column) const { return direct_[column] != 0; }
  const std::uint8_t* row(std::int32_t r) const {
    return bins_.data() + static_cast<std::size_t>(r) * stride_;
  }

 private:
  std::vector<std::uint8_t> bin_of_code(const Column& column, std::size_t c) {
    const auto n_codes = static_cast<std::size_t>(column.n_codes);
    std::vector<std::uint8_t> bin(n_codes);
    direct_[c] = column.n_codes <= max_bins;
    if (direct_[c] != 0) {
      n_bins_[c] = column.n_codes;
      for (std::size_t k = 0; k < n_codes; ++k) bin[k] = static_cast<std::uint8_t>(k);
      return bin;
    }
    std::vector<std::int64_t> rows(n_codes);
    std::int64_t total = 0, seen = 0;
    for (std::int32_t code : column.code)
      if (code != missing_code) {
        ++rows[static_cast<std::size_t>(code)];
        ++total;
      }
    std::int64_t last = -1, current = -1;
    for (std::size_t k = 0; k < n_codes; ++k) {
      const std::int64_t wanted = seen * max_bins / std::max<std::int64_t>(1, total);
      if (wanted != last) {
        last = wanted;
        ++current;
      }
      bin[k] = static_cast<std::uint8_t>(current);
      seen += rows[k];
    }
    n_bins_[c] = static_cast<std::int32_t>(current) + 1;
    return bin;
  }

  std::size_t stride_;
  std::vector<std::uint8_t> bins_;
  std::vector<std::int32_t> n_bins_;
  std::vector<std::uint8_t> direct_;
};

// Class counts per column and bin of one node whose rows all weigh one.
class Histogram {
 public:
  Histogram() = default;
  Histogram(const BinnedTable& table, const ClassTarget& target, std::span<const Piece> pieces)
      : n_classes_(target.n_classes), start_(table.n_columns()), count_(table.n_cells(target.n_classes)) {
    for (std::size_t c = 1; c < table.n_columns(); ++c)
      start_[c] = start_[c - 1] + (table.n_bins(c - 1) + 1) * n_classes_;
    const std::size_t n_columns = table.n_columns();
    for (Piece piece : pieces) {
      const std::uint8_t* bin = table.row(piece.row);
      std::uint32_t* count = count_.data() + target.label[static_cast<std::size_t>(piece.row)];
      for (std::size_t c = 0; c < n_columns; ++c) ++count[start_[c] + bin[c] * n_classes_];
    }
  }

  bool is_empty() const { return count_.empty(); }
  bool has_gaps(const BinnedTable& table, std::size_t column) const {
    const auto gaps = bin(column, table.n_bins(column));
    return std::any_of(gaps.begin(), gaps.end(), [](std::uint32_t n) { return n > 0; });
  }
  // The histogram of the rows that are here and not in `part`.
  void subtract(const Histogram& part) {
    for (std::size_t i = 0; i < count_.size(); ++i) count_[i] -= part.count_[i];
  }
  std::span<const std::uint32_t> bin(std::size_t column, std::size_t b) const {
    return {count_.data() + start_[column] + b * n_classes_, n_classes_};
  }

 private:
  std::size_t n_classes_ = 0;
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> count_;
};

inline void add_bin(ClassStats& stats, std::span<const std::uint32_t> counts, std::int64_t sign = 1) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    stats.counts[k] += sign * counts[k];
    sum += counts[k];
  }
  stats.weight += sign * sum;
  stats.rows += sign * sum;
}

// A column of few codes, measured: its bins are its groups.
inline Measured<ClassStats> measure(const BinnedTable& table, const Histogram& histogram, std::size_t column,
                                    std::size_t n_classes) {
  Measured<ClassStats> out{{}, ClassStats(n_classes), ClassStats(n_classes)};
  ClassStats group(n_classes);
  for (std::size_t b = 0; b < table.n_bins(column); ++b) {
    group.clear();
    add_bin(group, histogram.bin(column, b));
    if (group.rows == 0) continue;
    out.groups.push(static_cast<std::int32_t>(b), group);
    out.known.add(group);
  }
  add_bin(out.missing, histogram.bin(column, table.n_bins(column)));
  return out;
}

}  // namespace treewright
