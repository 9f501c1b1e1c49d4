// The best cut of one column, from the rows of a node in its order: what SortedCut gives, at the speed of a
// walk. Floating point finds the cuts that may be best; Contest judges those few exactly.
//
//   keys    [ . . . . | . . . . | . . . . ]    rows are added up chunk by chunk; only the ends of chunks are
//   scored          ^         ^         ^      scored, and the inside of a chunk whose bound may beat the best
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

#include "../quick/bounds.hpp"
#include "../quick/verdict.hpp"
#include "../splitters/sorted_cut.hpp"
#include "orders.hpp"

namespace treewright {

// What the rows of a node weigh: all the same, or each its own.
struct NodeWeights {
  std::int64_t each = 1;
  const std::int64_t* of_row = nullptr;

  TREEWRIGHT_INLINE std::int64_t operator[](std::size_t row) const {
    return of_row == nullptr ? each : of_row[row];
  }
};

// One cut column of a node.
template <class Target>
struct SortedTask {
  using Stats = typename Target::Stats;
  const Task<Stats>& task;  // of the same column; `measured` has no groups
  const Target& target;
  std::span<const std::uint64_t> keys;
  const KeyLayout& layout;
  NodeWeights weight;

  const Stats& known() const { return task.measured.known; }
  const Stats& missing() const { return task.measured.missing; }
  bool is_constant() const { return layout.place(keys.front()) == layout.place(keys.back()); }
  double value(std::uint64_t key) const { return task.column.value[layout.rank(key)]; }
  // May a cut lie between two neighbours?
  TREEWRIGHT_INLINE bool parts(std::uint64_t low, std::uint64_t high) const {
    if (layout.place(low) == layout.place(high)) return false;
    return !layout.is_close(low) || is_apart(value(low), value(high));
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
  const double side = least_side(static_cast<double>(s.known().weight) * unit, s.task.settings.min_branch,
                                 s.task.n_classes);
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
  double bound(double drop, std::int64_t least, std::int64_t most, std::int64_t sides, std::int64_t own) const {
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

  SortedOffer<Stats> offer_of(const std::vector<Candidate<Stats>>& candidates, const std::optional<Found>& found,
                              std::int64_t tries) const {
    const bool use_c45 = s_.task.settings.use_c45_cuts;
    if (!found) {
      const bool is_refused = !use_c45 || (tries == 0 && !s_.is_constant());
      return {refusal(is_refused ? Verdict::branches_too_small : Verdict::one_value), {}};
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

// The criterion whose corners bound this one inside a chunk, where there is one.
template <class Criterion>
struct CornersOf {
  using Type = Criterion;
};
template <>
struct CornersOf<GainRatio> {
  using Type = Entropy;
};
template <class Criterion>
concept HasTerms = requires(double n, const Logs& logs) { Criterion::term(n, logs); };

// Classes. Two of them have a copy of their own.
template <class Criterion, std::size_t n_known_classes, bool is_weighted>
class ClassSearch {
  using Bounding = typename CornersOf<Criterion>::Type;

 public:
  explicit ClassSearch(const SortedTask<ClassTarget>& s)
      : s_(s),
        k_(n_known_classes > 0 ? n_known_classes : s.task.n_classes),
        gaps_(gaps_of(s.task)),
        scores_(s.task),
        admission_(s.task.settings),
        slack_(Judge<Criterion, ClassStats>::slack(s.task.scale, 0)) {
    for (std::size_t j = 0; j < k_; ++j) unit_.push_back(s.task.scale.class_unit(j));
    real_.resize(k_);
    Reals reals(s.task.scale);
    ClassStats parent = s.known();
    if (gaps_ != Gaps::apart) parent.add(s.missing());
    parent_ = Criterion::impurity(reals.group(parent));
    if (gaps_ == Gaps::own) parent_ -= Criterion::impurity(reals.group(s.missing()));
  }

  SortedOffer<ClassStats> run() {
    span_ = all_cuts(s_);
    if (!span_.is_empty()) {
      add_up();
      if (gaps_ == Gaps::both_sides) {
        score_ends(Tag::left);
        score_ends(Tag::right);
        open_chunks(Tag::left);
        open_chunks(Tag::right);
      } else {
        const Tag::Gap gap = gaps_ == Gaps::own ? Tag::own : Tag::apart;
        score_ends(gap);
        open_chunks(gap);
      }
    }
    return Verdicts<Criterion, ClassTarget>(s_).of(candidates_, floor_, tries_);
  }

 private:
  // Keys [begin, end): the cut at its end lies after key end - 1.
  struct Chunk {
    std::size_t begin, end;
    bool is_cut, has_inside;
  };
  std::int64_t* counts(std::size_t chunk) { return counts_.data() + chunk * k_; }

  // ---- adding up ----------------------------------------------------------------------------------------

  std::size_t chunk_size() const {
    const auto n = static_cast<std::size_t>(span_.last - span_.first + 1);
    if (n <= 32) return 1;
    return std::max<std::size_t>({n / 256, 8, k_ / 4});
  }
  // What lies left of every end of a chunk; how many cuts C4.5 may try.
  void add_up() {
    const auto first = static_cast<std::size_t>(span_.first), last = static_cast<std::size_t>(span_.last);
    std::vector<std::int64_t> left(k_);
    add_keys(0, first, left.data());
    before_ = left;
    const std::size_t size = chunk_size();
    for (std::size_t begin = first; begin <= last;) {
      std::size_t end = std::min(begin + size, last + 1);
      while (end <= last && s_.layout.place(s_.keys[end - 1]) == s_.layout.place(s_.keys[end])) ++end;
      add_keys(begin, end, left.data());
      const bool is_cut = s_.parts(s_.keys[end - 1], s_.keys[end]);
      chunks_.push_back({begin, end, is_cut, has_inside(begin, end, is_cut)});
      counts_.insert(counts_.end(), left.begin(), left.end());
      begin = end;
    }
  }
  void add_keys(std::size_t begin, std::size_t end, std::int64_t* left) const {
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
  // Are there cuts before the end of the chunk? C4.5 counts them.
  bool has_inside(std::size_t begin, std::size_t end, bool is_cut) {
    const std::uint64_t* key = s_.keys.data();
    if (!s_.task.settings.use_c45_cuts) {
      tries_ += is_cut;
      return s_.layout.place(key[begin]) != s_.layout.place(key[end - 1]);
    }
    std::int64_t n_inside = 0;
    for (std::size_t i = begin; i + 1 < end; ++i) n_inside += s_.parts(key[i], key[i + 1]);
    tries_ += n_inside + is_cut;
    return n_inside > 0;
  }

  // ---- scoring ------------------------------------------------------------------------------------------

  std::int64_t weight_of(std::int64_t n) const { return is_weighted ? n : n * s_.weight.each; }

  // One side of a cut.
  struct Side {
    double cost;
    std::int64_t weight;
  };
  // `sign` 1: what was counted; -1: the other known rows. With the gaps, if these join it.
  template <int sign>
  Side side(const std::int64_t* left, bool has_gaps) {
    double total = 0;
    std::int64_t weight = 0;
    const auto& known = s_.known().counts;
    const auto& missing = s_.missing().counts;
    for (std::size_t j = 0; j < k_; ++j) {
      std::int64_t n = weight_of(left[j]);
      if constexpr (sign < 0) n = known[j] - n;
      if (has_gaps) n += missing[j];
      weight += n;
      total += real_[j] = static_cast<double>(n) * unit_[j];
    }
    return {Criterion::impurity(ClassGroup{{real_.data(), k_}, total, *s_.task.scale.logs}), weight};
  }
  bool allows(std::size_t n_left, std::int64_t left, std::int64_t right, Tag::Gap gap) const {
    ClassStats a, b;
    const std::int64_t gaps = s_.missing().rows;
    a.rows = static_cast<std::int64_t>(n_left) + (gap == Tag::left ? gaps : 0);
    b.rows = s_.known().rows - static_cast<std::int64_t>(n_left) + (gap == Tag::right ? gaps : 0);
    a.weight = left;
    b.weight = right;
    return admission_.allows(a, b, gap == Tag::own ? &s_.missing() : nullptr);
  }
  std::int64_t own_weight(Tag::Gap gap) const { return gap == Tag::own ? s_.missing().weight : 0; }

  void score_ends(Tag::Gap gap) {
    auto& left_cost = cost_[gap == Tag::right ? 1 : 0].left;
    auto& right_cost = cost_[gap == Tag::right ? 1 : 0].right;
    left_cost.resize(chunks_.size() + 1);
    right_cost.resize(chunks_.size() + 1);
    const bool joins_left = gap == Tag::left, joins_right = gap == Tag::right;
    left_cost[0] = side<1>(before_.data(), joins_left).cost;
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const Side left = side<1>(counts(c), joins_left), right = side<-1>(counts(c), joins_right);
      left_cost[c + 1] = left.cost;
      right_cost[c] = right.cost;
      if (chunks_[c].is_cut) consider(chunks_[c].end - 1, counts(c), left, right, gap);
    }
  }
  void consider(std::size_t place, const std::int64_t* counted, Side left, Side right, Tag::Gap gap) {
    const double drop = parent_ - left.cost - right.cost;
    const double high = scores_(drop + slack_, left.weight, right.weight, own_weight(gap));
    if (high < floor_ || !allows(place + 1, left.weight, right.weight, gap)) return;
    floor_ = std::max(floor_, scores_(drop - slack_, left.weight, right.weight, own_weight(gap)));
    candidates_.push_back({place, gap, high, stats_of(place + 1, counted)});
  }
  ClassStats stats_of(std::size_t n_rows, const std::int64_t* counted) const {
    ClassStats stats(k_);
    stats.rows = static_cast<std::int64_t>(n_rows);
    for (std::size_t j = 0; j < k_; ++j) stats.weight += stats.counts[j] = weight_of(counted[j]);
    return stats;
  }

  // ---- the inside of chunks -----------------------------------------------------------------------------

  void open_chunks(Tag::Gap gap) {
    const auto& cost = cost_[gap == Tag::right ? 1 : 0];
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      if (!chunks_[c].has_inside) continue;
      const double slack = slack_ * static_cast<double>(chunks_[c].end - chunks_[c].begin + 1);
      const double drop = parent_ - cost.left[c] - cost.right[c] + slack;
      if (bound(c, drop, gap) < floor_ || corners(c, slack, gap) < floor_) continue;
      open(c, gap);
    }
  }
  const std::int64_t* start(std::size_t c) { return c == 0 ? before_.data() : counts(c - 1); }
  double bound(std::size_t c, double drop, Tag::Gap gap) {
    if constexpr (!IsRatio<Criterion>) return drop;
    std::int64_t least = gap == Tag::left ? s_.missing().weight : 0, most = least,
                 sides = s_.known().weight + (gap == Tag::left || gap == Tag::right ? s_.missing().weight : 0);
    for (std::size_t j = 0; j < k_; ++j) {
      least += weight_of(start(c)[j]);
      most += weight_of(counts(c)[j]);
    }
    const std::int64_t first = s_.weight[s_.layout.row(s_.keys[chunks_[c].begin])],
                       last = s_.weight[s_.layout.row(s_.keys[chunks_[c].end - 1])];
    return scores_.bound(drop, least + first, most - last, sides, own_weight(gap));
  }
  // The same from the corners of the chunk's box (quick/bounds.hpp): dearer, and closer.
  double corners(std::size_t c, double slack, Tag::Gap gap) {
    if constexpr (HasTerms<Bounding>) {
      BinView<ClassStats> view{stats_of(0, start(c)), ClassStats(k_), s_.known(), ClassStats(k_)};
      view.inside = stats_of(chunks_[c].end - chunks_[c].begin, counts(c));
      view.after.add(view.inside, -1);
      view.inside.add(view.before, -1);
      if (gap == Tag::left) view.before.add(s_.missing());
      if (gap == Tag::right) view.after.add(s_.missing());
      Costs<Bounding> cost(s_.task.scale);
      return bound(c, parent_ + corner_bound(cost, view, true) + slack, gap);
    } else {
      return std::numeric_limits<double>::infinity();
    }
  }
  void open(std::size_t c, Tag::Gap gap) {
    inside_.assign(start(c), start(c) + k_);
    for (std::size_t i = chunks_[c].begin; i + 1 < chunks_[c].end; ++i) {
      inside_[s_.layout.label(s_.keys[i])] += is_weighted ? s_.weight[s_.layout.row(s_.keys[i])] : 1;
      if (!s_.parts(s_.keys[i], s_.keys[i + 1])) continue;
      consider(i, inside_.data(), side<1>(inside_.data(), gap == Tag::left),
               side<-1>(inside_.data(), gap == Tag::right), gap);
    }
  }

  const SortedTask<ClassTarget>& s_;
  std::size_t k_;
  Gaps gaps_;
  Scores<Criterion, ClassStats> scores_;
  Admission admission_;
  double slack_, parent_ = 0, floor_ = nothing;
  std::vector<double> unit_, real_;
  Span span_;
  std::int64_t tries_ = 0;
  std::vector<std::int64_t> before_, counts_, inside_;
  std::vector<Chunk> chunks_;
  struct {
    std::vector<double> left, right;
  } cost_[2];
  std::vector<Candidate<ClassStats>> candidates_;
};

// Numbers: running sums of deviations from the node's centre, one cut after the other.
template <class Criterion, bool is_weighted>
class NumberSearch {
 public:
  explicit NumberSearch(const SortedTask<NumberTarget>& s)
      : s_(s),
        gaps_(gaps_of(s.task)),
        admission_(s.task.settings),
        slack_(Judge<Criterion, MomentStats>::slack(s.task.scale, s.keys.size())) {}

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
    const double weight =
        static_cast<double>(side.n) * scale.weight_unit * (is_weighted ? 1.0 : static_cast<double>(s_.weight.each));
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
      if (worth + slack_ < floor_ || !allows(static_cast<std::int64_t>(i) + 1, left.n, right.n, gap)) continue;
      floor_ = std::max(floor_, worth - slack_);
      candidates_.push_back({static_cast<std::size_t>(i), gap, worth + slack_, {}});
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
    MomentStats a, b;
    const std::int64_t gaps = s_.missing().rows, each = is_weighted ? 1 : s_.weight.each;
    a.rows = n_left + (gap == Tag::left ? gaps : 0);
    b.rows = s_.known().rows - n_left + (gap == Tag::right ? gaps : 0);
    a.weight = left * each;
    b.weight = right * each;
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
SortedOffer<ClassStats> search(const SortedTask<ClassTarget>& s) {
  const bool is_weighted = s.weight.of_row != nullptr;
  if (s.task.n_classes == 2)
    return is_weighted ? ClassSearch<Criterion, 2, true>(s).run() : ClassSearch<Criterion, 2, false>(s).run();
  return is_weighted ? ClassSearch<Criterion, 0, true>(s).run() : ClassSearch<Criterion, 0, false>(s).run();
}
template <class Criterion>
SortedOffer<MomentStats> search(const SortedTask<NumberTarget>& s) {
  return s.weight.of_row != nullptr ? NumberSearch<Criterion, true>(s).run()
                                    : NumberSearch<Criterion, false>(s).run();
}

}  // namespace sorted

// What SortedCut::best gives, from the order of the column.
template <class Criterion, class Target>
SortedOffer<typename Target::Stats> best_of_order(const SortedTask<Target>& s) {
  if (s.keys.empty()) return {refusal(Verdict::all_missing), {}};
  if (s.is_constant() && !s.task.scores_gaps()) return {refusal(Verdict::one_value), {}};
  const Settings& settings = s.task.settings;
  if (settings.use_c45_cuts &&
      static_cast<double>(s.known().weight) * settings.weight_unit + 1e-6 < 2 * settings.min_branch)
    return {refusal(Verdict::branches_too_small), {}};
  return sorted::search<Criterion>(s);
}

}  // namespace treewright
