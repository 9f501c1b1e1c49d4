// The tree while several threads grow it: nodes are added under a lock, and their final order depends on
// their parents alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

#include "../nodes.hpp"
#include "../open.hpp"
#include "../parallel.hpp"
#include "../rows.hpp"
#include "../search/judge.hpp"
#include "input.hpp"

namespace treewright {

template <class Target>
class SharedNodes {
  using Stats = typename Target::Stats;

 public:
  SharedNodes(const Settings& settings, std::size_t n_classes, std::int64_t n_rows)
      : settings_(settings), nodes_(settings, n_classes), n_rows_(n_rows) {}

  Nodes& nodes() { return nodes_; }
  std::int32_t add_root(const Opening<Stats>& opening) { return nodes_.add(-1, opening); }

  // Give a node its test and two children; returns the first. Where `classes` are given, the children's
  // figures are those of these classes.
  std::int32_t split(std::int32_t node, Split&& split, double gain, const Opening<Stats>& left,
                     const Opening<Stats>& right, std::span<const std::int32_t> classes = {}) {
    const std::int64_t weight[] = {left.stats.weight, right.stats.weight};
    const std::int32_t largest =
        branches::heaviest(weight, settings_.weight_slack(left.stats.rows + right.stats.rows));
    const std::lock_guard<std::mutex> held(mutex_);
    const std::int32_t first = nodes_.add(node, left, classes);
    nodes_.add(node, right, classes);
    nodes_.split(node, {std::move(split), gain, gain, first, largest, {}});
    return first;
  }

  // Rows that have reached their leaf.
  void settle(std::int64_t n_rows) { settled_.fetch_add(n_rows, std::memory_order_relaxed); }
  // Is the node a leaf at once? Then its rows are settled.
  bool settle_if_finished(const OpenNode<Stats>& open) {
    if (!openings::is_finished(open.opening, open.depth, settings_)) return false;
    settle(open.opening.stats.rows);
    return true;
  }
  double share_settled() const {
    return static_cast<double>(settled_.load(std::memory_order_relaxed)) / static_cast<double>(n_rows_);
  }

  void stop() { is_stopped_ = true; }
  void leave_if_stopped() const {
    if (is_stopped_.load(std::memory_order_relaxed)) throw Stopped();
  }

 private:
  const Settings& settings_;
  Nodes nodes_;
  std::int64_t n_rows_;
  std::mutex mutex_;
  std::atomic<std::int64_t> settled_{0};
  std::atomic<bool> is_stopped_{false};
};

template <class Stats>
double gain_of(const Opening<Stats>& opening, const Best<Stats>& best) {
  if (!best.is_cut) return best.offer.gain;
  return static_cast<double>(best.drop) * (1 / (opening.scale.cost_scale * opening.scale.weight));
}
// Is there a test, and does it gain enough?
template <class Target, class Stats>
bool is_enough(const Input<Target>& input, const Opening<Stats>& opening, const Best<Stats>& best) {
  return best.is_found() && input.choice.is_enough(gain_of(opening, best), opening.scale.weight);
}

inline Split cut_between(std::uint32_t column, double low, double high, Tag::Gap gap) {
  Split split;
  split.column = static_cast<std::int32_t>(column);
  split.kind = SplitKind::cut;
  split.n_branches = 2;
  split.missing = gap;
  split.cut = midpoint(low + 0.0, high + 0.0);
  return split;
}
// The test "is it known at all?".
inline Split known_or_missing(std::uint32_t column) {
  Split split = cut_between(column, 0, 0, Tag::right);
  split.cut = std::numeric_limits<double>::infinity();
  return split;
}

// Gaps that met none here go where the policy sends those that no test places.
inline void place_gaps(Split& split, const Settings& settings, std::int64_t left, std::int64_t right,
                       std::int64_t n_rows) {
  if (split.missing >= 0) return;
  const std::int64_t known[] = {left, right};
  split.missing = branches::of_gaps(known, settings, n_rows);
}

}  // namespace treewright
