// One category against all the others: as many candidates as there are categories.
#pragma once

#include "subset.hpp"

namespace treewright {

struct OneVsRest {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    if (task.measured.groups.size() == 0) return refusal(Verdict::all_missing);
    const auto& groups = task.measured.groups;
    const bool gaps = task.scores_gaps();
    if (groups.size() + (gaps ? 1 : 0) < 2) return refusal(Verdict::one_value);
    auto contest = task.template contest<Criterion>();
    const Stats& missing = task.measured.missing;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Stats one = task.none(), rest = task.measured.known;
      groups.add_to(one, g);
      groups.add_to(rest, g, -1);
      const auto position = static_cast<std::int64_t>(g);
      if (!gaps) {
        contest.offer({position, Tag::apart}, one, rest);
        continue;
      }
      Stats one_joined = one, rest_joined = rest;
      one_joined.add(missing);
      rest_joined.add(missing);
      if (rest.rows > 0 && one.weight >= rest.weight) contest.offer({position, Tag::left}, one_joined, rest);
      contest.offer({position, Tag::right}, one, rest_joined);
      if (rest.rows > 0 && one.weight < rest.weight) contest.offer({position, Tag::left}, one_joined, rest);
    }
    if (gaps) contest.offer({Tag::known_or_missing, Tag::right}, task.measured.known, missing);
    auto found = contest.best();
    if (!found) return refusal(Verdict::branches_too_small);
    return offer_of<Criterion>(task, *found);
  }

 private:
  template <class Criterion, class Stats>
  static Offer offer_of(const Task<Stats>& task, const Found& found) {
    const auto& code = task.measured.groups.code;
    Sides sides(code.size(), found.tag.position == Tag::known_or_missing ? 0 : 1);
    if (found.tag.position >= 0) sides[static_cast<std::size_t>(found.tag.position)] = 0;
    Offer offer;
    set_scores(offer, found, task, is_outside<Criterion>, IsRatio<Criterion>);
    offer.split = side_split(task, task.measured.groups, sides);
    offer.split.missing = found.tag.gap;
    return offer;
  }
};

}  // namespace treewright
