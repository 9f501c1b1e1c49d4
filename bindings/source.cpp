// A part of a table that answers for its rows.
#include "treewright/source.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "moves.hpp"
#include "problem.hpp"

namespace treewright::bindings {

namespace {

using Keys = Array<std::uint64_t>;
using Codes = Array<std::int32_t>;
using Whole = Array<std::int64_t>;

class HeldPart {
 public:
  virtual ~HeldPart() = default;
  virtual void start(const Whole& weight) = 0;
  virtual nb::tuple pieces(std::int32_t node) const = 0;
  virtual nb::tuple count(const nb::sequence& asks) = 0;
  virtual nb::tuple look(const nb::sequence& asks) = 0;
  virtual nb::object squares(std::int32_t node, std::int64_t centre, int shift) const = 0;
  virtual nb::object present(std::int32_t node, std::size_t column) const = 0;
  virtual double largest_at_most(std::size_t column, double x) const = 0;
  virtual void apply(const nb::sequence& moves) = 0;
  virtual nb::object tally(const nb::sequence& moves, std::size_t n_nodes) const = 0;
};

template <class Target>
class PartOf : public HeldPart {
 public:
  PartOf(const Problem& problem, const Target& target, nb::object kept)
      : kept_(std::move(kept)), part_(problem.columns, target, problem.weight) {}

  void start(const Whole& weight) override {
    if (weight.size() != part_.n_rows()) throw nb::value_error("there must be one weight for each row");
    part_.start(view(weight));
  }
  nb::tuple pieces(std::int32_t node) const override {
    std::vector<std::int32_t> rows;
    std::vector<std::int64_t> weights;
    for (Piece piece : part_.pieces(node)) {
      rows.push_back(piece.row);
      weights.push_back(piece.weight);
    }
    return nb::make_tuple(owned(std::move(rows)), owned(std::move(weights)));
  }
  nb::tuple count(const nb::sequence& asks) override {
    FlatCells found;
    for (nb::handle ask : asks) {
      const auto side = side_of(ask, part_.n_columns());
      found.add(part_.count(field<std::int32_t>(ask, "node"), column_of(ask, part_.n_columns()),
                            array_field<std::uint64_t>(ask, "edges"), side ? &*side : nullptr));
    }
    return found.as_tuple();
  }
  nb::tuple look(const nb::sequence& asks) override {
    FlatCells found;
    for (nb::handle ask : asks) {
      const auto first = array_field<std::uint64_t>(ask, "first"),
                 last = array_field<std::uint64_t>(ask, "last");
      if (first.size() != last.size()) throw nb::value_error("stretches need both ends");
      const auto side = side_of(ask, part_.n_columns());
      found.add(part_.look(field<std::int32_t>(ask, "node"), column_of(ask, part_.n_columns()), first, last,
                           side ? &*side : nullptr));
    }
    return found.as_tuple();
  }
  nb::object squares(std::int32_t node, std::int64_t centre, int shift) const override {
    if (shift < 0 || shift > 62) throw nb::value_error("the shift is out of range");
    return python_int(part_.squares(node, centre, shift));
  }
  nb::object present(std::int32_t node, std::size_t column) const override {
    check(column);
    return owned(part_.present(node, column));
  }
  double largest_at_most(std::size_t column, double x) const override {
    check(column);
    return part_.largest_at_most(column, x);
  }
  void apply(const nb::sequence& moves) override {
    for (nb::handle move : moves) part_.apply(move_of(move, part_.n_columns()));
  }
  nb::object tally(const nb::sequence& moves, std::size_t n_nodes) const override {
    std::vector<Move> all;
    for (nb::handle move : moves) all.push_back(move_of(move, part_.n_columns()));
    std::ranges::sort(all, {}, &Move::node);  // children have higher numbers
    return owned(part_.tally(all, n_nodes));
  }

 private:
  void check(std::size_t column) const {
    if (column >= part_.n_columns()) throw nb::value_error("there is no such column");
  }
  nb::object kept_;
  Part<Target> part_;
};

std::shared_ptr<HeldPart> of_classes(const std::vector<HeldColumn>& columns, const Array<std::int32_t>& label,
                                     std::int64_t n_classes, const Array<std::int64_t>& weight) {
  const Settings settings;
  const ClassTarget target = class_target(label, n_classes, weight, settings);
  return std::make_shared<PartOf<ClassTarget>>(
      problem_of(columns, weight, settings, nb::none(), nb::none()), target,
      nb::make_tuple(nb::cast(columns), nb::cast(label), nb::cast(weight)));
}
std::shared_ptr<HeldPart> of_numbers(const std::vector<HeldColumn>& columns, const Array<std::int64_t>& value,
                                     int coarse_shift, const Array<std::int64_t>& weight) {
  const NumberTarget target = number_target(value, coarse_shift, weight);
  return std::make_shared<PartOf<NumberTarget>>(
      problem_of(columns, weight, Settings(), nb::none(), nb::none()), target,
      nb::make_tuple(nb::cast(columns), nb::cast(value), nb::cast(weight)));
}

}  // namespace

void register_source(nb::module_& m) {
  nb::class_<HeldPart>(m, "Part", "A part of a table that answers for its rows; see grow.sourced.source.")
      .def_static("of_classes", &of_classes, nb::arg("columns"), nb::arg("label").noconvert(),
                  nb::arg("n_classes"), nb::arg("weight").noconvert())
      .def_static("of_numbers", &of_numbers, nb::arg("columns"), nb::arg("value").noconvert(),
                  nb::arg("coarse_shift"), nb::arg("weight").noconvert())
      .def("start", &HeldPart::start, nb::arg("weight").noconvert(),
           "All rows at the root again, each with a weight; those of weight 0 are left out.")
      .def("pieces", &HeldPart::pieces, nb::arg("node"), "The rows of a node, and what each weighs there.")
      .def("count", &HeldPart::count, nb::arg("asks"))
      .def("look", &HeldPart::look, nb::arg("asks"))
      .def("squares", &HeldPart::squares, nb::arg("node"), nb::arg("centre"), nb::arg("shift"))
      .def("present", &HeldPart::present, nb::arg("node"), nb::arg("column"))
      .def("largest_at_most", &HeldPart::largest_at_most, nb::arg("column"), nb::arg("x"))
      .def("apply", &HeldPart::apply, nb::arg("moves"))
      .def("tally", &HeldPart::tally, nb::arg("moves"), nb::arg("n_nodes"));
}

}  // namespace treewright::bindings
