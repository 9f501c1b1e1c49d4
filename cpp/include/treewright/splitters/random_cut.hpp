// One cut drawn at random (Geurts, Ernst, Wehenkel 2006): uniform between the smallest and largest value at
// the node, or a random subset of the categories there.
#pragma once

#include "sorted_cut.hpp"
#include "subset.hpp"

namespace treewright {

struct RandomCut {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    const auto& groups = task.measured.groups;
    if (groups.size() == 0) return refusal<Stats>(Verdict::all_missing);
    if (groups.size() + (task.scores_gaps() ? 1 : 0) < 2) return refusal<Stats>(Verdict::one_value);
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

  // Each category takes a side by its own hash; if all take the same one, the first changes over.
  template <class Criterion, class Stats>
  static Offer subset(const Task<Stats>& task) {
    Groups<Stats> levels = with_gap_level(task);
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> right;
    for (std::uint32_t g = 0; g < levels.size(); ++g) {
      const bool to_left = (draw(task.draw_bits, 0, 0, static_cast<std::uint32_t>(levels.code[g])) & 1) != 0;
      (to_left ? order : right).push_back(g);
    }
    if (order.empty()) {
      order.push_back(right.front());
      right.erase(right.begin());
    } else if (right.empty()) {
      right.push_back(order.front());
      order.erase(order.begin());
    }
    const std::size_t place = order.size() - 1;
    order.insert(order.end(), right.begin(), right.end());
    auto contest = task.template contest<Criterion>();
    scan_cuts(task, levels, order, false, [&](std::size_t i, auto&&...) { return i == place; }, contest);
    auto found = contest.best();
    if (!found) return refusal<Stats>(Verdict::branches_too_small);
    Offer offer;
    set_scores(offer, *found, task, std::is_same_v<Criterion, Outside>, IsRatio<Criterion>);
    offer.split = side_split(task, levels, sides_of_prefix(order, place));
    return offer;
  }
};

}  // namespace treewright
