#pragma once

#include <cstdint>
#include <string_view>

#include "group.hpp"

namespace treewright {

struct Gini {
  static constexpr std::string_view name = "gini";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  // total * (1 - sum p^2): scaled by weight, so children simply add up to compare with the parent.
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) {
    double squares = 0;
    for (double c : g.counts) squares += c * c;
    return impurity(g.total, squares);
  }
  static double impurity(double total, double squares) { return total <= 0 ? 0 : total - squares / total; }

  // The same from a sum of terms, one a class, and 1 / total. Squares of whole counts are whole numbers.
  using Sum = std::int64_t;
  template <class Number>
  static Number term(Number n, const Logs&) {
    return n * n;
  }
  static Sum step(std::int64_t n, const Logs&) { return 2 * n + 1; }  // term(n + 1) - term(n)
  template <class Number, class Terms>
  static double cost(Number total, Terms terms, double inverse, const Logs&) {
    return static_cast<double>(total) - static_cast<double>(terms) * inverse;
  }
  // Two classes: n - (a^2 + b^2) / n = 2 a b / n.
  template <class Number>
  static double pair_cost(Number a, Number b, double inverse, const Logs&) {
    return 2 * (static_cast<double>(a * b) * inverse);
  }
};

}  // namespace treewright
