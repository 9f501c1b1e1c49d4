// Stop: a node whose impurity is small already is a leaf (`min_impurity`).
#pragma once

#include <limits>
#include <variant>

#include "../contest.hpp"

namespace treewright::filters {

// The impurity of a node per unit of weight, as the criterion measures it; infinite where it measures none.
inline double impurity_of(const ClassGroup& group, double weight, const Settings& settings) {
  const auto criterion = find_criterion<ClassCriterion>(settings.impurity);
  if (!criterion) return std::numeric_limits<double>::infinity();
  return std::visit(
      [&](auto found) {
        if constexpr (requires { decltype(found)::impurity(group); })
          return decltype(found)::impurity(group) / weight;
        else
          return std::numeric_limits<double>::infinity();
      },
      *criterion);
}
inline double impurity_of(const ClassStats& stats, double, const Scale& scale, const Settings& settings) {
  Reals reals(scale);
  return impurity_of(reals.group(stats), scale.weight, settings);
}
// Of numbers: their loss, which is the variance where it is squared.
template <class Stats>
double impurity_of(const Stats&, double spread, const Scale& scale, const Settings&) {
  return spread / scale.weight;
}

// Below, not at: the impurity itself is rounded, and a node that lies on the limit is split.
inline bool is_below_limit(double impurity, const Settings& settings) {
  return impurity < settings.min_impurity * (1 - 1e-12);
}
template <class Stats>
bool is_pure_enough(const Stats& stats, double spread, const Scale& scale, const Settings& settings) {
  return settings.min_impurity > 0 && is_below_limit(impurity_of(stats, spread, scale, settings), settings);
}

}  // namespace treewright::filters
