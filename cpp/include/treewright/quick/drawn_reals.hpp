// Edges of two classes where weights are no whole numbers, or too large, or scaled by class. Weights are
// counted in units, so that sums in double are exact; what they cost is rounded.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "drawn_edges.hpp"

namespace treewright {

template <class Criterion>
class RealPairEdges : public EdgeCosts {
 public:
  using Row = PairSum;
  static constexpr std::size_t most_sorted = few_rows;
  static Row row(std::int32_t label, std::int64_t weight) {
    const auto w = static_cast<double>(weight);
    return {w, label == 0 ? 0 : w};
  }
  static std::size_t label(Row row) { return row.second != 0; }
  static double weight(Row row) { return row.all; }

  RealPairEdges(const Scale& scale, std::size_t)
      : logs_(*scale.logs), unit_{scale.class_unit(0), scale.class_unit(1)} {}
  void set_node(const double* counts) {
    all_ = {counts[0] + counts[1], counts[1]};
    remove_all();
  }
  // Edges at the end of every bucket; returns the first.
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    Row* sum = sum_.data() + first;
    std::fill_n(sum, buckets.size, Row{});
    for (std::size_t i = 0; i < rank.size(); ++i) sum[buckets.of(rank[i])].add(rows[i]);
    for (std::size_t b = 1; b < buckets.size; ++b) sum[b].add(sum[b - 1]);
    find_costs(first);
    return first;
  }
  // The edge between rows that lie left and others, if there are both.
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    Row sum;
    for (std::size_t i = 0; i < n; ++i) sum.add(is_left(i) ? rows[i] : Row{});
    if (sum.all == 0 || sum.all == all_.all) return std::nullopt;
    const std::size_t edge = make_room(1);
    sum_[edge] = sum;
    find_costs(edge);
    return edge;
  }
  // The edge behind a rank.
  std::optional<std::size_t> add_cut(std::span<const std::uint32_t> rank, std::uint32_t last,
                                     const Row* rows) {
    return add_edge(rank.size(), [&](std::size_t i) { return rank[i] <= last; }, rows);
  }
  // Edges behind every row but the last, in the order of sort_few_ranks; returns the first.
  std::size_t add_sorted(std::span<const std::int32_t> sorted, const Row* rows, std::optional<double>&) {
    const std::size_t first = make_room(sorted.size() - 1);
    Row* sum = sum_.data() + first;
    Row before;
    for (std::size_t p = 0; p + 1 < sorted.size(); ++p) {
      before.add(rows[place_of(sorted[p], place_bits(few_rows))]);
      sum[p] = before;
    }
    find_costs(first);
    return first;
  }
  bool is_repeated(std::size_t edge) const { return sum_[edge].all == sum_[edge - 1].all; }
  // The weights on the left of an edge.
  void counts(std::size_t edge, double* found) const {
    found[0] = sum_[edge].all - sum_[edge].second;
    found[1] = sum_[edge].second;
  }
  std::array<double, 2> left(std::size_t edge) const {
    return {sum_[edge].all - sum_[edge].second, sum_[edge].second};
  }
  static std::array<double, 2> none() { return {}; }

 private:
  std::size_t make_room(std::size_t n) { return add(n, sum_); }
  void find_costs(std::size_t first) {
    const auto sums = std::span(sum_).subspan(first, size() - first);
    double *left = left_costs() + first, *right = right_costs() + first;
    if constexpr (HasKernels<Criterion>) {
      pair_costs(Criterion(), sums, all_, unit_, left, right);
    } else {
      for (std::size_t e = 0; e < sums.size(); ++e) {
        left[e] = cost(sums[e]);
        right[e] = cost({all_.all - sums[e].all, all_.second - sums[e].second});
      }
    }
  }
  double cost(Row side) const {
    const double counts[2] = {(side.all - side.second) * unit_[0], side.second * unit_[1]};
    return Criterion::impurity(ClassGroup{counts, counts[0] + counts[1], logs_});
  }

  const Logs& logs_;
  double unit_[2];
  Row all_;
  std::vector<Row> sum_;
};

}  // namespace treewright
