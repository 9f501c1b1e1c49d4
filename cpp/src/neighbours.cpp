#include "treewright/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "treewright/quick/dispatch.hpp"

namespace treewright {

namespace {

constexpr std::size_t n_lanes = 16;
// Rows of a block: those of a row-major table stay in the first cache until all columns have been read.
constexpr std::size_t n_block = 256;

// The running ends of a cut, one pair a lane: no lane waits for its neighbour.
template <class T>
struct Ends {
  T cut;
  std::array<T, n_lanes> below, above;

  explicit Ends(T at) : cut(at) {
    below.fill(-std::numeric_limits<T>::infinity());
    above.fill(std::numeric_limits<T>::infinity());
  }
  Neighbours folded() const {
    return {static_cast<double>(*std::max_element(below.begin(), below.end())),
            static_cast<double>(*std::min_element(above.begin(), above.end()))};
  }
};

// NaN is on neither side.
template <class T>
TREEWRIGHT_INLINE void widen_all(const std::array<T, n_block>& block, std::span<Ends<T>> ends) {
  for (Ends<T>& end : ends) {
    std::array<T, n_lanes> below = end.below, above = end.above;
    for (std::size_t i = 0; i < n_block; i += n_lanes)
      for (std::size_t l = 0; l < n_lanes; ++l) {
        const T value = block[i + l];
        const T low = value <= end.cut ? value : -std::numeric_limits<T>::infinity();
        const T high = value > end.cut ? value : std::numeric_limits<T>::infinity();
        below[l] = low > below[l] ? low : below[l];
        above[l] = high < above[l] ? high : above[l];
      }
    end.below = below;
    end.above = above;
  }
}

TREEWRIGHT_WIDE void widen(const std::array<float, n_block>& block, std::span<Ends<float>> ends) {
  widen_all(block, ends);
}
TREEWRIGHT_WIDE void widen(const std::array<double, n_block>& block, std::span<Ends<double>> ends) {
  widen_all(block, ends);
}

// A float is on the same side of a cut as of the largest float that is not above the cut.
template <class T>
T narrowed(double cut) {
  const T near = static_cast<T>(cut);
  return static_cast<double>(near) <= cut ? near : std::nextafter(near, -std::numeric_limits<T>::infinity());
}

template <class T>
struct Search {
  Numbers numbers;
  std::vector<Ends<T>> ends;

  Search(const Numbers& column, std::span<const double> cuts) : numbers(column) {
    for (double cut : cuts) ends.emplace_back(narrowed<T>(cut));
  }
  void read(std::size_t first) {
    std::array<T, n_block> block;
    const std::size_t n = std::min(n_block, numbers.size - first);
    for (std::size_t i = 0; i < n; ++i) block[i] = numbers.raw<T>(first + i);
    std::fill(block.begin() + static_cast<std::ptrdiff_t>(n), block.end(),
              std::numeric_limits<T>::quiet_NaN());
    widen(block, ends);
  }
};

}  // namespace

std::vector<std::vector<Neighbours>> neighbours(std::span<const Numbers> columns,
                                                std::span<const std::span<const double>> cuts) {
  std::vector<std::pair<std::size_t, Search<float>>> narrow;
  std::vector<std::pair<std::size_t, Search<double>>> wide;
  std::size_t n_rows = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    n_rows = std::max(n_rows, columns[c].size);
    if (columns[c].type == Numbers::Type::float32)
      narrow.emplace_back(c, Search<float>(columns[c], cuts[c]));
    else
      wide.emplace_back(c, Search<double>(columns[c], cuts[c]));
  }
  for (std::size_t first = 0; first < n_rows; first += n_block) {
    for (auto& [c, search] : narrow) search.read(first);
    for (auto& [c, search] : wide) search.read(first);
  }
  std::vector<std::vector<Neighbours>> out(columns.size());
  for (const auto& [c, search] : narrow)
    for (const auto& end : search.ends) out[c].push_back(end.folded());
  for (const auto& [c, search] : wide)
    for (const auto& end : search.ends) out[c].push_back(end.folded());
  return out;
}

}  // namespace treewright
