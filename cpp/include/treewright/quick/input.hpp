// What all quick searches of one growth share and none changes: the table, the target, the settings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../choice.hpp"
#include "../draws.hpp"
#include "../logs.hpp"
#include "../opening.hpp"
#include "../settings.hpp"
#include "../splitters/task.hpp"
#include "histogram.hpp"

namespace treewright {

template <class Target>
struct Input {
  using Stats = typename Target::Stats;
  std::span<const Column> columns;
  const Settings& settings;
  Target target;
  RowWeights weights;
  const Logs& logs;
  const Choice& choice;
  std::vector<std::uint32_t> order;    // the columns in the order that settles ties
  const BinnedTable* table = nullptr;  // where nodes are large enough for one

  Input(std::span<const Column> all, const Settings& all_settings, const Target& goal, RowWeights row_weights,
        const Logs& all_logs, const Choice& all_choice)
      : columns(all),
        settings(all_settings),
        target(goal),
        weights(row_weights),
        logs(all_logs),
        choice(all_choice),
        order(all.size()) {
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return columns[a].rank < columns[b].rank; });
  }

  std::size_t n_classes() const {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return target.n_classes;
    else
      return 0;
  }
  Task<Stats> task(std::uint32_t column, const Measured<Stats>& measured,
                   const Opening<Stats>& opening) const {
    return {columns[column],
            static_cast<std::int32_t>(column),
            measured,
            opening.scale,
            settings,
            n_classes(),
            opening.stats.weight,
            0,
            nullptr,
            n_of_table()};
  }
  // Classes of the table: where only those that are left have a number, n_classes() says how many these are.
  std::size_t n_of_table() const {
    if constexpr (std::is_same_v<Target, ClassTarget>)
      return target.n_of_table();
    else
      return 0;
  }
  // What each of some columns draws at a node: those with the least are looked at first. `ranks` is scratch.
  void hash(std::span<const std::uint32_t> some, std::uint64_t path, std::vector<std::uint32_t>& ranks,
            std::vector<std::uint64_t>& hashes) const {
    ranks.clear();
    for (std::uint32_t c : some) ranks.push_back(static_cast<std::uint32_t>(columns[c].rank));
    hashes.resize(some.size());
    hash_ranks(ranks, path, hashes.data());
  }
  // The same for columns of these ranks.
  void hash_ranks(std::span<const std::uint32_t> ranks, std::uint64_t path, std::uint64_t* hashes) const {
    draw_many(settings.seed + 0x9E3779B97F4A7C15, settings.tree, path, ranks, hashes);
  }
  // What a column draws at a node for a cut at random; and columns of these ranks.
  std::uint64_t draw_cut(std::uint32_t column, std::uint64_t path) const {
    return draw(cut_seed(), settings.tree, path, static_cast<std::uint32_t>(columns[column].rank));
  }
  void draw_cuts(std::span<const std::uint32_t> ranks, std::uint64_t path, std::uint64_t* found) const {
    draw_many(cut_seed(), settings.tree, path, ranks, found);
  }
  std::uint64_t cut_seed() const { return settings.seed + 2 * 0x9E3779B97F4A7C15; }
  // How the integers of a node translate into real numbers, but for what is its own: weight and costs.
  Scale scale() const {
    Scale scale;
    scale.weight_unit = settings.weight_unit;
    scale.y_unit = settings.y_unit;
    scale.class_scale = settings.class_scale;
    scale.logs = &logs;
    return scale;
  }
  template <class Pieces>
  Opening<Stats> open(const Stats& stats, const Pieces& pieces) const {
    return openings::of(stats, target, settings, logs, pieces);
  }
};

// The one cut that RandomCut in splitters/random_cut.hpp draws: uniform between the least value and the
// greatest.
inline double cut_within(double low, double high, std::uint64_t bits) {
  const double cut = low + uniform(bits) * (high - low);
  return cut >= high ? low : cut;
}

// The smallest sides a cut may have, for cuts that divide the rows of a node in two.
struct SideLimits {
  double rows = 0, weight = 0;
  explicit SideLimits(const Settings& s)
      : rows(std::max(s.min_leaf, s.min_branch)), weight(s.min_leaf_weight * (1 - 1e-9)) {}
  bool any() const { return rows > 1 || weight > 0; }
  bool allow(double n_rows, double n_weight) const { return n_rows >= rows && n_weight >= weight; }
};

}  // namespace treewright
