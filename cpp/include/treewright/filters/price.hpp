// The price of a split while growing (`split_price`): C(T) = sum of N H over the leaves + lambda x leaves, so
// a test with b branches stays if it takes off more than lambda (b - 1) in all (lecture 004).
#pragma once

#include <cstdint>
#include <vector>

#include "../settings.hpp"
#include "../split.hpp"

namespace treewright::filters {

// A gain that equals its price does not pay: the smaller of two trees of the same cost is kept, as by the
// pruner of this cost. Gains are rounded, so equal means equal up to 1e-12.
inline bool pays(double gain, double node_weight, std::int32_t n_branches, const Settings& settings) {
  if (settings.split_price == 0) return true;
  return gain * node_weight > settings.split_price * (n_branches - 1) * (1 + 1e-12);
}

inline void refuse_unpaid(std::vector<Offer>& offers, double node_weight, const Settings& settings) {
  for (Offer& offer : offers)
    if (offer.is_possible() && !pays(offer.gain, node_weight, offer.split.n_branches, settings))
      offer.verdict = Verdict::price_not_paid;
}

}  // namespace treewright::filters
