// Which node is next: every growth goes by one of two orders. What a node is, and what becomes of it, is not
// known here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace treewright {

// Depth first: all below a node comes before the nodes that wait beside it.
template <class Open>
class DepthFirst {
 public:
  // grow(node) for the root, and for all that is pushed meanwhile: the last first.
  template <class Grow>
  void run(Open&& root, Grow grow) {
    stack_.clear();
    push(std::move(root));
    while (!stack_.empty()) {
      Open open = std::move(stack_.back());
      stack_.pop_back();
      grow(open);
    }
  }
  void push(Open&& open) { stack_.push_back(std::move(open)); }
  // The branches of a node: the first of them is next.
  template <class Branches>
  void push_branches(Branches&& branches) {
    for (auto branch = branches.rbegin(); branch != branches.rend(); ++branch) push(std::move(*branch));
  }

 private:
  std::vector<Open> stack_;
};

// What a node that waits for its split is ordered by: what the split takes off in all.
struct Turn {
  double priority = 0;
  std::int32_t node = 0;
  std::int64_t n_branches = 2;

  // Equal ones take turns as they were made.
  bool is_after(const Turn& other) const {
    return priority != other.priority ? priority < other.priority : node > other.node;
  }
};

// Best first, under a budget of leaves. A waiting node is a Turn with what its split needs.
template <class Waiting>
class BestFirst {
 public:
  explicit BestFirst(std::int64_t max_leaves) : max_leaves_(max_leaves) {}

  std::int64_t n_leaves() const { return n_leaves_; }
  // How many branches the next split may have: it takes the place of one leaf.
  std::int64_t room() const { return max_leaves_ - n_leaves_ + 1; }

  void push(Waiting&& waiting) {
    heap_.push_back(std::move(waiting));
    std::push_heap(heap_.begin(), heap_.end(), is_after);
  }
  // split(node) where the budget allows its branches, else refuse(node); both may push more.
  template <class Split, class Refuse>
  void run(Split split, Refuse refuse) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), is_after);
      Waiting next = std::move(heap_.back());
      heap_.pop_back();
      if (next.n_branches > room()) {
        refuse(std::move(next));
        continue;
      }
      n_leaves_ += next.n_branches - 1;
      split(std::move(next));
    }
  }

 private:
  static bool is_after(const Waiting& a, const Waiting& b) { return a.is_after(b); }

  std::int64_t max_leaves_, n_leaves_ = 1;
  std::vector<Waiting> heap_;
};

}  // namespace treewright
