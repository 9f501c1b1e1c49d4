// The exact judgement of the few cuts that floating point could not tell apart, and what a quick search
// found.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "../contest.hpp"
#include "../opening.hpp"
#include "../split.hpp"
#include "../splitter.hpp"

namespace treewright {

// The best test of a node so far. For a cut, `left` and `right` are what the branches get.
template <class Stats>
struct Best {
  double value = -std::numeric_limits<double>::infinity();
  std::int64_t drop = 0;
  std::uint32_t column = 0;
  Tag tag;                // of a cut: where it lies in its column
  std::size_t place = 0;  // of a cut found among candidates: which one
  bool is_cut = false;
  Offer offer;  // of any other test
  Stats left, right;

  bool is_found() const { return value > -std::numeric_limits<double>::infinity(); }
};

// Scores in floating point may be off by less than this, in the unit of the criterion.
inline double score_slack(const Scale& scale, std::size_t n_rows) {
  const double relative = n_rows < 1024 ? 0x1p-34 : 0x1p-44 * static_cast<double>(n_rows);
  return relative * 0x1p60 / scale.cost_scale;
}

// Judges cuts by the very scores that Contest gives; the first of equal ones stays.
template <class Criterion, class Stats>
class Judge {
 public:
  static double slack(const Scale& scale, std::size_t n_rows) { return score_slack(scale, n_rows); }

  Judge(const Opening<Stats>& opening, const Settings& settings, Best<Stats>& best)
      : admission_(settings), contest_(opening.scale, opening.stats, 0, std::nullopt), best_(best) {}

  // Returns true when no other cut of the node could be better.
  bool offer(std::uint32_t column, Tag tag, std::size_t place, const Stats& left, const Stats& right) {
    if (!admission_.allows(left, right)) return false;
    const Stats* branches[] = {&left, &right};
    const Found found = contest_.evaluate(branches);
    if (!(found.value > best_.value)) return false;
    best_.value = found.value;
    best_.drop = found.drop;
    best_.column = column;
    best_.tag = tag;
    best_.place = place;
    best_.is_cut = true;
    best_.left = left;
    best_.right = right;
    return false;
  }
  // Would a cut whose children cost this much, as the contest counts it, be the best so far?
  bool would_win(std::int64_t children) { return contest_.finish(children, 0, 0).value > best_.value; }
  void offer(std::uint32_t column, Offer&& offer) {
    if (!offer.is_possible() || !(offer.value > best_.value)) return;
    best_.value = offer.value;
    best_.column = column;
    best_.is_cut = false;
    best_.offer = std::move(offer);
  }

 private:
  Admission admission_;
  Contest<Criterion, Stats> contest_;
  Best<Stats>& best_;
};

}  // namespace treewright
