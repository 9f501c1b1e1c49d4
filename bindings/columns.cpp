#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "treewright/column.hpp"

namespace treewright::bindings {

namespace {

// The distinct values of a numeric column, ascending, and the place of each row's value among them; a NaN is
// a gap.
nb::tuple rank_values(Array<double> array) {
  auto values = view(array);
  std::vector<double> distinct;
  std::vector<std::int32_t> code(values.size());
  {
    nb::gil_scoped_release released;
    distinct.reserve(values.size());
    for (double v : values)
      if (!std::isnan(v)) distinct.push_back(v == 0 ? 0.0 : v);  // -0 and 0 are one value
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    distinct.shrink_to_fit();
    for (std::size_t i = 0; i < values.size(); ++i)
      code[i] = std::isnan(values[i])
                    ? missing_code
                    : static_cast<std::int32_t>(
                          std::lower_bound(distinct.begin(), distinct.end(), values[i]) - distinct.begin());
  }
  return nb::make_tuple(owned(std::move(code)), owned(std::move(distinct)));
}

}  // namespace

void register_columns(nb::module_& m) {
  m.def("rank_values", &rank_values, nb::arg("values").noconvert(),
        "Return (codes, distinct values): the rank of each value among the distinct ones; -1 for NaN.");
}

}  // namespace treewright::bindings
