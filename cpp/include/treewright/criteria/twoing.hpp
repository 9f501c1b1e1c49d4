#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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
  // No side between two others scores more. What holds a class apart is greatest at one of four corners, and
  // n (N - n) least at one of two ends.
  static double most(const ClassGroup& low, const ClassGroup& high, const ClassGroup& node) {
    const double all = node.total,
                 evenness = std::min(low.total * (all - low.total), high.total * (all - high.total));
    if (!(evenness > 0)) return std::numeric_limits<double>::infinity();
    double apart = 0;
    for (std::size_t c = 0; c < node.counts.size(); ++c) {
      const double first = low.counts[c] * all, last = high.counts[c] * all,
                   even_low = node.counts[c] * low.total, even_high = node.counts[c] * high.total;
      apart += std::max(last - even_low, even_high - first);
    }
    return apart / all * apart / (4 * evenness);
  }
};

}  // namespace treewright
