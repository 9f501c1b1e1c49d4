#pragma once

#include <string_view>

#include "group.hpp"

namespace treewright {

struct Entropy {
  static constexpr std::string_view name = "entropy";
  static constexpr bool is_concave = true;
  // total * H in bits = N log N - sum n_c log n_c: no division, and one table look-up per class.
  static double impurity(const ClassGroup& g) {
    double bits = g.logs.n_log_n(g.total);
    for (double c : g.counts) bits -= g.logs.n_log_n(c);
    return bits;
  }
};

}  // namespace treewright
