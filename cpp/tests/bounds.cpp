// No cut inside a bin is worth more than its bounds say: every order of a small bin's rows is tried.
#include "treewright/search/bounds.hpp"

#include <vector>

#include "check.hpp"
#include "treewright/opening.hpp"

using namespace treewright;

namespace {

constexpr double rounding = 1e-9;

ClassStats drawn(check::Numbers& numbers, std::size_t n_classes, int most) {
  ClassStats stats(n_classes);
  for (std::int64_t& count : stats.counts) stats.weight += count = numbers.below(most);
  stats.rows = stats.weight;
  return stats;
}

// Every way to have some of the bin's rows on the left.
template <class Visit>
void for_each_inside(const ClassStats& bin, const Visit& visit) {
  ClassStats left(bin.counts.size());
  for (;;) {
    std::size_t c = 0;
    while (c < left.counts.size() && left.counts[c] == bin.counts[c]) left.counts[c++] = 0;
    if (c == left.counts.size()) return;
    ++left.counts[c];
    left.weight = 0;
    for (std::int64_t count : left.counts) left.weight += count;
    left.rows = left.weight;
    visit(left);
  }
}

template <class Criterion>
void try_classes(std::size_t n_classes) {
  check::Numbers numbers;
  const Settings settings;
  const Logs logs(256);
  const ClassTarget target{{}, n_classes};
  for (int round = 0; round < 300; ++round) {
    BinView<ClassStats> bin{drawn(numbers, n_classes, 12), drawn(numbers, n_classes, 4),
                            drawn(numbers, n_classes, 12), ClassStats(n_classes)};
    ClassStats all = bin.before;
    all.add(bin.inside);
    all.add(bin.after);
    const auto opening = openings::of(all, target, settings, logs, std::span<const Piece>());
    Costs<Criterion> cost(opening.scale);
    const double cheap = cheap_bound(cost, bin, cost(bin.before), cost(bin.after));
    const double corner = corner_bound(cost, bin, true);
    for_each_inside(bin.inside, [&](const ClassStats& some) {
      ClassStats left = bin.before, right = all;
      left.add(some);
      right.add(left, -1);
      const double worth = -cost(left) - cost(right);
      CHECK(worth <= cheap + rounding);
      CHECK(worth <= corner + rounding);
    });
  }
}

}  // namespace

TEST(gini_of_two_and_three_classes) {
  try_classes<Gini>(2);
  try_classes<Gini>(3);
}
TEST(entropy_of_two_and_three_classes) {
  try_classes<Entropy>(2);
  try_classes<Entropy>(3);
}
TEST(hellinger_of_two_classes) { try_classes<Hellinger>(2); }

// Numbers: every subset of a bin's values may lie left of a cut.
TEST(squared_error) {
  check::Numbers numbers;
  const Settings settings;
  const Logs logs(64);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> value(12);
    for (std::int64_t& y : value) y = numbers.below(200) - 100;
    const NumberTarget target{value, 0};
    std::vector<Piece> pieces;
    for (std::int32_t row = 0; row < 12; ++row) pieces.push_back({row, 1});
    MomentStats all, before, inside;
    for (const Piece& piece : pieces) target.add(all, piece);
    for (std::size_t i = 0; i < 3; ++i) target.add(before, pieces[i]);
    for (std::size_t i = 3; i < 9; ++i) target.add(inside, pieces[i]);
    BinView<MomentStats> bin{before, inside, all, MomentStats()};
    bin.after.add(before, -1);
    bin.after.add(inside, -1);
    const auto opening = openings::of(all, target, settings, logs, pieces);
    for (std::size_t i = 3; i < 9; ++i) {
      const auto d = static_cast<double>(value[i] - opening.scale.centre);
      bin.squares += d * d;
    }
    Costs<SquaredError> cost(opening.scale);
    const double cheap = cheap_bound(cost, bin, cost(bin.before), cost(bin.after)),
                 corner = corner_bound(cost, bin, true);
    for (unsigned some = 1; some < 63; ++some) {
      MomentStats left = before, right = all;
      for (std::size_t i = 0; i < 6; ++i)
        if ((some >> i & 1) != 0) target.add(left, pieces[3 + i]);
      right.add(left, -1);
      const double worth = -cost(left) - cost(right);
      CHECK(worth <= cheap + rounding * (1 + std::abs(cheap)));
      CHECK(worth <= corner + rounding * (1 + std::abs(corner)));
    }
  }
}
