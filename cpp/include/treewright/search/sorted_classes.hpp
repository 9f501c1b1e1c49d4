// The best cut of one column by the classes of its rows.
//
//   keys    [ . . . . | . . . . | . . . . ]    rows are added up cell by cell; only the ends of cells are
//   scored          ^         ^         ^      scored, and the inside of a cell whose bound may beat the best
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sorted_task.hpp"

namespace treewright::sorted {

// Room that searches share, one after the other.
struct ClassRoom {
  std::vector<std::int64_t> grid, inside, corner;
  std::vector<double> unit, real, drop, node, low;
  std::vector<Candidate<ClassStats>> candidates;
  Candidate<ClassStats> cut;  // the one at hand
};

// Classes. Two of them have a copy of their own. Rows are added up cell by cell; then stretches of cells are
// looked at from the outside: what lies left of a cut inside one is in the box between its two ends, the drop
// is convex in it, and so no cut inside beats the best corner of the box (the idea of CLOUDS: Alsabti, Ranka,
// Singh 1998). Only stretches that may hide the best cut are taken apart.
template <class Criterion, std::size_t n_known_classes, bool is_weighted>
class ClassSearch {
 public:
  ClassSearch(const SortedTask<ClassTarget>& s, ClassRoom& room)
      : s_(s),
        room_(room),
        k_(n_known_classes > 0 ? n_known_classes : s.task.n_classes),
        gaps_(gaps_of(s.task)),
        scores_(s.task),
        admission_(s.task.settings),
        verdicts_(s),
        slack_(score_slack(s.task.scale, 0)),
        floor_(s.floor),
        known_(s.known().counts.data()) {
    room_.candidates.clear();
    room_.cut.left.counts.resize(k_);
    for (auto* numbers : {&room_.unit, &room_.real, &room_.node, &room_.low}) numbers->resize(k_);
    for (std::size_t j = 0; j < k_; ++j) room_.unit[j] = s.task.scale.class_unit(j);
    if constexpr (IsTwoSided<Criterion>) {
      node_weight_ = group_of(known_, 1, gaps_ != Gaps::apart, room_.node).total;
    } else {
      parent_ = cost_of_stats(s.known(), gaps_ != Gaps::apart);
      if (gaps_ == Gaps::own) parent_ -= cost_of_stats(s.missing(), false);
    }
  }

  SortedOffer<ClassStats> run() {
    const Span span = all_cuts(s_);
    if (!span.is_empty()) {
      add_up(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.last) + 1);
      if (gaps_ == Gaps::both_sides) {
        look(Tag::left);
        look(Tag::right);
      } else {
        look(gaps_ == Gaps::own ? Tag::own : Tag::apart);
      }
    }
    return verdicts_.of(room_.candidates, floor_, tries_);
  }

 private:
  // ---- adding up ----------------------------------------------------------------------------------------

  // Cell c holds the keys [begin_of(c), begin_of(c + 1)); cuts lie after them.
  std::size_t begin_of(std::size_t cell) const { return std::min(first_ + cell * size_, end_); }
  // What lies left of a cell.
  const std::int64_t* left_of(std::size_t cell) const { return room_.grid.data() + cell * k_; }

  void add_up(std::size_t first, std::size_t end) {
    first_ = first;
    end_ = end;
    size_ = std::max<std::size_t>(16, 2 * k_);
    n_cells_ = (end - first + size_ - 1) / size_;
    room_.grid.resize((n_cells_ + 1) * k_);
    std::fill_n(room_.grid.begin(), k_, 0);
    add_keys(0, first, room_.grid.data());
    for (std::size_t c = 0; c < n_cells_; ++c) {
      std::int64_t* next = room_.grid.data() + (c + 1) * k_;
      std::copy_n(next - k_, k_, next);
      add_keys(begin_of(c), begin_of(c + 1), next);
    }
    if (s_.task.settings.use_c45_cuts) tries_ = count_tries();
  }
  TREEWRIGHT_INLINE void add_keys(std::size_t begin, std::size_t end, std::int64_t* left) const {
    const std::uint64_t* key = s_.keys.data();
    if constexpr (is_weighted) {
      for (std::size_t i = begin; i < end; ++i)
        left[s_.layout.label(key[i])] += s_.weight.of_row[s_.layout.row(key[i])];
    } else if constexpr (n_known_classes == 2) {
      std::uint64_t ones = 0;
      for (std::size_t i = begin; i < end; ++i) ones += key[i] >> s_.layout.row_bits & 1;
      left[1] += static_cast<std::int64_t>(ones);
      left[0] += static_cast<std::int64_t>(end - begin - ones);
    } else {
      for (std::size_t i = begin; i < end; ++i) ++left[s_.layout.label(key[i])];
    }
  }
  // How many cuts C4.5 may try.
  std::int64_t count_tries() const {
    if (!s_.is_far)
      return static_cast<std::int64_t>(count_cuts(s_.keys.subspan(first_, end_ - first_ + 1), s_.layout));
    std::int64_t n = 0;
    for (std::size_t i = first_; i < end_; ++i) n += s_.parts(s_.keys[i], s_.keys[i + 1]);
    return n;
  }

  // ---- scoring ------------------------------------------------------------------------------------------

  TREEWRIGHT_INLINE std::int64_t weight_of(std::int64_t n) const {
    return is_weighted ? n : n * s_.weight.each;
  }
  // So many rows of each class, with the gaps if these join them; each counts for `weight` units.
  ClassGroup group_of(const std::int64_t* counts, std::int64_t weight, bool has_gaps,
                      std::vector<double>& real) const {
    double total = 0;
    for (std::size_t j = 0; j < k_; ++j) {
      const std::int64_t n = counts[j] * weight + (has_gaps ? s_.missing().counts[j] : 0);
      total += real[j] = static_cast<double>(n) * room_.unit[j];
    }
    return {{real.data(), k_}, total, s_.logs};
  }
  double cost_of_stats(const ClassStats& stats, bool has_gaps) const {
    return Criterion::impurity(group_of(stats.counts.data(), 1, has_gaps, room_.real));
  }
  ClassGroup node() const { return {{room_.node.data(), k_}, node_weight_, s_.logs}; }
  // A criterion that looks at one side and the node says all with the left one.
  template <bool is_rest>
  TREEWRIGHT_INLINE double cost(const ClassGroup& group) const {
    if constexpr (!IsTwoSided<Criterion>)
      return Criterion::impurity(group);
    else
      return is_rest ? 0 : -Criterion::score(group, node());
  }

  struct Side {
    double cost;
    std::int64_t weight;
  };
  // What was counted, with the gaps if these join it; or (`is_rest`) the other known rows.
  template <bool is_rest>
  TREEWRIGHT_INLINE Side side(const std::int64_t* left, bool has_gaps) const {
    const std::size_t k = n_known_classes > 0 ? n_known_classes : k_;
    std::array<double, std::max<std::size_t>(1, n_known_classes)> few;
    double* real = n_known_classes > 0 ? few.data() : room_.real.data();
    double total = 0;
    std::int64_t weight = 0;
    for (std::size_t j = 0; j < k; ++j) {
      std::int64_t n = weight_of(left[j]);
      if constexpr (is_rest) n = known_[j] - n;
      if (has_gaps) n += s_.missing().counts[j];
      weight += n;
      total += real[j] = static_cast<double>(n) * room_.unit[j];
    }
    return {cost<is_rest>(ClassGroup{{real, k}, total, s_.logs}), weight};
  }
  TREEWRIGHT_INLINE double drop(const std::int64_t* left, Tag::Gap gap) const {
    return parent_ - side<false>(left, gap == Tag::left).cost - side<true>(left, gap == Tag::right).cost;
  }
  bool allows(std::size_t n_left, std::int64_t left, std::int64_t right, Tag::Gap gap) const {
    const std::int64_t gaps = s_.missing().rows;
    const Admission::Size a{static_cast<std::int64_t>(n_left) + (gap == Tag::left ? gaps : 0), left},
        b{s_.known().rows - static_cast<std::int64_t>(n_left) + (gap == Tag::right ? gaps : 0), right};
    return admission_.allows(a, b, gap == Tag::own ? &s_.missing() : nullptr);
  }
  std::int64_t own_weight(Tag::Gap gap) const { return gap == Tag::own ? s_.missing().weight : 0; }

  // Both sides of a cut: what they weigh, and how much less they cost than all rows.
  struct Sides {
    double drop;
    std::int64_t left, right;
  };
  TREEWRIGHT_INLINE Sides sides_of(const std::int64_t* counted, Tag::Gap gap) const {
    const Side left = side<false>(counted, gap == Tag::left), right = side<true>(counted, gap == Tag::right);
    return {parent_ - left.cost - right.cost, left.weight, right.weight};
  }
  // The cut before key `place`.
  TREEWRIGHT_INLINE void consider(std::size_t place, const std::int64_t* counted, Sides sides, Tag::Gap gap) {
    const double high = scores_(sides.drop + slack_, sides.left, sides.right, own_weight(gap));
    if (high < floor_ || !allows(place, sides.left, sides.right, gap)) return;
    room_.cut.place = place - 1;
    room_.cut.gap = gap;
    room_.cut.high = high;
    ClassStats& left = room_.cut.left;
    left.rows = static_cast<std::int64_t>(place);
    left.weight = 0;
    for (std::size_t j = 0; j < k_; ++j) left.weight += left.counts[j] = weight_of(counted[j]);
    if (verdicts_.refuses(room_.cut)) return;
    floor_ = std::max(floor_, scores_(sides.drop - slack_, sides.left, sides.right, own_weight(gap)));
    room_.candidates.push_back(room_.cut);
  }

  // ---- looking ------------------------------------------------------------------------------------------

  static constexpr std::size_t fan = 8, most_stretches = 256;

  // The ends of some stretches first, so that there is something to beat.
  void look(Tag::Gap gap) {
    room_.drop.resize(n_cells_ + 1);
    room_.drop[0] = drop(left_of(0), gap);
    std::size_t n = 1;
    while (n_cells_ / n > most_stretches) n *= fan;
    for (std::size_t c = n; c < n_cells_ + n; c += n) consider_end(std::min(c, n_cells_), gap);
    for (std::size_t c = 0; c < n_cells_; c += n) look_into(c, std::min(c + n, n_cells_), n, gap);
  }
  void consider_end(std::size_t cell, Tag::Gap gap) {
    const std::int64_t* left = left_of(cell);
    const Sides sides = sides_of(left, gap);
    room_.drop[cell] = sides.drop;
    if (s_.parts(s_.keys[begin_of(cell) - 1], s_.keys[begin_of(cell)]))
      consider(begin_of(cell), left, sides, gap);
  }
  // Cells [from, to), a stretch of at most n of them: its ends have been scored.
  void look_into(std::size_t from, std::size_t to, std::size_t n, Tag::Gap gap) {
    const std::size_t begin = begin_of(from), end = begin_of(to);
    if (s_.layout.place(s_.keys[begin]) == s_.layout.place(s_.keys[end - 1]))
      return;  // nothing to cut inside
    if (bound(from, to, gap) < floor_) return;
    if (n == 1) return score_cell(from, gap);
    const std::size_t part = n / fan;
    for (std::size_t c = from + part; c < to; c += part) consider_end(c, gap);
    for (std::size_t c = from; c < to; c += part) look_into(c, std::min(c + part, to), part, gap);
  }
  void score_cell(std::size_t cell, Tag::Gap gap) {
    room_.inside.assign(left_of(cell), left_of(cell) + k_);
    for (std::size_t i = begin_of(cell); i + 1 < begin_of(cell + 1); ++i) {
      room_.inside[s_.layout.label(s_.keys[i])] += is_weighted ? s_.weight[s_.layout.row(s_.keys[i])] : 1;
      if (!s_.parts(s_.keys[i], s_.keys[i + 1])) continue;
      consider(i + 1, room_.inside.data(), sides_of(room_.inside.data(), gap), gap);
    }
  }

  // The most that a cut inside these cells can score.
  double bound(std::size_t from, std::size_t to, Tag::Gap gap) {
    const std::int64_t *low = left_of(from), *high = left_of(to);
    // A cut one row from a corner lies below it by a share of their distance only.
    const double most = std::max(best_corner(low, high, gap), std::max(room_.drop[from], room_.drop[to])) +
                        slack_ * static_cast<double>((to - from) * size_ + 1);
    if constexpr (!IsRatio<Criterion>) return most;
    std::int64_t least = gap == Tag::left ? s_.missing().weight : 0, greatest = least,
                 sides =
                     s_.known().weight + (gap == Tag::left || gap == Tag::right ? s_.missing().weight : 0);
    for (std::size_t j = 0; j < k_; ++j) {
      least += weight_of(low[j]);
      greatest += weight_of(high[j]);
    }
    const std::int64_t first = s_.weight[s_.layout.row(s_.keys[begin_of(from)])],
                       last = s_.weight[s_.layout.row(s_.keys[begin_of(to) - 1])];
    return scores_.bound(most, least + first, greatest - last, sides, own_weight(gap));
  }
  // Of the corners that are no ends: those where classes part.
  double best_corner(const std::int64_t* low, const std::int64_t* high, Tag::Gap gap) {
    std::size_t n_moving = 0;
    std::size_t moving[max_corner_classes];
    for (std::size_t j = 0; j < k_; ++j) {
      if (low[j] == high[j]) continue;
      if (n_moving == max_corner_classes) return most_of_box(low, high, gap);
      moving[n_moving++] = j;
    }
    if constexpr (n_known_classes == 2) {
      if (n_moving < 2) return nothing;
      const std::int64_t first[] = {high[0], low[1]}, second[] = {low[0], high[1]};
      return std::max(drop(first, gap), drop(second, gap));
    }
    double most = nothing;
    room_.corner.resize(k_);
    for (std::uint32_t corner = 1; corner + 1 < 1u << n_moving; ++corner) {
      std::copy_n(low, k_, room_.corner.begin());
      for (std::size_t i = 0; i < n_moving; ++i)
        if ((corner >> i & 1) != 0) room_.corner[moving[i]] = high[moving[i]];
      most = std::max(most, drop(room_.corner.data(), gap));
    }
    return most;
  }
  // At least what the best corner is worth, without a look at the corners.
  double most_of_box(const std::int64_t* low, const std::int64_t* high, Tag::Gap gap) {
    if constexpr (IsTwoSided<Criterion>) {
      const std::int64_t each = is_weighted ? 1 : s_.weight.each;
      return Criterion::most(group_of(low, each, gap == Tag::left, room_.low),
                             group_of(high, each, gap == Tag::left, room_.real), node());
    } else {  // without these rows both sides cost the least they can
      return parent_ - side<false>(low, gap == Tag::left).cost - side<true>(high, gap == Tag::right).cost;
    }
  }
  static constexpr std::size_t max_corner_classes = 4;

  const SortedTask<ClassTarget>& s_;
  ClassRoom& room_;
  std::size_t k_;
  Gaps gaps_;
  Scores<Criterion, ClassStats> scores_;
  Admission admission_;
  Verdicts<Criterion, ClassTarget> verdicts_;
  double slack_, parent_ = 0, node_weight_ = 0, floor_;
  const std::int64_t* known_;  // rows of each class
  std::size_t first_ = 0, end_ = 0, size_ = 1, n_cells_ = 0;
  std::int64_t tries_ = 0;
};

}  // namespace treewright::sorted
