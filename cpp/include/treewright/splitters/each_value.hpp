// One branch for every declared category, also for those no row here has: ID3's and C4.5's test.
#pragma once

#include <algorithm>

#include "task.hpp"

namespace treewright {

struct EachValue {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    const bool own = task.scores_gaps() && task.settings.missing == MissingPolicy::own_branch;
    if (groups.size() == 0) return refusal(Verdict::all_missing);
    if (groups.size() + (own ? 1 : 0) < 2) return refusal(Verdict::one_value);
    if constexpr (is_outside<Criterion>) {
      return best_outside(task, own);
    } else if constexpr (IsTwoSided<Criterion>) {
      return refusal(Verdict::one_value);  // settings refuse this pairing before growth
    } else {
      auto contest = task.template contest<Criterion>(false);
      std::int32_t gap_branch = -1;
      auto found = score_branches<Criterion>(task, contest, own, gap_branch);
      if (!found) return refusal(Verdict::branches_too_small);
      Offer offer;
      set_scores(offer, *found, task, false, IsRatio<Criterion>);
      offer.split = split_of(task, own, gap_branch);
      return offer;
    }
  }

  // The same from counts of a column that no row lacks, in a contest of the node; `offer` is empty before.
  // `branch` is room to work in; the weights of the branches are kept in `weights`, if it is there. A test
  // that costs more than `most`, which is lowered to the least so far, may offer nothing.
  template <class Criterion, class Counts>
  static void best_counted(const Task<ClassStats>& task, Contest<Criterion, ClassStats>& contest,
                           const Counts& counts, ClassStats& branch, std::vector<std::int64_t>* weights,
                           std::int64_t& most, Offer& offer) {
    const Admission admission = task.admission();
    Adder<Criterion> adder;
    std::int64_t n_branches = 0, n_ones = 0;
    auto visit = [&] {
      if (adder.cost() > most) return;
      adder.add(sums_of<Criterion>(contest.reals(), branch, admission));
      if (weights != nullptr) weights->push_back(branch.weight);
      ++n_branches;
    };
    if (!adds_by_size<Criterion>() || weights != nullptr || task.settings.is_monotone) {
      counts.for_each_branch(branch, visit, nullptr);
    } else {
      counts.for_each_branch(branch, visit, [&] { ++n_ones; });
      if (n_ones > 0)
        adder.add_equal(sums_of_one<Criterion>(task, contest.reals(), branch, admission), n_ones);
      n_branches += n_ones;
    }
    const Sums total = adder.total();
    if (total.cost > most) return;
    if (n_branches < 2 || !total.is_admitted()) {
      offer.verdict = n_branches < 2 ? Verdict::one_value : Verdict::branches_too_small;
      return;
    }
    set_scores(offer, contest.finish(total.cost, total.tie, total.logs), task, false, IsRatio<Criterion>);
    set_split(offer.split, task, false, -1);
    if (adds_by_size<Criterion>()) most = std::min(most, total.cost);
  }

 private:
  // What a branch adds to the score and to the size limits: everything a partition needs is a sum of these.
  struct Sums {
    std::int64_t cost = 0, tie = 0;
    double logs = 0;
    int n_small = 0, n_large = 0;

    void add(const Sums& other, int sign = 1) {
      cost += sign * other.cost;
      tie += sign * other.tie;
      logs += sign * other.logs;
      n_small += sign * other.n_small;
      n_large += sign * other.n_large;
    }
    bool is_admitted() const { return n_small == 0 && n_large >= 2; }
  };
  template <class Criterion, class Stats>
  static Sums sums_of(Reals& reals, const Stats& stats, const Admission& admission) {
    const double size = admission.size(stats.rows, stats.weight);
    Sums sums;
    if (!costs_nothing<Criterion>(stats)) sums.cost = reals.template cost<Criterion>(stats);
    if constexpr (IsRatio<Criterion>) sums.logs = reals.weight_log(stats.weight);
    if constexpr (HasTieBreak<Criterion>) sums.tie = reals.template cost<typename Criterion::TieBreak>(stats);
    sums.n_small = size < admission.min_leaf || !admission.is_heavy(stats.weight) ||
                   !reals.template allows<Criterion>(stats) || !admission.monotone.inside(stats);
    sums.n_large = size >= admission.min_branch;
    return sums;
  }

  // Does a branch of one class add nothing but its size? Then all branches of one row are alike.
  template <class Criterion>
  static constexpr bool adds_by_size() {
    return requires { Criterion::is_zero_when_pure; } && !IsRatio<Criterion> && !HasTieBreak<Criterion>;
  }
  // A branch of one row, where all rows of the node weigh the same.
  template <class Criterion>
  static Sums sums_of_one(const Task<ClassStats>& task, Reals& reals, ClassStats& branch,
                          const Admission& admission) {
    branch.clear();
    branch.rows = 1;
    branch.weight = branch.counts[0] = task.measured.known.weight / task.measured.known.rows;
    return sums_of<Criterion>(reals, branch, admission);
  }

  // Most branches of a small node have one class.
  template <class Criterion, class Stats>
  static bool costs_nothing(const Stats& stats) {
    if constexpr (requires { Criterion::is_zero_when_pure; } && std::is_same_v<Stats, ClassStats>)
      return std::find(stats.counts.begin(), stats.counts.end(), stats.weight) != stats.counts.end();
    else
      return false;
  }

  // Branches are costed one at a time; where the gaps learn their branch, each is also costed with them
  // inside.
  template <class Criterion, class Stats, class Sink>
  static std::optional<Found> score_branches(const Task<Stats>& task, Sink& contest, bool own,
                                             std::int32_t& gap_branch) {
    const auto& groups = task.measured.groups;
    const Stats& missing = task.measured.missing;
    const bool joins = task.scores_gaps() && !own;
    const Admission admission = task.admission();
    const bool has_empty = groups.size() < static_cast<std::size_t>(task.column.n_codes);
    if (has_empty && task.settings.is_monotone && !monotone::admits_empty<Stats>(task.scale.bounds))
      return std::nullopt;
    std::vector<Sums> alone, joined;
    Stats branch = task.none();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      branch.clear();
      groups.add_to(branch, g);
      alone.push_back(sums_of<Criterion>(contest.reals(), branch, admission));
      if (!joins) continue;
      branch.add(missing);
      joined.push_back(sums_of<Criterion>(contest.reals(), branch, admission));
    }
    Adder<Criterion> adder;
    for (const Sums& part : alone) adder.add(part);
    Sums total = adder.total();
    if (own) total.add(sums_of<Criterion>(contest.reals(), missing, admission));
    if (joins) return best_home(task, contest, total, alone, joined, gap_branch);
    if (!total.is_admitted()) return std::nullopt;
    if (!own && task.has_gaps()) total.logs += contest.reals().weight_log(missing.weight);
    return contest.finish(total.cost, total.tie, total.logs);
  }

  // Logarithms are sorted before they are added: the sum must not depend on the names of the categories.
  template <class Criterion>
  class Adder {
   public:
    void add(const Sums& part) {
      total_.add(part);
      if constexpr (IsRatio<Criterion>) logs_.push_back(part.logs);
    }
    std::int64_t cost() const { return total_.cost; }
    // So many parts that are all alike, of a criterion without logarithms.
    void add_equal(const Sums& part, std::int64_t n) {
      total_.cost += n * part.cost;
      total_.tie += n * part.tie;
      total_.n_small += static_cast<int>(n) * part.n_small;
      total_.n_large += static_cast<int>(n) * part.n_large;
    }
    Sums total() {
      std::sort(logs_.begin(), logs_.end());
      total_.logs = 0;
      for (double term : logs_) total_.logs += term;
      return total_;
    }

   private:
    Sums total_;
    std::vector<double> logs_;
  };

  // The branch that the gaps do best in; the heavier one on ties.
  template <class Stats, class Sink>
  static std::optional<Found> best_home(const Task<Stats>& task, Sink& contest, const Sums& total,
                                        const std::vector<Sums>& alone, const std::vector<Sums>& joined,
                                        std::int32_t& gap_branch) {
    const auto& groups = task.measured.groups;
    std::optional<Found> best;
    std::int64_t best_weight = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Sums sums = total;
      sums.add(alone[g], -1);
      sums.add(joined[g]);
      if (!sums.is_admitted()) continue;
      const Found found = contest.finish(sums.cost, sums.tie, sums.logs);
      const bool wins_tie =
          best && found.value == best->value && found.tie == best->tie && groups.weight[g] > best_weight;
      if (!beats(found.value, found.tie, best) && !wins_tie) continue;
      best = found;
      best_weight = groups.weight[g];
      gap_branch = groups.code[g];
    }
    return best;
  }

  // A criterion from outside is given the branches themselves, those that have rows; where the gaps learn
  // their branch, once for each that they may join, the heavier first.
  template <class Stats>
  static Offer best_outside(const Task<Stats>& task, bool own) {
    const auto& groups = task.measured.groups;
    std::vector<Stats> alone(groups.size(), task.none());
    for (std::size_t g = 0; g < groups.size(); ++g) groups.add_to(alone[g], g);
    if (own) alone.push_back(task.measured.missing);
    std::vector<const Stats*> branches;
    for (const Stats& stats : alone) branches.push_back(&stats);
    auto contest = task.template contest<Outside>();
    if (!task.scores_gaps() || own) {
      contest.offer({0, Tag::apart}, std::span<const Stats* const>(branches));
    } else {
      auto homes = identity_order(groups.size());
      std::stable_sort(homes.begin(), homes.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return groups.weight[a] > groups.weight[b]; });
      for (std::uint32_t g : homes) {
        Stats joined = alone[g];
        joined.add(task.measured.missing);
        branches[g] = &joined;
        contest.offer({static_cast<std::int64_t>(g), Tag::left}, std::span<const Stats* const>(branches));
        branches[g] = &alone[g];
      }
    }
    const auto found = contest.best();
    if (!found) return refusal(Verdict::branches_too_small);
    Offer offer;
    set_scores(offer, *found, task, true, false);
    const bool joins = found->tag.gap == Tag::left;
    offer.split =
        split_of(task, own, joins ? groups.code[static_cast<std::size_t>(found->tag.position)] : -1);
    return offer;
  }

  template <class Stats>
  static Split split_of(const Task<Stats>& task, bool own, std::int32_t gap_branch) {
    Split split;
    set_split(split, task, own, gap_branch);
    return split;
  }
  template <class Stats>
  static void set_split(Split& split, const Task<Stats>& task, bool own, std::int32_t gap_branch) {
    split.column = task.index;
    split.kind = SplitKind::values;
    split.n_branches = task.column.n_codes + (own ? 1 : 0);
    split.missing = own ? task.column.n_codes : gap_branch;
    split.n_each = task.column.n_codes;
  }
};

}  // namespace treewright
