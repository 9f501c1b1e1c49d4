// Columns that cost something to know (`column_costs`): each column's best test is found by its gain, and
// columns are compared by what they gain for their cost.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../contest.hpp"
#include "../settings.hpp"
#include "../split.hpp"

namespace treewright::filters {

// EG2 (Nunez 1991): (2^gain - 1) / (cost + 1)^w. IDX (Norton 1989): gain / cost^w, with w = 1.
// CS-ID3 (Tan, Schlimmer 1990): gain^2 / cost^w, with w = 1; the square keeps the sign.
inline double costed(double gain, double cost, const Settings& settings) {
  switch (settings.cost_form) {
    case CostForm::eg2:
      return std::expm1(gain * std::log(2.0)) / std::pow(cost + 1, settings.cost_power);
    case CostForm::idx:
      return gain / std::pow(cost, settings.cost_power);
    case CostForm::cs_id3:
      return gain * std::abs(gain) / std::pow(cost, settings.cost_power);
    case CostForm::none:
      break;
  }
  return gain;
}

// The gain that is worth so much for its cost: `costed` the other way round, for more than nothing.
inline double gain_for(double worth, double cost, const Settings& settings) {
  switch (settings.cost_form) {
    case CostForm::eg2:
      return std::log1p(worth * std::pow(cost + 1, settings.cost_power)) / std::log(2.0);
    case CostForm::idx:
      return worth * std::pow(cost, settings.cost_power);
    case CostForm::cs_id3:
      return std::sqrt(worth * std::pow(cost, settings.cost_power));
    case CostForm::none:
      break;
  }
  return worth;
}

// What ranks an offer from now on is its score for its cost. One that gains too little is not cheap but
// worthless: `is_enough` refuses it before costs are looked at.
template <class IsEnough>
void charge_columns(std::vector<Offer>& offers, std::span<const Column> columns, const Settings& settings,
                    IsEnough is_enough) {
  for (std::size_t c = 0; c < offers.size(); ++c) {
    Offer& offer = offers[c];
    if (offer.is_possible() && !is_enough(offer.score)) offer.verdict = Verdict::gain_too_small;
    if (!offer.is_possible()) continue;
    // By the rounded value: a gain that is 0 on paper is none, however cheap the column.
    offer.score = offer.value == 0 ? 0 : costed(offer.score, columns[c].cost, settings);
    offer.value = rounded(offer.score);
  }
}

}  // namespace treewright::filters
