// Sixteen first tests side by side by sums of numbers (kernels.hpp), built for plain and for wide
// instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels.hpp"

namespace treewright::optimal {

// A row: its weight, its number times its weight, and bit j says whether test j sends it left.
struct Summed {
  double weight, sum;
  std::uint16_t bits;
};
struct alignas(64) Lane16 {
  double lane[n_lanes];
};
// What the left sides of the tests hold, and all rows.
struct Holdings {
  Lane16 weight, sum, squares;
  double all_weight = 0, all_sum = 0, all_squares = 0;
};
// `square` of a row is its number squared, times its weight.
void add_up(const Summed* rows, const double* square, std::size_t n, Holdings& held);

// Of every cut: sum * sum / weight of both parts, added. The most so far, of left and of right sides. A part
// that weighs no more than `least` has no row.
struct alignas(64) Spared {
  Lane16 left, right;
};
// `before` are rows that stand left of every cut (without a value), and a cut is behind them, too.
void sweep_squares(const Summed* rows, Run before, Run run, const Holdings& held, double least,
                   Spared& found);

// The least and greatest sum left of a cut.
struct alignas(64) Reached {
  Lane16 left_least, left_most, right_least, right_most;
};
void sweep_extremes(const Summed* rows, Run before, Run run, Reached& found);

// Two classes, each row of weight one: rows left of each test, of both classes and of the second.
struct alignas(64) Counts {
  std::int32_t all[n_lanes], second[n_lanes];
};
struct Tallied {
  Counts left;
  std::int32_t all = 0, second = 0;  // of the whole part
};
void add_up(const Counted* rows, std::size_t n, Tallied& held);
// The least entropy, times rows, of both parts of a cut; n_log_n[x] is x times the logarithm of x.
struct alignas(64) Least {
  Lane16 left, right;
};
void sweep_entropy(const Counted* rows, Run before, Run run, const Tallied& held, const double* n_log_n,
                   Least& found);

// Many classes. Terms of classes are added up: squares of weights (gini), or x times its logarithm (entropy,
// rows of weight one: n_log_n is not null).
struct Classed {
  double weight;
  std::uint16_t label, bits;
};
struct ClassHoldings {
  const Lane16* left;  // of each class: what its rows left of the tests weigh
  const double* all;   // of each class
  Lane16 left_weight, left_terms, right_terms;
  double all_weight = 0;
};
// `room`: two Lane16 for each class.
void sweep_classes(const Classed* rows, std::size_t n_classes, Run before, Run run, const ClassHoldings& held,
                   double least, const double* n_log_n, Lane16* room, Least& found);

}  // namespace treewright::optimal
