// Tests and moves as a source is told them (growth/sourced/source.py), checked.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "treewright/source.hpp"

namespace treewright::bindings {

// Cells of several questions, one behind the other.
struct FlatCells {
  std::vector<std::int64_t> figures, least, greatest, sizes;
  std::vector<std::uint64_t> low, high;

  void add(const CellFigures& cells) {
    append(figures, cells.figures);
    append(low, cells.low);
    append(high, cells.high);
    append(least, cells.least);
    append(greatest, cells.greatest);
    sizes.push_back(static_cast<std::int64_t>(cells.low.size()));
  }
  nb::tuple as_tuple() {
    return nb::make_tuple(owned(std::move(figures)), owned(std::move(low)), owned(std::move(high)),
                          owned(std::move(least)), owned(std::move(greatest)), owned(std::move(sizes)));
  }

 private:
  template <class T>
  static void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }
};

// What stands in a question, by the names that Python gives it. Its arrays live as long as it does.
template <class T>
T field(nb::handle given, const char* name) {
  return nb::cast<T>(given.attr(name));
}
template <class T>
std::span<const T> array_field(nb::handle given, const char* name) {
  return view(array_from<T>(given.attr(name), name));
}

inline std::size_t column_of(nb::handle given, std::size_t n_columns) {
  const auto column = field<std::int64_t>(given, "column");
  if (column < 0 || static_cast<std::size_t>(column) >= n_columns)
    throw nb::value_error("there is no such column");
  return static_cast<std::size_t>(column);
}

inline PlainTest test_of(nb::handle given, std::int32_t n_branches, std::size_t n_columns) {
  const PlainTest test{static_cast<std::int32_t>(column_of(given, n_columns)), field<double>(given, "cut"),
                       array_field<std::int32_t>(given, "codes"),
                       array_field<std::int32_t>(given, "branches")};
  if (test.code.size() != test.branch.size()) throw nb::value_error("codes and branches differ in length");
  for (std::int32_t branch : test.branch)
    if (branch < 0 || branch >= n_branches) throw nb::value_error("a branch is out of range");
  return test;
}

inline std::optional<PlainTest> side_of(nb::handle ask, std::size_t n_columns) {
  const nb::object side = ask.attr("side");
  if (side.is_none()) return std::nullopt;
  return test_of(side, 2, n_columns);
}

inline void check(const Move& move) {
  if (move.node < 0 || move.n_branches < (move.test.code.empty() ? 2 : 1) ||
      move.missing >= move.n_branches || move.first <= move.node)
    throw nb::value_error("the children are out of range");
  if (!move.stand_ins.empty() && move.n_branches != 2)
    throw nb::value_error("tests with other than two branches have no stand-ins");
  if (move.shares.empty()) return;
  const bool is_whole = std::ranges::all_of(move.shares, [](std::int64_t w) { return w >= 0; }) &&
                        std::ranges::any_of(move.shares, [](std::int64_t w) { return w > 0; });
  if (move.shares.size() != static_cast<std::size_t>(move.n_branches) || !is_whole)
    throw nb::value_error("there must be one share for each branch, not all of them 0");
}

inline Move move_of(nb::handle given, std::size_t n_columns) {
  Move move;
  move.node = field<std::int32_t>(given, "node");
  move.n_branches = field<std::int32_t>(given, "n_branches");
  move.missing = field<std::int32_t>(given, "missing");
  move.first = field<std::int32_t>(given, "first");
  move.shares = array_field<std::int64_t>(given, "shares");
  move.test = test_of(given, move.n_branches, n_columns);
  for (nb::handle stand_in : given.attr("stand_ins"))
    move.stand_ins.push_back({test_of(stand_in, 2, n_columns), field<bool>(stand_in, "is_flipped")});
  check(move);
  return move;
}

// A Python int, whatever its size.
inline nb::object python_int(int128 sum) {
  const auto low = static_cast<std::uint64_t>(sum);
  const auto high = static_cast<std::int64_t>(sum >> 64);
  return (nb::cast(high) << nb::cast(64)) | nb::cast(low);
}

}  // namespace treewright::bindings
