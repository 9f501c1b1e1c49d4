// The places of some numbers, those of the least numbers first; equal numbers in the order of their places.
// Few are asked for as a rule, and found by looking at all numbers each time. Whoever asks on gets them from
// a heap, so that all n places cost n log n steps, not n times n.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "drawn_kernels.hpp"

namespace treewright {

class LeastFirst {
 public:
  // The numbers are to be written here, before the first place is asked for.
  std::vector<std::uint64_t>& numbers() {
    n_asked_ = 0;
    return number_;
  }

  std::optional<std::size_t> next() {
    if (n_asked_ == number_.size()) return std::nullopt;
    if (n_asked_ == n_looks) make_heap();
    return n_asked_++ < n_looks ? by_looking() : from_heap();
  }

 private:
  static constexpr std::size_t n_looks = 16;  // a heap costs about as much as so many looks
  static constexpr std::uint64_t taken = std::numeric_limits<std::uint64_t>::max();
  using Entry = std::pair<std::uint64_t, std::uint32_t>;

  std::size_t by_looking() {
    const std::size_t place = place_of_least(number_);
    number_[place] = taken;
    return place;
  }
  void make_heap() {
    heap_.clear();
    for (std::size_t i = 0; i < number_.size(); ++i)
      if (number_[i] != taken) heap_.emplace_back(number_[i], static_cast<std::uint32_t>(i));
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  std::optional<std::size_t> from_heap() {
    if (heap_.empty()) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::size_t place = heap_.back().second;
    heap_.pop_back();
    return place;
  }

  std::vector<std::uint64_t> number_;
  std::vector<Entry> heap_;
  std::size_t n_asked_ = 0;
};

}  // namespace treewright
