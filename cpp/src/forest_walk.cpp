#include "treewright/forest_walk.hpp"

#include <algorithm>

#include "treewright/parallel.hpp"

namespace treewright {

namespace {

constexpr std::size_t block = 4096;  // rows on their way through all trees

void keep_first(Refusal& kept, const Refusal& other) {
  if (other.row >= 0 && (kept.row < 0 || other.row < kept.row)) kept = other;
}

}  // namespace

bool ForestWalker::needs_all(const RouteTree& nodes) {
  return nodes.gap != Detour::branch ||
         (nodes.unseen != Detour::branch && nodes.unseen != Detour::as_missing);
}

ForestWalker::ForestWalker(const WalkedTrees& trees) : trees_(trees) {
  note_answers();
  if (needs_all(trees.nodes)) {
    add_weights();
    routers_.reserve(n_trees());
    for (std::size_t t = 0; t < n_trees(); ++t) routers_.emplace_back(tree_nodes(t));
  } else {
    layouts_.reserve(n_trees());
    for (std::size_t t = 0; t < n_trees(); ++t) layouts_.emplace_back(tree_nodes(t));
  }
}

// The nodes of one tree; what they own stays numbered as it is.
RouteTree ForestWalker::tree_nodes(std::size_t tree) const {
  const auto begin = static_cast<std::size_t>(trees_.tree_start[tree]);
  const auto n = static_cast<std::size_t>(trees_.tree_start[tree + 1]) - begin;
  RouteTree one = trees_.nodes;
  one.end = one.end.subspan(begin, n);
  one.column = one.column.subspan(begin, n);
  one.missing = one.missing.subspan(begin, n);
  one.largest = one.largest.subspan(begin, n);
  one.kind = one.kind.subspan(begin, n);
  one.cut = one.cut.subspan(begin, n);
  if (!weight_.empty()) one.weight = std::span<const double>(weight_).subspan(begin, n);
  one.code_start = one.code_start.subspan(begin, n + 1);
  one.surrogate_start = one.surrogate_start.subspan(begin, n + 1);
  return one;
}

void ForestWalker::add_weights() {
  weight_.resize(trees_.nodes.end.size());
  for (std::size_t t = 0; t < n_trees(); ++t) {
    const auto root = static_cast<std::size_t>(trees_.tree_start[t]);
    for (auto i = static_cast<std::size_t>(trees_.tree_start[t + 1]); i-- > root;) {
      if (trees_.nodes.kind[i] == 0) {
        const auto leaf = static_cast<std::size_t>(first_leaf_[i]);
        if (trees_.n_classes == 0) {
          weight_[i] = trees_.leaf_weight[3 * leaf];
        } else {
          for (auto k = trees_.leaf_start[leaf]; k < trees_.leaf_start[leaf + 1]; ++k)
            weight_[i] += trees_.leaf_weight[static_cast<std::size_t>(k)];
        }
      } else {
        const auto stop = root + static_cast<std::size_t>(trees_.nodes.end[i]);
        for (std::size_t c = i + 1; c < stop; c = root + static_cast<std::size_t>(trees_.nodes.end[c]))
          weight_[i] += weight_[c];
      }
    }
  }
}

void ForestWalker::note_answers() {
  first_leaf_.reserve(trees_.nodes.kind.size());
  std::int32_t n_leaves = 0;
  for (std::uint8_t kind : trees_.nodes.kind) {
    first_leaf_.push_back(n_leaves);
    n_leaves += kind == 0 ? 1 : 0;
  }
  first_leaf_.push_back(n_leaves);
  for (std::size_t leaf = 0; leaf < static_cast<std::size_t>(n_leaves); ++leaf) {
    if (trees_.n_classes == 0) {
      value_.push_back(trees_.leaf_weight[3 * leaf + 1]);
      continue;
    }
    const auto begin = trees_.leaf_start[leaf], end = trees_.leaf_start[leaf + 1];
    if (begin == end)
      only_.push_back(trees_.leaf_label[leaf]);
    else if (end - begin == 1 && trees_.class_scale.empty())
      only_.push_back(trees_.leaf_class[static_cast<std::size_t>(begin)]);
    else
      only_.push_back(-1);
  }
}

// What a node says, times a weight: of its leaf, or of all the leaves below it where a row stopped there.
void ForestWalker::add_answer(std::size_t tree, std::int32_t node, double weight,
                              std::span<double> to) const {
  const auto root = static_cast<std::size_t>(trees_.tree_start[tree]);
  const std::size_t i = root + static_cast<std::size_t>(node);
  const auto first = static_cast<std::size_t>(first_leaf_[i]);
  // In a layout the ends of nodes may be gone; but then rows end in leaves only.
  const bool is_inner = !routers_.empty() && trees_.nodes.kind[i] != 0;
  const std::size_t last =
      is_inner ? static_cast<std::size_t>(first_leaf_[root + static_cast<std::size_t>(trees_.nodes.end[i])])
               : first + 1;
  if (trees_.n_classes == 0) {
    if (last - first == 1) {
      to[0] += weight * value_[first];
      return;
    }
    double sum = 0, total = 0;
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      sum += trees_.leaf_weight[3 * leaf] * value_[leaf];
      total += trees_.leaf_weight[3 * leaf];
    }
    to[0] += weight * (total > 0 ? sum / total : value_[first]);
    return;
  }
  if (last - first == 1 && only_[first] >= 0) {
    to[static_cast<std::size_t>(only_[first])] += weight;
    return;
  }
  const auto begin = static_cast<std::size_t>(trees_.leaf_start[first]),
             end = static_cast<std::size_t>(trees_.leaf_start[last]);
  const auto scaled = [&](std::size_t k) {
    const auto c = static_cast<std::size_t>(trees_.leaf_class[k]);
    return trees_.class_scale.empty() ? trees_.leaf_weight[k] : trees_.leaf_weight[k] * trees_.class_scale[c];
  };
  double total = 0;
  for (std::size_t k = begin; k < end; ++k) total += scaled(k);
  if (!(total > 0)) {
    to[static_cast<std::size_t>(trees_.leaf_label[first])] += weight;
    return;
  }
  for (std::size_t k = begin; k < end; ++k)
    to[static_cast<std::size_t>(trees_.leaf_class[k])] += weight * (scaled(k) / total);
}

// The class with the largest share, or the cheapest; the first of those that are equal but for rounding.
std::size_t ForestWalker::best(std::span<const double> shares) const {
  constexpr double rounding = 1e-12;
  const std::size_t n = shares.size();
  std::vector<double> worth(shares.begin(), shares.end());
  if (!trees_.costs.empty())
    for (std::size_t said = 0; said < n; ++said) {
      worth[said] = 0;
      for (std::size_t is = 0; is < n; ++is) worth[said] -= shares[is] * trees_.costs[is * n + said];
    }
  const double most = *std::max_element(worth.begin(), worth.end());
  std::size_t c = 0;
  while (!(worth[c] >= most - rounding)) ++c;
  return c;
}

void ForestWalker::add_row(std::size_t tree, std::int32_t node, const Votes& votes, std::size_t row) const {
  const std::size_t n = n_outputs();
  const auto to = votes.sum.subspan(row * n, n);
  ++votes.n_votes[row];
  if (votes.ballot == Ballot::mean || trees_.n_classes == 0) return add_answer(tree, node, 1.0, to);
  const std::size_t i = static_cast<std::size_t>(trees_.tree_start[tree]) + static_cast<std::size_t>(node);
  if (routers_.empty() || trees_.nodes.kind[i] == 0) {
    to[static_cast<std::size_t>(trees_.leaf_label[static_cast<std::size_t>(first_leaf_[i])])] += 1;
    return;
  }
  std::vector<double> shares(n);
  add_answer(tree, node, 1.0, shares);
  to[best(shares)] += 1;
}

void ForestWalker::add_parts(std::size_t tree, const Routed& routed, std::size_t first, std::size_t last,
                             const Votes& votes) const {
  const std::size_t n = n_outputs();
  const auto row = static_cast<std::size_t>(routed.part_row[first]);
  const auto to = votes.sum.subspan(row * n, n);
  std::vector<double> shares(n);
  for (std::size_t p = first; p < last; ++p)
    add_answer(tree, routed.part_node[p], routed.part_weight[p], shares);
  ++votes.n_votes[row];
  if (votes.ballot == Ballot::majority && trees_.n_classes > 0) {
    to[best(shares)] += 1;
    return;
  }
  for (std::size_t c = 0; c < n; ++c) to[c] += shares[c];
}

template <class T>
void ForestWalker::add_block(const RouteColumns<T>& columns, std::size_t begin, std::size_t end,
                             const Votes& votes, std::span<std::int32_t> node) const {
  const std::size_t n_rows = node.size(), n = n_outputs();
  const bool has_classes = trees_.n_classes > 0, is_mean = votes.ballot == Ballot::mean;
  std::vector<std::size_t> odd;
  for (std::size_t t = 0; t < n_trees(); ++t) {
    layouts_[t].walk(columns, begin, end, node, odd);
    const std::uint8_t* is_out = votes.is_out.empty() ? nullptr : votes.is_out.data() + t * n_rows;
    const std::int32_t* leaf_of = first_leaf_.data() + trees_.tree_start[t];
    for (std::size_t row = begin; row < end; ++row) {
      if (is_out != nullptr && is_out[row] == 0) continue;
      const auto leaf = static_cast<std::size_t>(leaf_of[node[row]]);
      if (!has_classes) {
        votes.sum[row] += value_[leaf];
      } else if (is_mean && only_[leaf] < 0) {
        add_answer(t, node[row], 1.0, votes.sum.subspan(row * n, n));
      } else {
        const std::int32_t c = is_mean ? only_[leaf] : trees_.leaf_label[leaf];
        votes.sum[row * n + static_cast<std::size_t>(c)] += 1;
      }
      ++votes.n_votes[row];
    }
  }
}

template <class T>
Refusal ForestWalker::vote(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                           const Votes& votes) const {
  if (!routers_.empty()) return vote_tree_by_tree(columns, n_rows, n_threads, votes);
  const auto n = static_cast<std::size_t>(n_rows);
  std::vector<std::int32_t> node(n);
  in_shares(static_cast<std::size_t>(std::max<std::int64_t>(1, n_threads)), (n + block - 1) / block, {},
            [&](std::size_t b, std::size_t) {
              add_block(columns, b * block, std::min(n, (b + 1) * block), votes, node);
            });
  return {};
}

template <class T>
Refusal ForestWalker::vote_tree_by_tree(const RouteColumns<T>& columns, std::int64_t n_rows,
                                        std::int64_t n_threads, const Votes& votes) const {
  const auto n = static_cast<std::size_t>(n_rows);
  Refusal refusal;
  for (std::size_t t = 0; t < n_trees(); ++t) {
    const Routed routed = routers_[t].route(columns, n_rows, n_threads);
    const std::uint8_t* is_out = votes.is_out.empty() ? nullptr : votes.is_out.data() + t * n;
    std::size_t part = 0;
    const std::size_t n_parts = routed.part_row.size();
    for (std::size_t row = 0; row < n; ++row) {
      const std::size_t first = part;
      while (part < n_parts && static_cast<std::size_t>(routed.part_row[part]) == row) ++part;
      if (is_out != nullptr && is_out[row] == 0) continue;
      if (routed.node[row] < 0)
        keep_first(refusal, {static_cast<std::int64_t>(row), static_cast<std::int32_t>(t),
                             -1 - routed.node[row]});
      else if (part > first)
        add_parts(t, routed, first, part, votes);
      else
        add_row(t, routed.node[row], votes, row);
    }
  }
  return refusal;
}

template <class T>
Refusal ForestWalker::leaves(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                             std::span<std::int32_t> node) const {
  const auto n = static_cast<std::size_t>(n_rows);
  Refusal refusal;
  std::vector<std::int32_t> found(n);
  const auto put = [&](std::size_t t, std::size_t begin, std::size_t end, std::span<const std::int32_t> of) {
    for (std::size_t row = begin; row < end; ++row) node[row * n_trees() + t] = of[row];
  };
  if (routers_.empty()) {
    in_shares(static_cast<std::size_t>(std::max<std::int64_t>(1, n_threads)), (n + block - 1) / block, {},
              [&](std::size_t b, std::size_t) {
                const std::size_t begin = b * block, end = std::min(n, begin + block);
                std::vector<std::size_t> odd;
                for (std::size_t t = 0; t < n_trees(); ++t) {
                  layouts_[t].walk(columns, begin, end, found, odd);
                  put(t, begin, end, found);
                }
              });
    return refusal;
  }
  for (std::size_t t = 0; t < n_trees(); ++t) {
    const Routed routed = routers_[t].route(columns, n_rows, n_threads);
    for (std::size_t row = 0; row < n; ++row)
      if (routed.node[row] < 0)
        keep_first(refusal, {static_cast<std::int64_t>(row), static_cast<std::int32_t>(t),
                             -1 - routed.node[row]});
    put(t, 0, n, routed.node);
  }
  return refusal;
}

template Refusal ForestWalker::vote(const RouteColumns<float>&, std::int64_t, std::int64_t,
                                    const Votes&) const;
template Refusal ForestWalker::vote(const RouteColumns<double>&, std::int64_t, std::int64_t,
                                    const Votes&) const;
template Refusal ForestWalker::leaves(const RouteColumns<float>&, std::int64_t, std::int64_t,
                                      std::span<std::int32_t>) const;
template Refusal ForestWalker::leaves(const RouteColumns<double>&, std::int64_t, std::int64_t,
                                      std::span<std::int32_t>) const;

}  // namespace treewright
