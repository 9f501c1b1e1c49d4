// Branch and bound, best first. A sub-problem is a set of rows, a depth and a number of leaves.
//
// The cuts of a column are a chain: from one to the next the left side grows and the right side shrinks, and
// neither side of more rows can cost less. So of the cuts between two that are solved, a and b,
//   none costs less than  left(a) + right(b),                     (interval)
//   and a cut c not less than  left(a) + right(a) - slack(a to c)   (similarity)
// where slack is by how much the rows between can raise the cost of a tree. Intervals wait in a heap, the one
// with the least bound first; solving its middle cut leaves two shorter ones. The least bound in the heap is
// a bound for the whole, at any time.
//
// Where leaves must have so many rows, more rows may cost less: some tree is allowed only then. So intervals
// are bounded by trees whose leaves have any size, and a test that may be the best is solved again with the
// limit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "leaf_shares.hpp"
#include "problem.hpp"
#include "solution.hpp"
#include "solver.hpp"
#include "stumps.hpp"

namespace treewright::optimal {

template <class Tally>
class Search : public Solver {
 public:
  explicit Search(Problem problem)
      : problem_(std::move(problem)),
        frame_(problem_),
        stumps_(problem_, frame_),
        slack_(Tally::slacks(problem_)),
        most_remembered_(problem_.cache_bytes / bytes_of_entry) {
    // A row without a value may need a branch that its like had none of: a price that slack knows nothing of.
    has_slack_ = !frame_.has_own_gaps() &&
                 std::all_of(slack_.begin(), slack_.end(), [](double s) { return std::isfinite(s); });
  }

  Answer best(std::span<const std::uint32_t> rows, std::int32_t depth, std::int32_t leaves, double upper,
              const Watch& watch) override {
    if (depth == 0) return leaf_alone(rows, upper);
    const Part root = frame_.part_of(rows);
    leaves = leaves > 0 ? leaves : no_limit;
    begin(root, depth, upper, watch);
    SolutionPtr first = depth <= 2 && problem_.has_limits() ? nullptr : start(root, depth, leaves);
    if (first && first->value >= upper - tolerance_) first = nullptr;
    if (first) upper_ = std::min(upper_, first->value);
    is_at_root_ = true;
    const Found found = solve(root, depth, leaves, upper_);
    SolutionPtr tree = found.solution ? found.solution : kept_ ? kept_ : first;
    Answer answer;
    answer.is_proven = !is_over_;
    answer.upper = tree ? tree->value : upper;
    answer.lower = is_over_ ? std::min(lower_, answer.upper) : answer.upper;
    answer.has_tree = tree != nullptr;
    answer.n_solved = n_solved_;
    answer.n_remembered = n_remembered_;
    if (tree) write(root, *tree, depth, answer);
    watch_ = nullptr;
    return answer;
  }

 protected:
  static constexpr std::size_t bytes_of_entry = 232;

  void begin(const Part& root, std::int32_t depth, double upper, const Watch& watch) {
    levels_.resize(std::max<std::size_t>(levels_.size(), static_cast<std::size_t>(depth) + 2));
    tolerance_ = 1e-10 * (stumps_.leaf(root) + problem_.leaf_price);
    watch_ = &watch;
    is_over_ = is_at_root_ = false;
    upper_ = upper;
    lower_ = 0;
    n_solved_ = n_remembered_ = 0;
    kept_ = nullptr;
  }

  // One leaf: nothing is searched, so nothing is sorted.
  Answer leaf_alone(std::span<const std::uint32_t> rows, double upper) {
    Part part;
    part.row.assign(rows.begin(), rows.end());
    Answer answer;
    answer.upper = answer.lower = stumps_.leaf(part) + price();
    answer.is_proven = true;
    answer.has_tree = answer.upper < upper;
    if (!answer.has_tree) answer.upper = answer.lower = upper;
    answer.test.resize(answer.has_tree ? 1 : 0);
    answer.end.assign(answer.test.size(), 1);
    return answer;
  }

  bool is_better(double value, double best) const { return value < best - tolerance_; }
  double price() const { return problem_.leaf_price; }

  // ---- one sub-problem -----------------------------------------------------------------------------------

  Found solve(const Part& part, std::int32_t depth, std::int32_t leaves, double limit) {
    const bool is_root = std::exchange(is_at_root_, false);
    if (!frame_.has_many_branches() && depth < 20) leaves = std::min(leaves, 1 << depth);
    const double leaf = stumps_.leaf(part) + price();
    if (depth == 0 || leaves < 2 || leaf - price() <= tolerance_) return one_leaf(leaf, limit);
    const double least = std::min(leaf, 2 * price());
    if (!is_better(least, limit) || is_over_) return {least, nullptr};
    if (is_small(part)) return {leaf, one_leaf(leaf, limit).solution, least};
    ++n_solved_;
    if (depth == 1) return one_test(part, leaves, limit);
    const Key key{part.hash, depth, leaves};
    double lower = least, free = least;
    if (const auto known = known_.find(key); known != known_.end()) {
      ++n_remembered_;
      if (known->second.solution) {
        const double value = known->second.solution->value;
        return {value, is_better(value, limit) ? known->second.solution : nullptr, known->second.free};
      }
      lower = std::max(lower, known->second.lower);
      free = std::max(free, known->second.free);
      if (!is_better(lower, limit)) return {lower, nullptr, free};
    }
    Found found = search(part, depth, leaves, limit, leaf, is_root);
    found.lower = std::max(found.lower, lower);
    found.free = std::max(found.free, free);
    remember(key, found);
    return found;
  }
  // Can no test divide the part?
  bool is_small(const Part& part) const {
    return problem_.has_limits() && (part.n < problem_.min_split || part.n / 2 < problem_.min_leaf);
  }
  Found one_leaf(double leaf, double limit) const {
    if (!is_better(leaf, limit)) return {leaf, nullptr};
    auto solution = std::make_shared<Solution>();
    solution->value = leaf;
    return {leaf, solution};
  }
  Found one_test(const Part& part, std::int32_t leaves, double limit) {
    const Single single = stumps_.best(part, leaves, tolerance_);
    const double free = problem_.has_limits() ? single.free : single.value;
    if (!is_better(single.value, limit)) return {single.value, nullptr, free};
    auto solution = std::make_shared<Solution>();
    solution->value = single.value;
    solution->place = single.place;
    return {single.value, solution, free};
  }
  void remember(const Key& key, const Found& found) {
    if (most_remembered_ == 0 || (is_over_ && found.solution)) return;
    if (known_.size() >= most_remembered_) known_.clear();
    Known& known = known_[key];
    known.lower = std::max(known.lower, found.lower);
    known.free = std::max(known.free, found.free);
    if (found.solution) known.solution = found.solution;
  }

  // ---- branch and bound ----------------------------------------------------------------------------------

  Found search(const Part& part, std::int32_t depth, std::int32_t leaves, double limit, double leaf,
               bool is_root) {
    Work work{part, depth, leaves, limit, is_root};
    if (is_better(leaf, work.best)) take(work, one_leaf(leaf, work.best).solution);
    open(work);
    solve_cuts(work);
    for (std::size_t u = 0; u < frame_.units().size() && !is_over_; ++u)
      if (frame_.units()[u].kind == Unit::Kind::each) solve_each(work, u);
    if (is_over_) {  // at the root the best tree so far is kept
      if (is_root) kept_ = work.solution;
      return {0, nullptr};
    }
    const double dropped = std::min(work.dropped, leaf);
    const double lower = work.solution ? work.solution->value : std::max(limit, dropped);
    if (!problem_.has_limits()) return {lower, work.solution};
    return {lower, work.solution, is_root ? std::min(leaf, 2 * price()) : dropped};
  }
  void solve_cuts(Work& work) {
    each_batch(
        work, [&](const auto& batch) { solve_fast(work, batch); },
        [&](const auto& interval) { solve_wide(work, interval); });
  }
  // All intervals that may hold something: of the last two levels sixteen at once.
  template <class Fast, class Wide>
  void each_batch(Work& work, Fast&& fast, Wide&& wide) {
    const bool is_fast = work.depth == 2 && !frame_.has_many_branches();
    std::vector<Interval> batch;
    while (!work.heap.empty() && !is_over_) {
      pop_batch(work, is_fast ? n_lanes : 1, batch);
      if (batch.empty()) continue;
      if (is_fast)
        fast(batch);
      else
        wide(batch[0]);
      breathe(work);
    }
  }
  void take(Work& work, SolutionPtr solution) {
    work.best = solution->value;
    work.solution = std::move(solution);
    if (work.is_root) upper_ = std::min(upper_, work.best);
  }
  void drop(Work& work, double bound) const { work.dropped = std::min(work.dropped, bound); }

  void open(Work& work) {
    const auto& units = frame_.units();
    work.chains.resize(units.size());
    std::vector<std::int32_t> rank = ranking(work);
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (units[u].kind == Unit::Kind::each) continue;
      Chain& chain = work.chains[u];
      if (units[u].kind == Unit::Kind::cuts) {
        stumps_.cuts(work.part, units[u], chain.cuts);
        if (has_slack_) add_slack(work.part, units[u], chain);
      } else if (stumps_.divides(work.part, units[u])) {
        chain.cuts.assign(1, 0);
      }
      if (work.is_root) leave_out_small(work, units[u], chain);
      open_unit(work, u, rank[u]);
    }
    std::make_heap(work.heap.begin(), work.heap.end(), Later());
  }
  // Nobody asks what bounds the root's neighbours: tests with a branch that is too small are out of question.
  void leave_out_small(const Work& work, const Unit& unit, Chain& chain) {
    if (!problem_.has_limits() || unit.has_own_gap) return;
    Chain kept;
    for (std::size_t i = 0; i < chain.cuts.size(); ++i) {
      if (!stumps_.allows(work.part, unit, chain.cuts[i])) continue;
      kept.cuts.push_back(chain.cuts[i]);
      if (!chain.slack.empty()) kept.slack.push_back(chain.slack[i]);
    }
    chain = std::move(kept);
  }
  // Which unit comes first where bounds are equal: the one with the best single test. The last two levels ask
  // sixteen at once and take them as they come.
  std::vector<std::int32_t> ranking(Work& work) {
    const std::size_t n = frame_.units().size();
    std::vector<std::int32_t> rank(n);
    if (work.depth == 2) {
      for (std::size_t u = 0; u < n; ++u) rank[u] = static_cast<std::int32_t>(u);
      return rank;
    }
    std::vector<std::pair<double, std::size_t>> by_value;
    for (std::size_t u = 0; u < n; ++u) by_value.emplace_back(stumps_.best_of(work.part, u), u);
    std::stable_sort(by_value.begin(), by_value.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < n; ++i) rank[by_value[i].second] = static_cast<std::int32_t>(i);
    return rank;
  }
  void add_slack(const Part& part, const Unit& unit, Chain& chain) const {
    const std::uint32_t* order = part.orders(static_cast<std::size_t>(unit.at));
    double sum = 0;
    std::uint32_t p = 0;
    for (std::uint32_t cut : chain.cuts) {
      for (; p < cut; ++p) sum += slack_[part.row[order[p]]];
      chain.slack.push_back(sum);
    }
  }
  // One interval for each way to share the leaves out.
  void open_unit(Work& work, std::size_t u, std::int32_t rank) {
    const Unit& unit = frame_.units()[u];
    const auto n_cuts = static_cast<std::int64_t>(work.chains[u].cuts.size());
    if (n_cuts == 0) return;
    Interval all;
    all.unit = static_cast<std::int32_t>(u);
    all.rank = rank;
    all.left = all.right = price();
    all.bound = 2 * price();
    all.last = n_cuts - 1;
    if (unit.has_own_gap && frame_.is_open(work.part, unit)) {
      if (unit.kind == Unit::Kind::cuts) {  // the last cut is behind all values: two branches
        Interval known = all;
        known.first = all.last--;
        share(work, known);
      }
      return share_three(work, u, all);
    }
    share(work, all);
  }
  void share(Work& work, Interval all) {
    if (work.leaves == no_limit) return push(work, all, no_limit, no_limit);
    const std::int32_t most =
        frame_.has_many_branches() ? work.leaves - 1 : std::min(work.leaves - 1, 1 << (work.depth - 1));
    for (std::int32_t left = std::max(1, work.leaves - most); left <= std::min(most, work.leaves - 1); ++left)
      push(work, all, left, work.leaves - left);
  }
  void share_three(Work& work, std::size_t u, Interval all) {
    if (all.first > all.last) return;
    auto& parts = divide(work.part, u, work.chains[u].cuts[0], work.depth);
    const Part gaps = parts[2];
    const std::int32_t most = work.leaves == no_limit ? 1 : work.leaves - 2;
    for (std::int32_t own = 1; own <= most; ++own) {
      const std::int32_t of_gaps = work.leaves == no_limit ? no_limit : own;
      const Found found = solve(gaps, work.depth - 1, of_gaps, infinite);
      if (is_over_) return;
      all.gap = found.free;
      all.bound = 2 * price() + all.gap;
      all.leaves[2] = of_gaps;
      if (work.leaves == no_limit) {
        push(work, all, no_limit, no_limit);
      } else {
        for (std::int32_t left = 1; left < work.leaves - own; ++left)
          push(work, all, left, work.leaves - own - left);
      }
    }
  }
  void push(Work& work, Interval interval, std::int32_t left, std::int32_t right) {
    interval.leaves[0] = left;
    interval.leaves[1] = right;
    work.heap.push_back(interval);
  }

  // The next intervals whose bound is below the best; none once there is no such.
  void pop_batch(Work& work, std::size_t most, std::vector<Interval>& batch) {
    batch.clear();
    while (batch.size() < most && !work.heap.empty()) {
      if (!is_better(work.heap.front().bound, work.best)) {
        drop(work, work.heap.front().bound);
        work.heap.clear();
        return;
      }
      std::pop_heap(work.heap.begin(), work.heap.end(), Later());
      Interval next = work.heap.back();
      work.heap.pop_back();
      shorten(work, next);
      if (next.first <= next.last) batch.push_back(next);
    }
  }
  // Cuts close to one that costs much more than the best cost more, too.
  void shorten(Work& work, Interval& interval) const {
    if (!has_slack_) return;
    const std::vector<double>& slack = work.chains[static_cast<std::size_t>(interval.unit)].slack;
    auto at = [&](std::int64_t i) { return slack[static_cast<std::size_t>(i)]; };
    if (interval.before > -infinite) {
      const double from = interval.slack_before;
      for (; interval.first <= interval.last; ++interval.first) {
        const double bound = interval.before - (at(interval.first) - from);
        if (is_better(bound, work.best)) break;
        drop(work, bound);
      }
    }
    if (interval.behind > -infinite && interval.first <= interval.last) {
      const double to = interval.slack_behind;
      for (; interval.first <= interval.last; --interval.last) {
        const double bound = interval.behind - (to - at(interval.last));
        if (is_better(bound, work.best)) break;
        drop(work, bound);
      }
    }
  }

  // What is left of an interval when its middle cut is known to cost at least left and right.
  void split(Work& work, const Interval& interval, double left, double right) {
    const std::int64_t middle = interval.middle();
    const double total = left + right + interval.gap;
    drop(work, total);
    Interval low = interval, high = interval;
    low.last = middle - 1;
    low.right = std::max(low.right, right);
    low.behind = total;
    const std::vector<double>& slack = work.chains[static_cast<std::size_t>(interval.unit)].slack;
    if (!slack.empty()) low.slack_behind = high.slack_before = slack[static_cast<std::size_t>(middle)];
    high.first = middle + 1;
    high.left = std::max(high.left, left);
    high.before = total;
    for (Interval* half : {&low, &high}) {
      if (half->first > half->last) continue;
      half->bound = std::max(half->bound, half->left + half->right + half->gap);
      shorten(work, *half);
      if (half->first > half->last) continue;
      if (!is_better(half->bound, work.best)) {
        drop(work, half->bound);
        continue;
      }
      work.heap.push_back(*half);
      std::push_heap(work.heap.begin(), work.heap.end(), Later());
    }
  }
  Place place_of(const Work& work, const Interval& interval) const {
    const Chain& chain = work.chains[static_cast<std::size_t>(interval.unit)];
    return {interval.unit, chain.cuts[static_cast<std::size_t>(interval.middle())]};
  }

  // The last two levels: what both sides of up to sixteen first tests cost.
  Judged judge_fast(const Work& work, const std::vector<Interval>& batch) {
    Judged found;
    Sides sides[n_lanes];
    for (std::size_t i = 0; i < batch.size(); ++i) found.place[i] = place_of(work, batch[i]);
    stumps_.sides(work.part, {found.place, batch.size()}, sides);
    n_solved_ += batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        double& value = found.value[i][side] = sides[i].leaf[side] + price();
        if (batch[i].leaves[side] >= 2) value = std::min(value, sides[i].stump[side] + 2 * price());
      }
    return found;
  }
  void solve_fast(Work& work, const std::vector<Interval>& batch) {
    const Judged judged = judge_fast(work, batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      double value[2] = {judged.value[i][0], judged.value[i][1]};
      if (!admits(work, batch[i], judged.place[i], value)) continue;
      const double total = value[0] + value[1];
      auto solution = std::make_shared<Solution>();
      solution->value = total;
      solution->place = judged.place[i];
      solution->leaves = {batch[i].leaves[0], batch[i].leaves[1]};
      take(work, std::move(solution));
    }
    for (std::size_t i = 0; i < batch.size(); ++i)
      split(work, batch[i], judged.value[i][0], judged.value[i][1]);
  }

  // May a test be the best one? Where sizes are limited, what its sides cost is put right first.
  bool admits(const Work& work, const Interval& interval, const Place& place, double* value) {
    if (!is_better(value[0] + value[1], work.best)) return false;
    if (!problem_.has_limits()) return true;
    const auto u = static_cast<std::size_t>(place.unit);
    if (!stumps_.allows(work.part, frame_.units()[u], place.cut)) return false;
    const auto& parts = divide(work.part, u, place.cut, work.depth);
    for (std::size_t side = 0; side < 2; ++side)
      value[side] = solve(parts[side], work.depth - 1, interval.leaves[side], infinite).lower;
    return is_better(value[0] + value[1], work.best);
  }

  std::vector<Part>& divide(const Part& part, std::size_t u, std::uint32_t cut, std::int32_t depth) {
    const Unit& unit = frame_.units()[u];
    std::vector<Part>& parts = levels_[static_cast<std::size_t>(depth)];
    const auto n = static_cast<std::size_t>(frame_.n_branches(part, unit, cut));
    if (parts.size() < n) parts.resize(n);
    frame_.branches(part, unit, cut, branch_);
    frame_.divide(part, branch_, {parts.data(), n});
    return parts;
  }

  // The smaller side first: if it alone costs far too much, the other need not be solved. "Far" pays: what
  // a test costs above the best spares its neighbours, so sides are solved a good way beyond the limit.
  // False: time is up.
  bool judge_wide(Work& work, const Interval& interval, Branches& found) {
    const Place place = place_of(work, interval);
    auto& parts = divide(work.part, static_cast<std::size_t>(place.unit), place.cut, work.depth);
    const std::size_t first = parts[0].n <= parts[1].n ? 0 : 1, second = 1 - first;
    found = {{interval.left, interval.right, interval.gap}, {}};
    const double reach = interval.first < interval.last ? beyond : 0;  // alone it has no neighbours to spare
    for (std::size_t side : {first, second}) {
      const double limit = work.best * (1 + reach) - found.value[1 - side] - interval.gap;
      const Found one = solve(parts[side], work.depth - 1, interval.leaves[side], limit);
      if (is_over_) {
        restore(work, interval);
        return false;
      }
      found.value[side] = std::max(found.value[side], one.free);
      found.solution[side] = one.solution;
      if (!one.solution) return true;
    }
    const Unit& unit = frame_.units()[static_cast<std::size_t>(place.unit)];
    if (!stumps_.allows(work.part, unit, place.cut)) found.solution[0] = nullptr;
    if (interval.leaves[2] > 0)
      found.solution[2] = solve(parts[2], work.depth - 1, interval.leaves[2], infinite).solution;
    return true;
  }
  void solve_wide(Work& work, const Interval& interval) {
    Branches found;
    if (!judge_wide(work, interval, found)) return;
    if (found.solution[0] && found.solution[1] && is_better(found.total(), work.best)) {
      auto solution = std::make_shared<Solution>();
      solution->value = found.total();
      solution->place = place_of(work, interval);
      for (std::size_t b = 0; b < (interval.leaves[2] > 0 ? 3u : 2u); ++b) {
        solution->leaves.push_back(interval.leaves[b]);
        solution->branches.push_back(found.solution[b]);
      }
      take(work, std::move(solution));
    }
    split(work, interval, found.value[0], found.value[1]);
  }
  // Time is up in the middle of it: its bound still counts.
  void restore(Work& work, const Interval& interval) {
    work.heap.push_back(interval);
    std::push_heap(work.heap.begin(), work.heap.end(), Later());
  }

  // ---- one branch for each code --------------------------------------------------------------------------

  void solve_each(Work& work, std::size_t u) {
    const Unit& unit = frame_.units()[u];
    if (!stumps_.divides(work.part, unit)) return;
    if (problem_.has_limits()) drop(work, 2 * price());  // as if its branches could be of any size
    if (!stumps_.allows(work.part, unit, 0)) return;
    const auto n = static_cast<std::size_t>(frame_.n_branches(work.part, unit, 0));
    if (work.leaves < static_cast<std::int32_t>(n)) return;
    divide(work.part, u, 0, work.depth);
    auto solution = std::make_shared<Solution>();
    solution->place = {static_cast<std::int32_t>(u), 0};
    const bool is_found =
        work.leaves == no_limit ? add_branches(work, n, *solution) : share_branches(work, n, *solution);
    if (is_found && is_better(solution->value, work.best)) take(work, std::move(solution));
  }
  bool add_branches(Work& work, std::size_t n, Solution& solution) {
    double sum = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const double rest = static_cast<double>(n - b - 1) * price();
      const Part& part = levels_[static_cast<std::size_t>(work.depth)][b];
      const Found found = solve(part, work.depth - 1, no_limit, work.best - sum - rest);
      if (is_over_) return false;
      if (!found.solution) {
        drop(work, std::max(work.best, sum + found.lower + rest));
        return false;
      }
      sum += found.lower;
      solution.leaves.push_back(no_limit);
      solution.branches.push_back(found.solution);
    }
    solution.value = sum;
    return true;
  }
  bool share_branches(Work& work, std::size_t n, Solution& solution) {
    auto solved = [&](std::size_t b, std::int32_t own) {
      const Part& part = levels_[static_cast<std::size_t>(work.depth)][b];
      const SolutionPtr found = solve(part, work.depth - 1, own, infinite).solution;
      return is_over_ ? nullptr : found;
    };
    return share_leaves(n, static_cast<std::size_t>(work.leaves), tolerance_, solved, solution);
  }

  // ---- the whole -----------------------------------------------------------------------------------------

  // Where to begin: the first test of the best tree of two levels, and so on below it.
  SolutionPtr start(const Part& part, std::int32_t depth, std::int32_t leaves) {
    const std::int32_t near = std::min(depth, 2);
    SolutionPtr two = solve(part, near, leaves, infinite).solution;
    if (!two || depth <= 2 || leaves != no_limit || two->place.unit < 0) return two;
    const auto unit = static_cast<std::size_t>(two->place.unit);
    const std::vector<Part> parts = divide(part, unit, two->place.cut, depth);
    auto solution = std::make_shared<Solution>();
    solution->place = two->place;
    const auto n = static_cast<std::size_t>(frame_.n_branches(part, frame_.units()[unit], two->place.cut));
    for (std::size_t b = 0; b < n; ++b) {
      SolutionPtr branch = start(parts[b], depth - 1, leaves);
      if (!branch) return two;
      solution->value += branch->value;
      solution->leaves.push_back(no_limit);
      solution->branches.push_back(std::move(branch));
    }
    return is_better(solution->value, two->value) ? SolutionPtr(solution) : two;
  }

  void breathe(const Work& work) {
    if (work.is_root) {
      const double waiting = work.heap.empty() ? infinite : work.heap.front().bound;
      lower_ = std::max(lower_, std::min(work.best, waiting));
    }
    if (problem_.most_solved > 0 && n_solved_ >= problem_.most_solved) is_over_ = true;
    if (!(*watch_)(upper_, std::min(lower_, upper_), n_solved_)) is_over_ = true;
  }

  void write(const Part& part, const Solution& solution, std::int32_t depth, Answer& answer) {
    const std::size_t node = answer.test.size();
    answer.test.emplace_back();
    answer.end.push_back(0);
    if (solution.place.unit >= 0) {
      const Unit& unit = frame_.units()[static_cast<std::size_t>(solution.place.unit)];
      answer.test[node] = frame_.test_of(part, unit, solution.place.cut);
      const std::vector<Part> parts =
          divide(part, static_cast<std::size_t>(solution.place.unit), solution.place.cut, depth);
      for (std::size_t b = 0; b < static_cast<std::size_t>(answer.test[node].n_branches); ++b)
        write_branch(parts[b], solution, b, depth, answer);
    }
    answer.end[node] = static_cast<std::int32_t>(answer.test.size());
  }
  void write_branch(const Part& part, const Solution& solution, std::size_t b, std::int32_t depth,
                    Answer& answer) {
    if (b < solution.branches.size()) return write(part, *solution.branches[b], depth - 1, answer);
    Solution last;  // below one test: a leaf; below the first of two: the best single one
    if (b < solution.leaves.size() && solution.leaves[b] >= 2)
      last.place = stumps_.best(part, solution.leaves[b], tolerance_).place;
    write(part, last, depth - 1, answer);
  }

  Problem problem_;
  Frame frame_;
  Stumps<Tally> stumps_;
  std::vector<double> slack_;
  bool has_slack_ = false;
  std::size_t most_remembered_;
  std::unordered_map<Key, Known, KeyHash> known_;
  std::vector<std::vector<Part>> levels_;  // the branches of the part in work at each depth
  std::vector<std::uint16_t> branch_;
  double tolerance_ = 0, upper_ = infinite, lower_ = 0;
  std::uint64_t n_solved_ = 0, n_remembered_ = 0;
  bool is_over_ = false, is_at_root_ = false;
  SolutionPtr kept_;
  const Watch* watch_ = nullptr;
};

}  // namespace treewright::optimal
