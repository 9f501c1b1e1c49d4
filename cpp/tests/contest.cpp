// Scores: known values, exact ties, and sides that are too small.
#include "treewright/contest.hpp"

#include <cmath>
#include <optional>

#include "check.hpp"
#include "treewright/opening.hpp"

using namespace treewright;

namespace {

ClassStats counts(std::int64_t a, std::int64_t b) {
  ClassStats stats(2);
  stats.counts = {a, b};
  stats.weight = stats.rows = a + b;
  return stats;
}

struct Node {
  Settings settings;
  Logs logs;
  ClassTarget target{{}, 2};
  Opening<ClassStats> opening;

  explicit Node(const ClassStats& all) : logs(64) {
    opening = openings::of(all, target, settings, logs, std::span<const Piece>());
  }
  template <class Criterion>
  Found score(const ClassStats& left, const ClassStats& right) {
    Contest<Criterion, ClassStats> contest(opening.scale, opening.stats, 0, std::nullopt);
    const ClassStats* branches[] = {&left, &right};
    return contest.evaluate(branches);
  }
  double real(std::int64_t drop) const { return static_cast<double>(drop) / opening.scale.cost_scale; }
};

}  // namespace

// Wind in the tennis table: 9 yes, 5 no; weak 6/2, strong 3/3. The lecture says a gain of 0.048 a row.
TEST(entropy_of_the_tennis_table) {
  Node node(counts(9, 5));
  const double gain = node.real(node.score<Entropy>(counts(6, 2), counts(3, 3)).drop) / 14;
  CHECK(std::abs(gain - 0.04812703040826949) < 1e-12);
}

// T - sum n^2 / T, before and after.
TEST(gini_by_hand) {
  Node node(counts(9, 5));
  const double parent = 14 - (81 + 25) / 14.0, children = 8 - (36 + 4) / 8.0 + 6 - (9 + 9) / 6.0;
  CHECK(std::abs(node.real(node.score<Gini>(counts(6, 2), counts(3, 3)).drop) - (parent - children)) < 1e-12);
}

// The same two sides the other way round, and shares that are equal: scores tie to the bit.
TEST(equal_partitions_tie) {
  Node node(counts(6, 6));
  CHECK(node.score<Entropy>(counts(4, 2), counts(2, 4)).value ==
        node.score<Entropy>(counts(2, 4), counts(4, 2)).value);
  CHECK(node.score<Gini>(counts(3, 3), counts(3, 3)).value == 0);
  CHECK(node.score<Gini>(counts(1, 1), counts(5, 5)).value == 0);
  CHECK(node.score<Entropy>(counts(1, 1), counts(5, 5)).value == 0);
}

TEST(small_sides_are_refused) {
  Settings settings;
  settings.min_leaf = 3;
  const Admission admission(settings);
  CHECK(admission.allows(counts(2, 1), counts(4, 4)));
  CHECK(!admission.allows(counts(1, 1), counts(4, 4)));
  settings.min_leaf = 0;
  settings.min_leaf_weight = 2;
  CHECK(!Admission(settings).allows(counts(1, 0), counts(4, 4)));
}

// The first of the best stays.
TEST(the_first_of_equal_ones_wins) {
  Node node(counts(4, 4));
  Contest<Gini, ClassStats> contest(node.opening.scale, node.opening.stats, 0, std::nullopt);
  contest.offer({0, Tag::apart}, counts(1, 1), counts(3, 3));
  contest.offer({1, Tag::apart}, counts(3, 1), counts(1, 3));
  contest.offer({2, Tag::apart}, counts(1, 3), counts(3, 1));
  CHECK(contest.best().has_value() && contest.best()->tag.position == 1);
}
