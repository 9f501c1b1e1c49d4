// What lies left of the edges between buckets, or between single rows, of the columns that a node looks at;
// and what both sides cost. Edges of one column lie side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../criterion.hpp"
#include "drawn_kernels.hpp"

namespace treewright {

// Buckets of ranks: those of rank `least` and more, without so many bits.
struct Buckets {
  std::uint32_t least = 0;
  int shift = 0;
  std::size_t size = 0;
  std::size_t of(std::uint32_t rank) const { return (rank - least) >> shift; }
};

// Two classes: both weights of an edge are one number, so that a row is added by one addition.
template <class Criterion>
class PairEdges {
 public:
  using Row = std::uint64_t;
  static constexpr std::size_t most_sorted = HasKernels<Criterion> ? some_rows : few_rows;
  static constexpr std::int64_t most_weight = 0x7FFFFFFF;  // of all rows
  static Row row(std::int32_t label, std::int64_t weight) {
    const auto w = static_cast<std::uint64_t>(weight);
    return label == 0 ? w : w << 32 | w;
  }
  static std::size_t label(Row row) { return row >> 32 != 0; }
  static double weight(Row row) { return static_cast<double>(row & 0xFFFFFFFF); }

  PairEdges(const Logs& logs, std::size_t) : logs_(logs) {}
  void set_node(const double* counts) {
    all_[0] = counts[0];
    all_[1] = counts[1];
    size_ = 0;
  }
  // Edges at the end of every bucket; returns the first.
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    std::uint64_t* sum = sum_.data() + first;
    std::fill_n(sum, buckets.size, 0);
    if (buckets.size == 2)  // a counter that is hit again and again would wait for itself
      for (std::size_t i = 0; i < rank.size(); ++i) {
        const bool is_second = buckets.of(rank[i]) != 0;
        sum[0] += is_second ? 0 : rows[i];
        sum[1] += is_second ? rows[i] : 0;
      }
    else
      for (std::size_t i = 0; i < rank.size(); ++i) sum[buckets.of(rank[i])] += rows[i];
    for (std::size_t b = 1; b < buckets.size; ++b) sum[b] += sum[b - 1];
    find_costs(first);
    return first;
  }
  // The one edge of a column of ranks 0 and 1, if rows lie on both sides of it.
  std::optional<std::size_t> add_two_valued(const std::uint32_t* source, std::span<const std::uint32_t> ids,
                                            const Row* rows) {
    return add_edge(ids.size(), [&](std::size_t i) { return source[ids[i]] == 0; }, rows);
  }
  // The edge between rows that lie left and others, if there are both.
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += is_left(i) ? rows[i] : 0;
    return add_sum(sum);
  }
  // The edge behind a rank.
  std::optional<std::size_t> add_cut(std::span<const std::uint32_t> rank, std::uint32_t last,
                                     const Row* rows) {
    return add_sum(sum_up_to(rank, last, rows));
  }
  // Edges behind every row but the last, in the order of sort_few_ranks; returns the first. Where `best` is
  // told, it is what the best edge between unequal ranks is worth.
  std::size_t add_sorted(std::span<std::int32_t> sorted, const Row* rows, std::optional<double>& best) {
    const std::size_t n = sorted.size() - 1, first = make_room(n);
    if constexpr (HasKernels<Criterion>) {
      best = -sorted_pair_costs(Criterion(), sorted, rows, all_[0], all_[1], sum_.data() + first,
                                left_cost_.data() + first);
      std::fill_n(right_cost_.data() + first, n, 0.0);
      return first;
    }
    const int bits = place_bits(sorted.size());
    std::uint64_t* sum = sum_.data() + first;
    std::uint64_t before = 0;
    for (std::size_t p = 0; p < n; ++p) sum[p] = before += rows[place_of(sorted[p], bits)];
    find_costs(first);
    return first;
  }
  double left_cost(std::size_t edge) const { return left_cost_[edge]; }
  double right_cost(std::size_t edge) const { return right_cost_[edge]; }
  double worth(std::size_t edge) const { return -left_cost_[edge] - right_cost_[edge]; }
  // Has the bucket that ends here no rows? (Not asked of the first one, which has the least rank.)
  bool is_repeated(std::size_t edge) const { return sum_[edge] == sum_[edge - 1]; }
  // The weights on the left of an edge.
  void counts(std::size_t edge, double* found) const {
    found[1] = static_cast<double>(sum_[edge] >> 32);
    found[0] = static_cast<double>(sum_[edge] & 0xFFFFFFFF) - found[1];
  }

 private:
  std::optional<std::size_t> add_sum(std::uint64_t sum) {
    const auto weight = static_cast<double>(sum & 0xFFFFFFFF);
    if (weight == 0 || weight == all_[0] + all_[1]) return std::nullopt;
    const std::size_t edge = make_room(1);
    sum_[edge] = sum;
    find_costs(edge);
    return edge;
  }
  std::size_t make_room(std::size_t n) {
    const std::size_t first = size_;
    size_ += n;
    if (sum_.size() < size_ + 1 + spare_room) {
      const std::size_t room = 2 * size_ + 1 + spare_room;
      sum_.resize(room);
      left_cost_.resize(room);
      right_cost_.resize(room);
    }
    return first;
  }
  void find_costs(std::size_t first) {
    if constexpr (HasKernels<Criterion>) {
      pair_costs(Criterion(), std::span(sum_).subspan(first, size_ - first), all_[0], all_[1],
                 left_cost_.data() + first, right_cost_.data() + first);
    } else {
      for (std::size_t e = first; e < size_; ++e) {
        double left[2];
        counts(e, left);
        const double right[2] = {all_[0] - left[0], all_[1] - left[1]};
        left_cost_[e] = Criterion::impurity(ClassGroup{left, left[0] + left[1], logs_});
        right_cost_[e] = Criterion::impurity(ClassGroup{right, right[0] + right[1], logs_});
      }
    }
  }

  const Logs& logs_;
  double all_[2] = {};
  std::size_t size_ = 0;
  std::vector<std::uint64_t> sum_;
  std::vector<double> left_cost_, right_cost_;
};

// Any number of classes; their weights are padded to a multiple of four.
template <class Criterion>
class ManyEdges {
 public:
  using Row = std::uint64_t;  // class and weight
  static constexpr std::size_t most_sorted = few_rows;
  static constexpr std::int64_t most_weight = 0x7FFFFFFF;
  static Row row(std::int32_t label, std::int64_t weight) {
    return static_cast<std::uint64_t>(label) << 32 | static_cast<std::uint64_t>(weight);
  }
  static std::size_t label(Row row) { return row >> 32; }
  static double weight(Row row) { return static_cast<double>(row & 0xFFFFFFFF); }

  ManyEdges(const Logs& logs, std::size_t n_classes)
      : logs_(logs), n_classes_(n_classes), stride_((n_classes + 3) / 4 * 4), all_(stride_) {}
  void set_node(const double* counts) {
    total_ = 0;
    for (std::size_t j = 0; j < n_classes_; ++j) total_ += all_[j] = counts[j];
    size_ = 0;
  }
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    count_rows(buckets, rank, rows);
    const std::size_t n = buckets.size * stride_;
    double* count = count_.data() + first * stride_;
    for (std::size_t i = 0; i < n; ++i) count[i] = found_[i] + (i < stride_ ? 0 : count[i - stride_]);
    find_costs(first);
    return first;
  }
  std::optional<std::size_t> add_two_valued(const std::uint32_t* source, std::span<const std::uint32_t> ids,
                                            const Row* rows) {
    return add_edge(ids.size(), [&](std::size_t i) { return source[ids[i]] == 0; }, rows);
  }
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    found_.assign(8 * stride_, 0);
    for (std::size_t i = 0; i < n; ++i)
      found_[((i & 3) * 2 + (is_left(i) ? 0 : 1)) * stride_ + label(rows[i])] +=
          static_cast<std::uint32_t>(rows[i]);
    const std::size_t edge = make_room(1);
    double *count = count_.data() + edge * stride_, weight = 0;
    for (std::size_t j = 0; j < stride_; ++j)
      weight += count[j] =
          found_[j] + found_[2 * stride_ + j] + found_[4 * stride_ + j] + found_[6 * stride_ + j];
    if (weight == 0 || weight == total_) {
      --size_;
      return std::nullopt;
    }
    find_costs(edge);
    return edge;
  }
  std::optional<std::size_t> add_cut(std::span<const std::uint32_t> rank, std::uint32_t last,
                                     const Row* rows) {
    return add_edge(rank.size(), [&](std::size_t i) { return rank[i] <= last; }, rows);
  }
  std::size_t add_sorted(std::span<const std::int32_t> sorted, const Row* rows, std::optional<double>&) {
    const std::size_t first = make_room(sorted.size() - 1);
    double* count = count_.data() + first * stride_;
    std::fill_n(count, stride_, 0.0);
    for (std::size_t p = 0; p + 1 < sorted.size(); ++p, count += stride_) {
      if (p > 0) std::copy_n(count - stride_, stride_, count);
      const Row row = rows[place_of(sorted[p], place_bits(sorted.size()))];
      count[label(row)] += weight(row);
    }
    find_costs(first);
    return first;
  }
  double left_cost(std::size_t edge) const { return left_cost_[edge]; }
  double right_cost(std::size_t edge) const { return right_cost_[edge]; }
  double worth(std::size_t edge) const { return -left_cost_[edge] - right_cost_[edge]; }
  bool is_repeated(std::size_t edge) const {
    const double* own = count_.data() + edge * stride_;
    return std::equal(own, own + stride_, own - stride_);
  }
  void counts(std::size_t edge, double* found) const {
    std::copy_n(count_.data() + edge * stride_, n_classes_, found);
  }

 private:
  std::size_t make_room(std::size_t n) {
    const std::size_t first = size_;
    size_ += n;
    if (left_cost_.size() < size_) {
      count_.resize(2 * size_ * stride_);
      left_cost_.resize(2 * size_);
      right_cost_.resize(2 * size_);
    }
    return first;
  }
  // Counters take turns where they are few: one that is hit again and again would wait for itself.
  void count_rows(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t n = buckets.size * stride_, turns = n <= 64 ? 3 : 0;
    found_.assign(n * (turns + 1), 0);
    for (std::size_t i = 0; i < rank.size(); ++i)
      found_[(i & turns) * n + buckets.of(rank[i]) * stride_ + label(rows[i])] +=
          static_cast<std::uint32_t>(rows[i]);
    for (std::size_t turn = 1; turn <= turns; ++turn)
      for (std::size_t i = 0; i < n; ++i) found_[i] += found_[turn * n + i];
  }
  void find_costs(std::size_t first) {
    if constexpr (HasKernels<Criterion>) {
      many_costs(Criterion(), std::span(count_).subspan(first * stride_, (size_ - first) * stride_), stride_,
                 all_.data(), total_, left_cost_.data() + first, right_cost_.data() + first);
    } else {
      rest_.resize(n_classes_);
      for (std::size_t e = first; e < size_; ++e) {
        const std::span left(count_.data() + e * stride_, n_classes_);
        double weight = 0;
        for (std::size_t j = 0; j < n_classes_; ++j) {
          weight += left[j];
          rest_[j] = all_[j] - left[j];
        }
        left_cost_[e] = Criterion::impurity(ClassGroup{left, weight, logs_});
        right_cost_[e] = Criterion::impurity(ClassGroup{rest_, total_ - weight, logs_});
      }
    }
  }

  const Logs& logs_;
  std::size_t n_classes_, stride_, size_ = 0;
  std::vector<double> all_, rest_;
  double total_ = 0;
  std::vector<std::uint32_t> found_;
  std::vector<double> count_, left_cost_, right_cost_;
};

}  // namespace treewright
