// What lies left of the edges between buckets, or between single rows, of the columns that a node looks at;
// and what both sides cost. Edges of one column lie side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "../contest.hpp"
#include "../criterion.hpp"
#include "drawn_kernels.hpp"

namespace treewright {

// All rows together weigh so much at most, unless weights are real.
constexpr std::int64_t most_drawn_weight = 0x7FFFFFFF;

// Buckets of ranks: those of rank `least` and more, without so many bits.
struct Buckets {
  std::uint32_t least = 0;
  int shift = 0;
  std::size_t size = 0;
  std::size_t of(std::uint32_t rank) const { return (rank - least) >> shift; }
};

// What both sides of edges cost. Edges have the numbers in whose order they were added.
class EdgeCosts {
 public:
  double left_cost(std::size_t edge) const { return left_cost_[edge]; }
  double right_cost(std::size_t edge) const { return right_cost_[edge]; }
  double worth(std::size_t edge) const { return -left_cost_[edge] - right_cost_[edge]; }

 protected:
  void remove_all() { size_ = 0; }
  void remove_last() { --size_; }
  // Make room for so many edges more, and for `spare` behind them; returns the first. What lies left of an
  // edge is kept in `left`, in so many numbers each.
  template <class Left>
  std::size_t add(std::size_t n, std::vector<Left>& left, std::size_t width = 1, std::size_t spare = 0) {
    const std::size_t first = size_;
    size_ += n;
    if (left_cost_.size() < size_ + spare) {
      const std::size_t room = 2 * size_ + spare;
      left.resize(room * width);
      left_cost_.resize(room);
      right_cost_.resize(room);
    }
    return first;
  }
  std::size_t size() const { return size_; }
  double* left_costs() { return left_cost_.data(); }
  double* right_costs() { return right_cost_.data(); }

 private:
  std::size_t size_ = 0;
  std::vector<double> left_cost_, right_cost_;
};

// Two classes: both weights of an edge are one number, so that a row is added by one addition.
template <class Criterion>
class PairEdges : public EdgeCosts {
 public:
  using Row = std::uint64_t;
  static constexpr std::size_t most_sorted = HasKernels<Criterion> ? some_rows : few_rows;
  static Row row(std::int32_t label, std::int64_t weight) {
    const auto w = static_cast<std::uint64_t>(weight);
    return label == 0 ? w : w << 32 | w;
  }
  static std::size_t label(Row row) { return row >> 32 != 0; }
  static double weight(Row row) { return static_cast<double>(row & 0xFFFFFFFF); }

  PairEdges(const Scale& scale, std::size_t) : logs_(*scale.logs) {}
  void set_node(const double* counts) {
    all_[0] = counts[0];
    all_[1] = counts[1];
    remove_all();
  }
  // Edges at the end of every bucket; returns the first.
  std::size_t add_buckets(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t first = make_room(buckets.size);
    std::uint64_t* sum = sum_.data() + first;
    std::fill_n(sum, buckets.size, 0);
    if (buckets.size == 2)  // store forwarding: a counter that is hit again and again would wait for itself
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
                                left_costs() + first);
      std::fill_n(right_costs() + first, n, 0.0);
      return first;
    }
    const int bits = place_bits(sorted.size());
    std::uint64_t* sum = sum_.data() + first;
    std::uint64_t before = 0;
    for (std::size_t p = 0; p < n; ++p) sum[p] = before += rows[place_of(sorted[p], bits)];
    find_costs(first);
    return first;
  }
  // Has the bucket that ends here no rows? (Not asked of the first one, which has the least rank.)
  bool is_repeated(std::size_t edge) const { return sum_[edge] == sum_[edge - 1]; }
  // The weights on the left of an edge.
  void counts(std::size_t edge, double* found) const {
    found[1] = static_cast<double>(sum_[edge] >> 32);
    found[0] = static_cast<double>(sum_[edge] & 0xFFFFFFFF) - found[1];
  }
  std::array<double, 2> left(std::size_t edge) const {
    std::array<double, 2> found;
    counts(edge, found.data());
    return found;
  }
  static std::array<double, 2> none() { return {}; }

 private:
  std::optional<std::size_t> add_sum(std::uint64_t sum) {
    const auto weight = static_cast<double>(sum & 0xFFFFFFFF);
    if (weight == 0 || weight == all_[0] + all_[1]) return std::nullopt;
    const std::size_t edge = make_room(1);
    sum_[edge] = sum;
    find_costs(edge);
    return edge;
  }
  std::size_t make_room(std::size_t n) { return add(n, sum_, 1, 1 + spare_room); }
  void find_costs(std::size_t first) {
    if constexpr (HasKernels<Criterion>) {
      pair_costs(Criterion(), std::span(sum_).subspan(first, size() - first), all_[0], all_[1],
                 left_costs() + first, right_costs() + first);
    } else {
      for (std::size_t e = first; e < size(); ++e) {
        double left[2];
        counts(e, left);
        const double right[2] = {all_[0] - left[0], all_[1] - left[1]};
        left_costs()[e] = Criterion::impurity(ClassGroup{left, left[0] + left[1], logs_});
        right_costs()[e] = Criterion::impurity(ClassGroup{right, right[0] + right[1], logs_});
      }
    }
  }

  const Logs& logs_;
  double all_[2] = {};
  std::vector<std::uint64_t> sum_;
};

// Class and weight of a row, in one number.
struct WholeRow {
  using Weight = std::uint32_t;
  std::uint64_t both = 0;
  static WholeRow of(std::int32_t label, std::int64_t weight) {
    return {static_cast<std::uint64_t>(label) << 32 | static_cast<std::uint64_t>(weight)};
  }
  std::size_t label() const { return both >> 32; }
  Weight weight() const { return static_cast<Weight>(both); }
};
// The same where weights are larger.
struct RealRow {
  using Weight = double;
  double units = 0;
  std::size_t class_number = 0;
  static RealRow of(std::int32_t label, std::int64_t weight) {
    return {static_cast<double>(weight), static_cast<std::size_t>(label)};
  }
  std::size_t label() const { return class_number; }
  Weight weight() const { return units; }
};

// Any number of classes; their weights are padded to a multiple of four. If `is_real`, they may be any that
// double holds, and each class may count another multiple of them.
template <class Criterion, bool is_real>
class ManyEdges : public EdgeCosts {
 public:
  using Row = std::conditional_t<is_real, RealRow, WholeRow>;
  static Row row(std::int32_t label, std::int64_t weight) { return Row::of(label, weight); }
  static std::size_t label(Row row) { return row.label(); }
  static double weight(Row row) { return static_cast<double>(row.weight()); }

  ManyEdges(const Scale& scale, std::size_t n_classes)
      : logs_(*scale.logs),
        n_classes_(n_classes),
        stride_((n_classes + 3) / 4 * 4),
        all_(stride_),
        nothing_(stride_),
        unit_(stride_) {
    for (std::size_t j = 0; j < n_classes; ++j) unit_[j] = scale.class_unit(j);
  }
  void set_node(const double* counts) {
    total_ = 0;
    for (std::size_t j = 0; j < n_classes_; ++j) total_ += all_[j] = counts[j];
    if constexpr (walks_sorted) {
      whole_.assign(counts, counts + n_classes_);
      all_squares_ = 0;
      for (std::int64_t n : whole_) all_squares_ += n * n;
    }
    remove_all();
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
  template <class IsLeft>
  std::optional<std::size_t> add_edge(std::size_t n, const IsLeft& is_left, const Row* rows) {
    found_.assign(8 * stride_, 0);
    for (std::size_t i = 0; i < n; ++i)
      found_[((i & 3) * 2 + (is_left(i) ? 0 : 1)) * stride_ + label(rows[i])] += rows[i].weight();
    const std::size_t edge = make_room(1);
    double *count = count_.data() + edge * stride_, weight = 0;
    for (std::size_t j = 0; j < stride_; ++j)
      weight += count[j] =
          found_[j] + found_[2 * stride_ + j] + found_[4 * stride_ + j] + found_[6 * stride_ + j];
    if (weight == 0 || weight == total_) {
      remove_last();
      return std::nullopt;
    }
    find_costs(edge);
    return edge;
  }
  std::optional<std::size_t> add_cut(std::span<const std::uint32_t> rank, std::uint32_t last,
                                     const Row* rows) {
    return add_edge(rank.size(), [&](std::size_t i) { return rank[i] <= last; }, rows);
  }
  // Are the weights left of edges between single rows not kept? Squares of whole numbers are known from one
  // row to the next.
  static constexpr bool walks_sorted = !is_real && IsOfSquares<Criterion>;
  static constexpr std::size_t most_sorted = few_rows;
  std::size_t add_sorted(std::span<const std::int32_t> sorted, const Row* rows, std::optional<double>&) {
    const std::size_t first = make_room(sorted.size() - 1);
    if constexpr (walks_sorted) {
      walk_sorted(sorted, rows, left_costs() + first, right_costs() + first);
      return first;
    }
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
  // The weights of sorted rows.
  void count_sorted(std::span<const std::int32_t> sorted, const Row* rows, double* found) const {
    std::fill_n(found, n_classes_, 0.0);
    for (std::int32_t key : sorted) {
      const Row row = rows[place_of(key, place_bits(few_rows))];
      found[label(row)] += weight(row);
    }
  }
  // The most that a cut inside the bucket that ends here can be worth. Worth is convex in what lies on a
  // side, and grows as the side does: w(a + m) <= w(a) + m * slope(a + m). The slope of a class is
  // 2 p - (sum of p^2) - 1 for gini and log2 p for entropy, where p is its share of the side: at most what it
  // is if all its rows in the bucket lie there, and no others. So each class has its better side.
  double bound(std::size_t edge, bool is_first, double cheap) {
    if constexpr (HasSlopes<Criterion>) {
      const double *to = count_.data() + edge * stride_, *from = is_first ? nothing_.data() : to - stride_;
      return cheap + worth_inside(Criterion(), from, to, all_.data(), unit_.data(), stride_);
    }
    return cheap;
  }
  bool is_repeated(std::size_t edge) const {
    const double* own = count_.data() + edge * stride_;
    return std::equal(own, own + stride_, own - stride_);
  }
  void counts(std::size_t edge, double* found) const { std::copy_n(left(edge), n_classes_, found); }
  const double* left(std::size_t edge) const { return count_.data() + edge * stride_; }
  const double* none() const { return nothing_.data(); }

 private:
  std::size_t make_room(std::size_t n) { return add(n, count_, stride_); }
  void walk_sorted(std::span<const std::int32_t> sorted, const Row* rows, double* left, double* right) {
    walked_.assign(n_classes_, 0);
    std::int64_t weight = 0, squares = 0, rest = all_squares_;
    for (std::size_t p = 0; p + 1 < sorted.size(); ++p) {
      const Row row = rows[place_of(sorted[p], place_bits(few_rows))];
      const std::int64_t w = row.weight(), n = walked_[row.label()], m = whole_[row.label()] - n;
      weight += w;
      squares += w * (2 * n + w);
      rest -= w * (2 * m - w);
      walked_[row.label()] = n + w;
      left[p] = Criterion::impurity(static_cast<double>(weight), static_cast<double>(squares));
      right[p] = Criterion::impurity(total_ - static_cast<double>(weight), static_cast<double>(rest));
    }
  }
  // Store forwarding: a counter that is hit again and again would wait for itself, so few of them take turns.
  void count_rows(Buckets buckets, std::span<const std::uint32_t> rank, const Row* rows) {
    const std::size_t n = buckets.size * stride_, turns = n <= 64 ? 3 : 0;
    found_.assign(n * (turns + 1), 0);
    for (std::size_t i = 0; i < rank.size(); ++i)
      found_[(i & turns) * n + buckets.of(rank[i]) * stride_ + label(rows[i])] += rows[i].weight();
    for (std::size_t turn = 1; turn <= turns; ++turn)
      for (std::size_t i = 0; i < n; ++i) found_[i] += found_[turn * n + i];
  }
  void find_costs(std::size_t first) {
    const std::span count = std::span(count_).subspan(first * stride_, (size() - first) * stride_);
    double *left = left_costs() + first, *right = right_costs() + first;
    if constexpr (HasKernels<Criterion> && is_real)
      many_costs(Criterion(), count, stride_, all_.data(), unit_.data(), left, right);
    else if constexpr (HasKernels<Criterion>)
      many_costs(Criterion(), count, stride_, all_.data(), total_, left, right);
    else
      for (std::size_t e = 0; e * stride_ < count.size(); ++e) {
        const double* own = count.data() + e * stride_;
        left[e] = cost([&](std::size_t j) { return own[j]; });
        right[e] = cost([&](std::size_t j) { return all_[j] - own[j]; });
      }
  }
  // What a side with so many units of each class costs.
  template <class Units>
  double cost(const Units& units) {
    side_.resize(n_classes_);
    double weight = 0;
    for (std::size_t j = 0; j < n_classes_; ++j)
      weight += side_[j] = is_real ? units(j) * unit_[j] : units(j);
    return Criterion::impurity(ClassGroup{side_, weight, logs_});
  }

  const Logs& logs_;
  std::size_t n_classes_, stride_;
  std::vector<double> all_, nothing_, unit_, side_;
  double total_ = 0;
  std::int64_t all_squares_ = 0;
  std::vector<std::int64_t> whole_, walked_;  // of the node, and of the rows walked past
  std::vector<typename Row::Weight> found_;
  std::vector<double> count_;
};

}  // namespace treewright
