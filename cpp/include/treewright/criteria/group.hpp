// What a criterion is given, and the words in which it declares what it needs.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "../logs.hpp"

namespace treewright {

// The statistics that a criterion reads; each has its group below.
enum class Reads : std::uint8_t {
  class_counts,  // ClassGroup
  sum,           // MomentGroup
  raw_sum,       // RateGroup
  squares,       // SpreadGroup
  all_values,    // DeviationGroup
  unknown,       // a criterion from outside
};

struct ClassGroup {
  std::span<const double> counts;
  double total;
  const Logs& logs;
};

// `sum` is taken about a value near the node's mean, so that large means cost no digits.
struct MomentGroup {
  double weight, sum;
};

// `squares` is about the group's own mean; `root_variance` that of all rows grown on.
struct SpreadGroup {
  double weight, squares, root_variance;
};

// `deviations` is the sum of distances from the lower weighted median.
struct DeviationGroup {
  double weight, deviations;
};

// The same on every machine, as portable_log2 is.
constexpr double ln2 = 0.69314718055994531;
inline double natural_log(double x) { return portable_log2(x) * ln2; }

// `sum` is the raw one; `rate` is the mean of the whole node. Those who only choose candidates for an exact
// judgement may take the machine's own logarithm.
struct RateGroup {
  double weight, sum, rate;
  bool is_rough = false;
  double log(double x) const { return is_rough ? std::log(x) : natural_log(x); }
};

// How much a test can be worth at most, told from the cells it lies in (quick/bounds.hpp).
enum class Bound : std::uint8_t {
  corners,  // the worth is convex in what lies left: no cut inside a cell beats the best corner of the cell
  ratio,    // a gain with corners over the least split information
  none,
};

// What a node that answers a number gets wrong. The answer is the mean, or for `absolute` the lower median.
enum class Loss : std::uint8_t {
  squared,   // (y - answer)^2
  absolute,  // |y - answer|
  poisson,   // deviance: 2 (y ln(y / answer) - y + answer)
};

// What is known of a node of numbers before its tests are looked for.
struct NodeFigures {
  double weight, squares;      // of deviations from the mean
  double sum, mean, greatest;  // raw
};

}  // namespace treewright
