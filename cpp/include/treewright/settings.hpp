// Everything growth may be told. Checked once, in Python; the core trusts it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "criterion.hpp"

namespace treewright {

enum class MissingPolicy : std::uint8_t {
  learned,
  fractional,
  surrogate,
  own_branch,
  most_common,
  most_common_overall,
  none,  // no gaps in the rows that are grown on
};

// How the costs of columns enter the choice between them: filters/costs.hpp.
enum class CostForm : std::uint8_t { none, eg2, idx, cs_id3 };

// Who finds the tests of a node: what suits its data, or the search that measures every column anew and tries
// each cut, which judges the others. The tree is the same.
enum class Search : std::uint8_t { by_data, every };

struct Settings {
  MissingPolicy missing = MissingPolicy::learned;
  bool use_c45_cuts =
      false;  // minimum side, charge for the number of cuts, stored threshold: semantics of C4.5
  bool use_average_gain = false;  // choose the best ratio among tests of at least average gain, as C4.5 does
  bool use_random_cuts = false;
  bool use_once = false;  // a multiway test is not asked again further down
  double collapse_margin =
      -1;  // >= 0: a split is taken back unless its leaves err less than the node by more than this
  bool keep_ledger = false;
  Search search = Search::by_data;

  std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_leaves = std::numeric_limits<std::int64_t>::max();   // grown best first when set
  std::int64_t max_columns = std::numeric_limits<std::int64_t>::max();  // columns drawn at every node
  double min_split = 0, min_leaf = 0, min_branch = 0;
  double min_leaf_weight = 0;  // the least weight of a branch, however many rows it has
  double majority_share = 1;
  double min_gain = -std::numeric_limits<double>::infinity();
  bool is_gain_of_table = false;  // min_gain is compared after multiplying by the node's share of the rows
  double significance = 1;        // tests with a larger p-value are refused
  bool use_fisher = false;        // on two by two tables

  double min_impurity = 0;  // a node of less impurity per unit of weight is a leaf
  std::string impurity;     // the criterion that measures it
  double split_price = 0;   // weight x impurity that every branch beyond the first must take off
  CostForm cost_form = CostForm::none;
  double cost_power = 1;
  bool is_monotone = false;  // some columns have a direction

  std::int64_t max_surrogates = 5;
  bool count_gaps_against_surrogates = true;

  double weight_unit = 1;           // one unit of fixed-point weight, a power of two
  double y_unit = 1;                // one unit of the fixed-point target, a power of two
  NumberRules numbers;              // what the criterion says about nodes of numbers
  std::vector<double> class_scale;  // prior or cost multipliers for split scores; empty: ones
  std::vector<double> label_scale;  // prior multipliers for node labels; empty: ones
  std::vector<double> costs;        // k x k, row = true class; empty: 0-1

  std::uint64_t seed = 0;
  std::uint32_t tree = 0;
  std::int64_t n_threads = 1;

  // Columns that are compared, or tests that are admitted, by more than their score.
  bool has_filters() const { return cost_form != CostForm::none || is_monotone; }
  // Rows that can be divided are counted by weight; rows that cannot, one by one.
  bool counts_weight() const { return missing == MissingPolicy::fractional; }
  // Weights that are no whole numbers are rounded to fixed point: sums over so many rows that differ by less
  // tie.
  std::int64_t weight_slack(std::int64_t n_rows) const { return weight_unit == 1 ? 0 : n_rows; }
};

}  // namespace treewright
