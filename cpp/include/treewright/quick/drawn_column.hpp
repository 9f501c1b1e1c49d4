// What a search among drawn columns keeps of those it looked at: what each offers, the cuts that may be best,
// and the best of them.
#pragma once

#include <cstdint>
#include <limits>

#include "../contest.hpp"
#include "../search/cells.hpp"
#include "drawn_edges.hpp"

namespace treewright {

// A column that was looked at. Its edges: between rows, if they were sorted, or at the ends of buckets.
struct DrawnColumn : Outlook {
  std::uint32_t column = 0;
  bool is_sorted = false, is_gathered = true, is_offer = false;
  Buckets buckets;
  std::size_t first_edge = 0;
  double drawn_cut = std::numeric_limits<double>::quiet_NaN();
  Tag::Gap gap = Tag::apart;     // where rows without a value are put, if there are any
  std::uint32_t last_known = 0;  // then: the greatest rank, and what those rows weigh
  double gap_weight = 0;
};

struct DrawnCandidate {
  std::size_t seen;         // which of the columns looked at
  std::uint32_t last_left;  // ranks up to this one go left
  double worth;
  std::size_t counts;  // where its weights on the left are kept
};

// The best test of a node: rows up to some rank go left.
struct DrawnCut {
  std::uint32_t column;
  std::size_t seen;         // which of the columns looked at
  std::uint32_t last_left;  // its greatest rank on the left, or one below the next
  double gain;
  std::int64_t drop;   // the same as the contest counts it
  const double* left;  // figures of the left: weights by class, in units
  double drawn_cut;    // as it was drawn, or behind all values; a NaN: half way between the neighbours
  Tag::Gap gap;        // where rows without a value go
  Offer* offer;        // of categories: the test itself
};

}  // namespace treewright
