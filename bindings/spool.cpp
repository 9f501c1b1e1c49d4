// Passes over blocks of rows that come from a disk.
#include "treewright/spool.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>

#include "moves.hpp"
#include "released.hpp"

namespace treewright::bindings {

namespace {

using Doubles = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
bool takes(nb::handle given, std::size_t n_rows, const T*& data) {
  Array<T> array;
  if (!nb::try_cast(given, array, false)) return false;
  if (array.size() != n_rows) throw nb::value_error("arrays of a block differ in length");
  data = array.data();
  return true;
}

// A block and the arrays it views.
class HeldBlock {
 public:
  HeldBlock(std::size_t n_columns, const nb::object& target) : kept_() {
    block_.n_rows = nb::len(target);
    if (!takes(target, block_.n_rows, block_.label) && !takes(target, block_.n_rows, block_.value))
      throw nb::type_error("the target must be int32 labels or int64 numbers");
    block_.columns.resize(n_columns);
    kept_.append(target);
  }

  void put(std::size_t place, const nb::object& values, const nb::object& cells, bool is_cut) {
    using Type = spool::BlockColumn::Type;
    if (place >= block_.columns.size()) throw nb::value_error("there is no such column");
    spool::BlockColumn& column = block_.columns[place];
    const double* doubles = nullptr;
    const float* floats = nullptr;
    const std::uint8_t* bytes = nullptr;
    const std::int32_t* codes = nullptr;
    column.is_cut = is_cut;
    if (takes(values, block_.n_rows, doubles)) {
      column.type = Type::float64;
      column.values = doubles;
    } else if (takes(values, block_.n_rows, floats)) {
      column.type = Type::float32;
      column.values = floats;
    } else if (takes(values, block_.n_rows, bytes)) {
      column.type = Type::byte;
      column.values = bytes;
    } else if (takes(values, block_.n_rows, codes)) {
      column.type = Type::code;
      column.values = codes;
    } else if (!values.is_none()) {
      throw nb::type_error("a column must be float64, float32, uint8 or int32");
    }
    if (!cells.is_none() && !takes(cells, block_.n_rows, column.cells))
      throw nb::type_error("cells must be uint8");
    kept_.append(values);
    kept_.append(cells);
  }

  const spool::Block& block() const { return block_; }
  void check(const PlainTest& test) const { check(static_cast<std::size_t>(test.column)); }
  void check(std::size_t column, bool is_rough = false) const {
    if (column >= block_.columns.size() ||
        (block_.columns[column].values == nullptr && !(is_rough && block_.columns[column].cells != nullptr)))
      throw nb::value_error("the block lacks a column that is asked about");
  }
  void check(const std::vector<Move>& moves) const {
    for (const Move& move : moves) {
      check(move.test);
      for (const PlainStandIn& stand_in : move.stand_ins) check(stand_in.test);
    }
  }

 private:
  spool::Block block_;
  nb::list kept_;
};

template <class Number>
void code_cells(const Array<Number>& values, const Array<double>& edges, const Bytes& cells,
                const Doubles& low, const Doubles& high) {
  if (edges.size() > 254 || cells.size() != values.size() || low.size() != 255 || high.size() != 255)
    throw nb::value_error("cells do not fit");
  Released released;
  spool::code_cells<Number>(view(values), view(edges), cells.data(), low.data(), high.data());
}

template <class T>
std::vector<T> copied(const nb::object& given, const char* what) {
  if (given.is_none()) return {};
  const auto list = view(array_from<T>(given, what));
  return {list.begin(), list.end()};
}
template <class T>
nb::object given_back(const std::vector<T>& values) {
  return owned(std::vector<T>(values));
}

// Where the rows of a block are.
class HeldRows {
 public:
  HeldRows(const nb::object& node, const nb::object& weight, const nb::object& row) {
    placed_.node = copied<std::int32_t>(node, "node");
    placed_.weight = copied<std::int64_t>(weight, "weight");
    placed_.row = copied<std::int32_t>(row, "row");
    placed_.is_in_pieces = !row.is_none();
    if ((!weight.is_none() && placed_.weight.size() != placed_.node.size()) ||
        (!row.is_none() && placed_.row.size() != placed_.node.size()))
      throw nb::value_error("arrays of rows differ in length");
    for (std::int32_t r : placed_.row)
      if (r < 0) throw nb::value_error("a row is out of range");
  }
  void check(const HeldBlock& block) const {
    const std::size_t n = block.block().n_rows;
    const auto beyond = [n](std::int32_t r) { return static_cast<std::size_t>(r) >= n; };
    if (placed_.is_in_pieces ? std::ranges::any_of(placed_.row, beyond) : placed_.node.size() != n)
      throw nb::value_error("rows and block differ in number");
  }
  void divide(const HeldBlock& block, const nb::sequence& given, std::size_t n_columns) {
    std::vector<Move> moves;
    for (nb::handle move : given) moves.push_back(move_of(move, n_columns));
    check(block);
    block.check(moves);
    Released released;
    spool::divide(block.block(), moves, placed_);
  }
  nb::tuple arrays() const {
    nb::object weight = nb::none(), row = nb::none();
    if (!placed_.weight.empty() || placed_.is_in_pieces) weight = given_back(placed_.weight);
    if (placed_.is_in_pieces) row = given_back(placed_.row);
    return nb::make_tuple(given_back(placed_.node), weight, row);
  }
  const spool::Placed& placed() const { return placed_; }

 private:
  spool::Placed placed_;
};

// What is asked, and the objects that it views.
class Kept {
 public:
  spool::Place place(nb::handle ask, std::size_t n_columns) {
    kept_.append(ask);
    spool::Place found{field<std::int32_t>(ask, "node"), column_of(ask, n_columns), nullptr};
    if (found.node < 0) throw nb::value_error("there is no such node");
    if (const auto side = side_of(ask, n_columns)) found.side = &tests_.emplace_back(*side);
    return found;
  }

 private:
  nb::list kept_;
  std::deque<PlainTest> tests_;
};

template <class Pass>
void check_columns(const HeldBlock& block, const Pass& pass, const std::vector<spool::Place>& places,
                   const std::vector<char>& is_rough) {
  for (std::size_t c = 0; c < pass.asked().n_columns(); ++c)
    if (pass.asked().asks_of(c)) block.check(c, c < is_rough.size() && is_rough[c] != 0);
  for (const spool::Place& place : places)
    if (place.side != nullptr) block.check(*place.side);
}

class HeldPass {
 public:
  virtual ~HeldPass() = default;
  virtual void add(const HeldBlock& block, const HeldRows& rows) = 0;
  virtual void merge(HeldPass& other) = 0;
  virtual nb::tuple found() = 0;
};

template <class Amount>
void check_target(const HeldBlock& block, bool has_sides) {
  constexpr bool is_classes = std::is_same_v<Amount, spool::Classes>;
  const bool fits = is_classes ? has_sides || block.block().label != nullptr : block.block().value != nullptr;
  if (!fits) throw nb::type_error("the target is of another kind");
}

// Asks of a pass with what they view; a column of a node is asked about once.
template <class Ask>
struct Asks {
  std::vector<Ask> list;
  std::vector<spool::Place> places;
  std::vector<char> is_rough;  // of each column
  std::unique_ptr<Kept> kept = std::make_unique<Kept>();
  bool has_sides = false;

  void take(spool::Place place, bool rough, Ask ask) {
    has_sides |= place.side != nullptr;
    if (place.column >= is_rough.size()) is_rough.resize(place.column + 1, 1);
    if (!rough) is_rough[place.column] = 0;
    places.push_back(place);
    list.push_back(std::move(ask));
  }
  void check_once() const {
    spool::Asked asked;
    for (std::size_t a = 0; a < places.size(); ++a) {
      if (asked.has(places[a])) throw nb::value_error("a column of a node is asked about twice");
      asked.add(places[a], a);
    }
  }
};

template <class Amount, template <class> class Pass, class Ask>
class PassOf : public HeldPass {
 public:
  PassOf(Amount amount, Asks<Ask> asks) : asks_(std::move(asks)), pass_(amount, std::move(asks_.list)) {}
  void add(const HeldBlock& block, const HeldRows& rows) override {
    check_target<Amount>(block, asks_.has_sides);
    check_columns(block, pass_, asks_.places, asks_.is_rough);
    rows.check(block);
    Released released;
    pass_.add(block.block(), rows.placed());
  }
  void merge(HeldPass& other) override { pass_.merge(dynamic_cast<PassOf&>(other).pass_); }
  nb::tuple found() override {
    FlatCells cells;
    {
      Released released;
      for (std::size_t a = 0; a < pass_.n_asks(); ++a) cells.add(pass_.cells(a));
    }
    return cells.as_tuple();
  }

 private:
  Asks<Ask> asks_;
  Pass<Amount> pass_;
};

template <template <class> class Pass, class Ask>
std::shared_ptr<HeldPass> pass_of(Asks<Ask> asks, std::size_t n_classes) {
  asks.check_once();
  if (n_classes == 0)
    return std::make_shared<PassOf<spool::Numbered, Pass, Ask>>(spool::Numbered{}, std::move(asks));
  return std::make_shared<PassOf<spool::Classes, Pass, Ask>>(spool::Classes{n_classes}, std::move(asks));
}

// Each ask with whether the block's own cells are meant, and whether keys do not matter.
std::shared_ptr<HeldPass> count_of(const std::vector<std::tuple<nb::object, bool, bool>>& given,
                                   std::size_t n_classes, std::size_t n_columns) {
  Asks<spool::CellAsk> asks;
  for (const auto& [ask, is_by_cell, is_rough] : given) {
    const spool::Place place = asks.kept->place(ask, n_columns);
    const auto edges = array_field<std::uint64_t>(ask, "edges");
    spool::CellAsk one{place, is_by_cell, is_rough, edges.size() + 2, {}};
    if (!is_by_cell) one.edges.assign(edges.begin(), edges.end());
    asks.take(place, is_by_cell && is_rough, std::move(one));
  }
  return pass_of<spool::Count>(std::move(asks), n_classes);
}

// Each ask with 256 bytes, or none: which cells of the block may hold a value that is looked for.
std::shared_ptr<HeldPass> look_of(const std::vector<std::tuple<nb::object, Array<std::uint8_t>>>& given,
                                  std::size_t n_classes, std::size_t n_columns) {
  Asks<spool::LookAsk> asks;
  for (const auto& [ask, is_open] : given) {
    const spool::Place place = asks.kept->place(ask, n_columns);
    const auto first = array_field<std::uint64_t>(ask, "first"),
               last = array_field<std::uint64_t>(ask, "last");
    const auto open = view(is_open);
    if (first.size() != last.size()) throw nb::value_error("stretches need both ends");
    if (!open.empty() && open.size() != 256) throw nb::value_error("there are 256 cells");
    asks.take(place, false,
              {place, {first.begin(), first.end()}, {last.begin(), last.end()}, {open.begin(), open.end()}});
  }
  return pass_of<spool::Look>(std::move(asks), n_classes);
}

class HeldSquares {
 public:
  explicit HeldSquares(const std::vector<std::tuple<std::int32_t, std::int64_t, int>>& asks)
      : squares_(asks_of(asks)) {}
  void add(const HeldBlock& block, const HeldRows& rows) {
    check_target<spool::Numbered>(block, false);
    rows.check(block);
    Released released;
    squares_.add(block.block(), rows.placed());
  }
  void merge(const HeldSquares& other) { squares_.merge(other.squares_); }
  nb::list found() const {
    nb::list out;
    for (const int128 sum : squares_.sums()) out.append(python_int(sum));
    return out;
  }

 private:
  static std::vector<spool::SquareAsk> asks_of(
      const std::vector<std::tuple<std::int32_t, std::int64_t, int>>& asks) {
    std::vector<spool::SquareAsk> found;
    for (const auto& [node, centre, shift] : asks) {
      if (node < 0 || shift < 0 || shift > 62) throw nb::value_error("the shift is out of range");
      found.push_back({node, centre, shift});
    }
    return found;
  }
  spool::Squares squares_;
};

}  // namespace

void register_spool(nb::module_& m) {
  nb::class_<HeldBlock>(m, "SpoolBlock", "Some rows from a disk; see cpp/include/treewright/spool.hpp.")
      .def(nb::init<std::size_t, nb::object>(), nb::arg("n_columns"), nb::arg("target"))
      .def("put", &HeldBlock::put, nb::arg("column"), nb::arg("values").none(), nb::arg("cells").none(),
           nb::arg("is_cut"));
  nb::class_<HeldRows>(m, "SpoolRows", "Where the rows of a block are, or the pieces of them.")
      .def(nb::init<nb::object, nb::object, nb::object>(), nb::arg("node"), nb::arg("weight").none(),
           nb::arg("row").none())
      .def("divide", &HeldRows::divide, nb::arg("block"), nb::arg("moves"), nb::arg("n_columns"),
           "Send the rows of nodes to their children.")
      .def("arrays", &HeldRows::arrays, "Node, weight or None, and row or None, of each.");
  nb::class_<HeldPass>(m, "SpoolPass", "What lies in nodes, added up block by block.")
      .def_static("count", &count_of, nb::arg("asks"), nb::arg("n_classes"), nb::arg("n_columns"))
      .def_static("look", &look_of, nb::arg("asks"), nb::arg("n_classes"), nb::arg("n_columns"))
      .def("add", &HeldPass::add, nb::arg("block"), nb::arg("rows"))
      .def("merge", &HeldPass::merge, nb::arg("other"))
      .def("found", &HeldPass::found);
  nb::class_<HeldSquares>(m, "SpoolSquares", "Squares of nodes, added up block by block.")
      .def(nb::init<const std::vector<std::tuple<std::int32_t, std::int64_t, int>>&>(), nb::arg("asks"))
      .def("add", &HeldSquares::add, nb::arg("block"), nb::arg("rows"))
      .def("merge", &HeldSquares::merge, nb::arg("other"))
      .def("found", &HeldSquares::found);
  m.def("spool_cells", &code_cells<double>, nb::arg("values").noconvert(), nb::arg("edges").noconvert(),
        nb::arg("cells").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
        "Write the cell of each value, 255 for NaN; widen the ends of the cells.");
  m.def("spool_cells", &code_cells<float>, nb::arg("values").noconvert(), nb::arg("edges").noconvert(),
        nb::arg("cells").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert());
}

}  // namespace treewright::bindings
