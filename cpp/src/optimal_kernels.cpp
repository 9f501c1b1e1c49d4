#include "treewright/optimal/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "treewright/column.hpp"
#include "treewright/quick/dispatch.hpp"

namespace treewright::optimal {

namespace {

// The lanes of a vector are an extension of the language; without it they are numbers one by one.
#if defined(__GNUC__)
template <class Lane>
struct Vector;
template <>
struct Vector<std::int16_t> {
  typedef std::int16_t type __attribute__((vector_size(2 * n_lanes)));
};
template <>
struct Vector<std::int32_t> {
  typedef std::int32_t type __attribute__((vector_size(4 * n_lanes)));
};
template <class Lane>
using Lanes = typename Vector<Lane>::type;

// All bits where the row goes left.
template <class Lane>
TREEWRIGHT_INLINE void set_mask(Lanes<Lane>& mask, std::uint16_t bits) {
  Lanes<Lane> own;
  for (std::size_t i = 0; i < n_lanes; ++i) own[i] = static_cast<Lane>(1u << i);
  mask = (own & static_cast<Lane>(bits)) == own;
}
template <class V>
TREEWRIGHT_INLINE void take_least(V& least, const V& other) { least = other < least ? other : least; }
template <class V>
TREEWRIGHT_INLINE void take_most(V& most, const V& other) { most = other > most ? other : most; }
#else
template <class Lane>
struct Lanes {
  Lane lane[n_lanes];
  Lanes& operator+=(const Lanes& o) {
    for (std::size_t i = 0; i < n_lanes; ++i) lane[i] = static_cast<Lane>(lane[i] + o.lane[i]);
    return *this;
  }
  Lanes& operator-=(const Lanes& o) {
    for (std::size_t i = 0; i < n_lanes; ++i) lane[i] = static_cast<Lane>(lane[i] - o.lane[i]);
    return *this;
  }
  Lanes operator&(Lane x) const {
    Lanes found;
    for (std::size_t i = 0; i < n_lanes; ++i) found.lane[i] = static_cast<Lane>(lane[i] & x);
    return found;
  }
  Lanes operator~() const {
    Lanes found;
    for (std::size_t i = 0; i < n_lanes; ++i) found.lane[i] = static_cast<Lane>(~lane[i]);
    return found;
  }
};
template <class Lane>
inline void set_mask(Lanes<Lane>& mask, std::uint16_t bits) {
  for (std::size_t i = 0; i < n_lanes; ++i) mask.lane[i] = static_cast<Lane>(-((bits >> i) & 1));
}
template <class V>
inline void take_least(V& least, const V& other) {
  for (std::size_t i = 0; i < n_lanes; ++i) least.lane[i] = std::min(least.lane[i], other.lane[i]);
}
template <class V>
inline void take_most(V& most, const V& other) {
  for (std::size_t i = 0; i < n_lanes; ++i) most.lane[i] = std::max(most.lane[i], other.lane[i]);
}
#endif

template <class V, class Lane>
TREEWRIGHT_INLINE void load(V& lanes, const Lane* from) { std::memcpy(&lanes, from, sizeof lanes); }
template <class V, class Lane>
TREEWRIGHT_INLINE void store(const V& lanes, Lane* to) { std::memcpy(to, &lanes, sizeof lanes); }

// Sums of steps on either side, and the extremes they have reached.
template <class Lane>
struct Walk {
  const Stepping<Lane>* rows;
  Lanes<Lane> left = {}, right = {};
  Lanes<Lane> left_least = {}, left_most = {}, right_least = {}, right_most = {};

  TREEWRIGHT_INLINE void add(std::uint32_t row) {
    const Stepping<Lane> own = rows[row];
    Lanes<Lane> mask;
    set_mask<Lane>(mask, own.bits);
    left += mask & own.step;
    right += ~mask & own.step;
  }
  TREEWRIGHT_INLINE void compare() {
    take_least(left_least, left);
    take_most(left_most, left);
    take_least(right_least, right);
    take_most(right_most, right);
  }
};

template <class Lane>
TREEWRIGHT_INLINE void sweep_steps(const Stepping<Lane>* rows, Run before, Run run, Extremes<Lane>& found) {
  Walk<Lane> walk{rows};
  load(walk.left_least, found.left_least);
  load(walk.left_most, found.left_most);
  load(walk.right_least, found.right_least);
  load(walk.right_most, found.right_most);
  for (std::size_t p = 0; p < before.n; ++p) walk.add(before.order[p]);
  if (before.n > 0) walk.compare();
  for (std::size_t p = 0; p < run.n; ++p) {
    walk.add(run.order[p]);
    if (run.place[p] != run.place[p + 1]) walk.compare();
  }
  store(walk.left_least, found.left_least);
  store(walk.left_most, found.left_most);
  store(walk.right_least, found.right_least);
  store(walk.right_most, found.right_most);
}

template <class Lane>
TREEWRIGHT_INLINE void weigh_steps(const Stepping<Lane>* rows, std::size_t n, Weights<Lane>& found) {
  Lanes<Lane> both = {}, difference = {};  // second + first, second - first
  for (std::size_t r = 0; r < n; ++r) {
    Lanes<Lane> mask;
    set_mask<Lane>(mask, rows[r].bits);
    const Lane step = rows[r].step;
    difference += mask & step;
    both += mask & static_cast<Lane>(step < 0 ? -step : step);
  }
  Lane sum[n_lanes], less[n_lanes];
  store(both, sum);
  store(difference, less);
  for (std::size_t i = 0; i < n_lanes; ++i) {
    found.left[1][i] = static_cast<Lane>((sum[i] + less[i]) / 2);
    found.left[0][i] = static_cast<Lane>(sum[i] - found.left[1][i]);
  }
}

// The rows of either side by class, and the most of any class.
struct Majority {
  std::int16_t* counts;  // of each class: those of the left sides, then those of the right
  Lanes<std::int16_t> left = {}, right = {};

  TREEWRIGHT_INLINE void add(const Counted& row) {
    std::int16_t* own = counts + row.label * 2 * n_lanes;
    Lanes<std::int16_t> mask;
    set_mask<std::int16_t>(mask, row.bits);
    Lanes<std::int16_t> to_left, to_right;
    load(to_left, own);
    load(to_right, own + n_lanes);
    to_left -= mask;
    to_right -= ~mask;
    store(to_left, own);
    store(to_right, own + n_lanes);
    take_most(left, to_left);
    take_most(right, to_right);
  }
};

}  // namespace

TREEWRIGHT_WIDE void sweep(const Stepping<std::int16_t>* rows, Run before, Run run,
                           Extremes<std::int16_t>& found) {
  sweep_steps(rows, before, run, found);
}
TREEWRIGHT_WIDE void sweep(const Stepping<std::int32_t>* rows, Run before, Run run,
                           Extremes<std::int32_t>& found) {
  sweep_steps(rows, before, run, found);
}

TREEWRIGHT_WIDE void weigh(const Stepping<std::int16_t>* rows, std::size_t n, Weights<std::int16_t>& found) {
  weigh_steps(rows, n, found);
}
TREEWRIGHT_WIDE void weigh(const Stepping<std::int32_t>* rows, std::size_t n, Weights<std::int32_t>& found) {
  weigh_steps(rows, n, found);
}

TREEWRIGHT_WIDE void mark_below(const std::uint32_t* rank, std::size_t n, std::uint32_t cut,
                                std::uint32_t from, std::uint16_t bit, std::uint16_t* bits) {
  for (std::size_t r = 0; r < n; ++r)
    bits[r] = static_cast<std::uint16_t>(bits[r] | ((rank[r] < cut) | (rank[r] >= from) ? bit : 0));
}

TREEWRIGHT_WIDE void sweep(const Counted* rows, std::size_t n_classes, Run before, Run run, Run after,
                           std::int16_t* room, Right& found) {
  const std::size_t n_counts = n_classes * 2 * n_lanes;
  std::int16_t* kept = room + n_counts;  // behind each row: the majorities so far
  std::fill_n(room, n_counts, std::int16_t{0});
  Majority first{room}, last{room};
  for (std::size_t p = 0; p < before.n; ++p) first.add(rows[before.order[p]]);
  const Lanes<std::int16_t> left_before = first.left, right_before = first.right;
  for (std::size_t p = 0; p < run.n; ++p) {
    first.add(rows[run.order[p]]);
    store(first.left, kept + p * 2 * n_lanes);
    store(first.right, kept + p * 2 * n_lanes + n_lanes);
  }
  std::fill_n(room, n_counts, std::int16_t{0});
  Lanes<std::int16_t> left, right, both;
  load(left, found.left);
  load(right, found.right);
  for (std::size_t p = 0; p < after.n; ++p) last.add(rows[after.order[p]]);
  for (std::size_t p = run.n; p-- > 0;) {
    if (run.place[p] != run.place[p + 1]) {
      load(both, kept + p * 2 * n_lanes);
      both += last.left;
      take_most(left, both);
      load(both, kept + p * 2 * n_lanes + n_lanes);
      both += last.right;
      take_most(right, both);
    }
    last.add(rows[run.order[p]]);
  }
  both = left_before;
  both += last.left;
  take_most(left, both);
  both = right_before;
  both += last.right;
  take_most(right, both);
  store(left, found.left);
  store(right, found.right);
}

TREEWRIGHT_WIDE void count_common(const std::uint64_t* a, const std::uint64_t* b, const std::uint32_t* start,
                                  std::size_t n_classes, std::int32_t* count) {
  for (std::size_t c = 0; c < n_classes; ++c) {
    std::int32_t n = 0;
    for (std::uint32_t w = start[c]; w < start[c + 1]; ++w) n += std::popcount(a[w] & b[w]);
    count[c] = n;
  }
}

}  // namespace treewright::optimal
