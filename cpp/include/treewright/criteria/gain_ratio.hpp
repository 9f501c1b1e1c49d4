#pragma once

#include <string_view>

#include "entropy.hpp"

namespace treewright {

// Quinlan 1986: information gain over the information of the split itself.
struct GainRatio {
  static constexpr std::string_view name = "gain_ratio";
  static constexpr Reads reads = Reads::class_counts;
  static constexpr Bound bound = Bound::ratio;
  static constexpr bool has_level_order = false;  // a ratio is not concave: level orders prove nothing for it
  static constexpr bool is_zero_when_pure = Entropy::is_zero_when_pure;
  using Gain = Entropy;  // what is divided
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) { return Gain::impurity(g); }
  static double score(double gain, double split_info) { return split_info > 0 ? gain / split_info : 0; }
};

}  // namespace treewright
