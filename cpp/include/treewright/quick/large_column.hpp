// What the search of large nodes keeps of a column: what it offers, the cuts that may be best, and the rows
// in the bins that are opened.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../contest.hpp"
#include "../search/cells.hpp"
#include "../splitter.hpp"

namespace treewright {

struct ColumnOutlook : Outlook {
  bool waits = false;      // categories: what they offer is not known yet
  bool has_cheap = false;  // the cheap bounds of its bins are kept
  Offer offer;
};

// A cut that may be the best: at the upper edge of a bin, or inside it between two values.
template <class Stats>
struct Candidate {
  std::uint32_t column = 0;
  std::size_t bin = 0;
  double low = 0, high = 0;  // inside a bin: its neighbours
  bool is_inside = false;
  Tag::Gap gap = Tag::apart;
  double worth = 0;
  Stats left;  // with the gaps, where they go there
};

// A bin that is opened, and what lies before it.
template <class Stats>
struct OpenBin {
  std::size_t number;
  Stats before;
};
struct InsideBin {
  double value;
  std::uint32_t row;
};
// A column with open bins, and the rows in them.
template <class Stats>
struct OpenColumn {
  std::uint32_t c = 0;
  std::vector<OpenBin<Stats>> bins;
  std::array<std::uint8_t, 256> is_open{};
  std::vector<InsideBin> inside;
};

}  // namespace treewright
