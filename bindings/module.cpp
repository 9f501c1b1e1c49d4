#include "arrays.hpp"
#include "failures.hpp"
#include "released.hpp"

NB_MODULE(_core, m) {
  // Its types are those of the whole process: a second interpreter in it would use objects of the first.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    throw nanobind::import_error(
        "treewright runs in the main interpreter of a process only; use threads or processes instead of "
        "subinterpreters.");
  m.doc() = "The compiled core of treewright: columns, growth, routing, pruning.";
  // A Router lives as long as its Tree, and a Tree may live as long as Python: that is no leak to warn of.
  nanobind::set_leak_warnings(false);
  treewright::bindings::register_failures();
  treewright::bindings::register_ending();
  treewright::bindings::register_columns(m);
  treewright::bindings::register_grow(m);
  treewright::bindings::register_growth(m);
  treewright::bindings::register_source(m);
  treewright::bindings::register_spool(m);
  treewright::bindings::register_route(m);
  treewright::bindings::register_prune(m);
  treewright::bindings::register_forest(m);
  treewright::bindings::register_forest_walk(m);
  treewright::bindings::register_optimal(m);
}
