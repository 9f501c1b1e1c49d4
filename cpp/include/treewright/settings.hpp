// Everything growth may be told. Checked once, in Python; the core trusts it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "criterion.hpp"

namespace treewright {

// The words of an enumeration, in its order; Python says these.
template <class Enum>
inline constexpr std::array<const char*, 0> words_of{};

enum class MissingPolicy : std::uint8_t {
  learned,
  fractional,
  surrogate,
  own_branch,
  most_common,
  most_common_overall,
  none,  // no gaps in the rows that are grown on
};
template <>
inline constexpr std::array words_of<MissingPolicy>{
    "learned", "fractional", "surrogate", "own_branch", "most_common", "most_common_overall", "none"};

// How the costs of columns enter the choice between them: filters/costs.hpp.
enum class CostForm : std::uint8_t { none, eg2, idx, cs_id3 };
template <>
inline constexpr std::array words_of<CostForm>{"none", "eg2", "idx", "cs_id3"};

// Who finds the tests of a node: what suits its data, or the search that measures every column anew and tries
// each cut, which judges the others. The tree is the same.
enum class Search : std::uint8_t { by_data, every };
template <>
inline constexpr std::array words_of<Search>{"by_data", "every"};

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
constexpr double infinite = std::numeric_limits<double>::infinity();

// The settings that are numbers and such, one row each: X(type, name, default, what it is).
#define TREEWRIGHT_SETTINGS(X)                                                                               \
  X(bool, use_c45_cuts, false,                                                                               \
    "minimum side, charge for the number of cuts, stored threshold: semantics of C4.5")                      \
  X(bool, use_average_gain, false,                                                                           \
    "choose the best ratio among tests of at least average gain, as C4.5 does")                              \
  X(bool, use_random_cuts, false, "one cut a column, drawn between its least and greatest value")            \
  X(bool, use_once, false, "a multiway test is not asked again further down")                                \
  X(bool, use_groups, false, "categories of a multiway test share branches: C4.5's option -s")               \
  X(bool, use_boundary_cuts, false, "no cut between two values whose rows are all of one class")             \
  X(bool, stops_unplaced, false, "a row that no surrogate places stays at the node")                         \
  X(double, collapse_margin, -1,                                                                             \
    "from 0 on: a split is taken back unless its leaves err less than the node by more than this")           \
  X(bool, keep_ledger, false, "keep what was offered and lost")                                              \
  X(std::int64_t, max_depth, no_limit, "questions on the longest path")                                      \
  X(std::int64_t, max_leaves, no_limit, "grown best first when set")                                         \
  X(std::int64_t, max_columns, no_limit, "columns drawn at every node")                                      \
  X(double, min_split, 0, "rows that a node needs to be split")                                              \
  X(double, min_leaf, 0, "rows of every branch")                                                             \
  X(double, min_leaf_weight, 0, "the least weight of a branch, however many rows it has")                    \
  X(double, min_branch, 0, "rows of at least two branches")                                                  \
  X(double, majority_share, 1, "a node whose largest class has this share is a leaf")                        \
  X(double, min_gain, -infinite, "a test must take off more")                                                \
  X(bool, is_gain_of_table, false, "min_gain is compared after multiplying by the node's share of the rows") \
  X(double, significance, 1, "tests with a larger p-value are refused")                                      \
  X(bool, use_fisher, false, "on two by two tables")                                                         \
  X(double, min_impurity, 0, "a node of less impurity per unit of weight is a leaf")                         \
  X(std::string, impurity, {}, "the criterion that measures it")                                             \
  X(double, split_price, 0, "weight x impurity that every branch beyond the first must take off")            \
  X(double, cost_power, 1, "of the costs of columns")                                                        \
  X(bool, is_monotone, false, "some columns have a direction")                                               \
  X(std::int64_t, max_surrogates, 5, "a node")                                                               \
  X(bool, count_gaps_against_surrogates, true, "rows without the value of a surrogate count against it")     \
  X(double, weight_unit, 1, "one unit of fixed-point weight, a power of two")                                \
  X(double, y_unit, 1, "one unit of the fixed-point target, a power of two")                                 \
  X(std::vector<double>, class_scale, {}, "prior or cost multipliers for split scores; empty: ones")         \
  X(std::vector<double>, label_scale, {}, "prior multipliers for node labels; empty: ones")                  \
  X(std::vector<double>, costs, {}, "k x k, row = true class; empty: 0-1")                                   \
  X(std::uint64_t, seed, 0, "of all draws")                                                                  \
  X(std::uint32_t, tree, 0, "the number of the tree in its forest")                                          \
  X(std::int64_t, n_threads, 1, "that grow")

struct Settings {
#define TREEWRIGHT_MEMBER(type, name, value, what) type name = value;
  TREEWRIGHT_SETTINGS(TREEWRIGHT_MEMBER)
#undef TREEWRIGHT_MEMBER
  MissingPolicy missing = MissingPolicy::learned;
  CostForm cost_form = CostForm::none;
  Search search = Search::by_data;
  NumberRules numbers;  // what the criterion says about nodes of numbers

  // Columns that are compared, or tests that are admitted, by more than their score.
  bool has_filters() const { return cost_form != CostForm::none || is_monotone; }
  // Are tests judged again when their rows are divided, because gaps take their branches only then?
  bool judges_rows() const {
    return is_monotone && (missing == MissingPolicy::fractional || missing == MissingPolicy::surrogate);
  }
  // Rows that can be divided are counted by weight; rows that cannot, one by one.
  bool counts_weight() const { return missing == MissingPolicy::fractional; }
  // Weights that are no whole numbers are rounded to fixed point: sums over so many rows that differ by less
  // tie.
  std::int64_t weight_slack(std::int64_t n_rows) const { return weight_unit == 1 ? 0 : n_rows; }
};

}  // namespace treewright
