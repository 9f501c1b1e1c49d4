#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

struct Gini {
  static constexpr std::string_view name = "gini";
  static constexpr bool is_concave = true;
  // total * (1 - sum p^2): scaled by weight, so children simply add up to compare with the parent.
  static double impurity(const ClassGroup& g) {
    if (g.total <= 0) return 0;
    double squares = 0;
    for (double c : g.counts) squares += c * c;
    return g.total - squares / g.total;
  }
};

}  // namespace treewright
