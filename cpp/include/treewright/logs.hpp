// One portable n log2 n. The system's logarithm may differ in the last digit between machines; this one
// cannot: it uses additions, multiplications and one division, which IEEE 754 rounds the same way everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "column.hpp"

namespace treewright {

// log2(x) for finite x > 0, to about one unit in the last place.
inline double portable_log2(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // x = m * 2^exponent, m in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  // log m = 2 artanh(z) with z = (m - 1) / (m + 1), |z| <= 0.1716: twelve terms reach double precision.
  const double z = (m - 1) / (m + 1), z2 = z * z;
  double series = 0;
  for (int k = 25; k >= 1; k -= 2) series = series * z2 + 1.0 / k;
  return exponent + series * z * 2.8853900817779268;  // 2 / ln 2
}

class Logs {
 public:
  // Whole numbers up to the number of rows are looked up: they are nearly all that unweighted data ever asks
  // for.
  // Those who only choose candidates for an exact judgement may take the machine's own logarithm for the
  // rest.
  explicit Logs(std::int64_t n_rows, bool is_rough = false)
      : is_rough_(is_rough), table_(static_cast<std::size_t>(n_rows < limit ? n_rows + 1 : limit)) {
    for (std::size_t n = 1; n < table_.size(); ++n)
      table_[n] = static_cast<double>(n) * portable_log2(static_cast<double>(n));
  }

  TREEWRIGHT_INLINE double n_log_n(double n) const {
    if (n <= 0) return 0;  // 0 log 0 = 0
    if (n < static_cast<double>(table_.size())) {
      auto whole = static_cast<std::size_t>(n);
      if (static_cast<double>(whole) == n) return table_[whole];
    }
    return beyond_table(n);
  }

 private:
  [[gnu::noinline]] double beyond_table(double n) const {
    return n * (is_rough_ ? std::log2(n) : portable_log2(n));
  }

  static constexpr std::int64_t limit = 1 << 20;
  bool is_rough_;
  std::vector<double> table_;
};

}  // namespace treewright
