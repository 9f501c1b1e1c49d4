// How much a division of categories into two sides can be worth at most, before size limits have their say.
//
// With two classes, or numbers, the best division is one of those along the order of class shares or means
// (Fisher 1958; Breiman et al. 1984), so looking along that order bounds every other division, too.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "../splitters/subset.hpp"
#include "input.hpp"

namespace treewright {

template <class Criterion, class Stats>
class LevelBound {
 public:
  static constexpr bool has_classes = std::is_same_v<Stats, ClassStats>;
  static bool serves(std::size_t n_classes) { return !has_classes || n_classes == 2; }

  // Begin with the categories of a node.
  void start(const Scale& scale) {
    scale_ = &scale;
    levels_.clear();
    n_rows_ = 0;
  }
  // A category, or the gaps as one more.
  void add(const ClassStats& stats) {
    const double zeros = static_cast<double>(stats.counts[0]) * scale_->class_unit(0),
                 ones = static_cast<double>(stats.counts[1]) * scale_->class_unit(1);
    add({0, static_cast<double>(stats.weight) * scale_->weight_unit, zeros + ones, ones, zeros,
         static_cast<double>(stats.rows)});
  }
  void add(const MomentStats& stats) {
    const int128 sum = stats.sum - static_cast<int128>(stats.weight) * scale_->centre;
    const double weight = static_cast<double>(stats.weight) * scale_->weight_unit;
    add({0, weight, weight, static_cast<double>(sum) * scale_->weight_unit * scale_->y_unit, 0,
         static_cast<double>(stats.rows)});
  }
  // Two classes, each row counting one.
  void add(double rows, double ones) { add({0, rows, rows, ones, rows - ones, rows}); }

  // The least cost of two sides, negative. More levels than Subset would enumerate are divided along the
  // order only, so that size limits bind the bound too; levels of equal share must then stand as they do
  // there.
  double worth(const SideLimits& limits, SplitForm form) {
    const bool is_bound =
        form == SplitForm::subset && levels_.size() > max_enumerated_levels && limits.any() && n_rows_ < 1024;
    std::stable_sort(levels_.begin(), levels_.end(),
                     [](const Level& a, const Level& b) { return a.share < b.share; });
    // Right sides are added up from their own end: differences would lose a light one beside a heavy one.
    right_.resize(levels_.size());
    Level right;
    for (std::size_t i = levels_.size(); i-- > 1;) {
      right.add(levels_[i]);
      right_[i] = right;
    }
    double least = std::numeric_limits<double>::infinity();
    Level left;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      left.add(levels_[i]);
      const Level& other = right_[i + 1];
      if (is_bound && !(limits.allow(left.rows, left.weight) && limits.allow(other.rows, other.weight)))
        continue;
      least = std::min(least, cost(left) + cost(other));
    }
    return -least;
  }

 private:
  // `mass` is the weight as scores see it; `sum` is of class 1, or of deviations from the node's centre;
  // `rest` is of class 0.
  struct Level {
    double share = 0, weight = 0, mass = 0, sum = 0, rest = 0, rows = 0;
    void add(const Level& other) {
      weight += other.weight;
      mass += other.mass;
      sum += other.sum;
      rest += other.rest;
      rows += other.rows;
    }
  };
  void add(Level level) {
    level.share = level.sum / level.mass;
    levels_.push_back(level);
    n_rows_ += level.rows;
  }
  double cost(const Level& side) const {
    if constexpr (has_classes) {
      const double counts[2] = {side.rest, side.sum};
      return Criterion::impurity(ClassGroup{counts, side.mass, *scale_->logs});
    } else {
      return Criterion::impurity(MomentGroup{side.mass, side.sum});
    }
  }
  const Scale* scale_ = nullptr;
  std::vector<Level> levels_;
  std::vector<Level> right_;
  double n_rows_ = 0;
};

}  // namespace treewright
