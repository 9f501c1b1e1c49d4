// The class that a node predicts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "settings.hpp"

namespace treewright {

// The class of most weight or of least cost, first on ties: of what is equal within `slack` of weight.
// `scale` multiplies the weight of each class (priors), `costs` are those of each mistake, true class by true
// class; both may be empty. Products of either are rounded: there, what is equal but for rounding is equal
// too.
template <class Count>
std::int32_t label_of(std::span<const Count> counts, std::span<const double> scale,
                      std::span<const double> costs, double slack) {
  const std::size_t k = counts.size();
  auto weight = [&](std::size_t c) {
    return static_cast<double>(counts[c]) * (scale.empty() ? 1 : scale[c]);
  };
  double largest_cost = costs.empty() ? 1 : 0;  // a unit of weight costs at most this much
  for (double cost : costs) largest_cost = std::max(largest_cost, cost);
  double largest_scale = scale.empty() ? 1 : 0;
  for (double s : scale) largest_scale = std::max(largest_scale, s);
  if (!scale.empty() || !costs.empty())
    for (Count count : counts) slack += 1e-12 * static_cast<double>(count);
  slack *= largest_scale * largest_cost;
  std::size_t best = 0;
  double best_loss = 0;
  for (std::size_t j = 0; j < k; ++j) {
    double loss = -weight(j);
    if (!costs.empty()) {
      loss = 0;
      for (std::size_t c = 0; c < k; ++c) loss += weight(c) * costs[c * k + j];
    }
    if (j == 0 || loss < best_loss - slack) {
      best = j;
      best_loss = loss;
    }
  }
  return static_cast<std::int32_t>(best);
}

// The same while growing, where `counts` are weights in fixed point.
template <class Count>
std::int32_t label_of(std::span<const Count> counts, std::int64_t n_rows, const Settings& settings) {
  const auto slack = static_cast<double>(settings.weight_slack(n_rows));
  return label_of(counts, std::span<const double>(settings.label_scale),
                  std::span<const double>(settings.costs), slack);
}

}  // namespace treewright
