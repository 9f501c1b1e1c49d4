// The nodes of a tree while it grows, in the order they were opened (children after their parents), and how
// they are laid out in the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "label.hpp"
#include "opening.hpp"
#include "roomy.hpp"
#include "settings.hpp"
#include "split.hpp"
#include "stats.hpp"
#include "surrogate.hpp"
#include "tree.hpp"

namespace treewright {

// What an inner node asks; its children lie one behind the other.
struct Test {
  Split split;
  double score = 0, gain = 0;
  std::int32_t first_child = 0, largest = 0;
  std::vector<Surrogate> surrogates;
  std::int32_t n_children = -1;  // -1: each branch is a node
  std::size_t branches = 0;      // else where it is listed which branches they are

  std::int32_t last_child() const { return first_child + (n_children < 0 ? split.n_branches : n_children); }
};

// A multiway test has hundreds of leaves, most of them empty: what only inner nodes have lies elsewhere, and
// a branch without rows need not be a node before all are laid out.
struct Node {
  std::int64_t n_rows = 0;
  std::int32_t label = 0, test = -1;
  std::size_t stats = 0;  // classes: where those of the node begin
};

class Nodes {
 public:
  // `n_classes` is 0 for regression.
  Nodes(const Settings& settings, std::size_t n_classes)
      : settings_(settings), n_classes_(n_classes), width_(n_classes > 0 ? n_classes : 3) {}

  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  // With the branches that are no nodes yet.
  std::int64_t n_in_all() const { return size() + n_left_out_; }
  // Add a node with what its rows amount to; an empty one takes after its parent. Where `classes` are given,
  // the figures are those of these classes, ascending, and all others have no rows.
  template <class Stats>
  std::int32_t add(std::int32_t parent, const Opening<Stats>& opening,
                   std::span<const std::int32_t> classes = {}) {
    if (opening.stats.weight == 0 && parent >= 0) return add_empty(parent);
    const std::int32_t node = push(opening.stats.rows, label_of(opening.stats, classes));
    write_stats(opening, classes);
    return node;
  }
  // The same from class weights alone.
  std::int32_t add(const ClassStats& stats) {
    const std::int32_t node = push(stats.rows, label_of(stats, {}));
    write_stats(stats, {});
    return node;
  }

  // Give a node its test; its children are, or will be, there.
  void split(std::int32_t i, Test&& test) {
    at(i).test = static_cast<std::int32_t>(tests_.size());
    tests_.push_back(std::move(test));
  }
  // The same where only these branches have rows: the others are no nodes.
  void split(std::int32_t i, Test&& test, std::span<const std::int32_t> with_rows) {
    const auto n = static_cast<std::int32_t>(with_rows.size());
    if (n < test.split.n_branches) {
      test.n_children = n;
      test.branches = branches_.size();
      branches_.insert(branches_.end(), with_rows.begin(), with_rows.end());
      n_left_out_ += test.split.n_branches - n;
    }
    split(i, std::move(test));
  }

  void keep_offers(std::int32_t i, const std::vector<Offer>& offers) {
    if (records_.size() < nodes_.size()) records_.resize(nodes_.size());
    records_[static_cast<std::size_t>(i)] = {ledger_.size(), ledger_.size() + offers.size()};
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
    const auto [first, last] = records(static_cast<std::size_t>(i));
    for (std::size_t r = first; r < last; ++r)
      if (ledger_[r].is_possible()) ledger_[r].verdict = why;
    has_lost_nodes_ |= at(i).test >= 0;
    at(i).test = -1;
  }

  // One backward pass sees every subtree before its root.
  void collapse_useless() {
    std::vector<double> error(nodes_.size());
    for (std::int32_t i = size(); i-- > 0;) {
      double& own = error[static_cast<std::size_t>(i)];
      own = leaf_error(static_cast<std::size_t>(i));
      const Test* test = test_of(static_cast<std::size_t>(i));
      if (test == nullptr) continue;
      double below = staying_error(static_cast<std::size_t>(i), *test);
      for (std::int32_t c = test->first_child; c < test->last_child(); ++c)
        below += error[static_cast<std::size_t>(c)];
      if (below >= own - settings_.collapse_margin)
        make_leaf(i, Verdict::collapsed);
      else
        own = below;
    }
  }

  TreeArrays preorder() const {
    auto n_nodes = static_cast<std::size_t>(n_in_all());
    if (has_lost_nodes_) {
      n_nodes = 0;
      walk([&](std::size_t, std::size_t) { ++n_nodes; },
           [&](std::size_t, std::size_t, std::size_t n) { n_nodes += n; }, [](std::size_t, std::size_t) {});
    }
    TreeArrays out = room_for(n_nodes);
    std::size_t n_stats = 0, n_made = 0;
    auto make = [&](std::size_t n) {
      if (n <= n_made) return;
      n_made = std::min(n_nodes, n + some_leaves);
      add_leaves(out, n_made);
    };
    walk(
        [&](std::size_t i, std::size_t place) {
          make(place + 1);
          write(out, n_stats, i, place);
        },
        [&](std::size_t parent, std::size_t place, std::size_t n) {
          make(place + n);
          write_empty(out, n_stats, parent, place, n);
        },
        [&](std::size_t place, std::size_t end) { out.end[place] = static_cast<std::int32_t>(end); });
    if (out.is_sparse()) {
      out.stats.resize(n_stats);
      out.stats_class.resize(n_stats);
    }
    return out;
  }

 private:
  static constexpr std::size_t most_dense = std::size_t{1} << 22;  // numbers of all nodes and classes
  // So many nodes are made at a time, in all arrays: they are still in the cache when they are filled in.
  static constexpr std::size_t some_leaves = 2048;

  Node& at(std::int32_t i) { return nodes_[static_cast<std::size_t>(i)]; }
  const Test* test_of(std::size_t i) const {
    return nodes_[i].test < 0 ? nullptr : &tests_[static_cast<std::size_t>(nodes_[i].test)];
  }
  // Where its records are in the ledger: from, to.
  std::pair<std::size_t, std::size_t> records(std::size_t i) const {
    return i < records_.size() ? records_[i] : std::pair<std::size_t, std::size_t>{0, 0};
  }
  std::int32_t push(std::int64_t n_rows, std::int32_t label) {
    nodes_.push_back({n_rows, label, -1, stats_.size()});
    return size() - 1;
  }
  std::int32_t add_empty(std::int32_t parent) {
    const std::int32_t node = push(0, at(parent).label);
    if (n_classes_ == 0)
      stats_.insert(stats_.end(), {0, stats_[static_cast<std::size_t>(parent) * 3 + 1], 0});
    return node;
  }

  std::int32_t label_of(const ClassStats& stats, std::span<const std::int32_t> classes) const {
    const std::span<const std::int64_t> counts(stats.counts);
    if (classes.empty()) return treewright::label_of(counts, stats.rows, settings_);
    return treewright::label_of(classes, counts, stats.rows, settings_);
  }
  std::int32_t label_of(const MomentStats&, std::span<const std::int32_t>) const { return 0; }
  std::int32_t label_of(const ValueStats&, std::span<const std::int32_t>) const { return 0; }

  // Only the classes with weight.
  void write_stats(const ClassStats& stats, std::span<const std::int32_t> classes) {
    for (std::size_t c = 0; c < stats.counts.size(); ++c) {
      if (stats.counts[c] == 0) continue;
      class_.push_back(classes.empty() ? static_cast<std::int32_t>(c) : classes[c]);
      stats_.push_back(static_cast<double>(stats.counts[c]) * settings_.weight_unit);
    }
  }
  void write_stats(const Opening<ClassStats>& o, std::span<const std::int32_t> classes) {
    write_stats(o.stats, classes);
  }
  // weight, mean, sum of squared deviations
  template <class Moments>
  void write_stats(const Opening<Moments>& o, std::span<const std::int32_t>) {
    write_numbers(o, o.stats.weight > 0 ? mean_units(o.stats) * settings_.y_unit : 0);
  }
  // weight, lower median, sum of distances from it
  void write_stats(const Opening<ValueStats>& o, std::span<const std::int32_t>) {
    write_numbers(o, o.answer);
  }
  template <class Moments>
  void write_numbers(const Opening<Moments>& o, double answer) {
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
    return std::span(class_).subspan(nodes_[i].stats, stats_end(i) - nodes_[i].stats);
  }
  std::span<const double> weights(std::size_t i) const {
    return std::span(stats_).subspan(nodes_[i].stats, stats_end(i) - nodes_[i].stats);
  }
  std::size_t stats_end(std::size_t i) const {
    return i + 1 < nodes_.size() ? nodes_[i + 1].stats : stats_.size();
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
  double staying_error(std::size_t i, const Test& test) const {
    if (settings_.missing != MissingPolicy::surrogate || test.split.missing >= 0) return 0;
    if (n_classes_ > 0) return class_error(i, staying(i, test));
    const double* stats = stats_.data() + i * 3;
    double weight = stats[0], squares = stats[2];
    for (std::int32_t c = test.first_child; c < test.last_child(); ++c) {
      const double* of_child = stats_.data() + static_cast<std::size_t>(c) * 3;
      const double apart = of_child[1] - stats[1];  // their squares about the mean of the node
      weight -= of_child[0];
      squares -= of_child[2] + of_child[0] * apart * apart;
    }
    return weight > 0 ? std::max(0.0, squares) : 0;
  }
  // Of each class of a node, what no child has.
  std::vector<double> staying(std::size_t i, const Test& test) const {
    const auto own = classes(i);
    std::vector<double> left(weights(i).begin(), weights(i).end());
    for (auto child = static_cast<std::size_t>(test.first_child);
         child < static_cast<std::size_t>(test.last_child()); ++child) {
      std::size_t at = 0;
      for (std::size_t n = 0; n < classes(child).size(); ++n) {
        while (own[at] != classes(child)[n]) ++at;
        left[at] -= weights(child)[n];
      }
    }
    return left;
  }

  // Every node in preorder: enter(node, its place), for branches that are no nodes skip(parent, the place of
  // the first, how many), and once all below a node are entered leave(place, end).
  template <class Enter, class Skip, class Leave>
  void walk(Enter enter, Skip skip, Leave leave) const {
    struct Stretch {
      std::size_t next, stop, parent, place;  // children still to come, their parent, and its place
      std::size_t branch, n_branches;         // the branches still to come
      const std::int32_t* branches;           // of all children; null: each branch is a node
      std::size_t n_empty() const {
        if (branches == nullptr) return 0;
        return (next == stop ? n_branches : static_cast<std::size_t>(*branches)) - branch;
      }
    };
    std::vector<Stretch> stack;
    Stretch at{0, 1, 0, 0, 0, 1, nullptr};
    std::size_t place = 0;
    while (true) {
      if (const std::size_t n = at.n_empty(); n > 0) {
        skip(at.parent, place, n);
        place += n;
        at.branch += n;
      }
      if (at.next == at.stop) {
        if (stack.empty()) return;
        leave(at.place, place);
        at = stack.back();
        stack.pop_back();
        continue;
      }
      const std::size_t i = at.next++;
      ++at.branch;
      if (at.branches != nullptr) ++at.branches;
      enter(i, place);
      if (const Test* test = test_of(i)) {
        stack.push_back(at);
        const auto first = static_cast<std::size_t>(test->first_child);
        at = {first,
              static_cast<std::size_t>(test->last_child()),
              i,
              place,
              0,
              static_cast<std::size_t>(test->split.n_branches),
              test->n_children < 0 ? nullptr : branches_.data() + test->branches};
      }
      ++place;
    }
  }

  // Arrays with room for so many nodes.
  TreeArrays room_for(std::size_t n) const {
    TreeArrays out;
    out.n_stats = static_cast<std::int64_t>(width_);
    out.reserve(n);
    std::size_t n_codes = 0;
    for (const Test& test : tests_)
      n_codes += test.split.code.size() + static_cast<std::size_t>(test.split.n_each);
    for (auto* ints : {&out.code, &out.code_branch}) reserve_roomy(*ints, n_codes);
    if (n_classes_ > 0 && static_cast<std::size_t>(n_in_all()) * n_classes_ > most_dense) {
      reserve_roomy(out.stats_start, n + 1);
      out.stats_start.push_back(0);
      out.stats.resize(stats_.size());
      out.stats_class.resize(class_.size());
    } else {
      reserve_roomy(out.stats, n * width_);
    }
    return out;
  }
  // Let there be `n` nodes, the new ones as leaves without rows have them.
  void add_leaves(TreeArrays& out, std::size_t n) const {
    out.resize(n);
    if (out.is_sparse())
      out.stats_start.resize(n + 1);
    else
      out.stats.resize(n * width_);
    if (!out.surrogate_column.empty()) out.surrogate_start.resize(n + 1);
  }
  // A node at its place; `n_stats` weights of classes are written so far, where they are without the zeros.
  void write(TreeArrays& out, std::size_t& n_stats, std::size_t i, std::size_t place) const {
    out.n_rows[place] = nodes_[i].n_rows;
    out.label[place] = nodes_[i].label;
    write_stats(out, n_stats, i, place);
    if (const Test* test = test_of(i)) {
      write_test(out, *test, place);
      if (!test->surrogates.empty()) {
        out.surrogate_start.resize(out.end.size() + 1, out.surrogate_start.back());
        out.push_surrogates(test->surrogates);
      }
    }
    out.code_start[place + 1] = static_cast<std::int64_t>(out.code.size());
    if (out.is_sparse()) out.stats_start[place + 1] = static_cast<std::int64_t>(n_stats);
    if (!out.surrogate_column.empty())
      out.surrogate_start[place + 1] = static_cast<std::int64_t>(out.surrogate_column.size());
    const auto [first, last] = records(i);
    for (std::size_t r = first; r < last; ++r) append(out, static_cast<std::int32_t>(place), ledger_[r]);
  }
  // Branches without rows take after their parent.
  void write_empty(TreeArrays& out, std::size_t n_stats, std::size_t parent, std::size_t place,
                   std::size_t n) const {
    const auto first = static_cast<std::ptrdiff_t>(place);
    auto fill = [first, n](std::vector<std::int64_t>& starts, std::size_t end) {
      std::fill_n(starts.begin() + first + 1, n, static_cast<std::int64_t>(end));
    };
    std::fill_n(out.label.begin() + first, n, nodes_[parent].label);
    fill(out.code_start, out.code.size());
    if (out.is_sparse()) fill(out.stats_start, n_stats);
    if (!out.surrogate_column.empty()) fill(out.surrogate_start, out.surrogate_column.size());
    if (n_classes_ == 0)
      for (std::size_t i = place; i < place + n; ++i) out.stats[i * 3 + 1] = stats_[parent * 3 + 1];
  }
  static void write_test(TreeArrays& out, const Test& test, std::size_t place) {
    const Split& split = test.split;
    out.column[place] = split.column;
    out.kind[place] = static_cast<std::uint8_t>(split.kind);
    out.cut[place] = split.cut;
    out.missing[place] = split.missing;
    out.largest[place] = test.largest;
    out.score[place] = test.score;
    out.gain[place] = test.gain;
    out.exact[place] = split.is_exact;
    if (split.n_each > 0) {
      const std::size_t first = out.code.size(), last = first + static_cast<std::size_t>(split.n_each);
      for (auto* codes : {&out.code, &out.code_branch}) {
        codes->resize(last);
        std::iota(codes->begin() + static_cast<std::ptrdiff_t>(first), codes->end(), 0);
      }
    }
    out.code.insert(out.code.end(), split.code.begin(), split.code.end());
    out.code_branch.insert(out.code_branch.end(), split.branch.begin(), split.branch.end());
  }
  void write_stats(TreeArrays& out, std::size_t& n_stats, std::size_t i, std::size_t place) const {
    if (n_classes_ == 0) {
      std::copy_n(stats_.data() + i * width_, width_, out.stats.data() + place * width_);
    } else if (!out.is_sparse()) {
      double* own = out.stats.data() + place * width_;
      for (std::size_t n = 0; n < weights(i).size(); ++n)
        own[static_cast<std::size_t>(classes(i)[n])] = weights(i)[n];
    } else {
      for (std::size_t at = nodes_[i].stats; at < stats_end(i); ++at, ++n_stats) {
        out.stats[n_stats] = stats_[at];
        out.stats_class[n_stats] = class_[at];
      }
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
  Roomy<Node> nodes_;
  std::deque<Test> tests_;
  bool has_lost_nodes_ = false;         // below a node that became a leaf again
  Roomy<double> stats_;                 // numbers: width_ a node; classes: those with weight
  Roomy<std::int32_t> class_;           // which classes these are
  std::vector<std::int32_t> branches_;  // that are nodes, of the tests that have others
  std::int64_t n_left_out_ = 0;         // branches that are none
  std::vector<Offer> ledger_;
  std::vector<std::pair<std::size_t, std::size_t>> records_;  // by node
};

}  // namespace treewright
