// Draws as hashes of identities: no stream, no state, the same for any order of visit, any thread, any
// machine. Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): the key is the seed, the counter is what is being
// drawn for.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace treewright {

inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::uint64_t seed) {
  auto k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0],
                        b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

// 64 bits for one (seed, tree, path of the node, item).
inline std::uint64_t draw(std::uint64_t seed, std::uint32_t tree, std::uint64_t path, std::uint32_t item) {
  auto words =
      philox({static_cast<std::uint32_t>(path), static_cast<std::uint32_t>(path >> 32), item, tree}, seed);
  return (std::uint64_t{words[1]} << 32) | words[0];
}

// The same for several items, several side by side (draws.cpp).
void draw_many(std::uint64_t seed, std::uint32_t tree, std::uint64_t path,
               std::span<const std::uint32_t> items, std::uint64_t* found);

inline double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// The identity of a node is the path of branches that leads to it.
constexpr std::uint64_t root_path = 0;
inline std::uint64_t path_of_branch(std::uint64_t parent, std::uint32_t branch) {
  return draw(0x7472656577726967, 0, parent, branch);
}

}  // namespace treewright
