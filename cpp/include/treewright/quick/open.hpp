// A node whose rows are still in hand: a stretch of the one list of rows.
#pragma once

#include <cstdint>

#include "../opening.hpp"

namespace treewright {

struct Stretch {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

template <class Stats>
struct OpenNode {
  std::int32_t node = 0;
  Stretch at;
  std::int64_t depth = 0;
  std::uint64_t path = 0;
  Opening<Stats> opening;
  std::size_t numbering = 0;  // in a block: how it numbers classes
};

}  // namespace treewright
