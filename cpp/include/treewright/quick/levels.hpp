// How much a division of categories into two sides can be worth at most, before size limits have their say.
//
// With two classes, or numbers, the best division is one of those along the order of class shares or means
// (Fisher 1958; Breiman et al. 1984), so looking along that order bounds every other division, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../contest.hpp"
#include "../stats.hpp"

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
    all_ = {};
  }
  // A category, or the gaps as one more.
  void add(const ClassStats& stats) {
    add(static_cast<double>(stats.weight) * scale_->weight_unit,
        static_cast<double>(stats.counts[1]) * scale_->weight_unit);
  }
  void add(const MomentStats& stats) {
    const int128 sum = stats.sum - static_cast<int128>(stats.weight) * scale_->centre;
    add(static_cast<double>(stats.weight) * scale_->weight_unit,
        static_cast<double>(sum) * scale_->weight_unit * scale_->y_unit);
  }
  void add(double weight, double sum) {
    levels_.push_back({sum / weight, weight, sum});
    all_.weight += weight;
    all_.sum += sum;
  }

  // The least cost of two sides, negative.
  double worth() {
    std::sort(levels_.begin(), levels_.end(),
              [](const Level& a, const Level& b) { return a.share < b.share; });
    double least = std::numeric_limits<double>::infinity();
    Level left;
    for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
      left.weight += levels_[i].weight;
      left.sum += levels_[i].sum;
      least = std::min(least, cost(left) + cost({0, all_.weight - left.weight, all_.sum - left.sum}));
    }
    return -least;
  }

 private:
  struct Level {
    double share = 0, weight = 0, sum = 0;  // class 1, or deviations from the node's centre
  };
  double cost(const Level& side) const {
    if constexpr (has_classes) {
      const double counts[2] = {side.weight - side.sum, side.sum};
      return Criterion::impurity(ClassGroup{counts, side.weight, *scale_->logs});
    } else {
      return Criterion::impurity(MomentGroup{side.weight, side.sum});
    }
  }
  const Scale* scale_ = nullptr;
  std::vector<Level> levels_;
  Level all_;
};

}  // namespace treewright
