#include "treewright/quick/cut_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "treewright/column.hpp"
#include "treewright/quick/dispatch.hpp"

namespace treewright {

namespace {

// The lanes of a vector are an extension of the language; without it they are numbers one by one.
#if defined(__GNUC__)
typedef std::int32_t Lanes __attribute__((vector_size(4 * lanes_at_once)));
TREEWRIGHT_INLINE void take_least(Lanes& least, const Lanes& row) { least = row < least ? row : least; }
TREEWRIGHT_INLINE void take_most(Lanes& most, const Lanes& row) { most = row > most ? row : most; }
TREEWRIGHT_INLINE void add_left(Lanes& sum, const Lanes& row, const Lanes& cut, std::int32_t weight) {
  sum += (row <= cut) & weight;
}
#else
struct Lanes {
  std::int32_t lane[lanes_at_once];
};
inline void take_least(Lanes& least, const Lanes& row) {
  for (std::size_t i = 0; i < lanes_at_once; ++i) least.lane[i] = std::min(least.lane[i], row.lane[i]);
}
inline void take_most(Lanes& most, const Lanes& row) {
  for (std::size_t i = 0; i < lanes_at_once; ++i) most.lane[i] = std::max(most.lane[i], row.lane[i]);
}
inline void add_left(Lanes& sum, const Lanes& row, const Lanes& cut, std::int32_t weight) {
  for (std::size_t i = 0; i < lanes_at_once; ++i) sum.lane[i] += row.lane[i] <= cut.lane[i] ? weight : 0;
}
#endif

constexpr std::int32_t half_way = 1 << 16;

TREEWRIGHT_INLINE void load(Lanes& lanes, const std::int32_t* from) {
  std::memcpy(&lanes, from, sizeof lanes);
}
TREEWRIGHT_INLINE void store(const Lanes& lanes, std::int32_t* to) { std::memcpy(to, &lanes, sizeof lanes); }

// `n` times so many lanes at once.
template <std::size_t n>
TREEWRIGHT_INLINE void find_some_ranges(const KeyRecords& records, std::size_t first, std::int32_t* least,
                                        std::int32_t* most) {
  const std::int32_t* row = records.first + first;
  Lanes low[n], high[n], own;
  for (std::size_t v = 0; v < n; ++v) {
    load(low[v], row + v * lanes_at_once);
    high[v] = low[v];
  }
  for (std::size_t r = 1; r < records.n_rows; ++r) {
    row += records.n_lanes;
    for (std::size_t v = 0; v < n; ++v) {
      load(own, row + v * lanes_at_once);
      take_least(low[v], own);
      take_most(high[v], own);
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    store(low[v], least + first + v * lanes_at_once);
    store(high[v], most + first + v * lanes_at_once);
  }
}

// Two classes: what both weigh, and the second, in registers: no store-to-load forwarding between rows. Rows
// that are light, 16 bits together, have both in one sum.
template <std::size_t n, bool are_light>
TREEWRIGHT_INLINE void weigh_some_pairs(const KeyRecords& records, std::size_t first, const std::int32_t* cut,
                                        std::int32_t* weight) {
  Lanes limit[n], both[n] = {}, second[n] = {}, own;
  for (std::size_t v = 0; v < n; ++v) load(limit[v], cut + first + v * lanes_at_once);
  const std::int32_t* row = records.first;
  for (std::size_t r = 0; r < records.n_rows; ++r, row += records.n_lanes) {
    const std::int32_t w = row[records.weight], w_second = row[records.label] * w;
    const std::int32_t w_both = are_light ? w + w_second * half_way : w;
    for (std::size_t v = 0; v < n; ++v) {
      load(own, row + first + v * lanes_at_once);
      add_left(both[v], own, limit[v], w_both);
      if constexpr (!are_light) add_left(second[v], own, limit[v], w_second);
    }
  }
  std::int32_t *to = weight + first, *to_second = to + records.n_lanes;
  for (std::size_t v = 0; v < n; ++v) {
    store(both[v], to + v * lanes_at_once);
    if constexpr (!are_light) store(second[v], to_second + v * lanes_at_once);
  }
  for (std::size_t l = 0; l < n * lanes_at_once; ++l) {
    const auto sum = static_cast<std::uint32_t>(to[l]);
    if constexpr (are_light) to_second[l] = static_cast<std::int32_t>(sum / half_way);
    to[l] = static_cast<std::int32_t>(are_light ? sum % half_way : sum) - to_second[l];
  }
}
template <bool are_light>
TREEWRIGHT_INLINE void weigh_pairs(const KeyRecords& records, const std::int32_t* cut, std::int32_t* weight) {
  std::size_t first = 0;
  for (; first + 4 * lanes_at_once <= records.n_lanes; first += 4 * lanes_at_once)
    weigh_some_pairs<4, are_light>(records, first, cut, weight);
  for (; first < records.n_lanes; first += lanes_at_once)
    weigh_some_pairs<1, are_light>(records, first, cut, weight);
}

}  // namespace

TREEWRIGHT_WIDE void find_ranges(const KeyRecords& records, std::int32_t* least, std::int32_t* most) {
  std::size_t first = 0;
  for (; first + 4 * lanes_at_once <= records.n_lanes; first += 4 * lanes_at_once)
    find_some_ranges<4>(records, first, least, most);
  for (; first < records.n_lanes; first += lanes_at_once) find_some_ranges<1>(records, first, least, most);
}

TREEWRIGHT_WIDE void weigh_left(const KeyRecords& records, const std::int32_t* cut, std::size_t n_classes,
                                double total, std::int32_t* weight) {
  if (n_classes == 2 && total < half_way) return weigh_pairs<true>(records, cut, weight);
  if (n_classes == 2) return weigh_pairs<false>(records, cut, weight);
  const std::size_t n_lanes = records.n_lanes;
  std::fill_n(weight, n_classes * n_lanes, 0);
  const std::int32_t* row = records.first;
  for (std::size_t r = 0; r < records.n_rows; ++r, row += n_lanes) {
    std::int32_t* sum = weight + static_cast<std::size_t>(row[records.label]) * n_lanes;
    const std::int32_t w = row[records.weight];
    for (std::size_t first = 0; first < n_lanes; first += lanes_at_once) {
      Lanes own, limit, so_far;
      load(own, row + first);
      load(limit, cut + first);
      load(so_far, sum + first);
      add_left(so_far, own, limit, w);
      store(so_far, sum + first);
    }
  }
}

TREEWRIGHT_WIDE std::size_t divide_keys(const KeyRecords& records, std::size_t lane, std::int32_t cut,
                                        std::int32_t* to) {
  const std::size_t n_lanes = records.n_lanes;
  const std::int32_t* row = records.first;
  std::int32_t *left = to, *right = to + records.n_rows * n_lanes;
  for (std::size_t r = 0; r < records.n_rows; ++r, row += n_lanes) {
    const bool is_left = row[lane] <= cut;
    std::int32_t* place = is_left ? left : right - n_lanes;
    for (std::size_t first = 0; first < n_lanes; first += lanes_at_once) {
      Lanes own;
      load(own, row + first);
      store(own, place + first);
    }
    left += is_left ? n_lanes : 0;
    right -= is_left ? 0 : n_lanes;
  }
  return static_cast<std::size_t>(left - to) / n_lanes;
}

}  // namespace treewright
