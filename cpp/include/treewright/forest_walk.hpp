// Rows down all trees of a forest, and what the trees say added up.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "forest_lanes.hpp"
#include "route.hpp"

namespace treewright {

// Trees one after the other, each in preorder (forest.hpp); every start counts from the first of these trees.
struct WalkedTrees {
  std::span<const std::int64_t> tree_start;
  RouteTree nodes;                           // of all trees; `weight` is filled in by the walker
  std::span<const std::int64_t> leaf_start;  // classes: where each leaf's entries begin
  std::span<const std::int32_t> leaf_class, leaf_label;
  std::span<const double> leaf_weight;  // classes: of each entry; numbers: weight, mean, squares a leaf
  std::span<const double> class_scale;  // none: classes count as they are
  std::span<const double> costs;        // none, or n_classes x n_classes, row = true class
  std::int64_t n_classes = 0;           // 0: numbers
};

// The first row that a tree refused; row -1: none.
struct Refusal {
  std::int64_t row = -1;
  std::int32_t tree = 0, node = 0;
};

// How the answer of a tree counts: its leaf's class shares, or one vote for its class.
enum class Ballot : std::uint8_t { mean, majority };

// What the votes go into: rows x classes, or rows; and how many trees voted. `is_out`, where it is not empty,
// is trees x rows: only the trees that say 1 to a row vote on it.
struct Votes {
  Ballot ballot = Ballot::mean;
  std::span<const std::uint8_t> is_out;
  std::span<double> sum;
  std::span<std::int32_t> n_votes;
};

class ForestWalker {
 public:
  using Breathe = std::function<void()>;

  // Where every row takes one branch of tests on one column, only codes, leaves and `is_coded` must outlive
  // this; else all.
  // Trees that only cut numbers in two are walked in their own way (forest_lanes.hpp), laid out for float32
  // or for float64.
  ForestWalker(const WalkedTrees& trees, bool is_single);
  ForestWalker(const ForestWalker&) = delete;
  ForestWalker& operator=(const ForestWalker&) = delete;

  static bool needs_all(const RouteTree& nodes);

  std::size_t n_trees() const { return trees_.tree_start.size() - 1; }
  std::size_t n_outputs() const {
    return trees_.n_classes == 0 ? 1 : static_cast<std::size_t>(trees_.n_classes);
  }
  std::span<const std::uint8_t> is_coded() const { return trees_.nodes.is_coded; }

  // Tree after tree is added, whatever the number of threads: sums do not depend on it. `breathe` is called
  // from this thread between trees over a block of rows, where a caller may stop the walk by throwing.
  template <class T>
  Refusal vote(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
               const Votes& votes, const Breathe& breathe) const;

  // The node each row ends in, counted from its tree's root: rows x trees.
  template <class T>
  Refusal leaves(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                 std::span<std::int32_t> node, const Breathe& breathe) const;

 private:
  RouteTree tree_nodes(std::size_t tree) const;
  void add_weights();
  std::vector<std::int32_t> leaf_nodes() const;
  void note_answers();
  template <class T>
  const Turns<T>& turns() const;
  // Rows on their way through all trees. Trees grown to purity have to be brought from memory for each block:
  // small blocks cost more than they save.
  template <class T>
  struct Rows {
    const RouteColumns<T>& columns;
    std::size_t begin, end;
    const Block<T>* block;          // for turns
    std::span<std::uint32_t> leaf;  // for turns: room for the rows of the block
    std::span<std::int32_t> node;   // for layouts: room for all rows
  };
  // work(rows, tree) for every tree over every block.
  template <class T, class Work>
  void in_blocks(const RouteColumns<T>& columns, std::size_t n_rows, std::int64_t n_threads,
                 const Breathe& breathe, Work work) const;
  template <class T, class Put>
  void walk_block(const Rows<T>& rows, std::size_t tree, Put put) const;
  template <class T>
  void add_block(const Rows<T>& rows, std::size_t tree, const Votes& votes) const;
  template <class T>
  Refusal vote_tree_by_tree(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                            const Votes& votes, const Breathe& breathe) const;
  void add_answer(std::size_t tree, std::int32_t node, double weight, std::span<double> to) const;
  void add_leaves(std::size_t first, std::size_t last, double weight, std::span<double> to) const;
  void add_row(std::size_t tree, std::int32_t node, const Votes& votes, std::size_t row) const;
  void add_parts(std::size_t tree, const Routed& routed, std::size_t first, std::size_t last,
                 const Votes& votes) const;
  std::size_t best(std::span<const double> shares) const;

  WalkedTrees trees_;
  std::vector<double> weight_;  // of nodes, where rows may be divided
  Turns<double> turns_;         // where trees only cut numbers in two: these or those
  Turns<float> single_turns_;
  std::vector<Layout> layouts_;           // by tree, where every row takes one way
  std::vector<Router> routers_;           // else
  std::vector<std::int32_t> first_leaf_;  // how many leaves come before a node
  std::vector<std::int32_t> only_;        // of a leaf that is sure: its class; -1: look at its entries
  std::vector<double> value_;             // of leaves: their mean
};

}  // namespace treewright
