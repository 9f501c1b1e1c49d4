// One typed column as the core sees it: small integer codes, in an order that does not depend on who saw what
// first.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace treewright {

// The form of test a column may offer. Which one, is the recipe's choice for the column's kind.
enum class SplitForm : std::uint8_t { cut, multiway, one_vs_rest, subset };

constexpr std::int32_t missing_code = -1;

struct Column {
  std::span<const std::int32_t>
      code;  // one per row: index into `value`, or category number; missing_code for a gap
  std::span<const double> value;  // cut columns: the distinct values, ascending; empty otherwise
  std::int32_t n_codes = 0;       // distinct values, or declared categories
  SplitForm form = SplitForm::cut;
  bool is_nominal = false;  // counts as "discrete" in C4.5's rule about many values
  std::int32_t rank = 0;    // place in the tie order: by name, or by position in the faithful recipes
};

// The cut between two neighbouring values: a + (b - a) / 2, never rounded up to b.
inline double midpoint(double a, double b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a == -infinity || b == infinity) return a;
  double half = b - a == infinity ? a / 2 + b / 2 : a + (b - a) / 2;
  return half >= b ? a : half;
}

}  // namespace treewright
