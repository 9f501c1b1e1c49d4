#include <utility>

#include "arrays.hpp"
#include "treewright/rank.hpp"

namespace treewright::bindings {

namespace {

// The distinct values of a numeric column, ascending, and the place of each row's value among them; a NaN is
// a gap.
nb::tuple rank_values(Array<double> array) {
  Ranks ranks;
  {
    nb::gil_scoped_release released;
    ranks = rank({reinterpret_cast<const std::byte*>(array.data()), sizeof(double), array.size(),
                  Numbers::Type::float64});
  }
  return nb::make_tuple(owned(std::move(ranks.code)), owned(std::move(ranks.value)));
}

}  // namespace

void register_columns(nb::module_& m) {
  m.def("rank_values", &rank_values, nb::arg("values").noconvert(),
        "Return (codes, distinct values): the rank of each value among the distinct ones; -1 for NaN.");
}

}  // namespace treewright::bindings
