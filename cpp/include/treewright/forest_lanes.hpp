// Trees that only cut numbers in two, in the fewest bytes a node, and many rows on their way through them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "column.hpp"
#include "rank.hpp"
#include "walk.hpp"

namespace treewright {

// A number as an unsigned one of the same order: a comparison of whole numbers and an addition with carry
// make a step, in half the instructions. 0 is a gap; nothing is above `highest` but the cuts of leaves.
template <class T>
struct Key {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1), gap = 0;
  static constexpr Bits highest = sizeof(T) == 4 ? Bits{0xFF800000} : static_cast<Bits>(0xFFF0000000000000);

  static Bits of(T x) {
    const Bits bits = std::bit_cast<Bits>(x + T{0});  // -0 is 0
    const Bits ordered = (bits & sign) != 0 ? ~bits : bits | sign;
    return x != x ? gap : ordered;
  }
};

// 8 bytes for float32, 16 for float64. Of two children the second lies behind the first. A leaf leads to
// itself, as no number is above its cut, which holds the number of the leaf in its tree.
template <class T>
struct Turn {
  using Bits = typename Key<T>::Bits;
  static constexpr std::uint32_t n_places = 1u << 23, n_columns = 256;

  Bits cut;
  std::uint32_t word;  // the column in the lowest byte; above it the place of the first child

  std::uint32_t column() const { return word & 0xFF; }
  std::uint32_t next() const { return word >> 8; }
  bool is_leaf() const { return cut > Key<T>::highest; }
  std::uint32_t leaf() const { return static_cast<std::uint32_t>(cut - Key<T>::highest - 1); }

  static Turn of_leaf(std::uint32_t number, std::uint32_t place) {
    return {Key<T>::highest + 1 + number, place << 8};
  }
};

// All trees of a forest as turns. Tree t begins at start[t] and ends at start[t + 1]; places count from
// there.
template <class T>
struct Turns {
  std::vector<Turn<T>> turn;
  std::vector<std::uint8_t> gap_goes_right;  // by place; looked at where a value is missing
  std::vector<std::size_t> start;
};

// Whether trees can be laid out so: two branches everywhere, numbers only, not too many of anything.
inline bool has_only_turns(const RouteTree& nodes, std::span<const std::int64_t> tree_start) {
  if (nodes.is_coded.empty() || nodes.is_coded.size() > Turn<float>::n_columns) return false;
  for (std::uint8_t coded : nodes.is_coded)
    if (coded != 0) return false;
  for (std::size_t t = 0; t + 1 < tree_start.size(); ++t) {
    const auto root = static_cast<std::size_t>(tree_start[t]),
               stop = static_cast<std::size_t>(tree_start[t + 1]);
    if (stop - root >= Turn<float>::n_places) return false;
    for (std::size_t i = root; i < stop; ++i) {
      if (nodes.kind[i] == 0) continue;
      const std::size_t second = root + static_cast<std::size_t>(nodes.end[i + 1]);
      if (nodes.end[second] != nodes.end[i]) return false;  // a third branch
    }
  }
  return true;
}

template <class T>
typename Key<T>::Bits key_of(double cut) {
  if constexpr (std::is_same_v<T, float>) return Key<float>::of(not_above(cut));
  return Key<T>::of(static_cast<T>(cut));
}

// The children of a node lie side by side; then come those of the child that most rows take, and what is
// below it: a row finds its next steps near the last, mostly.
template <class T>
Turns<T> turns_of(const RouteTree& nodes, std::span<const std::int64_t> tree_start) {
  Turns<T> found;
  found.turn.resize(nodes.kind.size());
  found.gap_goes_right.resize(nodes.kind.size());
  std::vector<std::uint32_t> leaf(nodes.kind.size());  // how many come before a node in its tree
  std::vector<std::pair<std::size_t, std::uint32_t>> open;
  for (std::size_t t = 0; t + 1 < tree_start.size(); ++t) {
    const auto root = static_cast<std::size_t>(tree_start[t]),
               stop = static_cast<std::size_t>(tree_start[t + 1]);
    found.start.push_back(root);
    for (std::size_t i = root + 1; i < stop; ++i) leaf[i] = leaf[i - 1] + (nodes.kind[i - 1] == 0 ? 1 : 0);
    std::uint32_t next = 1;
    open.assign(1, {root, 0});
    while (!open.empty()) {
      const auto [i, place] = open.back();
      open.pop_back();
      Turn<T>& turn = found.turn[root + place];
      if (nodes.kind[i] == 0) {
        turn = Turn<T>::of_leaf(leaf[i], place);
        continue;
      }
      turn = {key_of<T>(nodes.cut[i]), next << 8 | static_cast<std::uint32_t>(nodes.column[i])};
      const std::int32_t on_gap = nodes.missing[i] < 0 ? nodes.largest[i] : nodes.missing[i];
      found.gap_goes_right[root + place] = on_gap == 1 ? 1 : 0;
      const std::pair left{i + 1, next}, right{root + static_cast<std::size_t>(nodes.end[i + 1]), next + 1};
      next += 2;
      open.push_back(nodes.largest[i] == 1 ? left : right);
      open.push_back(nodes.largest[i] == 1 ? right : left);
    }
  }
  found.start.push_back(nodes.kind.size());
  return found;
}

// Hardware prefetching: read a tree once from end to end before many rows pass through it. Rows on their way
// would meet its lines as cache misses one by one; lines in a row are brought before they are asked for, and
// better so than by prefetch instructions. Returns what keeps the compiler from leaving it out.
template <class T>
std::uint32_t bring_near(const Turns<T>& turns, std::size_t tree, std::size_t n_rows) {
  constexpr std::size_t line = 64 / sizeof(Turn<T>), lines_of_row = 16;
  const std::size_t begin = turns.start[tree], end = turns.start[tree + 1];
  std::uint32_t words = 0;
  if ((end - begin) / line > n_rows * lines_of_row) return words;  // few rows see little of the tree
  for (std::size_t place = begin; place < end; place += line) words |= turns.turn[place].word;
  return words;
}

// The cells of some rows as keys, row after row. It is known whether any is missing.
template <class T>
class Block {
 public:
  using Bits = typename Key<T>::Bits;
  static constexpr std::size_t most_cells = 1 << 20;

  Block(const RouteColumns<T>& columns, std::size_t begin, std::size_t end)
      : begin_(begin), width_(columns.number.size()), key_((end - begin) * width_) {
    if (columns.step == 1) {  // cells of a column lie side by side
      for (std::size_t c = 0; c < width_; ++c)
        for (std::size_t row = begin; row < end; ++row) put(row, c, columns.number[c][row]);
    } else {
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t c = 0; c < width_; ++c)
          put(row, c, columns.number[c][static_cast<std::int64_t>(row) * columns.step]);
    }
  }

  const Bits* key() const { return key_.data(); }
  std::size_t width() const { return width_; }
  bool has_gaps() const { return has_gaps_; }

 private:
  void put(std::size_t row, std::size_t column, T x) {
    key_[(row - begin_) * width_ + column] = Key<T>::of(x);
    has_gaps_ |= x != x;
  }

  std::size_t begin_, width_;
  std::vector<Bits> key_;
  bool has_gaps_ = false;
};

// Rows down one tree. Memory-level parallelism: several rows go a turn each in turns, so that their cache
// misses overlap. After a few turns those that have arrived make room for the next rows. Nothing here is a
// branch that depends on the data: a branch misprediction, once a row, would take back what the others did.
template <class T, bool has_gaps>
class Descent {
 public:
  using Bits = typename Key<T>::Bits;
  static constexpr std::size_t n = 12, n_turns = 8;

  // `leaf`: one for each row of the block, filled in.
  Descent(const Turns<T>& turns, std::size_t tree, const Block<T>& rows, std::span<std::uint32_t> leaf)
      : turn_(turns.turn.data() + turns.start[tree]),
        gap_(turns.gap_goes_right.data() + turns.start[tree]),
        width_(rows.width()),
        next_cell_(rows.key()),
        leaf_(leaf) {}

  void walk() {
    if (leaf_.size() >= 2 * n) lanes(std::make_index_sequence<n>{});
    for (; next_ < leaf_.size(); ++next_, next_cell_ += width_) to_leaf(0, next_, next_cell_);
  }

 private:
  template <std::size_t... lane>
  void lanes(std::index_sequence<lane...>) {
    ((row_[lane] = next_++, cell_[lane] = next_cell_, place_[lane] = 0, next_cell_ += width_), ...);
    while (next_ + n <= leaf_.size()) {
      for (std::size_t i = 1; i < n_turns; ++i) ((place_[lane] = past(place_[lane], cell_[lane])), ...);
      (turn_or_arrive(lane), ...);
    }
    (to_leaf(place_[lane], row_[lane], cell_[lane]), ...);
  }

  TREEWRIGHT_INLINE void turn_or_arrive(std::size_t lane) {
    const std::size_t place = place_[lane], after = past(place, cell_[lane]);
    leaf_[row_[lane]] = turn_[place].leaf();  // written again until it is one
    const std::size_t has_arrived = after == place ? 1 : 0, mask = std::size_t{0} - has_arrived;
    place_[lane] = after & ~mask;
    row_[lane] ^= (row_[lane] ^ next_) & mask;
    cell_[lane] += (next_cell_ - cell_[lane]) & static_cast<std::ptrdiff_t>(mask);
    next_ += has_arrived;
    next_cell_ += width_ & mask;
  }

  void to_leaf(std::size_t place, std::size_t row, const Bits* cell) {
    for (std::size_t next; (next = past(place, cell)) != place;) place = next;
    leaf_[row] = turn_[place].leaf();
  }

  TREEWRIGHT_INLINE std::size_t past(std::size_t place, const Bits* cell) const {
    const Turn<T>& turn = turn_[place];
    const std::uint32_t word = turn.word;
    const Bits key = cell[word & 0xFF];
    if constexpr (has_gaps)
      if (key == Key<T>::gap) [[unlikely]]
        return turn.is_leaf() ? place : turn.next() + std::size_t{gap_[place]};
    return (word >> 8) + (turn.cut < key ? 1u : 0u);
  }

  const Turn<T>* turn_;
  const std::uint8_t* gap_;
  const std::size_t width_;
  const Bits* next_cell_;
  std::span<std::uint32_t> leaf_;
  std::size_t next_ = 0;
  std::array<std::size_t, n> row_;
  std::array<const Bits*, n> cell_;
  std::array<std::size_t, n> place_;
};

// The leaf of every row of a block in one tree, counted from its first.
template <class T>
void descend(const Turns<T>& turns, std::size_t tree, const Block<T>& rows, std::span<std::uint32_t> leaf) {
  [[maybe_unused]] const volatile std::uint32_t read = bring_near(turns, tree, leaf.size());
  if (rows.has_gaps())
    Descent<T, true>(turns, tree, rows, leaf).walk();
  else
    Descent<T, false>(turns, tree, rows, leaf).walk();
}

}  // namespace treewright
