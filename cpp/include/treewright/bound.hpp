// What a cut inside a group of neighbouring values can be worth at most, in the unit that offers are compared
// by: which groups must be opened before a column's best offer is known to be the best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "opening.hpp"
#include "search/bounds.hpp"
#include "search/judge.hpp"

namespace treewright {

// Criteria with a bound: what the quick search serves (criterion.hpp), without a second opinion on ties, and
// of those for classes the ones whose terms add up.
template <class Criterion, class Stats>
concept HasCellBound = is_quick_criterion<Criterion>() && !HasTieBreak<Criterion> &&
                       !requires(double x) { Criterion::combine(x, x, x, x); };

namespace cells {

// At least the squares of the targets in a group about the centre: with all of them between a and b,
// (y - a)(b - y) >= 0 gives  y^2 <= (a + b) y - a b.
inline double squares(const MomentStats& stats, const Scale& scale, std::int64_t least,
                      std::int64_t greatest) {
  const double a = static_cast<double>(least - scale.centre) * scale.y_unit,
               b = static_cast<double>(greatest - scale.centre) * scale.y_unit;
  const int128 centred = stats.sum - static_cast<int128>(stats.weight) * scale.centre;
  const double sum = static_cast<double>(centred) * scale.weight_unit * scale.y_unit,
               weight = static_cast<double>(stats.weight) * scale.weight_unit;
  const double far = std::max(a * a, b * b);
  return std::clamp((a + b) * sum - weight * a * b + 1e-12 * weight * far, 0.0, weight * far);
}
inline double squares(const ClassStats&, const Scale&, std::int64_t, std::int64_t) { return 0; }

}  // namespace cells

// For each group of a column: no cut inside it has a value above this. Gaps go to the better side, have a
// branch of their own, or count nothing.
template <class Criterion, class Stats>
std::vector<double> cell_bounds(const Opening<Stats>& opening, const std::vector<Stats>& groups,
                                const Stats& gaps, MissingPolicy missing, std::span<const std::int64_t> least,
                                std::span<const std::int64_t> greatest) {
  const Scale& scale = opening.scale;
  Costs<Criterion> cost(scale);
  Stats before = opening.stats, known = opening.stats;
  before.clear();
  known.add(gaps, -1);
  Stats after = known;
  const bool joins = missing == MissingPolicy::learned && gaps.rows > 0;
  const bool apart = missing == MissingPolicy::own_branch && gaps.rows > 0;
  const double parent = joins ? cost(opening.stats) : apart ? cost(opening.stats) - cost(gaps) : cost(known);
  const double slack = Judge<Criterion, Stats>::slack(scale, static_cast<std::size_t>(opening.stats.rows));
  constexpr double step = static_cast<double>(std::int64_t{1} << tie_bits);
  std::vector<double> found;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    after.add(groups[g], -1);
    BinView<Stats> view{before, groups[g], after, gaps, 0, joins};
    view.squares = cells::squares(groups[g], scale, least[g], greatest[g]);
    const double worth = corner_bound(cost, view, true);
    found.push_back((parent + worth + 2 * slack) * scale.cost_scale + 2 * step);
    before.add(groups[g]);
  }
  return found;
}

}  // namespace treewright
