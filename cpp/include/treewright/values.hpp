// Numbers with all their values: what a criterion needs that no sum can serve. A set of rows is a Fenwick
// tree over the distinct values of the node, so that a row is added, and the median found, in log n steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "column.hpp"
#include "groups.hpp"
#include "stats.hpp"

namespace treewright {

using Levels = std::shared_ptr<const std::vector<std::int64_t>>;  // distinct fixed-point values, ascending

// The first value, in their order, up to which lies half of the weight: 2 * weight + slack >= all of it.
template <class Value>
Value lower_median(std::vector<std::pair<Value, std::int64_t>>& weighted, std::int64_t slack) {
  std::sort(weighted.begin(), weighted.end());
  std::int64_t total = 0, running = 0;
  for (const auto& [value, weight] : weighted) total += weight;
  for (const auto& [value, weight] : weighted)
    if (running += weight; 2 * running + slack >= total) return value;
  return {};
}

struct ValueStats {
  std::int64_t weight = 0, rows = 0;
  int128 sum = 0;

  explicit ValueStats(std::size_t = 0) {}
  void clear() {
    weight = rows = 0;
    sum = 0;
    tree_.assign(tree_.size(), {});
  }
  void add(const ValueStats& other, std::int64_t sign = 1) {
    weight += sign * other.weight;
    rows += sign * other.rows;
    sum += sign * other.sum;
    take(other.levels_);
    for (std::size_t i = 0; i < other.tree_.size(); ++i) {  // trees add up like what they hold
      tree_[i].weight += sign * other.tree_[i].weight;
      tree_[i].sum += sign * other.tree_[i].sum;
    }
  }
  // Stats without rows take the levels of the first rows they are given.
  void take(const Levels& levels) {
    if (levels_ || !levels) return;
    levels_ = levels;
    tree_.resize(levels->size() + 1);
  }
  void put(std::size_t place, std::int64_t units) {
    const int128 product = static_cast<int128>(units) * (*levels_)[place];
    for (std::size_t i = place + 1; i < tree_.size(); i += i & (0 - i)) {
      tree_[i].weight += units;
      tree_[i].sum += product;
    }
  }
  // The distances from the lower median, added up: those below it, and those above.
  int128 deviations() const {
    if (!levels_) return 0;
    Node below;
    std::size_t place = 0, step = 1;
    while (2 * step < tree_.size()) step *= 2;
    for (; step > 0; step /= 2) {
      if (place + step >= tree_.size()) continue;
      const Node& next = tree_[place + step];
      if (2 * (below.weight + next.weight) >= weight) continue;
      below.weight += next.weight;
      below.sum += next.sum;
      place += step;
    }
    if (place == levels_->size()) return 0;  // no rows
    return static_cast<int128>((*levels_)[place]) * (2 * below.weight - weight) + sum - 2 * below.sum;
  }
  // The weight at each level, one after the other.
  std::vector<std::int64_t> shares() const {
    std::vector<std::int64_t> own(tree_.size());
    for (std::size_t i = 1; i < tree_.size(); ++i) own[i] = tree_[i].weight;
    for (std::size_t i = tree_.size(); i-- > 1;)
      if (const std::size_t above = i + (i & (0 - i)); above < own.size()) own[above] -= own[i];
    return own.empty() ? own : std::vector<std::int64_t>(own.begin() + 1, own.end());
  }
  const Levels& levels() const { return levels_; }

 private:
  struct Node {
    std::int64_t weight = 0;
    int128 sum = 0;
  };
  Levels levels_;
  std::vector<Node> tree_;  // from 1 on
};

// A number target whose statistics keep the values. What a node is opened with has only sums: its rows are at
// hand there.
struct ValueTarget {
  using Stats = ValueStats;
  NumberTarget numbers;

  Stats none() const { return Stats(); }
  std::int64_t value(Piece piece) const { return numbers.value[static_cast<std::size_t>(piece.row)]; }
  void add(Stats& stats, Piece piece) const {
    stats.weight += piece.weight;
    stats.rows += 1;
    stats.sum += static_cast<int128>(piece.weight) * value(piece);
  }
};

// The cells of a group are the levels it has, with the weight there.
template <>
struct Groups<ValueStats> {
  Levels levels;
  std::vector<std::int32_t> code, place;
  std::vector<std::int64_t> weight, rows, start{0}, share;
  std::vector<int128> sum;

  std::size_t size() const { return code.size(); }
  void add_to(ValueStats& stats, std::size_t g, std::int64_t sign = 1) const {
    stats.take(levels);
    stats.weight += sign * weight[g];
    stats.rows += sign * rows[g];
    stats.sum += sign * sum[g];
    for (auto i = static_cast<std::size_t>(start[g]); i < static_cast<std::size_t>(start[g + 1]); ++i)
      stats.put(static_cast<std::size_t>(place[i]), sign * share[i]);
  }
  void push(std::int32_t group_code, const ValueStats& stats) {
    if (!levels) levels = stats.levels();
    open(group_code);
    const auto shares = stats.shares();
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (shares[i] != 0) put(i, shares[i]);
    close(stats);
  }
  // A group is opened, filled and closed.
  void open(std::int32_t group_code) { code.push_back(group_code); }
  void put(std::size_t level, std::int64_t units) {
    place.push_back(static_cast<std::int32_t>(level));
    share.push_back(units);
  }
  void close(const ValueStats& stats) {
    weight.push_back(stats.weight);
    rows.push_back(stats.rows);
    sum.push_back(stats.sum);
    start.push_back(static_cast<std::int64_t>(place.size()));
  }
};

inline Measured<ValueStats> measure(const ValueTarget& target, std::span<const Piece> pieces,
                                    const Column& column, CodeOrder& scratch) {
  std::vector<std::int64_t> values;
  values.reserve(pieces.size());
  for (Piece piece : pieces) values.push_back(target.value(piece));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto levels = std::make_shared<const std::vector<std::int64_t>>(std::move(values));
  Measured<ValueStats> out;
  out.groups.levels = levels;
  for (ValueStats* stats : {&out.known, &out.missing}) stats->take(levels);
  auto order = scratch.sort(pieces, column);
  auto code_of = [&](std::size_t i) { return column.code[static_cast<std::size_t>(pieces[order[i]].row)]; };
  for (std::size_t i = 0; i < order.size();) {
    const std::int32_t code = code_of(i);
    ValueStats group;
    ValueStats& all = code == missing_code ? out.missing : out.known;
    if (code != missing_code) out.groups.open(code);
    for (; i < order.size() && code_of(i) == code; ++i) {
      const Piece piece = pieces[order[i]];
      const auto place = static_cast<std::size_t>(
          std::lower_bound(levels->begin(), levels->end(), target.value(piece)) - levels->begin());
      target.add(group, piece);
      target.add(all, piece);
      all.put(place, piece.weight);
      if (code != missing_code) out.groups.put(place, piece.weight);
    }
    if (code != missing_code) out.groups.close(group);
  }
  return out;
}

// Categories by their lower medians: no order proves anything here, this one is tried where they are many.
template <class Scale>
std::vector<std::uint32_t> share_order(const Groups<ValueStats>& groups, const Scale&) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::int32_t> median(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::pair<std::int32_t, std::int64_t>> cells;
    for (auto i = static_cast<std::size_t>(groups.start[g]);
         i < static_cast<std::size_t>(groups.start[g + 1]); ++i)
      cells.emplace_back(groups.place[i], groups.share[i]);
    median[g] = lower_median(cells, 0);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return median[a] < median[b]; });
  return order;
}

}  // namespace treewright
