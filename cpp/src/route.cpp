#include "treewright/route.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/parallel.hpp"

namespace treewright {

namespace {

struct Part {
  std::int32_t node;
  double weight;
};

// One row after the other, with every policy: what divides a row, stands in for a value, stops or refuses.
template <class T>
class Walker {
 public:
  Walker(const RouteTree& tree, const Children& children, const RouteColumns<T>& columns)
      : tree_(tree), children_(children), questions_(tree, columns) {}

  // Walk one row; a divided row leaves its parts in `out`.
  void walk(std::size_t row, std::span<std::int32_t> node, Routed& out) {
    stack_.assign(1, {0, 1.0});
    parts_.clear();
    while (!stack_.empty()) {
      Part at = stack_.back();
      stack_.pop_back();
      if (!descend(row, at)) {
        node[row] = -1 - at.node;
        return;
      }
    }
    settle(row, node, out);
  }

 private:
  // Go down until a leaf or a detour; false when the tree refuses the row here.
  bool descend(std::size_t row, Part& at) {
    for (;;) {
      const auto i = static_cast<std::size_t>(at.node);
      if (tree_.kind[i] == 0) break;
      const std::int32_t branch = questions_.branch_of(row, i);
      if (branch == is_refused) return false;
      if (branch == takes_none) break;
      if (branch == takes_all) {
        divide(at);
        return true;
      }
      at.node = children_.of(at.node)[static_cast<std::size_t>(branch)];
    }
    parts_.push_back(at);
    return true;
  }

  // Down all branches, by their share of the training weight. Where no branch has any, the row stays.
  void divide(Part at) {
    const auto branches = children_.of(at.node);
    double total = 0;
    for (std::int32_t child : branches) total += tree_.weight[static_cast<std::size_t>(child)];
    if (!(total > 0) || !std::isfinite(total)) {
      parts_.push_back(at);
      return;
    }
    const std::size_t n_open = stack_.size();
    for (std::size_t b = branches.size(); b-- > 0;) {
      const double share = tree_.weight[static_cast<std::size_t>(branches[b])] / total;
      if (share > 0) stack_.push_back({branches[b], at.weight * share});
    }
    if (stack_.size() == n_open) parts_.push_back(at);  // shares too small to be told from 0
  }

  void settle(std::size_t row, std::span<std::int32_t> node, Routed& out) {
    const Part* heaviest = &parts_[0];
    for (const Part& part : parts_)
      if (part.weight > heaviest->weight) heaviest = &part;
    node[row] = heaviest->node;
    if (parts_.size() == 1) return;
    for (const Part& part : parts_) {
      out.part_row.push_back(static_cast<std::int64_t>(row));
      out.part_node.push_back(part.node);
      out.part_weight.push_back(part.weight);
    }
  }

  const RouteTree& tree_;
  const Children& children_;
  Questions<T> questions_;
  std::vector<Part> stack_, parts_;
};

}  // namespace

Children::Children(const RouteTree& tree) : first_(tree.end.size() + 1) {
  child_.reserve(tree.end.size());
  for (std::size_t i = 0; i < tree.end.size(); ++i) {
    first_[i] = child_.size();
    for (std::int32_t c = static_cast<std::int32_t>(i) + 1; c < tree.end[i];
         c = tree.end[static_cast<std::size_t>(c)])
      child_.push_back(c);
  }
  first_.back() = child_.size();
}

template <class T>
Routed Router::route(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                     const std::function<void()>& breathe, bool row_by_row) const {
  constexpr std::size_t worth_a_thread = 20000;  // rows: to start one takes as long as thousands of them
  constexpr std::size_t block = 1 << 16, some = 1 << 10;  // rows between two breaths: quick ones, slow ones
  const auto n = static_cast<std::size_t>(n_rows);
  Routed out;
  out.node.resize(n);
  const auto threads =
      std::max<std::size_t>(1, std::min(static_cast<std::size_t>(n_threads), n / worth_a_thread));
  const std::size_t n_parts = threads * (n / threads / block + 1);
  std::vector<Routed> shares(n_parts);
  Breath breath(breathe);
  in_shares(
      threads, n_parts, [&] { breath(0); },
      [&](std::size_t p, std::size_t thread) {
        const std::size_t begin = n * p / n_parts, end = n * (p + 1) / n_parts;
        std::vector<std::size_t> odd;
        if (row_by_row) {
          odd.resize(end - begin);
          std::iota(odd.begin(), odd.end(), begin);
        } else {
          layout_.walk(columns, begin, end, out.node, odd);
          std::sort(odd.begin(), odd.end());
        }
        Walker<T> walker(tree_, children_, columns);
        for (std::size_t i = 0; i < odd.size(); ++i) {
          if (i % some == some - 1) breath(thread);
          walker.walk(odd[i], out.node, shares[p]);
        }
      });
  for (Routed& share : shares) {
    out.part_row.insert(out.part_row.end(), share.part_row.begin(), share.part_row.end());
    out.part_node.insert(out.part_node.end(), share.part_node.begin(), share.part_node.end());
    out.part_weight.insert(out.part_weight.end(), share.part_weight.begin(), share.part_weight.end());
  }
  return out;
}

template Routed Router::route(const RouteColumns<float>&, std::int64_t, std::int64_t,
                              const std::function<void()>&, bool) const;
template Routed Router::route(const RouteColumns<double>&, std::int64_t, std::int64_t,
                              const std::function<void()>&, bool) const;

}  // namespace treewright
