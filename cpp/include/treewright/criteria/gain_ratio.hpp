#pragma once

#include <string_view>

#include "entropy.hpp"

namespace treewright {

// Quinlan 1986: information gain over the information of the split itself.
struct GainRatio {
  static constexpr std::string_view name = "gain_ratio";
  static constexpr bool is_concave = false;  // the ratio is not: level orders prove nothing for it
  TREEWRIGHT_INLINE static double impurity(const ClassGroup& g) { return Entropy::impurity(g); }
  static double score(double gain, double split_info) { return split_info > 0 ? gain / split_info : 0; }
};

}  // namespace treewright
