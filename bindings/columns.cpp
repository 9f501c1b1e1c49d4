#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "arrays.hpp"
#include "treewright/column.hpp"

namespace treewright::bindings {

namespace {

// The bits of a number, in an order in which unsigned integers compare as the numbers do; -0 and 0 are one
// value.
std::uint64_t ordered_bits(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v == 0 ? 0.0 : v);
  return bits >> 63 != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double number_of(std::uint64_t bits) {
  return std::bit_cast<double>(bits >> 63 != 0 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}

struct Keyed {
  std::uint64_t key;
  std::uint32_t row;
};

// Least significant digit first, eleven bits at a time. A digit that all keys share is passed over, so that
// numbers that came from 32 bits, or are whole, take half the passes.
void radix_sort(std::vector<Keyed>& items) {
  constexpr int bits = 11, n_digits = 6;
  constexpr std::size_t n_buckets = std::size_t{1} << bits;
  std::vector<std::array<std::uint32_t, n_buckets>> count(n_digits);
  for (const Keyed& item : items)
    for (int d = 0; d < n_digits; ++d)
      ++count[static_cast<std::size_t>(d)][(item.key >> (d * bits)) & (n_buckets - 1)];
  std::vector<Keyed> other(items.size());
  for (int d = 0; d < n_digits; ++d) {
    auto& first = count[static_cast<std::size_t>(d)];
    if (std::find(first.begin(), first.end(), items.size()) != first.end()) continue;
    std::uint32_t before = 0;
    for (auto& n : first) before += std::exchange(n, before);
    for (const Keyed& item : items) other[first[(item.key >> (d * bits)) & (n_buckets - 1)]++] = item;
    items.swap(other);
  }
}

// The distinct values of a numeric column, ascending, and the place of each row's value among them; a NaN is
// a gap.
nb::tuple rank_values(Array<double> array) {
  auto values = view(array);
  std::vector<double> distinct;
  std::vector<std::int32_t> code(values.size(), missing_code);
  {
    nb::gil_scoped_release released;
    std::vector<Keyed> items;
    items.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(values[i])) items.push_back({ordered_bits(values[i]), static_cast<std::uint32_t>(i)});
    if (items.size() < 2048)
      std::sort(items.begin(), items.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    else
      radix_sort(items);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i == 0 || items[i].key != items[i - 1].key) distinct.push_back(number_of(items[i].key));
      code[items[i].row] = static_cast<std::int32_t>(distinct.size()) - 1;
    }
  }
  return nb::make_tuple(owned(std::move(code)), owned(std::move(distinct)));
}

}  // namespace

void register_columns(nb::module_& m) {
  m.def("rank_values", &rank_values, nb::arg("values").noconvert(),
        "Return (codes, distinct values): the rank of each value among the distinct ones; -1 for NaN.");
}

}  // namespace treewright::bindings
