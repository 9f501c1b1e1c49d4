// What the search for an optimal tree is asked: columns of codes, a target, what a leaf costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewright::optimal {

// How a column is tested. Every cut along its codes; sets of codes against the rest; a branch for each code.
enum class Form : std::uint8_t { cut, sets, each };
// What becomes of rows without a value:
//   any_branch   they may take any branch of the test
//   own_branch   they have one of their own
//   heavier      they take the branch whose rows with a value weigh more; either, where both weigh the same
//   common       they count as the most common value of the node
//   divided      each goes down both branches, its weight in proportion to that of the rows with a value
enum class Gaps : std::uint8_t { any_branch, own_branch, heavier, common, divided };
// The cost of a leaf: least expected cost (0-1 loss, or any matrix), an impurity times weight, or distances
// from its answer.
enum class Loss : std::uint8_t { error, gini, entropy, hellinger, squared, poisson, gaussian, absolute };

struct Column {
  Form form = Form::cut;
  std::vector<std::int32_t> code;  // of each row; -1: missing
  std::int32_t n_codes = 0;
  bool is_number = false;  // its common value is the lower median; of categories the one of most weight
  std::vector<std::vector<std::int32_t>> sets;  // of a column tested by sets: the codes on the left
};

struct Problem {
  std::vector<Column> columns;
  Gaps gaps = Gaps::any_branch;
  Loss loss = Loss::error;
  std::vector<std::int32_t> label;  // classes: of each row
  std::int32_t n_classes = 0;
  std::vector<double> cost;   // error: true class x answer
  std::vector<double> value;  // numbers: of each row, about a centre where the loss is squared
  std::vector<double> weight;
  std::vector<double> mass;  // heavier, common, divided: what rows weigh when branches are compared
  double mass_step = 0;      // masses have been rounded to it: what differs by less for each row is the same
  double leaf_price = 0;
  std::size_t cache_bytes = 0;    // what remembered sub-problems may take
  std::uint64_t most_solved = 0;  // sub-problems after which a search ends; 0: any number
  bool keeps_twins = false;       // tests of other columns that divide all rows alike are tests of their own
  std::uint32_t min_leaf = 0;     // rows of every branch that has some
  std::uint32_t min_split = 0;    // rows that a node needs to be split
  double least_mass = 0;          // divided: what every branch must weigh
  double split_mass = 0;          // divided: what a node must weigh to be split

  // Is the branch of rows without a value settled by the rows of the node?
  bool has_rule() const { return gaps == Gaps::heavier || gaps == Gaps::common; }
  // May a test be refused for the rows of a node?
  bool has_limits() const { return min_leaf > 1 || min_split > 2 || has_rule(); }
  bool has_classes() const { return n_classes > 0; }
  std::size_t n_rows() const { return weight.size(); }
};

// A test as it stands in a tree. `place`: the last code on the left of a cut; -1 where only rows without a
// value are there. `gap`: the branch of rows without a value; -1 where the node has none.
struct Test {
  std::int32_t column = -1;
  Form form = Form::cut;
  std::int32_t place = 0, set = -1, gap = -1, n_branches = 0;
};

// A tree in preorder: node i owns the nodes i to end[i] - 1; leaves have no column.
struct Answer {
  std::vector<Test> test;
  std::vector<std::int32_t> end;
  double upper = 0, lower = 0;
  bool is_proven = false;
  bool has_tree = false;  // false: nothing is better than the bound that was given
  std::uint64_t n_solved = 0, n_remembered = 0;
};

// Why a list of trees ends where it ends.
enum class End : std::uint8_t { complete, count, memory, watch };

// Different trees, the cheapest first; tree t owns the nodes start[t] to start[t + 1] - 1.
struct Listing {
  std::vector<Test> test;
  std::vector<std::int32_t> end;
  std::vector<std::int64_t> start = {0};
  std::vector<double> cost;
  End ended = End::complete;
};

}  // namespace treewright::optimal
