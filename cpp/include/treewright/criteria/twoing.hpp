#pragma once

#include <cmath>
#include <cstddef>
#include <string_view>

#include "group.hpp"

namespace treewright {

// Breiman and others 1984: how far apart the classes of the two sides are. It looks at one side and the node,
// and is convex in the counts of the side.
struct Twoing {
  static constexpr std::string_view name = "twoing";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::corners;
  static constexpr bool has_level_order = true;  // with two classes it is half of Gini's
  // N times (sum over classes of |n_c N - N_c n|)^2 / (4 N^2 n (N - n)).
  static double score(const ClassGroup& side, const ClassGroup& node) {
    const double n = side.total, all = node.total;
    if (!(n > 0 && n < all)) return 0;
    double apart = 0;
    for (std::size_t c = 0; c < node.counts.size(); ++c)
      apart += std::abs(side.counts[c] * all - node.counts[c] * n);
    return apart / all * apart / (4 * n * (all - n));
  }
};

}  // namespace treewright
