// One cut drawn at random (Geurts, Ernst, Wehenkel 2006): uniform between the smallest and largest value at
// the node, or a random subset of the categories there.
#pragma once

#include <utility>

#include "../draws.hpp"
#include "sorted_cut.hpp"
#include "subset.hpp"

namespace treewright {

struct RandomCut {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    if (groups.size() == 0) return refusal(Verdict::all_missing);
    if (groups.size() + (task.scores_gaps() ? 1 : 0) < 2) return refusal(Verdict::one_value);
    return task.column.form == SplitForm::cut ? cut<Criterion>(task) : subset<Criterion>(task);
  }

 private:
  template <class Criterion, class Stats>
  static Offer cut(const Task<Stats>& task) {
    const auto& code = task.measured.groups.code;
    auto value = [&](std::size_t g) { return task.column.value[static_cast<std::size_t>(code[g])]; };
    const double low = value(0), high = value(code.size() - 1), share = uniform(task.draw_bits);
    double drawn = low + share * (high - low);
    std::size_t place = 0;
    const bool is_finite = std::isfinite(high - low);
    if (is_finite) {
      if (drawn >= high) drawn = low;
      while (place + 2 < code.size() && value(place + 1) <= drawn) ++place;
    } else {
      place = static_cast<std::size_t>(share * static_cast<double>(code.size() - 1));
    }
    auto contest = task.template contest<Criterion>();
    auto only = [&](std::size_t i, auto&&...) { return i == place; };
    scan_cuts(task, task.measured.groups, identity_order(code.size()), task.scores_gaps(), only, contest);
    Offer offer = SortedCut::offer_of<Criterion>(task, contest.best(), true);
    if (is_finite && offer.is_possible() && offer.split.cut_code < task.column.n_codes)
      offer.split.cut = drawn;
    return offer;
  }

  // Levels, those of the left side first, and how many those are. One against the rest: a level is drawn.
  // Subsets: each level takes a side by its own hash; if all take the same one, the first changes over.
  template <class Stats>
  static std::pair<std::vector<std::uint32_t>, std::size_t> drawn_sides(const Task<Stats>& task,
                                                                        const Groups<Stats>& levels) {
    std::vector<std::uint32_t> left, right;
    const auto one = static_cast<std::uint32_t>(uniform(task.draw_bits) * static_cast<double>(levels.size()));
    for (std::uint32_t g = 0; g < levels.size(); ++g) {
      const bool by_hash = (draw(task.draw_bits, 0, 0, static_cast<std::uint32_t>(levels.code[g])) & 1) != 0;
      (task.column.form == SplitForm::one_vs_rest ? g == one : by_hash) ? left.push_back(g)
                                                                        : right.push_back(g);
    }
    if (left.empty() || right.empty()) {
      auto &full = left.empty() ? right : left, &none = left.empty() ? left : right;
      none.push_back(full.front());
      full.erase(full.begin());
    }
    const std::size_t n_left = left.size();
    left.insert(left.end(), right.begin(), right.end());
    return {left, n_left};
  }

  template <class Criterion, class Stats>
  static Offer subset(const Task<Stats>& task) {
    Groups<Stats> levels = with_gap_level(task);
    const auto [order, n_left] = drawn_sides(task, levels);
    const std::size_t place = n_left - 1;
    auto contest = task.template contest<Criterion>();
    scan_cuts(task, levels, order, false, [&](std::size_t i, auto&&...) { return i == place; }, contest);
    auto found = contest.best();
    if (!found) return refusal(Verdict::branches_too_small);
    Offer offer;
    set_scores(offer, *found, task, is_outside<Criterion>, IsRatio<Criterion>);
    offer.split = side_split(task, levels, sides_of_prefix(order, place));
    return offer;
  }
};

}  // namespace treewright
