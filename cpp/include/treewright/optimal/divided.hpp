// Subtrees where a row without a value goes down both branches, its weight divided in proportion to that of
// the rows with a value.
//
// More rows may cost less here, for they change how the others are divided: the bounds of the search do not
// hold. But what the best tree costs, where each test may send all gaps to one side, is a concave function of
// the rows' weights (a least of sums of concave costs of sums of weights). So below a test that divides its
// gaps it costs no less than if they all went to the better side. The search goes through first tests as if
// they did, and judges by division those alone that may be better than the best so far.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "several.hpp"

namespace treewright::optimal {

// A tree that was found: its cost with the prices of its leaves, its first test, what is below it.
struct Grown {
  double value = 0;
  Test test;
  std::vector<std::shared_ptr<const Grown>> below;
};
using GrownPtr = std::shared_ptr<const Grown>;

// Rows and the share of their weight that is there.
struct Held {
  std::vector<std::uint32_t> row;
  std::vector<double> share;
};

template <class Tally>
class Divided : public Several<Tally> {
  using Base = Several<Tally>;

 public:
  explicit Divided(const Problem& problem)
      : Base(to_one_side(problem)),
        least_mass_(problem.least_mass),
        split_mass_(problem.split_mass),
        share_(problem.n_rows(), 0.0),
        left_(this->problem_),
        right_(this->problem_),
        gaps_(this->problem_) {}

  Answer best(std::span<const std::uint32_t> rows, std::int32_t depth, std::int32_t leaves, double upper,
              const Watch& watch) override {
    if (depth == 0) return this->leaf_alone(rows, upper);
    const Part root = this->frame_.part_of(rows);
    this->begin(root, depth, upper, watch);
    const GrownPtr found = best_of(root, depth, leaves > 0 ? leaves : no_limit, upper);
    Answer answer;
    answer.is_proven = !this->is_over_;
    answer.has_tree = found != nullptr;
    answer.upper = found ? found->value : upper;
    answer.lower = this->is_over_ ? 0 : answer.upper;
    answer.n_solved = this->n_solved_;
    if (found) put(*found, answer);
    this->watch_ = nullptr;
    return answer;
  }

 private:
  // The problem whose trees cost no more: all gaps of a test to one side, branches of any size.
  static Problem to_one_side(Problem problem) {
    problem.gaps = Gaps::any_branch;
    problem.keeps_twins = true;
    problem.min_leaf = problem.min_split = 0;
    return problem;
  }

  // ---- the first test ------------------------------------------------------------------------------------

  GrownPtr best_of(const Part& root, std::int32_t depth, std::int32_t leaves, double upper) {
    const double leaf = this->stumps_.leaf(root) + this->price();
    Held all{root.row, std::vector<double>(root.n, 1.0)};
    if (depth == 1) return best_test(root, all, leaves, upper);
    best_ = this->is_better(leaf, upper) ? leaf_of(leaf) : nullptr;
    judged_.clear();
    if (leaves < 2 || leaf - this->price() <= this->tolerance_ || mass_of(all) + rounding < split_mass_)
      return best_;
    Work work{root, depth, depth < 20 ? std::min(leaves, 1 << depth) : leaves, std::min(leaf, upper), true};
    this->open(work);
    this->each_batch(
        work, [&](const auto& batch) { judge_sixteen(work, batch); },
        [&](const auto& interval) { judge_one(work, interval); });
    return best_;
  }
  void judge_sixteen(Work& work, const std::vector<Interval>& batch) {
    const Judged judged = this->judge_fast(work, batch);
    for (std::size_t i = 0; i < batch.size(); ++i) judge(work, batch[i], judged.value[i]);
    for (std::size_t i = 0; i < batch.size(); ++i)
      this->split(work, batch[i], judged.value[i][0], judged.value[i][1]);
  }
  void judge_one(Work& work, const Interval& interval) {
    Branches found;
    if (!this->judge_wide(work, interval, found)) return;
    judge(work, interval, found.value);
    this->split(work, interval, found.value[0], found.value[1]);
  }
  // A test whose branches cost at least so much with their gaps on one side: by division.
  void judge(Work& work, const Interval& interval, const double* least) {
    if (this->is_over_ || !this->is_better(least[0] + least[1], work.best)) return;
    const Place place = this->place_of(work, interval);
    const Unit& unit = this->frame_.units()[static_cast<std::size_t>(place.unit)];
    if (!judged_.emplace(unit.column, unit.set, unit.place, place.cut, interval.leaves[0]).second) return;
    Held side[2];
    if (!divide_rows(work.part, unit, place.cut, side)) return;
    auto found = std::make_shared<Grown>();
    found->test = test_by(work.part, unit, place.cut);
    for (std::size_t s = 0; s < 2; ++s) {
      GrownPtr below = best_below(work, side[s], interval.leaves[s], work.best - found->value);
      if (!below) return;
      found->value += below->value;
      found->below.push_back(std::move(below));
    }
    if (!this->is_better(found->value, work.best)) return;
    work.best = found->value;
    this->upper_ = std::min(this->upper_, work.best);
    best_ = std::move(found);
  }
  // The best tree of a branch below `limit`; nothing where there is none, or once time is up.
  GrownPtr best_below(const Work& work, const Held& held, std::int32_t leaves, double limit) {
    ++this->n_solved_;
    if (work.depth == 2) return best_test(work.part, held, leaves, limit);
    Divided below(problem_of(held));
    const std::vector<std::uint32_t> every = all_rows(held.row.size());
    const Part root = below.frame_.part_of(every);
    below.begin(root, work.depth - 1, limit, *this->watch_);
    below.tolerance_ = this->tolerance_;
    GrownPtr found = below.best_of(root, work.depth - 1, leaves, limit);
    this->n_solved_ += below.n_solved_;
    if (!below.is_over_) return found;
    this->is_over_ = true;
    return nullptr;
  }
  static std::vector<std::uint32_t> all_rows(std::size_t n) {
    std::vector<std::uint32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
  }
  // The same problem for some rows, as heavy as they are there.
  Problem problem_of(const Held& held) const {
    Problem some = this->problem_;
    some.least_mass = least_mass_;
    some.split_mass = split_mass_;
    some.weight.clear();
    some.mass.clear();
    some.label.clear();
    some.value.clear();
    for (Column& column : some.columns) column.code.clear();
    for (std::size_t i = 0; i < held.row.size(); ++i) {
      const std::uint32_t row = held.row[i];
      some.weight.push_back(this->problem_.weight[row] * held.share[i]);
      some.mass.push_back(this->problem_.mass[row] * held.share[i]);
      if (this->problem_.has_classes()) some.label.push_back(this->problem_.label[row]);
      if (!this->problem_.has_classes()) some.value.push_back(this->problem_.value[row]);
      for (std::size_t c = 0; c < some.columns.size(); ++c)
        some.columns[c].code.push_back(this->problem_.columns[c].code[row]);
    }
    return some;
  }

  // ---- dividing ------------------------------------------------------------------------------------------

  double mass_of(const Held& held) const {
    double mass = 0;
    for (std::size_t i = 0; i < held.row.size(); ++i)
      mass += this->problem_.mass[held.row[i]] * held.share[i];
    return mass;
  }
  bool is_heavy(double mass) const { return mass + rounding >= least_mass_; }
  // "Known or missing?" is no test, and a test with the gaps on either side is one test.
  static bool is_asked(const Frame& frame, const Part& part, const Unit& unit) {
    return unit.gap != 0 || !frame.is_open(part, unit);
  }
  // False where a branch has no row with a value, or too few.
  bool divide_rows(const Part& part, const Unit& unit, std::uint32_t cut, Held* side) {
    this->frame_.branches(part, unit, cut, this->branch_);
    double mass[2] = {0, 0};
    std::vector<std::uint32_t> gaps;
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::uint32_t row = part.row[r];
      if (this->frame_.code(unit.column, row) < 0) {
        gaps.push_back(row);
        continue;
      }
      const std::uint16_t branch = this->branch_[r];
      mass[branch] += this->problem_.mass[row];
      side[branch].row.push_back(row);
      side[branch].share.push_back(1);
    }
    if (side[0].row.empty() || side[1].row.empty() || !is_heavy(mass[0]) || !is_heavy(mass[1])) return false;
    for (std::size_t s = 0; s < 2; ++s) {
      side[s].row.insert(side[s].row.end(), gaps.begin(), gaps.end());
      side[s].share.insert(side[s].share.end(), gaps.size(), mass[s] / (mass[0] + mass[1]));
    }
    return true;
  }
  Test test_by(const Part& part, const Unit& unit, std::uint32_t cut) const {
    Test test = this->frame_.test_of(part, unit, cut);
    test.gap = -1;
    return test;
  }

  // ---- the last test -------------------------------------------------------------------------------------

  static GrownPtr leaf_of(double value) {
    auto leaf = std::make_shared<Grown>();
    leaf->value = value;
    return leaf;
  }
  // The best single test of rows that are held of a part, or a leaf.
  GrownPtr best_test(const Part& part, const Held& held, std::int32_t leaves, double limit) {
    for (std::size_t i = 0; i < held.row.size(); ++i) share_[held.row[i]] = held.share[i];
    left_.clear();
    for (std::uint32_t row : part.row)
      if (share_[row] > 0) left_.add(row, share_[row]);
    const double leaf = left_.value();
    GrownPtr best = this->is_better(leaf + this->price(), limit) ? leaf_of(leaf + this->price()) : nullptr;
    double least = best ? best->value : limit;
    if (leaves >= 2 && leaf > this->tolerance_ && mass_of(held) + rounding >= split_mass_)
      for (std::size_t u = 0; u < this->frame_.units().size(); ++u) {
        const Unit& unit = this->frame_.units()[u];
        if (!is_asked(this->frame_, part, unit)) continue;
        for_each_divided(part, unit, [&](double cost, std::uint32_t cut) {
          const double value = cost + 2 * this->price();
          if (!this->is_better(value, least)) return;
          auto found = std::make_shared<Grown>();
          found->value = least = value;
          found->test = test_by(part, unit, cut);
          found->below = {leaf_of(0), leaf_of(0)};
          best = std::move(found);
        });
      }
    for (std::uint32_t row : held.row) share_[row] = 0;
    return best;
  }
  // What the leaves of every test of a unit cost, gaps divided between them; `cut` counts rows of the part.
  template <class Visit>
  void for_each_divided(const Part& part, const Unit& unit, Visit&& visit) {
    left_.clear();
    right_.clear();
    gaps_.clear();
    if (unit.kind == Unit::Kind::cuts) return for_each_cut_divided(part, unit, visit);
    double mass[2] = {0, 0};
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::uint32_t row = part.row[r];
      if (share_[row] <= 0) continue;
      const bool is_gap = this->frame_.code(unit.column, row) < 0;
      const bool is_right = !part.has_bit(static_cast<std::size_t>(unit.at), r);
      (is_gap ? gaps_ : is_right ? right_ : left_).add(row, share_[row]);
      if (!is_gap) mass[is_right] += this->problem_.mass[row] * share_[row];
    }
    if (mass[0] <= 0 || mass[1] <= 0 || !is_heavy(mass[0]) || !is_heavy(mass[1])) return;
    const double share = mass[0] / (mass[0] + mass[1]);
    visit(left_.value_with(gaps_, share) + right_.value_with(gaps_, 1 - share), 0u);
  }
  template <class Visit>
  void for_each_cut_divided(const Part& part, const Unit& unit, Visit&& visit) {
    const auto chain = static_cast<std::size_t>(unit.at);
    const std::uint32_t *order = part.orders(chain), *place = part.places(chain);
    places_.clear();
    double total = 0;
    for (std::uint32_t p = 0; p < part.n; ++p) {
      const std::uint32_t row = part.row[order[p]];
      if (share_[row] <= 0) continue;
      if (p >= part.n_known[chain]) {
        gaps_.add(row, share_[row]);
        continue;
      }
      places_.push_back(p);
      total += this->problem_.mass[row] * share_[row];
    }
    const std::size_t n = places_.size();
    cost_.assign(n, 0.0);
    running_.assign(n, 0.0);
    double mass = 0;
    auto is_cut = [&](std::size_t i) { return i + 1 < n && place[places_[i]] != place[places_[i + 1]]; };
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t row = part.row[order[places_[i]]];
      left_.add(row, share_[row]);
      running_[i] = mass += this->problem_.mass[row] * share_[row];
      if (is_cut(i)) cost_[i] = left_.value_with(gaps_, mass / total);
    }
    for (std::size_t i = n; i-- > 0;) {
      if (is_cut(i) && is_heavy(running_[i]) && is_heavy(total - running_[i]))
        visit(cost_[i] + right_.value_with(gaps_, 1 - running_[i] / total), places_[i] + 1);
      const std::uint32_t row = part.row[order[places_[i]]];
      right_.add(row, share_[row]);
    }
  }

  static void put(const Grown& tree, Answer& answer) {
    const std::size_t node = answer.test.size();
    answer.test.push_back(tree.test);
    answer.end.push_back(0);
    for (const GrownPtr& below : tree.below) put(*below, answer);
    answer.end[node] = static_cast<std::int32_t>(answer.test.size());
  }

  static constexpr double rounding = 1e-6;  // shares of rows add up to whole numbers up to this

  double least_mass_, split_mass_;
  std::vector<double> share_;  // of each row, while the last test of some is looked for
  Tally left_, right_, gaps_;
  std::vector<std::uint32_t> places_;
  std::vector<double> cost_, running_;
  GrownPtr best_;
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::uint32_t, std::int32_t>> judged_;
};

}  // namespace treewright::optimal
