#include "treewright/forest_walk.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "treewright/parallel.hpp"

namespace treewright {

namespace {

void keep_first(Refusal& kept, const Refusal& other) {
  if (other.row >= 0 && (kept.row < 0 || other.row < kept.row)) kept = other;
}

}  // namespace

bool ForestWalker::needs_all(const RouteTree& nodes) {
  return nodes.gap != Detour::branch ||
         (nodes.unseen != Detour::branch && nodes.unseen != Detour::as_missing) || !nodes.term_column.empty();
}

ForestWalker::ForestWalker(const WalkedTrees& trees, bool is_single) : trees_(trees) {
  note_answers();
  if (needs_all(trees.nodes)) {
    add_weights();
    routers_.reserve(n_trees());
    for (std::size_t t = 0; t < n_trees(); ++t) routers_.emplace_back(tree_nodes(t));
  } else if (has_only_turns(trees.nodes, trees.tree_start)) {
    if (is_single)
      single_turns_ = turns_of<float>(trees.nodes, trees.tree_start);
    else
      turns_ = turns_of<double>(trees.nodes, trees.tree_start);
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
  if (!one.term_start.empty()) one.term_start = one.term_start.subspan(begin, n + 1);
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

// Work on blocks of rows, by whoever is free. A tree over a block takes milliseconds: between two of them
// there is time to breathe.
template <class T, class Work>
void ForestWalker::in_blocks(const RouteColumns<T>& columns, std::size_t n_rows, std::int64_t n_threads,
                             const Breathe& breathe, Work work) const {
  constexpr std::size_t least = 1024;
  const auto threads = static_cast<std::size_t>(std::max<std::int64_t>(1, n_threads));
  const std::size_t fitting = Block<T>::most_cells / std::max<std::size_t>(1, columns.number.size());
  const std::size_t size = std::max(least, std::min(fitting, (n_rows + threads - 1) / threads));
  std::vector<std::int32_t> node(layouts_.empty() ? 0 : n_rows);
  Breath breath(breathe);
  in_shares(
      threads, (n_rows + size - 1) / size, [&] { breath(0); },
      [&](std::size_t b, std::size_t thread) {
        const std::size_t begin = b * size, end = std::min(n_rows, begin + size);
        std::optional<Block<T>> block;
        std::vector<std::uint32_t> leaf;
        if (layouts_.empty()) {
          block.emplace(columns, begin, end);
          leaf.resize(end - begin);
        }
        const Rows<T> rows{columns, begin, end, block ? &*block : nullptr, leaf, node};
        for (std::size_t t = 0; t < n_trees(); ++t) {
          breath(thread);
          work(rows, t);
        }
      });
}

// The nodes of leaves, counted from their tree's root.
std::vector<std::int32_t> ForestWalker::leaf_nodes() const {
  std::vector<std::int32_t> found;
  found.reserve(static_cast<std::size_t>(first_leaf_.back()));
  for (std::size_t t = 0; t < n_trees(); ++t)
    for (auto i = trees_.tree_start[t]; i < trees_.tree_start[t + 1]; ++i)
      if (first_leaf_[static_cast<std::size_t>(i)] != first_leaf_[static_cast<std::size_t>(i) + 1])
        found.push_back(static_cast<std::int32_t>(i - trees_.tree_start[t]));
  return found;
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
  add_leaves(first, last, weight, to);
}

// What leaves in a row say together, by their weight.
void ForestWalker::add_leaves(std::size_t first, std::size_t last, double weight,
                              std::span<double> to) const {
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

template <>
const Turns<double>& ForestWalker::turns() const {
  if (turns_.start.empty()) throw std::invalid_argument("the trees are laid out for float32");
  return turns_;
}
template <>
const Turns<float>& ForestWalker::turns() const {
  if (single_turns_.start.empty()) throw std::invalid_argument("the trees are laid out for float64");
  return single_turns_;
}

// Rows [begin, end) down one tree where each takes one way: put(row, leaf), leaves counted over all trees.
template <class T, class Put>
void ForestWalker::walk_block(const Rows<T>& rows, std::size_t tree, Put put) const {
  const std::int32_t* leaf_of = first_leaf_.data() + trees_.tree_start[tree];
  if (layouts_.empty()) {
    const auto first = static_cast<std::size_t>(leaf_of[0]);
    descend(turns<T>(), tree, *rows.block, rows.leaf);
    for (std::size_t row = rows.begin; row < rows.end; ++row) put(row, first + rows.leaf[row - rows.begin]);
    return;
  }
  std::vector<std::size_t> odd;
  layouts_[tree].walk(rows.columns, rows.begin, rows.end, rows.node, odd);
  for (std::size_t row = rows.begin; row < rows.end; ++row)
    put(row, static_cast<std::size_t>(leaf_of[rows.node[row]]));
}

template <class T>
void ForestWalker::add_block(const Rows<T>& rows, std::size_t tree, const Votes& votes) const {
  const std::size_t n = n_outputs(), n_rows = votes.n_votes.size();
  const std::uint8_t* is_out = votes.is_out.empty() ? nullptr : votes.is_out.data() + tree * n_rows;
  const auto among_out = [&](auto add) {
    if (is_out == nullptr)
      walk_block(rows, tree, add);
    else
      walk_block(rows, tree, [&](std::size_t row, std::size_t leaf) {
        if (is_out[row] != 0) add(row, leaf);
      });
  };
  if (trees_.n_classes == 0) {
    among_out([&](std::size_t row, std::size_t leaf) { votes.sum[row] += value_[leaf]; });
  } else if (votes.ballot == Ballot::majority) {
    among_out([&](std::size_t row, std::size_t leaf) {
      votes.sum[row * n + static_cast<std::size_t>(trees_.leaf_label[leaf])] += 1;
    });
  } else {
    among_out([&](std::size_t row, std::size_t leaf) {
      if (only_[leaf] >= 0) [[likely]]
        votes.sum[row * n + static_cast<std::size_t>(only_[leaf])] += 1;
      else
        add_leaves(leaf, leaf + 1, 1.0, votes.sum.subspan(row * n, n));
    });
  }
  for (std::size_t row = rows.begin; row < rows.end; ++row)
    votes.n_votes[row] += is_out == nullptr || is_out[row] != 0 ? 1 : 0;
}

template <class T>
Refusal ForestWalker::vote(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                           const Votes& votes, const Breathe& breathe) const {
  if (!routers_.empty()) return vote_tree_by_tree(columns, n_rows, n_threads, votes, breathe);
  const auto n = static_cast<std::size_t>(n_rows);
  in_blocks(columns, n, n_threads, breathe,
            [&](const Rows<T>& rows, std::size_t tree) { add_block(rows, tree, votes); });
  return {};
}

template <class T>
Refusal ForestWalker::vote_tree_by_tree(const RouteColumns<T>& columns, std::int64_t n_rows,
                                        std::int64_t n_threads, const Votes& votes,
                                        const Breathe& breathe) const {
  constexpr std::size_t some = 1 << 14;  // rows between two breaths
  const auto n = static_cast<std::size_t>(n_rows);
  Refusal refusal;
  for (std::size_t t = 0; t < n_trees(); ++t) {
    const Routed routed = routers_[t].route(columns, n_rows, n_threads, breathe);
    const std::uint8_t* is_out = votes.is_out.empty() ? nullptr : votes.is_out.data() + t * n;
    std::size_t part = 0;
    const std::size_t n_parts = routed.part_row.size();
    for (std::size_t row = 0; row < n; ++row) {
      if (row % some == some - 1 && breathe) breathe();
      const std::size_t first = part;
      while (part < n_parts && static_cast<std::size_t>(routed.part_row[part]) == row) ++part;
      if (is_out != nullptr && is_out[row] == 0) continue;
      if (routed.node[row] < 0)
        keep_first(refusal,
                   {static_cast<std::int64_t>(row), static_cast<std::int32_t>(t), -1 - routed.node[row]});
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
                             std::span<std::int32_t> node, const Breathe& breathe) const {
  const auto n = static_cast<std::size_t>(n_rows);
  if (routers_.empty()) {
    const auto node_of_leaf = leaf_nodes();
    in_blocks(columns, n, n_threads, breathe, [&](const Rows<T>& rows, std::size_t tree) {
      walk_block(rows, tree, [&](std::size_t row, std::size_t leaf) {
        node[row * n_trees() + tree] = node_of_leaf[leaf];
      });
    });
    return {};
  }
  Refusal refusal;
  for (std::size_t t = 0; t < n_trees(); ++t) {
    const Routed routed = routers_[t].route(columns, n_rows, n_threads, breathe);
    for (std::size_t row = 0; row < n; ++row)
      if (routed.node[row] < 0)
        keep_first(refusal,
                   {static_cast<std::int64_t>(row), static_cast<std::int32_t>(t), -1 - routed.node[row]});
    for (std::size_t row = 0; row < n; ++row) node[row * n_trees() + t] = routed.node[row];
  }
  return refusal;
}

template Refusal ForestWalker::vote(const RouteColumns<float>&, std::int64_t, std::int64_t, const Votes&,
                                    const Breathe&) const;
template Refusal ForestWalker::vote(const RouteColumns<double>&, std::int64_t, std::int64_t, const Votes&,
                                    const Breathe&) const;
template Refusal ForestWalker::leaves(const RouteColumns<float>&, std::int64_t, std::int64_t,
                                      std::span<std::int32_t>, const Breathe&) const;
template Refusal ForestWalker::leaves(const RouteColumns<double>&, std::int64_t, std::int64_t,
                                      std::span<std::int32_t>, const Breathe&) const;

}  // namespace treewright
