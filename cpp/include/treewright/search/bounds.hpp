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

#include "../column.hpp"
#include "../contest.hpp"

namespace treewright {

// A bin among its neighbours: what lies before it, in it and after it, gaps apart.
template <class Stats>
struct BinView {
  Stats before, inside, after, gaps;
  double squares = 0;  // numbers: at least the squares inside, about the node's centre
  bool has_gaps = false;
};

// A class criterion from its total and its terms.
template <class Criterion>
TREEWRIGHT_INLINE double cost_of(double total, double terms, const Logs& logs) {
  return total > 0 ? Criterion::cost(total, terms, 1 / total, logs) : 0;
}

// The cost of stats in floating point, near enough to tell which cuts are worth judging.
template <class Criterion>
class Costs {
 public:
  explicit Costs(const Scale& scale) : reals_(scale), scale_(scale) {}
  TREEWRIGHT_INLINE double operator()(const ClassStats& stats) const {
    double total = 0, terms = 0;
    for (std::size_t k = 0; k < stats.counts.size(); ++k) {
      const double n = static_cast<double>(stats.counts[k]) * scale_.class_unit(k);
      terms = with_term<Criterion>(total, terms, n, Criterion::term(n, *scale_.logs));
      total += n;
    }
    return cost_of<Criterion>(total, terms, *scale_.logs);
  }
  TREEWRIGHT_INLINE double operator()(const MomentStats& stats) {
    return Criterion::impurity(reals_.group(stats));
  }
  Reals& reals() { return reals_; }

 private:
  Reals reals_;
  const Scale& scale_;
};

// Worth is the negative of the children's cost.
template <class Criterion>
double cheap_bound(Costs<Criterion>&, const BinView<ClassStats>&, double cost_before, double cost_after) {
  return -cost_before - cost_after;
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

// Squared error is kept less the squares that all partitions share, which the bin's rows must give back; and
// gaps cost less than nothing, so that they count on the side where they do more.
template <class Criterion>
double cheap_bound(Costs<Criterion>& cost, const BinView<MomentStats>& bin, double cost_before,
                   double cost_after) {
  if (!bin.has_gaps) return -cost_before - cost_after + bin.squares;
  return worth_of_sides(cost, bin.before, bin.after, bin) + bin.squares;
}

// All corners of a bin's box. Sums are taken from their parts at every corner: differences would lose a light
// side beside a heavy one.
template <class Criterion>
class Corners {
 public:
  static constexpr std::size_t max_classes = 10;

  // False where too many classes are in the bin for all corners to be tried.
  bool set(const BinView<ClassStats>& bin, const ClassStats& before, const ClassStats& after,
           const Scale& scale) {
    n_ = 0;
    logs_ = scale.logs;
    left_ = right_ = {};
    for (std::size_t k = 0; k < before.counts.size(); ++k) {
      const double unit = scale.class_unit(k), here = static_cast<double>(bin.inside.counts[k]) * unit,
                   low = static_cast<double>(before.counts[k]) * unit,
                   high = static_cast<double>(after.counts[k]) * unit;
      if (here > 0) {
        if (n_ == max_classes) return false;
        part_[n_++] = {{low, low + here},
                       {high + here, high},
                       {term(low), term(low + here)},
                       {term(high + here), term(high)}};
      } else {
        left_.add(low, term(low));
        right_.add(high, term(high));
      }
    }
    return true;
  }

  struct Worth {
    double most, lower_edge, upper_edge;  // of the corners where classes part; all right; all left
  };
  Worth worth() const {
    const std::uint32_t all = (1u << n_) - 1;
    Worth found{-std::numeric_limits<double>::infinity(), at(0), at(all)};
    for (std::uint32_t corner = 1; corner < all; ++corner) found.most = std::max(found.most, at(corner));
    return found;
  }

 private:
  struct Side {
    double total = 0, terms = 0;
    void add(double n, double term) {
      terms = with_term<Criterion>(total, terms, n, term);
      total += n;
    }
  };
  // A class that is in the bin: its weight and term on each side, with the bin on the right and on the left.
  struct Part {
    double left[2], right[2], left_term[2], right_term[2];
  };
  double at(std::uint32_t on_left) const {
    Side left = left_, right = right_;
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t is_left = (on_left >> j) & 1;
      left.add(part_[j].left[is_left], part_[j].left_term[is_left]);
      right.add(part_[j].right[is_left], part_[j].right_term[is_left]);
    }
    return -cost(left) - cost(right);
  }
  double term(double n) const { return Criterion::term(n, *logs_); }
  double cost(Side side) const { return cost_of<Criterion>(side.total, side.terms, *logs_); }
  const Logs* logs_ = nullptr;
  Side left_, right_;
  Part part_[max_classes];
  std::size_t n_ = 0;
};

// The best corner where classes part. The two edges have been looked at themselves, so that they count only
// together; or each, where size limits may have refused one, or where a row may be so light that a cut beside
// it ties with the edge.
template <class Criterion>
double corner_bound(Costs<Criterion>& cost, const BinView<ClassStats>& bin, bool counts_edges) {
  Corners<Criterion> corners;
  double most = -std::numeric_limits<double>::infinity();
  ClassStats before = bin.before, after = bin.after;
  for (int way = 0; way < (bin.has_gaps ? 2 : 1); ++way) {
    if (bin.has_gaps) {  // on the left, then on the right
      (way == 0 ? before : after).add(bin.gaps);
      if (way == 1) before.add(bin.gaps, -1);
    }
    if (!corners.set(bin, before, after, cost.reals().scale()))
      return std::numeric_limits<double>::infinity();
    const auto worth = corners.worth();
    most = std::max({most, worth.most,
                     counts_edges ? std::max(worth.lower_edge, worth.upper_edge)
                                  : std::min(worth.lower_edge, worth.upper_edge)});
  }
  return most;
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
    const double share = (1 + u) / 2, rest = (1 - u) / 2;  // no differences: a light side keeps its digits
    return part(before_.sum + (share * inside_.sum + v * height_), before_.weight + share * inside_.weight) +
           part(after_.sum + (rest * inside_.sum - v * height_), after_.weight + rest * inside_.weight);
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
