// Rows down a tree: the node each row ends in, and the shares where a gap or an unseen category divides it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ask.hpp"

namespace treewright {

struct Routed {
  std::vector<std::int32_t>
      node;  // per row; the heaviest one for a divided row; -1 - i where node i refused the row
  std::vector<std::int64_t> part_row;
  std::vector<std::int32_t> part_node;  // the parts of the rows that were divided, row after row
  std::vector<double> part_weight;
};

// What is laid out once for a tree and serves every call. The arrays of the tree must outlive it.
class Router {
 public:
  explicit Router(const RouteTree& tree) : tree_(tree), layout_(tree), children_(tree) {}

  // `breathe` is called from this thread between blocks of rows, where a caller may stop the walk by
  // throwing. `row_by_row`: by the slow walker alone, which knows every policy; the answer is the same.
  template <class T>
  Routed route(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
               const std::function<void()>& breathe, bool row_by_row = false) const;

  const RouteTree& tree() const { return tree_; }
  const Children& children() const { return children_; }

 private:
  RouteTree tree_;
  Layout layout_;
  Children children_;
};

}  // namespace treewright
