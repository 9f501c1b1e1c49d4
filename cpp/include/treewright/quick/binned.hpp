// The table as bytes: every column in at most 255 bins, and one bin more for gaps. Twice: row after row,
// where all columns of a row are wanted, and column after column, where one is.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../parallel.hpp"
#include "edges.hpp"

namespace treewright {

// The bins of one column. Bin b holds the numbers above edge[b - 1] and up to edge[b]; what is above the last
// edge has a bin of its own, and so have gaps, after that. Edges come from a sample: they need not be even,
// since the exact cut is looked for inside the bins. Categories are their own bins.
struct Bins {
  static constexpr std::size_t max_edges = 253;
  std::vector<double> edge;  // padded with infinities to 256
  std::size_t n_edges = 0;
  std::vector<std::uint8_t> is_single;  // does a bin hold one value only?
  bool is_exact = false;                // all bins do: nothing is hidden inside

  std::size_t n_bins() const { return n_edges + 1; }
  std::uint8_t gap() const { return static_cast<std::uint8_t>(n_edges + 1); }

  void close(double upper, bool single) {
    edge.push_back(upper);
    is_single.push_back(single ? 1 : 0);
  }
  void finish() {
    n_edges = edge.size();
    edge.resize(256, std::numeric_limits<double>::infinity());
    is_single.push_back(0);  // above the last edge
  }
};

namespace bins {

struct Run {
  double value;
  std::size_t count;
};

// The distinct values of a sample of the rows, ascending, with their counts.
inline std::vector<Run> sample(const Numbers& numbers) {
  const std::size_t n = std::min(numbers.size, std::clamp<std::size_t>(numbers.size / 16, 2048, 8192));
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = numbers[i * numbers.size / n];
    if (!std::isnan(x)) values.push_back(x == 0 ? 0.0 : x);
  }
  std::sort(values.begin(), values.end());
  std::vector<Run> runs;
  for (double x : values) {
    if (runs.empty() || runs.back().value != x) runs.push_back({x, 0});
    ++runs.back().count;
  }
  return runs;
}

inline double just_below(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

// A bin for each value of the sample: exact if the table has no others.
inline Bins one_per_value(std::span<const Run> runs) {
  Bins found;
  for (const Run& run : runs) found.close(run.value, true);
  found.is_exact = true;
  found.finish();
  return found;
}

// Bins of about as many rows each. A value that every 64th row has gets its own: they take at most half of
// the edges.
inline Bins by_share(std::span<const Run> runs) {
  Bins found;
  std::size_t total = 0, held = 0, n_light = 0;
  for (const Run& run : runs) total += run.count;
  const auto is_heavy = [&](const Run& run) { return run.count > 1 && run.count * 64 >= total; };
  std::size_t n_free = Bins::max_edges - 1;
  for (const Run& run : runs)
    if (is_heavy(run))
      n_free -= 2;
    else
      n_light += run.count;
  const std::size_t quota = n_light / n_free + 1;
  for (std::size_t i = 0; i < runs.size() && found.edge.size() + 2 <= Bins::max_edges; ++i) {
    const bool is_alone = is_heavy(runs[i]);
    const double below = just_below(runs[i].value);
    if (is_alone && (found.edge.empty() || found.edge.back() < below)) {
      found.close(below, false);
      held = 0;
    }
    held += runs[i].count;
    if (is_alone || held >= quota) {
      found.close(runs[i].value, is_alone);
      held = 0;
    }
  }
  found.finish();
  return found;
}

// Categories by their codes.
inline Bins of_codes(std::int32_t n_codes) {
  Bins found;
  found.n_edges = static_cast<std::size_t>(std::max(0, n_codes - 1));
  found.is_single.assign(found.n_edges + 1, 1);
  found.is_exact = true;
  return found;
}

}  // namespace bins

// A number that was coded into a bin. Should it have turned into a gap since, somebody writes to the table:
// its bin stands for it, since sorting must not meet a NaN.
inline double value_in_bin(const Numbers& numbers, std::uint32_t row, const Bins& bins, std::uint8_t bin) {
  const double x = numbers[row];
  return x == x || bin == bins.gap() ? x : bins.edge[bin];
}

// The bins of one column by row.
struct BinsOf {
  const std::uint8_t* first = nullptr;
  std::size_t step = 1;
  std::uint8_t operator[](std::size_t row) const { return first[row * step]; }
};

class BinnedTable {
 public:
  BinnedTable(std::span<const Column> columns, std::size_t n_rows, std::size_t n_threads,
              const std::function<void()>& breathe)
      : columns_(columns),
        stride_(columns.size()),
        n_rows_(n_rows),
        by_row_(new std::uint8_t[n_rows * columns.size()]),
        by_column_(new std::uint8_t[n_rows * columns.size()]),
        bins_(columns.size()) {
    std::vector<std::vector<bins::Run>> runs(columns.size());
    in_shares(n_threads, columns.size(), breathe, [&](std::size_t c, std::size_t) {
      if (columns[c].form != SplitForm::cut) {
        bins_[c] = bins::of_codes(is_binned(c) ? columns[c].n_codes : 1);
        return;
      }
      runs[c] = bins::sample(columns[c].number);
      bins_[c] = runs[c].size() <= Bins::max_edges ? bins::one_per_value(runs[c]) : bins::by_share(runs[c]);
    });
    code_rows(n_threads, breathe);
    std::vector<std::size_t> again;  // columns with values that the sample has not shown
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (bins_[c].is_exact && has_stray_[c] != 0) again.push_back(c);
    in_shares(n_threads, again.size(), breathe, [&](std::size_t i, std::size_t) {
      bins_[again[i]] = bins::by_share(runs[again[i]]);
      for (std::size_t first = 0; first < n_rows; first += block) code_block(again[i], first);
    });
  }

  std::size_t n_columns() const { return stride_; }
  std::size_t n_rows() const { return n_rows_; }
  // More categories than bins: such a column is not in the table.
  bool is_binned(std::size_t c) const {
    return columns_[c].form == SplitForm::cut ||
           columns_[c].n_codes <= static_cast<std::int32_t>(Bins::max_edges);
  }
  bool has_gaps(std::size_t c) const { return has_gap_[c] != 0; }
  const Bins& bins(std::size_t c) const { return bins_[c]; }
  const std::uint8_t* row(std::uint32_t r) const { return by_row_.get() + r * stride_; }
  // One column's bytes, for a node of so many rows: where these are far apart, each is on a line of the cache
  // of its own, and the lines that hold whole rows are more likely to be there already.
  BinsOf column(std::size_t c, std::size_t n_node_rows) const {
    if (n_node_rows * 16 < n_rows_) return {by_row_.get() + c, stride_};
    return {by_column_.get() + c * n_rows_, 1};
  }

 private:
  static constexpr std::size_t block = 2048;  // rows whose bytes stay in the cache while columns pass

  void code_rows(std::size_t n_threads, const std::function<void()>& breathe) {
    const std::size_t n = n_rows();
    has_stray_ = std::vector<std::atomic<std::uint8_t>>(stride_);
    has_gap_ = std::vector<std::atomic<std::uint8_t>>(stride_);
    in_shares(n_threads, (n + block - 1) / block, breathe, [&](std::size_t b, std::size_t) {
      for (std::size_t c = 0; c < stride_; ++c) code_block(c, b * block);
    });
  }

  void code_block(std::size_t c, std::size_t first) {
    const std::size_t last = std::min(first + block, n_rows());
    const Column& column = columns_[c];
    if (column.form != SplitForm::cut) return code_categories(c, first, last);
    switch (column.number.type) {
      case Numbers::Type::float32:
        return code_numbers<float>(c, first, last);
      case Numbers::Type::float64:
      case Numbers::Type::code:
        return code_numbers<double>(c, first, last);
    }
  }

  void code_categories(std::size_t c, std::size_t first, std::size_t last) {
    bool has_gap = false;
    std::uint8_t bin[block];
    for (std::size_t r = first; r < last; ++r) {
      const std::int32_t code = columns_[c].code[r];
      has_gap |= code < 0;
      bin[r - first] = code < 0 ? bins_[c].gap() : is_binned(c) ? static_cast<std::uint8_t>(code) : 0;
    }
    keep(c, first, {bin, last - first});
    if (has_gap) has_gap_[c] = 1;
  }

  template <class T>
  void code_numbers(std::size_t c, std::size_t first, std::size_t last) {
    const Bins& bins = bins_[c];
    const EdgeTable<T> edges(bins.edge);
    T value[block];
    std::uint8_t bin[block];
    const std::size_t n = last - first;
    bool has_gap = false, is_stray = false;
    for (std::size_t i = 0; i < n; ++i) {
      value[i] = value_at<T>(c, first + i);
      has_gap |= value[i] != value[i];
    }
    count_edges_below(edges, {value, n}, bin);
    if (bins.is_exact)
      for (std::size_t i = 0; i < n; ++i) is_stray |= edges.edge[bin[i]] != value[i] && value[i] == value[i];
    if (has_gap)
      for (std::size_t i = 0; i < n; ++i) bin[i] = value[i] == value[i] ? bin[i] : bins.gap();
    keep(c, first, {bin, n});
    if (is_stray) has_stray_[c] = 1;
    if (has_gap) has_gap_[c] = 1;
  }
  void keep(std::size_t c, std::size_t first, std::span<const std::uint8_t> bin) {
    std::copy(bin.begin(), bin.end(), by_column_.get() + c * n_rows_ + first);
    std::uint8_t* place = by_row_.get() + first * stride_ + c;
    for (std::uint8_t b : bin) {
      *place = b;
      place += stride_;
    }
  }
  template <class T>
  T value_at(std::size_t c, std::size_t row) const {
    const Numbers& numbers = columns_[c].number;
    return numbers.type == Numbers::Type::code ? static_cast<T>(numbers[row]) : numbers.raw<T>(row);
  }

  std::span<const Column> columns_;
  std::size_t stride_, n_rows_;
  std::unique_ptr<std::uint8_t[]> by_row_, by_column_;
  std::vector<Bins> bins_;
  std::vector<std::atomic<std::uint8_t>> has_stray_, has_gap_;
};

}  // namespace treewright
