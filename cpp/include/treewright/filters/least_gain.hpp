// The least gain (`min_gain`): per unit of the node's weight, or of the table's.
#pragma once

#include "../settings.hpp"

namespace treewright::filters {

// `share` is the node's share of the table's weight, as scores see it.
inline bool reaches_gain(double score, double share, const Settings& settings) {
  return !(score * (settings.is_gain_of_table ? share : 1) < settings.min_gain);
}

}  // namespace treewright::filters
