// A tree, or a part of one, as it is grown where columns are drawn: few figures a node, in preorder at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../filters/impurity.hpp"
#include "../label.hpp"
#include "../tree.hpp"
#include "drawn_rows.hpp"
#include "shared.hpp"

namespace treewright {

// The test that a cut is: half way between two rows, unless it lies elsewhere.
inline Split split_at(const Column& column, std::uint32_t c, Neighbours rows, double elsewhere,
                      Tag::Gap gap) {
  Split split = cut_between(c, column.number[rows.below], column.number[rows.above], gap);
  if (!std::isnan(elsewhere)) split.cut = elsewhere;
  return split;
}

// Is a node with these weights by class, in units, a leaf whatever its columns offer?
inline bool is_leaf_at_once(std::span<const double> counts, std::int64_t depth, std::size_t n_rows,
                            const Input<ClassTarget>& input) {
  const Settings& s = input.settings;
  double most = 0, weight = 0;
  for (double count : counts) {
    most = std::max(most, count);
    weight += count;
  }
  if (most == weight || depth >= s.max_depth || static_cast<double>(n_rows) < s.min_split ||
      most > s.majority_share * weight)
    return true;
  if (!(s.min_impurity > 0)) return false;
  const Scale scale = input.scale();
  Reals reals(scale);
  const ClassGroup group = reals.group(counts);
  return filters::is_below_limit(filters::impurity_of(group, group.total, s), s);
}

class DrawnTree {
 public:
  explicit DrawnTree(std::size_t n_classes) : n_classes_(n_classes) {}

  // Make room for what so many rows grow to, as a rule; a vector that grows is copied again and again.
  void clear(std::size_t n_rows) {
    nodes_.clear();
    counts_.clear();
    const std::size_t n_nodes = std::min(n_rows / 2, most_room / n_classes_);
    nodes_.reserve(n_nodes);
    counts_.reserve(n_nodes * n_classes_);
  }
  // Add the next node, a leaf so far, with its weights by class, in units. Nodes come in preorder.
  std::size_t add(std::size_t n_rows, std::span<const double> counts) {
    nodes_.emplace_back().n_rows = static_cast<std::uint32_t>(n_rows);
    counts_.insert(counts_.end(), counts.begin(), counts.end());
    return nodes_.size() - 1;
  }
  // Give a node its test, a cut half way between the values of two rows unless another was drawn; its
  // children are still to come.
  void split(std::size_t node, std::uint32_t column, Neighbours rows, double gain, double drawn_cut = no_cut,
             Tag::Gap gap = Tag::apart) {
    nodes_[node].column = static_cast<std::int32_t>(column);
    nodes_[node].gap = gap;
    nodes_[node].rows = rows;
    nodes_[node].gain = gain;
    nodes_[node].drawn_cut = drawn_cut;
  }

  // The whole tree as arrays.
  TreeArrays arrays(std::span<const Column> columns, const Settings& settings) const {
    TreeArrays out;
    const std::size_t n = nodes_.size();
    out.n_stats = static_cast<std::int64_t>(n_classes_);
    out.resize(n);
    out.end = ends();
    out.stats = counts_;
    if (settings.weight_unit != 1)
      for (double& weight : out.stats) weight *= settings.weight_unit;
    out.surrogate_start.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const Node& node = nodes_[i];
      if (i + ahead < n) fetch_values(nodes_[i + ahead], columns);
      out.column[i] = node.column;
      out.kind[i] = static_cast<std::uint8_t>(node.is_leaf() ? SplitKind::none : SplitKind::cut);
      out.cut[i] = cut(node, columns);
      out.score[i] = out.gain[i] = node.gain;
      out.n_rows[i] = node.n_rows;
      out.label[i] = label_of(counts(i), node.n_rows, settings);
      if (node.is_leaf()) continue;
      const std::int64_t known[] = {weight(i + 1), weight(static_cast<std::size_t>(out.end[i + 1]))};
      out.largest[i] = branches::heaviest(known, settings.weight_slack(node.n_rows));
      out.missing[i] = node.gap >= 0 ? node.gap : branches::of_gaps(known, settings, node.n_rows);
    }
    return out;
  }

  // Put the nodes below one that other threads know of.
  void graft(std::int32_t root, const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared) const {
    const std::vector<std::int32_t> end = ends();
    std::vector<std::int32_t> place(nodes_.size());
    place[0] = root;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.is_leaf()) continue;
      const std::size_t left = i + 1, right = static_cast<std::size_t>(end[i + 1]);
      const auto left_opening = input.open(stats(left), std::span<const Piece>()),
                 right_opening = input.open(stats(right), std::span<const Piece>());
      Split split = split_at(input.columns[static_cast<std::size_t>(node.column)],
                             static_cast<std::uint32_t>(node.column), node.rows, node.drawn_cut, node.gap);
      place_gaps(split, input.settings, left_opening.stats.weight, right_opening.stats.weight, node.n_rows);
      place[left] = shared.split(place[i], std::move(split), node.gain, left_opening, right_opening);
      place[right] = place[left] + 1;
    }
  }

 private:
  static constexpr std::size_t most_room = std::size_t{1} << 22;
  static constexpr double no_cut = std::numeric_limits<double>::quiet_NaN();
  struct Node {
    std::int32_t column = -1;
    std::uint32_t n_rows = 0;
    Neighbours rows;
    double gain = std::numeric_limits<double>::quiet_NaN(), drawn_cut = no_cut;
    Tag::Gap gap = Tag::apart;  // the branch of rows without a value, if there are any
    bool is_leaf() const { return column < 0; }
  };

  // Values are looked up in the end, from all over the table: cache misses overlap where many are on their
  // way at once (prefetch).
  static constexpr std::size_t ahead = 16;
  static void fetch_values(const Node& node, std::span<const Column> columns) {
    if (node.is_leaf()) return;
    const Numbers& numbers = columns[static_cast<std::size_t>(node.column)].number;
    numbers.fetch(node.rows.below);
    numbers.fetch(node.rows.above);
  }
  static double cut(const Node& node, std::span<const Column> columns) {
    if (node.is_leaf() || !std::isnan(node.drawn_cut)) return node.drawn_cut;
    const Numbers& numbers = columns[static_cast<std::size_t>(node.column)].number;
    return midpoint(numbers[node.rows.below] + 0.0, numbers[node.rows.above] + 0.0);
  }
  // Where each subtree ends: of two children the second begins where the first ends.
  std::vector<std::int32_t> ends() const {
    std::vector<std::int32_t> end(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;)
      end[i] =
          nodes_[i].is_leaf() ? static_cast<std::int32_t>(i + 1) : end[static_cast<std::size_t>(end[i + 1])];
    return end;
  }
  std::span<const double> counts(std::size_t i) const {
    return std::span(counts_).subspan(i * n_classes_, n_classes_);
  }
  std::int64_t weight(std::size_t i) const {
    std::int64_t sum = 0;
    for (double count : counts(i)) sum += static_cast<std::int64_t>(count);
    return sum;
  }
  ClassStats stats(std::size_t i) const {
    ClassStats found(n_classes_);
    found.rows = nodes_[i].n_rows;
    for (std::size_t j = 0; j < n_classes_; ++j)
      found.weight += found.counts[j] = static_cast<std::int64_t>(counts(i)[j]);
    return found;
  }

  std::size_t n_classes_;
  std::vector<Node> nodes_;
  std::vector<double> counts_;  // n_classes_ a node
};

}  // namespace treewright
