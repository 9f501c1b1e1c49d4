// A part of a table that answers for its rows.
#include "treewright/source.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "problem.hpp"

namespace treewright::bindings {

namespace {

using Keys = Array<std::uint64_t>;

nb::tuple told(CellFigures&& cells) {
  return nb::make_tuple(owned(std::move(cells.figures)), owned(std::move(cells.low)),
                        owned(std::move(cells.high)), owned(std::move(cells.least)),
                        owned(std::move(cells.greatest)));
}

class HeldPart {
 public:
  virtual ~HeldPart() = default;
  virtual nb::object rows(std::int32_t node) const = 0;
  virtual nb::tuple count(std::int32_t node, std::size_t column, const Keys& edges) const = 0;
  virtual nb::tuple look(std::int32_t node, std::size_t column, const Keys& first,
                         const Keys& last) const = 0;
  virtual nb::object squares(std::int32_t node, std::int64_t centre, int shift) const = 0;
  virtual nb::object present(std::int32_t node, std::size_t column) const = 0;
  virtual double largest_at_most(std::size_t column, double x) const = 0;
  virtual void apply(std::int32_t node, std::int32_t column, double cut, const Array<std::int32_t>& code,
                     const Array<std::int32_t>& branch, std::int32_t n_branches, std::int32_t missing,
                     std::int32_t first) = 0;
};

template <class Target>
class PartOf : public HeldPart {
 public:
  PartOf(const Problem& problem, const Target& target, nb::object kept)
      : kept_(std::move(kept)),
        n_columns_(problem.columns.size()),
        part_(problem.columns, target, problem.weight) {}

  nb::object rows(std::int32_t node) const override {
    const auto found = part_.rows(node);
    return owned(std::vector<std::int32_t>(found.begin(), found.end()));
  }
  nb::tuple count(std::int32_t node, std::size_t column, const Keys& edges) const override {
    check(column);
    return told(part_.count(node, column, view(edges)));
  }
  nb::tuple look(std::int32_t node, std::size_t column, const Keys& first, const Keys& last) const override {
    check(column);
    if (first.size() != last.size()) throw nb::value_error("stretches need both ends");
    return told(part_.look(node, column, view(first), view(last)));
  }
  // A Python int, whatever its size.
  nb::object squares(std::int32_t node, std::int64_t centre, int shift) const override {
    if (shift < 0 || shift > 62) throw nb::value_error("the shift is out of range");
    const int128 sum = part_.squares(node, centre, shift);
    const auto low = static_cast<std::uint64_t>(sum);
    const auto high = static_cast<std::int64_t>(sum >> 64);
    return (nb::cast(high) << nb::cast(64)) | nb::cast(low);
  }
  nb::object present(std::int32_t node, std::size_t column) const override {
    check(column);
    return owned(part_.present(node, column));
  }
  double largest_at_most(std::size_t column, double x) const override {
    check(column);
    return part_.largest_at_most(column, x);
  }
  void apply(std::int32_t node, std::int32_t column, double cut, const Array<std::int32_t>& code,
             const Array<std::int32_t>& branch, std::int32_t n_branches, std::int32_t missing,
             std::int32_t first) override {
    check(static_cast<std::size_t>(column));
    if (code.size() != branch.size()) throw nb::value_error("codes and branches differ in length");
    for (std::int32_t b : view(branch))
      if (b < 0 || b >= n_branches) throw nb::value_error("a branch is out of range");
    if (missing >= n_branches || first <= node) throw nb::value_error("the children are out of range");
    part_.apply({node, column, cut, view(code), view(branch), n_branches, missing, first});
  }

 private:
  void check(std::size_t column) const {
    if (column >= n_columns_) throw nb::value_error("there is no such column");
  }
  nb::object kept_;
  std::size_t n_columns_;
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
      .def("rows", &HeldPart::rows, nb::arg("node"))
      .def("count", &HeldPart::count, nb::arg("node"), nb::arg("column"), nb::arg("edges").noconvert())
      .def("look", &HeldPart::look, nb::arg("node"), nb::arg("column"), nb::arg("first").noconvert(),
           nb::arg("last").noconvert())
      .def("squares", &HeldPart::squares, nb::arg("node"), nb::arg("centre"), nb::arg("shift"))
      .def("present", &HeldPart::present, nb::arg("node"), nb::arg("column"))
      .def("largest_at_most", &HeldPart::largest_at_most, nb::arg("column"), nb::arg("x"))
      .def("apply", &HeldPart::apply, nb::arg("node"), nb::arg("column"), nb::arg("cut"),
           nb::arg("code").noconvert(), nb::arg("branch").noconvert(), nb::arg("n_branches"),
           nb::arg("missing"), nb::arg("first"));
}

}  // namespace treewright::bindings
