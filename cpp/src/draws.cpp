#include "treewright/draws.hpp"

#include <cstdint>

#include "treewright/quick/dispatch.hpp"

#ifdef TREEWRIGHT_HAS_WIDE
#include <immintrin.h>
#endif

namespace treewright {

namespace {

void draw_one_by_one(std::uint64_t seed, std::uint32_t tree, std::uint64_t path,
                     std::span<const std::uint32_t> items, std::uint64_t* found) {
  for (std::size_t i = 0; i < items.size(); ++i) found[i] = draw(seed, tree, path, items[i]);
}

#ifdef TREEWRIGHT_HAS_WIDE

// Four counters side by side, a word in the lower half of each lane: the product of two such halves fills the
// lane. What is above a word is of no account.
struct Lanes {
  __m256i word[4];
};

__attribute__((target("avx2"))) inline void turn(Lanes& c, __m256i key0, __m256i key1) {
  const __m256i a = _mm256_mul_epu32(_mm256_set1_epi64x(0xD2511F53), c.word[0]),
                b = _mm256_mul_epu32(_mm256_set1_epi64x(0xCD9E8D57), c.word[2]);
  c.word[0] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(b, 32), c.word[1]), key0);
  c.word[1] = b;
  c.word[2] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(a, 32), c.word[3]), key1);
  c.word[3] = a;
}

__attribute__((target("avx2"))) inline __m256i outcome(const Lanes& c) {
  return _mm256_or_si256(_mm256_slli_epi64(c.word[1], 32),
                         _mm256_and_si256(c.word[0], _mm256_set1_epi64x(0xFFFFFFFF)));
}

// Eight items from a place on.
struct Draw {
  std::uint64_t seed, path;
  std::uint32_t tree;

  __attribute__((target("avx2"))) void take_eight(const std::uint32_t* items, std::uint64_t* found) const {
    const __m256i low = _mm256_set1_epi64x(static_cast<std::int64_t>(path & 0xFFFFFFFF)),
                  high = _mm256_set1_epi64x(static_cast<std::int64_t>(path >> 32)),
                  tree_lanes = _mm256_set1_epi64x(tree);
    const auto* four = reinterpret_cast<const __m128i*>(items);
    Lanes one{low, high, _mm256_cvtepu32_epi64(_mm_loadu_si128(four)), tree_lanes},
        other{low, high, _mm256_cvtepu32_epi64(_mm_loadu_si128(four + 1)), tree_lanes};
    __m256i key0 = _mm256_set1_epi64x(static_cast<std::int64_t>(seed & 0xFFFFFFFF)),
            key1 = _mm256_set1_epi64x(static_cast<std::int64_t>(seed >> 32));
    for (int round = 0; round < 10; ++round) {
      turn(one, key0, key1);
      turn(other, key0, key1);
      key0 = _mm256_add_epi32(key0, _mm256_set1_epi64x(0x9E3779B9));
      key1 = _mm256_add_epi32(key1, _mm256_set1_epi64x(0xBB67AE85));
    }
    auto* halves = reinterpret_cast<__m256i*>(found);
    _mm256_storeu_si256(halves, outcome(one));
    _mm256_storeu_si256(halves + 1, outcome(other));
  }
};

__attribute__((target("avx2"))) void draw_eight_by_eight(std::uint64_t seed, std::uint32_t tree,
                                                         std::uint64_t path,
                                                         std::span<const std::uint32_t> items,
                                                         std::uint64_t* found) {
  constexpr std::size_t n = 8;
  const Draw draw{seed, path, tree};
  std::size_t first = 0;
  for (; first + n <= items.size(); first += n) draw.take_eight(items.data() + first, found + first);
  if (first == items.size()) return;
  std::uint32_t rest[n] = {};
  std::uint64_t lane[n];
  for (std::size_t i = first; i < items.size(); ++i) rest[i - first] = items[i];
  draw.take_eight(rest, lane);
  for (std::size_t i = first; i < items.size(); ++i) found[i] = lane[i - first];
}

#endif

}  // namespace

void draw_many(std::uint64_t seed, std::uint32_t tree, std::uint64_t path,
               std::span<const std::uint32_t> items, std::uint64_t* found) {
#ifdef TREEWRIGHT_HAS_WIDE
  static const bool is_wide = __builtin_cpu_supports("avx2");
  if (is_wide) return draw_eight_by_eight(seed, tree, path, items, found);
#endif
  draw_one_by_one(seed, tree, path, items, found);
}

}  // namespace treewright
