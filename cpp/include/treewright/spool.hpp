// Passes over blocks of rows that come from a disk, one after the other: what lies in the cells of nodes, the
// values in stretches of them, squares; and where each row is in the tree, divided as moves say. A pass holds
// what it adds up, never a row; passes of several threads merge.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rank.hpp"
#include "shares.hpp"
#include "source.hpp"
#include "stats.hpp"
#include "wide.hpp"

namespace treewright::spool {

constexpr std::uint8_t gap_byte = 255;  // of cells, and of codes of one byte
constexpr std::size_t at_once = 8192;   // rows that are brought together before they are added up

// One column of a block: values as they lie on the disk, and beside them the cell of each.
struct BlockColumn {
  enum class Type : std::uint8_t { none, float64, float32, byte, code };
  Type type = Type::none;
  bool is_cut = true;
  const void* values = nullptr;
  const std::uint8_t* cells = nullptr;

  // Call `use` with a function from a row to its key (source.hpp).
  template <class Use>
  auto with_keys(Use use) const {
    const bool cut = is_cut;
    const auto of_code = [cut](std::int64_t code, bool is_gap) {
      if (is_gap) return gap_key;
      return cut ? ordered_bits(static_cast<double>(code)) : static_cast<std::uint64_t>(code);
    };
    const auto of_number = [](double x) { return std::isnan(x) ? gap_key : ordered_bits(x); };
    switch (type) {
      case Type::float64:
        return use(
            [v = static_cast<const double*>(values), of_number](std::size_t r) { return of_number(v[r]); });
      case Type::float32:
        return use([v = static_cast<const float*>(values), of_number](std::size_t r) {
          return of_number(static_cast<double>(v[r]));
        });
      case Type::byte:
        return use([v = static_cast<const std::uint8_t*>(values), of_code](std::size_t r) {
          return of_code(v[r], v[r] == gap_byte);
        });
      default:
        return use([v = static_cast<const std::int32_t*>(values), of_code](std::size_t r) {
          return of_code(v[r], v[r] < 0);
        });
    }
  }
  std::uint64_t key(std::size_t row) const {
    return with_keys([row](const auto& key_of_row) { return key_of_row(row); });
  }
};

struct Block {
  std::size_t n_rows = 0;
  const std::int32_t* label = nullptr;  // of classes
  const std::int64_t* value = nullptr;  // of numbers
  std::vector<BlockColumn> columns;

  std::int64_t target(std::size_t row) const { return label == nullptr ? value[row] : label[row]; }

  // The branch that a test says; -1: the row has no value that it knows.
  std::int32_t answer(const PlainTest& test, std::size_t row) const {
    const std::uint64_t key = columns[static_cast<std::size_t>(test.column)].key(row);
    if (key == gap_key) return -1;
    if (test.code.empty()) return number_of(key) <= test.cut ? 0 : 1;
    const auto code = static_cast<std::int32_t>(key);
    const auto at = std::lower_bound(test.code.begin(), test.code.end(), code);
    return at == test.code.end() || *at != code
               ? -1
               : test.branch[static_cast<std::size_t>(at - test.code.begin())];
  }
};

// Where the rows of a block are: the node of each, -1 nowhere. Once a row is divided, of each piece.
struct Placed {
  std::vector<std::int32_t> node;
  std::vector<std::int64_t> weight;  // none: each weighs 1
  std::vector<std::int32_t> row;     // of each piece; none: the rows are whole
  bool is_in_pieces = false;

  std::size_t row_of(std::size_t i) const { return is_in_pieces ? static_cast<std::size_t>(row[i]) : i; }
  std::int64_t weight_of(std::size_t i) const { return weight.empty() ? 1 : weight[i]; }
};

// The cell of each value: the number of edges that are not above it; `gap_byte` for a gap. At most 254 edges.
// `low` and `high` have the least and greatest value of each cell, and learn of these.
template <class Number>
void code_cells(std::span<const Number> values, std::span<const double> edges, std::uint8_t* cells,
                double* low, double* high) {
  double padded[256];
  std::fill(std::begin(padded), std::end(padded), std::numeric_limits<double>::infinity());
  std::copy(edges.begin(), edges.end(), padded);
  const auto n_edges = static_cast<std::uint8_t>(edges.size());
  for (std::size_t r = 0; r < values.size(); ++r) {
    const auto x = static_cast<double>(values[r]);
    if (std::isnan(x)) {
      cells[r] = gap_byte;
      continue;
    }
    std::size_t at = 0;
    for (std::size_t step = 128; step > 0; step /= 2) at += padded[at + step - 1] <= x ? step : 0;
    const auto cell = std::min(static_cast<std::uint8_t>(at), n_edges);
    cells[r] = cell;
    low[cell] = std::min(low[cell], x);
    high[cell] = std::max(high[cell], x);
  }
}

// Nodes that are asked about, numbered in the order in which they are met.
class Slots {
 public:
  // Returns the place of a node, a new one for a node that is not there yet.
  std::size_t place(std::int32_t node) {
    const auto at = static_cast<std::size_t>(node);
    if (at >= of_node_.size()) of_node_.resize(at + 1, -1);
    if (of_node_[at] < 0) of_node_[at] = n_++;
    return static_cast<std::size_t>(of_node_[at]);
  }
  std::int32_t of(std::int32_t node) const {
    return node < 0 || static_cast<std::size_t>(node) >= of_node_.size()
               ? -1
               : of_node_[static_cast<std::size_t>(node)];
  }
  std::size_t size() const { return static_cast<std::size_t>(n_); }

 private:
  std::vector<std::int32_t> of_node_;
  std::int32_t n_ = 0;
};

// Some rows of nodes that are asked about, with what they count for.
struct Some {
  std::vector<std::uint32_t> row;
  std::vector<std::int32_t> slot;
  std::vector<std::int64_t> target, weight;

  void clear() {
    row.clear();
    slot.clear();
    target.clear();
    weight.clear();
  }

  // Call `use` after some thousand rows each time. Where a slot has a side, its branches are the target, and
  // rows without its value are left out.
  template <class Use>
  void gather(const Block& block, const Placed& placed, const Slots& slots,
              std::span<const PlainTest* const> sides, Use use) {
    clear();
    for (std::size_t i = 0; i < placed.node.size(); ++i) {
      const std::int32_t at = slots.of(placed.node[i]);
      if (at < 0) continue;
      const std::size_t r = placed.row_of(i);
      const PlainTest* side = sides.empty() ? nullptr : sides[static_cast<std::size_t>(at)];
      const std::int64_t y = side == nullptr ? block.target(r) : block.answer(*side, r);
      if (side != nullptr && y < 0) continue;
      row.push_back(static_cast<std::uint32_t>(r));
      slot.push_back(at);
      target.push_back(y);
      weight.push_back(placed.weight_of(i));
      if (row.size() == at_once) {
        use();
        clear();
      }
    }
    if (!row.empty()) use();
  }
};

// What a row adds to a cell. Words of a cell: its least and greatest key, then
//   classes [ rows n_0 n_1 ... ]     numbers [ least greatest rows weight low high ]
struct Classes {
  std::size_t n_classes;
  std::size_t width() const { return 3 + n_classes; }
  std::size_t figures() const { return 1 + n_classes; }
  void clear(std::uint64_t* word) const {
    word[0] = std::numeric_limits<std::uint64_t>::max();
    std::fill(word + 1, word + width(), 0);
  }
  void add(std::int64_t target, std::int64_t weight, std::uint64_t* word) const {
    ++word[2];
    word[3 + static_cast<std::size_t>(target)] += static_cast<std::uint64_t>(weight);
  }
  void merge(const std::uint64_t* from, std::uint64_t* to) const {
    for (std::size_t i = 2; i < width(); ++i) to[i] += from[i];
  }
  void put(const std::uint64_t* word, CellFigures& cells, std::size_t at) const {
    for (std::size_t i = 0; i < figures(); ++i)
      cells.figures[at * figures() + i] = static_cast<std::int64_t>(word[2 + i]);
    for (std::size_t c = 0; c < n_classes; ++c) {
      if (word[3 + c] == 0) continue;
      cells.least[at] = std::min(cells.least[at], static_cast<std::int64_t>(c));
      cells.greatest[at] = static_cast<std::int64_t>(c);
    }
  }
};
struct Numbered {
  static constexpr std::size_t width() { return 8; }
  static constexpr std::size_t figures() { return 6; }
  static void clear(std::uint64_t* word) {
    std::fill(word, word + width(), 0);
    word[0] = std::numeric_limits<std::uint64_t>::max();
    word[2] = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    word[3] = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min());
  }
  static void add(std::int64_t y, std::int64_t w, std::uint64_t* word) {
    ends(y, y, word);
    ++word[4];
    word[5] += static_cast<std::uint64_t>(w);
    add_sum(static_cast<int128>(w) * y, word);
  }
  static void merge(const std::uint64_t* from, std::uint64_t* to) {
    ends(static_cast<std::int64_t>(from[2]), static_cast<std::int64_t>(from[3]), to);
    to[4] += from[4];
    to[5] += from[5];
    add_sum(sum(from), to);
  }
  static void put(const std::uint64_t* word, CellFigures& cells, std::size_t at) {
    std::int64_t* row = cells.figures.data() + at * figures();
    row[0] = static_cast<std::int64_t>(word[4]);
    row[1] = static_cast<std::int64_t>(word[5]);
    int128 all = sum(word);
    for (std::size_t i = 2; i < 5; ++i, all >>= limb_bits)
      row[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(all) & 0xFFFFFFFFu);
    row[5] = static_cast<std::int64_t>(all);
    cells.least[at] = static_cast<std::int64_t>(word[2]);
    cells.greatest[at] = static_cast<std::int64_t>(word[3]);
  }

 private:
  static int128 sum(const std::uint64_t* word) {
    return (static_cast<int128>(static_cast<std::int64_t>(word[7])) << 64) +
           static_cast<int128>(uint128(word[6]));
  }
  static void ends(std::int64_t least, std::int64_t greatest, std::uint64_t* word) {
    word[2] = static_cast<std::uint64_t>(std::min(static_cast<std::int64_t>(word[2]), least));
    word[3] = static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(word[3]), greatest));
  }
  static void add_sum(int128 more, std::uint64_t* word) {
    const int128 all = sum(word) + more;
    word[6] = static_cast<std::uint64_t>(all);
    word[7] = static_cast<std::uint64_t>(all >> 64);
  }
};

// What is asked about a column of a node; `side`: a test whose branches are the classes.
struct Place {
  std::int32_t node;
  std::size_t column;
  const PlainTest* side;
};

// The asks of each column, by slot: -1 where there is none. A node has one side for all its asks.
class Asked {
 public:
  void add(const Place& place, std::size_t ask) {
    const std::size_t slot = slots_.place(place.node);
    if (slot >= sides_.size()) sides_.resize(slot + 1, nullptr);
    sides_[slot] = place.side;
    if (place.column >= of_column_.size()) of_column_.resize(place.column + 1);
    std::vector<std::int32_t>& of_slot = of_column_[place.column];
    if (slot >= of_slot.size()) of_slot.resize(slot + 1, -1);
    of_slot[slot] = static_cast<std::int32_t>(ask);
  }
  bool has(const Place& place) const {
    const std::int32_t slot = slots_.of(place.node);
    return slot >= 0 && of(place.column, slot) >= 0;
  }
  std::int32_t of(std::size_t column, std::int32_t slot) const {
    if (column >= of_column_.size()) return -1;
    const std::vector<std::int32_t>& of_slot = of_column_[column];
    return static_cast<std::size_t>(slot) < of_slot.size() ? of_slot[static_cast<std::size_t>(slot)] : -1;
  }
  std::size_t n_columns() const { return of_column_.size(); }
  bool asks_of(std::size_t column) const { return column < of_column_.size() && !of_column_[column].empty(); }

  // Call `use` with a column, for some rows after the others.
  template <class Use>
  void each(const Block& block, const Placed& placed, Some& some, Use use) const {
    some.gather(block, placed, slots_, sides_, [&] {
      for (std::size_t c = 0; c < of_column_.size(); ++c)
        if (!of_column_[c].empty()) use(c);
    });
  }

 private:
  Slots slots_;
  std::vector<const PlainTest*> sides_;
  std::vector<std::vector<std::int32_t>> of_column_;
};

// Count columns of nodes in cells: those that the block has, or cells between edges of one's own. Where it is
// rough, the keys of cells are not looked at.
struct CellAsk {
  Place place;
  bool is_by_cell, is_rough;
  std::size_t n_cells;  // with that of the gaps, the last
  std::vector<std::uint64_t> edges;
};

template <class Amount>
class Count {
 public:
  Count(Amount amount, std::vector<CellAsk> asks)
      : amount_(amount), asks_(std::move(asks)), first_(), asked_(), words_(), is_rough_(), some_() {
    std::size_t n = 0;
    for (std::size_t a = 0; a < asks_.size(); ++a) {
      const CellAsk& ask = asks_[a];
      first_.push_back(n);
      n += ask.n_cells;
      asked_.add(ask.place, a);
      if (ask.place.column >= is_rough_.size()) is_rough_.resize(ask.place.column + 1, 1);
      if (!ask.is_rough || !ask.is_by_cell) is_rough_[ask.place.column] = 0;
    }
    words_.resize(n * amount_.width());
    for (std::size_t c = 0; c < n; ++c) amount_.clear(words_.data() + c * amount_.width());
  }

  void add(const Block& block, const Placed& placed) {
    asked_.each(block, placed, some_, [&](std::size_t c) {
      const BlockColumn& column = block.columns[c];
      if (is_rough_[c] != 0 && column.cells != nullptr) return add_rough(column.cells, c);
      column.with_keys([&](const auto& key) { add_column(column, c, key); });
    });
  }

  void merge(const Count& other) {
    const std::size_t width = amount_.width();
    for (std::size_t at = 0; at < words_.size(); at += width) {
      words_[at] = std::min(words_[at], other.words_[at]);
      words_[at + 1] = std::max(words_[at + 1], other.words_[at + 1]);
      amount_.merge(other.words_.data() + at, words_.data() + at);
    }
  }

  CellFigures cells(std::size_t ask) const {
    CellFigures found(amount_.figures(), asks_[ask].n_cells);
    for (std::size_t i = 0; i < asks_[ask].n_cells; ++i) {
      const std::uint64_t* word = words_.data() + (first_[ask] + i) * amount_.width();
      found.low[i] = word[0];
      found.high[i] = word[1];
      amount_.put(word, found, i);
    }
    return found;
  }

  std::size_t n_asks() const { return asks_.size(); }
  const Asked& asked() const { return asked_; }

 private:
  void add_rough(const std::uint8_t* cells, std::size_t column) {
    const std::size_t width = amount_.width();
    for (std::size_t i = 0; i < some_.row.size(); ++i) {
      const std::int32_t a = asked_.of(column, some_.slot[i]);
      if (a < 0) continue;
      const auto ask = static_cast<std::size_t>(a);
      const std::uint8_t byte = cells[some_.row[i]];
      const std::size_t cell = byte == gap_byte ? asks_[ask].n_cells - 1 : byte;
      amount_.add(some_.target[i], some_.weight[i], words_.data() + (first_[ask] + cell) * width);
    }
  }

  template <class Key>
  void add_column(const BlockColumn& column, std::size_t place, const Key& key_of_row) {
    for (std::size_t i = 0; i < some_.row.size(); ++i) {
      const std::int32_t a = asked_.of(place, some_.slot[i]);
      if (a < 0) continue;
      const CellAsk& ask = asks_[static_cast<std::size_t>(a)];
      const std::uint64_t key = key_of_row(some_.row[i]);
      std::size_t cell = ask.n_cells - 1;
      if (key != gap_key) cell = ask.is_by_cell ? cell_of(column, some_.row[i], key) : between(ask, key);
      std::uint64_t* word = words_.data() + (first_[static_cast<std::size_t>(a)] + cell) * amount_.width();
      word[0] = std::min(word[0], key);
      word[1] = std::max(word[1], key);
      amount_.add(some_.target[i], some_.weight[i], word);
    }
  }
  // Categories are cells themselves.
  static std::size_t cell_of(const BlockColumn& column, std::size_t row, std::uint64_t key) {
    return column.cells == nullptr ? static_cast<std::size_t>(key) : column.cells[row];
  }
  static std::size_t between(const CellAsk& ask, std::uint64_t key) {
    return static_cast<std::size_t>(std::upper_bound(ask.edges.begin(), ask.edges.end(), key) -
                                    ask.edges.begin());
  }

  Amount amount_;
  std::vector<CellAsk> asks_;
  std::vector<std::size_t> first_;  // the first cell of each ask
  Asked asked_;
  std::vector<std::uint64_t> words_;
  std::vector<char> is_rough_;  // of each column: no ask wants its keys
  Some some_;
};

// Look at the values between first[i] and last[i], both included, ascending; `is_open` says of each cell of
// the block whether it may hold one.
struct LookAsk {
  Place place;
  std::vector<std::uint64_t> first, last;
  std::vector<std::uint8_t> is_open;  // empty: cells say nothing
};

template <class Amount>
class Look {
 public:
  Look(Amount amount, std::vector<LookAsk> asks)
      : amount_(amount), asks_(std::move(asks)), found_(asks_.size()), asked_(), some_() {
    for (std::size_t a = 0; a < asks_.size(); ++a) asked_.add(asks_[a].place, a);
  }

  void add(const Block& block, const Placed& placed) {
    asked_.each(block, placed, some_, [&](std::size_t c) {
      const BlockColumn& column = block.columns[c];
      column.with_keys([&](const auto& key) { add_column(column, c, key); });
    });
  }

  void merge(Look& other) {
    for (std::size_t a = 0; a < found_.size(); ++a) {
      found_[a].insert(found_[a].end(), other.found_[a].begin(), other.found_[a].end());
      other.found_[a] = {};
    }
  }

  // A cell for each value, ascending.
  CellFigures cells(std::size_t ask) {
    std::vector<Value>& values = found_[ask];
    std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return a.key < b.key; });
    std::size_t n = 0;
    for (std::size_t i = 0; i < values.size(); ++i) n += i == 0 || values[i].key != values[i - 1].key;
    CellFigures cells(amount_.figures(), n);
    std::vector<std::uint64_t> word(amount_.width());
    std::size_t i = 0;
    for (std::size_t cell = 0; cell < n; ++cell) {
      cells.low[cell] = cells.high[cell] = values[i].key;
      amount_.clear(word.data());
      for (const std::uint64_t key = values[i].key; i < values.size() && values[i].key == key; ++i)
        amount_.add(values[i].target, values[i].weight, word.data());
      amount_.put(word.data(), cells, cell);
    }
    values = {};
    return cells;
  }

  std::size_t n_asks() const { return asks_.size(); }
  const Asked& asked() const { return asked_; }

 private:
  struct Value {
    std::uint64_t key;
    std::int64_t target, weight;
  };

  template <class Key>
  void add_column(const BlockColumn& column, std::size_t place, const Key& key_of_row) {
    for (std::size_t i = 0; i < some_.row.size(); ++i) {
      const std::int32_t a = asked_.of(place, some_.slot[i]);
      if (a < 0) continue;
      const LookAsk& ask = asks_[static_cast<std::size_t>(a)];
      const std::size_t row = some_.row[i];
      if (!ask.is_open.empty() && column.cells != nullptr && ask.is_open[column.cells[row]] == 0) continue;
      const std::uint64_t key = key_of_row(row);
      const auto at = std::upper_bound(ask.first.begin(), ask.first.end(), key) - ask.first.begin();
      if (at == 0 || key > ask.last[static_cast<std::size_t>(at - 1)] || key == gap_key) continue;
      found_[static_cast<std::size_t>(a)].push_back({key, some_.target[i], some_.weight[i]});
    }
  }

  Amount amount_;
  std::vector<LookAsk> asks_;
  std::vector<std::vector<Value>> found_;
  Asked asked_;
  Some some_;
};

// Squares of rounded deviations, times weight (opening.hpp).
struct SquareAsk {
  std::int32_t node;
  std::int64_t centre;
  int shift;
};
class Squares {
 public:
  explicit Squares(std::vector<SquareAsk> asks)
      : asks_(std::move(asks)), sums_(asks_.size(), 0), slots_(), some_() {
    for (const SquareAsk& ask : asks_) slots_.place(ask.node);
  }
  void add(const Block& block, const Placed& placed) {
    some_.gather(block, placed, slots_, {}, [&] {
      for (std::size_t i = 0; i < some_.row.size(); ++i) {
        const auto at = static_cast<std::size_t>(some_.slot[i]);
        const SquareAsk& ask = asks_[at];
        const std::int64_t half = ask.shift == 0 ? 0 : std::int64_t{1} << (ask.shift - 1);
        const std::int64_t d = (some_.target[i] - ask.centre + half) >> ask.shift;
        sums_[at] += static_cast<int128>(some_.weight[i]) * d * d;
      }
    });
  }
  void merge(const Squares& other) {
    for (std::size_t a = 0; a < sums_.size(); ++a) sums_[a] += other.sums_[a];
  }
  std::span<const int128> sums() const { return sums_; }

 private:
  std::vector<SquareAsk> asks_;
  std::vector<int128> sums_;
  Slots slots_;
  Some some_;
};

// The branch that a test, or the first of its stand-ins with an answer, says; -1: none has one.
inline std::int32_t branch_of(const Block& block, const Move& move, std::size_t row) {
  std::int32_t branch = block.answer(move.test, row);
  for (std::size_t i = 0; branch < 0 && i < move.stand_ins.size(); ++i) {
    branch = block.answer(move.stand_ins[i].test, row);
    if (branch >= 0 && move.stand_ins[i].is_flipped) branch = 1 - branch;
  }
  return branch;
}

// Send the rows of a block to the children of their nodes; -1: nowhere.
inline void divide_whole(const Block& block, std::span<const Move> moves, const Slots& slots,
                         Placed& placed) {
  for (std::size_t r = 0; r < placed.node.size(); ++r) {
    const std::int32_t at = slots.of(placed.node[r]);
    if (at < 0) continue;
    const Move& move = moves[static_cast<std::size_t>(at)];
    std::int32_t branch = branch_of(block, move, r);
    if (branch < 0) branch = move.missing;
    placed.node[r] = branch < 0 ? -1 : move.first + branch;
  }
}

// The same where rows are divided: a piece becomes several.
inline Placed divided(const Block& block, std::span<const Move> moves, const Slots& slots,
                      const Placed& placed) {
  Placed found;
  found.is_in_pieces = true;
  const auto keep = [&](std::size_t row, std::int32_t node, std::int64_t weight) {
    if (node < 0) return;
    found.row.push_back(static_cast<std::int32_t>(row));
    found.node.push_back(node);
    found.weight.push_back(weight);
  };
  for (std::size_t i = 0; i < placed.node.size(); ++i) {
    const std::size_t row = placed.row_of(i);
    const std::int32_t at = slots.of(placed.node[i]);
    if (at < 0) {
      keep(row, placed.node[i], placed.weight_of(i));
      continue;
    }
    const Move& move = moves[static_cast<std::size_t>(at)];
    const std::int32_t branch = branch_of(block, move, row);
    if (branch < 0 && !move.shares.empty()) {
      branches::share(Piece{static_cast<std::int32_t>(row), placed.weight_of(i)}, move.shares,
                      [&](std::size_t b, Piece share) {
                        keep(row, move.first + static_cast<std::int32_t>(b), share.weight);
                      });
      continue;
    }
    const std::int32_t to = branch < 0 ? move.missing : branch;
    keep(row, to < 0 ? -1 : move.first + to, placed.weight_of(i));
  }
  return found;
}

// Send rows to the children of their nodes, by moves of nodes that differ.
inline void divide(const Block& block, std::span<const Move> moves, Placed& placed) {
  Slots slots;
  bool has_shares = placed.is_in_pieces;
  for (const Move& move : moves) {
    slots.place(move.node);
    has_shares |= !move.shares.empty();
  }
  if (has_shares)
    placed = divided(block, moves, slots, placed);
  else
    divide_whole(block, moves, slots, placed);
}

}  // namespace treewright::spool
