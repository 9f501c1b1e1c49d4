// More than one tree: all that cost no more than a limit, and the best whose first test asks one column.
//
// The graph of choices is made a level at a time. At a spot every test is found whose best tree keeps within
// the limit; each branch becomes a spot of the next level, whose limit is what the best of the other branches
// leave of it. Then picks.hpp puts trees together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "picks.hpp"
#include "search.hpp"

namespace treewright::optimal {

template <class Tally>
class Several : public Search<Tally> {
  using Base = Search<Tally>;

 public:
  explicit Several(Problem problem) : Base(std::move(problem)) {}

  Listing several(std::span<const std::uint32_t> rows, std::int32_t depth, std::int32_t leaves, double limit,
                  std::size_t most, std::size_t bytes, const Watch& watch) override {
    const Part root = this->frame_.part_of(rows);
    this->begin(root, depth, limit, watch);
    bytes_ = bytes;
    n_bytes_ = 0;
    spots_.clear();
    place_of_key_.clear();
    spot_of(root, depth, leaves > 0 ? leaves : no_limit, limit);
    Listing found;
    // spots are added while others are opened: those of one level before those of the next
    for (std::size_t s = 0; s < spots_.size() && found.ended == End::complete; ++s) {
      open_spot(s);
      if (this->is_over_) found.ended = End::watch;
      if (n_bytes_ > bytes_) found.ended = End::memory;
    }
    if (found.ended == End::complete) pick(root, most, found);
    this->watch_ = nullptr;
    return found;
  }

  Answer best_by(std::int32_t column, std::span<const std::uint32_t> rows, std::int32_t depth,
                 std::int32_t leaves, double upper, const Watch& watch) override {
    const Part root = this->frame_.part_of(rows);
    this->begin(root, depth, upper, watch);
    Work work{root, depth, clamped(leaves > 0 ? leaves : no_limit, depth), upper};
    if (depth == 1)
      best_single(work, column);
    else
      search_by(work, column);
    Answer answer;
    answer.is_proven = !this->is_over_;
    answer.has_tree = work.solution != nullptr;
    answer.upper = answer.lower = answer.has_tree ? work.solution->value : upper;
    if (this->is_over_) answer.lower = 0;
    answer.n_solved = this->n_solved_;
    answer.n_remembered = this->n_remembered_;
    if (answer.has_tree) this->write(root, *work.solution, depth, answer);
    this->watch_ = nullptr;
    return answer;
  }

  double leaf(std::span<const std::uint32_t> rows) override {
    Part part;
    part.row.assign(rows.begin(), rows.end());
    return this->stumps_.leaf(part);
  }
  void set_leaf_price(double price) override {
    if (price == this->problem_.leaf_price) return;
    this->problem_.leaf_price = price;
    this->known_.clear();
  }

 private:
  // Of a test that keeps within the limit: what the other branches cost, at least, for each branch.
  struct Room {
    std::vector<double> others;
  };
  using Rooms = std::map<std::pair<std::int32_t, std::uint32_t>, Room>;  // by unit and cut

  std::int32_t clamped(std::int32_t leaves, std::int32_t depth) const {
    return !this->frame_.has_many_branches() && depth < 20 ? std::min(leaves, 1 << depth) : leaves;
  }

  // ---- the graph -----------------------------------------------------------------------------------------

  std::int32_t spot_of(const Part& part, std::int32_t depth, std::int32_t leaves, double limit) {
    leaves = std::max(1, clamped(leaves, depth));
    const auto [at, is_new] =
        place_of_key_.emplace(Key{part.hash, depth, leaves}, static_cast<std::int32_t>(spots_.size()));
    if (is_new) {
      Spot spot;
      spot.hash = part.hash;
      spot.depth = depth;
      spot.leaves = leaves;
      spot.leaf = this->stumps_.leaf(part) + this->price();
      spot.limit = limit;
      if (depth > 0) spot.rows = part.row;
      n_bytes_ += 256 + 4 * spot.rows.size();
      spots_.push_back(std::move(spot));
    }
    Spot& spot = spots_[static_cast<std::size_t>(at->second)];
    spot.limit = std::max(spot.limit, limit);
    return at->second;
  }

  // What a test of the spot may cost: below its leaf, for it must pay.
  double most_of(const Spot& spot) const { return std::min(spot.limit + 2 * this->tolerance_, spot.leaf); }

  void open_spot(std::size_t s) {
    const std::int32_t depth = spots_[s].depth, leaves = spots_[s].leaves;
    const double most = most_of(spots_[s]);
    if (depth == 0 || leaves < 2 || !this->is_better(2 * this->price(), most)) return;
    if (spots_[s].leaf - this->price() <= this->tolerance_) return;
    const Part part = this->frame_.part_of(spots_[s].rows);
    Work work{part, depth, leaves, most};
    Rooms rooms;
    if (depth == 1)
      find_single(work, rooms);
    else
      find(work, rooms);
    if (!this->is_over_) add_choices(s, part, rooms);
    if (!(*this->watch_)(this->upper_, 0, this->n_solved_)) this->is_over_ = true;
    spots_[s].rows = {};
  }

  // Tests that divide the rows of the spot alike, by the same column, are one.
  void add_choices(std::size_t s, const Part& part, const Rooms& rooms) {
    const std::int32_t depth = spots_[s].depth, leaves = spots_[s].leaves;
    const double limit = spots_[s].limit;
    std::set<std::pair<std::int32_t, std::vector<Hash>>> seen;
    for (const auto& [place, room] : rooms) {
      const auto u = static_cast<std::size_t>(place.first);
      const Unit& unit = this->frame_.units()[u];
      std::vector<Part>& parts = this->divide(part, u, place.second, depth);
      const std::size_t n = room.others.size();
      std::vector<Hash> hashes;
      for (std::size_t b = 0; b < n; ++b) hashes.push_back(parts[b].hash);
      std::sort(hashes.begin(), hashes.end());
      if (!seen.emplace(unit.column, std::move(hashes)).second) continue;
      Choice choice;
      choice.test = this->frame_.test_of(part, unit, place.second);
      const std::int32_t below = leaves == no_limit ? no_limit : leaves - static_cast<std::int32_t>(n) + 1;
      for (std::size_t b = 0; b < n; ++b)
        choice.below.push_back(spot_of(parts[b], depth - 1, below, limit - room.others[b]));
      n_bytes_ += 64 + 4 * n;
      spots_[s].choices.push_back(std::move(choice));
      if (n_bytes_ > bytes_) return;
    }
  }

  // ---- the tests of a spot -------------------------------------------------------------------------------

  static void note(Rooms& rooms, Place place, std::span<const double> value) {
    double total = 0;
    for (double one : value) total += one;
    auto [at, is_new] = rooms.try_emplace({place.unit, place.cut});
    std::vector<double>& others = at->second.others;
    if (is_new) others.assign(value.size(), infinite);
    for (std::size_t b = 0; b < value.size(); ++b) others[b] = std::min(others[b], total - value[b]);
  }

  // The last level: every test with leaves below it.
  void find_single(Work& work, Rooms& rooms) {
    for (std::size_t u = 0; u < this->frame_.units().size(); ++u)
      this->stumps_.for_each_value(work.part, u, [&](double cost, std::uint32_t cut) {
        const Unit& unit = this->frame_.units()[u];
        const std::int32_t n = this->frame_.n_branches(work.part, unit, cut);
        if (n > work.leaves || !this->is_better(cost + n * this->price(), work.best)) return;
        if (!this->stumps_.allows(work.part, unit, cut)) return;
        // leaves have one tree each: any limit will do that lets them be
        rooms[{static_cast<std::int32_t>(u), cut}].others.assign(static_cast<std::size_t>(n), 0.0);
      });
  }

  void find(Work& work, Rooms& rooms) {
    this->open(work);
    this->each_batch(
        work, [&](const auto& batch) { find_fast(work, batch, rooms); },
        [&](const auto& interval) { find_wide(work, interval, rooms); });
    for (std::size_t u = 0; u < this->frame_.units().size() && !this->is_over_; ++u)
      if (this->frame_.units()[u].kind == Unit::Kind::each) find_each(work, u, rooms);
  }

  void find_fast(Work& work, const std::vector<Interval>& batch, Rooms& rooms) {
    const Judged judged = this->judge_fast(work, batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      double value[2] = {judged.value[i][0], judged.value[i][1]};
      if (this->admits(work, batch[i], judged.place[i], value)) note(rooms, judged.place[i], {value, 2});
      this->split(work, batch[i], judged.value[i][0], judged.value[i][1]);
    }
  }

  void find_wide(Work& work, const Interval& interval, Rooms& rooms) {
    Branches found;
    if (!this->judge_wide(work, interval, found)) return;
    if (found.solution[0] && found.solution[1] && this->is_better(found.total(), work.best)) {
      std::vector<double> value;
      for (const SolutionPtr& side : found.solution)
        if (side) value.push_back(side->value);
      note(rooms, this->place_of(work, interval), value);
    }
    this->split(work, interval, found.value[0], found.value[1]);
  }

  // Branches share the leaves out in some way: each alone may have all but one for each of the others.
  void find_each(Work& work, std::size_t u, Rooms& rooms) {
    const Unit& unit = this->frame_.units()[u];
    if (!this->stumps_.divides(work.part, unit) || !this->stumps_.allows(work.part, unit, 0)) return;
    const auto n = static_cast<std::size_t>(this->frame_.n_branches(work.part, unit, 0));
    if (work.leaves < static_cast<std::int32_t>(n)) return;
    this->divide(work.part, u, 0, work.depth);
    const std::int32_t own =
        work.leaves == no_limit ? no_limit : work.leaves - static_cast<std::int32_t>(n) + 1;
    std::vector<double> value;
    double sum = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const double rest = static_cast<double>(n - b - 1) * this->price();
      const Part& part = this->levels_[static_cast<std::size_t>(work.depth)][b];
      const Found found = this->solve(part, work.depth - 1, own, work.best - sum - rest);
      if (this->is_over_ || !found.solution) return;
      sum += found.lower;
      value.push_back(found.lower);
    }
    if (this->is_better(sum, work.best)) note(rooms, {static_cast<std::int32_t>(u), 0}, value);
  }

  // ---- the trees -----------------------------------------------------------------------------------------

  void pick(const Part& root, std::size_t most, Listing& found) {
    const double whole = this->stumps_.leaf(root) + this->price();
    const double unit = whole > 0 ? std::exp2(std::floor(std::log2(1e-11 * whole))) : 1.0;
    Picks picks(spots_, unit);
    for (std::size_t rank = 0; picks.write(rank, found); ++rank) {
      if (rank >= most) {  // one more than was asked for: it is taken back
        found.cost.pop_back();
        found.start.pop_back();
        found.test.resize(static_cast<std::size_t>(found.start.back()));
        found.end.resize(found.test.size());
        found.ended = End::count;
        return;
      }
      if (n_bytes_ + picks.n_candidates() * Picks::bytes_of_candidate > bytes_) found.ended = End::memory;
      if (!(*this->watch_)(this->upper_, 0, this->n_solved_)) found.ended = End::watch;
      if (found.ended != End::complete) return;
    }
  }

  // ---- the best that asks one column first ---------------------------------------------------------------

  void best_single(Work& work, std::int32_t column) {
    for (std::size_t u = 0; u < this->frame_.units().size(); ++u) {
      const Unit& unit = this->frame_.units()[u];
      if (unit.column != column) continue;
      this->stumps_.for_each_value(work.part, u, [&](double cost, std::uint32_t cut) {
        const std::int32_t n = this->frame_.n_branches(work.part, unit, cut);
        const double value = cost + n * this->price();
        if (n > work.leaves || !this->is_better(value, work.best)) return;
        if (!this->stumps_.allows(work.part, unit, cut)) return;
        auto solution = std::make_shared<Solution>();
        solution->value = value;
        solution->place = {static_cast<std::int32_t>(u), cut};
        this->take(work, std::move(solution));
      });
    }
  }

  void search_by(Work& work, std::int32_t column) {
    this->open(work);
    std::erase_if(work.heap, [&](const Interval& one) {
      return this->frame_.units()[static_cast<std::size_t>(one.unit)].column != column;
    });
    std::make_heap(work.heap.begin(), work.heap.end(), Later());
    this->solve_cuts(work);
    for (std::size_t u = 0; u < this->frame_.units().size() && !this->is_over_; ++u) {
      const Unit& unit = this->frame_.units()[u];
      if (unit.kind == Unit::Kind::each && unit.column == column) this->solve_each(work, u);
    }
  }

  std::vector<Spot> spots_;
  std::unordered_map<Key, std::int32_t, KeyHash> place_of_key_;
  std::size_t bytes_ = 0, n_bytes_ = 0;
};

}  // namespace treewright::optimal
