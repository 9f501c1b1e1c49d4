// What growth is asked, from Python's arrays; checked so far that the core can trust it.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "treewright/problem.hpp"
#include "treewright/stats.hpp"
#include "treewright/tree.hpp"

namespace treewright::bindings {

// A column together with the arrays it views.
struct HeldColumn {
  nb::object kept;
  Column column;
  std::size_t n_rows;
};

Problem problem_of(const std::vector<HeldColumn>& columns, const Array<std::int64_t>& weight,
                   const Settings& settings, const nb::object& outside, const nb::object& progress);
ClassTarget class_target(const Array<std::int32_t>& label, std::int64_t n_classes,
                         const Array<std::int64_t>& weight, const Settings& settings);
NumberTarget number_target(const Array<std::int64_t>& value, int coarse_shift,
                           const Array<std::int64_t>& weight);

// The arrays of a tree by their names.
nb::dict arrays_of(TreeArrays&& tree);

}  // namespace treewright::bindings
