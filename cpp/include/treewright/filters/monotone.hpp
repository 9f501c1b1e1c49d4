// Monotone trees (`monotone`): what a tree says rises, or falls, along a column.
//
// Every node carries bounds. A test is admissible only if the values of its branches lie inside them and, on
// a column with a direction, come in its order; the middle between the two values then bounds both sides:
//
//                 age <= 40                 the node says 0.5
//        says 0.3 /       \ says 0.7
//     bounds (.., 0.5]   [0.5, ..)          no leaf on the left says more than any leaf on the right
//
// So each node's own value, as it is and not clipped, lies inside its bounds: leaves answer with the plain
// share or mean of their rows, and a tree that is cut back to any of its nodes keeps the order. Two rows that
// differ in one such column part at a test on it, and only there.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../split.hpp"
#include "../stats.hpp"

namespace treewright::monotone {

// What the values below a node must lie between.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool holds(double value) const { return low <= value && value <= high; }
  bool is_bounded() const {
    return low > -std::numeric_limits<double>::infinity() || high < std::numeric_limits<double>::infinity();
  }
};

// What a node says: the share of class 1 of two, or the mean in the unit of the target, rounded as a tree
// rounds it.
inline double value_of(const ClassStats& stats) {
  return static_cast<double>(stats.counts[1]) / static_cast<double>(stats.weight);
}
inline double value_of(const MomentStats& stats) { return mean_units(stats); }

// Statistics that say no such value are never bounded: settings refuse `monotone` with their criteria.
template <class Stats>
concept HasValue = requires(const Stats& stats) { value_of(stats); };

// May a branch be empty? It says its parent's mean, which is inside; of classes it says its parent's class
// with certainty, which is inside only where nothing bounds it.
template <class Stats>
bool admits_empty(const Bounds& bounds) {
  return std::is_same_v<Stats, MomentStats> || (bounds.low <= 0 && bounds.high >= 1);
}

// Which branches are in the order of the column: those of a cut, but not of "is it known at all?".
inline bool is_ordered(const Split& split) {
  return split.kind == SplitKind::cut && split.cut < std::numeric_limits<double>::infinity();
}

struct Limits {
  Bounds bounds;
  int direction = 0;  // of the column: +1, -1, or 0 where it is free
  bool is_active = false;

  template <class Stats>
  bool inside(const Stats& stats) const {
    if constexpr (HasValue<Stats>)
      return !is_active || stats.weight == 0 || bounds.holds(value_of(stats));
    else
      return true;
  }
  // Branches a and b are below and above a cut if `has_order`; c is the branch of the gaps.
  template <class Stats>
  bool allow(const Stats& a, const Stats& b, const Stats* c, bool has_order) const {
    if (!is_active) return true;
    if (!inside(a) || !inside(b) || (c != nullptr && !inside(*c))) return false;
    if constexpr (HasValue<Stats>)
      return direction == 0 || !has_order || direction * value_of(a) <= direction * value_of(b);
    else
      return true;
  }
};

// The same for a test whose rows are divided already.
template <class Stats>
bool allow(const Limits& limits, const Split& split, std::span<const Stats> branches) {
  for (const Stats& branch : branches)
    if (!limits.inside(branch)) return false;
  return !is_ordered(split) ||
         limits.allow(branches[0], branches[1], static_cast<const Stats*>(nullptr), true);
}

// The bounds of the branches of a test.
template <class Stats>
std::vector<Bounds> below(const Bounds& bounds, int direction, const Split& split,
                          std::span<const Stats* const> branches) {
  std::vector<Bounds> found(branches.size(), bounds);
  if (direction == 0 || !is_ordered(split)) return found;
  if constexpr (HasValue<Stats>) {
    const double a = value_of(*branches[0]), b = value_of(*branches[1]);
    const double middle = std::clamp(a + (b - a) / 2, std::min(a, b), std::max(a, b));
    (direction > 0 ? found[0].high : found[0].low) = middle;
    (direction > 0 ? found[1].low : found[1].high) = middle;
  }
  return found;
}

// Where gaps take their branches only when rows are divided (fractions, surrogates), a test is judged again
// with all its rows. A column whose best test fails is out of the choice at this node.
template <class Choose, class Keeps>
std::optional<std::size_t> choose(std::vector<Offer>& offers, Choose choose_among, Keeps keeps_order) {
  for (;;) {
    std::vector<Offer> tried = offers;
    const std::optional<std::size_t> chosen = choose_among(tried);
    if (!chosen || keeps_order(tried[*chosen].split)) {
      offers = std::move(tried);
      return chosen;
    }
    offers[*chosen].verdict = Verdict::not_monotone;
  }
}

}  // namespace treewright::monotone
