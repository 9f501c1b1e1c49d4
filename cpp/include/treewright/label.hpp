// The class that a node predicts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

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

// The same from the classes that have any weight, ascending: `counts` are theirs.
template <class Count>
std::int32_t label_of(std::span<const std::int32_t> classes, std::span<const Count> counts,
                      std::span<const double> scale, std::span<const double> costs, double slack) {
  if (!costs.empty()) {
    std::size_t k = 0;
    while (k * k < costs.size()) ++k;
    std::vector<Count> all(k);
    for (std::size_t i = 0; i < classes.size(); ++i) all[static_cast<std::size_t>(classes[i])] = counts[i];
    return label_of(std::span<const Count>(all), scale, costs, slack);
  }
  if (!scale.empty()) {
    for (Count count : counts) slack += 1e-12 * static_cast<double>(count);
    slack *= *std::max_element(scale.begin(), scale.end());
  }
  // The first class has the word until another is heavier by more than the slack, even where it has no rows.
  std::int32_t best = 0;
  double most = 0;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto c = static_cast<std::size_t>(classes[i]);
    const double weight = static_cast<double>(counts[i]) * (scale.empty() ? 1 : scale[c]);
    if (c == 0 || weight > most + slack) {
      best = classes[i];
      most = weight;
    }
  }
  return best;
}

// The same while growing, where `counts` are weights in fixed point.
template <class Count>
std::int32_t label_of(std::span<const Count> counts, std::int64_t n_rows, const Settings& settings) {
  const auto slack = static_cast<double>(settings.weight_slack(n_rows));
  return label_of(counts, std::span<const double>(settings.label_scale),
                  std::span<const double>(settings.costs), slack);
}
template <class Count>
std::int32_t label_of(std::span<const std::int32_t> classes, std::span<const Count> counts,
                      std::int64_t n_rows, const Settings& settings) {
  const auto slack = static_cast<double>(settings.weight_slack(n_rows));
  return label_of(classes, counts, std::span<const double>(settings.label_scale),
                  std::span<const double>(settings.costs), slack);
}

}  // namespace treewright
