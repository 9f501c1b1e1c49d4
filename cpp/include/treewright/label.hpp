// The class that a node predicts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "settings.hpp"

namespace treewright {

// The class of most weight or of least cost, first on ties. `counts` are weights in fixed point.
template <class Count>
std::int32_t label_of(std::span<const Count> counts, std::int64_t n_rows, const Settings& settings) {
  const std::size_t k = counts.size();
  auto scale = [&](std::size_t c) { return settings.label_scale.empty() ? 1 : settings.label_scale[c]; };
  auto weight = [&](std::size_t c) { return static_cast<double>(counts[c]) * scale(c); };
  double largest_cost = settings.costs.empty() ? 1 : 0;  // a unit of weight costs at most this much
  for (double cost : settings.costs) largest_cost = std::max(largest_cost, cost);
  double largest_scale = settings.label_scale.empty() ? 1 : 0;
  for (double s : settings.label_scale) largest_scale = std::max(largest_scale, s);
  const double slack = static_cast<double>(settings.weight_slack(n_rows)) * (largest_scale * largest_cost);
  std::size_t best = 0;
  double best_loss = 0;
  for (std::size_t j = 0; j < k; ++j) {
    double loss = -weight(j);
    if (!settings.costs.empty()) {
      loss = 0;
      for (std::size_t c = 0; c < k; ++c) loss += weight(c) * settings.costs[c * k + j];
    }
    if (j == 0 || loss < best_loss - slack) {
      best = j;
      best_loss = loss;
    }
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace treewright
