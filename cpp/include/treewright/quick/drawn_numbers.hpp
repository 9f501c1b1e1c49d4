// Numbers where columns are drawn: weight, sum and squares left of edges, as drawn_edges.hpp keeps class
// weights. Where rows count whole numbers, targets are rounded to so many bits about the centre of the node
// that sums in double are exact; what that may change is part of the slack. Real weights leave no bits for
// that: sums are whole numbers of 128 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "../opening.hpp"
#include "../search/bounds.hpp"
#include "drawn_sums.hpp"

namespace treewright {

// A row: its weight, and that times its target and the square of it. Or what several add up to.
template <class Weight, class Sum>
struct WeighedNumbers {
  Weight weight{};
  Sum sum{};
  double squares = 0;
  void add(const WeighedNumbers& other) {
    weight += other.weight;
    sum += other.sum;
    squares += other.squares;
  }
  WeighedNumbers without(const WeighedNumbers& part) const {
    return {weight - part.weight, sum - part.sum, squares - part.squares};
  }
  MomentGroup group() const { return {static_cast<double>(weight), static_cast<double>(sum)}; }
};
using NumberRow = WeighedNumbers<double, double>;             // the target rounded
using WholeNumberRow = WeighedNumbers<std::int64_t, int128>;  // as it is, in units

struct DrawnTarget {
  std::int64_t value = 0, weight = 0;
};

// The rows of a node about its centre.
template <class Row>
struct CentredNumbers {
  Row all;
  double unit = 1, error = 0;  // of squared sums over weights; of what a cut is worth
  double noise = 0;            // of sums of squares

  void take(std::span<const std::uint32_t> ids, std::span<const DrawnTarget> targets,
            const Opening<MomentStats>& opening, std::vector<Row>& rows) {
    const Scale& scale = opening.scale;
    const int shift = std::is_same_v<Row, NumberRow> ? lost_bits(ids, targets, opening) : 0;
    const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
    all = {};
    rows.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const DrawnTarget& target = targets[ids[i]];
      rows[i] = row((target.value - scale.centre + half) >> shift, target.weight);
      all.add(rows[i]);
    }
    const double step = std::ldexp(scale.y_unit, shift);
    unit = step * step * scale.weight_unit;
    noise = (1e-12 + 0x1p-52 * static_cast<double>(ids.size())) * all.squares;
    if (shift == 0) return;
    // A sum is off by half a step for each unit of its weight, and |sum| <= sqrt(weight * squares).
    const double weight = all.group().weight;
    error = 2 * step * weight * (std::sqrt(all.squares / weight) * step + step);
  }

 private:
  // How many bits of the targets are too many for exact sums?
  static int lost_bits(std::span<const std::uint32_t> ids, std::span<const DrawnTarget> targets,
                       const Opening<MomentStats>& opening) {
    std::uint64_t farthest = 0;
    for (std::uint32_t id : ids) {
      const std::int64_t d = targets[id].value - opening.scale.centre;
      farthest = std::max(farthest, static_cast<std::uint64_t>(d < 0 ? -d : d));
    }
    const int n_bits = openings::bit_length(farthest) +
                       openings::bit_length(static_cast<std::uint64_t>(opening.stats.weight));
    return std::max(0, n_bits - 52);
  }
  static Row row(std::int64_t deviation, std::int64_t weight) {
    const auto d = static_cast<double>(deviation), w = static_cast<double>(weight);
    if constexpr (std::is_same_v<Row, NumberRow>)
      return {w, w * d, w * d * d};
    else
      return {weight, static_cast<int128>(weight) * deviation, w * d * d};
  }
};

// What both sides of a cut cost as Contest counts it: sums are added up again, in whole units. Rows of rank
// up to `last_left` lie left.
template <class Criterion>
std::int64_t exact_cost(const Opening<MomentStats>& opening, std::span<const std::uint32_t> ids,
                        std::span<const DrawnTarget> targets, const std::uint32_t* rank,
                        std::uint32_t last_left) {
  MomentStats left, right = opening.stats;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (rank[i] > last_left) continue;
    const DrawnTarget& row = targets[ids[i]];
    left.weight += row.weight;
    left.sum += static_cast<int128>(row.weight) * row.value;
  }
  right.weight -= left.weight;
  right.sum -= left.sum;
  Reals reals(opening.scale);
  return reals.template cost<Criterion>(left) + reals.template cost<Criterion>(right);
}

template <class NumberRows>
class NumberEdges : public SummedEdges<NumberEdges<NumberRows>, NumberRows> {
  using Base = SummedEdges<NumberEdges<NumberRows>, NumberRows>;
  friend Base;

 public:
  using Row = NumberRows;
  static double weight(const Row& row) { return static_cast<double>(row.weight); }

  NumberEdges(const Scale&, std::size_t) {}
  void set_node(const CentredNumbers<Row>& node) {
    Base::take_node(node.all);
    unit_ = node.unit;
    noise_ = node.noise;
  }
  // The weight left of an edge; all that lies there.
  void counts(std::size_t edge, double* found) const { *found = weight(Base::left_of(edge)); }
  Row left(std::size_t edge) const { return Base::left_of(edge); }
  static Row none() { return {}; }
  // At least the squares in the bucket that ends here, which rows inside may give back.
  double squares(std::size_t edge, bool is_first) const {
    const double inside = Base::left_of(edge).squares - (is_first ? 0 : Base::left_of(edge - 1).squares);
    return (inside + noise_) * unit_;
  }

 private:
  void find_costs(std::size_t first) {
    const auto sums = Base::left_from(first);
    double *left = Base::left_costs() + first, *right = Base::right_costs() + first;
    for (std::size_t e = 0; e < sums.size(); ++e) {
      left[e] = cost(sums[e]);
      right[e] = cost(Base::all().without(sums[e]));
    }
  }
  double cost(const Row& side) const {
    const MomentGroup group = side.group();
    return group.weight > 0 ? -(group.sum * group.sum / group.weight) * unit_ : 0;
  }

  double unit_ = 1, noise_ = 0;
};

// Both sides of a cut while a drawn column is walked along.
template <class Row>
class NumberDrawnSides {
 public:
  explicit NumberDrawnSides(const Scale&) {}
  void set_node(const CentredNumbers<Row>& node) {
    all_ = node.all;
    unit_ = node.unit;
    noise_ = node.noise;
  }
  void start(const Row& left) { left_ = left; }
  void move(const Row& row) { left_.add(row); }
  double left_total() const { return static_cast<double>(left_.weight); }
  double uncut_worth() const { return part(all_) * unit_; }
  double worth() const { return (part(left_) + part(all_.without(left_))) * unit_; }
  // The most that a cut inside a bucket can be worth, between what lies left of it and what lies left of its
  // end.
  double bound(const Row& from, const Row& to) const {
    const Row inside = to.without(from);
    return Octagon(from.group(), inside.group(), all_.without(to).group(), inside.squares + noise_).worth() *
           unit_;
  }

 private:
  static double part(const Row& side) {
    const MomentGroup group = side.group();
    return group.weight > 0 ? group.sum * group.sum / group.weight : 0;
  }

  Row all_, left_;
  double unit_ = 1, noise_ = 0;
};

}  // namespace treewright
