// Split information: what it takes to say which branch a row goes to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../logs.hpp"

namespace treewright {

// Of branches with these weights, per unit of weight. Terms are sorted before they are added: the sum must
// not depend on the names of the categories.
inline double split_info(std::span<const std::int64_t> weight, double unit, const Logs& logs) {
  std::vector<double> terms;
  std::int64_t all = 0;
  for (std::int64_t w : weight) {
    terms.push_back(logs.n_log_n(static_cast<double>(w) * unit));
    all += w;
  }
  std::sort(terms.begin(), terms.end());
  double sum = 0;
  for (double term : terms) sum += term;
  const double total = static_cast<double>(all) * unit;
  return (logs.n_log_n(total) - sum) / total;
}

}  // namespace treewright
