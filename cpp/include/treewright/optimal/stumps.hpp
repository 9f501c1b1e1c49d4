// The last levels: the best single test of a part, and of both sides of up to sixteen tests of it at once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frame.hpp"
#include "gap_rule.hpp"
#include "kernels.hpp"
#include "problem.hpp"
#include "summed.hpp"

namespace treewright::optimal {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A test of a part: a unit and, of cuts, how many rows with a value are left of it.
struct Place {
  std::int32_t unit = -1;
  std::uint32_t cut = 0;
};
struct Single {
  double value = infinite;  // with the price of its leaves
  Place place;
  double free = infinite;  // of the best test whose branches may have any size
};
// What a first test leaves on either side: as one leaf, and with the best second test; without prices.
struct Sides {
  double leaf[2], stump[2];
};

template <class Tally>
class Stumps {
 public:
  Stumps(const Problem& problem, const Frame& frame)
      : problem_(problem),
        frame_(frame),
        rule_(problem, frame),
        summed_(problem, frame),
        tally_(8, Tally(problem)),
        is_counted_(are_counted(problem)) {
    has_steps_ =
        problem.loss == Loss::error && problem.n_classes == 2 && problem.cost.empty() && are_whole(problem);
  }

  double leaf(const Part& part) {
    tally_[0].clear();
    for (std::uint32_t row : part.row) tally_[0].add(row);
    return tally_[0].value();
  }

  // The best test with at most so many branches; none where one leaf is as good.
  Single best(const Part& part, std::int32_t most_branches, double tolerance) {
    Single found{leaf(part) + problem_.leaf_price, {}};
    found.free = found.value;
    for (std::size_t u = 0; u < frame_.units().size(); ++u)
      for_each_value(part, u, [&](double cost, std::uint32_t cut) {
        const Unit& unit = frame_.units()[u];
        const std::int32_t n = frame_.n_branches(part, unit, cut);
        const double value = cost + n * problem_.leaf_price;
        if (n > most_branches) return;
        found.free = std::min(found.free, value);
        if (value >= found.value - tolerance || !allows(part, unit, cut)) return;
        found.value = value;
        found.place = {static_cast<std::int32_t>(u), cut};
      });
    return found;
  }

  // Are the node and all branches of a test as large as they must be, and do the gaps keep to the rule? Where
  // a rule places them by the rows with a value, it is these that are counted.
  bool allows(const Part& part, const Unit& unit, std::uint32_t cut) {
    if (!problem_.has_limits()) return true;
    if (part.n < problem_.min_split) return false;
    if (problem_.has_rule() && !rule_.allows(part, unit, cut)) return false;
    const bool counts_gaps = problem_.gaps != Gaps::heavier;
    auto is_allowed = [&](std::uint32_t n) { return n == 0 || n >= problem_.min_leaf; };
    if (unit.kind == Unit::Kind::cuts) {
      const std::uint32_t n_known = part.n_known[static_cast<std::size_t>(unit.at)];
      const std::uint32_t n_gaps = counts_gaps ? part.n - n_known : 0;
      if (cut == n_known) return is_allowed(n_known) && is_allowed(n_gaps);
      if (unit.has_own_gap) return is_allowed(cut) && is_allowed(n_known - cut) && is_allowed(n_gaps);
      const std::uint32_t n_left = cut + (unit.gap == 0 ? n_gaps : 0);
      return is_allowed(n_left) && is_allowed(n_known + n_gaps - n_left);
    }
    frame_.branches(part, unit, cut, sized_);
    sizes_.assign(static_cast<std::size_t>(frame_.n_branches(part, unit, cut)), 0);
    for (std::uint32_t r = 0; r < part.n; ++r)
      sizes_[sized_[r]] += counts_gaps || frame_.code(unit.column, part.row[r]) >= 0;
    return std::all_of(sizes_.begin(), sizes_.end(), is_allowed);
  }

  // What the leaves of every test of a unit cost.
  template <class Visit>
  void for_each_value(const Part& part, std::size_t u, Visit&& visit) {
    const Unit& unit = frame_.units()[u];
    if (unit.kind == Unit::Kind::cuts) return for_each_cut(part, unit, visit);
    if (!divides(part, unit)) return;
    frame_.branches(part, unit, 0, branch_);
    visit(cost_of_branches(part, frame_.n_branches(part, unit, 0)), 0u);
  }
  // The least cost of the leaves of a test of one unit.
  double best_of(const Part& part, std::size_t u) {
    double least = infinite;
    for_each_value(part, u, [&](double cost, std::uint32_t) { least = std::min(least, cost); });
    return least;
  }

  // All sides of at most sixteen tests of two branches, in a frame whose tests all have two.
  void sides(const Part& part, std::span<const Place> places, Sides* found) {
    mark(part, places);
    if (has_steps_) {
      if (is_counted_ && part.n <= 32767) return sides_by_steps<std::int16_t>(part, places.size(), found);
      return sides_by_steps<std::int32_t>(part, places.size(), found);
    }
    if (is_counted_ && problem_.loss == Loss::error && problem_.cost.empty() &&
        (part.n <= 32767 || has_planes_only()))
      return sides_by_majority(part, places.size(), found);
    if (summed_.is_served()) return sides_by_sums(part, places.size(), found);
    for (std::size_t lane = 0; lane < places.size(); ++lane) sides_by_tally(part, lane, found[lane]);
  }

  // The rows left of each cut of a chain where the place changes: all cuts of the unit in this part.
  void cuts(const Part& part, const Unit& unit, std::vector<std::uint32_t>& found) const {
    found.clear();
    const auto chain = static_cast<std::size_t>(unit.at);
    const std::uint32_t* place = part.places(chain);
    const std::uint32_t n_known = part.n_known[chain];
    if (unit.gap == 0 && n_known == part.n) return;  // the same as with the gaps on the right
    for (std::uint32_t p = 1; p < n_known; ++p)
      if (place[p - 1] != place[p]) found.push_back(p);
    if (unit.gap != 0 && n_known > 0 && n_known < part.n) found.push_back(n_known);
  }
  bool divides(const Part& part, const Unit& unit) const {
    if (unit.kind == Unit::Kind::each) return divides_codes(part, unit);
    if (unit.gap == 0 && !frame_.is_open(part, unit)) return false;
    const std::uint64_t* bits = part.bits(static_cast<std::size_t>(unit.at));
    std::uint32_t n = 0, n_gaps = 0;
    for (std::uint32_t w = 0; w < part.n_words; ++w) n += static_cast<std::uint32_t>(std::popcount(bits[w]));
    if (unit.has_own_gap)
      for (std::uint32_t row : part.row) n_gaps += frame_.code(unit.column, row) < 0;
    return n > 0 && n + n_gaps < part.n;
  }

 private:
  static bool are_counted(const Problem& problem) {
    return problem.has_classes() &&
           std::all_of(problem.weight.begin(), problem.weight.end(), [](double w) { return w == 1; });
  }
  static bool are_whole(const Problem& problem) {
    double total = 0;
    for (double w : problem.weight) {
      if (w != static_cast<double>(static_cast<std::int64_t>(w))) return false;
      total += w;
    }
    return total < 1 << 30;
  }
  bool divides_codes(const Part& part, const Unit& unit) const {
    const bool joins = unit.gap >= 0 && !unit.has_own_gap;
    if (joins && unit.gap > 0 && !frame_.is_open(part, unit)) return false;
    for (std::uint32_t row : part.row)
      if (frame_.code(unit.column, row) != frame_.code(unit.column, part.row[0])) return true;
    return false;
  }

  // ---- one part ----------------------------------------------------------------------------------------

  double cost_of_branches(const Part& part, std::int32_t n_branches) {
    by_branch_.resize(std::max<std::size_t>(by_branch_.size(), static_cast<std::size_t>(n_branches)),
                      tally_[0]);
    for (std::int32_t b = 0; b < n_branches; ++b) by_branch_[static_cast<std::size_t>(b)].clear();
    for (std::uint32_t r = 0; r < part.n; ++r) by_branch_[branch_[r]].add(part.row[r]);
    double cost = 0;
    for (std::int32_t b = 0; b < n_branches; ++b) cost += by_branch_[static_cast<std::size_t>(b)].value();
    return cost;
  }
  template <class Visit>
  void for_each_cut(const Part& part, const Unit& unit, Visit& visit) {
    const auto chain = static_cast<std::size_t>(unit.at);
    const std::uint32_t *order = part.orders(chain), *place = part.places(chain);
    const std::uint32_t n_known = part.n_known[chain], n = part.n;
    if (n_known == 0 || (unit.gap == 0 && n_known == n)) return;
    Tally &left = tally_[0], &right = tally_[1], &gaps = tally_[2];
    for (std::size_t i = 0; i < 3; ++i) tally_[i].clear();
    for (std::uint32_t p = n_known; p < n; ++p) {
      gaps.add(part.row[order[p]]);
      if (unit.gap == 0) left.add(part.row[order[p]]);
      if (unit.gap == 1) right.add(part.row[order[p]]);
    }
    const double own = unit.has_own_gap ? gaps.value() : 0;
    kept_.resize(n + std::size_t{1});
    for (std::uint32_t p = 0; p < n_known; ++p) {
      left.add(part.row[order[p]]);
      if (place[p] != place[p + 1]) kept_[p + 1] = left.value();
    }
    if (n_known < n && unit.gap != 0) visit(kept_[n_known] + gaps.value(), n_known);
    for (std::uint32_t p = n_known; p-- > 1;) {
      right.add(part.row[order[p]]);
      if (place[p - 1] != place[p]) visit(kept_[p] + right.value() + own, p);
    }
  }

  // ---- both sides of tests -----------------------------------------------------------------------------

  // Bit j of a row: does test j send it left?
  void mark(const Part& part, std::span<const Place> places) {
    if (has_planes_only()) return copy_planes(part, places);
    bits_.assign(part.n, 0);
    for (std::size_t lane = 0; lane < places.size(); ++lane) {
      const Unit& unit = frame_.units()[static_cast<std::size_t>(places[lane].unit)];
      const auto at = static_cast<std::size_t>(unit.at);
      const auto bit = static_cast<std::uint16_t>(1u << lane);
      if (unit.kind == Unit::Kind::cuts) {
        const std::uint32_t from = unit.gap == 0 ? part.n_known[at] : Part::end_place;
        mark_below(ranks(part, at), part.n, places[lane].cut, from, bit, bits_.data());
      } else {
        for (std::uint32_t r = 0; r < part.n; ++r)
          bits_[r] = static_cast<std::uint16_t>(bits_[r] | (part.has_bit(at, r) ? bit : 0));
      }
    }
    if (part.n_words > 0 && is_counted_) make_planes(part, places.size());
  }
  // Where all tests are bits and all rows weigh one, planes tell everything.
  bool has_planes_only() const {
    return is_counted_ && frame_.n_chains() == 0 && problem_.loss == Loss::error && problem_.cost.empty();
  }
  void copy_planes(const Part& part, std::span<const Place> places) {
    planes_.resize(places.size() * part.n_words);
    for (std::size_t lane = 0; lane < places.size(); ++lane) {
      const Unit& unit = frame_.units()[static_cast<std::size_t>(places[lane].unit)];
      std::copy_n(part.bits(static_cast<std::size_t>(unit.at)), part.n_words,
                  planes_.data() + lane * part.n_words);
    }
  }
  // Where each row stands along a chain; kept as long as the same part is asked about.
  const std::uint32_t* ranks(const Part& part, std::size_t chain) {
    if (part.hash != ranked_ || ranks_.size() != frame_.n_chains() * part.n) {
      ranked_ = part.hash;
      ranks_.resize(frame_.n_chains() * part.n);
      has_ranks_.assign(frame_.n_chains(), 0);
    }
    std::uint32_t* rank = ranks_.data() + chain * part.n;
    if (!has_ranks_[chain]) {
      const std::uint32_t* order = part.orders(chain);
      for (std::uint32_t p = 0; p < part.n; ++p) rank[order[p]] = p;
      has_ranks_[chain] = 1;
    }
    return rank;
  }
  // The same bits as planes.
  void make_planes(const Part& part, std::size_t n) {
    planes_.assign(n * part.n_words, 0);
    std::array<std::uint64_t, 64> block;
    for (std::uint32_t first = 0; first < part.n;) {
      const std::uint32_t word = part.slot[first] / 64;
      block.fill(0);
      std::uint32_t last = first;
      for (; last < part.n && part.slot[last] / 64 == word; ++last) block[last - first] = bits_[last];
      Frame::transpose(block);
      for (std::size_t lane = 0; lane < n; ++lane) planes_[lane * part.n_words + word] = block[lane];
      first = last;
    }
  }

  // The rows of a chain: those without a value apart.
  struct Runs {
    Run known, gaps;
  };
  static Runs runs(const Part& part, std::size_t chain) {
    const std::uint32_t *order = part.orders(chain), *place = part.places(chain);
    const std::size_t n_known = part.n_known[chain];
    return {{order, place, n_known}, {order + n_known, place + n_known, part.n - n_known}};
  }
  static constexpr Run no_rows = {nullptr, nullptr, 0};

  template <class Lane>
  void sides_by_steps(const Part& part, std::size_t n, Sides* found) {
    Extremes<Lane> reached = {};
    Weights<Lane> weights;
    double total[2] = {0, 0};
    if (has_planes_only())
      count_sides_of_planes(part, n, weights, total);
    else
      sweep_chains(part, weights, total, reached);
    if (is_counted_)
      count_steps(part, n, reached);
    else
      add_steps(part, steps<Lane>().data(), reached);
    for (std::size_t lane = 0; lane < n; ++lane) {
      const double least[2] = {double(reached.left_least[lane]), double(reached.right_least[lane])};
      const double most[2] = {double(reached.left_most[lane]), double(reached.right_most[lane])};
      for (std::size_t side = 0; side < 2; ++side) {
        const double left[2] = {double(weights.left[0][lane]), double(weights.left[1][lane])};
        const double first = side == 0 ? left[0] : total[0] - left[0];
        const double second = side == 0 ? left[1] : total[1] - left[1];
        found[lane].leaf[side] = std::min(first, second);
        // the second class left of the cut and the first right of it, or the other way round
        found[lane].stump[side] = std::min({first, second, second - most[side], first + least[side]});
      }
    }
  }
  template <class Lane>
  void count_sides_of_planes(const Part& part, std::size_t n, Weights<Lane>& weights, double* total) {
    std::int32_t left[2];
    count_bits(part);
    for (std::size_t c = 0; c < 2; ++c) total[c] = total_[c];
    for (std::size_t lane = 0; lane < n; ++lane) {
      const std::uint64_t* own = planes_.data() + lane * part.n_words;
      count_common(own, own, part.start.data(), 2, left);
      for (std::size_t c = 0; c < 2; ++c) weights.left[c][lane] = static_cast<Lane>(left[c]);
    }
  }
  // Along every chain: what the sides weigh, and the extremes of their partial sums.
  template <class Lane>
  void sweep_chains(const Part& part, Weights<Lane>& weights, double* total, Extremes<Lane>& reached) {
    auto& rows = steps<Lane>();
    rows.resize(part.n);
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::uint32_t row = part.row[r];
      const bool is_second = problem_.label[row] == 1;
      const double weight = problem_.weight[row];
      rows[r] = {static_cast<Lane>(is_second ? weight : -weight), bits_[r]};
      total[is_second] += weight;
    }
    weigh(rows.data(), part.n, weights);
    for (std::size_t chain = 0; chain < frame_.n_chains(); ++chain) {
      const auto [known, gaps] = runs(part, chain);
      sweep(rows.data(), no_rows, known, reached);
      if (gaps.n > 0) sweep(rows.data(), gaps, known, reached);
    }
  }
  // The sums of steps of the rows that have a bit, from counts.
  template <class Lane>
  void count_steps(const Part& part, std::size_t n, Extremes<Lane>& reached) {
    std::int32_t left[2];
    count_bits(part);
    for (std::size_t b = 0; b < frame_.n_bits(); ++b) {
      const std::uint64_t* own = part.bits(b);
      const std::int32_t* all = all_.data() + 2 * b;
      for (std::size_t lane = 0; lane < n; ++lane) {
        count_common(own, planes_.data() + lane * part.n_words, part.start.data(), 2, left);
        const std::int32_t on_left = left[1] - left[0], on_right = all[1] - all[0] - on_left;
        reached.left_least[lane] = std::min(reached.left_least[lane], static_cast<Lane>(on_left));
        reached.left_most[lane] = std::max(reached.left_most[lane], static_cast<Lane>(on_left));
        reached.right_least[lane] = std::min(reached.right_least[lane], static_cast<Lane>(on_right));
        reached.right_most[lane] = std::max(reached.right_most[lane], static_cast<Lane>(on_right));
      }
    }
  }
  template <class Lane>
  void add_steps(const Part& part, const Stepping<Lane>* rows, Extremes<Lane>& reached) {
    for (std::size_t b = 0; b < frame_.n_bits(); ++b) {
      list_.clear();
      for (std::uint32_t r = 0; r < part.n; ++r)
        if (part.has_bit(b, r)) list_.push_back(r);
      if (!list_.empty()) sweep(rows, Run{list_.data(), nullptr, list_.size()}, no_rows, reached);
    }
  }

  void sides_by_majority(const Part& part, std::size_t n, Sides* found) {
    const auto k = static_cast<std::size_t>(problem_.n_classes);
    counted_.resize(frame_.n_chains() > 0 ? part.n : 0);
    for (std::uint32_t r = 0; r < counted_.size(); ++r)
      counted_[r] = {static_cast<std::uint16_t>(problem_.label[part.row[r]]), bits_[r]};
    room_.resize((k + part.n) * 2 * n_lanes);
    Right right = {};
    for (std::size_t chain = 0; chain < frame_.n_chains(); ++chain) {
      const auto [known, gaps] = runs(part, chain);
      sweep(counted_.data(), k, no_rows, known, gaps, room_.data(), right);
      if (gaps.n > 0) sweep(counted_.data(), k, gaps, known, no_rows, room_.data(), right);
    }
    for (std::size_t lane = 0; lane < n; ++lane) {
      count_sides(part, lane);
      double best[2] = {0, 0};
      for_each_counted_bit(part, lane, [&](std::size_t) {
        for (std::size_t side = 0; side < 2; ++side)
          best[side] = std::max(best[side], most_of(quarter_[side][0]) + most_of(quarter_[side][1]));
      });
      const double by_cuts[2] = {double(right.left[lane]), double(right.right[lane])};
      for (std::size_t side = 0; side < 2; ++side) {
        const double all = total_of(side_[side]), one = most_of(side_[side]);
        found[lane].leaf[side] = all - one;
        found[lane].stump[side] = all - std::max({one, best[side], by_cuts[side]});
      }
    }
  }
  static double most_of(const std::vector<std::int32_t>& count) {
    return *std::max_element(count.begin(), count.end());
  }
  static double total_of(const std::vector<std::int32_t>& count) {
    double total = 0;
    for (std::int32_t x : count) total += x;
    return total;
  }
  // Rows by class on either side of a test.
  void count_sides(const Part& part, std::size_t lane) {
    const auto k = static_cast<std::size_t>(problem_.n_classes);
    for (auto& side : side_) side.assign(k, 0);
    for (auto& side : quarter_)
      for (auto& count : side) count.resize(k);
    if (has_planes_only()) {
      const std::uint64_t* own = planes_.data() + lane * part.n_words;
      count_bits(part);
      count_common(own, own, part.start.data(), k, side_[0].data());
      for (std::size_t c = 0; c < k; ++c) side_[1][c] = total_[c] - side_[0][c];
      return;
    }
    for (std::uint32_t r = 0; r < part.n; ++r)
      ++side_[!(bits_[r] >> lane & 1)][static_cast<std::size_t>(problem_.label[part.row[r]])];
  }
  // Rows by class that have each bit; kept as long as the same part is asked about.
  void count_bits(const Part& part) {
    const auto k = static_cast<std::size_t>(problem_.n_classes);
    if (part.hash == counted_of_ && all_.size() == k * frame_.n_bits()) return;
    counted_of_ = part.hash;
    total_.assign(k, 0);
    for (std::uint32_t row : part.row) ++total_[static_cast<std::size_t>(problem_.label[row])];
    all_.resize(k * frame_.n_bits());
    for (std::size_t b = 0; b < frame_.n_bits(); ++b)
      count_common(part.bits(b), part.bits(b), part.start.data(), k, all_.data() + k * b);
  }
  // For every bit: rows by class in the four quarters of a test and the bit.
  template <class Visit>
  void for_each_counted_bit(const Part& part, std::size_t lane, Visit&& visit) {
    const auto k = static_cast<std::size_t>(problem_.n_classes);
    count_bits(part);
    for (std::size_t b = 0; b < frame_.n_bits(); ++b) {
      const std::uint64_t* own = part.bits(b);
      const std::int32_t* all = all_.data() + k * b;
      count_common(own, planes_.data() + lane * part.n_words, part.start.data(), k, quarter_[0][0].data());
      for (std::size_t c = 0; c < k; ++c) {
        quarter_[0][1][c] = side_[0][c] - quarter_[0][0][c];
        quarter_[1][0][c] = all[c] - quarter_[0][0][c];
        quarter_[1][1][c] = side_[1][c] - quarter_[1][0][c];
      }
      visit(b);
    }
  }

  // Any cost: row by row.
  void sides_by_tally(const Part& part, std::size_t lane, Sides& found) {
    for (std::size_t i = 0; i < 2; ++i) tally_[i].clear();
    auto side_of = [&](std::uint32_t r) { return static_cast<std::size_t>(!(bits_[r] >> lane & 1)); };
    for (std::uint32_t r = 0; r < part.n; ++r) tally_[side_of(r)].add(part.row[r]);
    for (std::size_t side = 0; side < 2; ++side) found.leaf[side] = found.stump[side] = tally_[side].value();
    for (std::size_t chain = 0; chain < frame_.n_chains(); ++chain) {
      const auto [known, gaps] = runs(part, chain);
      scan(part, side_of, no_rows, known, gaps, found);
      if (gaps.n > 0) scan(part, side_of, gaps, known, no_rows, found);
    }
    if (is_counted_) return bits_by_counts(part, lane, found);
    for (std::size_t b = 0; b < frame_.n_bits(); ++b) {
      for (std::size_t i = 0; i < 4; ++i) tally_[i].clear();
      for (std::uint32_t r = 0; r < part.n; ++r)
        tally_[2 * side_of(r) + !part.has_bit(b, r)].add(part.row[r]);
      for (std::size_t side = 0; side < 2; ++side)
        found.stump[side] =
            std::min(found.stump[side], tally_[2 * side].value() + tally_[2 * side + 1].value());
    }
  }
  // Bits of rows that weigh one each.
  void bits_by_counts(const Part& part, std::size_t lane, Sides& found) {
    count_sides(part, lane);
    for_each_counted_bit(part, lane, [&](std::size_t) {
      for (std::size_t side = 0; side < 2; ++side) {
        const double value =
            tally_[0].value_of(quarter_[side][0].data()) + tally_[0].value_of(quarter_[side][1].data());
        found.stump[side] = std::min(found.stump[side], value);
      }
    });
  }
  void sides_by_sums(const Part& part, std::size_t n, Sides* found) {
    summed_.sides(part, bits_, n, !is_counted_, found);
    for (std::size_t lane = 0; is_counted_ && lane < n; ++lane) bits_by_counts(part, lane, found[lane]);
  }
  template <class Side>
  void scan(const Part& part, const Side& side_of, Run before, Run run, Run after, Sides& found) {
    for (std::size_t i = 0; i < 4; ++i) tally_[i].clear();
    Tally *left = tally_.data(), *right = tally_.data() + 2;  // of the cut; by side of the first test
    kept_.resize(2 * (run.n + 1));
    for (std::size_t p = 0; p < before.n; ++p) left[side_of(before.order[p])].add(part.row[before.order[p]]);
    for (std::size_t side = 0; side < 2; ++side) kept_[side] = left[side].value();
    for (std::size_t p = 0; p < run.n; ++p) {
      left[side_of(run.order[p])].add(part.row[run.order[p]]);
      if (run.place[p] == run.place[p + 1]) continue;
      for (std::size_t side = 0; side < 2; ++side) kept_[2 * (p + 1) + side] = left[side].value();
    }
    for (std::size_t p = 0; p < after.n; ++p) right[side_of(after.order[p])].add(part.row[after.order[p]]);
    for (std::size_t p = run.n + 1; p-- > 0;) {
      if (p == 0 || run.place[p - 1] != run.place[p])
        for (std::size_t side = 0; side < 2; ++side)
          found.stump[side] = std::min(found.stump[side], kept_[2 * p + side] + right[side].value());
      if (p > 0) right[side_of(run.order[p - 1])].add(part.row[run.order[p - 1]]);
    }
  }

  template <class Lane>
  std::vector<Stepping<Lane>>& steps() {
    if constexpr (sizeof(Lane) == 2)
      return short_steps_;
    else
      return long_steps_;
  }

  const Problem& problem_;
  const Frame& frame_;
  GapRule rule_;
  SummedSides summed_;
  std::vector<Tally> tally_, by_branch_;
  bool is_counted_, has_steps_;
  std::vector<std::uint16_t> branch_, bits_, sized_;
  std::vector<std::uint32_t> sizes_;
  std::vector<double> kept_;
  std::vector<std::uint64_t> planes_;
  std::vector<Stepping<std::int16_t>> short_steps_;
  std::vector<Stepping<std::int32_t>> long_steps_;
  std::vector<Counted> counted_;
  std::vector<std::int16_t> room_;
  std::vector<std::uint32_t> list_, ranks_;
  std::vector<std::uint8_t> has_ranks_;
  Hash ranked_ = {0, 0}, counted_of_ = {0, 0};
  std::vector<std::int32_t> side_[2], quarter_[2][2], all_, total_;
};

}  // namespace treewright::optimal
