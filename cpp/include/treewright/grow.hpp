// Growth: open the next node, measure its columns, decide on a split, apply it to the rows. Nothing else
// happens here: new behaviour comes as a splitter, a criterion, a policy in rows.hpp or a filter on offers.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "choice.hpp"
#include "draws.hpp"
#include "fill.hpp"
#include "nodes.hpp"
#include "opening.hpp"
#include "parallel.hpp"
#include "problem.hpp"
#include "rank.hpp"
#include "rows.hpp"
#include "search/counted.hpp"
#include "search/orders.hpp"
#include "search/sorted.hpp"
#include "significance.hpp"
#include "splitter.hpp"
#include "tree.hpp"

namespace treewright {

// Are cut columns searched in their order? Not where a criterion from outside wants to see every cut, or one
// cut is drawn at random.
inline bool keeps_orders(const Problem& problem) {
  const Settings& s = problem.settings;
  return s.use_histograms && !problem.outside && !s.use_random_cuts && !s.is_monotone;
}

template <class Target, class CriterionVariant>
class Verbs;

template <class Target, class CriterionVariant>
class Growth {
  friend class Verbs<Target, CriterionVariant>;  // the same steps one at a time (verbs.hpp)
  using Stats = typename Target::Stats;

  // A node whose rows are still in hand.
  struct Open {
    std::int32_t node = 0;
    std::int64_t depth = 0;
    std::uint64_t path = root_path;
    std::vector<Piece> pieces;
    Orders orders;                   // of the cut columns, where these are searched in their order
    std::vector<std::int32_t> used;  // multiway columns asked above
    std::optional<Opening<Stats>> opening;
    std::optional<Offer> offer;  // the split decided on, while it waits its turn
    double priority = 0;
  };
  // What one thread works with.
  struct Room {
    CountRoom counts;
    sorted::ClassRoom classes;
  };
  struct LessUrgent {
    bool operator()(const std::unique_ptr<Open>& a, const std::unique_ptr<Open>& b) const {
      return a->priority != b->priority ? a->priority < b->priority : a->node > b->node;
    }
  };

 public:
  Growth(const Problem& problem, Target target, CriterionVariant criterion)
      : problem_(problem),
        settings_(problem.settings),
        target_(target),
        criterion_(criterion),
        logs_(static_cast<std::int64_t>(problem.weight.size())),
        rough_logs_(static_cast<std::int64_t>(problem.weight.size()), true),
        scratch_(std::clamp<std::size_t>(static_cast<std::size_t>(problem.settings.n_threads), 1,
                                         std::max<std::size_t>(1, problem.columns.size()))),
        nodes_(problem.settings, n_classes()),
        choice_(problem.settings, problem.columns),
        search_(problem.columns, problem.weight.size(), problem.settings,
                [this] { problem_.rest(share_settled()); }) {
    if (const auto layout = key_layout())
      book_.emplace(problem.columns, *layout, labels(), problem.weight.size(), settings_.use_c45_cuts,
                    scratch_.size(), [this] { problem_.rest(share_settled()); });
  }

  // The ranks of the columns give up the order they were found in.
  TreeArrays run(std::span<Ranks> ranks) {
    auto root = std::make_unique<Open>();
    for (std::size_t r = 0; r < problem_.weight.size(); ++r)
      if (problem_.weight[r] > 0) root->pieces.push_back({static_cast<std::int32_t>(r), problem_.weight[r]});
    root->opening = opened(root->pieces);
    root->node = nodes_.add(-1, *root->opening);
    choice_.set_root(static_cast<double>(root->opening->stats.weight) * settings_.weight_unit,
                     root->opening->scale.weight);
    root_weight_ = root->opening->stats.weight;
    set_overall_fill(*root);
    if (book_ && !openings::is_finished(*root->opening, 0, settings_))
      root->orders = book_->root(root->pieces, ranks);
    if (settings_.max_leaves == std::numeric_limits<std::int64_t>::max())
      depth_first(std::move(root));
    else
      best_first(std::move(root));
    if (settings_.collapse_margin >= 0) nodes_.collapse_useless();
    return nodes_.preorder();
  }

 private:
  using Waiting = std::vector<std::unique_ptr<Open>>;

  std::optional<KeyLayout> key_layout() const {
    const bool is_sorted =
        std::visit([](auto criterion) { return is_sorted_criterion<decltype(criterion)>(); }, criterion_);
    if (!keeps_orders(problem_) || !is_sorted) return std::nullopt;
    const std::size_t n_values = most_values(problem_.columns);
    if (n_values == 0) return std::nullopt;
    return KeyLayout::of(problem_.weight.size(), n_classes(), n_values);
  }
  std::span<const std::int32_t> labels() const {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return target_.label;
    else
      return {};
  }
  static constexpr std::int64_t max_nodes = 10'000'000;

  // How far growth is: the share of weight in leaves, or of leaves in their budget.
  double share_settled() const { return static_cast<double>(settled_) / static_cast<double>(root_weight_); }

  void depth_first(std::unique_ptr<Open> root) {
    Waiting stack;
    stack.push_back(std::move(root));
    while (!stack.empty()) {
      auto open = std::move(stack.back());
      stack.pop_back();
      if (!decide(*open)) {
        settled_ += open->opening->stats.weight;
        continue;
      }
      auto children = apply(*open);
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        stack.push_back(std::move(*child));
    }
  }

  // The leaf whose split takes off most impurity is opened next, until the budget is spent.
  void best_first(std::unique_ptr<Open> root) {
    Waiting heap;
    auto enqueue = [&](std::unique_ptr<Open> open) {
      if (!decide(*open)) return;
      heap.push_back(std::move(open));
      std::push_heap(heap.begin(), heap.end(), LessUrgent());
    };
    std::int64_t n_leaves = 1;
    counts_settled_ = false;
    room_ = settings_.max_leaves;
    enqueue(std::move(root));
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), LessUrgent());
      auto open = std::move(heap.back());
      heap.pop_back();
      room_ = settings_.max_leaves - n_leaves + 1;
      if (open->offer->split.n_branches > room_) {  // look again, for a test with fewer branches
        nodes_.make_leaf(open->node, Verdict::leaf_budget);
        enqueue(std::move(open));
        continue;
      }
      n_leaves += open->offer->split.n_branches - 1;
      settled_ = root_weight_ / settings_.max_leaves * n_leaves;
      room_ = settings_.max_leaves - n_leaves + 1;
      for (auto& child : apply(*open)) enqueue(std::move(child));
    }
  }

  // Open: what the rows of a node amount to.
  Opening<Stats> opened(std::span<const Piece> pieces) const {
    Stats stats = target_.none();
    for (Piece p : pieces) target_.add(stats, p);
    return openings::of(stats, target_, settings_, logs_, pieces);
  }

  // Decide: measure every column that competes, take the best offer that passes all filters.
  bool decide(Open& open) {
    problem_.rest(share_settled());
    if (openings::is_finished(*open.opening, open.depth, settings_)) return false;
    if (room_ < 2 && !settings_.keep_ledger) return false;
    std::vector<Offer> offers = collect_offers(open);
    const auto chosen = choose(open, offers);
    if (settings_.keep_ledger) nodes_.keep_offers(open.node, offers);
    if (!chosen) return false;
    open.offer = std::move(offers[*chosen]);
    open.priority = open.offer->gain * open.opening->scale.weight;
    Node& node = nodes_[open.node];
    node.score = open.offer->score;
    node.gain = open.offer->gain;
    node.split = open.offer->split;
    return true;
  }

  std::optional<std::size_t> choose(const Open& open, std::vector<Offer>& offers) {
    auto best = [&](std::vector<Offer>& among) {
      return choice_.choose(among, open.opening->scale.weight, room_);
    };
    const bool is_judged = !settings_.is_monotone || (settings_.missing != MissingPolicy::fractional &&
                                                      settings_.missing != MissingPolicy::surrogate);
    if (is_judged) return best(offers);
    return monotone::choose(offers, best, [&](const Split& split) { return keeps_order(open, split); });
  }
  // Do the branches keep the order of monotone columns with all rows that get there?
  bool keeps_order(const Open& open, const Split& split) {
    const Parts parts = divided(open, split, surrogates_for(open, split));
    std::vector<Stats> branches(parts.branch.size(), target_.none());
    for (std::size_t b = 0; b < branches.size(); ++b)
      for (Piece p : parts.branch[b]) target_.add(branches[b], p);
    const monotone::Limits limits{open.opening->scale.bounds, direction_of(split), true};
    return monotone::allow(limits, split, std::span<const Stats>(branches));
  }
  int direction_of(const Split& split) const {
    return problem_.columns[static_cast<std::size_t>(split.column)].direction;
  }

  std::vector<Offer> collect_offers(const Open& open) {
    const std::size_t n = problem_.columns.size();
    std::vector<Offer> offers(n);
    if (!open.orders.is_empty()) set_weights(open);
    for (std::int32_t column : open.used)
      offers[static_cast<std::size_t>(column)].verdict = Verdict::used_above;
    if (settings_.max_columns < static_cast<std::int64_t>(n)) {
      drawn_offers(open, offers);
      return offers;
    }
    if (open.orders.is_empty() || asks_each_column()) {
      fill_offers(open, offers, Question::each_column);
      return offers;
    }
    std::vector<Offer> best = offers;
    fill_offers(open, best, Question::best_of_node);
    if (settings_.significance >= 1 || best_is_significant(open, best)) return best;
    fill_offers(open, offers, Question::each_column);  // another column may be both significant and better
    return offers;
  }

  // What a search is asked. The best test of the node spares the columns that cannot have it.
  enum class Question : std::uint8_t { each_column, best_of_node };
  bool asks_each_column() const {
    return settings_.keep_ledger || settings_.use_average_gain || settings_.use_c45_cuts ||
           settings_.cost_form != CostForm::none || settings_.split_price > 0;
  }
  void fill_offers(const Open& open, std::vector<Offer>& offers, Question question) {
    const std::size_t n = offers.size();
    question_ = question;
    floor_ = sorted::nothing;
    const bool is_alone = open.pieces.size() * n < 500'000 || problem_.outside;
    in_shares(
        is_alone ? 1 : scratch_.size(), n, [this] { problem_.rest(share_settled()); },
        [&](std::size_t c, std::size_t t) {
          fill_offer(open, c, offers[c], scratch_[t]);
          if (question == Question::best_of_node) raise_floor(offers[c], open.opening->scale);
        });
    question_ = Question::each_column;
  }
  // The score that others must reach.
  void raise_floor(const Offer& offer, const Scale& scale) {
    if (!offer.is_possible() || offer.split.n_branches > room_) return;
    const double low = offer.value / scale.cost_scale * (1 - 1e-9) - Judge<Gini, ClassStats>::slack(scale, 0);
    double floor = floor_.load(std::memory_order_relaxed);
    while (floor < low && !floor_.compare_exchange_weak(floor, low, std::memory_order_relaxed)) {
    }
  }
  bool best_is_significant(const Open& open, std::vector<Offer>& offers) {
    const auto best = choice_.best(offers, room_);
    if (!best) return true;
    fill_offer(open, *best, offers[*best], scratch_[0]);
    return offers[*best].is_possible();
  }

  // What the rows of the node weigh, by their numbers where they differ.
  void set_weights(const Open& open) {
    weights_ = {open.pieces.front().weight, nullptr};
    if (std::all_of(open.pieces.begin(), open.pieces.end(),
                    [&](Piece p) { return p.weight == weights_.each; }))
      return;
    row_weight_.resize(problem_.weight.size());
    for (Piece piece : open.pieces) row_weight_[static_cast<std::size_t>(piece.row)] = piece.weight;
    weights_.of_row = row_weight_.data();
  }

  // Columns in the order of their hash at this node; drawing goes on past columns that cannot split.
  void drawn_offers(const Open& open, std::vector<Offer>& offers) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t c = 0; c < offers.size(); ++c)
      order.emplace_back(draw_for(open, problem_.columns[c].rank, 1), c);
    std::sort(order.begin(), order.end());
    std::int64_t n_found = 0;
    for (auto [hash, c] : order) {
      if (n_found == settings_.max_columns) {
        if (offers[c].verdict != Verdict::used_above) offers[c].verdict = Verdict::not_drawn;
        continue;
      }
      fill_offer(open, c, offers[c], scratch_[0]);
      n_found += offers[c].is_possible();
    }
  }
  std::uint64_t draw_for(const Open& open, std::int32_t rank, std::uint64_t purpose) const {
    return draw(settings_.seed + purpose * 0x9E3779B97F4A7C15, settings_.tree, open.path,
                static_cast<std::uint32_t>(rank));
  }

  // Measure one column and ask its splitter.
  void fill_offer(const Open& open, std::size_t index, Offer& offer, Room& scratch) {
    if (offer.verdict == Verdict::used_above) return;
    if (!open.orders.is_empty() && problem_.columns[index].form == SplitForm::cut)
      search_order(open, index, offer, scratch);
    else if (settings_.use_histograms)
      ask(open, index,
          measured(target_, open.pieces, problem_.columns[index], open.opening->stats, scratch.counts),
          offer);
    else
      ask(open, index, measure(target_, open.pieces, problem_.columns[index], scratch.counts.order), offer);
  }
  Task<Stats> task_for(const Open& open, std::size_t index, const Measured<Stats>& measured) const {
    const Column& column = problem_.columns[index];
    return {column,
            static_cast<std::int32_t>(index),
            measured,
            open.opening->scale,
            settings_,
            n_classes(),
            open.opening->stats.weight,
            settings_.use_random_cuts ? draw_for(open, column.rank, 2) : 0,
            &problem_.outside};
  }
  void ask(const Open& open, std::size_t index, Measured<Stats> measured, Offer& offer) {
    const Column& column = problem_.columns[index];
    const std::int32_t fill = fill_for(measured, index);
    if (fill >= 0) fill_gaps(measured, fill, target_.none());
    const Task<Stats> task = task_for(open, index, measured);
    offer = std::visit([&](auto criterion) { return best_offer<decltype(criterion)>(task); }, criterion_);
    if (!offer.is_possible()) return;
    if (fill >= 0) offer.split.missing = branch_of_fill(column, offer.split, fill);
    if (is_described()) describe(branch_weights(measured, offer.split), measured.missing.weight, offer);
    if (tests_significance()) test_significance(branches_of(measured, offer.split), measured.missing, offer);
  }
  bool tests_significance() const { return settings_.significance < 1 && question_ == Question::each_column; }
  bool is_described() const {
    return settings_.use_average_gain || settings_.use_c45_cuts || settings_.keep_ledger;
  }

  // The same for a cut column whose order is kept: nothing is sorted, and hardly anything scored.
  void search_order(const Open& open, std::size_t index, Offer& offer, Room& room) const {
    std::span<const std::uint64_t> keys = open.orders.of(index);
    Measured<Stats> measured{{}, open.opening->stats, target_.none()};
    std::vector<std::uint64_t> filled;
    std::int32_t fill = -1;
    if (keys.size() < open.pieces.size()) {
      add_up_known(keys, measured);
      fill = fill_in_order(keys, measured.known, index);
      if (fill >= 0) {
        filled = with_gaps_filled(open, index, keys, fill);
        keys = filled;
        measured = {{}, open.opening->stats, target_.none()};
      }
    } else if (is_filling()) {
      fill = fill_in_order(keys, measured.known, index);
    }
    const Task<Stats> task = task_for(open, index, measured);
    const SortedTask<Target> sorted{task,
                                    target_,
                                    keys,
                                    book_->layout(),
                                    book_->is_far(index),
                                    weights_,
                                    rough_logs_,
                                    floor_.load(std::memory_order_relaxed)};
    auto found = std::visit(
        [&](auto criterion) -> SortedOffer<Stats> {
          if constexpr (is_sorted_criterion<decltype(criterion)>())
            return best_of_order<decltype(criterion)>(sorted, room.classes);
          else
            return {{}, target_.none()};
        },
        criterion_);
    offer = std::move(found.offer);
    if (!offer.is_possible()) return;
    if (fill >= 0) offer.split.missing = branch_of_fill(problem_.columns[index], offer.split, fill);
    if (!is_described() && !tests_significance()) return;
    std::vector<Stats> branches(static_cast<std::size_t>(offer.split.n_branches), target_.none());
    branches[1] = measured.known;
    branches[1].add(found.left, -1);
    branches[0] = std::move(found.left);
    std::vector<std::int64_t> weight;
    for (const Stats& branch : branches) weight.push_back(branch.weight);
    if (is_described()) describe(std::move(weight), measured.missing.weight, offer);
    if (tests_significance()) test_significance(std::move(branches), measured.missing, offer);
  }
  void add_up_known(std::span<const std::uint64_t> keys, Measured<Stats>& measured) const {
    const KeyLayout& layout = book_->layout();
    measured.missing = std::move(measured.known);
    measured.known = target_.none();
    for (std::uint64_t key : keys) {
      const std::size_t row = layout.row(key);
      target_.add(measured.known, {static_cast<std::int32_t>(row), weights_[row]});
    }
    measured.missing.add(measured.known, -1);
  }
  bool is_filling() const {
    return settings_.missing == MissingPolicy::most_common ||
           settings_.missing == MissingPolicy::most_common_overall;
  }
  // As fill_for, from the order of the column.
  std::int32_t fill_in_order(std::span<const std::uint64_t> keys, const Stats& known,
                             std::size_t index) const {
    if (settings_.missing == MissingPolicy::most_common_overall) return overall_fill_[index];
    if (settings_.missing != MissingPolicy::most_common || keys.empty()) return -1;
    const KeyLayout& layout = book_->layout();
    Measured<ClassStats> groups{{}, ClassStats(1), ClassStats(1)};
    groups.known.weight = known.weight;
    for (std::size_t i = 0; i < keys.size();) {
      const std::uint64_t rank = layout.rank(keys[i]);
      ClassStats group(1);
      for (; i < keys.size() && layout.rank(keys[i]) == rank; ++i)
        group.weight += weights_[layout.row(keys[i])];
      groups.groups.push(static_cast<std::int32_t>(rank), group);
    }
    return common_code(groups, problem_.columns[index], settings_.weight_slack(known.rows));
  }
  // The order with the gaps at the place of the value that stands in for them.
  std::vector<std::uint64_t> with_gaps_filled(const Open& open, std::size_t index,
                                              std::span<const std::uint64_t> keys, std::int32_t fill) const {
    const Column& column = problem_.columns[index];
    std::vector<std::uint64_t> filled;
    filled.reserve(open.pieces.size());
    const auto middle = std::partition_point(keys.begin(), keys.end(), [&](std::uint64_t key) {
      return book_->layout().rank(key) <= static_cast<std::uint64_t>(fill);
    });
    filled.insert(filled.end(), keys.begin(), middle);
    for (Piece piece : open.pieces) {
      const auto row = static_cast<std::size_t>(piece.row);
      if (column.code[row] == missing_code) filled.push_back(book_->key(index, fill, row));
    }
    filled.insert(filled.end(), middle, keys.end());
    return filled;
  }

  // The code that gaps take before anything is scored; -1 where the policy fills none.
  std::int32_t fill_for(const Measured<Stats>& measured, std::size_t index) const {
    if (settings_.missing == MissingPolicy::most_common_overall) return overall_fill_[index];
    if (settings_.missing != MissingPolicy::most_common || measured.groups.size() == 0) return -1;
    return common_code(measured, problem_.columns[index], settings_.weight_slack(measured.known.rows));
  }
  std::size_t n_classes() const {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return target_.n_classes;
    else
      return 0;
  }

  void set_overall_fill(const Open& root) {
    if (settings_.missing != MissingPolicy::most_common_overall) return;
    for (const Column& column : problem_.columns) {
      const auto measured = measure(target_, root.pieces, column, scratch_[0].counts.order);
      overall_fill_.push_back(
          measured.groups.size() == 0
              ? -1
              : common_code(measured, column, settings_.weight_slack(measured.known.rows)));
    }
  }

  // The statistics of each branch of an offer, from the measured column; gaps apart.
  std::vector<Stats> branches_of(const Measured<Stats>& measured, const Split& split) const {
    std::vector<Stats> branches(static_cast<std::size_t>(split.n_branches), target_.none());
    for (std::size_t g = 0; g < measured.groups.size(); ++g)
      measured.groups.add_to(branches[static_cast<std::size_t>(split.branch_of(measured.groups.code[g]))], g);
    return branches;
  }
  std::vector<std::int64_t> branch_weights(const Measured<Stats>& measured, const Split& split) const {
    std::vector<std::int64_t> weight(static_cast<std::size_t>(split.n_branches));
    for (std::size_t g = 0; g < measured.groups.size(); ++g)
      weight[static_cast<std::size_t>(split.branch_of(measured.groups.code[g]))] += measured.groups.weight[g];
    return weight;
  }
  // Split information: unknown values that take no branch count as one outcome more.
  void describe(std::vector<std::int64_t> weight, std::int64_t missing, Offer& offer) const {
    const double unit = settings_.weight_unit;
    weight.push_back(0);
    const bool joins = joins_gaps() && offer.split.missing >= 0;
    weight[joins ? static_cast<std::size_t>(offer.split.missing) : weight.size() - 1] += missing;
    std::vector<double> terms;
    std::int64_t all = 0;
    for (std::int64_t w : weight) {
      terms.push_back(logs_.n_log_n(static_cast<double>(w) * unit));
      all += w;
    }
    std::sort(terms.begin(), terms.end());
    double sum = 0;
    for (double term : terms) sum += term;
    const double total = static_cast<double>(all) * unit;
    offer.split_info = (logs_.n_log_n(total) - sum) / total;
  }
  bool joins_gaps() const {
    return settings_.missing == MissingPolicy::learned || settings_.missing == MissingPolicy::own_branch;
  }
  void test_significance(std::vector<Stats> branches, const Stats& missing, Offer& offer) const {
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      if (joins_gaps() && missing.rows > 0 && offer.split.missing >= 0)
        branches[static_cast<std::size_t>(offer.split.missing)].add(missing);
      Counts table;
      for (const Stats& s : branches) {
        std::vector<double> row;
        for (auto c : s.counts) row.push_back(static_cast<double>(c) * settings_.weight_unit);
        table.push_back(row);
      }
      offer.p_value = p_value(table, settings_.use_fisher);
      if (offer.p_value > settings_.significance) offer.verdict = Verdict::not_significant;
    }
  }

  // Apply: the rows go to the branches; each branch is a new open node.
  Waiting apply(Open& open) {
    if (nodes_.size() + static_cast<std::int64_t>(open.offer->split.n_branches) > max_nodes)
      throw std::invalid_argument(
          "The tree has more than 10,000,000 nodes: a column with very many categories gets a branch for "
          "each of "
          "them, again and again. Leave that column out, or use splits='binary'.");
    Split split = std::move(open.offer->split);
    std::vector<Surrogate> surrogates = surrogates_for(open, split);
    Parts parts = divided(open, split, surrogates);
    split.missing = parts.gaps;

    std::vector<std::int32_t> used = open.used;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    if (settings_.use_once && column.form == SplitForm::multiway) used.push_back(split.column);
    const std::int32_t first = nodes_.size();
    Waiting children;
    OrderBook::Branches branches(parts.branch.begin(), parts.branch.end());
    std::vector<Opening<Stats>> opened_branches;
    for (const auto& branch : parts.branch) opened_branches.push_back(opened(branch));
    if (settings_.is_monotone) pass_bounds(open, split, opened_branches);
    std::vector<std::uint8_t> is_open;
    for (std::size_t b = 0; b < parts.branch.size(); ++b) {
      Opening<Stats>& opening = opened_branches[b];
      const std::int32_t node = nodes_.add(open.node, opening);
      is_open.push_back(!openings::is_finished(opening, open.depth + 1, settings_));
      if (is_open.back() == 0) {
        if (counts_settled_) settled_ += opening.stats.weight;
        continue;
      }
      auto child = std::make_unique<Open>();
      child->node = node;
      child->depth = open.depth + 1;
      child->path = path_of_branch(open.path, static_cast<std::uint32_t>(b));
      child->used = used;
      child->opening = std::move(opening);
      children.push_back(std::move(child));
    }
    if (!open.orders.is_empty() && !children.empty()) {
      auto orders = book_->divide(std::move(open.orders), open.pieces, branches, is_open);
      std::size_t next = 0;
      for (std::size_t b = 0; b < orders.size(); ++b)
        if (is_open[b] != 0) children[next++]->orders = std::move(orders[b]);
    }
    std::size_t next = 0;
    for (std::size_t b = 0; b < parts.branch.size(); ++b)
      if (is_open[b] != 0) children[next++]->pieces = std::move(parts.branch[b]);
    std::vector<Piece>().swap(open.pieces);
    Node& node = nodes_[open.node];
    node.first_child = first;
    node.n_children = split.n_branches;
    node.largest = parts.largest;
    node.split = std::move(split);
    node.surrogates = std::move(surrogates);
    return children;
  }

  std::vector<Surrogate> surrogates_for(const Open& open, const Split& split) {
    if (settings_.missing != MissingPolicy::surrogate || !lacks_value(open, split)) return {};
    if (open.orders.is_empty()) return search_.find(split, open.pieces);
    set_weights(open);
    const OrderedRows ordered{open.orders, book_->layout(), weights_};
    return search_.find(split, open.pieces, &ordered);
  }
  Parts divided(const Open& open, const Split& split, std::span<const Surrogate> surrogates) const {
    return Division(problem_.columns, split, surrogates).divide(open.pieces, settings_);
  }
  void pass_bounds(const Open& open, const Split& split, std::span<Opening<Stats>> branches) const {
    std::vector<const Stats*> stats;
    for (const auto& branch : branches) stats.push_back(&branch.stats);
    const auto bounds = monotone::below(open.opening->scale.bounds, direction_of(split), split,
                                        std::span<const Stats* const>(stats));
    for (std::size_t b = 0; b < bounds.size(); ++b) branches[b].scale.bounds = bounds[b];
  }

  // Does a row here need a surrogate? For rows to come they are found when the tree is done (revisit.hpp).
  bool lacks_value(const Open& open, const Split& split) const {
    if (settings_.max_surrogates == 0) return false;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    return std::any_of(open.pieces.begin(), open.pieces.end(), [&](Piece p) {
      return split.branch_of(column.code[static_cast<std::size_t>(p.row)]) < 0;
    });
  }

  const Problem& problem_;
  const Settings& settings_;
  Target target_;
  CriterionVariant criterion_;
  Logs logs_, rough_logs_;
  std::vector<Room> scratch_;  // one a thread
  Nodes nodes_;
  std::int64_t room_ = std::numeric_limits<std::int64_t>::max();  // branches that the budget of leaves allows
  std::int64_t root_weight_ = 1, settled_ = 0;
  bool counts_settled_ = true;  // else the budget of leaves says how far growth is
  std::vector<std::int32_t> overall_fill_;
  Choice choice_;
  SurrogateSearch search_;
  std::optional<OrderBook> book_;
  NodeWeights weights_;  // of the node at hand
  Question question_ = Question::each_column;
  std::atomic<double> floor_{sorted::nothing};
  std::vector<std::int64_t> row_weight_;
};

// What growths on the same columns share, made once and kept while they run: ranks, or the table as bytes.
struct Prepared {
  std::vector<Ranks> ranks;
  std::shared_ptr<const Coded> coded;
};
// The problem refers to it from then on.
Prepared prepare(Problem& problem, const ClassTarget& target, std::string_view criterion);
Prepared prepare(Problem& problem, const NumberTarget& target, std::string_view criterion);

// The numbers of cut columns are ranked first, if the settings ask for a search that works on ranks.
TreeArrays grow(Problem& problem, const ClassTarget& target, std::string_view criterion);
TreeArrays grow(Problem& problem, const NumberTarget& target, std::string_view criterion);

}  // namespace treewright
