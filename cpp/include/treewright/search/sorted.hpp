// The best cut of one column, from the rows of a node in its order: what SortedCut gives, at the speed of a
// walk. Floating point finds the cuts that may be best; Contest judges those few exactly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sorted_classes.hpp"
#include "sorted_task.hpp"

namespace treewright {

namespace sorted {

// Numbers: running sums, raw or of deviations from the node's centre, one cut after the other.
template <class Criterion, bool is_weighted>
class NumberSearch {
 public:
  explicit NumberSearch(const SortedTask<NumberTarget>& s)
      : s_(s),
        gaps_(gaps_of(s.task)),
        admission_(s.task.settings),
        verdicts_(s),
        centre_(Criterion::reads == Reads::raw_sum ? 0 : s.task.scale.centre),
        slack_(score_slack(s.task.scale, s.keys.size())),
        floor_(s.floor - parent_cost() - slack_) {}

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
    return verdicts_.of(candidates_, floor_, tries_);
  }

 private:
  // Sums in floating point, or in whole units where rows have weights of their own.
  using Sum = std::conditional_t<is_weighted, int128, double>;
  struct Side {
    std::int64_t n = 0;
    Sum sum = 0;
  };
  Side side(const MomentStats& stats) const {
    const int128 centred = stats.sum - static_cast<int128>(stats.weight) * centre_;
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
    if constexpr (Criterion::reads == Reads::raw_sum)
      return Criterion::impurity(RateGroup{weight, sum, scale.rate, true});
    else
      return Criterion::impurity(MomentGroup{weight, sum});
  }
  double parent_cost() const {
    if (gaps_ == Gaps::apart) return cost(side(s_.known()));
    return cost(side(s_.task.all())) - (gaps_ == Gaps::own ? cost(side(s_.missing())) : 0);
  }
  void walk(Span span, Tag::Gap gap) {
    Side left = side(MomentStats()), right = side(s_.known());
    const Side gaps = side(s_.missing());
    if (gap == Tag::left || gap == Tag::right) {
      Side& joined = gap == Tag::left ? left : right;
      joined.n += gaps.n;
      joined.sum += gaps.sum;
    }
    start_adding_up();
    for (std::ptrdiff_t i = 0; i <= span.last; ++i) {
      const std::uint64_t key = s_.keys[static_cast<std::size_t>(i)];
      move(left, right, s_.layout.row(key));
      if (i < span.first || !s_.parts(key, s_.keys[static_cast<std::size_t>(i) + 1])) continue;
      ++tries_;
      const double worth = -cost(left) - cost(right);
      if (worth + slack_ < floor_ || !allows(static_cast<std::int64_t>(i) + 1, left.n, right.n, gap))
        continue;
      const Candidate<MomentStats> cut{static_cast<std::size_t>(i), gap, worth + slack_, MomentStats()};
      if (refuses(cut)) continue;
      floor_ = std::max(floor_, worth - slack_);
      candidates_.push_back(cut);
    }
  }
  bool refuses(Candidate<MomentStats> cut) {
    if (!verdicts_.looks_at_branches()) return false;
    cut.left = up_to(cut.place);
    return verdicts_.refuses(cut);
  }
  TREEWRIGHT_INLINE void move(Side& left, Side& right, std::size_t row) const {
    const std::int64_t d = s_.target.value[row] - centre_;
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
    start_adding_up();
    for (auto& candidate : candidates_) candidate.left = up_to(candidate.place);
  }
  // What lies left of cuts further and further on, exactly.
  void start_adding_up() { left_ = MomentStats(); }
  const MomentStats& up_to(std::size_t place) {
    for (auto next = static_cast<std::size_t>(left_.rows); next <= place; ++next) {
      const std::size_t row = s_.layout.row(s_.keys[next]);
      left_.weight += s_.weight[row];
      left_.sum += static_cast<int128>(s_.weight[row]) * s_.target.value[row];
      ++left_.rows;
    }
    return left_;
  }

  const SortedTask<NumberTarget>& s_;
  Gaps gaps_;
  Admission admission_;
  Verdicts<Criterion, NumberTarget> verdicts_;
  std::int64_t centre_;
  double slack_, floor_;  // of worths, which are drops less what the node costs
  std::int64_t tries_ = 0;
  std::vector<Candidate<MomentStats>> candidates_;
  MomentStats left_;
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
