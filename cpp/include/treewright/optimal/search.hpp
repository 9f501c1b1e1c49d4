// Branch and bound, best first. A sub-problem is a set of rows, a depth and a number of leaves.
//
// The cuts of a column are a chain: from one to the next the left side grows and the right side shrinks, and
// neither side of more rows can cost less. So of the cuts between two that are solved, a and b,
//   none costs less than  left(a) + right(b),                     (interval)
//   and a cut c not less than  left(a) + right(a) - slack(a to c)   (similarity)
// where slack is by how much the rows between can raise the cost of a tree. Intervals wait in a heap, the one
// with the least bound first; solving its middle cut leaves two shorter ones. The least bound in the heap is
// a bound for the whole, at any time.
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
    levels_.resize(std::max<std::size_t>(levels_.size(), static_cast<std::size_t>(depth) + 2));
    tolerance_ = 1e-10 * (stumps_.leaf(root) + problem_.leaf_price);
    watch_ = &watch;
    is_over_ = false;
    upper_ = upper;
    lower_ = 0;
    n_solved_ = n_remembered_ = 0;
    kept_ = nullptr;
    SolutionPtr first = start(root, depth, leaves);
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

 private:
  static constexpr std::size_t bytes_of_entry = 224;

  struct Key {
    Hash hash;
    std::int32_t depth, leaves;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return static_cast<std::size_t>(
          key.hash[0] + 0x9E3779B97F4A7C15 * static_cast<std::uint64_t>(key.depth * no_limit + key.leaves));
    }
  };
  struct Known {
    double lower = 0;
    SolutionPtr solution;
  };

  struct Chain {
    std::vector<std::uint32_t> cuts;
    std::vector<double> slack;  // of the rows left of each cut
  };
  // A sub-problem in work.
  struct Work {
    const Part& part;
    std::int32_t depth, leaves;
    double best;
    bool is_root = false;
    SolutionPtr solution = nullptr;
    double dropped = infinite;       // the least bound of what was left out
    std::vector<Chain> chains = {};  // of each unit
    std::vector<Interval> heap = {};
  };

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
    ++n_solved_;
    if (depth == 1) return one_test(part, leaves, limit);
    const Key key{part.hash, depth, leaves};
    double lower = least;
    if (const auto known = known_.find(key); known != known_.end()) {
      ++n_remembered_;
      if (known->second.solution) {
        const double value = known->second.solution->value;
        return {value, is_better(value, limit) ? known->second.solution : nullptr};
      }
      lower = std::max(lower, known->second.lower);
      if (!is_better(lower, limit)) return {lower, nullptr};
    }
    Found found = search(part, depth, leaves, limit, leaf, is_root);
    found.lower = std::max(found.lower, lower);
    remember(key, found);
    return found;
  }
  Found one_leaf(double leaf, double limit) const {
    if (!is_better(leaf, limit)) return {leaf, nullptr};
    auto solution = std::make_shared<Solution>();
    solution->value = leaf;
    return {leaf, solution};
  }
  Found one_test(const Part& part, std::int32_t leaves, double limit) {
    const Single single = stumps_.best(part, leaves, tolerance_);
    if (!is_better(single.value, limit)) return {single.value, nullptr};
    auto solution = std::make_shared<Solution>();
    solution->value = single.value;
    solution->place = single.place;
    return {single.value, solution};
  }
  void remember(const Key& key, const Found& found) {
    if (most_remembered_ == 0 || (is_over_ && found.solution)) return;
    if (known_.size() >= most_remembered_) known_.clear();
    Known& known = known_[key];
    known.lower = std::max(known.lower, found.lower);
    if (found.solution) known.solution = found.solution;
  }

  // ---- branch and bound ----------------------------------------------------------------------------------

  Found search(const Part& part, std::int32_t depth, std::int32_t leaves, double limit, double leaf,
               bool is_root) {
    Work work{part, depth, leaves, limit, is_root};
    if (is_better(leaf, work.best)) take(work, one_leaf(leaf, work.best).solution);
    open(work);
    const bool is_fast = depth == 2 && !frame_.has_many_branches();
    std::vector<Interval> batch;
    while (!work.heap.empty() && !is_over_) {
      pop_batch(work, is_fast ? n_lanes : 1, batch);
      if (batch.empty()) continue;
      if (is_fast)
        solve_fast(work, batch);
      else
        solve_wide(work, batch[0]);
      breathe(work);
    }
    for (std::size_t u = 0; u < frame_.units().size() && !is_over_; ++u)
      if (frame_.units()[u].kind == Unit::Kind::each) solve_each(work, u);
    if (is_over_) {  // at the root the best tree so far is kept
      if (is_root) kept_ = work.solution;
      return {0, nullptr};
    }
    return {work.solution ? work.solution->value : std::max(limit, std::min(work.dropped, leaf)),
            work.solution};
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
      open_unit(work, u, rank[u]);
    }
    std::make_heap(work.heap.begin(), work.heap.end(), Later());
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
      all.gap = found.lower;
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

  // The last two levels: up to sixteen first tests at once.
  void solve_fast(Work& work, const std::vector<Interval>& batch) {
    Place places[n_lanes];
    Sides sides[n_lanes];
    for (std::size_t i = 0; i < batch.size(); ++i) places[i] = place_of(work, batch[i]);
    stumps_.sides(work.part, {places, batch.size()}, sides);
    n_solved_ += batch.size();
    double value[n_lanes][2];
    for (std::size_t i = 0; i < batch.size(); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        value[i][side] = sides[i].leaf[side] + price();
        if (batch[i].leaves[side] >= 2)
          value[i][side] = std::min(value[i][side], sides[i].stump[side] + 2 * price());
      }
      const double total = value[i][0] + value[i][1];
      if (!is_better(total, work.best)) continue;
      auto solution = std::make_shared<Solution>();
      solution->value = total;
      solution->place = places[i];
      solution->leaves = {batch[i].leaves[0], batch[i].leaves[1]};
      take(work, std::move(solution));
    }
    for (std::size_t i = 0; i < batch.size(); ++i) split(work, batch[i], value[i][0], value[i][1]);
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
  void solve_wide(Work& work, const Interval& interval) {
    const Place place = place_of(work, interval);
    auto& parts = divide(work.part, static_cast<std::size_t>(place.unit), place.cut, work.depth);
    const bool has_gaps = interval.leaves[2] > 0;
    const std::size_t first = parts[0].n <= parts[1].n ? 0 : 1, second = 1 - first;
    double value[2] = {interval.left, interval.right};
    SolutionPtr branch[3];
    const double reach = interval.first < interval.last ? beyond : 0;  // alone it has no neighbours to spare
    for (std::size_t side : {first, second}) {
      const double limit = work.best * (1 + reach) - value[1 - side] - interval.gap;
      const Found found = solve(parts[side], work.depth - 1, interval.leaves[side], limit);
      if (is_over_) return restore(work, interval);
      value[side] = std::max(value[side], found.lower);
      branch[side] = found.solution;
      if (!found.solution) break;
    }
    if (has_gaps && branch[second])
      branch[2] = solve(parts[2], work.depth - 1, interval.leaves[2], infinite).solution;
    const double total = value[0] + value[1] + interval.gap;
    if (branch[second] && is_better(total, work.best)) {
      auto solution = std::make_shared<Solution>();
      solution->value = total;
      solution->place = place;
      for (std::size_t b = 0; b < (has_gaps ? 3u : 2u); ++b) {
        solution->leaves.push_back(interval.leaves[b]);
        solution->branches.push_back(branch[b]);
      }
      take(work, std::move(solution));
    }
    split(work, interval, value[0], value[1]);
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
  // So many leaves for all branches: the best way to share them out, branch by branch.
  bool share_branches(Work& work, std::size_t n, Solution& solution) {
    const auto all = static_cast<std::size_t>(work.leaves);
    std::vector<std::vector<double>> cost(n + 1, std::vector<double>(all + 1, infinite));
    std::vector<std::vector<SolutionPtr>> of(n, std::vector<SolutionPtr>(all + 1));
    std::vector<std::vector<std::size_t>> taken(n, std::vector<std::size_t>(all + 1, 0));
    std::fill(cost[0].begin(), cost[0].end(), 0.0);
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t own = 1; own + n - 1 <= all; ++own) {
        const Part& part = levels_[static_cast<std::size_t>(work.depth)][b];
        of[b][own] = solve(part, work.depth - 1, static_cast<std::int32_t>(own), infinite).solution;
        if (is_over_) return false;
        for (std::size_t sum = own + b; sum <= all; ++sum) {
          const double value = cost[b][sum - own] + of[b][own]->value;
          if (!is_better(value, cost[b + 1][sum])) continue;
          cost[b + 1][sum] = value;
          taken[b][sum] = own;
        }
      }
    solution.value = cost[n][all];
    solution.leaves.resize(n);
    solution.branches.resize(n);
    for (std::size_t b = n, left = all; b-- > 0; left -= taken[b][left]) {
      solution.leaves[b] = static_cast<std::int32_t>(taken[b][left]);
      solution.branches[b] = of[b][taken[b][left]];
    }
    return true;
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
