// Rows down a tree: the node each row ends in, and the shares where a gap or an unseen category divides it.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/walk.hpp"

namespace treewright {

struct Routed {
  std::vector<std::int32_t>
      node;  // per row; the heaviest one for a divided row; -1 - i where node i refused the row
  std::vector<std::int64_t> part_row;
  std::vector<std::int32_t> part_node;  // the parts of the rows that were divided, row after row
  std::vector<double> part_weight;
};

// A table of children: of(i)[b] is branch b of node i.
class Children {
 public:
  explicit Children(const RouteTree& tree);
  std::span<const std::int32_t> of(std::int32_t node) const {
    const auto i = static_cast<std::size_t>(node);
    return {child_.data() + first_[i], first_[i + 1] - first_[i]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> child_;
};

// What is laid out once for a tree and serves every call. The arrays of the tree must outlive it.
class Router {
 public:
  explicit Router(const RouteTree& tree) : tree_(tree), layout_(tree), children_(tree) {}

  // `row_by_row`: by the slow walker alone, which knows every policy; the answer is the same.
  template <class T>
  Routed route(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
               bool row_by_row = false) const;

  const RouteTree& tree() const { return tree_; }

 private:
  RouteTree tree_;
  Layout layout_;
  Children children_;
};

}  // namespace treewright
