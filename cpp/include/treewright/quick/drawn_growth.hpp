// Subtrees in which a few columns are drawn at every node, grown depth first.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "drawn.hpp"
#include "open.hpp"

namespace treewright {

// A subtree, grown depth first. Nodes of many rows are looked at in the table; of fewer, their ranks are
// brought together, and once more when they are so few that they fit the nearest cache.
template <class Criterion, std::size_t n_known>
class DrawnGrowth {
  using Open = OpenNode<ClassStats>;
  using Search = DrawnSearch<Criterion, n_known>;

 public:
  DrawnGrowth(const Field<ClassTarget>& field, SharedNodes<ClassTarget>& shared, const RankedTable& table,
              std::function<void()> breathe)
      : field_(field),
        shared_(shared),
        breathe_(std::move(breathe)),
        labelled_(label_rows(field)),
        whole_(field, table, labelled_),
        blocks_{Block(field, table, labelled_), Block(field, table, labelled_)} {
    whole_.take_table();
  }

  // Grow everything below a node whose rows these are; they are put into another order.
  void grow(std::span<std::uint32_t> rows, Open&& root) {
    std::vector<Open> stack;
    std::vector<std::uint32_t> still_active;
    root.at = {0, rows.size()};
    stack.push_back(std::move(root));
    while (!stack.empty()) {
      breathe_();
      Open open = std::move(stack.back());
      stack.pop_back();
      const auto own = rows.subspan(open.at.begin, open.at.size());
      if (own.size() <= sizes[0])
        grow_block(block_for(own.size()), own, std::move(open), field_.order);
      else
        split(whole_, open, own, field_.order, still_active, stack);
    }
  }

 private:
  static constexpr std::array<std::size_t, 2> sizes{16384, 2048};  // rows of each block
  static std::vector<LabelledWeight> label_rows(const Field<ClassTarget>& field) {
    std::vector<LabelledWeight> labelled(field.target.label.size());
    for (std::uint32_t row = 0; row < labelled.size(); ++row)
      labelled[row] = {field.target.label[row], field.weights.of(row)};
    return labelled;
  }
  static std::size_t block_for(std::size_t n) { return n <= sizes[1] ? 1 : 0; }

  // Rows that were brought together; they are named by their places.
  struct Block {
    Search search;
    std::vector<std::uint32_t> rows, ids;
    std::vector<std::vector<std::uint32_t>> levels;
    std::vector<Open> stack;

    Block(const Field<ClassTarget>& field, const RankedTable& table, std::span<const LabelledWeight> labelled)
        : search(field, table, labelled) {}
    // The columns that may still split at a depth below the root: both children of a node share them.
    std::vector<std::uint32_t>& level(std::size_t depth) {
      if (levels.size() <= depth) levels.resize(depth + 1);
      return levels[depth];
    }
  };

  void grow_block(std::size_t number, std::span<const std::uint32_t> rows, Open&& root,
                  std::span<const std::uint32_t> active) {
    Block& block = blocks_[number];
    block.rows.assign(rows.begin(), rows.end());
    block.search.take_rows(block.rows);
    block.ids.resize(rows.size());
    std::iota(block.ids.begin(), block.ids.end(), 0u);
    root.at = {0, rows.size()};
    const std::int64_t top = root.depth;
    block.level(0).assign(active.begin(), active.end());
    block.stack.push_back(std::move(root));
    while (!block.stack.empty()) {
      breathe_();
      Open open = std::move(block.stack.back());
      block.stack.pop_back();
      const auto depth = static_cast<std::size_t>(open.depth - top);
      block.level(depth + 1);
      const auto ids = std::span(block.ids).subspan(open.at.begin, open.at.size());
      if (block_for(ids.size()) > number) {
        again_.clear();
        for (std::uint32_t id : ids) again_.push_back(block.rows[id]);
        grow_block(number + 1, again_, std::move(open), block.level(depth));
      } else {
        split(block.search, open, ids, block.level(depth), block.level(depth + 1), block.stack);
      }
    }
  }

  // Split a node whose rows these are, if there is a test for it; children that are no leaves go to `stack`.
  void split(Search& search, const Open& open, std::span<std::uint32_t> ids,
             std::span<const std::uint32_t> active, std::vector<std::uint32_t>& still_active,
             std::vector<Open>& stack) {
    Best<ClassStats> best = search.choose(open.opening, ids, open.path, active, still_active);
    if (!is_enough(field_, open.opening, best)) {
      shared_.settle(open.opening.stats.rows);
      return;
    }
    const double gain = gain_of(open.opening, best);
    Split split = search.split_of(best, ids);
    const std::size_t middle = open.at.begin + static_cast<std::size_t>(best.left.rows);
    Open left = child(open, best.left, 0, {open.at.begin, middle}),
         right = child(open, best.right, 1, {middle, open.at.end});
    left.node = shared_.split(open.node, std::move(split), gain, left.opening, right.opening);
    right.node = left.node + 1;
    const bool ends_left = shared_.settle_if_finished(left), ends_right = shared_.settle_if_finished(right);
    if (!ends_right) stack.push_back(std::move(right));
    if (!ends_left) stack.push_back(std::move(left));
  }
  Open child(const Open& open, const ClassStats& stats, std::uint32_t branch, Stretch at) {
    return {0, at, open.depth + 1, path_of_branch(open.path, branch),
            field_.open(stats, std::span<const Piece>())};
  }

  const Field<ClassTarget>& field_;
  SharedNodes<ClassTarget>& shared_;
  std::function<void()> breathe_;
  std::vector<LabelledWeight> labelled_;
  Search whole_;
  std::array<Block, 2> blocks_;
  std::vector<std::uint32_t> again_;
};

}  // namespace treewright
