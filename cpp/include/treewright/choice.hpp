// The choice between columns, once each has made its offer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "column.hpp"
#include "contest.hpp"
#include "settings.hpp"
#include "split.hpp"

namespace treewright {

class Choice {
 public:
  Choice(const Settings& settings, std::span<const Column> columns)
      : settings_(settings), columns_(columns) {}

  // The weight of all rows, and the same as scores see it.
  void set_root(double weight, double score_weight) {
    root_weight_ = weight;
    root_score_weight_ = score_weight;
  }

  // The best offer with at most `room` branches, if it passes. Everyone possible but the winner is told why.
  std::optional<std::size_t> choose(std::vector<Offer>& offers, double node_weight, std::int64_t room) const {
    for (Offer& offer : offers)
      if (offer.is_possible() && offer.split.n_branches > room) offer.verdict = Verdict::leaf_budget;
    if (settings_.use_average_gain) compare_ratios(offers);
    std::optional<std::size_t> best = this->best(offers, room);
    if (!best) return best;
    for (std::size_t c = 0; c < offers.size(); ++c)
      if (c != *best && offers[c].is_possible())
        offers[c].verdict = offers[c].value == offers[*best].value && offers[c].tie == offers[*best].tie
                                ? Verdict::tie_lost
                                : Verdict::lower_score;
    if (!is_enough(offers[*best].score, node_weight)) {
      offers[*best].verdict = Verdict::below_min_gain;
      best.reset();
    }
    return best;
  }

  // The best offer with at most `room` branches, before it must pass.
  std::optional<std::size_t> best(const std::vector<Offer>& offers, std::int64_t room) const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < offers.size(); ++c) {
      if (!offers[c].is_possible() || offers[c].split.n_branches > room) continue;
      if (!best || wins(offers[c], c, offers[*best], *best)) best = c;
    }
    return best;
  }

  // Does a score reach the least gain asked for?
  bool is_enough(double score, double node_weight) const {
    const double share = settings_.is_gain_of_table ? node_weight / root_score_weight_ : 1;
    return !(score * share < settings_.min_gain);
  }

 private:
  bool wins(const Offer& a, std::size_t a_column, const Offer& b, std::size_t b_column) const {
    if (a.value != b.value) return a.value > b.value;
    if (a.tie != b.tie) return a.tie > b.tie;
    return columns_[a_column].rank < columns_[b_column].rank;
  }

  // C4.5: the best gain ratio among tests whose gain is at least average. Discrete columns with a value for
  // every third row or so are left out of the average, unless there are no others.
  void compare_ratios(std::vector<Offer>& offers) const {
    constexpr double epsilon = 0.001;
    auto has_many_values = [&](std::size_t c) {
      const Column& column = columns_[c];
      return column.is_nominal && column.n_codes >= 0.3 * root_weight_;
    };
    bool all_have = true;
    for (std::size_t c = 0; c < offers.size(); ++c) all_have &= has_many_values(c);
    double sum = 0;
    std::int64_t n = 0;
    for (std::size_t c = 0; c < offers.size(); ++c) {
      if (!offers[c].is_possible() || !(offers[c].gain > -epsilon) || (has_many_values(c) && !all_have))
        continue;
      sum += offers[c].gain;
      ++n;
    }
    const double average = n > 0 ? sum / static_cast<double>(n) : 0;
    for (Offer& offer : offers) {
      if (!offer.is_possible()) continue;
      if (!(offer.gain >= average - epsilon)) {
        offer.verdict = Verdict::below_average_gain;
      } else if (!(offer.split_info > epsilon)) {
        offer.verdict = Verdict::split_info_too_small;
      }
      offer.score = offer.split_info > epsilon ? offer.gain / offer.split_info : 0;
      offer.value = rounded(offer.score);
    }
  }

  const Settings& settings_;
  std::span<const Column> columns_;
  double root_weight_ = 0, root_score_weight_ = 0;
};

}  // namespace treewright
