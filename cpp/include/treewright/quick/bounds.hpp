// The most that a cut inside a bin can be worth, told from the outside.
//
// A concave impurity makes the drop a convex function of what lies left. Classes: inside a bin the left-hand
// counts lie in the box between the bin's two edges, so no cut inside beats the best corner of the box.
// Numbers: m rows of a bin whose squares about its mean add up to Q have a sum at most sqrt(m (n - m) / n Q)
// away from m times the mean; that ellipse lies in an octagon, and no cut inside beats its best corner. A
// cheaper bound comes first: without the bin's rows, both sides cost the least they can. (The idea of CLOUDS:
// Alsabti, Ranka, Singh 1998.)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../contest.hpp"
#include "histogram.hpp"

namespace treewright {

// A bin among its neighbours: what lies before it, in it and after it, gaps apart.
template <class Stats>
struct BinView {
  Stats before, inside, after, gaps;
  double squares = 0;  // numbers: at least the squares inside, about the node's centre
  bool has_gaps = false;
};

// The cost of stats in floating point.
template <class Criterion>
class Costs {
 public:
  explicit Costs(const Scale& scale) : reals_(scale) {}
  template <class Stats>
  double operator()(const Stats& stats) {
    return Criterion::impurity(reals_.group(stats));
  }
  Reals& reals() { return reals_; }

 private:
  Reals reals_;
};

// Worth is the negative of the children's cost.
template <class Criterion>
double cheap_bound(Costs<Criterion>&, const BinView<ClassStats>&, double cost_before, double cost_after) {
  return -cost_before - cost_after;
}
template <class Criterion>
double cheap_bound(Costs<Criterion>&, const BinView<MomentStats>& bin, double cost_before,
                   double cost_after) {
  return -cost_before - cost_after + bin.squares;
}

// The worth of a division of the bin, with gaps on the better side.
template <class Criterion, class Stats>
double worth_of_sides(Costs<Criterion>& cost, const Stats& left, const Stats& right,
                      const BinView<Stats>& bin) {
  if (!bin.has_gaps) return -cost(left) - cost(right);
  Stats more = left;
  more.add(bin.gaps);
  const double with_left = -cost(more) - cost(right);
  more = right;
  more.add(bin.gaps);
  return std::max(with_left, -cost(left) - cost(more));
}

// The best corner where classes part. `floor` is what must be reached for a cut to matter; the two edges have
// been looked at themselves, so that they count only together, or where size limits may have refused one.
template <class Criterion>
double corner_bound(Costs<Criterion>& cost, const BinView<ClassStats>& bin, bool has_limits) {
  constexpr std::size_t max_classes = 5;
  constexpr double all = std::numeric_limits<double>::infinity();
  std::size_t present[max_classes], n_present = 0;
  for (std::size_t k = 0; k < bin.inside.counts.size(); ++k) {
    if (bin.inside.counts[k] == 0) continue;
    if (n_present == max_classes) return all;
    present[n_present++] = k;
  }
  double most = -all, edges[2] = {-all, -all};
  ClassStats left = bin.before, right = bin.after;
  const std::uint32_t n_corners = 1u << n_present;
  for (std::uint32_t corner = 0; corner < n_corners; ++corner) {
    left = bin.before;
    right = bin.after;
    for (std::size_t i = 0; i < n_present; ++i) {
      ClassStats& side = (corner >> i) & 1 ? left : right;
      side.counts[present[i]] += bin.inside.counts[present[i]];
      side.weight += bin.inside.counts[present[i]];
    }
    const double worth = worth_of_sides(cost, left, right, bin);
    if (corner == 0)
      edges[0] = worth;
    else if (corner == n_corners - 1)
      edges[1] = worth;
    else
      most = std::max(most, worth);
  }
  return std::max(most, has_limits ? std::max(edges[0], edges[1]) : std::min(edges[0], edges[1]));
}

// The best corner of the octagon around the ellipse.
class Octagon {
 public:
  // Sums are taken about the node's centre: of what lies before the bin, in it and after it.
  Octagon(MomentGroup before, MomentGroup inside, MomentGroup after, double squares)
      : before_(before), inside_(inside), after_(after) {
    const double about_mean = std::max(0.0, squares - inside.sum * inside.sum / inside.weight);
    height_ = std::sqrt(inside.weight * about_mean) / 2 * (1 + 1e-9);
  }
  double worth() const {
    constexpr double tangent = 0.41421357;  // of 22.5 degrees, rounded up
    double most = -std::numeric_limits<double>::infinity();
    for (double u : {-1.0, -tangent, tangent, 1.0}) {
      const double v = std::abs(u) == 1 ? tangent : 1.0;
      most = std::max({most, at(u, v), at(u, -v)});
    }
    return most;
  }

 private:
  double at(double u, double v) const {
    const double m = inside_.weight * (1 + u) / 2, sum = m * inside_.sum / inside_.weight + v * height_;
    return part(before_.sum + sum, before_.weight + m) +
           part(after_.sum + inside_.sum - sum, after_.weight + inside_.weight - m);
  }
  static double part(double sum, double weight) {
    if (weight > 0) return sum * sum / weight;
    return sum == 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  MomentGroup before_, inside_, after_;
  double height_ = 0;
};

template <class Criterion>
double corner_bound(Costs<Criterion>& cost, const BinView<MomentStats>& bin, bool) {
  auto group = [&](const MomentStats& stats) { return cost.reals().group(stats); };
  MomentGroup before = group(bin.before), inside = group(bin.inside), after = group(bin.after);
  if (!bin.has_gaps) return Octagon(before, inside, after, bin.squares).worth();
  const MomentGroup gaps = group(bin.gaps);
  const auto joined = [&](MomentGroup g) { return MomentGroup{g.weight + gaps.weight, g.sum + gaps.sum}; };
  return std::max(Octagon(joined(before), inside, after, bin.squares).worth(),
                  Octagon(before, inside, joined(after), bin.squares).worth());
}

}  // namespace treewright
