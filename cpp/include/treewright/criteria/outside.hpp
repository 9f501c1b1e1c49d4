#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace treewright {

// A criterion from outside the core: it is handed the left and right statistics of all cuts of a column at
// once (row-major, `width` numbers each), with the column's rank, and returns one score per cut, higher is
// better.
using BatchScore = std::function<std::vector<double>(
    std::span<const double> left, std::span<const double> right, std::size_t width, std::int32_t rank)>;

struct Outside {
  static constexpr std::string_view name = "outside";
  static constexpr bool is_concave = false;
};

}  // namespace treewright
