// The choice between columns, once each has made its offer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "column.hpp"
#include "contest.hpp"
#include "filters/average_gain.hpp"
#include "filters/costs.hpp"
#include "filters/least_gain.hpp"
#include "filters/price.hpp"
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
    filters::refuse_unpaid(offers, node_weight, settings_);
    if (settings_.use_average_gain) filters::compare_ratios(offers, columns_, root_weight_);
    if (settings_.cost_form != CostForm::none)
      filters::charge_columns(offers, columns_, settings_,
                              [&](double score) { return reaches(score, node_weight); });
    std::optional<std::size_t> best = this->best(offers, room);
    if (!best) return best;
    for (std::size_t c = 0; c < offers.size(); ++c)
      if (c != *best && offers[c].is_possible())
        offers[c].verdict = offers[c].value == offers[*best].value && offers[c].tie == offers[*best].tie
                                ? Verdict::tie_lost
                                : Verdict::lower_score;
    if (settings_.cost_form == CostForm::none && !reaches(offers[*best].score, node_weight)) {
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

  // Is a two-way test worth its place, if its score is its gain?
  bool is_enough(double gain, double node_weight) const {
    return reaches(gain, node_weight) && filters::pays(gain, node_weight, 2, settings_);
  }

 private:
  bool reaches(double score, double node_weight) const {
    return filters::reaches_gain(score, node_weight / root_score_weight_, settings_);
  }
  bool wins(const Offer& a, std::size_t a_column, const Offer& b, std::size_t b_column) const {
    if (a.value != b.value) return a.value > b.value;
    if (a.tie != b.tie) return a.tie > b.tie;
    return columns_[a_column].rank < columns_[b_column].rank;
  }

  const Settings& settings_;
  std::span<const Column> columns_;
  double root_weight_ = 0, root_score_weight_ = 0;
};

}  // namespace treewright
