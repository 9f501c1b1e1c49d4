// The nodes of a tree while it grows, in the order they were opened (children after their parents), and how
// they are laid out in the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "label.hpp"
#include "opening.hpp"
#include "settings.hpp"
#include "split.hpp"
#include "stats.hpp"
#include "surrogate.hpp"
#include "tree.hpp"

namespace treewright {

struct Node {
  std::int32_t parent = -1, first_child = -1, n_children = 0, largest = -1, label = 0;
  std::int64_t n_rows = 0;
  double score = std::numeric_limits<double>::quiet_NaN(), gain = score;
  Split split;
  std::vector<Surrogate> surrogates;
  std::pair<std::size_t, std::size_t> ledger{0, 0};  // its records
};

class Nodes {
 public:
  // `n_classes` is 0 for regression.
  Nodes(const Settings& settings, std::size_t n_classes)
      : settings_(settings), n_classes_(n_classes), width_(n_classes > 0 ? n_classes : 3) {}

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  Node& operator[](std::int32_t i) { return nodes_[static_cast<std::size_t>(i)]; }

  // Add a node with what its rows amount to; an empty one takes after its parent. Where `classes` are given,
  // the figures are those of these classes, ascending, and all others have no rows.
  template <class Stats>
  std::int32_t add(std::int32_t parent, const Opening<Stats>& opening,
                   std::span<const std::int32_t> classes = {}) {
    Node node;
    node.parent = parent;
    node.n_rows = opening.stats.rows;
    write_stats(opening, parent, classes);
    const bool is_orphan = opening.stats.weight == 0 && parent >= 0;
    node.label =
        is_orphan ? nodes_[static_cast<std::size_t>(parent)].label : label_of(opening.stats, classes);
    nodes_.push_back(std::move(node));
    return size() - 1;
  }

  void keep_offers(std::int32_t i, const std::vector<Offer>& offers) {
    (*this)[i].ledger = {ledger_.size(), ledger_.size() + offers.size()};
    for (std::size_t c = 0; c < offers.size(); ++c) {
      Offer record = offers[c];
      record.split = Split();  // of the test itself only column and cut are kept
      record.split.column = static_cast<std::int32_t>(c);
      record.split.cut = offers[c].split.cut;
      ledger_.push_back(std::move(record));
    }
  }

  // A node that was to be split stays, or becomes again, a leaf.
  void make_leaf(std::int32_t i, Verdict why) {
    Node& node = (*this)[i];
    for (std::size_t r = node.ledger.first; r < node.ledger.second; ++r)
      if (ledger_[r].is_possible()) ledger_[r].verdict = why;
    node.n_children = 0;
    node.split = {};
    node.surrogates = {};
    node.largest = -1;
    node.score = node.gain = std::numeric_limits<double>::quiet_NaN();
  }

  // One backward pass sees every subtree before its root.
  void collapse_useless() {
    std::vector<double> error(nodes_.size());
    for (std::int32_t i = size(); i-- > 0;) {
      const Node& node = (*this)[i];
      double& own = error[static_cast<std::size_t>(i)];
      own = leaf_error(static_cast<std::size_t>(i));
      if (node.n_children == 0) continue;
      double below = staying_error(static_cast<std::size_t>(i));
      for (std::int32_t c = 0; c < node.n_children; ++c)
        below += error[static_cast<std::size_t>(node.first_child + c)];
      if (below >= own - settings_.collapse_margin)
        make_leaf(i, Verdict::collapsed);
      else
        own = below;
    }
  }

  TreeArrays preorder() const {
    TreeArrays out;
    out.n_stats = static_cast<std::int64_t>(width_);
    if (n_classes_ > 0 && nodes_.size() * n_classes_ > most_dense) out.stats_start.push_back(0);
    std::vector<std::int32_t> place(nodes_.size(), -1), stack{0}, order;
    while (!stack.empty()) {
      const std::int32_t i = stack.back();
      stack.pop_back();
      place[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(order.size());
      order.push_back(i);
      const Node& node = nodes_[static_cast<std::size_t>(i)];
      for (std::int32_t c = node.n_children; c-- > 0;) stack.push_back(node.first_child + c);
    }
    out.end.assign(order.size(), 0);
    for (std::size_t p = order.size(); p-- > 0;) {
      const Node& node = nodes_[static_cast<std::size_t>(order[p])];
      const std::int32_t last = node.n_children == 0 ? -1 : node.first_child + node.n_children - 1;
      out.end[p] = last < 0 ? static_cast<std::int32_t>(p) + 1
                            : out.end[static_cast<std::size_t>(place[static_cast<std::size_t>(last)])];
    }
    for (std::size_t p = 0; p < order.size(); ++p) append(out, static_cast<std::size_t>(order[p]), p);
    return out;
  }

 private:
  static constexpr std::size_t most_dense = std::size_t{1} << 22;  // numbers of all nodes and classes

  std::int32_t label_of(const ClassStats& stats, std::span<const std::int32_t> classes) const {
    const std::span<const std::int64_t> counts(stats.counts);
    if (classes.empty()) return treewright::label_of(counts, stats.rows, settings_);
    return treewright::label_of(classes, counts, stats.rows, settings_);
  }
  std::int32_t label_of(const MomentStats&, std::span<const std::int32_t>) const { return 0; }
  std::int32_t label_of(const ValueStats&, std::span<const std::int32_t>) const { return 0; }

  // Only the classes with weight.
  void write_stats(const Opening<ClassStats>& o, std::int32_t, std::span<const std::int32_t> classes) {
    for (std::size_t c = 0; c < o.stats.counts.size(); ++c) {
      if (o.stats.counts[c] == 0) continue;
      class_.push_back(classes.empty() ? static_cast<std::int32_t>(c) : classes[c]);
      stats_.push_back(static_cast<double>(o.stats.counts[c]) * settings_.weight_unit);
    }
    start_.push_back(stats_.size());
  }
  // weight, mean, sum of squared deviations; an empty node has its parent's mean.
  template <class Moments>
  void write_stats(const Opening<Moments>& o, std::int32_t parent, std::span<const std::int32_t>) {
    double mean = 0;
    if (o.stats.weight > 0) {
      mean = mean_units(o.stats) * settings_.y_unit;
    } else if (parent >= 0) {
      mean = stats_[static_cast<std::size_t>(parent) * 3 + 1];
    }
    stats_.insert(stats_.end(),
                  {static_cast<double>(o.stats.weight) * settings_.weight_unit, mean, o.spread});
  }

  // weight, lower median, sum of distances from it; an empty node has its parent's median.
  void write_stats(const Opening<ValueStats>& o, std::int32_t parent, std::span<const std::int32_t>) {
    const bool takes_after = o.stats.weight == 0 && parent >= 0;
    const double answer = takes_after ? stats_[static_cast<std::size_t>(parent) * 3 + 1] : o.answer;
    stats_.insert(stats_.end(),
                  {static_cast<double>(o.stats.weight) * settings_.weight_unit, answer, o.spread});
  }

  // What a node would get wrong as a leaf: weight of other classes (or its cost), or its loss.
  double leaf_error(std::size_t i) const {
    if (n_classes_ == 0) return stats_[i * 3 + 2];
    return class_error(i, weights(i));
  }
  // The classes of a node, and their weights.
  std::span<const std::int32_t> classes(std::size_t i) const {
    return std::span(class_).subspan(start_[i], start_[i + 1] - start_[i]);
  }
  std::span<const double> weights(std::size_t i) const {
    return std::span(stats_).subspan(start_[i], start_[i + 1] - start_[i]);
  }
  // `weight` is of the classes of the node.
  double class_error(std::size_t i, std::span<const double> weight) const {
    const auto j = static_cast<std::size_t>(nodes_[i].label);
    double loss = 0;
    for (std::size_t n = 0; n < weight.size(); ++n) {
      const auto c = static_cast<std::size_t>(classes(i)[n]);
      const double cost = settings_.costs.empty() ? (c == j ? 0 : 1) : settings_.costs[c * n_classes_ + j];
      loss += weight[n] * cost * (settings_.label_scale.empty() ? 1 : settings_.label_scale[c]);
    }
    return loss;
  }
  // What it gets wrong of the rows that go to no branch, because no surrogate places them.
  double staying_error(std::size_t i) const {
    const Node& node = nodes_[i];
    if (settings_.missing != MissingPolicy::surrogate || node.split.missing >= 0) return 0;
    if (n_classes_ > 0) return class_error(i, staying(i));
    const double* stats = stats_.data() + i * 3;
    double weight = stats[0], squares = stats[2];
    for (std::int32_t c = 0; c < node.n_children; ++c) {
      const double* of_child = stats_.data() + static_cast<std::size_t>(node.first_child + c) * 3;
      const double apart = of_child[1] - stats[1];  // their squares about the mean of the node
      weight -= of_child[0];
      squares -= of_child[2] + of_child[0] * apart * apart;
    }
    return weight > 0 ? std::max(0.0, squares) : 0;
  }
  // Of each class of a node, what no child has.
  std::vector<double> staying(std::size_t i) const {
    const auto own = classes(i);
    std::vector<double> left(weights(i).begin(), weights(i).end());
    for (std::int32_t c = 0; c < nodes_[i].n_children; ++c) {
      const auto child = static_cast<std::size_t>(nodes_[i].first_child + c);
      std::size_t at = 0;
      for (std::size_t n = 0; n < classes(child).size(); ++n) {
        while (own[at] != classes(child)[n]) ++at;
        left[at] -= weights(child)[n];
      }
    }
    return left;
  }

  void append(TreeArrays& out, std::size_t i, std::size_t place) const {
    const Node& node = nodes_[i];
    out.column.push_back(node.split.column);
    out.kind.push_back(static_cast<std::uint8_t>(node.split.kind));
    out.cut.push_back(node.split.cut);
    out.missing.push_back(node.split.missing);
    out.largest.push_back(node.largest);
    out.code.insert(out.code.end(), node.split.code.begin(), node.split.code.end());
    out.code_branch.insert(out.code_branch.end(), node.split.branch.begin(), node.split.branch.end());
    out.code_start.push_back(static_cast<std::int64_t>(out.code.size()));
    out.score.push_back(node.score);
    out.gain.push_back(node.gain);
    out.exact.push_back(node.split.is_exact);
    out.n_rows.push_back(node.n_rows);
    out.label.push_back(node.label);
    append_stats(out, i);
    out.add_surrogates(node.surrogates);
    for (std::size_t r = node.ledger.first; r < node.ledger.second; ++r)
      append(out, static_cast<std::int32_t>(place), ledger_[r]);
  }
  void append_stats(TreeArrays& out, std::size_t i) const {
    if (n_classes_ == 0) {
      const double* first = stats_.data() + i * width_;
      out.stats.insert(out.stats.end(), first, first + width_);
    } else if (out.stats_start.empty()) {
      const std::size_t first = out.stats.size();
      out.stats.resize(first + n_classes_);
      for (std::size_t n = 0; n < weights(i).size(); ++n)
        out.stats[first + static_cast<std::size_t>(classes(i)[n])] = weights(i)[n];
    } else {
      out.stats.insert(out.stats.end(), weights(i).begin(), weights(i).end());
      out.stats_class.insert(out.stats_class.end(), classes(i).begin(), classes(i).end());
      out.stats_start.push_back(static_cast<std::int64_t>(out.stats.size()));
    }
  }
  static void append(TreeArrays& out, std::int32_t node, const Offer& offer) {
    out.ledger_node.push_back(node);
    out.ledger_column.push_back(offer.split.column);
    out.ledger_verdict.push_back(static_cast<std::uint8_t>(offer.verdict));
    out.ledger_score.push_back(offer.score);
    out.ledger_gain.push_back(offer.gain);
    out.ledger_split_info.push_back(offer.split_info);
    out.ledger_charge.push_back(offer.charge);
    out.ledger_cut.push_back(offer.split.cut);
    out.ledger_p_value.push_back(offer.p_value);
  }

  const Settings& settings_;
  std::size_t n_classes_, width_;
  std::vector<Node> nodes_;
  std::vector<double> stats_;          // numbers: width_ a node; classes: those with weight
  std::vector<std::int32_t> class_;    // which classes these are
  std::vector<std::size_t> start_{0};  // classes: where those of each node begin
  std::vector<Offer> ledger_;
};

}  // namespace treewright
