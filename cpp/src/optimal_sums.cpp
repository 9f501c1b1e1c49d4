#include <cstddef>
#include <cstdint>

#include "treewright/column.hpp"
#include "treewright/optimal/sums.hpp"
#include "treewright/quick/dispatch.hpp"

namespace treewright::optimal {

namespace {

// Loops over sixteen lanes, which the compiler lays side by side.
TREEWRIGHT_INLINE void add_where(std::uint16_t bits, double x, Lane16& to) {
  for (std::uint64_t i = 0; i < n_lanes; ++i) to.lane[i] += (bits & (std::uint64_t{1} << i)) != 0 ? x : 0.0;
}

struct Prefix {
  Lane16 weight = {}, sum = {};  // of left sides
  double all_weight = 0, all_sum = 0;

  TREEWRIGHT_INLINE void add(const Summed& row) {
    add_where(row.bits, row.weight, weight);
    add_where(row.bits, row.sum, sum);
    all_weight += row.weight;
    all_sum += row.sum;
  }
};

TREEWRIGHT_INLINE void take_most(double wl, double sl, double w, double s, double least, double& most) {
  const double wr = w - wl, sr = s - sl;
  const double spared = (sl * sl * wr + sr * sr * wl) / (wl * wr);
  const bool is_more = (wl > least) & (wr > least) & (spared > most);
  most = is_more ? spared : most;
}
TREEWRIGHT_INLINE void compare(const Prefix& at, const Holdings& held, double least, Spared& found) {
  for (std::size_t i = 0; i < n_lanes; ++i)
    take_most(at.weight.lane[i], at.sum.lane[i], held.weight.lane[i], held.sum.lane[i], least,
              found.left.lane[i]);
  for (std::size_t i = 0; i < n_lanes; ++i)
    take_most(at.all_weight - at.weight.lane[i], at.all_sum - at.sum.lane[i],
              held.all_weight - held.weight.lane[i], held.all_sum - held.sum.lane[i], least,
              found.right.lane[i]);
}

TREEWRIGHT_INLINE void compare(const Lane16& sum, double all, Reached& found) {
  for (std::size_t i = 0; i < n_lanes; ++i) {
    const double left = sum.lane[i], right = all - left;
    found.left_least.lane[i] = left < found.left_least.lane[i] ? left : found.left_least.lane[i];
    found.left_most.lane[i] = left > found.left_most.lane[i] ? left : found.left_most.lane[i];
    found.right_least.lane[i] = right < found.right_least.lane[i] ? right : found.right_least.lane[i];
    found.right_most.lane[i] = right > found.right_most.lane[i] ? right : found.right_most.lane[i];
  }
}

TREEWRIGHT_INLINE void count(const Counted& row, Tallied& at) {
  for (std::uint32_t i = 0; i < n_lanes; ++i) {
    const std::int32_t is_left = (row.bits >> i) & 1;
    at.left.all[i] += is_left;
    at.left.second[i] += is_left & row.label;
  }
  ++at.all;
  at.second += row.label;
}
TREEWRIGHT_INLINE double entropy(std::int32_t n, std::int32_t second, const double* n_log_n) {
  return n_log_n[n] - n_log_n[second] - n_log_n[n - second];
}
TREEWRIGHT_INLINE void compare(const Tallied& at, const Tallied& held, const double* n_log_n, Least& found) {
  for (std::size_t i = 0; i < n_lanes; ++i) {
    const std::int32_t n = at.left.all[i], second = at.left.second[i];
    const double cost =
        entropy(n, second, n_log_n) + entropy(held.left.all[i] - n, held.left.second[i] - second, n_log_n);
    found.left.lane[i] = cost < found.left.lane[i] ? cost : found.left.lane[i];
  }
  for (std::size_t i = 0; i < n_lanes; ++i) {
    const std::int32_t n = at.all - at.left.all[i], second = at.second - at.left.second[i];
    const std::int32_t all = held.all - held.left.all[i], all_second = held.second - held.left.second[i];
    const double cost = entropy(n, second, n_log_n) + entropy(all - n, all_second - second, n_log_n);
    found.right.lane[i] = cost < found.right.lane[i] ? cost : found.right.lane[i];
  }
}

// What a class adds to the terms when a row of it comes, and what a part costs.
struct Squares {
  TREEWRIGHT_INLINE double change(double count, double weight) const { return weight * (2 * count + weight); }
  TREEWRIGHT_INLINE double cost(double n, double terms) const { return n - terms / n; }
};
struct Logarithms {
  const double* n_log_n;
  TREEWRIGHT_INLINE double at(double n) const { return n_log_n[static_cast<std::int32_t>(n)]; }
  TREEWRIGHT_INLINE double change(double count, double) const { return at(count + 1) - at(count); }
  TREEWRIGHT_INLINE double cost(double n, double terms) const { return at(n) - terms; }
};

// One side of the tests: what is left of the cut, by class, and the terms of both parts of the side.
struct ClassSide {
  Lane16* count;
  Lane16 weight = {}, low = {}, high = {};

  // `is_here`: bits of the tests that have the row on this side. `all`: of its class on this side.
  template <class Terms>
  TREEWRIGHT_INLINE void add(const Terms& terms, const Classed& row, std::uint32_t is_here,
                             const Lane16& all) {
    Lane16& own = count[row.label];
    const double w = row.weight;
    for (std::uint32_t i = 0; i < n_lanes; ++i) {
      if ((is_here >> i & 1) == 0) continue;
      low.lane[i] += terms.change(own.lane[i], w);
      high.lane[i] -= terms.change(all.lane[i] - own.lane[i] - w, w);
      own.lane[i] += w;
      weight.lane[i] += w;
    }
  }
  template <class Terms>
  TREEWRIGHT_INLINE void compare(const Terms& terms, const Lane16& all, double least, Lane16& found) const {
    for (std::size_t i = 0; i < n_lanes; ++i) {
      const double n = weight.lane[i], m = all.lane[i] - n;
      const double cost =
          (n > least ? terms.cost(n, low.lane[i]) : 0.0) + (m > least ? terms.cost(m, high.lane[i]) : 0.0);
      found.lane[i] = cost < found.lane[i] ? cost : found.lane[i];
    }
  }
};

template <class Terms>
TREEWRIGHT_INLINE void sweep_both(const Terms& terms, const Classed* rows, std::size_t n_classes, Run before,
                                  Run run, const ClassHoldings& held, double least, Lane16* room,
                                  Least& found) {
  for (std::size_t c = 0; c < 2 * n_classes; ++c) room[c] = {};
  ClassSide left{room}, right{room + n_classes};
  left.high = held.left_terms;
  right.high = held.right_terms;
  Lane16 right_weight;
  for (std::size_t i = 0; i < n_lanes; ++i) right_weight.lane[i] = held.all_weight - held.left_weight.lane[i];
  const auto add = [&](const Classed& row) {
    const Lane16& of_left = held.left[row.label];
    Lane16 of_right;
    for (std::size_t i = 0; i < n_lanes; ++i) of_right.lane[i] = held.all[row.label] - of_left.lane[i];
    left.add(terms, row, row.bits, of_left);
    right.add(terms, row, ~std::uint32_t{row.bits}, of_right);
  };
  const auto compare = [&] {
    left.compare(terms, held.left_weight, least, found.left);
    right.compare(terms, right_weight, least, found.right);
  };
  for (std::size_t p = 0; p < before.n; ++p) add(rows[before.order[p]]);
  if (before.n > 0) compare();
  for (std::size_t p = 0; p < run.n; ++p) {
    add(rows[run.order[p]]);
    if (run.place[p] != run.place[p + 1]) compare();
  }
}

}  // namespace

TREEWRIGHT_WIDE void sweep_classes(const Classed* rows, std::size_t n_classes, Run before, Run run,
                                   const ClassHoldings& held, double least, const double* n_log_n,
                                   Lane16* room, Least& found) {
  if (n_log_n != nullptr)
    sweep_both(Logarithms{n_log_n}, rows, n_classes, before, run, held, least, room, found);
  else
    sweep_both(Squares{}, rows, n_classes, before, run, held, least, room, found);
}

TREEWRIGHT_WIDE void add_up(const Counted* rows, std::size_t n, Tallied& held) {
  Tallied all = {};
  for (std::size_t r = 0; r < n; ++r) count(rows[r], all);
  held = all;
}

TREEWRIGHT_WIDE void sweep_entropy(const Counted* rows, Run before, Run run, const Tallied& held,
                                   const double* n_log_n, Least& found) {
  Tallied at = {};
  Least least = found;
  for (std::size_t p = 0; p < before.n; ++p) count(rows[before.order[p]], at);
  if (before.n > 0) compare(at, held, n_log_n, least);
  for (std::size_t p = 0; p < run.n; ++p) {
    count(rows[run.order[p]], at);
    if (run.place[p] != run.place[p + 1]) compare(at, held, n_log_n, least);
  }
  found = least;
}

TREEWRIGHT_WIDE void add_up(const Summed* rows, const double* square, std::size_t n, Holdings& held) {
  Prefix all;
  Lane16 squares = {};
  double all_squares = 0;
  for (std::size_t r = 0; r < n; ++r) {
    all.add(rows[r]);
    add_where(rows[r].bits, square[r], squares);
    all_squares += square[r];
  }
  held = {all.weight, all.sum, squares, all.all_weight, all.all_sum, all_squares};
}

TREEWRIGHT_WIDE void sweep_squares(const Summed* rows, Run before, Run run, const Holdings& held,
                                   double least, Spared& found) {
  Prefix at;
  Spared most = found;
  for (std::size_t p = 0; p < before.n; ++p) at.add(rows[before.order[p]]);
  if (before.n > 0) compare(at, held, least, most);
  for (std::size_t p = 0; p < run.n; ++p) {
    at.add(rows[run.order[p]]);
    if (run.place[p] != run.place[p + 1]) compare(at, held, least, most);
  }
  found = most;
}

TREEWRIGHT_WIDE void sweep_extremes(const Summed* rows, Run before, Run run, Reached& found) {
  Lane16 sum = {};
  double all = 0;
  Reached reached = found;
  for (std::size_t p = 0; p < before.n; ++p) {
    add_where(rows[before.order[p]].bits, rows[before.order[p]].sum, sum);
    all += rows[before.order[p]].sum;
  }
  if (before.n > 0) compare(sum, all, reached);
  for (std::size_t p = 0; p < run.n; ++p) {
    add_where(rows[run.order[p]].bits, rows[run.order[p]].sum, sum);
    all += rows[run.order[p]].sum;
    if (run.place[p] != run.place[p + 1]) compare(sum, all, reached);
  }
  found = reached;
}

}  // namespace treewright::optimal
