// Growth: open the next node, measure its columns, decide on a split, apply it to the rows. Nothing else
// happens here: new behaviour comes as a splitter, a criterion, a policy in rows.hpp or a filter on offers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "draws.hpp"
#include "fill.hpp"
#include "frontier.hpp"
#include "nodes.hpp"
#include "open.hpp"
#include "opening.hpp"
#include "problem.hpp"
#include "rank.hpp"
#include "roomy.hpp"
#include "rows.hpp"
#include "search/offers.hpp"
#include "search/open_rows.hpp"
#include "tree.hpp"

namespace treewright {

template <class Target, class CriterionVariant>
class Verbs;

template <class Target, class CriterionVariant>
class Growth {
  friend class Verbs<Target, CriterionVariant>;  // the same steps one at a time (verbs.hpp)
  using Stats = typename Target::Stats;
  using Search = OfferSearch<Target, CriterionVariant>;

  struct Open : OpenRows<Stats> {
    std::optional<Offer> offer;  // the split decided on, while it waits its turn
  };
  struct Waiting : Turn {
    std::unique_ptr<Open> open;
  };

 public:
  Growth(const Problem& problem, Target target, CriterionVariant criterion)
      : problem_(problem),
        settings_(problem.settings),
        target_(target),
        branch_(target.none()),
        logs_(static_cast<std::int64_t>(problem.weight.size())),
        nodes_(problem.settings, n_classes_of(target)),
        choice_(problem.settings, problem.columns),
        search_(problem, target_, criterion, logs_, choice_, [this] { problem_.breathe(share_settled()); }),
        surrogates_(problem.columns, problem.weight.size(), problem.settings,
                    [this] { problem_.breathe(share_settled()); }) {}

  // The ranks of the columns give up the order they were found in.
  TreeArrays run(std::span<Ranks> ranks) {
    auto root = std::make_unique<Open>();
    reserve_roomy(root->pieces, problem_.weight.size());
    for (std::size_t r = 0; r < problem_.weight.size(); ++r)
      if (problem_.weight[r] > 0) root->pieces.push_back({static_cast<std::int32_t>(r), problem_.weight[r]});
    root->opening = opened(root->pieces);
    root->node = nodes_.add(-1, *root->opening);
    choice_.set_root(static_cast<double>(root->opening->stats.weight) * settings_.weight_unit,
                     root->opening->scale.weight);
    root_weight_ = root->opening->stats.weight;
    search_.start(*root, ranks, openings::is_finished(*root->opening, 0, settings_));
    if (settings_.max_leaves == std::numeric_limits<std::int64_t>::max())
      depth_first(std::move(root));
    else
      best_first(std::move(root));
    if (settings_.collapse_margin >= 0) nodes_.collapse_useless();
    return nodes_.preorder();
  }

 private:
  static constexpr std::int64_t max_nodes = 10'000'000;

  // How far growth is: the share of weight in leaves, or of leaves in their budget.
  double share_settled() const { return static_cast<double>(settled_) / static_cast<double>(root_weight_); }

  void depth_first(std::unique_ptr<Open> root) {
    DepthFirst<std::unique_ptr<Open>> frontier;
    frontier.run(std::move(root), [&](std::unique_ptr<Open>& open) {
      if (decide(*open))
        frontier.push_branches(apply(*open));
      else
        settled_ += open->opening->stats.weight;
    });
  }

  // The leaf whose split takes off most impurity is opened next, until the budget is spent.
  void best_first(std::unique_ptr<Open> root) {
    BestFirst<Waiting> frontier(settings_.max_leaves);
    auto enqueue = [&](std::unique_ptr<Open> open) {
      room_ = frontier.room();
      if (!decide(*open)) return;
      const Offer& offer = *open->offer;
      const Turn turn{offer.gain * open->opening->scale.weight, open->node, offer.split.n_branches};
      frontier.push({turn, std::move(open)});
    };
    counts_settled_ = false;
    enqueue(std::move(root));
    frontier.run(
        [&](Waiting&& next) {
          settled_ = root_weight_ / settings_.max_leaves * frontier.n_leaves();
          for (auto& child : apply(*next.open)) enqueue(std::move(child));
        },
        [&](Waiting&& next) {  // look again, for a test with fewer branches
          nodes_.make_leaf(next.open->node, Verdict::leaf_budget);
          enqueue(std::move(next.open));
        });
  }

  // Open: what the rows of a node amount to.
  Opening<Stats> opened(std::span<const Piece> pieces) const {
    Stats stats = target_.none();
    for (Piece p : pieces) target_.add(stats, p);
    return openings::of(stats, target_, settings_, logs_, pieces);
  }

  // Decide: measure every column that competes, take the best offer that passes all filters.
  bool decide(Open& open) {
    problem_.breathe(share_settled());
    if (openings::is_finished(*open.opening, open.depth, settings_)) return false;
    if (room_ < 2 && !settings_.keep_ledger) return false;
    std::vector<Offer>& offers = search_.offers(open, room_, Search::Asks::best);
    const auto chosen = choose(open, offers);
    if (settings_.keep_ledger) nodes_.keep_offers(open.node, offers);
    if (!chosen) return false;
    open.offer = std::move(offers[*chosen]);
    return true;
  }

  std::optional<std::size_t> choose(const Open& open, std::vector<Offer>& offers) {
    auto best = [&](std::vector<Offer>& among) {
      return choice_.choose(among, open.opening->scale.weight, room_);
    };
    if (!settings_.judges_rows()) return best(offers);
    return monotone::choose(offers, best, [&](const Split& split) { return keeps_order(open, split); });
  }
  // Do the branches keep the order of monotone columns with all rows that get there?
  bool keeps_order(const Open& open, const Split& split) {
    const Parts& parts = divided(open, split, surrogates_for(open, split));
    const std::vector<Stats> branches = stats_of(parts);
    const monotone::Limits limits{open.opening->scale.bounds, direction_of(split), true};
    return monotone::allow(limits, split, std::span<const Stats>(branches));
  }
  std::vector<Stats> stats_of(const Parts& parts) const {
    std::vector<Stats> branches(parts.size(), target_.none());
    for (std::size_t b = 0; b < branches.size(); ++b)
      for (Piece p : parts.branch(b)) target_.add(branches[b], p);
    return branches;
  }
  int direction_of(const Split& split) const {
    return problem_.columns[static_cast<std::size_t>(split.column)].direction;
  }

  // Apply: the rows go to the branches; each branch is a new open node.
  std::vector<std::unique_ptr<Open>> apply(Open& open) {
    if (nodes_.n_in_all() + static_cast<std::int64_t>(open.offer->split.n_branches) > max_nodes)
      throw std::invalid_argument(
          "The tree has more than 10,000,000 nodes: a column with very many categories gets a branch for "
          "each of "
          "them, again and again. Leave that column out, or use splits='binary'.");
    Split split = std::move(open.offer->split);
    std::vector<Surrogate> surrogates = surrogates_for(open, split);
    const std::int32_t first = nodes_.size();
    with_rows_.clear();
    std::int32_t largest = 0;
    std::vector<std::unique_ptr<Open>> children;
    if (!add_counted(open, split, largest, children)) {
      const Parts& parts = divided(open, split, surrogates);
      split.missing = parts.gaps;
      largest = parts.largest;
      std::vector<std::uint8_t> is_open(parts.size());
      children = add_branches(open, split, parts, is_open);
      if (!children.empty() && !open.orders.is_empty())
        search_.divide(open, parts.branches(), is_open, children);
    }
    std::vector<Piece>().swap(open.pieces);
    Roomy<std::int16_t>().swap(open.records);
    nodes_.split(
        open.node,
        {std::move(split), open.offer->score, open.offer->gain, first, largest, std::move(surrogates)},
        with_rows_);
    return children;
  }

  // The branches with rows as nodes, one after the other; those that may be split are returned with them.
  std::vector<std::unique_ptr<Open>> add_branches(const Open& open, const Split& split, const Parts& parts,
                                                  std::vector<std::uint8_t>& is_open) {
    const std::vector<monotone::Bounds> bounds =
        settings_.is_monotone ? bounds_below(open, split, parts) : std::vector<monotone::Bounds>();
    look_up_labels(parts.pieces);
    std::vector<std::unique_ptr<Open>> children;
    for (std::size_t b = 0; b < parts.size(); ++b) {
      const std::span<const Piece> pieces = parts.branch(b);
      if (pieces.empty()) continue;
      with_rows_.push_back(static_cast<std::int32_t>(b));
      add_up(pieces, parts.start[b]);
      const std::int32_t node = nodes_.size();
      std::optional<Opening<Stats>> opening = add_branch(open, pieces);
      if (!opening) continue;
      is_open[b] = 1;
      if (!bounds.empty()) opening->scale.bounds = bounds[b];
      children.push_back(child_of(open, split, static_cast<std::int32_t>(b), node, std::move(opening)));
      children.back()->pieces.assign(pieces.begin(), pieces.end());
    }
    return children;
  }
  // The same from counts: of a multiway test most branches are leaves, whose rows need not be brought
  // together. False where rows must be looked at one by one.
  bool add_counted(const Open& open, Split& split, std::int32_t& largest,
                   std::vector<std::unique_ptr<Open>>& children) {
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      if (settings_.is_monotone) return false;
      const auto counts = search_.counted_branches(open, split);
      if (!counts) return false;
      const auto n_branches = static_cast<std::size_t>(split.n_branches);
      if (known_.size() < n_branches) known_.resize(n_branches);
      if (next_.size() < counts->n_cells()) next_.resize(counts->n_cells());
      counts->for_each_code(branch_, [&](std::int32_t code) {
        with_rows_.push_back(code);
        known_[static_cast<std::size_t>(code)] = branch_.weight;
        const std::int32_t node = nodes_.size();
        std::optional<Opening<Stats>> opening = add_branch(open, {});
        if (!opening) return;
        children.push_back(child_of(open, split, code, node, std::move(opening)));
        next_[counts->cell(code)] = room_for(static_cast<std::size_t>(branch_.rows), *children.back());
      });
      if (!children.empty()) bring_together(*counts);
      const auto n_pieces = static_cast<std::int64_t>(open.pieces.size());
      const std::span<const std::int64_t> known = std::span(known_).first(n_branches);
      if (split.missing < 0) split.missing = branches::of_gaps(known, settings_, n_pieces);
      largest = branches::heaviest_among(known, with_rows_, settings_.weight_slack(n_pieces));
      for (std::int32_t code : with_rows_) known_[static_cast<std::size_t>(code)] = 0;
      return true;
    } else {
      return false;
    }
  }
  // Where the next row of a branch goes, and its record.
  struct Next {
    Piece* piece = nullptr;
    std::int16_t* record = nullptr;
  };
  Next room_for(std::size_t n_rows, Open& child) const {
    child.pieces.resize(n_rows);
    child.records.resize(n_rows * search_.records().width());
    return {child.pieces.data(), child.records.data()};
  }
  // The rows of the branches that may be split.
  void bring_together(const TogetherCounts::Counts& counts) {
    const CodeRecords& records = search_.records();
    counts.for_each_piece([&](Piece piece, std::size_t cell, const std::int16_t* record) {
      Next& to = next_[cell];
      if (to.piece == nullptr) return;
      *to.piece++ = piece;
      records.copy(record, to.record);
      to.record += records.width();
    });
    for (std::int32_t code : with_rows_) next_[counts.cell(code)] = {};
  }
  // A branch that may be split, without its rows.
  std::unique_ptr<Open> child_of(const Open& open, const Split& split, std::int32_t branch, std::int32_t node,
                                 std::optional<Opening<Stats>>&& opening) const {
    auto child = std::make_unique<Open>();
    child->node = node;
    child->depth = open.depth + 1;
    child->path = path_of_branch(open.path, static_cast<std::uint32_t>(branch));
    child->used = used_below(open, split);
    child->opening = std::move(opening);
    return child;
  }
  // What these rows amount to, whose classes are looked up from `first` on.
  void add_up(std::span<const Piece> pieces, std::size_t first) {
    branch_.clear();
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        branch_.weight += pieces[i].weight;
        branch_.counts[static_cast<std::size_t>(label_[first + i])] += pieces[i].weight;
      }
      branch_.rows = static_cast<std::int64_t>(pieces.size());
    } else {
      for (Piece p : pieces) target_.add(branch_, p);
    }
  }
  // Add a node of these rows, which are added up; nothing if it is a leaf already. Classes tell that from
  // their weights.
  std::optional<Opening<Stats>> add_branch(const Open& open, std::span<const Piece> pieces) {
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      const bool is_pure = openings::most_of(branch_) == branch_.weight;
      if (openings::is_leaf(branch_, is_pure, open.depth + 1, settings_)) {
        nodes_.add(branch_);
        if (counts_settled_) settled_ += branch_.weight;
        return std::nullopt;
      }
    }
    std::optional<Opening<Stats>> opening = openings::of(branch_, target_, settings_, logs_, pieces);
    nodes_.add(open.node, *opening);
    if (!openings::is_finished(*opening, open.depth + 1, settings_)) return opening;
    if (counts_settled_) settled_ += branch_.weight;
    return std::nullopt;
  }
  // The classes of all rows of a node at once: cache misses overlap here, and would not between the branches.
  void look_up_labels(std::span<const Piece> pieces) {
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      label_.resize(pieces.size());
      for (std::size_t i = 0; i < pieces.size(); ++i)
        label_[i] = target_.label[static_cast<std::size_t>(pieces[i].row)];
    }
  }
  std::vector<std::int32_t> used_below(const Open& open, const Split& split) const {
    std::vector<std::int32_t> used = open.used;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    if (settings_.use_once && column.form == SplitForm::multiway) used.push_back(split.column);
    return used;
  }

  std::vector<Surrogate> surrogates_for(const Open& open, const Split& split) {
    if (settings_.missing != MissingPolicy::surrogate || !lacks_value(open, split)) return {};
    const auto ordered = search_.ordered(open);
    return surrogates_.find(split, open.pieces, ordered ? &*ordered : nullptr);
  }
  const Parts& divided(const Open& open, const Split& split, std::span<const Surrogate> surrogates) {
    return Division(problem_.columns, split, surrogates).divide(open.pieces, settings_, division_);
  }
  std::vector<monotone::Bounds> bounds_below(const Open& open, const Split& split, const Parts& parts) const {
    const std::vector<Stats> branches = stats_of(parts);
    std::vector<const Stats*> stats;
    for (const Stats& branch : branches) stats.push_back(&branch);
    return monotone::below(open.opening->scale.bounds, direction_of(split), split,
                           std::span<const Stats* const>(stats));
  }

  // Does a row here need a surrogate? For rows to come they are found when the tree is done (revisit.hpp).
  bool lacks_value(const OpenRows<Stats>& open, const Split& split) const {
    if (settings_.max_surrogates == 0) return false;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    return std::any_of(open.pieces.begin(), open.pieces.end(), [&](Piece p) {
      return split.branch_of(column.code[static_cast<std::size_t>(p.row)]) < 0;
    });
  }

  const Problem& problem_;
  const Settings& settings_;
  Target target_;
  Stats branch_;                         // room for what a branch amounts to,
  std::vector<std::int32_t> label_;      // for the classes of all branches,
  std::vector<std::int32_t> with_rows_;  // the branches that have some
  std::vector<std::int64_t> known_;      // the weight of each branch; all zero between nodes
  std::vector<Next> next_;               // by the cell of a branch that may be split; else nowhere
  DivisionRoom division_;
  Logs logs_;
  Nodes nodes_;
  std::int64_t room_ = std::numeric_limits<std::int64_t>::max();  // branches that the budget of leaves allows
  std::int64_t root_weight_ = 1, settled_ = 0;
  bool counts_settled_ = true;  // else the budget of leaves says how far growth is
  Choice choice_;
  Search search_;
  SurrogateSearch surrogates_;
};

}  // namespace treewright
