// Is a test more than chance? Pearson's chi-square on the branch by class table (Quinlan 1986), Fisher's
// exact test on two by two tables where asked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace treewright {

// std::lgamma writes a global sign on some systems; growth has threads.
inline double log_gamma(double x) {
#if defined(__GLIBC__) || defined(__APPLE__)
  int sign = 0;
  return lgamma_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

// P(X > x) for the chi-square distribution: the regularised upper incomplete gamma function Q(dof / 2, x /
// 2).
inline double chi_square_tail(double x, double dof) {
  const double a = dof / 2, z = x / 2;
  if (!(z > 0) || !(a > 0)) return 1;
  const double front = std::exp(a * std::log(z) - z - log_gamma(a));
  if (z < a + 1) {  // series for the lower function
    double term = 1 / a, sum = term;
    for (double n = a + 1; term > sum * 1e-17; ++n) sum += term *= z / n;
    return std::max(0.0, 1 - front * sum);
  }
  // Lentz's continued fraction for the upper one.
  double b = z + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int i = 1; i < 10000; ++i) {
    const double an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (std::abs(d) < 1e-300) d = 1e-300;
    c = b + an / c;
    if (std::abs(c) < 1e-300) c = 1e-300;
    d = 1 / d;
    const double step = d * c;
    h *= step;
    if (std::abs(step - 1) < 1e-16) break;
  }
  return front * h;
}

using Counts = std::vector<std::vector<double>>;  // one row per branch, one column per class

inline Counts without_empty(const Counts& table) {
  std::vector<double> columns(table.empty() ? 0 : table[0].size());
  for (const auto& row : table)
    for (std::size_t c = 0; c < row.size(); ++c) columns[c] += row[c];
  Counts out;
  for (const auto& row : table) {
    std::vector<double> kept;
    double sum = 0;
    for (std::size_t c = 0; c < row.size(); ++c)
      if (columns[c] > 0) {
        kept.push_back(row[c]);
        sum += row[c];
      }
    if (sum > 0) out.push_back(kept);
  }
  return out;
}

inline double chi_square_p_value(const Counts& table) {
  const std::size_t b = table.size(), k = b == 0 ? 0 : table[0].size();
  if (b < 2 || k < 2) return 1;
  std::vector<double> rows(b), columns(k);
  double total = 0, statistic = 0;
  for (std::size_t j = 0; j < b; ++j)
    for (std::size_t c = 0; c < k; ++c) {
      rows[j] += table[j][c];
      columns[c] += table[j][c];
      total += table[j][c];
    }
  for (std::size_t j = 0; j < b; ++j)
    for (std::size_t c = 0; c < k; ++c) {
      const double expected = rows[j] * columns[c] / total;
      statistic += (table[j][c] - expected) * (table[j][c] - expected) / expected;
    }
  return chi_square_tail(statistic, static_cast<double>((b - 1) * (k - 1)));
}

// Two-sided: the probability of all tables with the same margins that are no likelier than this one. The
// chances fall off on both sides of the likeliest table, so each side is summed inwards out, while terms
// count.
inline double fisher_p_value(double a, double b, double c, double d) {
  const double row = a + b, column = a + c, n = a + b + c + d;
  const double low = std::max(0.0, row + column - n), high = std::min(row, column);
  auto log_chance = [&](double x) {
    return log_gamma(row + 1) - log_gamma(x + 1) - log_gamma(row - x + 1) + log_gamma(n - row + 1) -
           log_gamma(column - x + 1) - log_gamma(n - row - column + x + 1) -
           (log_gamma(n + 1) - log_gamma(column + 1) - log_gamma(n - column + 1));
  };
  const double observed = log_chance(a), likeliest = std::floor((row + 1) * (column + 1) / (n + 2));
  // The first table on each side of the likeliest that is no likelier than the observed one, by bisection.
  auto first_unlikely = [&](double inside, double outside) {
    if (log_chance(outside) > observed + 1e-7) return outside + (outside < inside ? -1 : 1);
    while (std::abs(outside - inside) > 1) {
      const double middle = std::floor((inside + outside) / 2);
      (log_chance(middle) <= observed + 1e-7 ? outside : inside) = middle;
    }
    return log_chance(inside) <= observed + 1e-7 ? inside : outside;
  };
  double p = 0;
  auto add_tail = [&](double x, double step) {
    for (; x >= low && x <= high; x += step) {
      const double chance = std::exp(log_chance(x));
      p += chance;
      if (chance <= p * 1e-17) break;
    }
  };
  if (log_chance(likeliest) <= observed + 1e-7) return 1;
  add_tail(first_unlikely(likeliest, low), -1);
  add_tail(first_unlikely(likeliest, high), 1);
  return std::min(1.0, p);
}

// Above this many cases the chi-square approximation is better than the logarithms of such factorials.
constexpr double most_for_fisher = 1e7;

inline double p_value(const Counts& table, bool use_fisher) {
  const Counts kept = without_empty(table);
  double total = 0;
  for (const auto& row : kept)
    for (double count : row) total += count;
  if (use_fisher && kept.size() == 2 && kept[0].size() == 2 && total < most_for_fisher)
    return fisher_p_value(std::round(kept[0][0]), std::round(kept[0][1]), std::round(kept[1][0]),
                          std::round(kept[1][1]));
  return chi_square_p_value(kept);
}

}  // namespace treewright
