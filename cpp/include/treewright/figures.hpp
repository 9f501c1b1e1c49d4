// Statistics as rows of int64, for those who add them up elsewhere: adding two rows is adding two sets of
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stats.hpp"

namespace treewright {

// Classes: the number of rows, then the weight of each class.
//   [ rows | n_0 n_1 ... ]
inline std::size_t figure_width(const ClassTarget& target) { return 1 + target.n_classes; }
inline ClassStats stats_of(const ClassTarget& target, std::span<const std::int64_t> row) {
  ClassStats stats(target.n_classes);
  stats.rows = row[0];
  for (std::size_t c = 0; c < target.n_classes; ++c) {
    stats.counts[c] = row[1 + c];
    stats.weight += row[1 + c];
  }
  return stats;
}
inline void add_figures(const ClassTarget& target, Piece piece, std::int64_t* row) {
  row[0] += 1;
  row[1 + target.label[static_cast<std::size_t>(piece.row)]] += piece.weight;
}

// Numbers: rows, weight, and the sum of weight times target in limbs of 32 bits, the last one signed; 2^31
// sums may be added before a limb runs over.
//   [ rows weight | s_0 s_1 s_2 s_3 ]      sum = s_0 + 2^32 s_1 + 2^64 s_2 + 2^96 s_3
constexpr int limb_bits = 32;
inline std::size_t figure_width(const NumberTarget&) { return 6; }
inline MomentStats stats_of(const NumberTarget&, std::span<const std::int64_t> row) {
  MomentStats stats;
  stats.rows = row[0];
  stats.weight = row[1];
  for (std::size_t i = 6; i-- > 2;) stats.sum = stats.sum * (std::int64_t{1} << limb_bits) + row[i];
  return stats;
}
inline void add_figures(const NumberTarget& target, Piece piece, std::int64_t* row) {
  constexpr std::uint64_t low = (std::uint64_t{1} << limb_bits) - 1;
  int128 sum = static_cast<int128>(piece.weight) * target.value[static_cast<std::size_t>(piece.row)];
  row[0] += 1;
  row[1] += piece.weight;
  for (std::size_t i = 2; i < 5; ++i, sum >>= limb_bits)
    row[i] += static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) & low);
  row[5] += static_cast<std::int64_t>(sum);
}

}  // namespace treewright
