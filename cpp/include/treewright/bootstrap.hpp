// The rows of a tree in a forest: exactly so many draws with replacement, as a pure function of (seed, tree).
//
// Rows lie in blocks of 65,536 numbers. First the draws are shared out among the blocks, by halves; then each
// block draws among its own rows. Whoever holds one block of the table needs no other's draws.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "draws.hpp"
#include "wide.hpp"

namespace treewright {

class Bootstrap {
 public:
  Bootstrap(std::uint64_t seed, std::uint32_t tree) : seed_(seed), tree_(tree) {}

  // How often each row is drawn.
  std::vector<std::int32_t> times(std::size_t n_rows, std::uint64_t n_draws) const {
    std::vector<std::int32_t> found(n_rows);
    if (n_rows > 0) share_out(n_draws, 0, (n_rows + block - 1) / block, found);
    return found;
  }

 private:
  static constexpr std::size_t block = 65536;
  // What is drawn has keys of its own, apart from those of columns and cuts.
  static constexpr std::uint64_t for_rows = 0xD1B54A32D192ED03, for_blocks = 0x8CB92BA72F3D8DD7;

  static std::size_t n_rows_in(std::size_t first, std::size_t last, std::size_t n_rows) {
    return std::min(last * block, n_rows) - first * block;
  }

  void share_out(std::uint64_t n_draws, std::size_t first, std::size_t last,
                 std::span<std::int32_t> times) const {
    if (last - first == 1) return draw_in_block(n_draws, first, times);
    const std::size_t middle = first + std::bit_ceil(last - first) / 2;
    const auto left = n_rows_in(first, middle, times.size()), all = n_rows_in(first, last, times.size());
    const auto share = static_cast<std::uint64_t>((static_cast<uint128>(left) << 64) / all);
    const std::uint64_t n_left = binomial(n_draws, share, std::uint64_t{first} << 32 | last);
    share_out(n_left, first, middle, times);
    share_out(n_draws - n_left, middle, last, times);
  }

  // How many of n uniform numbers are below a share of 2^64. They are told apart bit by bit, from the first
  // on: half of those that are still equal are decided by each, so that two bits a number are enough.
  std::uint64_t binomial(std::uint64_t n, std::uint64_t share, std::uint64_t path) const {
    std::uint64_t below = 0;
    for (std::uint32_t bit = 0; bit < 64 && n > 0; ++bit) {
      const std::uint64_t ones = ones_among(n, path, bit);
      if ((share >> (63 - bit)) & 1) {
        below += n - ones;
        n = ones;
      } else {
        n -= ones;
      }
    }
    return below;
  }
  std::uint64_t ones_among(std::uint64_t n, std::uint64_t path, std::uint32_t bit) const {
    std::uint64_t ones = 0;
    for (std::uint64_t word = 0; word * 64 < n; ++word) {
      std::uint64_t bits =
          draw(seed_ + for_blocks, tree_, path, bit << 26 | static_cast<std::uint32_t>(word));
      if (n - word * 64 < 64) bits &= (std::uint64_t{1} << (n - word * 64)) - 1;
      ones += static_cast<std::uint64_t>(std::popcount(bits));
    }
    return ones;
  }

  void draw_in_block(std::uint64_t n_draws, std::size_t number, std::span<std::int32_t> times) const {
    const std::size_t size = n_rows_in(number, number + 1, times.size());
    std::int32_t* first = times.data() + number * block;
    std::array<std::uint32_t, 256> item;
    std::array<std::uint64_t, 256> bits;
    for (std::uint64_t done = 0; done < n_draws; done += item.size()) {
      const std::size_t n = std::min<std::uint64_t>(item.size(), n_draws - done);
      for (std::size_t i = 0; i < n; ++i) item[i] = static_cast<std::uint32_t>(done + i);
      draw_many(seed_ + for_rows, tree_, number, {item.data(), n}, bits.data());
      for (std::size_t i = 0; i < n; ++i)
        ++first[static_cast<std::size_t>((static_cast<uint128>(bits[i]) * size) >> 64)];
    }
  }

  std::uint64_t seed_;
  std::uint32_t tree_;
};

}  // namespace treewright
