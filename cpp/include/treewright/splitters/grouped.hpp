// A branch for every group of categories: C4.5's value grouping, option -s.
//
// One group a category present; those of one and the same class alone become one. Then the two groups whose
// union has the best gain ratio are joined, again and again, as long as the ratio rises. Categories that no
// row of the node has share a last branch.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "each_value.hpp"

namespace treewright {

struct Grouped {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    if constexpr (is_outside<Criterion> || IsTwoSided<Criterion>) {
      return EachValue::best<Criterion>(task);  // settings refuse this pairing before growth
    } else {
      const auto& groups = task.measured.groups;
      if (groups.size() == 0) return refusal(Verdict::all_missing);
      auto contest = task.template contest<Criterion>(false);
      Partition<Stats> parts(task);
      parts.join_pure();
      if (parts.size() < 2) return refusal(Verdict::one_value);
      Found found = parts.template score<Criterion>(contest);
      join_while_better<Criterion>(task, contest, parts, found);
      if (!task.admission().allow_all(parts.sizes())) return refusal(Verdict::branches_too_small);
      Offer offer;
      set_scores(offer, found, task, false, IsRatio<Criterion>);
      offer.split = parts.split(task);
      return offer;
    }
  }

 private:
  static constexpr double least_rise = 1e-5;  // of the ratio

  // Groups of categories, each with its statistics; in the order of their first category.
  template <class Stats>
  class Partition {
   public:
    explicit Partition(const Task<Stats>& task) {
      const auto& groups = task.measured.groups;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        Stats stats = task.none();
        groups.add_to(stats, g);
        stats_.push_back(std::move(stats));
        members_.push_back({groups.code[g]});
      }
    }
    std::size_t size() const { return stats_.size(); }
    const Stats& stats(std::size_t i) const { return stats_[i]; }
    std::vector<Admission::Size> sizes() const {
      std::vector<Admission::Size> found;
      for (const Stats& stats : stats_) found.emplace_back(stats);
      return found;
    }

    void join_pure() {
      if constexpr (std::is_same_v<Stats, ClassStats>)
        for (std::size_t i = 0; i < size(); ++i)
          for (std::size_t j = size(); j-- > i + 1;)
            if (const auto c = only_class(stats_[i]); c >= 0 && c == only_class(stats_[j])) join(i, j);
    }
    // The j-th, a later one, becomes a part of the i-th.
    void join(std::size_t i, std::size_t j) {
      stats_[i].add(stats_[j]);
      members_[i].insert(members_[i].end(), members_[j].begin(), members_[j].end());
      stats_.erase(stats_.begin() + static_cast<std::ptrdiff_t>(j));
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(j));
    }
    template <class Criterion, class Sink>
    Found score(Sink& contest) const {
      std::vector<const Stats*> all;
      for (const Stats& stats : stats_) all.push_back(&stats);
      return contest.evaluate(all);
    }
    Split split(const Task<Stats>& task) const {
      Split split;
      split.column = task.index;
      split.kind = SplitKind::values;
      std::vector<std::int32_t> branch(static_cast<std::size_t>(task.column.n_codes),
                                       static_cast<std::int32_t>(size()));
      for (std::size_t i = 0; i < size(); ++i)
        for (std::int32_t code : members_[i])
          branch[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(i);
      split.n_branches = static_cast<std::int32_t>(size());
      for (std::int32_t code = 0; code < task.column.n_codes; ++code) {
        split.code.push_back(code);
        split.branch.push_back(branch[static_cast<std::size_t>(code)]);
        split.n_branches = std::max(split.n_branches, split.branch.back() + 1);
      }
      return split;
    }

   private:
    static std::int64_t only_class(const ClassStats& stats) {
      for (std::size_t c = 0; c < stats.counts.size(); ++c)
        if (stats.counts[c] == stats.weight) return static_cast<std::int64_t>(c);
      return -1;
    }
    std::vector<Stats> stats_;
    std::vector<std::vector<std::int32_t>> members_;
  };

  // Gain per bit of split information, to 40 bits; the gain alone where growth divides by nothing.
  template <class Criterion, class Stats, class Sink>
  static double ratio_of(const Task<Stats>& task, Sink& contest, const Partition<Stats>& parts,
                         const Found& found) {
    const double gain =
        static_cast<double>(rounded(found.drop)) / (task.scale.cost_scale * task.scale.weight);
    if (!IsRatio<Criterion> && !task.settings.use_average_gain) return gain;
    const std::int64_t unknown = task.measured.missing.weight;
    std::vector<double> logs;
    if (unknown > 0) logs.push_back(contest.reals().weight_log(unknown));
    for (std::size_t i = 0; i < parts.size(); ++i)
      logs.push_back(contest.reals().weight_log(parts.stats(i).weight));
    std::sort(logs.begin(), logs.end());  // the sum must not depend on the names of the categories
    const std::int64_t all = task.measured.known.weight + unknown;
    double rest = contest.reals().weight_log(all);
    for (double term : logs) rest -= term;
    const double split_info = rest / (static_cast<double>(all) * task.scale.weight_unit);
    return split_info > 0 ? rounded(gain / split_info) : 0;
  }

  // Join two groups at a time, the best pair first, while the ratio rises. A pair that leaves half of the
  // first gain comes before one that does not. Where only one or two groups are large, the largest stays as
  // it is.
  template <class Criterion, class Stats, class Sink>
  static void join_while_better(const Task<Stats>& task, Sink& contest, Partition<Stats>& parts,
                                Found& found) {
    const std::int64_t first_drop = found.drop;
    double ratio = ratio_of<Criterion>(task, contest, parts, found);
    const Admission admission = task.admission();
    while (parts.size() > 2) {
      std::size_t n_large = 0, largest = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        n_large += admission.size(parts.stats(i).rows, parts.stats(i).weight) >= admission.min_branch;
        if (parts.stats(i).weight > parts.stats(largest).weight) largest = i;
      }
      std::optional<Found> best;
      double best_ratio = 0;
      std::pair<std::size_t, std::size_t> pair;
      bool best_keeps = false;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = i + 1; j < parts.size(); ++j) {
          if (n_large < 3 && (i == largest || j == largest)) continue;
          Partition<Stats> joined = parts;
          joined.join(i, j);
          const Found now = joined.template score<Criterion>(contest);
          const bool keeps = now.drop >= first_drop / 2;
          const double its_ratio = ratio_of<Criterion>(task, contest, joined, now);
          if (best && (keeps != best_keeps ? best_keeps : !(its_ratio > best_ratio))) continue;
          best = now;
          best_ratio = its_ratio;
          best_keeps = keeps;
          pair = {i, j};
        }
      }
      if (!best || !(best_ratio > ratio + least_rise)) return;
      parts.join(pair.first, pair.second);
      found = *best;
      ratio = best_ratio;
    }
  }
};

}  // namespace treewright
