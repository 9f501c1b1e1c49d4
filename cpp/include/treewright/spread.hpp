// Numbers with their variance: squares of distances from a centre near the mean of all rows, and the sum of
// the very same rounded distances, so that equal values have a variance of exactly 0.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "column.hpp"
#include "groups.hpp"
#include "stats.hpp"
#include "wide.hpp"

namespace treewright {

struct SpreadStats : MomentStats {
  int128 coarse_sum = 0;  // of weight * distance; `squares` is of weight * distance^2

  explicit SpreadStats(std::size_t = 0) {}
  void clear() { *this = SpreadStats(); }
  void add(const SpreadStats& other, std::int64_t sign = 1) {
    MomentStats::add(other, sign);
    coarse_sum += sign * other.coarse_sum;
  }
  // The squares about the group's own mean, in whole distances. The whole part of the mean is taken off
  // first: large terms cancel exactly, by the rules of unsigned numbers.
  double squares_about_mean() const {
    if (weight == 0) return 0;
    const int128 whole = coarse_sum / weight;
    const uint128 far =
        static_cast<uint128>(squares) - 2 * static_cast<uint128>(whole) * static_cast<uint128>(coarse_sum) +
        static_cast<uint128>(whole) * static_cast<uint128>(whole) * static_cast<uint128>(weight);
    const auto rest = static_cast<double>(coarse_sum - whole * weight);
    return std::max(
        0.0, static_cast<double>(static_cast<int128>(far)) - rest * rest / static_cast<double>(weight));
  }
};

struct SpreadTarget {
  using Stats = SpreadStats;
  NumberTarget numbers;
  std::int64_t centre = 0;
  int coarse_shift = 0;      // a distance >> this: its square, times all weight, fits 126 bits
  double root_variance = 0;  // of all rows, in units of the target

  SpreadTarget(const NumberTarget& target, std::span<const std::int64_t> weight, double y_unit)
      : numbers(target) {
    MomentStats all;
    for (std::size_t r = 0; r < weight.size(); ++r)
      if (weight[r] > 0) numbers.add(all, {static_cast<std::int32_t>(r), weight[r]});
    if (all.weight == 0) return;
    // A round number near the mean: distances of round numbers are round.
    const auto mean = static_cast<std::int64_t>(all.sum / all.weight);
    const int keeps = std::max(0, bits(farthest(weight, mean)) - 6);
    centre = mean >> keeps << keeps;
    coarse_shift = std::max(
        0, bits(farthest(weight, centre)) + 1 - (126 - bits(static_cast<std::uint64_t>(all.weight))) / 2);
    SpreadStats spread;
    for (std::size_t r = 0; r < weight.size(); ++r)
      if (weight[r] > 0) add(spread, {static_cast<std::int32_t>(r), weight[r]});
    const double unit = std::ldexp(y_unit, coarse_shift);
    root_variance = spread.squares_about_mean() / static_cast<double>(spread.weight) * unit * unit;
  }
  Stats none() const { return Stats(); }
  void add(Stats& stats, Piece piece) const {
    const std::int64_t y = numbers.value[static_cast<std::size_t>(piece.row)], away = y - centre,
                       half = coarse_shift == 0 ? 0 : std::int64_t{1} << (coarse_shift - 1),
                       coarse = (away + half) >> coarse_shift;
    stats.weight += piece.weight;
    stats.rows += 1;
    stats.sum += static_cast<int128>(piece.weight) * y;
    stats.coarse_sum += static_cast<int128>(piece.weight) * coarse;
    stats.squares += static_cast<int128>(piece.weight) * coarse * coarse;
  }

 private:
  static int bits(std::uint64_t x) { return 64 - std::countl_zero(x); }
  std::uint64_t farthest(std::span<const std::int64_t> weight, std::int64_t from) const {
    std::uint64_t most = 0;
    for (std::size_t r = 0; r < weight.size(); ++r) {
      const std::int64_t d = numbers.value[r] - from;
      if (weight[r] > 0) most = std::max(most, static_cast<std::uint64_t>(d < 0 ? -d : d));
    }
    return most;
  }
};

template <>
struct Groups<SpreadStats> {
  std::vector<std::int32_t> code;
  std::vector<std::int64_t> weight;
  std::vector<SpreadStats> stats;

  std::size_t size() const { return code.size(); }
  void add_to(SpreadStats& to, std::size_t g, std::int64_t sign = 1) const { to.add(stats[g], sign); }
  void push(std::int32_t group_code, const SpreadStats& group) {
    code.push_back(group_code);
    weight.push_back(group.weight);
    stats.push_back(group);
  }
};

inline Measured<SpreadStats> measure(const SpreadTarget& target, std::span<const Piece> pieces,
                                     const Column& column, CodeOrder& scratch) {
  Measured<SpreadStats> out;
  auto order = scratch.sort(pieces, column);
  auto code_of = [&](std::size_t i) { return column.code[static_cast<std::size_t>(pieces[order[i]].row)]; };
  for (std::size_t i = 0; i < order.size();) {
    const std::int32_t code = code_of(i);
    SpreadStats group;
    for (; i < order.size() && code_of(i) == code; ++i) target.add(group, pieces[order[i]]);
    if (code == missing_code) {
      out.missing = group;
    } else {
      out.groups.push(code, group);
      out.known.add(group);
    }
  }
  return out;
}

// Categories by their means: no order proves anything here, this one is tried where they are many.
template <class Scale>
std::vector<std::uint32_t> share_order(const Groups<SpreadStats>& groups, const Scale&) {
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0u);
  auto mean = [&](std::uint32_t g) {
    return static_cast<double>(groups.stats[g].coarse_sum) / static_cast<double>(groups.weight[g]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return mean(a) < mean(b); });
  return order;
}

}  // namespace treewright
