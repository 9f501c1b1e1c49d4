// What the rows of a leaf cost that answers its median: distances from it, added up. Sums of weights and of
// weighted numbers by rank, in a binary indexed tree (Fenwick 1994): a row is added, and the median found, in
// as many steps as the number of ranks has bits. As in tally.hpp, more rows never cost less, and two leaves
// never cost more than one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "problem.hpp"

namespace treewright::optimal {

class MedianTally {
 public:
  explicit MedianTally(const Problem& problem) : problem_(&problem) {
    auto ranks = std::make_shared<Ranks>();
    ranks->value = problem.value;
    std::sort(ranks->value.begin(), ranks->value.end());
    ranks->value.erase(std::unique(ranks->value.begin(), ranks->value.end()), ranks->value.end());
    for (double y : problem.value) {
      const auto at = std::lower_bound(ranks->value.begin(), ranks->value.end(), y);
      ranks->of_row.push_back(static_cast<std::uint32_t>(at - ranks->value.begin()));
    }
    sums_.resize(ranks->value.size() + 1);
    ranks_ = std::move(ranks);
  }

  void clear() {
    for (std::uint32_t rank : touched_)
      for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] = {};
    touched_.clear();
    all_ = {};
  }
  void add(std::uint32_t row, double share = 1) {
    const std::uint32_t rank = ranks_->of_row[row];
    const double w = problem_->weight[row] * share, wy = w * problem_->value[row];
    for (std::size_t i = rank + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i].add({w, wy});
    touched_.push_back(rank);
    all_.add({w, wy});
  }
  double value() const {
    return cost([this](std::size_t i) { return sums_[i]; }, all_);
  }
  // The cost of these rows together with a share of others.
  double value_with(const MedianTally& others, double share) const {
    auto both = [share](Sum one, Sum other) {
      return Sum{one.weight + share * other.weight, one.sum + share * other.sum};
    };
    return cost([&](std::size_t i) { return both(sums_[i], others.sums_[i]); }, both(all_, others.all_));
  }
  double value_of(const std::int32_t*) const { return 0; }  // numbers have no classes to count

  // By how much each row can raise the cost of any tree that it joins, at most.
  static std::vector<double> slacks(const Problem& problem) {
    std::vector<double> found(problem.n_rows());
    if (found.empty()) return found;
    const auto [least, most] = std::minmax_element(problem.value.begin(), problem.value.end());
    for (std::size_t row = 0; row < found.size(); ++row)
      found[row] = problem.weight[row] * std::max(problem.value[row] - *least, *most - problem.value[row]);
    return found;
  }

 private:
  struct Ranks {
    std::vector<double> value;
    std::vector<std::uint32_t> of_row;
  };
  struct Sum {
    double weight = 0, sum = 0;
    void add(Sum other) {
      weight += other.weight;
      sum += other.sum;
    }
  };
  // The first rank at which half of the weight is reached; below it `low` is held.
  template <class At>
  double cost(At at, Sum all) const {
    if (all.weight <= 0) return 0;
    std::size_t rank = 0;
    Sum low;
    for (std::size_t step = std::bit_floor(sums_.size() - 1); step > 0; step /= 2) {
      if (rank + step >= sums_.size()) continue;
      const Sum next = at(rank + step);
      if (2 * (low.weight + next.weight) >= all.weight) continue;
      rank += step;
      low.add(next);
    }
    const double median = ranks_->value[std::min(rank, ranks_->value.size() - 1)];
    return std::max(0.0, median * (2 * low.weight - all.weight) + all.sum - 2 * low.sum);
  }

  const Problem* problem_;
  std::shared_ptr<const Ranks> ranks_;
  std::vector<Sum> sums_;
  std::vector<std::uint32_t> touched_;
  Sum all_;
};

}  // namespace treewright::optimal
