// C4.5's choice (`choice="average_gain"`): the best gain ratio among tests whose gain is at least average.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../contest.hpp"
#include "../split.hpp"

namespace treewright::filters {

// Discrete columns with a value for every third row or so are left out of the average, unless there are no
// others.
inline void compare_ratios(std::vector<Offer>& offers, std::span<const Column> columns, double root_weight) {
  constexpr double epsilon = 0.001;
  auto has_many_values = [&](std::size_t c) {
    return columns[c].is_nominal && columns[c].n_codes >= 0.3 * root_weight;
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

}  // namespace treewright::filters
