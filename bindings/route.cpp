#include "treewright/route.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"

namespace treewright::bindings {

namespace {

Detour detour(const std::string& name) {
  static const std::vector<std::pair<const char*, Detour>> table = {
      {"branch", Detour::branch}, {"divide", Detour::divide}, {"surrogate", Detour::surrogate},
      {"stop", Detour::stop},     {"refuse", Detour::refuse}, {"as_missing", Detour::as_missing}};
  for (const auto& [known, value] : table)
    if (name == known) return value;
  throw nb::value_error(("unknown detour '" + name + "'").c_str());
}

// The arrays of a call, kept alive until it ends.
class Fields {
 public:
  explicit Fields(const nb::dict& tree) : tree_(tree) {}
  template <class T>
  std::span<const T> operator()(const char* name) {
    kept_.push_back(nb::object(tree_[name]));
    return view(nb::cast<Array<T>>(kept_.back(), false));
  }

 private:
  const nb::dict& tree_;
  std::vector<nb::object> kept_;
};

// `tree` is a dict of the arrays of a checked Tree; `columns` are float64 or int32 arrays of n_rows each.
nb::tuple route_rows(const nb::dict& tree, const nb::list& columns, std::int64_t n_rows,
                     const std::string& gap, const std::string& unseen, std::int64_t n_threads) {
  Fields field(tree);
  const RouteTree t{.end = field.operator()<std::int32_t>("end"),
                    .column = field.operator()<std::int32_t>("column"),
                    .missing = field.operator()<std::int32_t>("missing"),
                    .largest = field.operator()<std::int32_t>("largest"),
                    .kind = field.operator()<std::uint8_t>("kind"),
                    .cut = field.operator()<double>("cut"),
                    .weight = field.operator()<double>("weight"),
                    .code_start = field.operator()<std::int64_t>("code_start"),
                    .code = field.operator()<std::int32_t>("code"),
                    .code_branch = field.operator()<std::int32_t>("code_branch"),
                    .surrogate_start = field.operator()<std::int64_t>("surrogate_start"),
                    .surrogate_code_start = field.operator()<std::int64_t>("surrogate_code_start"),
                    .surrogate_column = field.operator()<std::int32_t>("surrogate_column"),
                    .surrogate_code = field.operator()<std::int32_t>("surrogate_code"),
                    .surrogate_code_branch = field.operator()<std::int32_t>("surrogate_code_branch"),
                    .surrogate_kind = field.operator()<std::uint8_t>("surrogate_kind"),
                    .surrogate_flip = field.operator()<std::uint8_t>("surrogate_flip"),
                    .surrogate_cut = field.operator()<double>("surrogate_cut"),
                    .gap = detour(gap),
                    .unseen = detour(unseen)};
  std::vector<RouteColumn> views;
  for (nb::handle column : columns) {
    RouteColumn c;
    Array<double> number;
    if (nb::try_cast(column, number, false))
      c.number = view(number);
    else
      c.code = view(nb::cast<Array<std::int32_t>>(column, false));
    if (std::max(c.number.size(), c.code.size()) != static_cast<std::size_t>(n_rows))
      throw nb::value_error("a column and the number of rows differ");
    views.push_back(c);
  }
  Routed routed;
  {
    nb::gil_scoped_release released;
    routed = route(t, views, n_rows, n_threads);
  }
  return nb::make_tuple(owned(std::move(routed.node)), owned(std::move(routed.part_row)),
                        owned(std::move(routed.part_node)), owned(std::move(routed.part_weight)));
}

}  // namespace

void register_route(nb::module_& m) {
  m.def("route", &route_rows, nb::arg("tree"), nb::arg("columns"), nb::arg("n_rows"), nb::arg("gap"),
        nb::arg("unseen"), nb::arg("n_threads") = 1,
        "Return (node per row, row, node and weight of the parts of divided rows).");
}

}  // namespace treewright::bindings
