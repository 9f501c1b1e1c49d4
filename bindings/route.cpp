#include "treewright/route.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

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

template <class T>
std::span<const T> field(const nb::dict& tree, const char* name) {
  // The dict keeps the array alive for the call.
  return view(nb::cast<Array<T>>(tree[name], false));
}

// `tree` is a dict of the arrays of a checked Tree; `columns` are float64 or int32 arrays of n_rows each.
nb::tuple route_rows(const nb::dict& tree, const nb::list& columns, std::int64_t n_rows,
                     const std::string& gap, const std::string& unseen, std::int64_t n_threads) {
  const RouteTree t{.end = field<std::int32_t>(tree, "end"),
                    .column = field<std::int32_t>(tree, "column"),
                    .missing = field<std::int32_t>(tree, "missing"),
                    .largest = field<std::int32_t>(tree, "largest"),
                    .kind = field<std::uint8_t>(tree, "kind"),
                    .cut = field<double>(tree, "cut"),
                    .weight = field<double>(tree, "weight"),
                    .code_start = field<std::int64_t>(tree, "code_start"),
                    .code = field<std::int32_t>(tree, "code"),
                    .code_branch = field<std::int32_t>(tree, "code_branch"),
                    .surrogate_start = field<std::int64_t>(tree, "surrogate_start"),
                    .surrogate_code_start = field<std::int64_t>(tree, "surrogate_code_start"),
                    .surrogate_column = field<std::int32_t>(tree, "surrogate_column"),
                    .surrogate_code = field<std::int32_t>(tree, "surrogate_code"),
                    .surrogate_code_branch = field<std::int32_t>(tree, "surrogate_code_branch"),
                    .surrogate_kind = field<std::uint8_t>(tree, "surrogate_kind"),
                    .surrogate_flip = field<std::uint8_t>(tree, "surrogate_flip"),
                    .surrogate_cut = field<double>(tree, "surrogate_cut"),
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
