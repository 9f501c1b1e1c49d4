#include "router.hpp"

namespace treewright::bindings {

void register_route(nb::module_& m) {
  nb::class_<TreeRouter>(m, "Router", "A checked Tree laid out for rows; holds on to the arrays in `tree`.")
      .def(nb::init<const nb::dict&, const std::string&, const std::string&>(), nb::arg("tree"),
           nb::arg("gap"), nb::arg("unseen"))
      .def("route", &TreeRouter::route, nb::arg("columns"), nb::arg("n_rows"), nb::arg("n_threads") = 1,
           nb::arg("row_by_row") = false,
           "Return (node per row, row, node and weight of the parts of divided rows).");
}

}  // namespace treewright::bindings
