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

struct Found {
  double lower = 0;
  SolutionPtr solution;  // if there is one below the limit; its value is then `lower`
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

}  // namespace treewright::optimal
