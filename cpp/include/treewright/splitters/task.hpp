// What a splitter is given, and the one scan that all two-way splitters share.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../contest.hpp"
#include "../groups.hpp"
#include "../split.hpp"

namespace treewright {

template <class Stats>
struct Task {
  const Column& column;
  std::int32_t index;
  const Measured<Stats>& measured;
  const Scale& scale;
  const Settings& settings;
  std::size_t n_classes;       // 0 for regression
  std::int64_t node_weight;    // fixed point, gaps included
  std::uint64_t draw_bits;     // for random cuts
  const BatchScore* outside;   // for a criterion from outside
  std::size_t n_declared = 0;  // classes of the table, where only those that are left have a number; 0: all

  std::size_t n_of_table() const { return n_declared > 0 ? n_declared : n_classes; }

  bool has_gaps() const { return measured.missing.rows > 0; }
  // Do rows with a gap take part in the score, on one side or a branch of their own?
  bool scores_gaps() const {
    return has_gaps() &&
           (settings.missing == MissingPolicy::learned || settings.missing == MissingPolicy::own_branch);
  }
  Stats none() const { return Stats(n_classes); }
  Stats all() const {
    Stats sum = measured.known;
    sum.add(measured.missing);
    return sum;
  }

  Admission admission() const { return Admission(settings, scale.bounds, column.direction); }
  template <class Criterion>
  Contest<Criterion, Stats> contest(bool with_admission = true) const {
    std::optional<Admission> admission;
    if (with_admission) admission = this->admission();
    const std::optional<Stats> sum = scores_gaps() ? std::optional(all()) : std::nullopt;
    const Stats& parent = sum ? *sum : measured.known;
    if constexpr (is_outside<Criterion>)
      return {scale, parent, admission, *outside, column.rank};
    else
      return {scale, parent, scores_gaps() ? 0 : measured.missing.weight, admission};
  }
};

// Offer every cut along `order`: groups order[0..i] on the left, the others on the right. Gaps stay apart,
// try both sides (heavier first, so that it wins ties), or form a third branch.
//   order = [ g0 g1 | g2 g3 ]      left and right are kept by moving one group at a time
template <class Stats, class Accepts, class Sink>
void scan_cuts(const Task<Stats>& task, const Groups<Stats>& groups, std::span<const std::uint32_t> order,
               bool with_gaps, Accepts accepts, Sink& contest) {
  const Stats& missing = task.measured.missing;
  const bool own = with_gaps && task.settings.missing == MissingPolicy::own_branch;
  Stats left = task.none(), right = task.none(), joined = task.none();
  for (auto g : order) groups.add_to(right, g);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    groups.add_to(left, order[i]);
    groups.add_to(right, order[i], -1);
    if (!accepts(i, left, right)) continue;
    const auto position = static_cast<std::int64_t>(i);
    if (!with_gaps) {
      contest.offer({position, Tag::apart}, left, right);
    } else if (own) {
      contest.offer({position, Tag::own}, left, right, &missing);
    } else {
      const bool left_first = left.weight >= right.weight;
      for (bool to_left : {left_first, !left_first}) {
        joined = to_left ? left : right;
        joined.add(missing);
        if (to_left)
          contest.offer({position, Tag::left}, joined, right);
        else
          contest.offer({position, Tag::right}, left, joined);
      }
    }
  }
  if (with_gaps && !order.empty())
    contest.offer({Tag::known_or_missing, Tag::right}, task.measured.known, missing);
}

inline std::vector<std::uint32_t> identity_order(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Fill in the figures of an offer from the winner of a contest; its Split is the splitter's own business.
template <class Stats>
void set_scores(Offer& offer, const Found& found, const Task<Stats>& task, bool is_outside, bool is_ratio) {
  const double per_weight = is_outside ? 1 : 1 / (task.scale.cost_scale * task.scale.weight);
  offer.verdict = Verdict::chosen;
  offer.value = found.value;
  offer.tie = found.tie;
  offer.gain = is_outside ? found.value : static_cast<double>(found.drop) * per_weight;
  offer.split_info = found.split_info;
  offer.score = is_ratio ? found.value * per_weight : offer.gain;
  offer.split.column = task.index;
}

inline Offer refusal(Verdict verdict) {
  Offer offer;
  offer.verdict = verdict;
  return offer;
}

}  // namespace treewright
