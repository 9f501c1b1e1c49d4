// The rows inside the few buckets of a column that may hide the best cut, in the order of their ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "drawn_edges.hpp"
#include "drawn_kernels.hpp"

namespace treewright {

class OpenBuckets {
 public:
  void close_all(std::size_t n_buckets) { is_open_.assign(n_buckets, 0); }
  void open(std::size_t bucket) { is_open_[bucket] = 1; }

  // Take the rows of open buckets, all of which lie from `first` to `last`, and sort them.
  void gather(Buckets buckets, std::size_t first, std::size_t last, std::span<const std::uint32_t> rank) {
    place_.resize(rank.size() + 16);
    const std::size_t n_near =
        places_within(rank, buckets.least + static_cast<std::uint32_t>(first << buckets.shift),
                      static_cast<std::uint32_t>(((last - first + 1) << buckets.shift) - 1), place_.data());
    inside_.resize(n_near + 1);
    std::size_t n_inside = 0;
    for (std::size_t p = 0; p < n_near; ++p) {  // no branch misprediction: which are inside is random
      const std::uint32_t i = place_[p], above = rank[i] - buckets.least;
      inside_[n_inside] = std::uint64_t{above} << 32 | i;
      n_inside += is_open_[above >> buckets.shift];
    }
    inside_.resize(n_inside);
    sort(buckets);
  }
  // Each as its rank above the least, shifted left by 32 bits, and its place.
  std::span<const std::uint64_t> rows() const { return inside_; }

 private:
  // Rows of one bucket come together first; each bucket has but a few.
  void sort(Buckets buckets) {
    if (inside_.size() <= few_rows) return sort_some(inside_);
    place_.assign(buckets.size + 1, 0);
    auto bucket_of = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> 32 >> buckets.shift); };
    for (std::uint64_t key : inside_) ++place_[bucket_of(key) + 1];
    for (std::size_t b = 0; b < buckets.size; ++b) place_[b + 1] += place_[b];
    together_.resize(inside_.size());
    for (std::uint64_t key : inside_) together_[place_[bucket_of(key)]++] = key;
    inside_.swap(together_);
    std::size_t begin = 0;
    for (std::size_t b = 0; b < buckets.size; ++b) {
      if (is_open_[b] == 0) continue;
      sort_some(std::span(inside_).subspan(begin, place_[b] - begin));
      begin = place_[b];
    }
  }
  static void sort_some(std::span<std::uint64_t> keys) {
    if (keys.size() > few_rows) return std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::uint64_t key = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
  }

  std::vector<std::uint8_t> is_open_;
  std::vector<std::uint64_t> inside_, together_;
  std::vector<std::uint32_t> place_;
};

}  // namespace treewright
