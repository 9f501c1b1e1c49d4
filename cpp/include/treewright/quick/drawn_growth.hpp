// Subtrees in which a few columns are drawn at every node, grown depth first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../frontier.hpp"
#include "../open.hpp"
#include "../parallel.hpp"
#include "cut_growth.hpp"
#include "drawn.hpp"
#include "drawn_tree.hpp"

namespace treewright {

// Finds the tests of nodes as they come, and divides their rows.
template <class Target>
class NodeByNode {
  using Stats = typename Target::Stats;

 public:
  virtual ~NodeByNode() = default;
  // The best test of a node, by which its rows are divided at once.
  virtual bool decide(std::span<std::uint32_t> rows, const OpenNode<Stats>& open, Best<Stats>& best,
                      Split& split) = 0;
};
// Grows whole subtrees of classes.
class Subtrees {
 public:
  virtual ~Subtrees() = default;
  // Grow everything below a node whose rows these are; they are put into another order.
  virtual const DrawnTree& grow(std::span<std::uint32_t> rows, const OpenNode<ClassStats>& root) = 0;
};

// Single nodes: each is looked at in the table.
template <class Target, class Criterion, std::size_t n_known, bool is_real>
class DrawnNodes : public NodeByNode<Target> {
  using Search = DrawnSearch<Target, Criterion, n_known, is_real>;
  using Stats = typename Target::Stats;

 public:
  DrawnNodes(const Input<Target>& input, const RankedTable& table)
      : input_(input), marked_(Search::mark_rows(input)), search_(input, table, marked_) {
    search_.take_table();
  }

  bool decide(std::span<std::uint32_t> rows, const OpenNode<Stats>& open, Best<Stats>& best,
              Split& split) override {
    const Stats& all = open.opening.stats;
    search_.take_opening(open.opening);
    const auto found = search_.choose(node_of(open.opening), rows, open.path, input_.order, still_active_);
    if (!found) return false;
    best.column = found->column;
    best.is_cut = found->offer == nullptr;
    std::size_t n_left = 0;
    if (best.is_cut) {
      best.drop = found->drop;
      const Neighbours near = search_.divide(*found, rows, n_left);
      split = split_at(input_.columns[found->column], found->column, near, found->drawn_cut, found->gap);
    } else {
      best.offer = std::move(*found->offer);
      split = std::move(best.offer.split);
      split.column = static_cast<std::int32_t>(found->column);
      n_left = divide_by_codes(split, rows);
    }
    best.left = stats_of(rows.first(n_left));
    best.right = all;
    best.right.add(best.left, -1);
    place_gaps(split, input_.settings, best.left.weight, best.right.weight, all.rows);
    return true;
  }

 private:
  std::span<const double> node_of(const Opening<ClassStats>& opening) {
    counts_.assign(opening.stats.counts.begin(), opening.stats.counts.end());
    return counts_;
  }
  const Opening<MomentStats>& node_of(const Opening<MomentStats>& opening) const { return opening; }

  // Rows of a category, left ones first; gaps go where the policy sends them. Returns how many are left.
  std::size_t divide_by_codes(Split& split, std::span<std::uint32_t> rows) {
    const auto code = input_.columns[static_cast<std::size_t>(split.column)].code;
    std::int64_t known[2] = {0, 0};
    for (std::uint32_t row : rows)
      if (code[row] >= 0) known[split.branch_of(code[row])] += input_.weights.of(row);
    place_gaps(split, input_.settings, known[0], known[1], static_cast<std::int64_t>(rows.size()));
    spare_.clear();
    std::size_t n_left = 0;
    for (std::uint32_t row : rows) {
      const std::int32_t branch = code[row] < 0 ? split.missing : split.branch_of(code[row]);
      if (branch == 1)
        spare_.push_back(row);
      else
        rows[n_left++] = row;
    }
    std::copy(spare_.begin(), spare_.end(), rows.begin() + static_cast<std::ptrdiff_t>(n_left));
    return n_left;
  }
  Stats stats_of(std::span<const std::uint32_t> rows) const {
    Stats stats = input_.target.none();
    for (std::uint32_t row : rows) input_.target.add(stats, input_.weights.piece(row));
    return stats;
  }

  const Input<Target>& input_;
  std::vector<typename Search::Mark> marked_;
  Search search_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> still_active_, spare_;
};

// A subtree, grown depth first. Nodes of many rows are looked at in the table; of fewer, their ranks are
// brought together, and once more when they are so few that they fit the nearest cache; or, where cuts are
// drawn, they become records, straight from the table.
template <class Criterion, std::size_t n_known, bool is_real>
class DrawnGrowth : public Subtrees {
  using Search = DrawnSearch<ClassTarget, Criterion, n_known, is_real>;
  using Row = typename Search::Row;

 public:
  DrawnGrowth(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared, const RankedTable& table,
              std::function<void()> breathe)
      : input_(input),
        shared_(shared),
        breath_(std::move(breathe)),
        marked_(Search::mark_rows(input)),
        tree_(input.target.n_classes),
        whole_(input, table, marked_),
        blocks_{Block(input, table, marked_), Block(input, table, marked_)} {
    whole_.search.take_table();
    if (!is_real && CutGrowth::serves(input, table))
      cuts_.emplace(input, shared, table,
                    CutGrowth::Costs{[](const ClassGroup& g) { return Criterion::impurity(g); },
                                     IsOfSquares<Criterion>},
                    breath_);
  }

  const DrawnTree& grow(std::span<std::uint32_t> rows, const OpenNode<ClassStats>& root) override {
    tree_.clear(rows.size());
    counts_.assign(root.opening.stats.counts.begin(), root.opening.stats.counts.end());
    grow_block(whole_, rows, {{0, root.depth, root.path}, {0, rows.size()}}, input_.order);
    return tree_;
  }

 private:
  static constexpr std::array<std::size_t, 2> sizes{16384, 2048};  // rows of each block

  // Rows that were brought together, named by their places; or all rows, named by their numbers.
  struct Block {
    Search search;
    std::vector<std::uint32_t> rows, ids;
    std::vector<std::vector<std::uint32_t>> levels;
    DepthFirst<OpenStretch> frontier;
    std::vector<double> counts;  // of the nodes that wait there

    Block(const Input<ClassTarget>& input, const RankedTable& table, std::span<const Row> marked)
        : search(input, table, marked) {}
    // The columns that may still split at a depth below the root: both children of a node share them.
    std::vector<std::uint32_t>& level(std::size_t depth) {
      if (levels.size() <= depth) levels.resize(depth + 1);
      return levels[depth];
    }
    void push_counts(std::span<const double> own) { counts.insert(counts.end(), own.begin(), own.end()); }
    void pop_counts(std::span<double> own) {
      std::copy(counts.end() - static_cast<std::ptrdiff_t>(own.size()), counts.end(), own.begin());
      counts.resize(counts.size() - own.size());
    }
  };

  // Grow below a node whose rows are those of the block, and whose weights are `counts_`.
  void grow_block(Block& block, std::span<std::uint32_t> ids, OpenStretch&& root,
                  std::span<const std::uint32_t> active) {
    const std::int64_t top = root.depth;
    block.level(0).assign(active.begin(), active.end());
    block.counts.clear();
    block.push_counts(counts_);
    block.frontier.run(std::move(root), [&](const OpenStretch& open) {
      block.pop_counts(counts_);
      const auto own = ids.subspan(open.at.begin, open.at.size());
      const auto depth = static_cast<std::size_t>(open.depth - top);
      if (cuts_ && cuts_->takes(own.size())) return cuts_->grow(own, counts_, open, tree_);
      block.level(depth + 1);
      if (const std::size_t next = block_for(own.size()); next > place_of(block) && !cuts_)
        bring_together(block, blocks_[next - 1], own, open, block.level(depth));
      else
        split(block, open, own, block.level(depth), block.level(depth + 1));
    });
  }
  // 0: the whole table; 1, 2: the blocks.
  static std::size_t block_for(std::size_t n) { return n > sizes[0] ? 0 : n > sizes[1] ? 1 : 2; }
  std::size_t place_of(const Block& block) const {
    return &block == &whole_ ? 0 : static_cast<std::size_t>(&block - blocks_.data()) + 1;
  }
  void bring_together(Block& from, Block& to, std::span<const std::uint32_t> ids, const OpenStretch& open,
                      std::span<const std::uint32_t> active) {
    to.rows.assign(ids.begin(), ids.end());
    if (&from != &whole_)
      for (std::uint32_t& row : to.rows) row = from.rows[row];
    to.search.take_rows(to.rows);
    to.ids.resize(ids.size());
    std::iota(to.ids.begin(), to.ids.end(), 0u);
    grow_block(to, to.ids, {{0, open.depth, open.path}, {0, ids.size()}}, active);
  }

  // Add a node whose rows these are, and split it, if there is a test for it.
  void split(Block& block, const OpenStretch& open, std::span<std::uint32_t> ids,
             std::span<const std::uint32_t> active, std::vector<std::uint32_t>& still_active) {
    breath_.after(ids.size());
    const std::size_t node = tree_.add(ids.size(), counts_);
    std::optional<DrawnCut> found;
    if (!is_leaf_at_once(counts_, open.depth, open.at.size(), input_))
      found = block.search.choose(counts_, ids, open.path, active, still_active);
    if (!found) {
      shared_.settle(static_cast<std::int64_t>(ids.size()));
      return;
    }
    std::size_t n_left = 0;
    const Neighbours rows = block.search.divide(*found, ids, n_left);
    tree_.split(node, found->column, rows, found->gain, found->drawn_cut, found->gap);
    const std::size_t middle = open.at.begin + n_left;
    right_.resize(counts_.size());
    for (std::size_t j = 0; j < counts_.size(); ++j) right_[j] = counts_[j] - found->left[j];
    block.push_counts(right_);
    block.push_counts({found->left, counts_.size()});
    block.frontier.push({{0, open.depth + 1, path_of_branch(open.path, 1)}, {middle, open.at.end}});
    block.frontier.push({{0, open.depth + 1, path_of_branch(open.path, 0)}, {open.at.begin, middle}});
  }

  const Input<ClassTarget>& input_;
  SharedNodes<ClassTarget>& shared_;
  NowAndThen breath_;
  std::vector<Row> marked_;
  DrawnTree tree_;
  Block whole_;
  std::array<Block, 2> blocks_;
  std::optional<CutGrowth> cuts_;
  std::vector<double> counts_, right_;
};

}  // namespace treewright
