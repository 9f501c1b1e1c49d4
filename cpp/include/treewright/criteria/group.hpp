// What a criterion is given: the statistics of one branch as real numbers.
#pragma once

#include <span>

#include "../logs.hpp"

namespace treewright {

struct ClassGroup {
  std::span<const double> counts;
  double total;
  const Logs& logs;
};

// `sum` is taken about a value near the node's mean, so that large means cost no digits.
struct MomentGroup {
  double weight, sum;
};

}  // namespace treewright
