// The inner loops of the last two levels, built for plain and for wide instructions (quick/dispatch.hpp).
//
// Sixteen first tests are judged side by side, one a lane: bit j of a row says whether test j sends it left.
// Along the order of a column the rows of all left and all right sides are added up at once, so that one
// pass gives the best cut of that column on either side of sixteen tests.
#pragma once

#include <cstddef>
#include <cstdint>

namespace treewright::optimal {

constexpr std::size_t n_lanes = 16;

// Rows in the order of a column: row order[p] has the place place[p]; place[n] differs from place[n - 1].
struct Run {
  const std::uint32_t* order;
  const std::uint32_t* place;
  std::size_t n;
};

// Two classes: `step` is the weight of a row, positive for the second class.
template <class Lane>
struct Stepping {
  Lane step;
  std::uint16_t bits;
};
// The least and greatest sum of steps of the first rows of either side, over all cuts so far.
template <class Lane>
struct alignas(64) Extremes {
  Lane left_least[n_lanes], left_most[n_lanes], right_least[n_lanes], right_most[n_lanes];
};
// `before` are rows that stand left of every cut (without a value), and a cut is behind them, too.
void sweep(const Stepping<std::int16_t>* rows, Run before, Run run, Extremes<std::int16_t>& found);
void sweep(const Stepping<std::int32_t>* rows, Run before, Run run, Extremes<std::int32_t>& found);

// What the rows left of each test weigh: of the first class, and of the second.
template <class Lane>
struct alignas(64) Weights {
  Lane left[2][n_lanes];
};
void weigh(const Stepping<std::int16_t>* rows, std::size_t n, Weights<std::int16_t>& found);
void weigh(const Stepping<std::int32_t>* rows, std::size_t n, Weights<std::int32_t>& found);

// Give rows a bit whose rank is below `cut`, or not below `from`.
void mark_below(const std::uint32_t* rank, std::size_t n, std::uint32_t cut, std::uint32_t from,
                std::uint16_t bit, std::uint16_t* bits);

// Many classes, each row of weight one: the most rows that two leaves of a side get right.
struct Counted {
  std::uint16_t label, bits;
};
struct alignas(64) Right {
  std::int16_t left[n_lanes], right[n_lanes];
};
// `room`: 64 bytes for each class twice and each row of the run, aligned. `after` stand right of every cut.
void sweep(const Counted* rows, std::size_t n_classes, Run before, Run run, Run after, std::int16_t* room,
           Right& found);

// How many bits both have, by class: those of class c lie in the words start[c] to start[c + 1] - 1.
void count_common(const std::uint64_t* a, const std::uint64_t* b, const std::uint32_t* start,
                  std::size_t n_classes, std::int32_t* count);

}  // namespace treewright::optimal
