// One typed column as the core sees it: numbers as the caller holds them, or small integer codes in an order
// that does not depend on who saw what first.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

// For the few functions inside the innermost loops, where a call would cost more than the work.
#if defined(__GNUC__)
#define TREEWRIGHT_INLINE [[gnu::always_inline]] inline
#else
#define TREEWRIGHT_INLINE inline
#endif

namespace treewright {

// Ask for memory that will be read soon.
TREEWRIGHT_INLINE void fetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

// The form of test a column may offer. Which one, is the recipe's choice for the column's kind.
enum class SplitForm : std::uint8_t { cut, multiway, one_vs_rest, subset };

constexpr std::int32_t missing_code = -1;

// Numbers in the caller's memory, any distance apart: a column of a row-major array needs no copy. NaN is a
// gap.
struct Numbers {
  enum class Type : std::uint8_t { float64, float32, code };
  const std::byte* first = nullptr;
  std::ptrdiff_t step = 0;  // bytes from one row to the next
  std::size_t size = 0;
  Type type = Type::float64;

  template <class T>
  TREEWRIGHT_INLINE T raw(std::size_t row) const {
    T value;
    std::memcpy(&value, first + static_cast<std::ptrdiff_t>(row) * step, sizeof value);
    return value;
  }
  TREEWRIGHT_INLINE double operator[](std::size_t row) const {
    if (type == Type::float32) return static_cast<double>(raw<float>(row));
    if (type == Type::float64) return raw<double>(row);
    const auto code = raw<std::int32_t>(row);
    return code < 0 ? std::numeric_limits<double>::quiet_NaN() : code;
  }
  // Ask for a row that will be read soon.
  TREEWRIGHT_INLINE void fetch(std::size_t row) const {
    treewright::fetch(first + static_cast<std::ptrdiff_t>(row) * step);
  }
};

struct Column {
  Numbers number;  // cut columns: what is cut
  std::span<const std::int32_t>
      code;  // one per row: index into `value`, or category number; missing_code for a gap
  std::span<const double> value;  // cut columns: the distinct values, ascending; empty otherwise
  std::int32_t n_codes = 0;       // distinct values, or declared categories
  SplitForm form = SplitForm::cut;
  bool is_nominal = false;    // counts as "discrete" in C4.5's rule about many values
  double cost = 1;            // of knowing its value
  std::int8_t direction = 0;  // +1: what the tree says rises with it; -1: it falls; 0: either
  std::int32_t rank = 0;      // place in the tie order: by name, or by position in the faithful recipes
};

// Does any row lack its value?
inline bool has_gaps(const Column& column) {
  if (column.code.empty()) {
    for (std::size_t r = 0; r < column.number.size; ++r)
      if (std::isnan(column.number[r])) return true;
    return false;
  }
  return std::find(column.code.begin(), column.code.end(), missing_code) != column.code.end();
}

// The cut between two neighbouring values: a + (b - a) / 2, never rounded up to b.
inline double midpoint(double a, double b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a == -infinity || b == infinity) return a;
  double half = b - a == infinity ? a / 2 + b / 2 : a + (b - a) / 2;
  return half >= b ? a : half;
}

}  // namespace treewright
