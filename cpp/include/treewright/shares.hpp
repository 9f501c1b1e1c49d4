// A row that lacks a value, divided among branches in proportion to what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stats.hpp"

namespace treewright::branches {

// Its weight is cut at the running totals of known weight, so that the shares add up to the whole exactly. A
// share of no unit is none.
template <class Place>
void share(Piece gap, std::span<const std::int64_t> known, Place place) {
  int128 total = 0, running = 0;
  for (auto weight : known) total += weight;
  std::int64_t given = 0;
  for (std::size_t b = 0; b < known.size(); ++b) {
    running += known[b];
    const auto upto = static_cast<std::int64_t>((gap.weight * running + total / 2) / total);
    if (upto > given) place(b, Piece{gap.row, upto - given});
    given = upto;
  }
}

}  // namespace treewright::branches
