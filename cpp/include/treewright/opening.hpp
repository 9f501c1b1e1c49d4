// Opening a node: what its rows amount to, and how their integers translate into scores.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "filters/impurity.hpp"
#include "spread.hpp"
#include "stats.hpp"
#include "values.hpp"

namespace treewright {

// The figures a node is opened with.
template <class Stats>
struct Opening {
  Stats stats;
  Scale scale;
  bool is_pure = true;
  double spread = 0;  // regression: what the node gets wrong, by the loss of the criterion; real
  double answer = 0;  // regression: the lower median, where that is the answer
};

namespace openings {

inline int bit_length(std::uint64_t x) { return 64 - std::countl_zero(x); }

// The weight of the heaviest class.
inline std::int64_t most_of(const ClassStats& stats) {
  std::int64_t most = 0;
  for (std::int64_t count : stats.counts) most = std::max(most, count);
  return most;
}

template <class Pieces>
void finish(Opening<ClassStats>& o, const ClassTarget& target, const Settings&, const Pieces&) {
  double total = 0;
  for (std::size_t c = 0; c < target.n_classes; ++c) {
    total += static_cast<double>(o.stats.counts[c]) * o.scale.weight_unit *
             (o.scale.class_scale.empty() ? 1 : o.scale.class_scale[c]);
  }
  o.is_pure = most_of(o.stats) == o.stats.weight;
  o.scale.weight = total;
  const auto n_classes = static_cast<double>(std::max<std::size_t>(2, target.n_of_table()));
  o.scale.cost_scale = fixed_point_scale(total * std::max(1.0, portable_log2(n_classes)));
}

// How many bits deviations lose before they are squared.
inline int square_shift(std::uint64_t farthest, std::int64_t weight) {
  const int room = (126 - bit_length(static_cast<std::uint64_t>(weight))) / 2;
  return std::max(0, bit_length(farthest) - room);
}

// The sum of squared deviations from a whole number of units near the mean. Deviations are rounded to as many
// bits as their squares, times the weight, leave room for in 126.
template <class Pieces>
double squares_about(std::int64_t centre, std::uint64_t farthest, const NumberTarget& target,
                     const Pieces& pieces, std::int64_t weight, double y_unit) {
  const int shift = square_shift(farthest, weight);
  const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
  int128 squares = 0;
  for (Piece p : pieces) {
    const std::int64_t d = (target.value[static_cast<std::size_t>(p.row)] - centre + half) >> shift;
    squares += static_cast<int128>(p.weight) * d * d;
  }
  const double unit = std::ldexp(y_unit, shift);
  return static_cast<double>(squares) * unit * unit;
}

// A whole number of units near the mean, about which squares lose no digits.
inline std::int64_t centre_of(const MomentStats& stats) {
  return stats.weight == 0 ? 0 : static_cast<std::int64_t>(stats.sum / stats.weight);
}

// The rest of an opening, once the squares about the centre are known (real, weights included).
inline void finish(Opening<MomentStats>& o, bool is_pure, double squares) {
  o.is_pure = is_pure;
  if (o.stats.weight == 0) return;
  o.scale.centre = centre_of(o.stats);
  o.scale.weight = static_cast<double>(o.stats.weight) * o.scale.weight_unit;
  o.scale.rate = static_cast<double>(o.stats.sum) / static_cast<double>(o.stats.weight) * o.scale.y_unit;
  if (o.is_pure) return;
  // No partition explains more than the squares about the centre: they bound every score of the node.
  o.scale.cost_scale = fixed_point_scale(squares);
  const int128 left_over = o.stats.sum - static_cast<int128>(o.stats.weight) * o.scale.centre;
  const double rest = static_cast<double>(left_over) / static_cast<double>(o.stats.weight) * o.scale.y_unit;
  o.spread = std::max(0.0, squares - o.scale.weight * rest * rest);
}

// The Poisson deviance of a node: 2 (y ln(y / mean) - y + mean) added up, where the last two cancel. Terms
// are rounded to fixed point, so that their order does not matter.
template <class Pieces>
double deviance(double mean, double greatest, const NumberTarget& target, const Pieces& pieces,
                double y_unit) {
  const double scale = fixed_point_scale(greatest * std::max(1.0, natural_log(greatest / mean)) + mean);
  int128 sum = 0;
  for (Piece p : pieces) {
    const double y = static_cast<double>(target.value[static_cast<std::size_t>(p.row)]) * y_unit;
    if (y > 0) sum += static_cast<int128>(p.weight) * std::llrint(y * natural_log(y / mean) * scale);
  }
  return std::max(0.0, 2 * static_cast<double>(sum) / scale);
}

template <class Pieces>
void finish(Opening<MomentStats>& o, const NumberTarget& target, const Settings& settings,
            const Pieces& pieces) {
  if (o.stats.weight == 0) return;
  const std::int64_t centre = static_cast<std::int64_t>(o.stats.sum / o.stats.weight);
  const std::int64_t first = target.value[static_cast<std::size_t>(pieces[0].row)];
  std::uint64_t farthest = 0;
  std::int64_t greatest = first;
  for (Piece p : pieces) {
    const std::int64_t y = target.value[static_cast<std::size_t>(p.row)], d = y - centre;
    greatest = std::max(greatest, y);
    farthest = std::max(farthest, static_cast<std::uint64_t>(d < 0 ? -d : d));
    o.is_pure &= y == first;
  }
  o.scale.centre = centre;
  o.scale.weight = static_cast<double>(o.stats.weight) * o.scale.weight_unit;
  o.scale.rate = static_cast<double>(o.stats.sum) / static_cast<double>(o.stats.weight) * o.scale.y_unit;
  if (o.is_pure) return;
  const double squares =
      squares_about(centre, farthest, target, pieces, o.stats.weight, o.scale.y_unit) * o.scale.weight_unit;
  const NodeFigures figures{o.scale.weight, squares, o.scale.rate * o.scale.weight, o.scale.rate,
                            static_cast<double>(greatest) * o.scale.y_unit};
  o.scale.cost_scale = fixed_point_scale(settings.numbers.most_cost(figures));
  if (settings.numbers.loss == Loss::poisson) {
    o.spread = deviance(figures.mean, figures.greatest, target, pieces, o.scale.y_unit) * o.scale.weight_unit;
    return;
  }
  const int128 left_over = o.stats.sum - static_cast<int128>(o.stats.weight) * centre;
  const double rest = static_cast<double>(left_over) / static_cast<double>(o.stats.weight) * o.scale.y_unit;
  o.spread = std::max(0.0, squares - o.scale.weight * rest * rest);
}

// The answer and its loss are those of any other numbers.
template <class Pieces>
void finish(Opening<SpreadStats>& o, const SpreadTarget& target, const Settings& settings,
            const Pieces& pieces) {
  Opening<MomentStats> plain{o.stats, o.scale, true, 0};
  finish(plain, target.numbers, settings, pieces);
  o.scale = plain.scale;
  o.is_pure = plain.is_pure;
  o.spread = plain.spread;
}

template <class Pieces>
void finish(Opening<ValueStats>& o, const ValueTarget& target, const Settings& settings,
            const Pieces& pieces) {
  if (o.stats.weight == 0) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> weighted;
  weighted.reserve(pieces.size());
  for (Piece p : pieces) weighted.emplace_back(target.value(p), p.weight);
  const std::int64_t median = lower_median(weighted, settings.weight_slack(o.stats.rows));
  int128 deviations = 0;
  for (const auto& [y, weight] : weighted)
    deviations += static_cast<int128>(weight) * (y < median ? median - y : y - median);
  o.is_pure = weighted.front().first == weighted.back().first;
  o.answer = static_cast<double>(median) * o.scale.y_unit;
  o.spread = static_cast<double>(deviations) * o.scale.y_unit * o.scale.weight_unit;
  o.scale.weight = static_cast<double>(o.stats.weight) * o.scale.weight_unit;
  o.scale.cost_scale = fixed_point_scale(o.spread);  // no partition is farther from its medians
}

// An opening before its scale of costs is known.
template <class Target>
Opening<typename Target::Stats> begun(const typename Target::Stats& stats, const Target& target,
                                      const Settings& settings, const Logs& logs) {
  Opening<typename Target::Stats> o{stats, {}, true, 0};
  o.scale.weight_unit = settings.weight_unit;
  o.scale.y_unit = settings.y_unit;
  o.scale.class_scale = settings.class_scale;
  o.scale.logs = &logs;
  if constexpr (requires { target.coarse_shift; }) o.scale.coarse_shift = target.coarse_shift;
  if constexpr (requires { target.root_variance; }) o.scale.root_variance = target.root_variance;
  return o;
}

// A node opened from its exact figures; `pieces` are its rows, which only numbers are asked about.
template <class Target, class Pieces>
Opening<typename Target::Stats> of(const typename Target::Stats& stats, const Target& target,
                                   const Settings& settings, const Logs& logs, const Pieces& pieces) {
  Opening<typename Target::Stats> o = begun(stats, target, settings, logs);
  finish(o, target, settings, pieces);
  return o;
}

// Is a node of these rows a leaf, without a look at its impurity?
template <class Stats>
bool is_leaf(const Stats& stats, bool is_pure, std::int64_t depth, const Settings& settings) {
  if (is_pure || depth >= settings.max_depth) return true;
  if (Admission(settings).size(stats.rows, stats.weight) < settings.min_split) return true;
  if constexpr (std::is_same_v<Stats, ClassStats>)
    return static_cast<double>(most_of(stats)) > settings.majority_share * static_cast<double>(stats.weight);
  else
    return false;
}

// Is the node a leaf whatever its columns offer?
template <class Stats>
bool is_finished(const Opening<Stats>& o, std::int64_t depth, const Settings& settings) {
  return is_leaf(o.stats, o.is_pure, depth, settings) ||
         filters::is_pure_enough(o.stats, o.spread, o.scale, settings);
}

}  // namespace openings

}  // namespace treewright
