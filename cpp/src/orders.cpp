#include "treewright/search/orders.hpp"

#include <algorithm>

#include "treewright/quick/dispatch.hpp"
#include "treewright/splitters/sorted_cut.hpp"

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

// Branch misprediction: which side comes next is not to be guessed, so both are written and one counts.
std::size_t part_keys(std::span<std::uint64_t> keys, KeyLayout layout, const std::uint64_t* is_right,
                      std::uint64_t* spare) {
  std::size_t n_left = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    const std::size_t row = layout.row(key);
    keys[n_left] = key;
    spare[i - n_left] = key;
    n_left += static_cast<std::size_t>(~(is_right[row / 64] >> row % 64) & 1);
  }
  std::copy_n(spare, keys.size() - n_left, keys.begin() + static_cast<std::ptrdiff_t>(n_left));
  return n_left;
}

namespace {

// For each value, whether the one `ahead` of it is too close. Returns true if any is.
TREEWRIGHT_WIDE bool count_close(const double* value, std::size_t n, std::size_t ahead, std::uint8_t* count) {
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t is_close = is_apart(value[i], value[i + ahead]) ? 0 : 1;
    count[i] = static_cast<std::uint8_t>(count[i] + is_close);
    any |= is_close;
  }
  return any != 0;
}

}  // namespace

// Values are ascending, so that none further ahead is too close where the one before is not: the close ones
// are counted, some values at a time.
std::vector<std::uint8_t> reaches_of(std::span<const double> values) {
  constexpr std::size_t some = 512;
  std::vector<std::uint8_t> reaches(values.size(), 1);
  for (std::size_t first = 0; first < values.size(); first += some)
    for (std::size_t ahead = 1; ahead < KeyLayout::far && first + ahead < values.size(); ++ahead) {
      const std::size_t n = std::min(some, values.size() - first - ahead);
      if (!count_close(values.data() + first, n, ahead, reaches.data() + first)) break;
    }
  return reaches;
}

}  // namespace treewright
