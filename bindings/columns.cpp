#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "problem.hpp"
#include "released.hpp"
#include "treewright/neighbours.hpp"
#include "treewright/rank.hpp"

namespace treewright::bindings {

namespace {

// The distinct values of a numeric column, ascending, and the place of each row's value among them; a NaN is
// a gap.
nb::tuple rank_values(Array<double> array) {
  Ranks ranks;
  {
    Released released;
    ranks = rank({reinterpret_cast<const std::byte*>(array.data()), sizeof(double), array.size(),
                  Numbers::Type::float64});
  }
  return nb::make_tuple(owned(std::move(ranks.code)), owned(std::move(ranks.value)));
}

// What the values of columns leave between them at some cuts: a pair of arrays for each column.
nb::list neighbours_of(const std::vector<HeldColumn>& columns, const std::vector<Array<double>>& cuts) {
  if (columns.size() != cuts.size()) throw nb::value_error("there are not as many columns as lists of cuts");
  std::vector<Numbers> numbers;
  std::vector<std::span<const double>> places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].column.number.type == Numbers::Type::code)
      throw nb::value_error("only numbers have neighbours");
    if (columns[c].n_rows != columns[0].n_rows) throw nb::value_error("columns differ in length");
    numbers.push_back(columns[c].column.number);
    places.push_back(view(cuts[c]));
  }
  std::vector<std::vector<Neighbours>> found;
  {
    Released released;
    found = neighbours(numbers, places);
  }
  nb::list out;
  for (const auto& column : found) {
    std::vector<double> below, above;
    for (const Neighbours& pair : column) {
      below.push_back(pair.below);
      above.push_back(pair.above);
    }
    out.append(nb::make_tuple(owned(std::move(below)), owned(std::move(above))));
  }
  return out;
}

}  // namespace

void register_columns(nb::module_& m) {
  m.def("rank_values", &rank_values, nb::arg("values").noconvert(),
        "Return (codes, distinct values): the rank of each value among the distinct ones; -1 for NaN.");
  m.def("neighbours", &neighbours_of, nb::arg("columns"), nb::arg("cuts"),
        "Return for each column (below, above): of each cut the largest value not above it, the smallest "
        "above.");
}

}  // namespace treewright::bindings
