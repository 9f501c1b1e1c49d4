#pragma once

#include <cstdint>
#include <string_view>

#include "group.hpp"

namespace treewright {

struct Entropy {
  static constexpr std::string_view name = "entropy";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;
  static constexpr bool is_zero_when_pure = true;  // exactly: the one class has the total's own logarithm
  // total * H in bits = N log N - sum n_c log n_c: no division, and one table look-up per class.
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) {
    double bits = g.logs.n_log_n(g.total);
    for (double c : g.counts) bits -= g.logs.n_log_n(c);
    return bits;
  }

  // The same from a sum of terms, one a class.
  using Sum = double;
  template <class Number>
  static double term(Number n, const Logs& logs) {
    return logs.n_log_n(static_cast<double>(n));
  }
  static Sum step(std::int64_t n, const Logs& logs) { return term(n + 1, logs) - term(n, logs); }
  template <class Number>
  static double cost(Number total, double terms, double, const Logs& logs) {
    return term(total, logs) - terms;
  }
  template <class Number>
  static double pair_cost(Number a, Number b, double, const Logs& logs) {
    return term(a + b, logs) - term(a, logs) - term(b, logs);
  }
};

}  // namespace treewright
