// The best cut of one column, from the rows of a node in its order: what SortedCut gives, at the speed of a
// walk. Floating point finds the cuts that may be best; Contest judges those few exactly.
//
//   keys    [ . . . . | . . . . | . . . . ]    rows are added up chunk by chunk; only the ends of chunks are
//   scored          ^         ^         ^      scored, and the inside of a chunk whose bound may beat the
//   best
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../quick/verdict.hpp"
#include "../splitters/sorted_cut.hpp"
#include "orders.hpp"

namespace treewright {

// One cut column of a node.
template <class Target>
struct SortedTask {
  using Stats = typename Target::Stats;
  const Task<Stats>& task;  // of the same column; `measured` has no groups
  const Target& target;
  std::span<const std::uint64_t> keys;
  const KeyLayout& layout;
  bool is_far;  // may a reach be further than a key can say?
  NodeWeights weight;
  const Logs& logs;  // near enough to choose candidates by
  double floor;      // what a score must reach to count

  const Stats& known() const { return task.measured.known; }
  const Stats& missing() const { return task.measured.missing; }
  bool is_constant() const { return layout.place(keys.front()) == layout.place(keys.back()); }
  double value(std::uint64_t key) const {
    return task.column.value[static_cast<std::size_t>(layout.rank(key))];
  }
  // May a cut lie between two neighbours?
  TREEWRIGHT_INLINE bool parts(std::uint64_t low, std::uint64_t high) const {
    const std::uint64_t reach = layout.reach(low);
    if (reach == KeyLayout::far) return is_apart(value(low), value(high));
    return layout.rank(high) - layout.rank(low) >= reach;
  }
};

// An offer, and what its left branch gets of the rows whose value is known.
template <class Stats>
struct SortedOffer {
  Offer offer;
  Stats left;
};

namespace sorted {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// The cuts that may be tried: after the keys [first, last].
struct Span {
  std::ptrdiff_t first = 0, last = -1;
  bool is_empty() const { return last < first; }
};

// C4.5's least side: a tenth of an even class share, between m and 25.
inline double least_side(double known, double m, std::size_t n_classes) {
  const double side = 0.1 * known / static_cast<double>(std::max<std::size_t>(1, n_classes));
  return side <= m ? m : side > 25 ? 25 : side;
}

template <class Target>
Span all_cuts(const SortedTask<Target>& s) {
  const auto n = static_cast<std::ptrdiff_t>(s.keys.size());
  Span span{0, n - 2};
  if (!s.task.settings.use_c45_cuts) return span;
  const double unit = s.task.settings.weight_unit, slack = 1e-6;
  const double side =
      least_side(static_cast<double>(s.known().weight) * unit, s.task.settings.min_branch, s.task.n_classes);
  const auto is_enough = [&](std::int64_t w) { return static_cast<double>(w) * unit + slack >= side; };
  std::int64_t weight = 0;
  for (; span.first < n; ++span.first)
    if (is_enough(weight += s.weight[s.layout.row(s.keys[static_cast<std::size_t>(span.first)])])) break;
  weight = 0;
  for (; span.last >= 0; --span.last)
    if (is_enough(weight += s.weight[s.layout.row(s.keys[static_cast<std::size_t>(span.last + 1)])])) break;
  return span;
}

// Where gaps are while cuts are scored.
enum class Gaps : std::uint8_t { apart, own, both_sides };

template <class Stats>
Gaps gaps_of(const Task<Stats>& task) {
  if (!task.scores_gaps()) return Gaps::apart;
  return task.settings.missing == MissingPolicy::own_branch ? Gaps::own : Gaps::both_sides;
}

// A cut that may be best: after which key, where the gaps go, and what lies left of it, gaps apart.
template <class Stats>
struct Candidate {
  std::size_t place;
  Tag::Gap gap;
  double high;  // its score, and a little more
  Stats left;
};

// A score from a drop in impurity; a ratio divides it by the information of the split itself.
template <class Criterion, class Stats>
class Scores {
 public:
  explicit Scores(const Task<Stats>& task)
      : reals_(task.scale), unknown_(task.scores_gaps() ? 0 : task.measured.missing.weight) {
    total_ = task.measured.known.weight + task.measured.missing.weight;
  }
  double operator()(double drop, std::int64_t left, std::int64_t right, std::int64_t own) const {
    if constexpr (IsRatio<Criterion>)
      return Criterion::score(drop, split_info(left, right, own));
    else
      return drop;
  }
  // The most for any cut whose left side weighs something between `least` and `most`: split information is
  // concave in it.
  double bound(double drop, std::int64_t least, std::int64_t most, std::int64_t sides,
               std::int64_t own) const {
    if constexpr (IsRatio<Criterion>) {
      const double info =
          std::min(split_info(least, sides - least, own), split_info(most, sides - most, own));
      return info > 0 ? std::max(0.0, drop) / info : std::numeric_limits<double>::infinity();
    } else {
      return drop;
    }
  }

 private:
  double split_info(std::int64_t left, std::int64_t right, std::int64_t own) const {
    double logs = reals_.weight_log(left) + reals_.weight_log(right);
    if (own > 0) logs += reals_.weight_log(own);
    if (unknown_ > 0) logs += reals_.weight_log(unknown_);
    const double total = static_cast<double>(total_) * reals_.scale().weight_unit;
    return (reals_.weight_log(total_) - logs) / total;
  }
  Reals reals_;
  std::int64_t unknown_, total_ = 0;
};

// Judges candidates in the order in which SortedCut tries cuts, and makes the offer.
template <class Criterion, class Target>
class Verdicts {
  using Stats = typename Target::Stats;

 public:
  explicit Verdicts(const SortedTask<Target>& s)
      : s_(s), contest_(s.task.template contest<Criterion>()), gaps_(gaps_of(s.task)) {}

  SortedOffer<Stats> of(std::vector<Candidate<Stats>>& candidates, double floor, std::int64_t tries) {
    std::erase_if(candidates, [&](const auto& c) { return c.high < floor; });
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
      return a.place != b.place ? a.place < b.place : a.gap != b.gap && a.gap == first_side(a.left);
    });
    for (const auto& candidate : candidates) judge(candidate);
    if (gaps_ != Gaps::apart) contest_.offer({Tag::known_or_missing, Tag::right}, s_.known(), s_.missing());
    return offer_of(candidates, contest_.best(), tries);
  }

 private:
  Tag::Gap first_side(const Stats& left) const {
    return 2 * left.weight >= s_.known().weight ? Tag::left : Tag::right;
  }
  void judge(const Candidate<Stats>& candidate) {
    Stats right = s_.known();
    right.add(candidate.left, -1);
    const Tag tag{static_cast<std::int64_t>(candidate.place), candidate.gap};
    if (candidate.gap == Tag::apart) return contest_.offer(tag, candidate.left, right);
    if (candidate.gap == Tag::own) return contest_.offer(tag, candidate.left, right, &s_.missing());
    Stats joined = candidate.gap == Tag::left ? candidate.left : right;
    joined.add(s_.missing());
    if (candidate.gap == Tag::left)
      contest_.offer(tag, joined, right);
    else
      contest_.offer(tag, candidate.left, joined);
  }

  SortedOffer<Stats> offer_of(const std::vector<Candidate<Stats>>& candidates,
                              const std::optional<Found>& found, std::int64_t tries) const {
    const bool use_c45 = s_.task.settings.use_c45_cuts;
    if (!found) {
      const bool is_refused = !use_c45 || (tries == 0 && !s_.is_constant());
      return {refusal(is_refused ? Verdict::branches_too_small : Verdict::one_value), s_.task.none()};
    }
    SortedOffer<Stats> out{{}, s_.known()};
    set_scores(out.offer, *found, s_.task, false, IsRatio<Criterion>);
    out.offer.split = split_of(found->tag);
    if (found->tag.position != Tag::known_or_missing)
      out.left = std::find_if(candidates.begin(), candidates.end(), [&](const auto& c) {
                   return static_cast<std::int64_t>(c.place) == found->tag.position;
                 })->left;
    if (use_c45 && tries > 0) charge_for(out.offer, tries, s_.task);
    return out;
  }
  Split split_of(Tag tag) const {
    Split split;
    split.column = s_.task.index;
    split.kind = SplitKind::cut;
    split.n_branches = tag.gap == Tag::own ? 3 : 2;
    split.missing = tag.gap;
    if (tag.position == Tag::known_or_missing) {
      split.cut = std::numeric_limits<double>::infinity();
      split.cut_code = s_.task.column.n_codes;
      return split;
    }
    const auto place = static_cast<std::size_t>(tag.position);
    split.cut_code = static_cast<std::int32_t>(s_.layout.rank(s_.keys[place]));
    split.cut = stored_cut(s_.task.column, split.cut_code,
                           static_cast<std::int32_t>(s_.layout.rank(s_.keys[place + 1])),
                           s_.task.settings.use_c45_cuts);
    return split;
  }

  const SortedTask<Target>& s_;
  Contest<Criterion, Stats> contest_;
  Gaps gaps_;
};

// Room that searches share, one after the other.
struct ClassRoom {
  std::vector<std::int64_t> grid, inside, corner;
  std::vector<double> unit, real, drop;
  std::vector<Candidate<ClassStats>> candidates;
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
        slack_(score_slack(s.task.scale, 0)),
        floor_(s.floor),
        known_(s.known().counts.data()) {
    room_.candidates.clear();
    room_.unit.resize(k_);
    room_.real.resize(k_);
    for (std::size_t j = 0; j < k_; ++j) room_.unit[j] = s.task.scale.class_unit(j);
    parent_ = cost_of_stats(s.known(), gaps_ != Gaps::apart);
    if (gaps_ == Gaps::own) parent_ -= cost_of_stats(s.missing(), false);
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
    return Verdicts<Criterion, ClassTarget>(s_).of(room_.candidates, floor_, tries_);
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
  double cost_of_stats(const ClassStats& stats, bool has_gaps) const {
    double total = 0;
    for (std::size_t j = 0; j < k_; ++j) {
      const std::int64_t n = stats.counts[j] + (has_gaps ? s_.missing().counts[j] : 0);
      total += room_.real[j] = static_cast<double>(n) * room_.unit[j];
    }
    return Criterion::impurity(ClassGroup{{room_.real.data(), k_}, total, s_.logs});
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
    return {Criterion::impurity(ClassGroup{{real, k}, total, s_.logs}), weight};
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
    floor_ = std::max(floor_, scores_(sides.drop - slack_, sides.left, sides.right, own_weight(gap)));
    ClassStats stats(k_);
    stats.rows = static_cast<std::int64_t>(place);
    for (std::size_t j = 0; j < k_; ++j) stats.weight += stats.counts[j] = weight_of(counted[j]);
    room_.candidates.push_back({place - 1, gap, high, std::move(stats)});
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
      if (n_moving == max_corner_classes)  // without these rows both sides cost the least they can
        return parent_ - side<false>(low, gap == Tag::left).cost - side<true>(high, gap == Tag::right).cost;
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
  static constexpr std::size_t max_corner_classes = 4;

  const SortedTask<ClassTarget>& s_;
  ClassRoom& room_;
  std::size_t k_;
  Gaps gaps_;
  Scores<Criterion, ClassStats> scores_;
  Admission admission_;
  double slack_, parent_ = 0, floor_;
  const std::int64_t* known_;  // rows of each class
  std::size_t first_ = 0, end_ = 0, size_ = 1, n_cells_ = 0;
  std::int64_t tries_ = 0;
};

// Numbers: running sums of deviations from the node's centre, one cut after the other.
template <class Criterion, bool is_weighted>
class NumberSearch {
 public:
  explicit NumberSearch(const SortedTask<NumberTarget>& s)
      : s_(s),
        gaps_(gaps_of(s.task)),
        admission_(s.task.settings),
        slack_(score_slack(s.task.scale, s.keys.size())) {}

  SortedOffer<MomentStats> run() {
    const Span span = all_cuts(s_);
    if (!span.is_empty()) {
      if (gaps_ == Gaps::both_sides) {
        walk(span, Tag::left);
        tries_ = 0;
        walk(span, Tag::right);
      } else {
        walk(span, gaps_ == Gaps::own ? Tag::own : Tag::apart);
      }
      add_up_candidates();
    }
    return Verdicts<Criterion, NumberTarget>(s_).of(candidates_, floor_, tries_);
  }

 private:
  // Sums in floating point, or in whole units where rows have weights of their own.
  using Sum = std::conditional_t<is_weighted, int128, double>;
  struct Side {
    std::int64_t n = 0;
    Sum sum = 0;
  };
  Side side(const MomentStats& stats) const {
    const int128 centred = stats.sum - static_cast<int128>(stats.weight) * s_.task.scale.centre;
    if constexpr (is_weighted)
      return {stats.weight, centred};
    else
      return {stats.rows, static_cast<double>(centred) / static_cast<double>(s_.weight.each)};
  }
  double cost(Side side) const {
    const Scale& scale = s_.task.scale;
    const double weight = static_cast<double>(side.n) * scale.weight_unit *
                          (is_weighted ? 1.0 : static_cast<double>(s_.weight.each));
    const double sum = static_cast<double>(side.sum) * scale.weight_unit * scale.y_unit *
                       (is_weighted ? 1.0 : static_cast<double>(s_.weight.each));
    return Criterion::impurity(MomentGroup{weight, sum});
  }
  void walk(Span span, Tag::Gap gap) {
    Side left = side(MomentStats()), right = side(s_.known());
    const Side gaps = side(s_.missing());
    if (gap == Tag::left || gap == Tag::right) {
      Side& joined = gap == Tag::left ? left : right;
      joined.n += gaps.n;
      joined.sum += gaps.sum;
    }
    for (std::ptrdiff_t i = 0; i <= span.last; ++i) {
      const std::uint64_t key = s_.keys[static_cast<std::size_t>(i)];
      move(left, right, s_.layout.row(key));
      if (i < span.first || !s_.parts(key, s_.keys[static_cast<std::size_t>(i) + 1])) continue;
      ++tries_;
      const double worth = -cost(left) - cost(right);
      if (worth + slack_ < floor_ || !allows(static_cast<std::int64_t>(i) + 1, left.n, right.n, gap))
        continue;
      floor_ = std::max(floor_, worth - slack_);
      candidates_.push_back({static_cast<std::size_t>(i), gap, worth + slack_, MomentStats()});
    }
  }
  TREEWRIGHT_INLINE void move(Side& left, Side& right, std::size_t row) const {
    const std::int64_t d = s_.target.value[row] - s_.task.scale.centre;
    Sum moved;
    std::int64_t n = 1;
    if constexpr (is_weighted) {
      n = s_.weight.of_row[row];
      moved = static_cast<int128>(n) * d;
    } else {
      moved = static_cast<double>(d);
    }
    left.n += n;
    right.n -= n;
    left.sum += moved;
    right.sum -= moved;
  }
  bool allows(std::int64_t n_left, std::int64_t left, std::int64_t right, Tag::Gap gap) const {
    const std::int64_t gaps = s_.missing().rows, each = is_weighted ? 1 : s_.weight.each;
    const Admission::Size a{n_left + (gap == Tag::left ? gaps : 0), left * each},
        b{s_.known().rows - n_left + (gap == Tag::right ? gaps : 0), right * each};
    return admission_.allows(a, b, gap == Tag::own ? &s_.missing() : nullptr);
  }
  // What lies left of each candidate that is still in the race, exactly.
  void add_up_candidates() {
    std::erase_if(candidates_, [&](const auto& c) { return c.high < floor_; });
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.place < b.place; });
    MomentStats left;
    std::size_t next = 0;
    for (auto& candidate : candidates_) {
      for (; next <= candidate.place; ++next) {
        const std::size_t row = s_.layout.row(s_.keys[next]);
        left.weight += s_.weight[row];
        left.sum += static_cast<int128>(s_.weight[row]) * s_.target.value[row];
        ++left.rows;
      }
      candidate.left = left;
    }
  }

  const SortedTask<NumberTarget>& s_;
  Gaps gaps_;
  Admission admission_;
  double slack_, floor_ = nothing;
  std::int64_t tries_ = 0;
  std::vector<Candidate<MomentStats>> candidates_;
};

template <class Criterion>
SortedOffer<ClassStats> search(const SortedTask<ClassTarget>& s, ClassRoom& room) {
  const bool is_weighted = s.weight.of_row != nullptr;
  if (s.task.n_classes == 2)
    return is_weighted ? ClassSearch<Criterion, 2, true>(s, room).run()
                       : ClassSearch<Criterion, 2, false>(s, room).run();
  return is_weighted ? ClassSearch<Criterion, 0, true>(s, room).run()
                     : ClassSearch<Criterion, 0, false>(s, room).run();
}
template <class Criterion>
SortedOffer<MomentStats> search(const SortedTask<NumberTarget>& s, ClassRoom&) {
  return s.weight.of_row != nullptr ? NumberSearch<Criterion, true>(s).run()
                                    : NumberSearch<Criterion, false>(s).run();
}

}  // namespace sorted

// What SortedCut::best gives, from the order of the column.
template <class Criterion, class Target>
SortedOffer<typename Target::Stats> best_of_order(const SortedTask<Target>& s, sorted::ClassRoom& room) {
  if (s.keys.empty()) return {refusal(Verdict::all_missing), s.task.none()};
  if (s.is_constant() && !s.task.scores_gaps()) return {refusal(Verdict::one_value), s.task.none()};
  const Settings& settings = s.task.settings;
  if (settings.use_c45_cuts &&
      static_cast<double>(s.known().weight) * settings.weight_unit + 1e-6 < 2 * settings.min_branch)
    return {refusal(Verdict::branches_too_small), s.task.none()};
  return sorted::search<Criterion>(s, room);
}

}  // namespace treewright
