// What the columns of a node offer: cut columns are searched in their order, categories are counted, and what
// has no such way is measured and handed to its splitter (search="every" does that with all).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../choice.hpp"
#include "../draws.hpp"
#include "../fill.hpp"
#include "../opening.hpp"
#include "../parallel.hpp"
#include "../problem.hpp"
#include "../rank.hpp"
#include "../significance.hpp"
#include "../splitter.hpp"
#include "counted.hpp"
#include "near.hpp"
#include "open_rows.hpp"
#include "orders.hpp"
#include "sorted.hpp"
#include "split_info.hpp"
#include "together.hpp"

namespace treewright {

// Are cut columns searched in their order? Not where a criterion from outside wants to see every cut, or one
// cut is drawn at random.
inline bool keeps_orders(const Problem& problem) {
  const Settings& s = problem.settings;
  return s.search != Search::every && !problem.outside && !s.use_random_cuts;
}

template <class Target>
std::size_t n_classes_of(const Target& target) {
  if constexpr (std::is_same_v<Target, ClassTarget>)
    return target.n_classes;
  else
    return 0;
}

template <class Target, class CriterionVariant>
class OfferSearch {
  using Stats = typename Target::Stats;

 public:
  OfferSearch(const Problem& problem, const Target& target, CriterionVariant criterion, const Logs& logs,
              const Choice& choice, std::function<void()> breathe)
      : problem_(problem),
        settings_(problem.settings),
        target_(target),
        criterion_(criterion),
        logs_(logs),
        rough_logs_(key_layout() ? static_cast<std::int64_t>(problem.weight.size()) : 0, true),
        choice_(choice),
        breathe_(std::move(breathe)),
        scratch_(std::clamp<std::size_t>(static_cast<std::size_t>(problem.settings.n_threads), 1,
                                         std::max<std::size_t>(1, problem.columns.size()))) {
    if (const auto layout = key_layout())
      book_.emplace(problem.columns, *layout, labels(), problem.weight.size(), settings_.use_c45_cuts,
                    scratch_.size(), breathe_);
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      if (settings_.search == Search::every) return;
      near_.emplace(problem.columns, target_);
      if (scores_counts() && settings_.significance >= 1)
        together_.emplace(problem.columns, target_, is_even());
      for (Room& room : scratch_) room.counts.branch = target_.none();
    }
  }

  // Begin with the root. The ranks of the columns give up the order they were found in.
  void start(OpenRows<Stats>& root, std::span<Ranks> ranks, bool is_leaf) {
    set_overall_fill(root);
    if (book_ && !is_leaf) root.orders = book_->root(root.pieces, ranks);
  }

  // What each column offers; where only the best is asked for, the others may offer nothing. `room` is how
  // many branches a test may have. The caller may change them, until the next node is searched.
  enum class Asks : std::uint8_t { all, best };
  std::vector<Offer>& offers(const OpenRows<Stats>& open, std::int64_t room, Asks asks) {
    room_ = room;
    asks_ = asks;
    const std::size_t n = problem_.columns.size();
    std::vector<Offer>& offers = offers_;
    offers.clear();
    offers.resize(n);
    if (!open.orders.is_empty()) set_weights(open);
    for (std::int32_t column : open.used)
      offers[static_cast<std::size_t>(column)].verdict = Verdict::used_above;
    if (settings_.max_columns < static_cast<std::int64_t>(n)) {
      drawn_offers(open, offers);
      return offers;
    }
    if (search_together(open, offers) == n) return offers;
    if (near_) near_->gather(open.pieces);
    if (open.orders.is_empty() || asks_each_column()) {
      fill_offers(open, offers, Question::each_column);
      return offers;
    }
    std::vector<Offer> best = offers;
    fill_offers(open, best, Question::best_of_node);
    if (settings_.significance >= 1 || best_is_significant(open, best))
      offers = std::move(best);
    else
      fill_offers(open, offers, Question::each_column);  // another column may be significant and better
    return offers;
  }

  // What a measured column offers.
  void ask(const OpenRows<Stats>& open, std::size_t index, Measured<Stats>& measured, Offer& offer) {
    const Column& column = problem_.columns[index];
    const std::int32_t fill = fill_for(index, [&]() -> const Measured<Stats>& { return measured; });
    if (fill >= 0) fill_gaps(measured, fill, target_.none());
    const Task<Stats> task = task_for(open, index, measured);
    offer = std::visit([&](auto criterion) { return best_offer<decltype(criterion)>(task); }, criterion_);
    if (!offer.is_possible()) return;
    if (fill >= 0) offer.split.missing = branch_of_fill(column, offer.split, fill);
    if (is_described()) describe(branch_weights(measured, offer.split), measured.missing.weight, offer);
    if (tests_significance()) test_significance(branches_of(measured, offer.split), measured.missing, offer);
  }

  // The children that may be split get their rows in order.
  template <class Children>
  void divide(OpenRows<Stats>& open, const OrderBook::Branches& branches,
              const std::vector<std::uint8_t>& is_open, const Children& children) {
    if (open.orders.is_empty()) return;
    auto orders = book_->divide(std::move(open.orders), open.pieces, branches, is_open);
    std::size_t next = 0;
    for (std::size_t b = 0; b < orders.size(); ++b)
      if (is_open[b] != 0) children[next++]->orders = std::move(orders[b]);
  }
  // The branches of a multiway test, counted again, where no row lacks its value and all weigh the same.
  std::optional<TogetherCounts::Counts> counted_branches(const OpenRows<Stats>& open, const Split& split) {
    if (split.kind != SplitKind::values || split.n_each != split.n_branches || !open.orders.is_empty())
      return std::nullopt;
    const auto column = static_cast<std::size_t>(split.column);
    if (!together_ || !together_->is_small() || !together_->has(column)) return std::nullopt;
    counted_.assign(1, column);
    if (!together_->count({open.pieces, open.records}, counted_)) return std::nullopt;
    const auto counts = together_->of(column);
    if (!counts.has_gaps()) return counts;
    counts.clear(scratch_[0].counts.branch);
    return std::nullopt;
  }
  // The records of rows that are counted together.
  const CodeRecords& records() const { return together_->records(); }
  // The rows of a node in the orders of the cut columns, if it has them.
  std::optional<OrderedRows> ordered(const OpenRows<Stats>& open) {
    if (open.orders.is_empty()) return std::nullopt;
    set_weights(open);
    return OrderedRows{open.orders, book_->layout(), weights_};
  }
  CodeOrder& scratch() { return scratch_[0].counts.order; }

 private:
  // What one thread works with.
  struct Room {
    CountRoom counts;
    sorted::ClassRoom classes;
  };
  // Do all rows weigh the same, and stay whole?
  bool is_even() const {
    return settings_.missing != MissingPolicy::fractional &&
           std::ranges::all_of(problem_.weight, [&](std::int64_t w) { return w == problem_.weight[0]; });
  }
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
  // What a search is asked. The best test of the node spares the columns that cannot have it.
  enum class Question : std::uint8_t { each_column, best_of_node };
  bool asks_each_column() const {
    return settings_.keep_ledger || settings_.use_average_gain || settings_.use_c45_cuts ||
           settings_.split_price > 0 || (has_costs() && settings_.significance < 1) ||
           settings_.judges_rows();
  }
  bool has_costs() const { return settings_.cost_form != CostForm::none; }
  void fill_offers(const OpenRows<Stats>& open, std::vector<Offer>& offers, Question question) {
    const std::size_t n = offers.size();
    question_ = question;
    floor_ = sorted::nothing;
    auto fill = [&](std::size_t c, std::size_t t) {
      fill_offer(open, c, offers[c], scratch_[t]);
      if (question == Question::best_of_node) raise_floor(offers[c], open.opening->scale);
    };
    if (open.pieces.size() * n < 500'000 && !problem_.outside)
      for (std::size_t c = 0; c < n; ++c) fill(c, 0);
    else
      in_shares(problem_.outside ? 1 : scratch_.size(), n, breathe_, fill);
    question_ = Question::each_column;
  }
  // What ranks an offer, and a little less: others must reach it. It is the score in the unit of costs, or
  // where columns have costs the score for its cost.
  void raise_floor(const Offer& offer, const Scale& scale) {
    if (!offer.is_possible() || offer.split.n_branches > room_) return;
    double low = offer.value / scale.cost_scale * (1 - 1e-9) - score_slack(scale, 0);
    if (has_costs()) {
      if (!choice_.is_enough(offer.score, scale.weight)) return;
      const auto column = static_cast<std::size_t>(offer.split.column);
      low = filters::costed(low / scale.weight, problem_.columns[column].cost, settings_);
    }
    double floor = floor_.load(std::memory_order_relaxed);
    while (floor < low && !floor_.compare_exchange_weak(floor, low, std::memory_order_relaxed)) {
    }
  }
  // The score that a test of this column must reach, in the unit of costs.
  double floor_for(std::size_t index, const Scale& scale) const {
    const double floor = floor_.load(std::memory_order_relaxed);
    if (!has_costs()) return floor;
    if (!(floor > 1e-290 && floor < 1e290)) return sorted::nothing;  // beyond, digits get lost
    const double gain = filters::gain_for(floor, problem_.columns[index].cost, settings_);
    return gain * scale.weight * (1 - 1e-9) - score_slack(scale, 0);
  }
  bool best_is_significant(const OpenRows<Stats>& open, std::vector<Offer>& offers) {
    const auto best = choice_.best(offers, room_);
    if (!best) return true;
    fill_offer(open, *best, offers[*best], scratch_[0]);
    return offers[*best].is_possible();
  }

  // What the rows of the node weigh, by their numbers where they differ.
  void set_weights(const OpenRows<Stats>& open) {
    weights_ = {open.pieces.front().weight, nullptr};
    if (std::all_of(open.pieces.begin(), open.pieces.end(),
                    [&](Piece p) { return p.weight == weights_.each; }))
      return;
    row_weight_.resize(problem_.weight.size());
    for (Piece piece : open.pieces) row_weight_[static_cast<std::size_t>(piece.row)] = piece.weight;
    weights_.of_row = row_weight_.data();
  }

  // Columns in the order of their hash at this node; drawing goes on past columns that cannot split.
  void drawn_offers(const OpenRows<Stats>& open, std::vector<Offer>& offers) {
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
  std::uint64_t draw_for(const OpenRows<Stats>& open, std::int32_t rank, std::uint64_t purpose) const {
    return draw(settings_.seed + purpose * 0x9E3779B97F4A7C15, settings_.tree, open.path,
                static_cast<std::uint32_t>(rank));
  }

  // Multiway columns are counted all at once, where that is quicker than one by one: how many columns have
  // made their offer.
  std::size_t search_together(const OpenRows<Stats>& open, std::vector<Offer>& offers) {
    is_done_.assign(offers.size(), 0);
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      constexpr std::size_t few_threads = 4, many_cells = 500'000;
      if (!together_ || !together_->is_small()) return 0;
      if (scratch_.size() >= few_threads && open.pieces.size() * offers.size() >= many_cells) return 0;
      counted_.clear();
      std::size_t n_done = 0;
      for (std::size_t c = 0; c < offers.size(); ++c) {
        is_done_[c] = offers[c].verdict == Verdict::used_above;
        n_done += is_done_[c];
      }
      for (std::size_t c : together_->columns())
        if (is_done_[c] == 0) counted_.push_back(c);
      if (open.pieces.size() == 2) n_done += keep_first_that_parts({open.pieces, open.records});
      if (counted_.empty() || !together_->count({open.pieces, open.records}, counted_)) return 0;
      n_done += std::visit([&](auto criterion) { return score_together<decltype(criterion)>(open, offers); },
                           criterion_);
      return n_done;
    } else {
      return 0;
    }
  }
  // Is the test with the best score the one that is taken, whatever the others offer?
  bool asks_best_only() const {
    const bool is_budgeted = room_ < std::numeric_limits<std::int64_t>::max();
    return asks_ == Asks::best && !asks_each_column() && !has_costs() && !is_budgeted;
  }
  // Tests that part two rows have one and the same score, and the first in rank is chosen: where nobody asks
  // for the others, they need not be counted. How many columns that are.
  std::size_t keep_first_that_parts(const NodeRows& rows) {
    if (!asks_best_only()) return 0;
    const auto first = together_->first_that_parts(rows, counted_, problem_.columns);
    if (!first) return 0;
    for (std::size_t c : counted_) is_done_[c] = c != *first;
    const std::size_t n_others = counted_.size() - 1;
    counted_.assign(1, *first);
    return n_others;
  }
  template <class Criterion>
  std::size_t score_together(const OpenRows<Stats>& open, std::vector<Offer>& offers) {
    constexpr std::int64_t anything = std::numeric_limits<std::int64_t>::max();
    CountRoom& room = scratch_[0].counts;
    std::int64_t most = anything;
    std::size_t n_done = 0;
    with_contest<Criterion>(open, room, [&](auto& contest) {
      for (std::size_t c : counted_) {
        const auto counts = together_->of(c);
        if (counts.has_gaps()) {
          counts.clear(room.branch);
          continue;
        }
        score_counts(open, c, contest, counts, room, most, offers[c]);
        if (!asks_best_only()) most = anything;
        is_done_[c] = 1;
        ++n_done;
      }
    });
    return n_done;
  }
  // Score columns that no row of a node lacks.
  template <class Criterion, class Score>
  void with_contest(const OpenRows<Stats>& open, CountRoom& room, Score score) {
    if constexpr (!is_outside<Criterion> && !IsTwoSided<Criterion>) {
      room.whole.known = open.opening->stats;
      auto contest = task_for(open, 0, room.whole).template contest<Criterion>(false);
      score(contest);
    }
  }
  template <class Criterion, class Counts>
  void score_counts(const OpenRows<Stats>& open, std::size_t index, Contest<Criterion, Stats>& contest,
                    const Counts& counts, CountRoom& room, std::int64_t& most, Offer& offer) const {
    room.weights.clear();
    EachValue::best_counted(task_for(open, index, room.whole), contest, counts, room.branch,
                            is_described() ? &room.weights : nullptr, most, offer);
    if (offer.is_possible() && is_described()) describe(room.weights, 0, offer);
  }

  // Measure one column and ask its splitter.
  void fill_offer(const OpenRows<Stats>& open, std::size_t index, Offer& offer, Room& scratch) {
    if (offer.verdict == Verdict::used_above || (index < is_done_.size() && is_done_[index] != 0)) return;
    if (!open.orders.is_empty() && problem_.columns[index].form == SplitForm::cut)
      search_order(open, index, offer, scratch);
    else if (counts_branches(open, index))
      search_counts(open, index, offer, scratch.counts);
    else
      search_groups(open, index, offer, scratch.counts);
  }
  void search_groups(const OpenRows<Stats>& open, std::size_t index, Offer& offer, CountRoom& room) {
    const Column& column = problem_.columns[index];
    Measured<Stats> groups = settings_.search != Search::every
                                 ? measured(target_, open.pieces, column, open.opening->stats, room)
                                 : measure(target_, open.pieces, column, room.order);
    ask(open, index, groups, offer);
  }

  // A branch for each category, scored from the counts themselves?
  bool counts_branches(const OpenRows<Stats>& open, std::size_t index) const {
    const Column& column = problem_.columns[index];
    return std::is_same_v<Target, ClassTarget> && column.form == SplitForm::multiway && scores_counts() &&
           !tests_significance() && is_countable(open.pieces.size(), column.n_codes, n_classes());
  }
  bool scores_counts() const {
    const bool has_branches = std::visit(
        [](auto criterion) { return !is_outside<decltype(criterion)> && !IsTwoSided<decltype(criterion)>; },
        criterion_);
    return has_branches && settings_.search != Search::every && !is_filling() && !settings_.is_monotone &&
           !settings_.use_groups;
  }
  void search_counts(const OpenRows<Stats>& open, std::size_t index, Offer& offer, CountRoom& room) {
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      const bool is_near = near_ && near_->has(index);
      const CodeCounts::Filled counts(room.table, is_near ? near_->target() : target_,
                                      is_near ? near_->pieces() : std::span<const Piece>(open.pieces),
                                      is_near ? near_->column(index) : problem_.columns[index]);
      if (counts.has_gaps()) {
        Measured<Stats> groups = groups_of(target_, counts, open.opening->stats);
        ask(open, index, groups, offer);
        return;
      }
      std::visit(
          [&](auto criterion) {
            with_contest<decltype(criterion)>(open, room, [&](auto& contest) {
              offer = Offer();
              std::int64_t most = std::numeric_limits<std::int64_t>::max();
              score_counts(open, index, contest, counts, room, most, offer);
            });
          },
          criterion_);
    }
  }
  Task<Stats> task_for(const OpenRows<Stats>& open, std::size_t index,
                       const Measured<Stats>& measured) const {
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
  bool tests_significance() const { return settings_.significance < 1 && question_ == Question::each_column; }
  bool is_described() const {
    return settings_.use_average_gain || settings_.use_c45_cuts || settings_.keep_ledger;
  }

  // The same for a cut column whose order is kept: nothing is sorted, and hardly anything scored.
  void search_order(const OpenRows<Stats>& open, std::size_t index, Offer& offer, Room& room) const {
    std::span<const std::uint64_t> keys = open.orders.of(index);
    Measured<Stats> measured{{}, open.opening->stats, target_.none()};
    std::vector<std::uint64_t> filled;
    std::int32_t fill = -1;
    if (keys.size() < open.pieces.size()) {
      add_up_known(keys, measured);
      fill = fill_for(index, [&] { return weights_in_order(keys, measured.known); });
      if (fill >= 0) {
        filled = book_->with_gaps_filled(index, keys, open.pieces, fill);
        keys = filled;
        measured = {{}, open.opening->stats, target_.none()};
      }
    } else if (is_filling()) {
      fill = fill_for(index, [&] { return weights_in_order(keys, measured.known); });
    }
    const Task<Stats> task = task_for(open, index, measured);
    const SortedTask<Target> sorted{task,
                                    target_,
                                    keys,
                                    book_->layout(),
                                    book_->is_far(index),
                                    weights_,
                                    rough_logs_,
                                    floor_for(index, open.opening->scale)};
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
  // What the rows of each value weigh, from the order of the column.
  Measured<ClassStats> weights_in_order(std::span<const std::uint64_t> keys, const Stats& known) const {
    const KeyLayout& layout = book_->layout();
    Measured<ClassStats> out{{}, ClassStats(1), ClassStats(1)};
    out.known.weight = known.weight;
    out.known.rows = known.rows;
    for (std::size_t i = 0; i < keys.size();) {
      const std::uint64_t rank = layout.rank(keys[i]);
      ClassStats group(1);
      for (; i < keys.size() && layout.rank(keys[i]) == rank; ++i)
        group.weight += weights_[layout.row(keys[i])];
      out.groups.push(static_cast<std::int32_t>(rank), group);
    }
    return out;
  }
  // The code that gaps take before anything is scored; -1 where the policy fills none. `measured` is asked
  // for the column only where it matters.
  template <class MeasuredColumn>
  std::int32_t fill_for(std::size_t index, MeasuredColumn measured) const {
    if (settings_.missing == MissingPolicy::most_common_overall) return overall_fill_[index];
    if (settings_.missing != MissingPolicy::most_common) return -1;
    return common_code_of(measured(), index);
  }
  template <class Figures>
  std::int32_t common_code_of(const Measured<Figures>& measured, std::size_t index) const {
    if (measured.groups.size() == 0) return -1;
    return common_code(measured, problem_.columns[index], settings_.weight_slack(measured.known.rows));
  }
  std::size_t n_classes() const { return n_classes_of(target_); }

  void set_overall_fill(const OpenRows<Stats>& root) {
    if (settings_.missing != MissingPolicy::most_common_overall) return;
    for (std::size_t c = 0; c < problem_.columns.size(); ++c)
      overall_fill_.push_back(
          common_code_of(measure(target_, root.pieces, problem_.columns[c], scratch_[0].counts.order), c));
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
  // Unknown values that take no branch count as one outcome more.
  void describe(std::vector<std::int64_t> weight, std::int64_t missing, Offer& offer) const {
    weight.push_back(0);
    const bool joins = joins_gaps() && offer.split.missing >= 0;
    weight[joins ? static_cast<std::size_t>(offer.split.missing) : weight.size() - 1] += missing;
    offer.split_info = split_info(weight, settings_.weight_unit, logs_);
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

  const Problem& problem_;
  const Settings& settings_;
  const Target& target_;
  CriterionVariant criterion_;
  const Logs& logs_;
  Logs rough_logs_;
  const Choice& choice_;
  std::function<void()> breathe_;
  std::vector<Room> scratch_;  // one a thread
  std::vector<std::int32_t> overall_fill_;
  std::optional<OrderBook> book_;
  std::optional<NearRows> near_;  // of classes
  std::optional<TogetherCounts> together_;
  std::vector<Offer> offers_;          // of the node at hand
  std::vector<std::size_t> counted_;   // columns of the node at hand
  std::vector<std::uint8_t> is_done_;  // by column
  std::int64_t room_ = std::numeric_limits<std::int64_t>::max();
  Asks asks_ = Asks::all;
  NodeWeights weights_;  // of the node at hand
  Question question_ = Question::each_column;
  std::atomic<double> floor_{sorted::nothing};
  std::vector<std::int64_t> row_weight_;
};

}  // namespace treewright
