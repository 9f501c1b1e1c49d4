// What a set of rows amounts to. Everything is an integer (weights and targets in fixed point), so sums do
// not depend on the order of rows, threads or parts, and subtracting is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wide.hpp"

namespace treewright {

// A piece of a row: under the fractional policy a row may be in several nodes with a share of its weight in
// each.
struct Piece {
  std::int32_t row;
  std::int64_t weight;
};

struct ClassStats {
  std::int64_t weight = 0, rows = 0;
  std::vector<std::int64_t> counts;  // weight of each class

  explicit ClassStats(std::size_t n_classes = 0) : counts(n_classes) {}
  void clear() {
    weight = rows = 0;
    counts.assign(counts.size(), 0);
  }
  void add(const ClassStats& other, std::int64_t sign = 1) {
    weight += sign * other.weight;
    rows += sign * other.rows;
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += sign * other.counts[c];
  }
};

struct MomentStats {
  std::int64_t weight = 0, rows = 0;
  int128 sum = 0, squares = 0;  // of weight * y and weight * coarse y^2, y in fixed point

  explicit MomentStats(std::size_t = 0) {}
  void clear() { *this = MomentStats(); }
  void add(const MomentStats& other, std::int64_t sign = 1) {
    weight += sign * other.weight;
    rows += sign * other.rows;
    sum += sign * other.sum;
    squares += sign * other.squares;
  }
};

// The mean in units of the target, rounded once for the whole part and once for the rest.
inline double mean_units(const MomentStats& stats) {
  const int128 whole = stats.sum / stats.weight, rest = stats.sum - whole * stats.weight;
  return static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(stats.weight);
}

// The target column, and how one piece of a row enters the statistics.
struct ClassTarget {
  using Stats = ClassStats;
  std::span<const std::int32_t> label;
  std::size_t n_classes = 0;
  std::size_t n_declared = 0;  // of the table, where labels number only classes that are left; 0: the same

  std::size_t n_of_table() const { return n_declared > 0 ? n_declared : n_classes; }
  Stats none() const { return Stats(n_classes); }
  void add(Stats& stats, Piece piece) const {
    stats.weight += piece.weight;
    stats.rows += 1;
    stats.counts[static_cast<std::size_t>(label[static_cast<std::size_t>(piece.row)])] += piece.weight;
  }
  // From one side of a cut to the other.
  void move(Stats& from, Stats& to, Piece piece) const {
    const auto k = static_cast<std::size_t>(label[static_cast<std::size_t>(piece.row)]);
    from.weight -= piece.weight;
    to.weight += piece.weight;
    --from.rows;
    ++to.rows;
    from.counts[k] -= piece.weight;
    to.counts[k] += piece.weight;
  }
};

struct NumberTarget {
  using Stats = MomentStats;
  std::span<const std::int64_t> value;  // y * 2^bits, |value| < 2^60
  int coarse_shift = 0;  // value >> coarse_shift fits its square, times all weight, into 126 bits

  Stats none() const { return Stats(); }
  std::int64_t coarse(std::int64_t y) const {
    return coarse_shift == 0 ? y : (y + (std::int64_t{1} << (coarse_shift - 1))) >> coarse_shift;
  }
  void add(Stats& stats, Piece piece) const {
    const std::int64_t y = value[static_cast<std::size_t>(piece.row)];
    const int128 square = static_cast<int128>(coarse(y)) * coarse(y);
    stats.weight += piece.weight;
    stats.rows += 1;
    stats.sum += static_cast<int128>(piece.weight) * y;
    stats.squares += piece.weight * square;
  }
  // From one side of a cut to the other; squares are left alone, since no cut is scored by them.
  void move(Stats& from, Stats& to, Piece piece) const {
    const int128 sum = static_cast<int128>(piece.weight) * value[static_cast<std::size_t>(piece.row)];
    from.weight -= piece.weight;
    to.weight += piece.weight;
    --from.rows;
    ++to.rows;
    from.sum -= sum;
    to.sum += sum;
  }
};

}  // namespace treewright
