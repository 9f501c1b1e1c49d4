// Edges whose left sides are sums of rows, kept as they are: real weights of two classes, and numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "drawn_edges.hpp"

namespace treewright {

// `Self` says what a row weighs, and finds the costs of edges.
template <class Self, class Summed>
class SummedEdges : public EdgeCosts {
 public:
  using Row = Summed;
  static constexpr std::size_t most_sorted = few_rows;

  // Edges at the end of every bucket; returns the first.
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    Row* left = left_.data() + first;
    std::fill_n(left, buckets.size, Row{});
    for (std::size_t i = 0; i < rank.size(); ++i) left[buckets.of(rank[i])].add(rows[i]);
    for (std::size_t b = 1; b < buckets.size; ++b) left[b].add(left[b - 1]);
    self().find_costs(first);
    return first;
  }
  // The edge between rows that lie left and others, if there are both.
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    Row left;
    for (std::size_t i = 0; i < n; ++i)
      if (is_left(i)) left.add(rows[i]);
    const double weight = Self::weight(left);
    if (weight == 0 || weight == Self::weight(all_)) return std::nullopt;
    const std::size_t edge = make_room(1);
    left_[edge] = left;
    self().find_costs(edge);
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
    Row left;
    for (std::size_t p = 0; p + 1 < sorted.size(); ++p) {
      left.add(rows[place_of(sorted[p], place_bits(sorted.size()))]);
      left_[first + p] = left;
    }
    self().find_costs(first);
    return first;
  }
  bool is_repeated(std::size_t edge) const {
    return Self::weight(left_[edge]) == Self::weight(left_[edge - 1]);
  }

 protected:
  void take_node(const Row& all) {
    all_ = all;
    remove_all();
  }
  const Row& all() const { return all_; }
  std::span<const Row> left_from(std::size_t first) const {
    return std::span(left_).subspan(first, size() - first);
  }
  const Row& left_of(std::size_t edge) const { return left_[edge]; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  std::size_t make_room(std::size_t n) { return add(n, left_); }

  Row all_;
  std::vector<Row> left_;
};

}  // namespace treewright
