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
#include "rows.hpp"
#include "significance.hpp"
#include "splitter.hpp"
#include "splitters/binned_cut.hpp"
#include "tree.hpp"

namespace treewright {

struct Problem {
  std::vector<Column> columns;
  std::vector<std::int64_t> weight;  // one per row, fixed point, positive for the rows to grow on
  Settings settings;
  BatchScore outside;
  std::function<void()> breathe;  // called between nodes: where a caller may stop growth by throwing
};

template <class Target, class CriterionVariant>
class Growth {
  using Stats = typename Target::Stats;

  // A node whose rows are still in hand.
  struct Open {
    std::int32_t node = 0;
    std::int64_t depth = 0;
    std::uint64_t path = root_path;
    std::vector<Piece> pieces;
    std::vector<std::int32_t> used;  // multiway columns asked above
    std::optional<Opening<Stats>> opening;
    std::optional<Offer> offer;  // the split decided on, while it waits its turn
    Histogram histogram;         // of its rows, while they are many
    double priority = 0;
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
        scratch_(std::clamp<std::size_t>(static_cast<std::size_t>(problem.settings.n_threads), 1,
                                         std::max<std::size_t>(1, problem.columns.size()))),
        nodes_(problem.settings, n_classes()),
        choice_(problem.settings, problem.columns) {}

  TreeArrays run() {
    auto root = std::make_unique<Open>();
    for (std::size_t r = 0; r < problem_.weight.size(); ++r)
      if (problem_.weight[r] > 0) root->pieces.push_back({static_cast<std::int32_t>(r), problem_.weight[r]});
    start(*root, -1);
    choice_.set_root(static_cast<double>(root->opening->stats.weight) * settings_.weight_unit,
                     root->opening->scale.weight);
    set_overall_fill(*root);
    counts_rows_ = can_count_rows();
    if (counts_rows_ && problem_.weight.size() >= min_binned_rows && !problem_.columns.empty())
      binned_.emplace(problem_.columns, problem_.weight.size());
    if (settings_.max_leaves == std::numeric_limits<std::int64_t>::max())
      depth_first(std::move(root));
    else
      best_first(std::move(root));
    if (settings_.collapse_margin >= 0) nodes_.collapse_useless();
    return nodes_.preorder();
  }

 private:
  using Waiting = std::vector<std::unique_ptr<Open>>;
  static constexpr std::size_t min_binned_rows = 512;
  static constexpr std::int32_t max_counted_codes = 16;
  static constexpr std::int64_t max_nodes = 10'000'000;

  void depth_first(std::unique_ptr<Open> root) {
    Waiting stack;
    stack.push_back(std::move(root));
    while (!stack.empty()) {
      auto open = std::move(stack.back());
      stack.pop_back();
      if (!decide(*open)) continue;
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
      open->histogram = {};  // too many may wait at once
      heap.push_back(std::move(open));
      std::push_heap(heap.begin(), heap.end(), LessUrgent());
    };
    std::int64_t n_leaves = 1;
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
      room_ = settings_.max_leaves - n_leaves + 1;
      for (auto& child : apply(*open)) enqueue(std::move(child));
    }
  }

  // Open: what the rows of the node amount to, and its label.
  void start(Open& open, std::int32_t parent) {
    Opening<Stats> o{target_.none(), {}, true, 0};
    for (Piece p : open.pieces) target_.add(o.stats, p);
    o.scale.weight_unit = settings_.weight_unit;
    o.scale.y_unit = settings_.y_unit;
    o.scale.class_scale = settings_.class_scale;
    o.scale.logs = &logs_;
    if constexpr (std::is_same_v<Target, NumberTarget>) o.scale.coarse_shift = target_.coarse_shift;
    openings::finish(o, target_, open.pieces);
    open.node = nodes_.add(parent, o);
    open.opening = std::move(o);
  }

  // Decide: measure every column that competes, take the best offer that passes all filters.
  bool decide(Open& open) {
    if (problem_.breathe) problem_.breathe();
    if (is_finished(open) || (room_ < 2 && !settings_.keep_ledger)) return false;
    std::vector<Offer> offers = collect_offers(open);
    const auto chosen = choice_.choose(offers, open.opening->scale.weight, room_);
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

  bool is_finished(const Open& open) const {
    const Opening<Stats>& o = *open.opening;
    if (o.is_pure || open.depth >= settings_.max_depth) return true;
    if (Admission(settings_).size(o.stats.rows, o.stats.weight) < settings_.min_split) return true;
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      std::int64_t most = 0;
      for (auto c : o.stats.counts) most = std::max(most, c);
      if (static_cast<double>(most) > settings_.majority_share * static_cast<double>(o.stats.weight))
        return true;
    }
    return false;
  }

  std::vector<Offer> collect_offers(Open& open) {
    const std::size_t n = problem_.columns.size();
    std::vector<Offer> offers(n);
    for (std::int32_t column : open.used)
      offers[static_cast<std::size_t>(column)].verdict = Verdict::used_above;
    if (settings_.max_columns < static_cast<std::int64_t>(n)) {
      drawn_offers(open, offers);
      return offers;
    }
    if constexpr (std::is_same_v<Target, ClassTarget>)
      if (is_large(open)) {
        if (open.histogram.is_empty()) open.histogram = Histogram(*binned_, target_, open.pieces);
        std::visit([&](auto criterion) { binned_offers<decltype(criterion)>(open, offers); }, criterion_);
        return offers;
      }
    const auto n_threads = std::min(scratch_.size(), n);
    if (n_threads < 2 || open.pieces.size() * n < 50000 || problem_.outside) {
      for (std::size_t c = 0; c < n; ++c) fill_offer(open, c, offers[c], scratch_[0]);
      return offers;
    }
    std::atomic<std::size_t> next{0};
    in_parallel(n_threads, [&](std::size_t t) {
      for (std::size_t c; (c = next++) < n;) fill_offer(open, c, offers[c], scratch_[t]);
    });
    return offers;
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

  // The quick ways serve where every row counts one and nobody asks for the losers' figures.
  bool can_count_rows() const {
    if constexpr (!std::is_same_v<Target, ClassTarget>) return false;
    const Settings& s = settings_;
    const bool is_plain = !s.keep_ledger && !s.use_random_cuts && !s.use_c45_cuts && s.significance >= 1 &&
                          s.missing != MissingPolicy::fractional && s.class_scale.empty() &&
                          !problem_.outside;
    const bool is_unweighted =
        std::all_of(problem_.weight.begin(), problem_.weight.end(), [](std::int64_t w) { return w == 1; });
    return s.use_histograms && is_plain && is_unweighted && s.weight_unit == 1;
  }
  // Is a histogram of all columns smaller than the rows themselves?
  bool is_large(const Open& open) const {
    return binned_ && open.pieces.size() >= min_binned_rows &&
           binned_->n_cells(n_classes()) <= open.pieces.size() * problem_.columns.size();
  }

  // Columns of few codes are measured by their bins. Of the others first the edges of all bins are scored,
  // then the inside of those bins that could still win, the most promising column first.
  template <class Criterion>
  void binned_offers(const Open& open, std::vector<Offer>& offers) {
    constexpr bool bounds_bins = std::is_same_v<Criterion, Gini> || std::is_same_v<Criterion, Entropy>;
    using Bounded = BinnedColumn<std::conditional_t<bounds_bins, Criterion, Gini>>;
    const Measured<Stats> all{{}, open.opening->stats, target_.none()};
    std::vector<std::unique_ptr<Bounded>> binned;
    double floor = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < offers.size(); ++c) {
      if (offers[c].verdict == Verdict::used_above) continue;
      if (binned_->is_direct(c)) {
        ask(open, c, measure(*binned_, open.histogram, c, n_classes()), offers[c]);
      } else if (bounds_bins && places_gaps_later() && problem_.columns[c].form == SplitForm::cut &&
                 !open.histogram.has_gaps(*binned_, c)) {
        binned.push_back(std::make_unique<Bounded>(*binned_, open.histogram, task_for(open, c, all)));
        binned.back()->cut.score_edges();
        floor = std::max(floor, binned.back()->cut.best_value());
      } else {
        fill_offer(open, c, offers[c], scratch_[0]);
      }
      if (offers[c].is_possible() && offers[c].split.n_branches <= room_)
        floor = std::max(floor, offers[c].value);
    }
    std::stable_sort(binned.begin(), binned.end(),
                     [](const auto& a, const auto& b) { return a->cut.ceiling() > b->cut.ceiling(); });
    for (auto& column : binned) {
      if (column->cut.ceiling() >= floor) column->cut.refine(floor, open.pieces, target_.label);
      floor = std::max(floor, column->cut.best_value());
    }
    for (auto& column : binned)
      offers[static_cast<std::size_t>(column->task.index)] =
          column->cut.result(open.pieces, column->cut.best_value() < floor);
  }
  template <class Criterion>
  struct BinnedColumn {
    Task<ClassStats> task;
    BinnedCut<Criterion> cut;
    BinnedColumn(const BinnedTable& table, const Histogram& histogram, const Task<ClassStats>& t)
        : task(t), cut(table, histogram, task) {}
  };
  // most_common needs the node's median to place gaps, even where there are none.
  bool places_gaps_later() const {
    return settings_.missing != MissingPolicy::most_common &&
           settings_.missing != MissingPolicy::most_common_overall;
  }

  // The smaller child is counted, the larger one is what is left of the parent.
  void pass_histogram(Open& open, Waiting& children) {
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      Histogram whole = std::move(open.histogram);
      if (whole.is_empty() || children.size() != 2) return;
      const bool first_is_small = children[0]->pieces.size() < children[1]->pieces.size();
      Open &small = *children[first_is_small ? 0 : 1], &large = *children[first_is_small ? 1 : 0];
      if (!is_large(large) || is_finished(large)) return;
      Histogram part(*binned_, target_, small.pieces);
      whole.subtract(part);
      large.histogram = std::move(whole);
      if (is_large(small)) small.histogram = std::move(part);
    }
  }

  // A cut column without gaps here: sort its rows and scan them, with no groups in between.
  template <class Criterion>
  bool fill_cut(const Open& open, std::size_t index, Offer& offer) const {
    const Column& column = problem_.columns[index];
    if (column.form != SplitForm::cut || !places_gaps_later()) return false;
    const Measured<Stats> all{{}, open.opening->stats, target_.none()};
    const Task<Stats> task = task_for(open, index, all);
    CutSearch<Criterion> search(task);
    const bool is_done = column.n_codes <= max_counted_codes ? count_cuts(open, column, search)
                                                             : sort_cuts(open, column, search);
    if (!is_done) return false;
    const bool is_found = search.best_value() > -std::numeric_limits<double>::infinity();
    offer = search.result(is_found ? search.split_between(search.place().low, search.place().high) : Split());
    return true;
  }

  // Both return false where the column has a gap.
  template <class Search>
  bool count_cuts(const Open& open, const Column& column, Search& search) const {
    const auto n_codes = static_cast<std::size_t>(column.n_codes);
    std::vector<std::uint32_t> counts(n_codes * n_classes());
    for (Piece piece : open.pieces) {
      const auto r = static_cast<std::size_t>(piece.row);
      if (column.code[r] == missing_code) return false;
      ++counts[static_cast<std::size_t>(column.code[r]) * n_classes() +
               static_cast<std::size_t>(target_.label[r])];
    }
    search.scan_counts(counts, n_codes);
    return true;
  }
  template <class Search>
  bool sort_cuts(const Open& open, const Column& column, Search& search) const {
    std::vector<CutKey> keys;
    keys.reserve(open.pieces.size());
    for (Piece piece : open.pieces) {
      const auto r = static_cast<std::size_t>(piece.row);
      if (column.code[r] == missing_code) return false;
      keys.push_back(cut_key(column.code[r], target_.label[r]));
    }
    std::sort(keys.begin(), keys.end());
    search.scan(keys, std::vector<double>(n_classes()), 0);
    return true;
  }

  // Measure one column and ask its splitter.
  void fill_offer(const Open& open, std::size_t index, Offer& offer, CodeOrder& scratch) {
    if (offer.verdict == Verdict::used_above) return;
    if constexpr (std::is_same_v<Target, ClassTarget>)
      if (counts_rows_) {
        if (std::holds_alternative<Gini>(criterion_) && fill_cut<Gini>(open, index, offer)) return;
        if (std::holds_alternative<Entropy>(criterion_) && fill_cut<Entropy>(open, index, offer)) return;
      }
    ask(open, index, measure(target_, open.pieces, problem_.columns[index], scratch), offer);
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
    if (settings_.use_average_gain || settings_.use_c45_cuts || settings_.keep_ledger)
      describe(measured, offer);
    if (settings_.significance < 1) test_significance(measured, offer);
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
      const auto measured = measure(target_, root.pieces, column, scratch_[0]);
      overall_fill_.push_back(
          measured.groups.size() == 0
              ? -1
              : common_code(measured, column, settings_.weight_slack(measured.known.rows)));
    }
  }

  // The statistics of each branch of an offer, from the measured column.
  std::vector<Stats> branches_of(const Measured<Stats>& measured, const Split& split) const {
    std::vector<Stats> branches(static_cast<std::size_t>(split.n_branches), target_.none());
    for (std::size_t g = 0; g < measured.groups.size(); ++g)
      measured.groups.add_to(branches[static_cast<std::size_t>(split.branch_of(measured.groups.code[g]))], g);
    if (joins_gaps() && measured.missing.rows > 0 && split.missing >= 0)
      branches[static_cast<std::size_t>(split.missing)].add(measured.missing);
    return branches;
  }
  // Split information: unknown values that take no branch count as one outcome more.
  void describe(const Measured<Stats>& measured, Offer& offer) const {
    const double unit = settings_.weight_unit;
    std::vector<std::int64_t> weight(static_cast<std::size_t>(offer.split.n_branches) + 1);
    for (std::size_t g = 0; g < measured.groups.size(); ++g)
      weight[static_cast<std::size_t>(offer.split.branch_of(measured.groups.code[g]))] +=
          measured.groups.weight[g];
    const bool joins = joins_gaps() && offer.split.missing >= 0;
    weight[joins ? static_cast<std::size_t>(offer.split.missing) : weight.size() - 1] +=
        measured.missing.weight;
    std::vector<double> terms;
    for (std::int64_t w : weight) terms.push_back(logs_.n_log_n(static_cast<double>(w) * unit));
    std::sort(terms.begin(), terms.end());
    double sum = 0;
    for (double term : terms) sum += term;
    const double total = static_cast<double>(measured.known.weight + measured.missing.weight) * unit;
    offer.split_info = (logs_.n_log_n(total) - sum) / total;
  }
  bool joins_gaps() const {
    return settings_.missing == MissingPolicy::learned || settings_.missing == MissingPolicy::own_branch;
  }
  void test_significance(const Measured<Stats>& measured, Offer& offer) const {
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      Counts table;
      for (const Stats& s : branches_of(measured, offer.split)) {
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
      throw std::length_error(
          "The tree has more than 10,000,000 nodes: a column with very many categories gets a branch for "
          "each of "
          "them, again and again. Leave that column out, or use splits='binary'.");
    Split split = std::move(open.offer->split);
    std::vector<Surrogate> surrogates;
    if (settings_.missing == MissingPolicy::surrogate) surrogates = surrogates_of(open, split);
    const Division division(problem_.columns, split, surrogates);
    Parts parts = division.divide(open.pieces, settings_);
    std::vector<Piece>().swap(open.pieces);
    const bool places_gaps =
        settings_.missing != MissingPolicy::fractional && settings_.missing != MissingPolicy::none;
    if (places_gaps && split.missing < 0) split.missing = parts.majority;

    std::vector<std::int32_t> used = open.used;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    if (settings_.use_once && column.form == SplitForm::multiway) used.push_back(split.column);
    const std::int32_t first = nodes_.size();
    Waiting children;
    for (std::size_t b = 0; b < parts.branch.size(); ++b) {
      auto child = std::make_unique<Open>();
      child->depth = open.depth + 1;
      child->path = path_of_branch(open.path, static_cast<std::uint32_t>(b));
      child->pieces = std::move(parts.branch[b]);
      child->used = used;
      start(*child, open.node);
      children.push_back(std::move(child));
    }
    pass_histogram(open, children);
    Node& node = nodes_[open.node];
    node.first_child = first;
    node.n_children = split.n_branches;
    node.largest = parts.largest;
    node.split = std::move(split);
    node.surrogates = std::move(surrogates);
    return children;
  }

  std::vector<Surrogate> surrogates_of(const Open& open, const Split& split) {
    std::vector<std::int32_t>& side = side_;
    side.resize(problem_.weight.size());
    std::vector<Piece> known;
    const Column& column = problem_.columns[static_cast<std::size_t>(split.column)];
    for (Piece p : open.pieces) {
      const std::int32_t branch = split.branch_of(column.code[static_cast<std::size_t>(p.row)]);
      if (branch < 0) continue;
      side[static_cast<std::size_t>(p.row)] = branch;
      known.push_back(p);
    }
    return find_surrogates(problem_.columns, split.column, side, known, settings_, scratch_[0]);
  }

  const Problem& problem_;
  const Settings& settings_;
  Target target_;
  CriterionVariant criterion_;
  Logs logs_;
  std::vector<CodeOrder> scratch_;  // one a thread
  Nodes nodes_;
  bool counts_rows_ = false;           // every row counts one: the quick ways serve
  std::optional<BinnedTable> binned_;  // for nodes large enough for histograms
  std::int64_t room_ = std::numeric_limits<std::int64_t>::max();  // branches that the budget of leaves allows
  std::vector<std::int32_t> overall_fill_, side_;
  Choice choice_;
};

TreeArrays grow(const Problem& problem, const ClassTarget& target, std::string_view criterion);
TreeArrays grow(const Problem& problem, const NumberTarget& target, std::string_view criterion);

}  // namespace treewright
