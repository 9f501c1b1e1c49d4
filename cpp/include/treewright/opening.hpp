// Opening a node: what its rows amount to, and how their integers translate into scores.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "contest.hpp"
#include "stats.hpp"

namespace treewright {

// The figures a node is opened with.
template <class Stats>
struct Opening {
  Stats stats;
  Scale scale;
  bool is_pure = true;
  double spread = 0;  // regression: sum of squared deviations, real
};

namespace openings {

inline int bit_length(std::uint64_t x) { return 64 - std::countl_zero(x); }

inline void finish(Opening<ClassStats>& o, const ClassTarget& target, std::span<const Piece>) {
  std::int64_t most = 0;
  double total = 0;
  for (std::size_t c = 0; c < target.n_classes; ++c) {
    most = std::max(most, o.stats.counts[c]);
    total += static_cast<double>(o.stats.counts[c]) * o.scale.weight_unit *
             (o.scale.class_scale.empty() ? 1 : o.scale.class_scale[c]);
  }
  o.is_pure = most == o.stats.weight;
  o.scale.weight = total;
  o.scale.cost_scale = fixed_point_scale(
      total * std::max(1.0, portable_log2(static_cast<double>(std::max<std::size_t>(2, target.n_classes)))));
}

inline void finish(Opening<MomentStats>& o, const NumberTarget& target, std::span<const Piece> pieces) {
  if (o.stats.weight == 0) return;
  o.scale.centre = static_cast<std::int64_t>(o.stats.sum / o.stats.weight);
  std::uint64_t farthest = 0;
  for (Piece p : pieces) {
    const std::int64_t d = target.value[static_cast<std::size_t>(p.row)] - o.scale.centre;
    farthest = std::max(farthest, static_cast<std::uint64_t>(d < 0 ? -d : d));
  }
  const double y_unit = o.scale.y_unit, far = static_cast<double>(farthest) * y_unit;
  o.scale.weight = static_cast<double>(o.stats.weight) * o.scale.weight_unit;
  o.scale.cost_scale = fixed_point_scale(o.scale.weight * far * far);
  // Deviations are rounded to as many bits as their squares, times the weight, leave room for in 126.
  const int room = (126 - bit_length(static_cast<std::uint64_t>(o.stats.weight))) / 2;
  const int shift = std::max(0, bit_length(farthest) - room);
  int128 squares = 0;
  bool differs = false;
  for (Piece p : pieces) {
    const std::int64_t y = target.value[static_cast<std::size_t>(p.row)];
    differs |= y != target.value[static_cast<std::size_t>(pieces[0].row)];
    const std::int64_t d =
        shift == 0 ? y - o.scale.centre : (y - o.scale.centre + (std::int64_t{1} << (shift - 1))) >> shift;
    squares += static_cast<int128>(p.weight) * d * d;
  }
  o.is_pure = !differs;
  const double unit = std::ldexp(y_unit, shift);
  o.spread = differs ? static_cast<double>(squares) * o.scale.weight_unit * unit * unit : 0;
  if (differs && shift == 0) {  // the centre was rounded down to a whole unit: take the rest off
    const double rest =
        static_cast<double>(o.stats.sum - static_cast<int128>(o.stats.weight) * o.scale.centre) /
        static_cast<double>(o.stats.weight) * y_unit;
    o.spread = std::max(0.0, o.spread - o.scale.weight * rest * rest);
  }
}

}  // namespace openings

}  // namespace treewright
