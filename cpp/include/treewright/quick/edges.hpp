// Which of 256 ascending edges a number lies between, without a branch.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace treewright {

// A grid of even cells over the edges: how many edges lie in cells before that of x is looked up; the few in
// its own cell are compared with. Where edges crowd into one cell, they are searched by halves instead.
template <class T>
struct EdgeTable {
  static constexpr std::int32_t n_cells = 1024, max_steps = 6;
  std::array<T, 256> edge;
  std::array<std::uint8_t, n_cells> start{};
  T low = 0, scale = 0;
  std::int32_t n_steps = 0;  // most edges in one cell; 0 where the grid does not serve

  // Edges rounded down to T compare with numbers of T as they did before; those past the last are infinite.
  explicit EdgeTable(std::span<const double> edges) {
    for (std::size_t i = 0; i < 256; ++i) edge[i] = rounded_down(edges[i]);
    const auto is_finite = [](T x) { return std::isfinite(x); };
    const auto first = std::find_if(edge.begin(), edge.end(), is_finite);
    const auto last = std::find_if_not(first, edge.end(), is_finite);
    if (last - first < 2) return;
    low = *first;
    scale = static_cast<T>(n_cells - 1) / (*(last - 1) - low);
    if (std::isfinite(scale) && scale > 0) count_cells(static_cast<std::size_t>(last - edge.begin()));
  }

  // Never less for a larger x.
  std::int32_t cell(T x) const {
    const T place = (x - low) * scale;
    return static_cast<std::int32_t>(std::min(std::max(place, T{0}), static_cast<T>(n_cells - 1)));
  }

 private:
  static T rounded_down(double x) {
    T near = static_cast<T>(x);
    if (static_cast<double>(near) > x) near = std::nextafter(near, -std::numeric_limits<T>::infinity());
    return near;
  }
  void count_cells(std::size_t n_edges) {
    std::array<std::int32_t, n_cells> count{};
    for (std::size_t i = 0; i < n_edges; ++i) ++count[static_cast<std::size_t>(cell(edge[i]))];
    std::int32_t before = 0;
    for (std::size_t c = 0; c < n_cells; ++c) {
      start[c] = static_cast<std::uint8_t>(before);
      before += count[c];
    }
    const std::int32_t most = *std::max_element(count.begin(), count.end());
    n_steps = most <= max_steps ? most : 0;
  }
};

// The number of edges below each x; at most 255, since the last edges are infinite. Of a NaN nothing is said.
void count_edges_below(const EdgeTable<float>& table, std::span<const float> x, std::uint8_t* below);
void count_edges_below(const EdgeTable<double>& table, std::span<const double> x, std::uint8_t* below);

}  // namespace treewright
