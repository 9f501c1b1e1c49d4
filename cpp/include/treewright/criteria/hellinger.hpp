#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "group.hpp"

namespace treewright {

// The Hellinger distance between the two classes (Cieslak, Chawla 2008), as a cost of branches: for shares
// x_j and y_j of either class in branch j, 1/2 sum (sqrt x_j - sqrt y_j)^2 = 1 - sum sqrt(x_j y_j). It does
// not care how rare a class is.
struct Hellinger {
  static constexpr std::string_view name = "hellinger";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  static constexpr std::int64_t max_classes = 2;
  static double impurity(const ClassGroup& g) {
    return g.counts.size() == 2 ? pair_cost(g.counts[0], g.counts[1], 0, g.logs) : 0;
  }

  // Whole counts from the sum of squares: a b = (n^2 - a^2 - b^2) / 2. Real ones from the sum of products
  // itself: the difference would lose a light side beside a heavy one.
  using Sum = std::int64_t;
  template <class Number>
  static Number term(Number n, const Logs&) {
    return n * n;
  }
  static Sum step(std::int64_t n, const Logs&) { return 2 * n + 1; }
  static double combine(double total, double products, double n, double) { return products + total * n; }
  static double cost(double, double products, double, const Logs&) { return std::sqrt(products); }
  static double cost(std::int64_t total, std::int64_t squares, double, const Logs&) {
    return std::sqrt(static_cast<double>((total * total - squares) / 2));
  }
  template <class Number>
  static double pair_cost(Number a, Number b, double, const Logs&) {
    return std::sqrt(static_cast<double>(a) * static_cast<double>(b));
  }
};

}  // namespace treewright
