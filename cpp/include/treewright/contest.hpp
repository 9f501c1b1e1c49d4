// Scoring: integers become real numbers here, and scores become integers again, so that equal partitions tie
// exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "criterion.hpp"
#include "filters/monotone.hpp"
#include "settings.hpp"
#include "spread.hpp"
#include "stats.hpp"
#include "values.hpp"

namespace treewright {

// How the integers of one node translate into real numbers.
struct Scale {
  double weight_unit = 1, y_unit = 1;
  int coarse_shift = 0;
  std::span<const double> class_scale;
  std::int64_t centre = 0;  // fixed-point y near the node's mean
  double cost_scale = 1;    // real impurity to fixed point, a power of two fitting this node
  double weight = 1;        // the node's weight as scores see it
  double rate = 0;          // the node's mean, raw
  double root_variance = 0;
  const Logs* logs = nullptr;
  monotone::Bounds bounds;  // of what its branches may say

  // One unit of a class's weight as scores see it. (The unit of weights is a power of two, so that it does
  // not matter which is multiplied first.)
  double class_unit(std::size_t c) const {
    return class_scale.empty() ? weight_unit : weight_unit * class_scale[c];
  }
};

// The power of two that lifts `bound` to at most 2^60.
inline double fixed_point_scale(double bound) {
  int exponent = 0;
  if (!(bound > 0)) return 1;
  std::frexp(bound, &exponent);
  return std::ldexp(1.0, 60 - exponent);
}

// Scores are compared on a fixed rounding: sums are exact, but each term carries the rounding of a double,
// and tests that tie in theory must tie here. The step is 2^-40 of the node's own bound, about 1e-12.
constexpr int tie_bits = 20;
inline std::int64_t rounded(std::int64_t drop) {
  return (drop + (std::int64_t{1} << (tie_bits - 1))) >> tie_bits << tie_bits;
}
// The same for a ratio: 40 significant bits.
inline double rounded(double ratio) {
  int exponent = 0;
  const double m = std::frexp(ratio, &exponent);
  return std::ldexp(std::rint(std::ldexp(m, 40)), exponent - 40);
}

// Two forms of the same thing: statistics as the group a criterion reads.
class Reals {
 public:
  explicit Reals(const Scale& scale) : scale_(&scale) {}
  ClassGroup group(const ClassStats& stats) {
    counts_.resize(stats.counts.size());
    double total = 0;
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      counts_[c] = static_cast<double>(stats.counts[c]) * scale_->weight_unit;
      if (!scale_->class_scale.empty()) counts_[c] *= scale_->class_scale[c];
      total += counts_[c];
    }
    if (scale_->class_scale.empty()) total = static_cast<double>(stats.weight) * scale_->weight_unit;
    return {counts_, total, *scale_->logs};
  }
  // The same from weights by class in units, which double holds exactly.
  ClassGroup group(std::span<const double> units) {
    double total = 0;
    for (double n : units) total += n;
    if (scale_->class_scale.empty() && scale_->weight_unit == 1) return {units, total, *scale_->logs};
    counts_.resize(units.size());
    for (std::size_t c = 0; c < counts_.size(); ++c) counts_[c] = units[c] * scale_->class_unit(c);
    total *= scale_->weight_unit;
    if (!scale_->class_scale.empty()) total = std::accumulate(counts_.begin(), counts_.end(), 0.0);
    return {counts_, total, *scale_->logs};
  }
  MomentGroup group(const MomentStats& stats) const {
    const int128 centred = stats.sum - static_cast<int128>(stats.weight) * scale_->centre;
    return {static_cast<double>(stats.weight) * scale_->weight_unit,
            static_cast<double>(centred) * scale_->weight_unit * scale_->y_unit};
  }
  RateGroup rate_group(const MomentStats& stats) const {
    return {static_cast<double>(stats.weight) * scale_->weight_unit,
            static_cast<double>(stats.sum) * scale_->weight_unit * scale_->y_unit, scale_->rate};
  }
  SpreadGroup group(const SpreadStats& stats) const {
    const double unit = std::ldexp(scale_->y_unit, scale_->coarse_shift);
    return {static_cast<double>(stats.weight) * scale_->weight_unit,
            stats.squares_about_mean() * scale_->weight_unit * unit * unit, scale_->root_variance};
  }
  DeviationGroup group(const ValueStats& stats) const {
    return {static_cast<double>(stats.weight) * scale_->weight_unit,
            static_cast<double>(stats.deviations()) * scale_->weight_unit * scale_->y_unit};
  }
  template <class Criterion, class Stats>
  auto group_for(const Stats& stats) {
    if constexpr (Criterion::reads == Reads::raw_sum)
      return rate_group(stats);
    else
      return group(stats);
  }
  template <class Criterion, class Stats>
  std::int64_t cost(const Stats& stats) {
    return std::llrint(Criterion::impurity(group_for<Criterion>(stats)) * scale_->cost_scale);
  }
  // May a branch be like this?
  template <class Criterion, class Stats>
  bool allows(const Stats& stats) {
    if constexpr (HasSideRule<Criterion, decltype(group_for<Criterion>(stats))>)
      return stats.rows == 0 || Criterion::allows(group_for<Criterion>(stats));
    else
      return true;
  }
  double weight_log(std::int64_t weight) const {
    return scale_->logs->n_log_n(static_cast<double>(weight) * scale_->weight_unit);
  }
  const Scale& scale() const { return *scale_; }

 private:
  const Scale* scale_;
  std::vector<double> counts_;
};

// Which partitions are allowed: every branch that has rows holds min_leaf and min_leaf_weight, and at least
// two hold min_branch.
struct Admission {
  double min_leaf = 0, min_leaf_weight = 0, min_branch = 0;
  bool by_weight = false;
  double weight_unit = 1;
  monotone::Limits monotone;

  explicit Admission(const Settings& s, const monotone::Bounds& bounds = {}, int direction = 0)
      : min_leaf(s.min_leaf),
        min_leaf_weight(s.min_leaf_weight),
        min_branch(s.min_branch),
        by_weight(s.counts_weight()),
        weight_unit(s.weight_unit),
        monotone{bounds, direction, s.is_monotone && (direction != 0 || bounds.is_bounded())} {}
  double size(std::int64_t rows, std::int64_t weight) const {
    // Shares of rows add up to whole numbers only up to rounding: 2/3 three times is two.
    return by_weight ? static_cast<double>(weight) * weight_unit + 1e-6 : static_cast<double>(rows);
  }
  bool is_heavy(std::int64_t weight) const {
    return static_cast<double>(weight) * weight_unit >= min_leaf_weight * (1 - 1e-9);
  }
  // What a branch holds, as far as limits ask.
  struct Size {
    std::int64_t rows = 0, weight = 0;
    Size(std::int64_t n, std::int64_t w) : rows(n), weight(w) {}
    template <class Stats>
    explicit(false) Size(const Stats& stats) : rows(stats.rows), weight(stats.weight) {}
  };
  template <class Stats>
  bool allows(const Size& a, const Size& b, const Stats* c) const {
    return allows(a, b, c == nullptr ? Size(0, 0) : Size(*c));
  }
  bool allows(const Size& a, const Size& b, const Size& c = Size(0, 0)) const {
    const std::array<Size, 3> branches{a, b, c};
    return allow_all(branches);
  }
  bool allow_all(std::span<const Size> branches) const {
    int large = 0;
    for (const Size& s : branches) {
      if (s.rows == 0) continue;
      const double n = size(s.rows, s.weight);
      if (n < min_leaf || !is_heavy(s.weight)) return false;
      large += n >= min_branch;
    }
    return large >= 2;
  }
};

// Where a candidate came from: a place in the order of groups (or a subset as bits), and what the gaps did.
struct Tag {
  enum Gap : std::int8_t { apart = -1, left = 0, right = 1, own = 2 };
  std::int64_t position = 0;
  Gap gap = apart;
  static constexpr std::int64_t known_or_missing = -1;  // the test "is it known at all?"
  bool has_order() const { return position != known_or_missing; }
};

struct Found {
  Tag tag;
  double value = 0;
  std::int64_t tie = 0, drop = 0;
  double split_info = 0;
};

inline bool beats(double value, std::int64_t tie, const std::optional<Found>& best) {
  return !best || value > best->value || (value == best->value && tie > best->tie);
}

// A contest between the candidates of one column: the first of the best wins.
template <class Criterion, class Stats>
class Contest {
 public:
  Contest(const Scale& scale, const Stats& parent, std::int64_t unknown_weight,
          std::optional<Admission> admission)
      : reals_(scale),
        node_reals_(scale),
        admission_(admission),
        unknown_(unknown_weight),
        total_(parent.weight + unknown_weight) {
    if constexpr (IsTwoSided<Criterion>)
      node_ = parent;
    else
      parent_ = reals_.template cost<Criterion>(parent);
    if constexpr (HasTieBreak<Criterion>)
      parent_tie_ = reals_.template cost<typename Criterion::TieBreak>(parent);
  }

  // The score of a partition into the given branches.
  Found evaluate(std::span<const Stats* const> branches) {
    if constexpr (IsTwoSided<Criterion>) return compare(*branches[0]);
    std::int64_t children = 0, ties = 0;
    double logs = unknown_ > 0 ? reals_.weight_log(unknown_) : 0;
    for (const Stats* s : branches) {
      if (s->rows == 0) continue;
      if constexpr (!IsTwoSided<Criterion>) children += reals_.template cost<Criterion>(*s);
      if constexpr (HasTieBreak<Criterion>) ties += reals_.template cost<typename Criterion::TieBreak>(*s);
      if constexpr (IsRatio<Criterion>) logs += reals_.weight_log(s->weight);
    }
    return finish(children, ties, logs);
  }
  // The same from sums over branches that were costed one at a time.
  Found finish(std::int64_t children, std::int64_t ties, double logs) {
    Found found;
    found.drop = parent_ - children;
    found.value = static_cast<double>(rounded(found.drop));
    if constexpr (HasTieBreak<Criterion>) found.tie = rounded(parent_tie_ - ties);
    if constexpr (IsRatio<Criterion>) {
      const double total = static_cast<double>(total_) * reals_.scale().weight_unit;
      found.split_info = (reals_.weight_log(total_) - logs) / total;
      found.value = rounded(Criterion::score(found.value, found.split_info));
    }
    return found;
  }

  void offer(Tag tag, const Stats& a, const Stats& b, const Stats* c = nullptr) {
    if (admission_ && !(admission_->allows(a, b, c) && suits(tag, a, b, c))) {
      ++n_refused_;
      return;
    }
    std::array<const Stats*, 3> branches{&a, &b, c};
    Found found = evaluate({branches.data(), c == nullptr ? 2u : 3u});
    found.tag = tag;
    if (beats(found.value, found.tie, best_)) best_ = found;
  }
  // Is a branch asked for more than its size: by the criterion, or by monotone columns?
  bool looks_at_branches() const {
    using Group = decltype(std::declval<Reals&>().template group_for<Criterion>(std::declval<Stats&>()));
    return HasSideRule<Criterion, Group> || admission_->monotone.is_active;
  }
  // Are the branches as they must be, whatever their size?
  bool suits(Tag tag, const Stats& a, const Stats& b, const Stats* c = nullptr) {
    return allows(a) && allows(b) && (!c || allows(*c)) &&
           admission_->monotone.allow(a, b, c, tag.has_order());
  }
  std::optional<Found> best() { return best_; }
  bool has_refused() const { return n_refused_ > 0; }
  Reals& reals() { return reals_; }

 private:
  bool allows(const Stats& stats) { return reals_.template allows<Criterion>(stats); }
  // The score of a side beside the node.
  Found compare(const Stats& side) {
    const double score = Criterion::score(reals_.template group_for<Criterion>(side),
                                          node_reals_.template group_for<Criterion>(node_));
    Found found;
    found.drop = std::llrint(score * reals_.scale().cost_scale);
    found.value = static_cast<double>(rounded(found.drop));
    return found;
  }

  Reals reals_, node_reals_;
  Stats node_;  // of a two-sided criterion
  std::optional<Admission> admission_;
  std::int64_t unknown_, total_, parent_ = 0, parent_tie_ = 0;
  std::int64_t n_refused_ = 0;
  std::optional<Found> best_;
};

// The same for a criterion from outside: candidates are collected and scored in one call.
template <class Stats>
class Contest<Outside, Stats> {
 public:
  Contest(const Scale& scale, const Stats& parent, std::optional<Admission> admission,
          const BatchScore& score, std::int32_t rank)
      : scale_(&scale), admission_(admission), score_(&score), rank_(rank), width_(row_of(parent).size()) {}

  void offer(Tag tag, const Stats& a, const Stats& b, const Stats* c = nullptr) {
    const std::array<const Stats*, 3> branches{&a, &b, c};
    offer(tag, std::span<const Stats* const>(branches).first(c == nullptr ? 2 : 3));
  }
  // A test with any number of branches, each with rows.
  void offer(Tag tag, std::span<const Stats* const> branches) {
    std::vector<Admission::Size> sizes;
    for (const Stats* branch : branches) sizes.emplace_back(*branch);
    if (admission_ && !(admission_->allow_all(sizes) && keeps_order(tag, branches))) {
      ++n_refused_;
      return;
    }
    Batch& batch = batch_of(branches.size());
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const auto row = row_of(*branches[b]);
      batch.branches[b].insert(batch.branches[b].end(), row.begin(), row.end());
    }
    batch.tags.emplace_back(n_offered_++, tag);
  }
  // The first of the best, in the order of their offers.
  std::optional<Found> best() {
    std::optional<Found> best;
    std::size_t best_place = 0;
    for (const Batch& batch : batches_) {
      const auto scores = (*score_)(batch.branches, width_, rank_);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto [place, tag] = batch.tags[i];
        const bool is_earlier = best && scores[i] == best->value && place < best_place;
        if (!(scores[i] > -std::numeric_limits<double>::infinity())) continue;
        if (!is_earlier && !beats(scores[i], 0, best)) continue;
        best = Found{tag, scores[i], 0, 0, 0};
        best_place = place;
      }
    }
    return best;
  }
  bool has_refused() const { return n_refused_ > 0; }

 private:
  bool keeps_order(Tag tag, std::span<const Stats* const> branches) const {
    const auto& limits = admission_->monotone;
    if (branches.size() <= 3)
      return limits.allow(*branches[0], *branches[1], branches.size() == 3 ? branches[2] : nullptr,
                          tag.has_order());
    return std::all_of(branches.begin(), branches.end(), [&](const Stats* s) { return limits.inside(*s); });
  }
  // The tests with one number of branches.
  struct Batch {
    std::vector<std::vector<double>> branches;
    std::vector<std::pair<std::size_t, Tag>> tags;
  };
  Batch& batch_of(std::size_t n_branches) {
    for (Batch& batch : batches_)
      if (batch.branches.size() == n_branches) return batch;
    batches_.push_back({std::vector<std::vector<double>>(n_branches), {}});
    return batches_.back();
  }
  std::vector<double> row_of(const ClassStats& stats) const {
    std::vector<double> row(stats.counts.size());
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = static_cast<double>(stats.counts[c]) * scale_->weight_unit;
    return row;
  }
  std::vector<double> row_of(const MomentStats& stats) const {
    const double coarse = std::ldexp(scale_->y_unit, scale_->coarse_shift);
    return {static_cast<double>(stats.weight) * scale_->weight_unit,
            static_cast<double>(stats.sum) * scale_->weight_unit * scale_->y_unit,
            static_cast<double>(stats.squares) * scale_->weight_unit * coarse * coarse};
  }

  const Scale* scale_;
  std::optional<Admission> admission_;
  const BatchScore* score_;
  std::int32_t rank_;  // of the column
  std::size_t width_;
  std::int64_t n_refused_ = 0;
  std::size_t n_offered_ = 0;
  std::vector<Batch> batches_;
};

}  // namespace treewright
