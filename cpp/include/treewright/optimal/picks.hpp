// All trees of a graph of choices, the cheapest first, each when it is asked for.
//
// A spot is a sub-problem: rows, levels, leaves. A choice is a test with a spot for each branch. A tree for a
// spot is its leaf, or a choice with a tree for each branch: its rank in the list of that branch's spot. Of
// the trees of a choice the one of ranks 0, 0, ... is the cheapest, and one rank more never costs less; so
// each spot keeps a heap of what may be next (Huang & Chiang, Better k-best parsing, 2005, algorithm 3).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "problem.hpp"

namespace treewright::optimal {

// A test at a spot, and where its branches lead.
struct Choice {
  Test test;
  std::vector<std::int32_t> below;
};
struct Spot {
  Hash hash = {0, 0};
  std::int32_t depth = 0, leaves = 0;
  double leaf = 0;   // its cost as one leaf, with the price
  double limit = 0;  // what costs more is not asked for
  std::vector<std::uint32_t> rows;
  std::vector<Choice> choices;
};

class Picks {
 public:
  // Costs are added up as whole numbers of a small unit, a power of two: the sum of a tree does not depend on
  // the order of its leaves, and errors are exact. `room`: what rounding may come to.
  static constexpr std::int64_t room = 64;

  Picks(const std::vector<Spot>& spots, double unit) : spots_(spots), lists_(spots.size()), unit_(unit) {}

  // The tree of a rank for the first spot: written behind the others. False: there is none.
  bool write(std::size_t rank, Listing& out) {
    const Pick* pick = nth(0, rank);
    if (pick == nullptr) return false;
    out.cost.push_back(static_cast<double>(pick->cost) * unit_);
    write(0, *pick, out);
    out.start.push_back(static_cast<std::int64_t>(out.test.size()));
    return true;
  }
  // What has been looked at so far.
  std::size_t n_candidates() const { return n_candidates_; }
  static constexpr std::size_t bytes_of_candidate = 160;

 private:
  struct Pick {
    std::int64_t cost = 0;
    std::int32_t leaves = 1, choice = -1;  // no choice: a leaf
    std::vector<std::int32_t> rank;
  };
  struct Later {
    bool operator()(const Pick& a, const Pick& b) const {
      return std::tie(a.cost, a.leaves, a.choice, a.rank) > std::tie(b.cost, b.leaves, b.choice, b.rank);
    }
  };
  struct List {
    bool is_open = false;
    std::vector<Pick> done, heap;
    std::set<Hash> seen;
  };

  std::int64_t units(double cost) const { return static_cast<std::int64_t>(std::llround(cost / unit_)); }

  const Pick* nth(std::size_t spot, std::size_t rank) {
    List& list = lists_[spot];
    if (!list.is_open) open(spot, list);
    while (list.done.size() <= rank && !list.heap.empty()) {
      std::pop_heap(list.heap.begin(), list.heap.end(), Later());
      const Pick next = std::move(list.heap.back());
      list.heap.pop_back();
      add_followers(spot, list, next);
      if (next.leaves > spots_[spot].leaves) continue;
      if (list.seen.insert(key(spot, next)).second) list.done.push_back(next);
    }
    return list.done.size() > rank ? &list.done[rank] : nullptr;
  }

  void open(std::size_t spot, List& list) {
    list.is_open = true;
    Pick leaf;
    leaf.cost = units(spots_[spot].leaf);
    add(spot, list, leaf);
    for (std::size_t c = 0; c < spots_[spot].choices.size(); ++c) {
      Pick first;
      first.choice = static_cast<std::int32_t>(c);
      first.rank.assign(spots_[spot].choices[c].below.size(), 0);
      add(spot, list, first);
    }
  }
  // Every combination of ranks follows exactly one other: the one with its last rank that is not 0 less by 1.
  void add_followers(std::size_t spot, List& list, const Pick& pick) {
    if (pick.choice < 0) return;
    std::size_t b = pick.rank.size();
    while (b > 1 && pick.rank[b - 1] == 0) --b;
    for (--b; b < pick.rank.size(); ++b) {
      Pick next = pick;
      ++next.rank[b];
      add(spot, list, std::move(next));
    }
  }
  // A test must pay: a tree that costs as much as the leaf in its place is none.
  void add(std::size_t spot, List& list, Pick pick) {
    if (pick.choice >= 0) {
      const Choice& choice = spots_[spot].choices[static_cast<std::size_t>(pick.choice)];
      pick.cost = pick.leaves = 0;
      for (std::size_t b = 0; b < pick.rank.size(); ++b) {
        const Pick* below =
            nth(static_cast<std::size_t>(choice.below[b]), static_cast<std::size_t>(pick.rank[b]));
        if (below == nullptr) return;
        pick.cost += below->cost;
        pick.leaves += below->leaves;
      }
      if (pick.cost + room >= units(spots_[spot].leaf)) return;
    }
    ++n_candidates_;
    if (pick.cost > units(spots_[spot].limit) + room) return;
    list.heap.push_back(std::move(pick));
    std::push_heap(list.heap.begin(), list.heap.end(), Later());
  }

  // What makes a tree different from others: the rows of its leaves, each with the columns asked on its way.
  Hash key(std::size_t spot, const Pick& pick) {
    Hash found = {0, 0};
    way_.clear();
    add_leaves(spot, pick, found);
    return found;
  }
  void add_leaves(std::size_t spot, const Pick& pick, Hash& found) {
    if (pick.choice < 0) {
      Hash leaf = spots_[spot].hash;
      std::vector<std::int32_t> asked = way_;
      std::sort(asked.begin(), asked.end());
      asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
      for (std::size_t i = 0; i < 2; ++i) {
        leaf[i] = mixed(leaf[i] + i);
        for (std::int32_t column : asked) leaf[i] = mixed(leaf[i] ^ static_cast<std::uint64_t>(column + 1));
        found[i] += leaf[i];
      }
      return;
    }
    const Choice& choice = spots_[spot].choices[static_cast<std::size_t>(pick.choice)];
    way_.push_back(choice.test.column);
    for (std::size_t b = 0; b < pick.rank.size(); ++b) {
      const auto below = static_cast<std::size_t>(choice.below[b]);
      add_leaves(below, lists_[below].done[static_cast<std::size_t>(pick.rank[b])], found);
    }
    way_.pop_back();
  }
  static std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  void write(std::size_t spot, const Pick& pick, Listing& out) {
    const std::size_t first = static_cast<std::size_t>(out.start.back()), node = out.test.size();
    out.test.emplace_back();
    out.end.push_back(0);
    if (pick.choice >= 0) {
      const Choice& choice = spots_[spot].choices[static_cast<std::size_t>(pick.choice)];
      out.test[node] = choice.test;
      for (std::size_t b = 0; b < pick.rank.size(); ++b) {
        const auto below = static_cast<std::size_t>(choice.below[b]);
        write(below, lists_[below].done[static_cast<std::size_t>(pick.rank[b])], out);
      }
    }
    out.end[node] = static_cast<std::int32_t>(out.test.size() - first);
  }

  const std::vector<Spot>& spots_;
  std::vector<List> lists_;
  double unit_;
  std::size_t n_candidates_ = 0;
  std::vector<std::int32_t> way_;
};

}  // namespace treewright::optimal
