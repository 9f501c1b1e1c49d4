// What the search finds and what waits in it: trees of parts, and intervals of cuts with their bounds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "stumps.hpp"

namespace treewright::optimal {

constexpr std::int32_t no_limit = 1 << 20;  // leaves
constexpr double beyond = 0.15;             // of the best cost: so far above it sides are still solved

// A tree for the rows of a part. Branches that are left out are the best single tests or leaves: they are
// found when the tree is written.
struct Solution {
  double value = 0;
  Place place;                       // of a leaf: no unit
  std::vector<std::int32_t> leaves;  // that each branch may have
  std::vector<std::shared_ptr<const Solution>> branches;
};
using SolutionPtr = std::shared_ptr<const Solution>;

// `free` is what no tree costs less than, however few rows its nodes have. More rows never cost less in such
// trees alone, so it is what bounds the neighbours; without limits on sizes it is `lower`.
struct Found {
  double lower = 0;
  SolutionPtr solution;  // if there is one below the limit; its value is then `lower`
  double free = lower;
};

// The cuts first to last (places in the list of the unit's cuts), all not solved yet.
struct Interval {
  double bound = 0;            // of every cut in it
  double left = 0, right = 0;  // of the sides alone
  double before = -infinite,
         behind = -infinite;                  // what the solved cuts before and behind it cost, at least
  double slack_before = 0, slack_behind = 0;  // of the rows left of those
  std::int64_t first = 0, last = 0;
  std::int32_t unit = 0, rank = 0;
  std::int32_t leaves[3] = {0, 0, 0};
  double gap = 0;  // the cost of the branch that rows without a value have of their own
  std::int64_t middle() const { return first + (last - first) / 2; }
};
struct Later {
  bool operator()(const Interval& a, const Interval& b) const {
    if (a.bound != b.bound) return a.bound > b.bound;
    if (a.rank != b.rank) return a.rank > b.rank;
    return a.first > b.first;
  }
};

// A sub-problem by its rows, and what is known of it.
struct Key {
  Hash hash;
  std::int32_t depth, leaves;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    return static_cast<std::size_t>(
        key.hash[0] + 0x9E3779B97F4A7C15 * static_cast<std::uint64_t>(key.depth * no_limit + key.leaves));
  }
};
struct Known {
  double lower = 0, free = 0;
  SolutionPtr solution;
};

struct Chain {
  std::vector<std::uint32_t> cuts;
  std::vector<double> slack;  // of the rows left of each cut
};
// A sub-problem in work.
struct Work {
  const Part& part;
  std::int32_t depth, leaves;
  double best;
  bool is_root = false;
  SolutionPtr solution = nullptr;
  double dropped = infinite;       // the least bound of what was left out
  std::vector<Chain> chains = {};  // of each unit
  std::vector<Interval> heap = {};
};

// What both sides of up to sixteen tests cost, in trees of any size; what the branches of one test cost, and
// their trees.
struct Judged {
  Place place[n_lanes];
  double value[n_lanes][2];
};
struct Branches {
  double value[3];          // at least, in trees of any size
  SolutionPtr solution[3];  // of a side only if both together may do
  double total() const {
    return solution[0]->value + solution[1]->value + (solution[2] ? solution[2]->value : 0);
  }
};

}  // namespace treewright::optimal
