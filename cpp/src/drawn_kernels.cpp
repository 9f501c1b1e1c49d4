#include "treewright/quick/drawn_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "treewright/quick/dispatch.hpp"

namespace treewright {

TREEWRIGHT_WIDE RankRange gather_ranks(const std::uint32_t* source, std::span<const std::uint32_t> ids,
                                       std::uint32_t* rank) {
  const std::uint32_t* id = ids.data();
  const std::size_t n = ids.size();
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), most = 0;
  for (std::size_t i = 0; i < n; ++i) rank[i] = source[id[i]];
  for (std::size_t i = 0; i < n; ++i) {
    least = rank[i] < least ? rank[i] : least;
    most = rank[i] > most ? rank[i] : most;
  }
  return {least, most};
}

TREEWRIGHT_WIDE std::uint64_t sum_up_to(std::span<const std::uint32_t> rank, std::uint32_t last,
                                        const std::uint64_t* number) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) sum += rank[i] <= last ? number[i] : 0;
  return sum;
}

namespace {

using Eight = std::int32_t __attribute__((vector_size(32), may_alias));
constexpr std::size_t lanes = 8;

// Count for `n_blocks` blocks of keys how many of all keys are below each.
template <std::size_t n_blocks>
TREEWRIGHT_INLINE void count_below(const std::int32_t* all, std::size_t n, const Eight* key, Eight* below) {
  Eight count[n_blocks] = {};
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t b = 0; b < n_blocks; ++b) count[b] -= key[b] > all[j];
  for (std::size_t b = 0; b < n_blocks; ++b) below[b] = count[b];
}

}  // namespace

// Each number's place is how many are below it: no branch misprediction, and several at once.
TREEWRIGHT_WIDE void sort_few_ranks(std::span<const std::uint32_t> rank, std::uint32_t least,
                                    std::int32_t* sorted) {
  const std::size_t n = rank.size(), n_blocks = n <= lanes ? 1 : n <= 2 * lanes ? 2 : (n + 31) / 32 * 4;
  const int bits = place_bits(n);
  Eight block[some_rows / lanes], place_block[some_rows / lanes];
  auto* key = reinterpret_cast<std::int32_t*>(block);
  for (std::size_t b = n / lanes; b < n_blocks; ++b)
    block[b] = Eight{} + std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < n; ++i)
    key[i] = static_cast<std::int32_t>((rank[i] - least) << bits | static_cast<std::uint32_t>(i));
  if (n_blocks == 1)
    count_below<1>(key, n, block, place_block);
  else if (n_blocks == 2)
    count_below<2>(key, n, block, place_block);
  else
    for (std::size_t b = 0; b < n_blocks; b += 4) count_below<4>(key, n, block + b, place_block + b);
  const auto* place = reinterpret_cast<const std::int32_t*>(place_block);
  for (std::size_t i = 0; i < n; ++i) sorted[place[i]] = key[i];
}

TREEWRIGHT_WIDE std::size_t place_of_least(std::span<const std::uint64_t> number) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < number.size(); ++i) least = number[i] < least ? number[i] : least;
  std::size_t place = 0;
  while (place + 1 < number.size() && number[place] != least) ++place;
  return place;
}

// A side without rows has no product either, so it may be divided by one.
TREEWRIGHT_WIDE void pair_costs(Gini, std::span<const std::uint64_t> sum, double all_first, double all_second,
                                double* left, double* right) {
  for (std::size_t e = 0; e < sum.size(); ++e) {
    const auto total = static_cast<double>(static_cast<std::int32_t>(sum[e] & 0xFFFFFFFF)),
               b = static_cast<double>(static_cast<std::int32_t>(sum[e] >> 32));
    const double a = total - b, c = all_first - a, d = all_second - b, rest = c + d;
    left[e] = 2 * a * b / (total < 1 ? 1 : total);
    right[e] = 2 * c * d / (rest < 1 ? 1 : rest);
  }
}

// Four edges side by side. A sum is below 2^31, so both its halves are doubles once 2^52 is put above them.
TREEWRIGHT_WIDE double sorted_pair_costs(Gini, std::span<std::int32_t> sorted, const std::uint64_t* rows,
                                         double all_first, double all_second, std::uint64_t* sum,
                                         double* cost) {
  using Words = std::uint64_t __attribute__((vector_size(32), aligned(8), may_alias));
  using Doubles = double __attribute__((vector_size(32), aligned(8), may_alias));
  using Signs = std::int64_t __attribute__((vector_size(32)));
  using Keys = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));
  const std::size_t n = sorted.size();
  const int bits = place_bits(n);
  std::uint64_t before = 0;
  for (std::size_t p = 0; p < n; ++p) sum[p] = before += rows[place_of(sorted[p], bits)];
  for (std::size_t p = n; p < n + spare_room; ++p) {  // edges between equals
    sorted.data()[p] = sorted[n - 1];
    sum[p] = before;
  }
  constexpr std::uint64_t above = 0x4330000000000000;
  constexpr double endless = std::numeric_limits<double>::infinity();
  Doubles least = {endless, endless, endless, endless};
  for (std::size_t p = 0; p + 1 < n; p += 4) {
    const Words both = *reinterpret_cast<const Words*>(sum + p);
    const Doubles total = reinterpret_cast<Doubles>((both & 0xFFFFFFFF) | above) - 0x1p52,
                  b = reinterpret_cast<Doubles>((both >> 32) | above) - 0x1p52;
    const Doubles a = total - b, c = all_first - a, d = all_second - b, rest = c + d;
    const Doubles found = 2 * (a * b * rest + c * d * total) / (total * rest);
    const Keys own = *reinterpret_cast<const Keys*>(sorted.data() + p),
               next = *reinterpret_cast<const Keys*>(sorted.data() + p + 1);
    const Signs is_cut = __builtin_convertvector(((own ^ next) >> bits) != 0, Signs);
    const Doubles own_cost = is_cut ? found : Doubles{endless, endless, endless, endless};
    *reinterpret_cast<Doubles*>(cost + p) = own_cost;
    least = own_cost < least ? own_cost : least;
  }
  double found = endless;
  for (std::size_t i = 0; i < 4; ++i) found = least[i] < found ? least[i] : found;
  return found;
}

TREEWRIGHT_WIDE void pair_costs(Gini, std::span<const PairSum> sum, PairSum all, const double* unit,
                                double* left, double* right) {
  const double u = unit[0], v = unit[1], all_first = all.all - all.second;
  for (std::size_t e = 0; e < sum.size(); ++e) {
    const double first = sum[e].all - sum[e].second;
    const double a = first * u, b = sum[e].second * v, total = a + b;
    const double c = (all_first - first) * u, d = (all.second - sum[e].second) * v, rest = c + d;
    left[e] = 2 * a * b / (total > 0 ? total : 1);
    right[e] = 2 * c * d / (rest > 0 ? rest : 1);
  }
}

TREEWRIGHT_WIDE void many_costs(Gini, std::span<const double> count, std::size_t stride, const double* all,
                                double total, double* left, double* right) {
  for (std::size_t e = 0; e * stride < count.size(); ++e) {
    const double* own = count.data() + e * stride;
    double sum[4] = {}, own_squares[4] = {}, other_squares[4] = {};
    for (std::size_t j = 0; j < stride; j += 4)
      for (std::size_t i = 0; i < 4; ++i) {
        const double x = own[j + i], y = all[j + i] - x;
        sum[i] += x;
        own_squares[i] += x * x;
        other_squares[i] += y * y;
      }
    const double weight = (sum[0] + sum[1]) + (sum[2] + sum[3]), rest = total - weight;
    left[e] = weight - ((own_squares[0] + own_squares[1]) + (own_squares[2] + own_squares[3])) /
                           (weight < 1 ? 1 : weight);
    right[e] = rest - ((other_squares[0] + other_squares[1]) + (other_squares[2] + other_squares[3])) /
                          (rest < 1 ? 1 : rest);
  }
}

TREEWRIGHT_WIDE void many_costs(Gini, std::span<const double> count, std::size_t stride, const double* all,
                                const double* unit, double* left, double* right) {
  for (std::size_t e = 0; e * stride < count.size(); ++e) {
    const double* own = count.data() + e * stride;
    double sum[4] = {}, other_sum[4] = {}, own_squares[4] = {}, other_squares[4] = {};
    for (std::size_t j = 0; j < stride; j += 4)
      for (std::size_t i = 0; i < 4; ++i) {
        const double x = own[j + i] * unit[j + i], y = (all[j + i] - own[j + i]) * unit[j + i];
        sum[i] += x;
        other_sum[i] += y;
        own_squares[i] += x * x;
        other_squares[i] += y * y;
      }
    const double weight = (sum[0] + sum[1]) + (sum[2] + sum[3]),
                 rest = (other_sum[0] + other_sum[1]) + (other_sum[2] + other_sum[3]);
    left[e] = weight - ((own_squares[0] + own_squares[1]) + (own_squares[2] + own_squares[3])) /
                           (weight > 0 ? weight : 1);
    right[e] = rest - ((other_squares[0] + other_squares[1]) + (other_squares[2] + other_squares[3])) /
                          (rest > 0 ? rest : 1);
  }
}

namespace {

// Both sides without the rows of a bucket: weights and sums of squares, and the weight inside.
struct SidesOfBucket {
  double before = 0, inside = 0, after = 0, squares_before = 0, squares_after = 0;
};
TREEWRIGHT_INLINE SidesOfBucket sides_of(const double* from, const double* to, const double* all,
                                         const double* unit, std::size_t stride) {
  double before[4] = {}, inside[4] = {}, after[4] = {}, squares_before[4] = {}, squares_after[4] = {};
  for (std::size_t j = 0; j < stride; j += 4)
    for (std::size_t i = 0; i < 4; ++i) {
      const double a = from[j + i] * unit[j + i], b = (to[j + i] - from[j + i]) * unit[j + i],
                   c = (all[j + i] - to[j + i]) * unit[j + i];
      before[i] += a;
      inside[i] += b;
      after[i] += c;
      squares_before[i] += a * a;
      squares_after[i] += c * c;
    }
  auto sum = [](const double* x) { return (x[0] + x[1]) + (x[2] + x[3]); };
  return {sum(before), sum(inside), sum(after), sum(squares_before), sum(squares_after)};
}

}  // namespace

TREEWRIGHT_WIDE double worth_inside(Gini, const double* from, const double* to, const double* all,
                                    const double* unit, std::size_t stride) {
  const SidesOfBucket s = sides_of(from, to, all, unit, stride);
  const double left = s.before + s.inside, right = s.after + s.inside;
  const double least_left = s.squares_before / (left * left) / 2,
               least_right = s.squares_after / (right * right) / 2;
  double worth[4] = {};
  for (std::size_t j = 0; j < stride; j += 4)
    for (std::size_t i = 0; i < 4; ++i) {
      const double a = from[j + i] * unit[j + i], b = (to[j + i] - from[j + i]) * unit[j + i],
                   c = (all[j + i] - to[j + i]) * unit[j + i];
      const double n = s.before + b, m = s.after + b;
      const double on_left = (a + b) / (n > 0 ? n : 1) - least_left,
                   on_right = (c + b) / (m > 0 ? m : 1) - least_right;
      const double slope = 2 * (on_left > on_right ? on_left : on_right) - 1;
      worth[i] += b * (slope < 0 ? slope : 0);
    }
  return (worth[0] + worth[1]) + (worth[2] + worth[3]);
}

double worth_inside(Entropy, const double* from, const double* to, const double* all, const double* unit,
                    std::size_t stride) {
  const SidesOfBucket s = sides_of(from, to, all, unit, stride);
  double worth = 0;
  for (std::size_t j = 0; j < stride; ++j) {
    const double b = (to[j] - from[j]) * unit[j];
    if (!(b > 0)) continue;
    const double on_left = (from[j] * unit[j] + b) / (s.before + b),
                 on_right = ((all[j] - to[j]) * unit[j] + b) / (s.after + b);
    worth += b * std::log2(std::min(1.0, std::max(on_left, on_right)));
  }
  return worth;
}

TREEWRIGHT_WIDE std::size_t places_within(std::span<const std::uint32_t> rank, std::uint32_t low,
                                          std::uint32_t width, std::uint32_t* places) {
  constexpr std::size_t batch = 16;
  std::size_t n_found = 0, first = 0;
  for (; first + batch <= rank.size(); first += batch) {  // most batches have none
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < batch; ++i) any |= rank[first + i] - low <= width ? 1u : 0u;
    if (any == 0) continue;
    for (std::size_t i = first; i < first + batch; ++i) {
      places[n_found] = static_cast<std::uint32_t>(i);
      n_found += rank[i] - low <= width;
    }
  }
  for (; first < rank.size(); ++first) {
    places[n_found] = static_cast<std::uint32_t>(first);
    n_found += rank[first] - low <= width;
  }
  return n_found;
}

}  // namespace treewright
