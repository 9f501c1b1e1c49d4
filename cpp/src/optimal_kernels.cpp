#include <algorithm>
#include <bit>
#include <cstring>

#include "treewright/column.hpp"
#include "treewright/optimal/kernels.hpp"
#include "treewright/quick/dispatch.hpp"

namespace treewright::optimal {

namespace {

// Sixteen lanes: registers of 32 bytes, as many as it takes. Wider vectors would be taken apart lane by lane
// where the machine has none. The lanes of a vector are an extension of the language; without it they are
// numbers one by one.
#if defined(__GNUC__)
template <class Lane>
struct Register;
template <>
struct Register<std::int16_t> {
  typedef std::int16_t type __attribute__((vector_size(32)));
};
template <>
struct Register<std::int32_t> {
  typedef std::int32_t type __attribute__((vector_size(32)));
};
template <class Lane>
using Piece = typename Register<Lane>::type;
template <class Lane>
constexpr std::size_t lanes_of_piece = 32 / sizeof(Lane);
TREEWRIGHT_INLINE void take_least(auto& least, const auto& other) { least = other < least ? other : least; }
TREEWRIGHT_INLINE void take_most(auto& most, const auto& other) { most = other > most ? other : most; }
#else
template <class Lane>
using Piece = Lane;
template <class Lane>
constexpr std::size_t lanes_of_piece = 1;
inline void take_least(auto& least, const auto& other) { least = std::min(least, other); }
inline void take_most(auto& most, const auto& other) { most = std::max(most, other); }
#endif

template <class Lane>
struct Lanes {
  static constexpr std::size_t n = n_lanes / lanes_of_piece<Lane>;
  Piece<Lane> piece[n] = {};

  TREEWRIGHT_INLINE void add(const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) piece[i] = static_cast<Piece<Lane>>(piece[i] + other.piece[i]);
  }
  // A number in the lanes that a mask has, and the same in those it has not.
  TREEWRIGHT_INLINE void add_where(const Lanes& mask, Lane x) {
    for (std::size_t i = 0; i < n; ++i) piece[i] = static_cast<Piece<Lane>>(piece[i] + (mask.piece[i] & x));
  }
  TREEWRIGHT_INLINE void add_elsewhere(const Lanes& mask, Lane x) {
    for (std::size_t i = 0; i < n; ++i) piece[i] = static_cast<Piece<Lane>>(piece[i] + (~mask.piece[i] & x));
  }
  TREEWRIGHT_INLINE void take_least_of(const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) take_least(piece[i], other.piece[i]);
  }
  TREEWRIGHT_INLINE void take_most_of(const Lanes& other) {
    for (std::size_t i = 0; i < n; ++i) take_most(piece[i], other.piece[i]);
  }
};

// All bits in the lanes whose test sends the row left.
template <class Lane>
TREEWRIGHT_INLINE void set_mask(Lanes<Lane>& mask, std::uint16_t bits) {
  Lane own[n_lanes];
  for (std::size_t i = 0; i < n_lanes; ++i) own[i] = static_cast<Lane>(1u << i);
  for (std::size_t i = 0; i < Lanes<Lane>::n; ++i) {
    Piece<Lane> bit;
    std::memcpy(&bit, own + i * lanes_of_piece<Lane>, sizeof bit);
#if defined(__GNUC__)
    mask.piece[i] = (bit & static_cast<Lane>(bits)) == bit;
#else
    mask.piece[i] = static_cast<Lane>((bit & static_cast<Lane>(bits)) == bit ? -1 : 0);
#endif
  }
}

template <class V, class Lane>
TREEWRIGHT_INLINE void load(V& lanes, const Lane* from) {
  std::memcpy(lanes.piece, from, sizeof lanes.piece);
}
template <class V, class Lane>
TREEWRIGHT_INLINE void store(const V& lanes, Lane* to) {
  std::memcpy(to, lanes.piece, sizeof lanes.piece);
}

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
    left.add_where(mask, own.step);
    right.add_elsewhere(mask, own.step);
  }
  TREEWRIGHT_INLINE void compare() {
    left_least.take_least_of(left);
    left_most.take_most_of(left);
    right_least.take_least_of(right);
    right_most.take_most_of(right);
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
    difference.add_where(mask, step);
    both.add_where(mask, static_cast<Lane>(step < 0 ? -step : step));
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
    to_left.add_where(mask, 1);
    to_right.add_elsewhere(mask, 1);
    store(to_left, own);
    store(to_right, own + n_lanes);
    left.take_most_of(to_left);
    right.take_most_of(to_right);
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
      both.add(last.left);
      left.take_most_of(both);
      load(both, kept + p * 2 * n_lanes + n_lanes);
      both.add(last.right);
      right.take_most_of(both);
    }
    last.add(rows[run.order[p]]);
  }
  both = left_before;
  both.add(last.left);
  left.take_most_of(both);
  both = right_before;
  both.add(last.right);
  right.take_most_of(both);
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
