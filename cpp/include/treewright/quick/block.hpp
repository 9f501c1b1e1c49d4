// The best test of a small node: every column is walked along in floating point, and the few cuts that may be
// best are judged exactly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../groups.hpp"
#include "../open.hpp"
#include "../search/cells.hpp"
#include "../search/judge.hpp"
#include "input.hpp"
#include "levels.hpp"
#include "order.hpp"
#include "scan.hpp"
#include "shared.hpp"

namespace treewright {

template <class Target, class Criterion, bool is_weighted, class Key>
class Block {
  using Stats = typename Target::Stats;
  using Word = typename Key::Word;
  static constexpr bool has_classes = std::is_same_v<Target, ClassTarget>;
  static constexpr bool has_whole_squares = has_classes && !is_weighted && IsOfSquares<Criterion>;

 public:
  static constexpr std::size_t max_rows = Key::max_rows;

  Block(const Input<Target>& input, const std::function<void()>& breathe)
      : input_(input),
        breathe_(breathe),
        limits_(input.settings),
        order_(input),
        left_(input.target.none()),
        right_(input.target.none()),
        gaps_(input.target.none()),
        worth_(input.columns.size()) {}

  // Take on these rows.
  void load(std::span<const std::uint32_t> rows) {
    rows_ = rows;
    n_ = rows.size();
    order_.load(rows, breathe_);
    side_.resize(n_);
    block_.inverse.reach(n_);
    if constexpr (is_weighted) {
      block_.weight.resize(n_);
      for (std::size_t i = 0; i < n_; ++i) block_.weight[i] = static_cast<double>(input_.weights.of(rows[i]));
    }
  }

  // Classes have other numbers now.
  void fit_classes() {
    left_ = right_ = gaps_ = input_.target.none();
    many_.reset();
  }
  // Give the classes of a part of the block new numbers: set_label(row of the table, number).
  template <class SetLabel>
  void number(Stretch at, std::span<const std::uint32_t> columns, std::span<const std::int32_t> number,
              SetLabel set_label) {
    fit_classes();
    for (std::uint32_t c : columns) order_.number(c, at, number);
    const Word* key = column(columns.front()) + at.begin;
    for (std::size_t i = 0; i < at.size(); ++i)
      set_label(rows_[Key::row(key[i])], static_cast<std::int32_t>(Key::label(key[i])));
  }

  // The best test for a part of the block, among `active` columns; those that could still split go to `open`.
  Best<Stats> choose(const Opening<Stats>& opening, Stretch at, std::span<const std::uint32_t> active,
                     std::vector<std::uint32_t>& open) {
    opening_ = &opening;
    at_ = at;
    Best<Stats> best;
    best.left = best.right = input_.target.none();
    Reals reals(opening.scale);
    parent_ = Criterion::impurity(reals.group(opening.stats));
    open.clear();
    if (active.empty()) return best;
    set_deviations(active.front());
    const double floor = look(active, open) - Judge<Criterion, Stats>::slack(opening.scale, at.size());
    Judge<Criterion, Stats> judge(opening, input_.settings, best);
    if constexpr (has_whole_squares) squares_.start(opening.stats);
    for (std::uint32_t c : active) {
      if (!(worth_[c] > nothing && worth_[c] >= floor)) continue;
      if (input_.columns[c].form == SplitForm::cut)
        judge_cuts(c, floor, judge);
      else
        judge.offer(c, std::move(offers_[c]));
    }
    return best;
  }

  // The best test as a split, and what its branches get.
  Split split_of(Best<Stats>& best) {
    if (!best.is_cut) return split_by_offer(best);
    mark_cut(best);
    if (best.tag.position == Tag::known_or_missing) return known_or_missing(best.column);
    const Numbers& numbers = input_.columns[best.column].number;
    const Word* key = column(best.column) + at_.begin + best.tag.position;
    Split split = cut_between(best.column, numbers[rows_[Key::row(key[0])]], numbers[rows_[Key::row(key[1])]],
                              best.tag.gap);
    place_gaps(split, input_.settings, best.left.weight, best.right.weight,
               static_cast<std::int64_t>(at_.size()));
    return split;
  }

  // The rows of one branch of the split last made, for the figures of a child.
  const std::vector<Piece>& pieces_of(std::uint8_t branch, std::uint32_t some_column) {
    pieces_.clear();
    const Word* key = column(some_column) + at_.begin;
    for (std::size_t i = 0; i < at_.size(); ++i)
      if (side_[Key::row(key[i])] == branch) pieces_.push_back(input_.weights.piece(rows_[Key::row(key[i])]));
    return pieces_;
  }

  // The rows of a part of the block.
  const std::vector<std::uint32_t>& rows_of(Stretch at, std::uint32_t some_column) {
    part_.clear();
    const Word* key = column(some_column) + at.begin;
    for (std::size_t i = 0; i < at.size(); ++i) part_.push_back(rows_[Key::row(key[i])]);
    return part_;
  }

  std::span<const std::uint8_t> sides() const { return side_; }

  // Divide the columns by the split last made.
  void divide(std::span<const std::uint32_t> columns) {
    for (std::uint32_t c : columns) order_.divide(c, at_, side_);
  }

 private:
  const Word* column(std::uint32_t c) const { return order_.column(c); }

  // ---- looking: floating point, every cut ---------------------------------------------------------------

  // Numbers: deviations from this node's centre, so that sums keep their digits.
  void set_deviations([[maybe_unused]] std::uint32_t some_column) {
    if constexpr (!has_classes) {
      const Scale& scale = opening_->scale;
      block_.deviation.resize(n_);
      block_.whole.resize(is_weighted ? n_ : 0);
      const Word* key = column(some_column) + at_.begin;
      for (std::size_t i = 0; i < at_.size(); ++i) {
        const auto row = Key::row(key[i]);
        const std::int64_t d = input_.target.value[rows_[row]] - scale.centre;
        if constexpr (is_weighted)
          block_.whole[row] = static_cast<int128>(input_.weights.of(rows_[row])) * d;
        else
          block_.deviation[row] = static_cast<double>(d) * scale.y_unit;
      }
    }
  }

  // Score all columns; returns the best.
  double look(std::span<const std::uint32_t> active, std::vector<std::uint32_t>& open) {
    double floor = nothing;
    offers_.resize(input_.columns.size());
    std::size_t seen = 0;
    while (seen < active.size()) {
      const std::uint32_t c = active[seen++];
      worth_[c] = nothing;
      if (at_.size() > 128 && seen % 16 == 0) breathe_();
      if (is_constant(c)) continue;
      open.push_back(c);
      if (may_wait(c)) continue;
      worth_[c] = input_.columns[c].form == SplitForm::cut ? worth_of_cuts(c) : worth_of_offer(c);
      floor = std::max(floor, worth_[c]);
      if (has_classes && !is_weighted && floor == 0) break;  // pure children; later columns lose ties
    }
    for (std::uint32_t c : active.subspan(seen)) {
      worth_[c] = nothing;
      open.push_back(c);
    }
    return ask_categories(floor);
  }

  // Categories are asked only where their bound says that they may win.
  bool may_wait(std::uint32_t c) {
    using Bound = LevelBound<Criterion, Stats>;
    if (input_.columns[c].form == SplitForm::cut || !Bound::serves(input_.n_of_table())) return false;
    if (!bound_) bound_.emplace();
    bound_->start(opening_->scale);
    if (has_classes && !is_weighted && opening_->scale.class_scale.empty())
      bound_pairs(column(c) + at_.begin);
    else
      for_each_level(c, [&](Word, std::int32_t, const Stats& level) { bound_->add(level); });
    waiting_.push_back({bound_->worth(limits_, input_.columns[c].form), c});
    return true;
  }
  // Two classes, each row counting one: all that is asked is in the keys.
  void bound_pairs(const Word* key) {
    const std::size_t n = at_.size();
    for (std::size_t i = 0; i < n;) {
      const Word rank = Key::rank(key[i]);
      const std::size_t first = i;
      std::size_t ones = 0;
      for (; i < n && Key::rank(key[i]) == rank; ++i) ones += Key::label(key[i]);
      bound_->add(static_cast<double>(i - first), static_cast<double>(ones));
    }
  }
  double ask_categories(double floor) {
    const double slack = Judge<Criterion, Stats>::slack(opening_->scale, at_.size());
    return ask_waiting(waiting_, floor, slack,
                       [&](std::uint32_t c) { return worth_[c] = worth_of_offer(c); });
  }
  bool is_constant(std::uint32_t c) {
    const Word* key = column(c) + at_.begin;
    return Key::rank(key[0]) == Key::rank(key[at_.size() - 1]);
  }

  std::size_t n_known(const Word* key) const {
    std::size_t n = at_.size();
    while (n > 0 && Key::rank(key[n - 1]) == Key::gap) --n;
    return n;
  }

  // Children cost this much less than nothing: the larger the better.
  double worth_of_cuts(std::uint32_t c) {
    double least = std::numeric_limits<double>::infinity();
    for_each_cut(c, [&](std::size_t, Tag::Gap, double cost) { least = std::min(least, cost); });
    return -least;
  }
  double worth_of_offer(std::uint32_t c) {
    Offer& offer = offers_[c];
    const Measured<Stats> measured = measure_column(c);
    offer = best_offer<Criterion>(input_.task(c, measured, *opening_));
    return offer.is_possible() ? offer.value / opening_->scale.cost_scale - parent_ : nothing;
  }

  // Visit every allowed cut as (rows to the left, where gaps go, children's cost).
  template <class Visit>
  void for_each_cut(std::uint32_t c, Visit visit) {
    if constexpr (!has_classes) {
      NumberSides<Key, is_weighted> sides(block_, opening_->scale);
      walk_ways(c, sides, visit);
    } else if (input_.n_classes() == 2) {
      PairSides<Criterion, Key, is_weighted> sides(block_, opening_->scale, 2);
      walk_ways(c, sides, visit);
    } else {
      if (!many_) many_.emplace(block_, opening_->scale, input_.n_classes());
      walk_ways(c, *many_, visit);
    }
  }
  template <class Sides, class Visit>
  void walk_ways(std::uint32_t c, Sides& sides, Visit visit) {
    const Word* key = column(c) + at_.begin;
    const std::size_t known = n_known(key);
    if (order_.is_two_valued(c)) return visit_only_cut(key, sides, visit);
    left_.clear();
    if (known == at_.size()) {
      sides.start(left_, opening_->stats);
      walk(sides, key, known, known - 1, 0, [&](std::size_t i, double cost) { visit(i, Tag::apart, cost); });
      return;
    }
    set_gaps(key, known);
    sides.start(left_, opening_->stats);
    walk(sides, key, known, known, 0, [&](std::size_t i, double cost) { visit(i, Tag::right, cost); });
    right_ = opening_->stats;
    right_.add(gaps_, -1);
    sides.start(gaps_, right_);
    if (known > 0)
      walk(sides, key, known, known - 1, at_.size() - known,
           [&](std::size_t i, double cost) { visit(i, Tag::left, cost); });
  }
  // Two values, one cut: the smaller side is counted, the other is what is left.
  template <class Sides, class Visit>
  void visit_only_cut(const Word* key, Sides& sides, Visit visit) {
    const std::size_t n = at_.size();
    const Word rank = Key::rank(key[0]);
    const auto middle = static_cast<std::size_t>(
        std::partition_point(key, key + n, [&](Word k) { return Key::rank(k) == rank; }) - key);
    const bool is_left_small = 2 * middle < n;
    Stats &small = is_left_small ? left_ : right_, &other = is_left_small ? right_ : left_;
    small.clear();
    for (std::size_t i = is_left_small ? 0 : middle; i < (is_left_small ? middle : n); ++i)
      input_.target.add(small, input_.weights.piece(rows_[Key::row(key[i])]));
    other = opening_->stats;
    other.add(small, -1);
    const double unit = input_.settings.weight_unit;
    if (limits_.any() &&
        (!limits_.allow(static_cast<double>(left_.rows), static_cast<double>(left_.weight) * unit) ||
         !limits_.allow(static_cast<double>(right_.rows), static_cast<double>(right_.weight) * unit)))
      return;
    sides.start(left_, right_);
    visit(middle - 1, Tag::apart, sides.cost());
  }
  void set_gaps(const Word* key, std::size_t known) {
    gaps_.clear();
    for (std::size_t i = known; i < at_.size(); ++i)
      input_.target.add(gaps_, input_.weights.piece(rows_[Key::row(key[i])]));
  }

  // Cuts after the first n_cuts rows; after the last known row gaps alone are on the right.
  template <class Sides, class Visit>
  void walk(Sides& sides, const Word* key, std::size_t known, std::size_t n_cuts, std::size_t already,
            Visit visit) const {
    const std::size_t n = at_.size();
    const bool has_limits = limits_.any();
    if constexpr (requires { sides.look_back(key, n_cuts); }) sides.look_back(key, n_cuts);
    const double weight = static_cast<double>(opening_->stats.weight) * input_.settings.weight_unit;
    for (std::size_t i = 0; i < n_cuts; ++i) {
      sides.move(key[i]);
      if (i + 1 < known && Key::rank(key[i]) == Key::rank(key[i + 1])) continue;
      if (has_limits) {
        const auto rows = static_cast<double>(already + i + 1);
        if (!limits_.allow(rows, sides.left_weight()) ||
            !limits_.allow(static_cast<double>(n) - rows, weight - sides.left_weight()))
          continue;
      }
      visit(i, sides.cost());
    }
  }

  // Visit the rows grouped by category, gaps last: visit(rank, code, stats).
  template <class Visit>
  void for_each_level(std::uint32_t c, Visit visit) {
    Stats& level = left_;
    const Word* key = column(c) + at_.begin;
    const std::size_t n = at_.size();
    for (std::size_t i = 0; i < n;) {
      const Word rank = Key::rank(key[i]);
      const std::int32_t code = input_.columns[c].code[rows_[Key::row(key[i])]];
      level.clear();
      for (; i < n && Key::rank(key[i]) == rank; ++i)
        input_.target.add(level, input_.weights.piece(rows_[Key::row(key[i])]));
      visit(rank, code, level);
    }
  }
  Measured<Stats> measure_column(std::uint32_t c) {
    Measured<Stats> out{{}, input_.target.none(), input_.target.none()};
    for_each_level(c, [&](Word rank, std::int32_t code, const Stats& level) {
      if (rank == Key::gap) {
        out.missing = level;
      } else {
        out.groups.push(code, level);
        out.known.add(level);
      }
    });
    return out;
  }

  // ---- judging: exact, the few cuts that may be best ----------------------------------------------------

  struct Survivor {
    std::size_t place;
    Tag::Gap gap;
  };

  void judge_cuts(std::uint32_t c, double floor, Judge<Criterion, Stats>& judge) {
    survivors_.clear();
    for_each_cut(c, [&](std::size_t i, Tag::Gap gap, double cost) {
      if (-cost >= floor) survivors_.push_back({i, gap});
    });
    std::stable_sort(survivors_.begin(), survivors_.end(),
                     [](const Survivor& a, const Survivor& b) { return a.place < b.place; });
    const Word* key = column(c) + at_.begin;
    const std::size_t known = n_known(key);
    left_.clear();
    squares_.start_again();
    std::size_t moved = 0;
    for (std::size_t s = 0; s < survivors_.size(); ++s) {
      for (; moved <= survivors_[s].place; ++moved) {
        if constexpr (has_whole_squares)
          squares_.move(Key::label(key[moved]), left_.counts[Key::label(key[moved])]);
        input_.target.add(left_, input_.weights.piece(rows_[Key::row(key[moved])]));
      }
      if constexpr (has_whole_squares)
        if (survivors_[s].gap == Tag::apart && opening_->scale.class_scale.empty() &&
            !judge.would_win(squares_.template cost<Criterion>(opening_->scale)))
          continue;
      const bool is_pair = s + 1 < survivors_.size() && survivors_[s + 1].place == survivors_[s].place;
      judge_place(c, known, std::span(survivors_).subspan(s, is_pair ? 2 : 1), judge);
      s += is_pair;
    }
  }
  // One place, with gaps on either side; the heavier side is asked first.
  void judge_place(std::uint32_t c, std::size_t known, std::span<Survivor> ways,
                   Judge<Criterion, Stats>& judge) {
    const std::size_t place = ways[0].place;
    const Tag::Gap first = ways[0].gap == Tag::apart ? Tag::apart : heavier_side();
    if (ways.size() == 2 && ways[0].gap != first) std::swap(ways[0], ways[1]);
    for (const Survivor& way : ways) {
      const bool is_last = way.gap != Tag::apart && place + 1 == known;
      const Tag tag{is_last ? Tag::known_or_missing : static_cast<std::int64_t>(place), way.gap};
      if (way.gap == Tag::left) {
        Stats joined = left_;
        joined.add(gaps_);
        right_ = opening_->stats;
        right_.add(joined, -1);
        judge.offer(c, tag, place, joined, right_);
      } else {
        right_ = opening_->stats;
        right_.add(left_, -1);
        judge.offer(c, tag, place, left_, right_);
      }
    }
  }
  Tag::Gap heavier_side() const {
    return 2 * left_.weight >= opening_->stats.weight - gaps_.weight ? Tag::left : Tag::right;
  }

  // ---- applying -----------------------------------------------------------------------------------------

  void mark_cut(const Best<Stats>& best) {
    const Word* key = column(best.column) + at_.begin;
    const std::size_t known = n_known(key), n = at_.size();
    for (std::size_t i = 0; i < known; ++i) side_[Key::row(key[i])] = i > best.place;
    for (std::size_t i = known; i < n; ++i) side_[Key::row(key[i])] = best.tag.gap == Tag::right;
  }

  Split split_by_offer(Best<Stats>& best) {
    Split split = std::move(best.offer.split);
    split.column = static_cast<std::int32_t>(best.column);
    const Word* key = column(best.column) + at_.begin;
    Stats* parts[] = {&best.left, &best.right};
    for (Stats* part : parts) part->clear();
    const auto n = static_cast<std::int64_t>(at_.size());
    std::int32_t branch = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const std::uint32_t row = rows_[Key::row(key[i])];
      if (i == 0 || Key::rank(key[i]) != Key::rank(key[i - 1])) {
        branch = split.branch_of(input_.columns[best.column].code[row]);
        if (branch < 0) {  // gaps come last
          place_gaps(split, input_.settings, best.left.weight, best.right.weight, n);
          branch = split.missing;
        }
      }
      side_[Key::row(key[i])] = static_cast<std::uint8_t>(branch);
      input_.target.add(*parts[branch], input_.weights.piece(row));
    }
    place_gaps(split, input_.settings, best.left.weight, best.right.weight, n);
    return split;
  }

  const Input<Target>& input_;
  const std::function<void()>& breathe_;
  SideLimits limits_;
  BlockOrder<Target, Key> order_;
  std::span<const std::uint32_t> rows_;
  std::size_t n_ = 0;
  std::vector<std::uint8_t> side_;
  BlockRows block_;
  struct NoClasses {};
  std::optional<std::conditional_t<has_classes, ManySides<Criterion, Key, is_weighted>, NoClasses>> many_;

  const Opening<Stats>* opening_ = nullptr;  // of the node at hand
  Stretch at_;
  double parent_ = 0;
  Stats left_, right_, gaps_;
  std::vector<double> worth_;
  std::vector<Offer> offers_;
  std::vector<Waiting> waiting_;
  std::optional<LevelBound<Criterion, Stats>> bound_;
  std::vector<Survivor> survivors_;
  WholeSquares squares_;
  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> part_;
};

}  // namespace treewright
