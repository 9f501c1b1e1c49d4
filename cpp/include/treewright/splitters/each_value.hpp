// One branch for every declared category, also for those no row here has: ID3's and C4.5's test.
#pragma once

#include "task.hpp"

namespace treewright {

struct EachValue {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    const bool own = task.scores_gaps() && task.settings.missing == MissingPolicy::own_branch;
    if (groups.size() == 0) return refusal<Stats>(Verdict::all_missing);
    if (groups.size() + (own ? 1 : 0) < 2) return refusal<Stats>(Verdict::one_value);
    if constexpr (std::is_same_v<Criterion, Outside>) {
      return refusal<Stats>(Verdict::one_value);  // settings refuse this pairing before growth
    } else {
      auto contest = task.template contest<Criterion>(false);
      std::int32_t gap_branch = -1;
      auto found = score_branches<Criterion>(task, contest, own, gap_branch);
      if (!found) return refusal<Stats>(Verdict::branches_too_small);
      Offer offer;
      set_scores(offer, *found, task, false, IsRatio<Criterion>);
      offer.split = split_of(task, own, gap_branch);
      return offer;
    }
  }

 private:
  struct Sums {
    std::int64_t cost = 0, tie = 0;
    double logs = 0;
  };
  template <class Criterion, class Stats>
  static Sums sums_of(Reals& reals, const Stats& stats) {
    Sums sums{reals.template cost<Criterion>(stats), 0, reals.weight_log(stats.weight)};
    if constexpr (HasTieBreak<Criterion>) sums.tie = reals.template cost<typename Criterion::TieBreak>(stats);
    return sums;
  }

  // Branches are costed one at a time; where the gaps learn their branch, each is also costed with them
  // inside.
  template <class Criterion, class Stats, class Sink>
  static std::optional<Found> score_branches(const Task<Stats>& task, Sink& contest, bool own,
                                             std::int32_t& gap_branch) {
    const auto& groups = task.measured.groups;
    const Stats& missing = task.measured.missing;
    const bool joins = task.scores_gaps() && !own;
    const Admission admission(task.settings);
    Sums total;
    double logs_apart = own || joins || !task.has_gaps() ? 0 : contest.reals().weight_log(missing.weight);
    std::vector<Sums> alone(groups.size()), joined(joins ? groups.size() : 0);
    std::vector<double> log_terms;
    Stats branch = task.none();
    int large = 0;
    auto admit = [&](std::int64_t rows, std::int64_t weight) {
      const double n = admission.size(rows, weight);
      large += n >= admission.min_branch;
      return n >= admission.min_leaf && admission.is_heavy(weight);
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
      branch.clear();
      groups.add_to(branch, g);
      if (!admit(branch.rows, branch.weight)) return std::nullopt;
      alone[g] = sums_of<Criterion>(contest.reals(), branch);
      total.cost += alone[g].cost;
      total.tie += alone[g].tie;
      log_terms.push_back(alone[g].logs);
      if (joins) {
        branch.add(missing);
        joined[g] = sums_of<Criterion>(contest.reals(), branch);
      }
    }
    if (own) {
      if (!admit(missing.rows, missing.weight)) return std::nullopt;
      const Sums gap = sums_of<Criterion>(contest.reals(), missing);
      total.cost += gap.cost;
      total.tie += gap.tie;
      log_terms.push_back(gap.logs);
    }
    if (large < 2) return std::nullopt;
    // Sorted before they are added: the sum of rounded numbers must not depend on the names of the
    // categories.
    std::sort(log_terms.begin(), log_terms.end());
    for (double term : log_terms) total.logs += term;
    if (!joins) return contest.finish(total.cost, total.tie, total.logs + logs_apart);
    std::optional<Found> best;
    std::int64_t best_weight = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Found found = contest.finish(total.cost - alone[g].cost + joined[g].cost,
                                         total.tie - alone[g].tie + joined[g].tie,
                                         total.logs - alone[g].logs + joined[g].logs);
      const bool wins_tie =
          best && found.value == best->value && found.tie == best->tie && groups.weight[g] > best_weight;
      if (!beats(found.value, found.tie, best) && !wins_tie) continue;
      best = found;
      best_weight = groups.weight[g];
      gap_branch = groups.code[g];
    }
    return best;
  }

  template <class Stats>
  static Split split_of(const Task<Stats>& task, bool own, std::int32_t gap_branch) {
    Split split;
    split.column = task.index;
    split.kind = SplitKind::values;
    split.n_branches = task.column.n_codes + (own ? 1 : 0);
    split.missing = own ? task.column.n_codes : gap_branch;
    split.code.resize(static_cast<std::size_t>(task.column.n_codes));
    std::iota(split.code.begin(), split.code.end(), 0);
    split.branch = split.code;
    return split;
  }
};

}  // namespace treewright
