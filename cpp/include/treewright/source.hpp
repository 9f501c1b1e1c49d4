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
#include <type_traits>
#include <utility>
#include <vector>

#include "column.hpp"
#include "figures.hpp"
#include "rank.hpp"
#include "shares.hpp"
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

// A test as a source is told it: x <= cut, or by category.
struct PlainTest {
  std::int32_t column = 0;
  double cut = 0;
  std::span<const std::int32_t> code, branch;  // of categories, codes ascending; empty: a cut
};
struct PlainStandIn {
  PlainTest test;
  bool is_flipped = false;
};

// Which rows of a node go where. A row without an answer asks the stand-ins; then it is divided by `shares`,
// or goes to `missing` as a whole, -1: nowhere.
struct Move {
  std::int32_t node = 0;
  PlainTest test;
  std::int32_t n_branches = 0, missing = -1, first = 0;  // children are numbered from `first` on
  std::span<const std::int64_t> shares;                  // the known weight of each branch
  std::vector<PlainStandIn> stand_ins;
};

template <class Target>
class Part {
 public:
  Part(std::vector<Column> columns, Target target, std::span<const std::int64_t> weight)
      : columns_(std::move(columns)), target_(target), n_rows_(weight.size()), coded_(columns_.size()) {
    for (const Column& column : columns_) {
      std::vector<std::uint64_t> keys(n_rows_);
      for (std::size_t r = 0; r < keys.size(); ++r) keys[r] = key_of(column, r);
      keys_.push_back(std::move(keys));
    }
    start(weight);
  }

  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_columns() const { return columns_.size(); }
  std::size_t width() const { return figure_width(target_); }

  // All rows at the root again, each with a weight; those of weight 0 are left out.
  void start(std::span<const std::int64_t> weight) {
    root_.clear();
    for (std::size_t r = 0; r < weight.size(); ++r)
      if (weight[r] > 0) root_.push_back({static_cast<std::int32_t>(r), weight[r]});
    rows_.clear();
    rows_[0] = root_;
  }

  std::span<const Piece> pieces(std::int32_t node) const {
    const auto found = rows_.find(node);
    return found == rows_.end() ? std::span<const Piece>() : std::span(found->second);
  }

  // Cells between edges: edges[j - 1] <= key < edges[j]; and one more, the last, of the gaps. Where there is
  // a `side`, its branches are the classes, and rows without its value are left out.
  CellFigures count(std::int32_t node, std::size_t column, std::span<const std::uint64_t> edges,
                    const PlainTest* side) {
    return with_side(node, side, [&](const auto& target, std::span<const Piece> pieces) {
      CellFigures cells(figure_width(target), edges.size() + 2);
      const std::vector<std::uint64_t>& keys = keys_[column];
      if (const std::vector<std::uint16_t>* codes = coded(column, edges)) {
        for (Piece piece : pieces) {
          const auto row = static_cast<std::size_t>(piece.row);
          cells.add(target, (*codes)[row], keys[row], piece);
        }
        return cells;
      }
      for (Piece piece : pieces) {
        const std::uint64_t key = keys[static_cast<std::size_t>(piece.row)];
        cells.add(target, cell_of(key, edges), key, piece);
      }
      return cells;
    });
  }

  // A cell for each value between first[i] and last[i], both included; these stretches are ascending.
  CellFigures look(std::int32_t node, std::size_t column, std::span<const std::uint64_t> first,
                   std::span<const std::uint64_t> last, const PlainTest* side) {
    return with_side(node, side, [&](const auto& target, std::span<const Piece> pieces) {
      return seen(target, pieces, keys_[column], first, last);
    });
  }

  // Squares of rounded deviations, times weight (opening.hpp).
  int128 squares(std::int32_t node, std::int64_t centre, int shift) const {
    int128 sum = 0;
    if constexpr (std::is_same_v<Target, NumberTarget>) {
      const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
      for (Piece piece : pieces(node)) {
        const std::int64_t d = (target_.value[static_cast<std::size_t>(piece.row)] - centre + half) >> shift;
        sum += static_cast<int128>(piece.weight) * d * d;
      }
    }
    return sum;
  }

  // The values of a column among the rows of a node, ascending, each once.
  std::vector<std::uint64_t> present(std::int32_t node, std::size_t column) const {
    std::vector<std::uint64_t> keys;
    for (Piece piece : pieces(node)) keys.push_back(keys_[column][static_cast<std::size_t>(piece.row)]);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    if (!keys.empty() && keys.back() == gap_key) keys.pop_back();
    return keys;
  }

  // The greatest value of a column, among all rows, that is not above x; below all numbers where there is
  // none.
  double largest_at_most(std::size_t column, double x) const {
    double most = -std::numeric_limits<double>::infinity();
    for (Piece piece : root_) {
      const std::uint64_t key = keys_[column][static_cast<std::size_t>(piece.row)];
      if (key == gap_key) continue;
      const double value = value_of(columns_[column], key);
      if (value <= x) most = std::max(most, value);
    }
    return most;
  }

  void apply(const Move& move) { divide(rows_, move); }

  // The figures of each node of a tree, all rows going down it from the root; children have higher numbers.
  std::vector<std::int64_t> tally(std::span<const Move> moves, std::size_t n_nodes) const {
    std::vector<std::int64_t> figures(n_nodes * width());
    Nodes rows{{0, root_}};
    auto add_up = [&](std::int32_t node, std::span<const Piece> pieces) {
      if (static_cast<std::size_t>(node) >= n_nodes) return;
      for (Piece piece : pieces)
        add_figures(target_, piece, figures.data() + static_cast<std::size_t>(node) * width());
    };
    for (const Move& move : moves) {
      add_up(move.node, rows[move.node]);
      divide(rows, move);
    }
    for (const auto& [node, pieces] : rows) add_up(node, pieces);
    return figures;
  }

 private:
  using Nodes = std::map<std::int32_t, std::vector<Piece>>;

  static std::size_t cell_of(std::uint64_t key, std::span<const std::uint64_t> edges) {
    if (key == gap_key) return edges.size() + 1;
    return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), key) - edges.begin());
  }

  // The cell of every row, once a column is counted by the same edges again: level after level.
  const std::vector<std::uint16_t>* coded(std::size_t column, std::span<const std::uint64_t> edges) {
    Coded& kept = coded_[column];
    if (edges.size() < 2 || edges.size() + 2 > std::numeric_limits<std::uint16_t>::max()) return nullptr;
    if (!kept.cell.empty() && std::ranges::equal(kept.edges, edges)) return &kept.cell;
    if (!std::ranges::equal(kept.last, edges)) {
      kept.last.assign(edges.begin(), edges.end());
      return nullptr;
    }
    kept.edges = kept.last;
    kept.cell.resize(n_rows_);
    for (std::size_t r = 0; r < n_rows_; ++r)
      kept.cell[r] = static_cast<std::uint16_t>(cell_of(keys_[column][r], edges));
    return &kept.cell;
  }

  // Call `use` with the target and the rows of a node, or with the sides of a test and the rows that have
  // one.
  template <class Use>
  CellFigures with_side(std::int32_t node, const PlainTest* side, Use use) {
    if (side == nullptr) return use(target_, pieces(node));
    side_.resize(n_rows_);
    with_a_side_.clear();
    for (Piece piece : pieces(node)) {
      const std::int32_t branch = answer(*side, piece.row);
      if (branch < 0) continue;
      side_[static_cast<std::size_t>(piece.row)] = branch;
      with_a_side_.push_back(piece);
    }
    return use(ClassTarget{side_, 2}, std::span<const Piece>(with_a_side_));
  }

  template <class AnyTarget>
  static CellFigures seen(const AnyTarget& target, std::span<const Piece> pieces,
                          const std::vector<std::uint64_t>& keys, std::span<const std::uint64_t> first,
                          std::span<const std::uint64_t> last) {
    std::vector<std::pair<std::uint64_t, Piece>> found;
    for (Piece piece : pieces) {
      const std::uint64_t key = keys[static_cast<std::size_t>(piece.row)];
      const auto at = std::upper_bound(first.begin(), first.end(), key) - first.begin();
      if (at > 0 && key <= last[static_cast<std::size_t>(at - 1)] && key != gap_key)
        found.emplace_back(key, piece);
    }
    std::ranges::sort(found, {}, &std::pair<std::uint64_t, Piece>::first);
    std::size_t n = 0;
    for (std::size_t i = 0; i < found.size(); ++i) n += i == 0 || found[i].first != found[i - 1].first;
    CellFigures cells(figure_width(target), n);
    std::size_t cell = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      cell += i > 0 && found[i].first != found[i - 1].first;
      cells.add(target, cell, found[i].first, found[i].second);
    }
    return cells;
  }

  void divide(Nodes& rows, const Move& move) const {
    const auto found = rows.find(move.node);
    if (found == rows.end()) return;
    const std::vector<Piece> pieces = std::move(found->second);
    rows.erase(found);
    std::vector<std::vector<Piece>> parts(static_cast<std::size_t>(move.n_branches));
    for (Piece piece : pieces) {
      const std::int32_t branch = branch_of(move, piece.row);
      if (branch >= 0)
        parts[static_cast<std::size_t>(branch)].push_back(piece);
      else if (!move.shares.empty())
        branches::share(piece, move.shares, [&](std::size_t b, Piece share) { parts[b].push_back(share); });
      else if (move.missing >= 0)
        parts[static_cast<std::size_t>(move.missing)].push_back(piece);
    }
    for (std::size_t b = 0; b < parts.size(); ++b)
      if (!parts[b].empty()) rows[move.first + static_cast<std::int32_t>(b)] = std::move(parts[b]);
  }

  // The branch that a test, or the first of its stand-ins with an answer, says; -1: none has one.
  std::int32_t branch_of(const Move& move, std::int32_t row) const {
    std::int32_t branch = answer(move.test, row);
    for (std::size_t i = 0; branch < 0 && i < move.stand_ins.size(); ++i) {
      branch = answer(move.stand_ins[i].test, row);
      if (branch >= 0 && move.stand_ins[i].is_flipped) branch = 1 - branch;
    }
    return branch;
  }
  std::int32_t answer(const PlainTest& test, std::int32_t row) const {
    const auto column = static_cast<std::size_t>(test.column);
    const std::uint64_t key = keys_[column][static_cast<std::size_t>(row)];
    if (key == gap_key) return -1;
    if (test.code.empty()) return value_of(columns_[column], key) <= test.cut ? 0 : 1;
    const auto code = static_cast<std::int32_t>(key);
    const auto at = std::lower_bound(test.code.begin(), test.code.end(), code);
    const auto place = static_cast<std::size_t>(at - test.code.begin());
    return at == test.code.end() || *at != code ? -1 : test.branch[place];
  }

  // The edges that a column was counted by again, and those it was last counted by.
  struct Coded {
    std::vector<std::uint64_t> edges, last;
    std::vector<std::uint16_t> cell;
  };

  std::vector<Column> columns_;
  Target target_;
  std::size_t n_rows_;
  std::vector<std::vector<std::uint64_t>> keys_;  // of each column and row
  std::vector<Coded> coded_;
  std::vector<Piece> root_;
  Nodes rows_;  // of the nodes that are not divided yet
  std::vector<std::int32_t> side_;
  std::vector<Piece> with_a_side_;
};

}  // namespace treewright
