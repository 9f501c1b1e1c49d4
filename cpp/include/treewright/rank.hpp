// Numbers as ranks: the place of each value among the distinct ones, for the searches that work on codes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "column.hpp"

namespace treewright {

// The bits of a number, in an order in which unsigned integers compare as the numbers do; -0 and 0 are one
// value.
inline std::uint64_t ordered_bits(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v);
  return bits >> 63 != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
inline double number_of(std::uint64_t bits) {
  return std::bit_cast<double>(bits >> 63 != 0 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}

// The same for numbers of 32 bits: half the digits to sort by.
inline std::uint32_t ordered_bits(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v == 0 ? 0.0f : v);
  return bits >> 31 != 0 ? ~bits : bits | (std::uint32_t{1} << 31);
}
inline double number_of(std::uint32_t bits) {
  return static_cast<double>(
      std::bit_cast<float>(bits >> 31 != 0 ? bits & ~(std::uint32_t{1} << 31) : ~bits));
}

// The largest float that is not above a cut: the same floats are above both.
inline float not_above(double cut) {
  constexpr float most = std::numeric_limits<float>::max(), endless = std::numeric_limits<float>::infinity();
  if (cut == static_cast<double>(endless)) return endless;
  if (cut >= static_cast<double>(most)) return most;
  if (cut < -static_cast<double>(most)) return -endless;
  const auto near = static_cast<float>(cut);
  return static_cast<double>(near) > cut ? std::nextafter(near, -endless) : near;
}

template <class Key>
struct Keyed {
  Key key;
  std::uint32_t row;
};

// Least significant digit first, eleven bits at a time. A digit that all keys share is passed over, so that
// numbers that came from 32 bits, or are whole, take half the passes.
template <class Key>
void radix_sort(std::vector<Keyed<Key>>& items, std::vector<Keyed<Key>>& other) {
  constexpr int bits = 11, n_digits = (8 * sizeof(Key) + bits - 1) / bits;
  constexpr std::size_t n_buckets = std::size_t{1} << bits;
  std::vector<std::array<std::uint32_t, n_buckets>> count(n_digits);
  for (const Keyed<Key>& item : items)
    for (int d = 0; d < n_digits; ++d)
      ++count[static_cast<std::size_t>(d)][(item.key >> (d * bits)) & (n_buckets - 1)];
  other.resize(items.size());
  for (int d = 0; d < n_digits; ++d) {
    auto& first = count[static_cast<std::size_t>(d)];
    if (std::find(first.begin(), first.end(), items.size()) != first.end()) continue;
    std::uint32_t before = 0;
    for (auto& n : first) before += std::exchange(n, before);
    for (const Keyed<Key>& item : items) other[first[(item.key >> (d * bits)) & (n_buckets - 1)]++] = item;
    items.swap(other);
  }
}

// Room to sort in, for one column after the other: memory that is asked for anew is cleared page by page.
struct RankRoom {
  std::vector<Keyed<std::uint32_t>> items, other;
};

struct Ranks {
  std::vector<std::int32_t> code;
  std::vector<double> value;  // the distinct ones, ascending
  std::vector<std::uint64_t>
      sorted;  // on request: rank above the number of the row, ascending; gaps left out
};

template <class Key, class Value>
void rank_by(const Numbers& numbers, const Value& value, bool keeps_order, std::vector<Keyed<Key>>& items,
             std::vector<Keyed<Key>>& other, Ranks& out) {
  out.code.assign(numbers.size, missing_code);
  out.value.clear();
  out.sorted.clear();
  items.clear();
  items.reserve(numbers.size);
  for (std::size_t r = 0; r < numbers.size; ++r) {
    const auto x = value(r);
    if (!std::isnan(x)) items.push_back({ordered_bits(x), static_cast<std::uint32_t>(r)});
  }
  if (items.size() < 2048)
    std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  else
    radix_sort(items, other);
  if (keeps_order) out.sorted.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 0 || items[i].key != items[i - 1].key) out.value.push_back(number_of(items[i].key));
    out.code[items[i].row] = static_cast<std::int32_t>(out.value.size()) - 1;
    if (keeps_order)
      out.sorted.push_back(static_cast<std::uint64_t>(out.value.size() - 1) << 32 | items[i].row);
  }
}

// Numbers that 32 bits hold as well, as whole numbers mostly are, sort in half the time.
inline bool fit_float(const Numbers& numbers) {
  for (std::size_t r = 0; r < numbers.size; ++r) {
    const double x = numbers[r];
    if (!std::isnan(x) && !(std::abs(x) <= 3e38 && static_cast<double>(static_cast<float>(x)) == x))
      return false;
  }
  return true;
}

inline void rank(const Numbers& numbers, bool keeps_order, RankRoom& room, Ranks& out) {
  const auto by_float = [&](const auto& value) {
    rank_by<std::uint32_t>(numbers, value, keeps_order, room.items, room.other, out);
  };
  if (numbers.type == Numbers::Type::float64 && fit_float(numbers))
    return by_float([&](std::size_t r) { return static_cast<float>(numbers.raw<double>(r)); });
  if (numbers.type == Numbers::Type::float32)
    return by_float([&](std::size_t r) { return numbers.raw<float>(r); });
  std::vector<Keyed<std::uint64_t>> items, other;
  rank_by<std::uint64_t>(numbers, [&](std::size_t r) { return numbers[r]; }, keeps_order, items, other, out);
}
inline Ranks rank(const Numbers& numbers, bool keeps_order = false) {
  RankRoom room;
  Ranks out;
  rank(numbers, keeps_order, room, out);
  return out;
}

}  // namespace treewright
