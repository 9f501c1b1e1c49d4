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

}  // namespace

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
