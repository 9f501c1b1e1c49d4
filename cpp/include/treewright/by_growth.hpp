// What is asked of growth, answered by Growth: the definitions behind growing.hpp and verbs.hpp. They are
// compiled for classes and for numbers apart (cpp/src/growth_*.cpp), because each takes long.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>

#include "bound.hpp"
#include "figures.hpp"
#include "fill.hpp"
#include "grow.hpp"
#include "growing.hpp"
#include "revisit.hpp"
#include "splitters/sorted_cut.hpp"
#include "verbs.hpp"

namespace treewright {

template <class CriterionVariant, class Target>
TreeArrays grow_by_offers(Problem& problem, const Target& target, std::string_view criterion) {
  // Under C4.5's choice the cut inside a column is the one of best gain; the ratio only compares columns.
  const std::string_view inside =
      problem.settings.use_average_gain ? gain_criterion<CriterionVariant>(criterion) : criterion;
  auto found = find_criterion<CriterionVariant>(inside);
  if (!found) throw std::invalid_argument("unknown criterion '" + std::string(criterion) + "'");
  std::vector<Ranks> ranks = rank_columns(problem, keeps_orders(problem));
  TreeArrays arrays = Growth<Target, CriterionVariant>(problem, target, *found).run(ranks);
  for (const Column& column : problem.columns) arrays.gaps.push_back(has_gaps(column));
  return arrays;
}

template <class Target, class CriterionVariant>
Verbs<Target, CriterionVariant>::Verbs(Problem problem, Target target, std::string_view criterion)
    : problem_(std::move(problem)),
      ranks_(rank_columns(problem_)),
      target_(target),
      criterion_(named(problem_.settings, criterion)),
      growth_(std::make_unique<Engine>(problem_, target, criterion_)) {}

template <class Target, class CriterionVariant>
Verbs<Target, CriterionVariant>::~Verbs() = default;

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::open(std::vector<Piece> pieces, std::int64_t depth,
                                           std::uint64_t path) const -> Node {
  Stats stats = target_.none();
  for (Piece piece : pieces) target_.add(stats, piece);
  Node node;
  node.opening = openings::of(stats, target_, settings(), growth_->logs_, pieces);
  node.pieces = std::move(pieces);
  node.depth = depth;
  node.path = path;
  return node;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::open(std::span<const std::int64_t> figures, std::int64_t least,
                                           std::int64_t greatest, double squares, std::int64_t depth) const
    -> Node {
  const Stats stats = stats_of(target_, figures);
  Node node;
  if constexpr (std::is_same_v<Target, ClassTarget>) {
    node.opening = openings::of(stats, target_, settings(), growth_->logs_, node.pieces);
  } else {
    const auto [centre, shift] = squares_about(figures, least, greatest);
    const double unit = std::ldexp(settings().y_unit, shift);
    node.opening = openings::begun(stats, target_, settings(), growth_->logs_);
    openings::finish(*node.opening, least == greatest, squares * unit * unit * settings().weight_unit);
  }
  node.depth = depth;
  return node;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::squares_about(std::span<const std::int64_t> figures, std::int64_t least,
                                                    std::int64_t greatest) const
    -> std::pair<std::int64_t, int> {
  if constexpr (std::is_same_v<Target, ClassTarget>) {
    return {0, 0};
  } else {
    const MomentStats stats = stats_of(target_, figures);
    const std::int64_t centre = openings::centre_of(stats);
    auto distance = [centre](std::int64_t y) { return static_cast<std::uint64_t>(std::abs(y - centre)); };
    return {centre, openings::square_shift(std::max(distance(least), distance(greatest)), stats.weight)};
  }
}

template <class Target, class CriterionVariant>
bool Verbs<Target, CriterionVariant>::is_finished(const Node& node) const {
  return openings::is_finished(*node.opening, node.depth, settings());
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::search(const Node& node, std::span<const Column> more)
    -> std::vector<Offer> {
  std::vector<Offer> offers =
      growth_->search_.offers(node, std::numeric_limits<std::int64_t>::max(), Engine::Search::Asks::all);
  const std::size_t first = offers.size();
  offers.resize(first + more.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    const Ranks ranks = rank(more[i].number);
    const Column column = placed(node, more[i], ranks);
    const Beside beside(problem_, column, first + i);
    Measured<Stats> measured = measure(target_, node.pieces, column, growth_->search_.scratch());
    growth_->search_.ask(node, first + i, measured, offers[first + i]);
  }
  return offers;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::search(const Node& node, std::size_t index,
                                             const MeasuredElsewhere& given) -> Offer {
  if (std::find(node.used.begin(), node.used.end(), static_cast<std::int32_t>(index)) != node.used.end())
    return refusal(Verdict::used_above);
  Measured<Stats> measured = measured_of(index, given);
  Column column = problem_.columns[index];
  if (column.form == SplitForm::cut) {
    column.value = given.high;
    column.n_codes = static_cast<std::int32_t>(given.high.size());
  }
  Offer offer;
  {
    const Beside beside(problem_, column, index);
    const MissingPolicy policy = problem_.settings.missing;
    // What stands in for gaps everywhere is known only elsewhere, and is among the groups.
    if (policy == MissingPolicy::most_common_overall) problem_.settings.missing = MissingPolicy::none;
    growth_->search_.ask(node, index, measured, offer);
    problem_.settings.missing = policy;
  }
  if (offer.split.kind == SplitKind::cut && offer.split.cut_code < column.n_codes) {
    const auto low = static_cast<std::size_t>(offer.split.cut_code);
    offer.split.cut = midpoint(given.high[low], given.low[low + 1]);
  }
  return offer;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::judged(const Node& node, const Chosen& chosen) -> Offer {
  const auto index = static_cast<std::size_t>(chosen.column);
  const Column& column = problem_.columns[index];
  Measured<Stats> measured = measure(target_, node.pieces, column, growth_->search_.scratch());
  Split split = split_of(chosen, measured);
  if (settings().missing == MissingPolicy::most_common && measured.missing.rows > 0)
    join_gaps(split, measured);
  const Task<Stats> task{column,
                         chosen.column,
                         measured,
                         node.opening->scale,
                         settings(),
                         n_classes_of(target_),
                         node.opening->stats.weight,
                         0,
                         &problem_.outside};
  std::vector<Stats> branches(static_cast<std::size_t>(split.n_branches), target_.none());
  for (std::size_t g = 0; g < measured.groups.size(); ++g)
    measured.groups.add_to(branches[static_cast<std::size_t>(split.branch_of(measured.groups.code[g]))], g);
  if (task.scores_gaps() && split.missing >= 0)
    branches[static_cast<std::size_t>(split.missing)].add(measured.missing);
  return std::visit(
      [&](auto criterion) {
        using Criterion = decltype(criterion);
        auto contest = task.template contest<Criterion>();
        contest.offer({}, branches[0], branches[1], branches.size() > 2 ? &branches[2] : nullptr);
        const auto found = contest.best();
        if (!found) return refusal(Verdict::branches_too_small);
        Offer offer;
        set_scores(offer, *found, task, is_outside<Criterion>, IsRatio<Criterion>);
        split.column = chosen.column;
        offer.split = std::move(split);
        return offer;
      },
      criterion_);
}

// Gaps that count as a value join one on their side of the test.
template <class Target, class CriterionVariant>
void Verbs<Target, CriterionVariant>::join_gaps(const Split& split, Measured<Stats>& measured) const {
  for (std::int32_t code : measured.groups.code)
    if (split.branch_of(code) == split.missing) return fill_gaps(measured, code, target_.none());
}

// The test in the form that a splitter gives it: cuts lie half-way between the neighbours at the node.
template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::split_of(const Chosen& chosen, const Measured<Stats>& measured) const
    -> Split {
  const Column& column = problem_.columns[static_cast<std::size_t>(chosen.column)];
  const std::vector<std::int32_t>& code = measured.groups.code;
  const auto is_left = [&](std::int32_t c) {
    return chosen.left ? std::find(chosen.left->begin(), chosen.left->end(), c) != chosen.left->end()
                       : c <= chosen.place;
  };
  Split split;
  split.n_branches = chosen.n_branches;
  split.missing = chosen.missing;
  const auto n_left = static_cast<std::size_t>(std::count_if(code.begin(), code.end(), is_left));
  const bool is_known_test = measured.missing.rows > 0 && (n_left == 0 || n_left == code.size());
  if (is_known_test) {
    split.n_branches = 2;
    split.missing = 1;
  }
  if (column.form != SplitForm::cut) {
    split.kind = SplitKind::values;
    split.code = code;
    for (std::int32_t c : code) split.branch.push_back(is_known_test || is_left(c) ? 0 : 1);
    return split;
  }
  if (!is_known_test && (n_left == 0 || n_left == code.size()))
    throw std::invalid_argument("the test divides no rows");
  split.kind = SplitKind::cut;
  split.cut = is_known_test ? std::numeric_limits<double>::infinity()
                            : stored_cut(column, code[n_left - 1], code[n_left], false);
  split.cut_code = is_known_test ? column.n_codes : code[n_left - 1];
  return split;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::surrogate(std::size_t index, const MeasuredElsewhere& given) const
    -> Surrogate {
  const ClassTarget sides{{}, 2};
  const std::size_t width = figure_width(sides);
  ClassStats known = sides.none();
  std::vector<ClassStats> groups;
  for (std::size_t g = 0; g < given.low.size(); ++g) {
    groups.push_back(stats_of(sides, given.figures.subspan(g * width, width)));
    known.add(groups.back());
  }
  Column column = problem_.columns[index];
  const bool is_cut = column.form == SplitForm::cut;
  if (is_cut) column.value = given.high;
  surrogates::Candidate candidate(column, known);
  for (std::size_t g = 0; g < groups.size(); ++g)
    candidate.add(static_cast<std::int32_t>(is_cut ? static_cast<double>(g) : given.low[g]),
                  groups[g].counts[0], groups[g].counts[1], groups[g].rows);
  ClassStats all = known;
  all.add(stats_of(sides, given.gaps));
  Surrogate found = candidate.best(static_cast<std::int32_t>(index),
                                   settings().count_gaps_against_surrogates ? all : known, {});
  if (found.split.kind == SplitKind::cut) {
    const auto low = static_cast<std::size_t>(found.split.cut_code);
    found.split.cut = midpoint(given.high[low], given.low[low + 1]);
  }
  return found;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::ranked(std::vector<Surrogate> found) const -> std::vector<Surrogate> {
  surrogates::rank(found, problem_.columns, settings());
  return found;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::bounds(const Node& node, const MeasuredElsewhere& given,
                                             std::span<const std::int64_t> least,
                                             std::span<const std::int64_t> greatest) const
    -> std::vector<double> {
  return std::visit(
      [&](auto criterion) {
        using Criterion = decltype(criterion);
        if constexpr (HasCellBound<Criterion, Stats>)
          return cell_bounds<Criterion>(*node.opening, groups_of(given), stats_of(target_, given.gaps),
                                        settings().missing, least, greatest);
        else
          return std::vector<double>(given.low.size(), std::numeric_limits<double>::infinity());
      },
      criterion_);
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::decide(const Node& node, const Node& root, std::vector<Offer>& offers,
                                             std::span<const Column> more, std::int64_t room) const
    -> std::optional<std::size_t> {
  std::vector<Column> columns = problem_.columns;
  columns.insert(columns.end(), more.begin(), more.end());
  if (columns.size() != offers.size()) throw std::invalid_argument("there must be one offer for each column");
  Choice choice(settings(), columns);
  choice.set_root(static_cast<double>(root.opening->stats.weight) * settings().weight_unit,
                  root.opening->scale.weight);
  return choice.choose(offers, node.opening->scale.weight, room);
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::apply(const Node& node, const Offer& offer, const Column* more)
    -> Applied<Node> {
  const Split& split = offer.split;
  std::optional<Ranks> ranks;
  Column column;
  if (more != nullptr) {
    ranks = rank(more->number);
    column = placed(node, *more, *ranks);
  } else {
    column = problem_.columns[static_cast<std::size_t>(split.column)];
  }
  const Beside beside(problem_, column, static_cast<std::size_t>(split.column));
  std::vector<Surrogate> surrogates;
  if (settings().missing == MissingPolicy::surrogate && growth_->lacks_value(node, split))
    surrogates =
        SurrogateSearch(problem_.columns, problem_.weight.size(), settings(), [] {}).find(split, node.pieces);
  Parts parts = Division(problem_.columns, split, surrogates).divide(node.pieces, settings());
  Applied<Node> applied{{}, parts.gaps, parts.largest};
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const auto branch = parts.branch(b);
    Node child = open({branch.begin(), branch.end()}, node.depth + 1,
                      path_of_branch(node.path, static_cast<std::uint32_t>(b)));
    child.used = used_below(node, split);
    applied.children.push_back(std::move(child));
  }
  return applied;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::placed(const Node& node, const Offer& offer,
                                             std::vector<std::int64_t> known, std::int64_t gaps) const
    -> Applied<Node> {
  const std::int64_t n_rows = node.opening->stats.rows;
  Applied<Node> applied;
  applied.missing =
      offer.split.missing >= 0 ? offer.split.missing : branches::of_gaps(known, settings(), n_rows);
  if (applied.missing >= 0) known[static_cast<std::size_t>(applied.missing)] += gaps;
  applied.largest = branches::heaviest(known, settings().weight_slack(n_rows));
  return applied;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::used_below(const Node& node, const Split& split) const
    -> std::vector<std::int32_t> {
  std::vector<std::int32_t> used = node.used;
  const auto c = static_cast<std::size_t>(split.column);
  if (settings().use_once && c < n_columns() && problem_.columns[c].form == SplitForm::multiway)
    used.push_back(split.column);
  return used;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::add(const Node& node, std::int32_t parent) -> std::int32_t {
  return growth_->nodes_.add(parent, *node.opening);
}

template <class Target, class CriterionVariant>
void Verbs<Target, CriterionVariant>::keep_offers(std::int32_t place, const std::vector<Offer>& offers) {
  growth_->nodes_.keep_offers(place, offers);
}

template <class Target, class CriterionVariant>
void Verbs<Target, CriterionVariant>::split(std::int32_t place, const Offer& offer, std::int32_t missing,
                                            std::int32_t largest, std::int32_t first,
                                            std::vector<Surrogate> surrogates) {
  Split split = offer.split;
  split.missing = missing;
  growth_->nodes_.split(place,
                        {std::move(split), offer.score, offer.gain, first, largest, std::move(surrogates)});
}

template <class Target, class CriterionVariant>
void Verbs<Target, CriterionVariant>::make_leaf(std::int32_t place) {
  growth_->nodes_.make_leaf(place, Verdict::leaf_budget);
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::tree() -> TreeArrays {
  if (settings().collapse_margin >= 0) growth_->nodes_.collapse_useless();
  TreeArrays arrays = growth_->nodes_.preorder();
  for (const Column& column : problem_.columns) arrays.gaps.push_back(has_gaps(column));
  return arrays;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::named(const Settings& settings, std::string_view criterion)
    -> CriterionVariant {
  // Under C4.5's choice the cut inside a column is the one of best gain; the ratio only compares columns.
  auto found = find_criterion<CriterionVariant>(
      settings.use_average_gain ? gain_criterion<CriterionVariant>(criterion) : criterion);
  if (!found) throw std::invalid_argument("unknown criterion '" + std::string(criterion) + "'");
  return *found;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::placed(const Node& node, const Column& given, const Ranks& ranks)
    -> Column {
  if (given.number.size != node.pieces.size())
    throw std::invalid_argument("a column must have one number for each row of the node");
  codes_.resize(problem_.weight.size());
  for (std::size_t i = 0; i < node.pieces.size(); ++i)
    codes_[static_cast<std::size_t>(node.pieces[i].row)] = ranks.code[i];
  Column column = given;
  column.code = codes_;
  column.value = ranks.value;
  column.n_codes = static_cast<std::int32_t>(ranks.value.size());
  return column;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::groups_of(const MeasuredElsewhere& given) const -> std::vector<Stats> {
  const std::size_t width = figure_width(target_);
  std::vector<Stats> groups;
  for (std::size_t g = 0; g < given.low.size(); ++g)
    groups.push_back(stats_of(target_, given.figures.subspan(g * width, width)));
  return groups;
}

template <class Target, class CriterionVariant>
auto Verbs<Target, CriterionVariant>::measured_of(std::size_t index, const MeasuredElsewhere& given) const
    -> Measured<Stats> {
  const bool is_cut = problem_.columns[index].form == SplitForm::cut;
  Measured<Stats> measured{{}, target_.none(), stats_of(target_, given.gaps)};
  std::int32_t code = 0;
  for (const Stats& group : groups_of(given)) {
    const double category = given.low[static_cast<std::size_t>(code)];
    measured.groups.push(is_cut ? code : static_cast<std::int32_t>(category), group);
    measured.known.add(group);
    ++code;
  }
  return measured;
}

}  // namespace treewright
