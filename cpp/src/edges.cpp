#include "treewright/quick/edges.hpp"

#include <cstdint>  // says which C library this is, for dispatch.hpp

#include "treewright/quick/dispatch.hpp"

namespace treewright {

namespace {

// Rows side by side, one step for all before the next, so that the compiler can use wide registers.
constexpr std::size_t batch = 256;

template <class T>
[[gnu::always_inline]] inline void by_grid(const EdgeTable<T>& table, const T* x, std::size_t n,
                                           std::uint8_t* below) {
  std::int32_t found[batch];
  const T low = table.low, scale = table.scale, last = static_cast<T>(EdgeTable<T>::n_cells - 1);
  for (std::size_t i = 0; i < n; ++i) {
    T place = (x[i] - low) * scale;
    place = place > 0 ? place : 0;  // a NaN, too, is in the first cell
    found[i] = static_cast<std::int32_t>(place < last ? place : last);
  }
  for (std::size_t i = 0; i < n; ++i) found[i] = table.start[static_cast<std::size_t>(found[i])];
  const T* edge = table.edge.data();
  for (std::int32_t step = 0; step < table.n_steps; ++step)
    for (std::size_t i = 0; i < n; ++i) found[i] += edge[found[i]] < x[i] ? 1 : 0;
  for (std::size_t i = 0; i < n; ++i) below[i] = static_cast<std::uint8_t>(found[i]);
}

template <class T>
[[gnu::always_inline]] inline void by_halves(const EdgeTable<T>& table, const T* x, std::size_t n,
                                             std::uint8_t* below) {
  std::int32_t found[batch] = {};
  const T* edge = table.edge.data();
  for (std::int32_t step = 128; step > 0; step /= 2)
    for (std::size_t i = 0; i < n; ++i) found[i] += edge[found[i] + step - 1] < x[i] ? step : 0;
  for (std::size_t i = 0; i < n; ++i) below[i] = static_cast<std::uint8_t>(found[i]);
}

template <class T>
[[gnu::always_inline]] inline void count_all(const EdgeTable<T>& table, std::span<const T> x,
                                             std::uint8_t* below) {
  for (std::size_t first = 0; first < x.size(); first += batch) {
    const std::size_t n = std::min(batch, x.size() - first);
    if (table.n_steps > 0)
      by_grid(table, x.data() + first, n, below + first);
    else
      by_halves(table, x.data() + first, n, below + first);
  }
}

}  // namespace

TREEWRIGHT_WIDE void count_edges_below(const EdgeTable<float>& table, std::span<const float> x,
                                       std::uint8_t* below) {
  count_all<float>(table, x, below);
}

TREEWRIGHT_WIDE void count_edges_below(const EdgeTable<double>& table, std::span<const double> x,
                                       std::uint8_t* below) {
  count_all<double>(table, x, below);
}

}  // namespace treewright
