// The inner loops of the search among drawn columns, built for plain and for wide instructions
// (dispatch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../criteria/entropy.hpp"
#include "../criteria/gini.hpp"

namespace treewright {

// How many rows are sorted rather than put into buckets; and where two classes are scored by kernels.
constexpr std::size_t few_rows = 32, some_rows = 128;

struct RankRange {
  std::uint32_t least, most;
};
// The ranks of some rows side by side, and the least and greatest of them.
RankRange gather_ranks(const std::uint32_t* source, std::span<const std::uint32_t> ids, std::uint32_t* rank);

// The sum of the numbers whose rank is not above the last one.
std::uint64_t sum_up_to(std::span<const std::uint32_t> rank, std::uint32_t last, const std::uint64_t* number);

// At most `some_rows` ranks in order: each as the rank above the least, shifted left by some bits, and the
// place where it stood. Ranks above the least have no more bits than are left.
constexpr int place_bits(std::size_t n) { return n <= few_rows ? 5 : 7; }
constexpr std::size_t place_of(std::int32_t sorted, int bits) {
  return static_cast<std::size_t>(sorted & ((1 << bits) - 1));
}
void sort_few_ranks(std::span<const std::uint32_t> rank, std::uint32_t least, std::int32_t* sorted);

// The least of some numbers: where it stands.
std::size_t place_of_least(std::span<const std::uint64_t> number);

// The cost of both sides of some edges at once, for criteria that have it. Two classes: the rows on the left
// are given as weight + 2^32 * weight of the second class.
void pair_costs(Gini, std::span<const std::uint64_t> sum, double all_first, double all_second, double* left,
                double* right);

// The weight of some rows of two classes, in units: of all, and of the second class.
struct PairSum {
  double all = 0, second = 0;
  void add(PairSum other) {
    all += other.all;
    second += other.second;
  }
};
// The same, where a unit of either class counts so much.
void pair_costs(Gini, std::span<const PairSum> sum, PairSum all, const double* unit, double* left,
                double* right);

// The same for more classes. `count` holds `stride` classes an edge, a multiple of four.
void many_costs(Gini, std::span<const double> count, std::size_t stride, const double* all, double total,
                double* left, double* right);

// The cost of both sides of the edges behind every row of sort_few_ranks but the last, in one number: endless
// between equal ranks. `rows` are weights as above, by place; what lies left of each edge goes to `sum`.
// Returns the least cost. `sorted`, `sum` and `cost` have room for `spare_room` more.
constexpr std::size_t spare_room = 4;
double sorted_pair_costs(Gini, std::span<std::int32_t> sorted, const std::uint64_t* rows, double all_first,
                         double all_second, std::uint64_t* sum, double* cost);
void many_costs(Gini, std::span<const double> count, std::size_t stride, const double* all,
                const double* unit, double* left, double* right);

// Many classes: at most so much are the rows of a bucket worth, on whichever side of a cut they lie; given
// the units of each class left of the bucket, left of its end and in the node, `stride` of each, and what a
// unit of each class counts. (drawn_edges.hpp says why.)
double worth_inside(Gini, const double* from, const double* to, const double* all, const double* unit,
                    std::size_t stride);
double worth_inside(Entropy, const double* from, const double* to, const double* all, const double* unit,
                    std::size_t stride);
template <class Criterion>
concept HasSlopes = requires(Criterion criterion, const double* counts) {
  worth_inside(criterion, counts, counts, counts, counts, std::size_t{0});
};

template <class Criterion>
concept HasKernels = requires(Criterion criterion, std::span<const std::uint64_t> sum, double* costs) {
  pair_costs(criterion, sum, 0.0, 0.0, costs, costs);
};

// Which rows lie in [low, low + width]? Their places, one after the other; returns how many. `places` has
// room for all and 16 more.
std::size_t places_within(std::span<const std::uint32_t> rank, std::uint32_t low, std::uint32_t width,
                          std::uint32_t* places);

}  // namespace treewright
