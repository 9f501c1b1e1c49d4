// Numbers where columns are drawn: weight, sum and squares left of edges, as drawn_edges.hpp keeps class
// weights. Targets are rounded to so many bits about the centre of the node that sums in double are exact;
// what that may change is part of the slack.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../opening.hpp"
#include "bounds.hpp"
#include "drawn_edges.hpp"

namespace treewright {

// A row: its weight, and that times its rounded target and the square of it. Or what several add up to.
struct NumberRow {
  double weight = 0, sum = 0, squares = 0;
  void add(const NumberRow& other) {
    weight += other.weight;
    sum += other.sum;
    squares += other.squares;
  }
};

// The rows of a node, rounded.
struct RoundedNumbers {
  NumberRow all;
  double unit = 1, error = 0;  // of the rounded targets; of what a cut is worth

  struct Target {
    std::int64_t value = 0, weight = 0;
  };
  void round(std::span<const std::uint32_t> ids, std::span<const Target> targets,
             const Opening<MomentStats>& opening, std::vector<NumberRow>& rows) {
    const std::int64_t centre = opening.scale.centre;
    std::uint64_t farthest = 0;
    for (std::uint32_t id : ids) {
      const std::int64_t d = targets[id].value - centre;
      farthest = std::max(farthest, static_cast<std::uint64_t>(d < 0 ? -d : d));
    }
    const int n_bits = openings::bit_length(farthest) +
                       openings::bit_length(static_cast<std::uint64_t>(opening.stats.weight));
    const int shift = std::max(0, n_bits - 52);
    const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
    all = {};
    rows.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Target& target = targets[ids[i]];
      const auto d = static_cast<double>((target.value - centre + half) >> shift),
                 weight = static_cast<double>(target.weight);
      rows[i] = {weight, weight * d, weight * d * d};
      all.add(rows[i]);
    }
    unit = std::ldexp(opening.scale.y_unit, shift);
    // A sum is off by half a unit for each unit of its weight, and |sum| <= sqrt(weight * squares).
    const double off = shift == 0 ? 0 : unit * all.weight;
    error = 2 * off * (std::sqrt(all.squares / all.weight) * unit + unit);
  }
};

// What both sides of a cut cost as Contest counts it: sums are added up again, in whole units. Rows of rank
// up to `last_left` lie left.
template <class Criterion>
std::int64_t exact_cost(const Opening<MomentStats>& opening, std::span<const std::uint32_t> ids,
                        std::span<const RoundedNumbers::Target> targets, const std::uint32_t* rank,
                        std::uint32_t last_left) {
  MomentStats left, right = opening.stats;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (rank[i] > last_left) continue;
    const RoundedNumbers::Target& row = targets[ids[i]];
    left.weight += row.weight;
    left.sum += static_cast<int128>(row.weight) * row.value;
  }
  right.weight -= left.weight;
  right.sum -= left.sum;
  Reals reals(opening.scale);
  return reals.template cost<Criterion>(left) + reals.template cost<Criterion>(right);
}

class NumberEdges {
 public:
  using Row = NumberRow;
  static constexpr std::size_t most_sorted = few_rows;
  static double weight(const Row& row) { return row.weight; }

  NumberEdges(const Logs&, std::size_t) {}
  void set_node(const RoundedNumbers& node) {
    all_ = node.all;
    scale_ = node.unit * node.unit;
    size_ = 0;
  }
  // Edges at the end of every bucket; returns the first.
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    Row* left = left_.data() + first;
    std::fill_n(left, buckets.size, Row{});
    for (std::size_t i = 0; i < rank.size(); ++i) left[buckets.of(rank[i])].add(rows[i]);
    for (std::size_t b = 1; b < buckets.size; ++b) left[b].add(left[b - 1]);
    find_costs(first);
    return first;
  }
  // The one edge of a column of ranks 0 and 1, if rows lie on both sides of it.
  std::optional<std::size_t> add_two_valued(const std::uint32_t* source, std::span<const std::uint32_t> ids,
                                            const Row* rows) {
    return add_edge(ids.size(), [&](std::size_t i) { return source[ids[i]] == 0; }, rows);
  }
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    Row left;
    for (std::size_t i = 0; i < n; ++i)
      if (is_left(i)) left.add(rows[i]);
    if (left.weight == 0 || left.weight == all_.weight) return std::nullopt;
    const std::size_t edge = make_room(1);
    left_[edge] = left;
    find_costs(edge);
    return edge;
  }
  std::optional<std::size_t> add_cut(std::span<const std::uint32_t> rank, std::uint32_t last,
                                     const Row* rows) {
    return add_edge(rank.size(), [&](std::size_t i) { return rank[i] <= last; }, rows);
  }
  // Edges behind every row but the last, in the order of sort_few_ranks; returns the first.
  std::size_t add_sorted(std::span<const std::int32_t> sorted, const Row* rows, std::optional<double>&) {
    const std::size_t first = make_room(sorted.size() - 1);
    Row left;
    for (std::size_t p = 0; p + 1 < sorted.size(); ++p) {
      left.add(rows[place_of(sorted[p], place_bits(sorted.size()))]);
      left_[first + p] = left;
    }
    find_costs(first);
    return first;
  }
  double left_cost(std::size_t edge) const { return left_cost_[edge]; }
  double right_cost(std::size_t edge) const { return right_cost_[edge]; }
  double worth(std::size_t edge) const { return -left_cost_[edge] - right_cost_[edge]; }
  bool is_repeated(std::size_t edge) const { return left_[edge].weight == left_[edge - 1].weight; }
  void counts(std::size_t edge, double* found) const {
    const Row& left = left_[edge];
    found[0] = left.weight;
    found[1] = left.sum;
    found[2] = left.squares;
  }
  // At least the squares in the bucket that ends here, which rows inside may give back.
  double squares(std::size_t edge, bool is_first) const {
    const double inside = left_[edge].squares - (is_first ? 0 : left_[edge - 1].squares);
    return (inside + 1e-12 * all_.squares) * scale_;
  }

 private:
  std::size_t make_room(std::size_t n) {
    const std::size_t first = size_;
    size_ += n;
    if (left_.size() < size_) {
      left_.resize(2 * size_);
      left_cost_.resize(2 * size_);
      right_cost_.resize(2 * size_);
    }
    return first;
  }
  void find_costs(std::size_t first) {
    for (std::size_t e = first; e < size_; ++e) {
      left_cost_[e] = cost(left_[e].weight, left_[e].sum);
      right_cost_[e] = cost(all_.weight - left_[e].weight, all_.sum - left_[e].sum);
    }
  }
  double cost(double weight, double sum) const { return weight > 0 ? -(sum * sum / weight) * scale_ : 0; }

  Row all_;
  double scale_ = 1;
  std::size_t size_ = 0;
  std::vector<Row> left_;
  std::vector<double> left_cost_, right_cost_;
};

// Both sides of a cut while a drawn column is walked along.
class NumberDrawnSides {
 public:
  explicit NumberDrawnSides(const Logs&) {}
  void set_node(const RoundedNumbers& node) {
    all_ = node.all;
    scale_ = node.unit * node.unit;
  }
  void start(const double* left) { left_ = {left[0], left[1], left[2]}; }
  void move(const NumberRow& row) {
    left_[0] += row.weight;
    left_[1] += row.sum;
  }
  const double* left() const { return left_.data(); }
  double left_total() const { return left_[0]; }
  double uncut_worth() const { return all_.sum * all_.sum / all_.weight * scale_; }
  double worth() const {
    const double weight = all_.weight - left_[0], sum = all_.sum - left_[1];
    return (left_[1] * left_[1] / left_[0] + (weight > 0 ? sum * sum / weight : 0)) * scale_;
  }
  // The most that a cut inside a bucket can be worth, between what lies left of it and what lies left of its
  // end.
  double bound(const double* from, const double* to) const {
    const MomentGroup before{from[0], from[1]}, inside{to[0] - from[0], to[1] - from[1]},
        after{all_.weight - to[0], all_.sum - to[1]};
    return Octagon(before, inside, after, to[2] - from[2] + 1e-12 * all_.squares).worth() * scale_;
  }

 private:
  NumberRow all_;
  double scale_ = 1;
  std::array<double, 3> left_{};
};

}  // namespace treewright
