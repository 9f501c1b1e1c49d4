// What is asked of the order of one column, and the exact judgement of the few cuts that may be best.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../splitters/sorted_cut.hpp"
#include "judge.hpp"
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
      : s_(s),
        contest_(s.task.template contest<Criterion>()),
        gaps_(gaps_of(s.task)),
        looks_at_branches_(contest_.looks_at_branches()) {}

  // Is this cut one that the contest refuses for what its branches hold? Such a cut is no candidate.
  bool refuses(const Candidate<Stats>& cut) {
    bool is_suited = true;
    if (looks_at_branches_)
      with_branches(cut, [&](auto&&... branches) { is_suited = contest_.suits(branches...); });
    return !is_suited;
  }
  bool looks_at_branches() const { return looks_at_branches_; }

  SortedOffer<Stats> of(std::vector<Candidate<Stats>>& candidates, double floor, std::int64_t tries) {
    std::erase_if(candidates, [&](const auto& c) { return c.high < floor; });
    std::stable_sort(candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) {
      return a.place != b.place ? a.place < b.place : a.gap != b.gap && a.gap == first_side(a.left);
    });
    for (const auto& candidate : candidates)
      with_branches(candidate, [&](auto&&... branches) { contest_.offer(branches...); });
    if (gaps_ != Gaps::apart) contest_.offer({Tag::known_or_missing, Tag::right}, s_.known(), s_.missing());
    return offer_of(candidates, contest_.best(), tries);
  }

 private:
  Tag::Gap first_side(const Stats& left) const {
    return 2 * left.weight >= s_.known().weight ? Tag::left : Tag::right;
  }
  // The branches of a cut, with the gaps where it sends them.
  template <class Visit>
  void with_branches(const Candidate<Stats>& cut, Visit visit) {
    right_ = s_.known();
    right_.add(cut.left, -1);
    const Tag tag{static_cast<std::int64_t>(cut.place), cut.gap};
    if (cut.gap == Tag::apart) return visit(tag, cut.left, right_);
    if (cut.gap == Tag::own) return visit(tag, cut.left, right_, &s_.missing());
    joined_ = cut.gap == Tag::left ? cut.left : right_;
    joined_.add(s_.missing());
    if (cut.gap == Tag::left)
      visit(tag, joined_, right_);
    else
      visit(tag, cut.left, joined_);
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
  bool looks_at_branches_;
  Stats right_, joined_;  // of the cut at hand
};

}  // namespace sorted

}  // namespace treewright
