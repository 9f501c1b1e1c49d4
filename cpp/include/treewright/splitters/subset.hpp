// The best division of categories into two sides.
//
// Two classes with a concave criterion, or squared error: order the levels by class share (or mean); the best
// of the contiguous divisions is the best of all (Fisher 1958; Breiman et al. 1984, theorem 4.5). Otherwise
// every subset is tried while there are at most twelve levels. Beyond that the best over several orders (each
// large class against the rest, and the first principal component: Coppersmith, Hong, Hosking 1999) is
// improved by moving single levels, and the result is marked as not exact.
#pragma once

#include <algorithm>
#include <cmath>

#include "task.hpp"

namespace treewright {

constexpr std::size_t max_enumerated_levels = 12;

using Sides = std::vector<std::uint8_t>;  // per level: 0 left, 1 right

// The levels present, the gaps being one more (code -1, last) where they take part in the score.
template <class Stats>
Groups<Stats> with_gap_level(const Task<Stats>& task) {
  Groups<Stats> levels = task.measured.groups;
  if (task.scores_gaps()) levels.push(missing_code, task.measured.missing);
  return levels;
}

inline Sides sides_of_prefix(std::span<const std::uint32_t> order, std::size_t last_left) {
  Sides sides(order.size(), 1);
  for (std::size_t i = 0; i <= last_left; ++i) sides[order[i]] = 0;
  return sides;
}

template <class Stats>
Split side_split(const Task<Stats>& task, const Groups<Stats>& levels, const Sides& sides) {
  Split split;
  split.column = task.index;
  split.kind = SplitKind::values;
  split.n_branches = 2;
  for (std::size_t g = 0; g < levels.size(); ++g) {
    if (levels.code[g] == missing_code) {
      split.missing = sides[g];
    } else {
      split.code.push_back(levels.code[g]);
      split.branch.push_back(sides[g]);
    }
  }
  return split;
}

// Levels by the share of class 1, exactly (cross products of integers), or by mean.
inline std::vector<std::uint32_t> share_order(const Groups<ClassStats>& levels, const Scale&) {
  auto order = identity_order(levels.size());
  std::vector<std::int64_t> ones(levels.size());
  ClassStats one(2);
  for (std::size_t g = 0; g < levels.size(); ++g) {
    one.clear();
    levels.add_to(one, g);
    ones[g] = one.counts[1];
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return static_cast<int128>(ones[a]) * levels.weight[b] < static_cast<int128>(ones[b]) * levels.weight[a];
  });
  return order;
}

inline std::vector<std::uint32_t> share_order(const Groups<MomentStats>& levels, const Scale& scale) {
  auto order = identity_order(levels.size());
  std::vector<double> mean(levels.size());
  for (std::size_t g = 0; g < levels.size(); ++g)
    mean[g] = static_cast<double>(levels.sum[g] - static_cast<int128>(levels.weight[g]) * scale.centre) /
              static_cast<double>(levels.weight[g]);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return mean[a] < mean[b]; });
  return order;
}

// Class shares of each level as real numbers, sparse: what the heuristic orders are made from.
class ShareTable {
 public:
  ShareTable(const Groups<ClassStats>& levels, const Scale& scale, std::size_t n_classes)
      : levels_(&levels), share_(levels.label.size()), weight_(levels.size()), mean_(n_classes) {
    double total = 0;
    for (std::size_t g = 0; g < levels.size(); ++g) {
      double sum = 0;
      each_cell(g, [&](std::size_t i, std::size_t c) {
        share_[i] =
            static_cast<double>(levels.count[i]) * (scale.class_scale.empty() ? 1 : scale.class_scale[c]);
        sum += share_[i];
      });
      each_cell(g, [&](std::size_t i, std::size_t c) {
        mean_[c] += share_[i];
        share_[i] /= sum > 0 ? sum : 1;
      });
      weight_[g] = sum;
      total += sum;
    }
    for (double& m : mean_) m /= total > 0 ? total : 1;
  }
  std::vector<double> of_class(std::size_t wanted) const {
    std::vector<double> out(levels_->size());
    for (std::size_t g = 0; g < out.size(); ++g)
      each_cell(g, [&](std::size_t i, std::size_t c) { out[g] = c == wanted ? share_[i] : out[g]; });
    return out;
  }
  // The projection of each level on the first principal component of the centred shares, by power iteration.
  std::vector<double> principal() const {
    std::vector<double> axis(mean_.size()), out(levels_->size());
    axis[static_cast<std::size_t>(std::max_element(mean_.begin(), mean_.end()) - mean_.begin())] = 1;
    for (int round = 0; round < 30; ++round) {
      project(axis, out);
      std::vector<double> next(axis.size());
      double along = 0, length = 0;
      for (std::size_t g = 0; g < out.size(); ++g) {
        each_cell(g, [&](std::size_t i, std::size_t c) { next[c] += weight_[g] * out[g] * share_[i]; });
        along += weight_[g] * out[g];
      }
      for (std::size_t c = 0; c < next.size(); ++c) {
        next[c] -= along * mean_[c];
        length += next[c] * next[c];
      }
      if (!(length > 0)) break;
      for (std::size_t c = 0; c < next.size(); ++c) axis[c] = next[c] / std::sqrt(length);
    }
    project(axis, out);
    return out;
  }
  // The heaviest classes, at most `most`, heaviest first.
  std::vector<std::uint32_t> heavy_classes(std::size_t most) const {
    auto order = identity_order(mean_.size());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return mean_[a] > mean_[b]; });
    order.resize(std::min(most, order.size()));
    return order;
  }

 private:
  template <class Visit>
  void each_cell(std::size_t g, Visit visit) const {
    for (auto i = static_cast<std::size_t>(levels_->start[g]);
         i < static_cast<std::size_t>(levels_->start[g + 1]); ++i)
      visit(i, static_cast<std::size_t>(levels_->label[i]));
  }
  void project(const std::vector<double>& axis, std::vector<double>& out) const {
    double centre = 0;
    for (std::size_t c = 0; c < axis.size(); ++c) centre += axis[c] * mean_[c];
    for (std::size_t g = 0; g < out.size(); ++g) {
      out[g] = -centre;
      each_cell(g, [&](std::size_t i, std::size_t c) { out[g] += axis[c] * share_[i]; });
    }
  }

  const Groups<ClassStats>* levels_;
  std::vector<double> share_, weight_, mean_;
};

struct Subset {
  template <class Criterion, class Stats>
  static Offer best(const Task<Stats>& task) {
    if (task.measured.groups.size() == 0) return refusal(Verdict::all_missing);
    const Groups<Stats> levels = with_gap_level(task);
    if (levels.size() < 2) return refusal(Verdict::one_value);
    const bool is_ordered =
        Criterion::has_level_order && (std::is_same_v<Stats, MomentStats> || task.n_of_table() == 2);
    std::optional<Winner> winner;
    if (is_ordered) winner = along_shares<Criterion>(task, levels);
    if (!(winner && winner->is_exact) && levels.size() <= max_enumerated_levels)
      winner = enumerate<Criterion>(task, levels);
    if (!winner && !is_ordered) winner = heuristic<Criterion>(task, levels);
    if (!winner) return refusal(Verdict::branches_too_small);
    Offer offer;
    set_scores(offer, winner->found, task, is_outside<Criterion>, IsRatio<Criterion>);
    offer.split = side_split(task, levels, winner->sides);
    offer.split.is_exact = winner->is_exact;
    return offer;
  }

 private:
  struct Winner {
    Found found;
    Sides sides;
    bool is_exact;
  };
  static constexpr auto any_cut = [](auto&&...) { return true; };

  // Contiguous divisions of the levels in share order. Size limits may rule out the proven optimum: then what
  // is left is only the best of the contiguous ones, unless it scores the same.
  template <class Criterion, class Stats>
  static std::optional<Winner> along_shares(const Task<Stats>& task, const Groups<Stats>& levels) {
    auto order = share_order(levels, task.scale);
    auto contest = task.template contest<Criterion>();
    scan_cuts(task, levels, order, false, any_cut, contest);
    auto found = contest.best();
    if (!found) return std::nullopt;
    bool is_exact = true;
    if (contest.has_refused()) {
      auto free = task.template contest<Criterion>(false);
      scan_cuts(task, levels, order, false, any_cut, free);
      is_exact = free.best()->value == found->value;
    }
    return Winner{*found, sides_of_prefix(order, static_cast<std::size_t>(found->tag.position)), is_exact};
  }

  // All 2^(L-1) - 1 divisions by a Gray code: one level changes side at a time, the last always stays right.
  template <class Criterion, class Stats>
  static std::optional<Winner> enumerate(const Task<Stats>& task, const Groups<Stats>& levels) {
    auto contest = task.template contest<Criterion>();
    Stats left = task.none(), right = task.none();
    for (std::size_t g = 0; g < levels.size(); ++g) levels.add_to(right, g);
    std::uint64_t inside = 0;
    for (std::uint64_t step = 1; step < std::uint64_t{1} << (levels.size() - 1); ++step) {
      std::size_t g = 0;
      while (((step >> g) & 1) == 0) ++g;
      inside ^= std::uint64_t{1} << g;
      const std::int64_t sign = (inside >> g) & 1 ? 1 : -1;
      levels.add_to(left, g, sign);
      levels.add_to(right, g, -sign);
      contest.offer({static_cast<std::int64_t>(inside), Tag::apart}, left, right);
    }
    auto found = contest.best();
    if (!found) return std::nullopt;
    Sides sides(levels.size());
    for (std::size_t g = 0; g < levels.size(); ++g)
      sides[g] = (static_cast<std::uint64_t>(found->tag.position) >> g) & 1 ? 0 : 1;
    return Winner{*found, lowest_code_left(sides), true};
  }

  template <class Criterion, class Stats>
  static std::optional<Winner> heuristic(const Task<Stats>& task, const Groups<Stats>& levels) {
    std::optional<Winner> winner;
    auto try_order = [&](const std::vector<std::uint32_t>& order) {
      auto contest = task.template contest<Criterion>();
      scan_cuts(task, levels, order, false, any_cut, contest);
      auto found = contest.best();
      if (found && (!winner || found->value > winner->found.value))
        winner = Winner{*found, sides_of_prefix(order, static_cast<std::size_t>(found->tag.position)), false};
    };
    if constexpr (std::is_same_v<Stats, ClassStats>) {
      auto by = [&](const std::vector<double>& key) {
        auto order = identity_order(levels.size());
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
        try_order(order);
      };
      const ShareTable shares(levels, task.scale, task.n_classes);
      for (auto c : shares.heavy_classes(16)) by(shares.of_class(c));
      if (task.n_classes < 16 && task.n_classes < task.n_of_table())  // a class without rows orders nothing
        try_order(identity_order(levels.size()));
      by(shares.principal());
      if constexpr (!is_outside<Criterion>)
        if (winner && levels.size() * task.n_of_table() <= 20000)
          move_levels<Criterion>(task, levels, *winner);
    } else {
      try_order(share_order(levels, task.scale));
    }
    if (winner) winner->sides = lowest_code_left(winner->sides);
    return winner;
  }

  // Move single levels to the other side, the best move first, until none helps.
  template <class Criterion, class Stats>
  static void move_levels(const Task<Stats>& task, const Groups<Stats>& levels, Winner& winner) {
    for (std::size_t round = 0; round < 2 * levels.size(); ++round) {
      auto contest = task.template contest<Criterion>();
      Stats side[2] = {task.none(), task.none()};
      for (std::size_t g = 0; g < levels.size(); ++g) levels.add_to(side[winner.sides[g]], g);
      for (std::size_t g = 0; g < levels.size(); ++g) {
        Stats& from = side[winner.sides[g]];
        Stats& to = side[1 - winner.sides[g]];
        levels.add_to(from, g, -1);
        levels.add_to(to, g);
        if (from.rows > 0) contest.offer({static_cast<std::int64_t>(g), Tag::apart}, side[0], side[1]);
        levels.add_to(from, g);
        levels.add_to(to, g, -1);
      }
      auto found = contest.best();
      if (!found || !(found->value > winner.found.value)) return;
      const auto moved = static_cast<std::size_t>(found->tag.position);
      winner.sides[moved] = static_cast<std::uint8_t>(1 - winner.sides[moved]);
      winner.found = *found;
    }
  }

  static Sides lowest_code_left(Sides sides) {
    if (!sides.empty() && sides[0] == 1)
      for (auto& side : sides) side = static_cast<std::uint8_t>(1 - side);
    return sides;
  }
};

}  // namespace treewright
