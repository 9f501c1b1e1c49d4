// The exact cut of an ordered column: every place between two neighbouring values is tried.
#pragma once

#include <algorithm>

#include "task.hpp"

namespace treewright {

// C4.5 parts two neighbouring values a < b only where a, raised by 1e-5, is still below b: the comparison of
// J48, in double precision. (b - a > 1e-5 is another question: both forms round, each in its own place.)
inline bool is_apart(double a, double b) { return a + 1e-5 < b; }

// The stored cut. C4.5 keeps the largest training value that is not above the midpoint. A value on the
// midpoint is not above it, whichever way the midpoint was rounded: J48 allows 1e-6. That is far from b:
// values that are apart leave at least 5e-6 on either side of the midpoint.
inline double stored_cut(const Column& column, std::int32_t low, std::int32_t high, bool use_c45) {
  const double middle =
      midpoint(column.value[static_cast<std::size_t>(low)], column.value[static_cast<std::size_t>(high)]);
  if (!use_c45) return middle;
  auto is_not_above = [middle](double value) { return value <= middle || value - middle < 1e-6; };
  return *(std::partition_point(column.value.begin() + low, column.value.begin() + high, is_not_above) - 1);
}

// The Split for a cut after group `i`, or for the test "is it known at all?".
template <class Stats>
Split cut_split(const Task<Stats>& task, Tag tag) {
  const auto& code = task.measured.groups.code;
  Split split;
  split.kind = SplitKind::cut;
  split.n_branches = tag.gap == Tag::own ? 3 : 2;
  split.missing = tag.gap;
  if (tag.position == Tag::known_or_missing) {
    split.cut = std::numeric_limits<double>::infinity();
    split.cut_code = task.column.n_codes;
  } else {
    const auto i = static_cast<std::size_t>(tag.position);
    split.cut = stored_cut(task.column, code[i], code[i + 1], task.settings.use_c45_cuts);
    split.cut_code = code[i];
  }
  return split;
}

// What C4.5 takes off a gain for having had so many cuts to choose from, spread over the node's weight.
template <class Stats>
void charge_for(Offer& offer, std::int64_t tries, const Task<Stats>& task) {
  const double weight = static_cast<double>(task.node_weight) * task.settings.weight_unit;
  offer.charge = portable_log2(static_cast<double>(tries)) / weight;
  offer.gain -= offer.charge;
  offer.score = offer.gain;
  offer.value = static_cast<double>(
      rounded(std::int64_t{std::llrint(offer.gain * task.scale.cost_scale * task.scale.weight)}));
  // By the rounded value: a gain that is 0 on paper, as of one cut into sides of the same shares, is none.
  if (!(offer.value > 0)) offer.verdict = Verdict::no_gain_after_charge;
}

struct SortedCut {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    const bool gaps = task.scores_gaps();
    if (groups.size() == 0) return refusal(Verdict::all_missing);
    if (groups.size() < 2 && !gaps) return refusal(Verdict::one_value);
    if (task.settings.use_c45_cuts) return best_c45<Criterion>(task);
    auto contest = task.template contest<Criterion>();
    const std::vector<std::int32_t> pure = task.settings.use_boundary_cuts ? pure_classes(groups) : Classes();
    auto accepts = [&](std::size_t i, auto&&...) {
      return pure.empty() || pure[i] < 0 || pure[i] != pure[i + 1];
    };
    scan_cuts(task, groups, identity_order(groups.size()), gaps, accepts, contest);
    return offer_of<Criterion>(task, contest.best(), contest.has_refused());
  }

 private:
  // The class of every group whose rows are all of one; -1: of several (Fayyad, Irani 1992: no best cut lies
  // between two groups of one and the same class).
  using Classes = std::vector<std::int32_t>;
  static Classes pure_classes(const Groups<ClassStats>& groups) {
    Classes found(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      found[g] = groups.start[g + 1] - groups.start[g] == 1
                     ? groups.label[static_cast<std::size_t>(groups.start[g])]
                     : -1;
    return found;
  }
  template <class Any>
  static Classes pure_classes(const Any&) {
    return {};
  }

  template <class Criterion, class Stats>
  static Offer offer_of(const Task<Stats>& task, const std::optional<Found>& found, bool has_refused) {
    if (!found) return refusal(has_refused ? Verdict::branches_too_small : Verdict::one_value);
    Offer offer;
    set_scores(offer, *found, task, is_outside<Criterion>, IsRatio<Criterion>);
    offer.split = cut_split(task, found->tag);
    offer.split.column = task.index;
    return offer;
  }

  // C4.5 release 8: a side holds at least a tenth of an even class share (between m and 25), neighbours are
  // apart, and the gain pays log2 of the number of cuts that were possible, spread over the node's weight.
  template <class Criterion, class Stats>
  static Offer best_c45(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    const double unit = task.settings.weight_unit, m = task.settings.min_branch;
    const double known = static_cast<double>(task.measured.known.weight) * unit, slack = 1e-6;
    if (known + slack < 2 * m) return refusal(Verdict::branches_too_small);
    double side = 0.1 * known / static_cast<double>(std::max<std::size_t>(1, task.n_classes));
    if (side <= m)
      side = m;
    else if (side > 25)
      side = 25;
    std::int64_t tries = 0;
    auto accepts = [&](std::size_t i, const Stats& left, const Stats& right) {
      const auto a = static_cast<std::size_t>(groups.code[i]),
                 b = static_cast<std::size_t>(groups.code[i + 1]);
      const bool fits = is_apart(task.column.value[a], task.column.value[b]) &&
                        static_cast<double>(left.weight) * unit + slack >= side &&
                        static_cast<double>(right.weight) * unit + slack >= side;
      tries += fits;
      return fits;
    };
    auto contest = task.template contest<Criterion>();
    scan_cuts(task, groups, identity_order(groups.size()), task.scores_gaps(), accepts, contest);
    Offer offer = offer_of<Criterion>(task, contest.best(), tries == 0 && groups.size() > 1);
    if (!offer.is_possible() || tries == 0) return offer;
    charge_for(offer, tries, task);
    return offer;
  }

  friend struct RandomCut;
};

}  // namespace treewright
