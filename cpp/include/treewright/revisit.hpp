// The training rows once more down a tree that is done, for what is found after growth: surrogates for rows
// to come, and the branch of gaps where a common value stands in for them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "problem.hpp"
#include "rank.hpp"
#include "split.hpp"
#include "surrogate.hpp"
#include "tree.hpp"

namespace treewright {

// The tests of a tree in preorder, wherever their arrays are.
struct Tests {
  TREEWRIGHT_TESTS(TREEWRIGHT_SPAN)

  static Tests of(const TreeArrays& tree) {
    Tests tests;
#define TREEWRIGHT_VIEW(name, type, per, leaf) tests.name = tree.name;
    TREEWRIGHT_TESTS(TREEWRIGHT_VIEW)
#undef TREEWRIGHT_VIEW
    return tests;
  }
  std::vector<std::int32_t> children(std::int32_t node) const;
  // The test of a node, for rows whose column has its codes.
  Split split(std::int32_t node, const Column& column) const;
};

// Rows that will be sent down the tree, without a say in how it is made. Numbers are compared as they are.
struct Visitors {
  std::span<const Column> columns;
  std::int32_t n_rows = 0;
  bool is_unseen_missing = false;  // a category that a node does not know counts as a gap
};

// Give every cut column its codes, unless it has them; the columns refer to what is returned.
std::vector<Ranks> rank_columns(Problem& problem, bool keeps_order = false);

// The surrogates of every test, found on the rows of the problem, whose columns have their codes.
using SurrogatesByNode = std::vector<std::vector<Surrogate>>;
SurrogatesByNode find_surrogates(const Tests& tests, const Problem& problem);
// Of the tests that a row of the problem, or a visitor, cannot answer; nothing where every visitor can answer
// all it is asked.
std::optional<SurrogatesByNode> find_surrogates(const Tests& tests, Problem& problem,
                                                const Visitors& visitors);

// The branch of gaps under most_common and most_common_overall, where training had none.
void place_common_values(TreeArrays& tree, const Problem& problem);

}  // namespace treewright
