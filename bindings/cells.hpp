// The cells of rows as Python holds them. What is checked here is all that stands between a caller's arrays
// and the walk: numbers are asked of columns of numbers and codes of the others, and each holds every row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "arrays.hpp"
#include "treewright/walk.hpp"

namespace treewright::bindings {

template <class T>
using Grid = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <class T>
const T* cells(nb::handle column, std::size_t place, std::int64_t n_rows) {
  const auto array = array_from<T>(column, "column " + std::to_string(place));
  if (static_cast<std::int64_t>(array.size()) != n_rows)
    throw nb::value_error("a column and the number of rows differ");
  return array.data();
}

inline RouteColumns<double> of_list(std::span<const std::uint8_t> is_coded, const nb::list& columns,
                                    std::int64_t n_rows) {
  if (columns.size() != is_coded.size()) throw nb::value_error("these are not the columns of the tree");
  RouteColumns<double> found;
  for (std::size_t c = 0; c < is_coded.size(); ++c) {
    found.number.push_back(is_coded[c] == 0 ? cells<double>(columns[c], c, n_rows) : nullptr);
    found.code.push_back(is_coded[c] != 0 ? cells<std::int32_t>(columns[c], c, n_rows) : nullptr);
  }
  return found;
}

template <class T>
RouteColumns<T> of_grid(std::span<const std::uint8_t> is_coded, const Grid<T>& grid, std::int64_t n_rows) {
  if (static_cast<std::int64_t>(grid.shape(0)) != n_rows || grid.shape(1) != is_coded.size())
    throw nb::value_error("the array is not rows x columns of the tree");
  if (std::any_of(is_coded.begin(), is_coded.end(), [](std::uint8_t coded) { return coded != 0; }))
    throw nb::type_error("the tree has columns of categories; give a list of columns");
  RouteColumns<T> found{.number = {}, .step = grid.stride(0), .code = {}};
  for (std::size_t c = 0; c < is_coded.size(); ++c)
    found.number.push_back(grid.data() + static_cast<std::int64_t>(c) * grid.stride(1));
  return found;
}

// Do `work` with the cells: one array of float64 or int32 per column; or all of them, numbers, as one array
// of rows x columns.
template <class Work>
auto with_cells(std::span<const std::uint8_t> is_coded, nb::handle columns, std::int64_t n_rows, Work work) {
  if (n_rows < 0) throw nb::value_error("the number of rows is negative");
  if (nb::isinstance<nb::list>(columns)) return work(of_list(is_coded, nb::cast<nb::list>(columns), n_rows));
  Grid<float> singles;
  if (nb::try_cast(columns, singles, false)) return work(of_grid(is_coded, singles, n_rows));
  Grid<double> doubles;
  if (nb::try_cast(columns, doubles, false)) return work(of_grid(is_coded, doubles, n_rows));
  throw nb::type_error(
      ("the cells must be a list of columns, or an array of float64 or float32, rows x columns, "
       "not " +
       described(columns))
          .c_str());
}

}  // namespace treewright::bindings
