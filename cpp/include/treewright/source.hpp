// A part of a table that answers what a search must know about rows it does not hold: sums, and small sets of
// values. All answers of several parts add up, or merge, to the answer of the whole.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "column.hpp"
#include "figures.hpp"
#include "rank.hpp"
#include "split.hpp"
#include "stats.hpp"

namespace treewright {

// A value as a key whose unsigned order is the order of the values: cells are stretches of keys, so that no
// part needs to know another's values. Numbers and ordered categories: their bits; other categories: their
// code.
constexpr std::uint64_t gap_key = std::numeric_limits<std::uint64_t>::max();  // above infinity

inline std::uint64_t key_of(const Column& column, std::size_t row) {
  if (column.form != SplitForm::cut)
    return column.code[row] < 0 ? gap_key : static_cast<std::uint64_t>(column.code[row]);
  const double x = column.number[row];
  return std::isnan(x) ? gap_key : ordered_bits(x);
}
inline double value_of(const Column& column, std::uint64_t key) {
  return column.form == SplitForm::cut ? number_of(key) : static_cast<double>(key);
}

// What lies in cells of a column: figures of each (figures.hpp), the least and greatest key, and the least
// and greatest target. The least is above the greatest where a cell is empty.
struct CellFigures {
  std::size_t width;
  std::vector<std::int64_t> figures, least, greatest;
  std::vector<std::uint64_t> low, high;

  CellFigures(std::size_t figure_width, std::size_t n)
      : width(figure_width),
        figures(n * figure_width),
        least(n, std::numeric_limits<std::int64_t>::max()),
        greatest(n, std::numeric_limits<std::int64_t>::min()),
        low(n, std::numeric_limits<std::uint64_t>::max()),
        high(n, 0) {}

  template <class Target>
  void add(const Target& target, std::size_t cell, std::uint64_t key, Piece piece) {
    add_figures(target, piece, figures.data() + cell * width);
    low[cell] = std::min(low[cell], key);
    high[cell] = std::max(high[cell], key);
    const std::int64_t y = of_target(target, piece);
    least[cell] = std::min(least[cell], y);
    greatest[cell] = std::max(greatest[cell], y);
  }

 private:
  static std::int64_t of_target(const ClassTarget& target, Piece piece) {
    return target.label[static_cast<std::size_t>(piece.row)];
  }
  static std::int64_t of_target(const NumberTarget& target, Piece piece) {
    return target.value[static_cast<std::size_t>(piece.row)];
  }
};

// Which rows of a node go where: x <= cut, or by category; gaps to `missing`, -1: nowhere.
struct Move {
  std::int32_t node, column;
  double cut;
  std::span<const std::int32_t> code, branch;  // of categories, codes ascending; empty: a cut
  std::int32_t n_branches, missing, first;     // children are numbered from `first` on
};

template <class Target>
class Part {
 public:
  Part(std::vector<Column> columns, Target target, std::span<const std::int64_t> weight)
      : columns_(std::move(columns)), target_(target), weight_(weight) {
    for (const Column& column : columns_) {
      std::vector<std::uint64_t> keys(weight.size());
      for (std::size_t r = 0; r < keys.size(); ++r) keys[r] = key_of(column, r);
      keys_.push_back(std::move(keys));
    }
    std::vector<std::int32_t>& all = rows_[0];
    for (std::size_t r = 0; r < weight.size(); ++r) all.push_back(static_cast<std::int32_t>(r));
  }

  std::span<const std::int32_t> rows(std::int32_t node) const {
    const auto found = rows_.find(node);
    return found == rows_.end() ? std::span<const std::int32_t>() : std::span(found->second);
  }

  // Cells between edges: edges[j - 1] <= key < edges[j]; and one more, the last, of the gaps.
  CellFigures count(std::int32_t node, std::size_t column, std::span<const std::uint64_t> edges) const {
    CellFigures cells(figure_width(target_), edges.size() + 2);
    for (std::int32_t row : rows(node)) {
      const std::uint64_t key = keys_[column][static_cast<std::size_t>(row)];
      const auto cell =
          key == gap_key
              ? edges.size() + 1
              : static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), key) - edges.begin());
      cells.add(target_, cell, key, piece(row));
    }
    return cells;
  }

  // A cell for each value between first[i] and last[i], both included; these stretches are ascending.
  CellFigures look(std::int32_t node, std::size_t column, std::span<const std::uint64_t> first,
                   std::span<const std::uint64_t> last) const {
    std::vector<Keyed<std::uint64_t>> found;
    for (std::int32_t row : rows(node)) {
      const std::uint64_t key = keys_[column][static_cast<std::size_t>(row)];
      const auto at = std::upper_bound(first.begin(), first.end(), key) - first.begin();
      if (at > 0 && key <= last[static_cast<std::size_t>(at - 1)] && key != gap_key)
        found.push_back({key, static_cast<std::uint32_t>(row)});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    std::size_t n = 0;
    for (std::size_t i = 0; i < found.size(); ++i) n += i == 0 || found[i].key != found[i - 1].key;
    CellFigures cells(figure_width(target_), n);
    std::size_t cell = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      cell += i > 0 && found[i].key != found[i - 1].key;
      cells.add(target_, cell, found[i].key, piece(static_cast<std::int32_t>(found[i].row)));
    }
    return cells;
  }

  // Squares of rounded deviations, times weight (opening.hpp).
  int128 squares(std::int32_t node, std::int64_t centre, int shift) const {
    int128 sum = 0;
    if constexpr (std::is_same_v<Target, NumberTarget>) {
      const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
      for (std::int32_t row : rows(node)) {
        const std::int64_t d = (target_.value[static_cast<std::size_t>(row)] - centre + half) >> shift;
        sum += static_cast<int128>(piece(row).weight) * d * d;
      }
    }
    return sum;
  }

  // The values of a column among the rows of a node, ascending, each once.
  std::vector<std::uint64_t> present(std::int32_t node, std::size_t column) const {
    std::vector<std::uint64_t> keys;
    for (std::int32_t row : rows(node)) keys.push_back(keys_[column][static_cast<std::size_t>(row)]);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (!keys.empty() && keys.back() == gap_key) keys.pop_back();
    return keys;
  }

  // The greatest value of a column, among all rows, that is not above x; below all numbers where there is
  // none.
  double largest_at_most(std::size_t column, double x) const {
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint64_t key : keys_[column]) {
      if (key == gap_key) continue;
      const double value = value_of(columns_[column], key);
      if (value <= x) most = std::max(most, value);
    }
    return most;
  }

  void apply(const Move& move) {
    const auto found = rows_.find(move.node);
    if (found == rows_.end()) return;
    const auto column = static_cast<std::size_t>(move.column);
    for (std::int32_t row : found->second) {
      const std::int32_t branch = branch_of(move, column, keys_[column][static_cast<std::size_t>(row)]);
      if (branch >= 0) rows_[move.first + branch].push_back(row);
    }
    rows_.erase(move.node);
  }

 private:
  Piece piece(std::int32_t row) const { return {row, weight_[static_cast<std::size_t>(row)]}; }
  std::int32_t branch_of(const Move& move, std::size_t column, std::uint64_t key) const {
    if (key == gap_key) return move.missing;
    if (move.code.empty()) return value_of(columns_[column], key) <= move.cut ? 0 : 1;
    const auto code = static_cast<std::int32_t>(key);
    const auto at = std::lower_bound(move.code.begin(), move.code.end(), code);
    return at == move.code.end() || *at != code
               ? move.missing
               : move.branch[static_cast<std::size_t>(at - move.code.begin())];
  }

  std::vector<Column> columns_;
  Target target_;
  std::span<const std::int64_t> weight_;
  std::vector<std::vector<std::uint64_t>> keys_;            // of each column and row
  std::map<std::int32_t, std::vector<std::int32_t>> rows_;  // of the nodes that are not divided yet
};

}  // namespace treewright
