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

#include "drawn.hpp"
#include "drawn_tree.hpp"
#include "open.hpp"

namespace treewright {

// Single nodes, as they come: each is looked at in the table.
template <class Target, class Criterion, std::size_t n_known>
class DrawnNodes {
  using Search = DrawnSearch<Target, Criterion, n_known>;
  using Stats = typename Target::Stats;

 public:
  DrawnNodes(const Field<Target>& field, const RankedTable& table)
      : field_(field), marked_(Search::mark_rows(field)), search_(field, table, marked_) {
    search_.take_table();
  }

  // The best test of a node, by which its rows are divided at once.
  bool decide(std::span<std::uint32_t> rows, const OpenNode<Stats>& open, Best<Stats>& best, Split& split) {
    const Stats& all = open.opening.stats;
    search_.take_opening(open.opening);
    const auto found = search_.choose(node_of(open.opening), rows, open.path, field_.order, still_active_);
    if (!found) return false;
    best.column = found->column;
    best.is_cut = found->offer == nullptr;
    std::size_t n_left = 0;
    if (best.is_cut) {
      best.drop = found->drop;
      const Neighbours near = search_.divide(*found, rows, n_left);
      split = split_at(field_.columns[found->column], found->column, near, found->drawn_cut, found->gap);
    } else {
      best.offer = std::move(*found->offer);
      split = std::move(best.offer.split);
      split.column = static_cast<std::int32_t>(found->column);
      n_left = divide_by_codes(split, rows);
    }
    best.left = stats_of(rows.first(n_left));
    best.right = all;
    best.right.add(best.left, -1);
    place_gaps(split, field_.settings, best.left.weight, best.right.weight, all.rows);
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
    const auto code = field_.columns[static_cast<std::size_t>(split.column)].code;
    std::int64_t known[2] = {0, 0};
    for (std::uint32_t row : rows)
      if (code[row] >= 0) known[split.branch_of(code[row])] += field_.weights.of(row);
    place_gaps(split, field_.settings, known[0], known[1], static_cast<std::int64_t>(rows.size()));
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
    Stats stats = field_.target.none();
    for (std::uint32_t row : rows) field_.target.add(stats, field_.weights.piece(row));
    return stats;
  }

  const Field<Target>& field_;
  std::vector<typename Search::Mark> marked_;
  Search search_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> still_active_, spare_;
};

// A subtree, grown depth first. Nodes of many rows are looked at in the table; of fewer, their ranks are
// brought together, and once more when they are so few that they fit the nearest cache.
template <class Criterion, std::size_t n_known>
class DrawnGrowth {
  using Search = DrawnSearch<ClassTarget, Criterion, n_known>;
  using Row = typename Search::Row;

 public:
  DrawnGrowth(const Field<ClassTarget>& field, SharedNodes<ClassTarget>& shared, const RankedTable& table,
              std::function<void()> breathe)
      : field_(field),
        shared_(shared),
        breathe_(std::move(breathe)),
        marked_(Search::mark_rows(field)),
        tree_(field.target.n_classes),
        whole_(field, table, marked_),
        blocks_{Block(field, table, marked_), Block(field, table, marked_)} {
    whole_.search.take_table();
  }

  // Grow everything below a node whose rows these are; they are put into another order.
  const DrawnTree& grow(std::span<std::uint32_t> rows, const OpenNode<ClassStats>& root) {
    tree_.clear();
    counts_.assign(root.opening.stats.counts.begin(), root.opening.stats.counts.end());
    grow_block(whole_, rows, {0, rows.size(), root.depth, root.path}, field_.order);
    return tree_;
  }

 private:
  static constexpr std::array<std::size_t, 2> sizes{16384, 2048};  // rows of each block

  // A node whose rows are in hand. Its weights by class are on the stack of its block.
  struct Open {
    std::size_t begin = 0, end = 0;
    std::int64_t depth = 0;
    std::uint64_t path = 0;
    std::size_t size() const { return end - begin; }
  };
  // Rows that were brought together, named by their places; or all rows, named by their numbers.
  struct Block {
    Search search;
    std::vector<std::uint32_t> rows, ids;
    std::vector<std::vector<std::uint32_t>> levels;
    std::vector<Open> stack;
    std::vector<double> counts;  // of the nodes on the stack

    Block(const Field<ClassTarget>& field, const RankedTable& table, std::span<const Row> marked)
        : search(field, table, marked) {}
    // The columns that may still split at a depth below the root: both children of a node share them.
    std::vector<std::uint32_t>& level(std::size_t depth) {
      if (levels.size() <= depth) levels.resize(depth + 1);
      return levels[depth];
    }
    void push(const Open& open, std::span<const double> own) {
      stack.push_back(open);
      counts.insert(counts.end(), own.begin(), own.end());
    }
    Open pop(std::vector<double>& own) {
      const Open open = stack.back();
      stack.pop_back();
      std::copy(counts.end() - static_cast<std::ptrdiff_t>(own.size()), counts.end(), own.begin());
      counts.resize(counts.size() - own.size());
      return open;
    }
  };

  // Grow below a node whose rows are those of the block, and whose weights are `counts_`.
  void grow_block(Block& block, std::span<std::uint32_t> ids, Open root,
                  std::span<const std::uint32_t> active) {
    const std::int64_t top = root.depth;
    block.level(0).assign(active.begin(), active.end());
    block.push(root, counts_);
    while (!block.stack.empty()) {
      const Open open = block.pop(counts_);
      const auto own = ids.subspan(open.begin, open.size());
      const auto depth = static_cast<std::size_t>(open.depth - top);
      block.level(depth + 1);
      if (const std::size_t next = block_for(own.size()); next > place_of(block))
        bring_together(block, blocks_[next - 1], own, open, block.level(depth));
      else
        split(block, open, own, block.level(depth), block.level(depth + 1));
    }
  }
  // 0: the whole table; 1, 2: the blocks.
  static std::size_t block_for(std::size_t n) { return n > sizes[0] ? 0 : n > sizes[1] ? 1 : 2; }
  std::size_t place_of(const Block& block) const {
    return &block == &whole_ ? 0 : static_cast<std::size_t>(&block - blocks_.data()) + 1;
  }
  void bring_together(Block& from, Block& to, std::span<const std::uint32_t> ids, const Open& open,
                      std::span<const std::uint32_t> active) {
    to.rows.assign(ids.begin(), ids.end());
    if (&from != &whole_)
      for (std::uint32_t& row : to.rows) row = from.rows[row];
    to.search.take_rows(to.rows);
    to.ids.resize(ids.size());
    std::iota(to.ids.begin(), to.ids.end(), 0u);
    grow_block(to, to.ids, {0, ids.size(), open.depth, open.path}, active);
  }

  // Add a node whose rows these are, and split it, if there is a test for it.
  void split(Block& block, const Open& open, std::span<std::uint32_t> ids,
             std::span<const std::uint32_t> active, std::vector<std::uint32_t>& still_active) {
    rest_after(ids.size());
    const std::size_t node = tree_.add(ids.size(), counts_);
    std::optional<DrawnCut> found;
    if (!is_leaf_at_once(counts_, open.depth, open.size(), field_.settings))
      found = block.search.choose(counts_, ids, open.path, active, still_active);
    if (!found) {
      shared_.settle(static_cast<std::int64_t>(ids.size()));
      return;
    }
    std::size_t n_left = 0;
    const Neighbours rows = block.search.divide(*found, ids, n_left);
    tree_.split(node, found->column, rows, found->gain, found->drawn_cut, found->gap);
    const std::size_t middle = open.begin + n_left;
    right_.resize(counts_.size());
    for (std::size_t j = 0; j < counts_.size(); ++j) right_[j] = counts_[j] - found->left[j];
    block.push({middle, open.end, open.depth + 1, path_of_branch(open.path, 1)}, right_);
    block.push({open.begin, middle, open.depth + 1, path_of_branch(open.path, 0)},
               {found->left, counts_.size()});
  }
  // Others may want to know, or to stop this, but not at every node.
  void rest_after(std::size_t n_rows) {
    n_seen_ += n_rows + 64;
    if (n_seen_ < 65'536) return;
    n_seen_ = 0;
    breathe_();
  }

  const Field<ClassTarget>& field_;
  SharedNodes<ClassTarget>& shared_;
  std::function<void()> breathe_;
  std::vector<Row> marked_;
  DrawnTree tree_;
  Block whole_;
  std::array<Block, 2> blocks_;
  std::vector<double> counts_, right_;
  std::size_t n_seen_ = 0;
};

}  // namespace treewright
