#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "group.hpp"

namespace treewright {

// A criterion from outside the core: it is handed the statistics of all tests of a column that have as many
// branches (one branch after the other: for each test a row of `width` numbers), with the column's rank, and
// returns one score per test, higher is better.
using BatchScore = std::function<std::vector<double>(std::span<const std::vector<double>> branches,
                                                     std::size_t width, std::int32_t rank)>;

struct Outside {
  static constexpr std::string_view name = "outside";
  static constexpr Reads reads = Reads::unknown;
  static constexpr Bound bound = Bound::none;
  static constexpr bool has_level_order = false;
};

}  // namespace treewright
