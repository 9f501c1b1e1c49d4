// A Router as Python holds it: the tree laid out for rows, and the arrays it looks at.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "treewright/route.hpp"

namespace treewright::bindings {

inline Detour detour(const std::string& name) {
  static const std::vector<std::pair<const char*, Detour>> table = {
      {"branch", Detour::branch}, {"divide", Detour::divide}, {"surrogate", Detour::surrogate},
      {"stop", Detour::stop},     {"refuse", Detour::refuse}, {"as_missing", Detour::as_missing}};
  for (const auto& [known, value] : table)
    if (name == known) return value;
  throw nb::value_error(("unknown detour '" + name + "'").c_str());
}

// The arrays of a tree, kept alive as long as something looks at them.
class Fields {
 public:
  explicit Fields(const nb::dict& tree) : tree_(tree) {}
  template <class T>
  std::span<const T> of(const char* name) {
    kept_.push_back(nb::object(tree_[name]));
    return view(nb::cast<Array<T>>(kept_.back(), false));
  }
  std::vector<nb::object> kept() && { return std::move(kept_); }

 private:
  const nb::dict& tree_;
  std::vector<nb::object> kept_;
};

inline RouteTree tree_of(Fields& field, const std::string& gap, const std::string& unseen) {
  return {.end = field.of<std::int32_t>("end"),
          .column = field.of<std::int32_t>("column"),
          .missing = field.of<std::int32_t>("missing"),
          .largest = field.of<std::int32_t>("largest"),
          .kind = field.of<std::uint8_t>("kind"),
          .cut = field.of<double>("cut"),
          .weight = field.of<double>("weight"),
          .code_start = field.of<std::int64_t>("code_start"),
          .code = field.of<std::int32_t>("code"),
          .code_branch = field.of<std::int32_t>("code_branch"),
          .surrogate_start = field.of<std::int64_t>("surrogate_start"),
          .surrogate_code_start = field.of<std::int64_t>("surrogate_code_start"),
          .surrogate_column = field.of<std::int32_t>("surrogate_column"),
          .surrogate_code = field.of<std::int32_t>("surrogate_code"),
          .surrogate_code_branch = field.of<std::int32_t>("surrogate_code_branch"),
          .surrogate_kind = field.of<std::uint8_t>("surrogate_kind"),
          .surrogate_flip = field.of<std::uint8_t>("surrogate_flip"),
          .surrogate_cut = field.of<double>("surrogate_cut"),
          .is_coded = field.of<std::uint8_t>("is_coded"),
          .gap = detour(gap),
          .unseen = detour(unseen)};
}

// A Router and the arrays it looks at.
class TreeRouter {
 public:
  TreeRouter(const nb::dict& tree, const std::string& gap, const std::string& unseen)
      : TreeRouter(Fields(tree), gap, unseen) {}

  // `columns`: one array of float64 or int32 per column; or all of them, numbers, as one array of rows x
  // columns.
  nb::tuple route(nb::handle columns, std::int64_t n_rows, std::int64_t n_threads, bool row_by_row) const {
    if (n_rows < 0) throw nb::value_error("the number of rows is negative");
    if (nb::isinstance<nb::list>(columns))
      return routed(of_list(nb::cast<nb::list>(columns), n_rows), n_rows, n_threads, row_by_row);
    Grid<float> singles;
    if (nb::try_cast(columns, singles, false))
      return routed(of_grid(singles, n_rows), n_rows, n_threads, row_by_row);
    return routed(of_grid(nb::cast<Grid<double>>(columns, false), n_rows), n_rows, n_threads, row_by_row);
  }

  const Router& router() const { return router_; }

  RouteColumns<double> of_list(const nb::list& columns, std::int64_t n_rows) const {
    const auto& is_coded = router_.tree().is_coded;
    if (columns.size() != is_coded.size()) throw nb::value_error("these are not the columns of the tree");
    RouteColumns<double> found;
    for (std::size_t c = 0; c < is_coded.size(); ++c) {
      found.number.push_back(is_coded[c] == 0 ? cells<double>(columns[c], n_rows) : nullptr);
      found.code.push_back(is_coded[c] != 0 ? cells<std::int32_t>(columns[c], n_rows) : nullptr);
    }
    return found;
  }

 private:
  template <class T>
  using Grid = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

  TreeRouter(Fields field, const std::string& gap, const std::string& unseen)
      : router_(tree_of(field, gap, unseen)), kept_(std::move(field).kept()) {}

  template <class T>
  nb::tuple routed(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                   bool row_by_row) const {
    Routed found;
    {
      nb::gil_scoped_release released;
      found = router_.route(columns, n_rows, n_threads, row_by_row);
    }
    return nb::make_tuple(owned(std::move(found.node)), owned(std::move(found.part_row)),
                          owned(std::move(found.part_node)), owned(std::move(found.part_weight)));
  }

  // What is checked here is all that stands between a caller's arrays and the walk: the tree names only
  // columns it has, numbers are asked of columns of numbers and codes of the others, and each holds every
  // row.
  template <class T>
  RouteColumns<T> of_grid(const Grid<T>& grid, std::int64_t n_rows) const {
    const auto& is_coded = router_.tree().is_coded;
    if (static_cast<std::int64_t>(grid.shape(0)) != n_rows || grid.shape(1) != is_coded.size())
      throw nb::value_error("the array is not rows x columns of the tree");
    if (std::any_of(is_coded.begin(), is_coded.end(), [](std::uint8_t coded) { return coded != 0; }))
      throw nb::type_error("the tree has columns of categories; give a list of columns");
    RouteColumns<T> found{.number = {}, .step = grid.stride(0), .code = {}};
    for (std::size_t c = 0; c < is_coded.size(); ++c)
      found.number.push_back(grid.data() + static_cast<std::int64_t>(c) * grid.stride(1));
    return found;
  }

  template <class T>
  static const T* cells(nb::handle column, std::int64_t n_rows) {
    const auto array = nb::cast<Array<T>>(column, false);
    if (static_cast<std::int64_t>(array.size()) != n_rows)
      throw nb::value_error("a column and the number of rows differ");
    return array.data();
  }

  Router router_;
  std::vector<nb::object> kept_;
};

}  // namespace treewright::bindings
