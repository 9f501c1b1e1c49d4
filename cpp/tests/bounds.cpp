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

// What a division is worth with the gaps on either side.
template <class Criterion, class Stats, class Visit>
void for_each_worth(Costs<Criterion>& cost, const BinView<Stats>& bin, const Stats& left, const Stats& right,
                    const Visit& visit) {
  if (!bin.has_gaps) return visit(-cost(left) - cost(right));
  Stats more_left = left, more_right = right;
  more_left.add(bin.gaps);
  more_right.add(bin.gaps);
  visit(-cost(more_left) - cost(right));
  visit(-cost(left) - cost(more_right));
}

template <class Criterion>
void try_classes(std::size_t n_classes, bool has_gaps) {
  check::Numbers numbers;
  const Settings settings;
  const Logs logs(256);
  const ClassTarget target{{}, n_classes};
  for (int round = 0; round < 300; ++round) {
    BinView<ClassStats> bin{drawn(numbers, n_classes, 12), drawn(numbers, n_classes, 4),
                            drawn(numbers, n_classes, 12),
                            has_gaps ? drawn(numbers, n_classes, 6) : ClassStats(n_classes)};
    bin.has_gaps = has_gaps;
    ClassStats known = bin.before;
    known.add(bin.inside);
    known.add(bin.after);
    ClassStats all = known;
    all.add(bin.gaps);
    const auto opening = openings::of(all, target, settings, logs, std::span<const Piece>());
    Costs<Criterion> cost(opening.scale);
    const double cheap = cheap_bound(cost, bin, cost(bin.before), cost(bin.after));
    const double corner = corner_bound(cost, bin, true);
    for_each_inside(bin.inside, [&](const ClassStats& some) {
      ClassStats left = bin.before, right = known;
      left.add(some);
      right.add(left, -1);
      for_each_worth(cost, bin, left, right, [&](double worth) {
        CHECK(worth <= cheap + rounding);
        CHECK(worth <= corner + rounding);
      });
    });
  }
}

// Numbers: every subset of a bin's values may lie left of a cut.
void try_numbers(std::size_t n_gaps) {
  check::Numbers numbers;
  const Settings settings;
  const Logs logs(64);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int64_t> value(12);
    for (std::int64_t& y : value) y = numbers.below(200) - 100;
    const NumberTarget target{value, 0};
    std::vector<Piece> pieces;
    for (std::int32_t row = 0; row < 12; ++row) pieces.push_back({row, 1});
    MomentStats all, before, inside, after, gaps;
    for (const Piece& piece : pieces) target.add(all, piece);
    for (std::size_t i = 0; i < 3; ++i) target.add(before, pieces[i]);
    for (std::size_t i = 3; i < 9; ++i) target.add(inside, pieces[i]);
    for (std::size_t i = 9; i < 12 - n_gaps; ++i) target.add(after, pieces[i]);
    for (std::size_t i = 12 - n_gaps; i < 12; ++i) target.add(gaps, pieces[i]);
    BinView<MomentStats> bin{before, inside, after, gaps};
    bin.has_gaps = n_gaps > 0;
    const auto opening = openings::of(all, target, settings, logs, pieces);
    for (std::size_t i = 3; i < 9; ++i) {
      const auto d = static_cast<double>(value[i] - opening.scale.centre);
      bin.squares += d * d;
    }
    Costs<SquaredError> cost(opening.scale);
    const double cheap = cheap_bound(cost, bin, cost(bin.before), cost(bin.after)),
                 corner = corner_bound(cost, bin, true);
    for (unsigned some = 1; some < 63; ++some) {
      MomentStats left = before, right = after;
      for (std::size_t i = 0; i < 6; ++i) target.add((some >> i & 1) != 0 ? left : right, pieces[3 + i]);
      for_each_worth(cost, bin, left, right, [&](double worth) {
        CHECK(worth <= cheap + rounding * (1 + std::abs(cheap)));
        CHECK(worth <= corner + rounding * (1 + std::abs(corner)));
      });
    }
  }
}

}  // namespace

TEST(gini_of_two_and_three_classes) {
  for (const bool has_gaps : {false, true}) {
    try_classes<Gini>(2, has_gaps);
    try_classes<Gini>(3, has_gaps);
  }
}
TEST(entropy_of_two_and_three_classes) {
  for (const bool has_gaps : {false, true}) {
    try_classes<Entropy>(2, has_gaps);
    try_classes<Entropy>(3, has_gaps);
  }
}
TEST(hellinger_of_two_classes) {
  for (const bool has_gaps : {false, true}) try_classes<Hellinger>(2, has_gaps);
}

TEST(squared_error) { try_numbers(0); }
TEST(squared_error_with_gaps) {
  try_numbers(1);
  try_numbers(2);
}
