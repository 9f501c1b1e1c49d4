// Many trees on one table, which is coded once for all of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problem.hpp"
#include "stats.hpp"
#include "tree.hpp"

namespace treewright {

struct ForestSettings {
  std::uint32_t first = 0, n_trees = 0;  // the numbers of the trees to grow
  std::int64_t n_draws = 0;              // rows drawn with replacement for each; 0: all rows, once
};

// The trees one after the other, each in preorder, without what only growing or reading a tree asks for.
struct ForestArrays {
  std::vector<std::int64_t> tree_start{0};  // where each tree's nodes begin
  TREEWRIGHT_TESTS(TREEWRIGHT_VECTOR)       // `end` counts from the tree's own root
  TREEWRIGHT_SURROGATES(TREEWRIGHT_VECTOR)
  TREEWRIGHT_GAINS(TREEWRIGHT_VECTOR)

  // By leaf, in the order of the nodes: classes with their weights, or weight, mean and squares.
  std::vector<std::int64_t> leaf_start{0};
  std::vector<std::int32_t> leaf_class, leaf_label, leaf_rows;
  std::vector<double> leaf_weight;

  std::vector<double> importance;  // per tree and column: what its tests take off the impurity of the root
  std::vector<std::uint8_t> gaps;  // per column: does any row lack its value?
};

// Trees are grown by `settings.n_threads` threads, one each; `problem.on_breath` is called from this one. The
// problem has been prepared (grow.hpp).
ForestArrays grow_forest(const Problem& problem, const ClassTarget& target, std::string_view criterion,
                         const ForestSettings& forest);
ForestArrays grow_forest(const Problem& problem, const NumberTarget& target, std::string_view criterion,
                         const ForestSettings& forest);

}  // namespace treewright
