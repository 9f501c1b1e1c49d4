// A node that owns its rows, whole or in part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../open.hpp"
#include "../opening.hpp"
#include "../roomy.hpp"
#include "../stats.hpp"
#include "orders.hpp"

namespace treewright {

// A node that owns pieces of rows, which may be parts of them.
template <class Stats>
struct OpenRows : Standing {
  std::vector<Piece> pieces;
  Roomy<std::int16_t> records;     // of the pieces, where multiway columns are counted together
  Orders orders;                   // of the cut columns, where these are searched in their order
  std::vector<std::int32_t> used;  // multiway columns asked above
  std::optional<Opening<Stats>> opening;
};

}  // namespace treewright
