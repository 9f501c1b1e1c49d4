// The four verbs of growth one at a time, as calls on values: open a node, search its columns, decide between
// their offers, apply one to the rows. What drives them (a loop of its own, look-ahead, other machines) is
// not known here. Every offer comes from the search of `Growth`, so that limits, policies and ties are the
// same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bound.hpp"
#include "figures.hpp"
#include "grow.hpp"
#include "revisit.hpp"

namespace treewright {

extern template class Growth<ClassTarget, ClassCriterion>;
extern template class Growth<NumberTarget, NumberCriterion>;

// A column of a node that was measured elsewhere: groups in ascending order, one row of figures each. A group
// may hold several neighbouring values; `low` and `high` are the least and greatest of them.
struct MeasuredElsewhere {
  std::span<const std::int64_t> figures, gaps;  // groups x width; of rows without a value, one row
  std::span<const double> low, high;            // categories: their code in both
};

// Where the rows of a node went.
template <class Node>
struct Applied {
  std::vector<Node> children;
  std::int32_t missing = -1, largest = 0;
};

template <class Target, class CriterionVariant>
class Verbs {
  using Engine = Growth<Target, CriterionVariant>;

 public:
  using Stats = typename Target::Stats;
  using Node = typename Engine::Open;

  Verbs(Problem problem, Target target, std::string_view criterion)
      : problem_(std::move(problem)),
        ranks_(rank_columns(problem_)),
        target_(target),
        criterion_(named(problem_.settings, criterion)),
        growth_(problem_, target, criterion_) {}
  Verbs(const Verbs&) = delete;
  Verbs& operator=(const Verbs&) = delete;

  const Target& target() const { return target_; }
  const Settings& settings() const { return problem_.settings; }
  std::size_t n_rows() const { return problem_.weight.size(); }
  std::size_t n_columns() const { return problem_.columns.size(); }
  const Column& column(std::size_t c) const { return problem_.columns[c]; }

  // ---- open --------------------------------------------------------------------------------------

  // A node of these pieces of rows.
  Node open(std::vector<Piece> pieces, std::int64_t depth = 0, std::uint64_t path = root_path) const {
    Stats stats = target_.none();
    for (Piece piece : pieces) target_.add(stats, piece);
    Node node;
    node.opening = openings::of(stats, target_, settings(), growth_.logs_, pieces);
    node.pieces = std::move(pieces);
    node.depth = depth;
    node.path = path;
    return node;
  }

  // A node of rows that are elsewhere, by what they amount to. Numbers: the squares of deviations, in units,
  // about the centre and with the shift that `squares_about` names; classes need none.
  Node open(std::span<const std::int64_t> figures, std::int64_t least, std::int64_t greatest, double squares,
            std::int64_t depth) const {
    const Stats stats = stats_of(target_, figures);
    Node node;
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      node.opening = openings::of(stats, target_, settings(), growth_.logs_, node.pieces);
    } else {
      const auto [centre, shift] = squares_about(figures, least, greatest);
      const double unit = std::ldexp(settings().y_unit, shift);
      node.opening = openings::begun(stats, target_, settings(), growth_.logs_);
      openings::finish(*node.opening, least == greatest, squares * unit * unit * settings().weight_unit);
    }
    node.depth = depth;
    return node;
  }
  std::pair<std::int64_t, int> squares_about(std::span<const std::int64_t> figures, std::int64_t least,
                                             std::int64_t greatest) const {
    if constexpr (std::is_same_v<Target, ClassTarget>) {
      return {0, 0};
    } else {
      const MomentStats stats = stats_of(target_, figures);
      const std::int64_t centre = openings::centre_of(stats);
      auto distance = [centre](std::int64_t y) { return static_cast<std::uint64_t>(std::abs(y - centre)); };
      return {centre, openings::square_shift(std::max(distance(least), distance(greatest)), stats.weight)};
    }
  }

  // Is the node a leaf whatever its columns offer?
  bool is_finished(const Node& node) const {
    return openings::is_finished(*node.opening, node.depth, settings());
  }

  // ---- search ------------------------------------------------------------------------------------

  // What each column of the table offers, and then each of `more`: numbers of the node's rows, one per piece.
  std::vector<Offer> search(const Node& node, std::span<const Column> more) {
    std::vector<Offer> offers =
        growth_.search_.offers(node, std::numeric_limits<std::int64_t>::max(), Engine::Search::Asks::all);
    const std::size_t first = offers.size();
    offers.resize(first + more.size());
    for (std::size_t i = 0; i < more.size(); ++i) {
      const Ranks ranks = rank(more[i].number);
      const Column column = placed(node, more[i], ranks);
      const Beside beside(problem_, column, first + i);
      Measured<Stats> measured = measure(target_, node.pieces, column, growth_.search_.scratch());
      growth_.search_.ask(node, first + i, measured, offers[first + i]);
    }
    return offers;
  }

  // What a column of the table offers that was measured elsewhere.
  Offer search(const Node& node, std::size_t index, const MeasuredElsewhere& given) {
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
      growth_.search_.ask(node, index, measured, offer);
    }
    if (offer.split.kind == SplitKind::cut && offer.split.cut_code < column.n_codes) {
      const auto low = static_cast<std::size_t>(offer.split.cut_code);
      offer.split.cut = midpoint(given.high[low], given.low[low + 1]);
    }
    return offer;
  }

  // For each group: no cut inside it has a value above this. `least` and `greatest` are of the targets there.
  std::vector<double> bounds(const Node& node, const MeasuredElsewhere& given,
                             std::span<const std::int64_t> least,
                             std::span<const std::int64_t> greatest) const {
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

  // ---- decide ------------------------------------------------------------------------------------

  // The offer that is taken, if one is; the others are told why not. `root` is the node of all rows.
  std::optional<std::size_t> decide(const Node& node, const Node& root, std::vector<Offer>& offers,
                                    std::span<const Column> more, std::int64_t room) const {
    std::vector<Column> columns = problem_.columns;
    columns.insert(columns.end(), more.begin(), more.end());
    if (columns.size() != offers.size())
      throw std::invalid_argument("there must be one offer for each column");
    Choice choice(settings(), columns);
    choice.set_root(static_cast<double>(root.opening->stats.weight) * settings().weight_unit,
                    root.opening->scale.weight);
    return choice.choose(offers, node.opening->scale.weight, room);
  }

  // ---- apply -------------------------------------------------------------------------------------

  // The branches of an offer, each with its rows; `more` is the column of the offer where that is none of the
  // table's. Surrogates stand in where rows lack the value and the policy says so.
  Applied<Node> apply(const Node& node, const Offer& offer, const Column* more) {
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
    if (settings().missing == MissingPolicy::surrogate && growth_.lacks_value(node, split))
      surrogates = SurrogateSearch(problem_.columns, problem_.weight.size(), settings(), [] {
                   }).find(split, node.pieces);
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

  // The same where the rows are elsewhere: which branch the gaps take, and which is the largest. `known` is
  // the weight of the rows with a value in each branch.
  Applied<Node> placed(const Node& node, const Offer& offer, std::vector<std::int64_t> known,
                       std::int64_t gaps) const {
    const std::int64_t n_rows = node.opening->stats.rows;
    Applied<Node> applied;
    applied.missing =
        offer.split.missing >= 0 ? offer.split.missing : branches::of_gaps(known, settings(), n_rows);
    if (applied.missing >= 0) known[static_cast<std::size_t>(applied.missing)] += gaps;
    applied.largest = branches::heaviest(known, settings().weight_slack(n_rows));
    return applied;
  }
  // Multiway columns that are not asked again below a split.
  std::vector<std::int32_t> used_below(const Node& node, const Split& split) const {
    std::vector<std::int32_t> used = node.used;
    const auto c = static_cast<std::size_t>(split.column);
    if (settings().use_once && c < n_columns() && problem_.columns[c].form == SplitForm::multiway)
      used.push_back(split.column);
    return used;
  }

  // ---- the tree so far ---------------------------------------------------------------------------

  std::int32_t add(const Node& node, std::int32_t parent) {
    return growth_.nodes_.add(parent, *node.opening);
  }
  void keep_offers(std::int32_t place, const std::vector<Offer>& offers) {
    growth_.nodes_.keep_offers(place, offers);
  }
  // The children of a node are added one after the other, from `first` on.
  void split(std::int32_t place, const Offer& offer, std::int32_t missing, std::int32_t largest,
             std::int32_t first) {
    Split split = offer.split;
    split.missing = missing;
    growth_.nodes_.split(place, {std::move(split), offer.score, offer.gain, first, largest, {}});
  }
  void make_leaf(std::int32_t place) { growth_.nodes_.make_leaf(place, Verdict::leaf_budget); }
  TreeArrays tree() {
    if (settings().collapse_margin >= 0) growth_.nodes_.collapse_useless();
    TreeArrays arrays = growth_.nodes_.preorder();
    for (const Column& column : problem_.columns) arrays.gaps.push_back(has_gaps(column));
    return arrays;
  }

 private:
  // A column in another's place, or behind the last, while this lives. What looks at the columns of the table
  // keeps looking at them: their memory stays where it is.
  class Beside {
   public:
    Beside(Problem& problem, const Column& column, std::size_t place)
        : problem_(problem), columns_(problem.columns) {
      if (place >= columns_.size()) columns_.resize(place + 1);
      columns_[place] = column;
      problem_.columns.swap(columns_);
    }
    ~Beside() { problem_.columns.swap(columns_); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

   private:
    Problem& problem_;
    std::vector<Column> columns_;
  };

  static CriterionVariant named(const Settings& settings, std::string_view criterion) {
    // Under C4.5's choice the cut inside a column is the one of best gain; the ratio only compares columns.
    auto found = find_criterion<CriterionVariant>(
        settings.use_average_gain ? gain_criterion<CriterionVariant>(criterion) : criterion);
    if (!found) throw std::invalid_argument("unknown criterion '" + std::string(criterion) + "'");
    return *found;
  }

  // A column of the node's own numbers, its codes at the rows of the table.
  Column placed(const Node& node, const Column& given, const Ranks& ranks) {
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

  std::vector<Stats> groups_of(const MeasuredElsewhere& given) const {
    const std::size_t width = figure_width(target_);
    std::vector<Stats> groups;
    for (std::size_t g = 0; g < given.low.size(); ++g)
      groups.push_back(stats_of(target_, given.figures.subspan(g * width, width)));
    return groups;
  }
  Measured<Stats> measured_of(std::size_t index, const MeasuredElsewhere& given) const {
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

  Problem problem_;
  std::vector<Ranks> ranks_;
  Target target_;
  CriterionVariant criterion_;
  Engine growth_;
  std::vector<std::int32_t> codes_;  // of the column that stands beside the table's
};

using ClassVerbs = Verbs<ClassTarget, ClassCriterion>;
using NumberVerbs = Verbs<NumberTarget, NumberCriterion>;

}  // namespace treewright
