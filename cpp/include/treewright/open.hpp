// Nodes whose rows are still in hand: where they stand, and which rows these are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "draws.hpp"
#include "opening.hpp"

namespace treewright {

// A node's place in the tree, and the way to it, by which draws are keyed.
struct Standing {
  std::int32_t node = 0;
  std::int64_t depth = 0;
  std::uint64_t path = root_path;
};

// Some neighbours in a list of rows.
struct Stretch {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

// A node that owns a stretch of the one list of rows.
struct OpenStretch : Standing {
  Stretch at;
};

// The same, with what its rows amount to.
template <class Stats>
struct OpenNode : OpenStretch {
  Opening<Stats> opening;
  std::size_t numbering = 0;  // in a block: how it numbers classes
};

}  // namespace treewright
