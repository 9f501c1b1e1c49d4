// A subtree whose rows fit a block: grown depth first, without looking at the table again.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "../frontier.hpp"
#include "block.hpp"
#include "present.hpp"

namespace treewright {

template <class Target, class Criterion, bool is_weighted, class Key>
class SmallGrowth {
  using Stats = typename Target::Stats;
  using Open = OpenNode<Stats>;

 public:
  SmallGrowth(const Input<Target>& input, SharedNodes<Target>& shared, std::function<void()> breathe)
      : present_(input),
        input_(present_.input()),
        shared_(shared),
        breathe_(std::move(breathe)),
        block_(input_, breathe_) {}

  // Grow everything below a node whose rows these are.
  void grow(std::span<const std::uint32_t> rows, Open&& root) {
    grow(rows, std::move(root), 0, [](Open&&, std::span<const std::uint32_t>) {});
  }
  // The same, but nodes below it with fewer rows than `limit` are left to others: leave(node, rows).
  template <class Leave>
  void grow(std::span<const std::uint32_t> rows, Open&& root, std::size_t limit, Leave leave) {
    load(rows, root);
    root.at = {0, rows.size()};
    const std::int64_t top = root.depth;
    level(0) = input_.order;
    frontier_.run(std::move(root), [&](Open& open) {
      breathe_();
      if (present_.leave_to(open)) block_.fit_classes();
      const auto depth = static_cast<std::size_t>(open.depth - top);
      if (depth > 0 && open.at.size() < limit && !level(depth).empty()) {
        present_.widen(open);
        leave(std::move(open), block_.rows_of(open.at, level(depth).front()));
      } else {
        grow_node(open, depth);
      }
    });
  }

  // The best test of a node, and its split; nothing is divided.
  bool decide(std::span<const std::uint32_t> rows, Open open, Best<Stats>& best, Split& split) {
    load(rows, open);
    best = block_.choose(open.opening, {0, rows.size()}, input_.order, level(1));
    if (!is_enough(input_, open.opening, best)) return false;
    split = block_.split_of(best);
    for (Stats* part : {&best.left, &best.right}) present_.widen(*part);
    return true;
  }

  // The branch of each row by its place, after `decide`.
  std::span<const std::uint8_t> sides() const { return block_.sides(); }

 private:
  void load(std::span<const std::uint32_t> rows, Open& root) {
    present_.load(rows, root);
    block_.fit_classes();
    block_.load(rows);
  }

  // The columns that may still split at a depth below the root: both children of a node share them.
  std::vector<std::uint32_t>& level(std::size_t depth) {
    if (levels_.size() <= depth) levels_.resize(depth + 1);
    return levels_[depth];
  }

  void grow_node(Open& open, std::size_t depth) {
    level(depth + 1);
    if (present_.is_worth_it(open) && !level(depth).empty())
      block_.number(open.at, level(depth), present_.number(open),
                    [&](std::uint32_t row, std::int32_t label) { present_.set_label(row, label); });
    Best<Stats> best = block_.choose(open.opening, open.at, level(depth), level(depth + 1));
    if (!is_enough(input_, open.opening, best)) {
      shared_.settle(open.opening.stats.rows);
      return;
    }
    const double gain = gain_of(open.opening, best);
    Split split = block_.split_of(best);
    Open left = child(open, best, 0), right = child(open, best, 1);
    left.node =
        shared_.split(open.node, std::move(split), gain, left.opening, right.opening, present_.classes());
    right.node = left.node + 1;
    const bool ends_left = shared_.settle_if_finished(left), ends_right = shared_.settle_if_finished(right);
    if (ends_left && ends_right) return;
    block_.divide(level(depth + 1));
    if (!ends_right) frontier_.push(std::move(right));
    if (!ends_left) frontier_.push(std::move(left));
  }

  Open child(const Open& open, const Best<Stats>& best, std::uint8_t branch) {
    const Stats& stats = branch == 0 ? best.left : best.right;
    const std::size_t middle = open.at.begin + static_cast<std::size_t>(best.left.rows);
    Open made;
    made.at = branch == 0 ? Stretch{open.at.begin, middle} : Stretch{middle, open.at.end};
    made.depth = open.depth + 1;
    if constexpr (std::is_same_v<Target, NumberTarget>)
      made.opening = input_.open(stats, block_.pieces_of(branch, best.column));
    else
      made.opening = input_.open(stats, std::span<const Piece>());
    present_.take_after(made, open);
    return made;
  }

  Present<Target> present_;
  const Input<Target>& input_;  // with classes as they are numbered at the node at hand
  SharedNodes<Target>& shared_;
  std::function<void()> breathe_;
  Block<Target, Criterion, is_weighted, Key> block_;
  std::vector<std::vector<std::uint32_t>> levels_;
  DepthFirst<Open> frontier_;
};

}  // namespace treewright
