#include "arrays.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled core of treewright: columns, growth, routing.";
  treewright::bindings::register_columns(m);
  treewright::bindings::register_grow(m);
  treewright::bindings::register_route(m);
}
