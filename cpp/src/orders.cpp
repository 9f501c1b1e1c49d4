#include "treewright/search/orders.hpp"

#include "treewright/quick/dispatch.hpp"

namespace treewright {

TREEWRIGHT_WIDE std::size_t count_cuts(std::span<const std::uint64_t> keys, KeyLayout layout) {
  const int shift = layout.label_bits + layout.row_bits;
  const std::uint64_t* key = keys.data();
  std::uint64_t n = 0;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const std::uint64_t here = key[i] >> shift, next = key[i + 1] >> shift;
    const std::uint64_t reach = here & KeyLayout::far;
    // No comparison of 64 bits, which plain instructions lack: the sign of the difference.
    n += ~((next >> KeyLayout::reach_bits) - (here >> KeyLayout::reach_bits) - reach) >> 63;
  }
  return static_cast<std::size_t>(n);
}

}  // namespace treewright
