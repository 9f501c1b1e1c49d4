// Growth at the speed of histograms, of the very tree that trying every cut gives: rows are coded once, large
// nodes are searched by bins, small ones sorted once. It serves two-way tests with concave criteria; Growth
// in grow.hpp serves everything.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../divide.hpp"
#include "../frontier.hpp"
#include "../parallel.hpp"
#include "../problem.hpp"
#include "../tree.hpp"
#include "coded.hpp"
#include "drawn_growth.hpp"
#include "growths.hpp"
#include "large.hpp"
#include "record_growth.hpp"
#include "small.hpp"

namespace treewright {

template <class Target, class Criterion, bool is_weighted>
class QuickGrowth {
  using Stats = typename Target::Stats;
  using Open = OpenNode<Stats>;
  using OwnHistogram = Histogram<Target, is_weighted>;
  using OwnCells = Cells<Target, is_weighted>;
  static constexpr bool has_classes = std::is_same_v<Target, ClassTarget>;
  struct Worker;
  struct OpenLarge;
  template <class Key>
  using Small = SmallGrowth<Target, Criterion, is_weighted, Key>;

 public:
  QuickGrowth(const Problem& problem, Target target)
      : problem_(problem),
        settings_(problem.settings),
        logs_(shared_logs(problem)),
        choice_(problem.settings, problem.columns),
        input_(problem.columns, problem.settings, target,
               {is_weighted ? problem.weight : std::span<const std::int64_t>()}, logs_, choice_),
        shared_(problem.settings, input_.n_classes(), static_cast<std::int64_t>(problem.weight.size())),
        rows_(rows_to_grow_on(problem)) {}

  TreeArrays run() {
    Open root = open_root();
    if (!openings::is_finished(root.opening, 0, settings_)) {
      code();
      if (grows_drawn_alone()) return grow_drawn_alone(root);
      grow_from(std::move(root));
    }
    if (settings_.collapse_margin >= 0) shared_.nodes().collapse_useless();
    return with_gaps(shared_.nodes().preorder());
  }

 private:
  const Logs& shared_logs(const Problem& problem) {
    if (problem.coded != nullptr && problem.coded->logs) return *problem.coded->logs;
    return own_logs_.emplace(static_cast<std::int64_t>(problem.weight.size()));
  }
  static std::vector<std::uint32_t> rows_to_grow_on(const Problem& problem) {
    std::vector<std::uint32_t> rows;
    rows.reserve(problem.weight.size());
    for (std::size_t r = 0; r < problem.weight.size(); ++r)
      if (problem.weight[r] > 0) rows.push_back(static_cast<std::uint32_t>(r));
    return rows;
  }

  TreeArrays with_gaps(TreeArrays&& arrays) const {
    for (std::size_t c = 0; c < problem_.columns.size(); ++c) arrays.gaps.push_back(has_gaps_in(c));
    return std::move(arrays);
  }
  void grow_from(Open&& root) {
    if (has_budget(settings_))
      best_first(root);
    else
      depth_first(std::move(root));
  }

  // Are columns drawn at nodes that come one by one?
  bool draws_by_node() const { return !has_classes || has_budget(settings_) || has_categories(problem_); }
  // Do rows count other than whole numbers that are not too large?
  bool has_real_weights() const {
    return settings_.weight_unit != 1 || !settings_.class_scale.empty() || !is_light(most_drawn_weight);
  }
  // Subtrees in which columns are drawn: on records, or on ranks; or nodes one by one.
  struct Drawn {
    std::optional<RecordGrowth> records;
    std::unique_ptr<Subtrees> subtrees;
    std::unique_ptr<NodeByNode<Target>> nodes;
  };
  void make_drawn(Drawn& drawn, const std::function<void()>& breathe) {
    if constexpr (has_classes)
      if (records_ != nullptr) {
        drawn.records.emplace(input_, shared_, *records_, breathe);
        return;
      }
    if (has_real_weights())
      make_on_ranks<true>(drawn, breathe);
    else
      make_on_ranks<false>(drawn, breathe);
  }
  // Two classes have a copy of their own.
  template <bool is_real>
  void make_on_ranks(Drawn& drawn, const std::function<void()>& breathe) {
    if constexpr (has_classes) {
      if (input_.n_classes() == 2)
        make_search<2, is_real>(drawn, breathe);
      else
        make_search<0, is_real>(drawn, breathe);
    } else {
      make_search<1, is_real>(drawn, breathe);
    }
  }
  template <std::size_t n_known, bool is_real>
  void make_search(Drawn& drawn, [[maybe_unused]] const std::function<void()>& breathe) {
    if constexpr (has_classes)
      if (!draws_by_node()) {
        drawn.subtrees =
            std::make_unique<DrawnGrowth<Criterion, n_known, is_real>>(input_, shared_, *ranks_, breathe);
        return;
      }
    drawn.nodes = std::make_unique<DrawnNodes<Target, Criterion, n_known, is_real>>(input_, *ranks_);
  }
  // The nodes below one.
  const DrawnTree& grow_drawn(Worker& worker, std::span<std::uint32_t> rows, const Open& open) {
    return worker.drawn.records ? worker.drawn.records->grow(rows, open)
                                : worker.drawn.subtrees->grow(rows, open);
  }
  // One thread grows the whole tree, and nothing is taken back: its nodes are in their order at once.
  bool grows_drawn_alone() const {
    return draws_alone() && n_threads() == 1 && settings_.collapse_margin < 0 && !draws_by_node();
  }
  TreeArrays grow_drawn_alone([[maybe_unused]] const Open& root) {
    Worker only(*this, [this] { problem_.breathe(shared_.share_settled()); });
    if constexpr (has_classes)
      return with_gaps(grow_drawn(only, rows_, root).arrays(problem_.columns, settings_));
    return {};
  }
  void graft_drawn([[maybe_unused]] Worker& worker, [[maybe_unused]] std::span<std::uint32_t> rows,
                   [[maybe_unused]] const Open& open) {
    if constexpr (has_classes) grow_drawn(worker, rows, open).graft(open.node, input_, shared_);
  }

  // One node: its best test, by which its rows are divided.
  bool decide_drawn(Worker& worker, std::span<std::uint32_t> rows, const Open& open, Best<Stats>& best,
                    Split& split) {
    return worker.drawn.nodes->decide(rows, open, best, split);
  }
  void grow_drawn_node(Worker& worker, const Open& open, DepthFirst<OpenLarge>& frontier) {
    auto found = decide(worker, open);
    if (!found) return shared_.settle(open.opening.stats.rows);
    Open &left = found->left, &right = found->right;
    left.node = shared_.split(open.node, std::move(found->split), found->gain, left.opening, right.opening);
    right.node = left.node + 1;
    const bool ends_left = shared_.settle_if_finished(left), ends_right = shared_.settle_if_finished(right);
    if (!ends_right) frontier.push({std::move(right), {}});
    if (!ends_left) frontier.push({std::move(left), {}});
  }

  // What one thread works with.
  struct Worker {
    const QuickGrowth& growth;
    std::function<void()> breathe;
    Small<ShortKey> small;
    std::optional<Small<LongKey>> middle;
    std::optional<LargeSearch<Target, Criterion, is_weighted>> large;
    Drawn drawn;
    std::vector<std::uint32_t> spare;

    Worker(QuickGrowth& owner, std::function<void()> breather)
        : growth(owner), breathe(std::move(breather)), small(owner.input_, owner.shared_, breathe) {
      if (owner.table_) {
        middle.emplace(owner.input_, owner.shared_, breathe);
        large.emplace(owner.input_, *owner.layout_, *owner.cells_, breathe);
      }
      if (owner.draws_alone()) owner.make_drawn(drawn, breathe);
    }
  };
  struct OpenLarge {
    Open open;
    OwnHistogram histogram;
  };

  std::size_t n_threads() const { return static_cast<std::size_t>(settings_.n_threads); }
  std::span<std::uint32_t> rows_of(Stretch at) { return std::span(rows_).subspan(at.begin, at.size()); }
  auto pieces_of(Stretch at) {
    return rows_of(at) |
           std::views::transform([this](std::uint32_t row) { return input_.weights.piece(row); });
  }

  Open open_root() {
    const Stretch all{0, rows_.size()};
    Stats stats = input_.target.none();
    for (Piece piece : pieces_of(all)) input_.target.add(stats, piece);
    Open root{{{}, all}, input_.open(stats, pieces_of(all))};
    choice_.set_root(static_cast<double>(stats.weight) * settings_.weight_unit, root.opening.scale.weight);
    root.node = shared_.add_root(root.opening);
    return root;
  }

  // The table as bytes for large nodes, and as ranks where columns are drawn; made here, unless it was
  // before.
  void code() {
    const Coded* coded = problem_.coded;
    if (coded == nullptr) {
      coded = &own_;
      code_table(problem_, input_.target, IsOfSquares<Criterion>, own_);
    }
    if (coded->bins) {
      table_ = input_.table = &*coded->bins;
      layout_.emplace(*table_);
      cells_.emplace(input_.target, input_.weights);
    }
    if (coded->records && is_light(RecordTable::max_weight)) {
      records_ = &*coded->records;
    } else if (coded->records) {  // a row was drawn so often that it weighs too much
      code_ranks(problem_, own_);
      coded = &own_;
    }
    if (coded->ranks) ranks_ = &*coded->ranks;
  }
  // Do drawn.hpp or record_growth.hpp grow everything?
  bool draws_alone() const { return records_ != nullptr || ranks_ != nullptr; }
  // Do all rows count little enough for them?
  bool is_light(std::int64_t most_of_row) const {
    std::int64_t total = 0;
    for (std::int64_t w : problem_.weight) {
      if (w > most_of_row) return false;
      total += w;
    }
    return total <= most_drawn_weight;
  }
  bool has_gaps_in(std::size_t c) const {
    if (records_ != nullptr) return false;
    if (ranks_ != nullptr) return ranks_->has_gaps(c);
    return table_ != nullptr ? table_->has_gaps(c) : has_gaps(problem_.columns[c]);
  }
  // Is a histogram of all columns smaller than the rows themselves, and do bins bound what is inside them?
  bool is_large(const Open& open) const {
    const std::size_t n = open.at.size();
    if (table_ == nullptr || n <= ShortKey::max_rows) return false;
    if (n > LongKey::max_rows) return true;
    if (n * table_->n_columns() <= most_sorted && has_many_classes(open)) return false;
    return layout_->n_cells() * cells_->width() <= n * table_->n_columns();
  }
  // Of so many classes a bin's box has too many corners to bound anything; a walk along sorted rows has a sum
  // for all of them. (Measured: the two are even at 8 to 20 classes, the more noise the earlier.)
  static bool has_many_classes([[maybe_unused]] const Open& open) {
    std::size_t n = 0;
    if constexpr (has_classes)
      for (std::int64_t count : open.opening.stats.counts) n += count != 0;
    return n >= many_classes;
  }
  static constexpr std::size_t many_classes = 12, most_sorted = std::size_t{1} << 25;
  bool fits_short(std::size_t n) const {
    return n <= ShortKey::max_rows;  // so are the classes that are left
  }

  // ---- depth first --------------------------------------------------------------------------------------

  // Nodes that are small beside the whole table wait until all threads are free for a subtree each.
  void depth_first(Open&& root) {
    const std::size_t n_rows = rows_.size();
    const std::size_t limit = n_threads() > 1 ? std::max<std::size_t>(n_rows / (8 * n_threads()), 2000) : 0;
    Worker first(*this, [this] { problem_.breathe(shared_.share_settled()); });
    std::vector<OpenLarge> tasks;
    grow_subtree(first, {std::move(root), {}}, n_threads(), limit, &tasks);
    std::stable_sort(tasks.begin(), tasks.end(), [](const OpenLarge& a, const OpenLarge& b) {
      return a.open.at.size() > b.open.at.size();
    });
    auto stop = [this] { shared_.stop(); };
    std::vector<std::unique_ptr<Worker>> others(n_threads());
    in_shares(
        n_threads(), tasks.size(), [&] { or_else([&] { first.breathe(); }, stop); },
        [&](std::size_t i, std::size_t t) {
          if (t > 0 && !others[t])
            others[t] = std::make_unique<Worker>(*this, [this] { shared_.leave_if_stopped(); });
          Worker& worker = t == 0 ? first : *others[t];
          or_else([&] { grow_subtree(worker, std::move(tasks[i]), 1, 0, nullptr); }, stop);
        });
  }
  // Do some work; if it throws, others are told first.
  template <class Work, class Tell>
  static void or_else(Work work, Tell tell) {
    try {
      work();
    } catch (...) {
      tell();
      throw;
    }
  }

  // Grow all below a node; nodes with fewer rows than `limit` are left to `tasks`.
  void grow_subtree(Worker& worker, OpenLarge&& root, std::size_t threads, std::size_t limit,
                    std::vector<OpenLarge>* tasks) {
    DepthFirst<OpenLarge> frontier;
    frontier.run(std::move(root), [&](OpenLarge& at) {
      worker.breathe();
      const std::size_t n = at.open.at.size();
      if (tasks != nullptr && n < limit && n < rows_.size()) {
        tasks->push_back(std::move(at));
      } else if (!is_large(at.open)) {
        const auto rows = rows_of(at.open.at);
        if (draws_alone() && draws_by_node())
          grow_drawn_node(worker, at.open, frontier);
        else if (draws_alone())
          graft_drawn(worker, rows, at.open);
        else if (fits_short(n))
          worker.small.grow(rows, std::move(at.open));
        else
          grow_middle(worker, rows, std::move(at.open), limit, tasks);
      } else {
        grow_large(worker, at, threads, frontier);
      }
    });
  }
  // Nodes with fewer rows than `limit` are left to `tasks`, with their rows where they look for them.
  void grow_middle(Worker& worker, std::span<std::uint32_t> rows, Open&& root, std::size_t limit,
                   std::vector<OpenLarge>* tasks) {
    if (tasks == nullptr) return middle(worker).grow(rows, std::move(root));
    const std::size_t first = root.at.begin, n_before = tasks->size();
    worker.spare.resize(rows.size());
    middle(worker).grow(rows, std::move(root), limit, [&](Open&& open, std::span<const std::uint32_t> own) {
      std::copy(own.begin(), own.end(), worker.spare.begin() + static_cast<std::ptrdiff_t>(open.at.begin));
      tasks->push_back({std::move(open), {}});
    });
    for (OpenLarge& task : std::span(*tasks).subspan(n_before)) {
      Stretch& at = task.open.at;
      std::copy_n(worker.spare.begin() + static_cast<std::ptrdiff_t>(at.begin), at.size(),
                  rows.begin() + static_cast<std::ptrdiff_t>(at.begin));
      at = {first + at.begin, first + at.end};
    }
  }
  Small<LongKey>& middle(Worker& worker) {
    if (!worker.middle) worker.middle.emplace(input_, shared_, worker.breathe);
    return *worker.middle;
  }

  void grow_large(Worker& worker, OpenLarge& at, std::size_t threads, DepthFirst<OpenLarge>& frontier) {
    const auto rows = rows_of(at.open.at);
    if (at.histogram.is_empty()) count(worker, at.histogram, rows, threads);
    auto& search = *worker.large;
    Best<Stats> best = search.choose(rows, at.open.opening, at.histogram, threads);
    if (!is_enough(input_, at.open.opening, best)) {
      shared_.settle(at.open.opening.stats.rows);
      return;
    }
    const double gain = gain_of(at.open.opening, best);
    Split split = search.split_of(best);
    worker.spare.resize(rows.size());
    check_divided(search.divide(rows, best, split, worker.spare.data()), best);
    OpenLarge left{child(at.open, best, 0), {}}, right{child(at.open, best, 1), {}};
    left.open.node =
        shared_.split(at.open.node, std::move(split), gain, left.open.opening, right.open.opening);
    right.open.node = left.open.node + 1;
    const bool ends_left = shared_.settle_if_finished(left.open),
               ends_right = shared_.settle_if_finished(right.open);
    const bool is_left_small = left.open.at.size() < right.open.at.size();
    pass_histogram(worker, std::move(at.histogram), is_left_small ? left : right,
                   is_left_small ? right : left, is_left_small ? ends_right : ends_left, threads);
    if (!ends_right) frontier.push(std::move(right));
    if (!ends_left) frontier.push(std::move(left));
  }

  // Several threads count a share of the rows each; this one rests now and then, and all stop when told to.
  void count(Worker& worker, OwnHistogram& histogram, std::span<const std::uint32_t> rows,
             std::size_t threads) {
    const std::size_t chunk = 10'000'000 / table_->n_columns() + 1;
    const std::size_t n_parts = std::min(threads, rows.size() / 20'000 + 1);
    std::vector<OwnHistogram> parts(n_parts);
    std::atomic<bool> is_over{false};
    in_parallel(n_parts, [&](std::size_t t) {
      const std::size_t begin = rows.size() * t / n_parts, end = rows.size() * (t + 1) / n_parts;
      parts[t].clear(*layout_, *cells_);
      for (std::size_t first = begin; first < end && !is_over; first += chunk) {
        if (t == 0) or_else([&] { worker.breathe(); }, [&] { is_over = true; });
        parts[t].count(*table_, *layout_, *cells_, rows.subspan(first, std::min(chunk, end - first)));
      }
    });
    histogram = std::move(parts[0]);
    for (std::size_t t = 1; t < n_parts; ++t) histogram.add(parts[t]);
  }
  // The smaller child is counted, the larger one is what is left of the parent.
  void pass_histogram(Worker& worker, OwnHistogram&& whole, OpenLarge& small, OpenLarge& large,
                      bool is_large_done, std::size_t threads) {
    if (is_large_done || !is_large(large.open)) return;
    count(worker, small.histogram, rows_of(small.open.at), threads);
    whole.subtract(small.histogram);
    large.histogram = std::move(whole);
    if (!is_large(small.open)) small.histogram = {};
  }

  // The branches of a node must get what its test promised.
  static void check_divided(std::size_t n_left, const Best<Stats>& best) {
    if (n_left != static_cast<std::size_t>(best.left.rows))
      throw std::runtime_error("The table changed while the tree was growing; keep it as it is until then.");
  }
  Open child(const Open& open, const Best<Stats>& best, std::uint8_t branch) {
    const Stats& stats = branch == 0 ? best.left : best.right;
    const std::size_t middle = open.at.begin + static_cast<std::size_t>(best.left.rows);
    const Stretch at = branch == 0 ? Stretch{open.at.begin, middle} : Stretch{middle, open.at.end};
    return {{{0, open.depth + 1, path_of_branch(open.path, branch)}, at}, input_.open(stats, pieces_of(at))};
  }

  // ---- best first ---------------------------------------------------------------------------------------

  // A node whose test is known and whose rows are divided, while it waits for its turn.
  struct Waiting : Turn {
    Split split;
    double gain;
    Open left, right;
  };

  // The leaf whose split takes off most impurity is split next, until the budget is spent.
  void best_first(const Open& root) {
    BestFirst<Waiting> frontier(settings_.max_leaves);
    Worker worker(*this, [&] {
      problem_.breathe(static_cast<double>(frontier.n_leaves()) / static_cast<double>(settings_.max_leaves));
    });
    auto enqueue = [&](const Open& open) {
      if (frontier.room() < 2 || openings::is_finished(open.opening, open.depth, settings_)) return;
      worker.breathe();
      if (auto waiting = decide(worker, open)) frontier.push(std::move(*waiting));
    };
    enqueue(root);
    frontier.run(
        [&](Waiting&& next) {
          next.left.node = shared_.split(next.node, std::move(next.split), next.gain, next.left.opening,
                                         next.right.opening);
          next.right.node = next.left.node + 1;
          enqueue(next.left);
          enqueue(next.right);
        },
        [](Waiting&&) {});  // the budget is spent
  }

  std::optional<Waiting> decide(Worker& worker, const Open& open) {
    const auto rows = rows_of(open.at);
    worker.spare.resize(rows.size());
    Best<Stats> best;
    Split split;
    if (draws_alone()) {
      if (!decide_drawn(worker, rows, open, best, split)) return std::nullopt;
    } else if (is_large(open)) {
      OwnHistogram histogram;
      count(worker, histogram, rows, n_threads());
      best = worker.large->choose(rows, open.opening, histogram, n_threads());
      if (!is_enough(input_, open.opening, best)) return std::nullopt;
      split = worker.large->split_of(best);
      check_divided(worker.large->divide(rows, best, split, worker.spare.data()), best);
    } else {
      const bool is_short = fits_short(rows.size());
      const bool is_found = is_short ? worker.small.decide(rows, open, best, split)
                                     : middle(worker).decide(rows, open, best, split);
      if (!is_found) return std::nullopt;
      const auto side = is_short ? worker.small.sides() : middle(worker).sides();
      std::size_t i = 0;  // sides are told by the place of a row in the block
      check_divided(divide_in_two(rows, worker.spare.data(), [&](std::uint32_t) { return side[i++] != 0; }),
                    best);
    }
    const double gain = gain_of(open.opening, best);
    return Waiting{{gain * open.opening.scale.weight, open.node},
                   std::move(split),
                   gain,
                   child(open, best, 0),
                   child(open, best, 1)};
  }

  const Problem& problem_;
  const Settings& settings_;
  std::optional<Logs> own_logs_;  // unless several trees share them
  const Logs& logs_;
  Choice choice_;
  Input<Target> input_;
  SharedNodes<Target> shared_;
  std::vector<std::uint32_t> rows_;  // a node owns a stretch of them
  Coded own_;
  const BinnedTable* table_ = nullptr;
  const RankedTable* ranks_ = nullptr;
  const RecordTable* records_ = nullptr;
  std::optional<CellLayout> layout_;
  std::optional<OwnCells> cells_;
};

// Two classes may be scaled where each row counts one.
inline bool is_pair(const ClassTarget& target) { return target.n_classes == 2; }
inline bool is_pair(const NumberTarget&) { return false; }

// With the kind of rows that the problem has.
template <class Criterion, class Target>
TreeArrays grow_quickly(const Problem& problem, const Target& target) {
  static_assert(LongKey::max_labels >= max_quick_classes);
  const bool is_unweighted =
      problem.settings.weight_unit == 1 && (problem.settings.class_scale.empty() || is_pair(target)) &&
      std::all_of(problem.weight.begin(), problem.weight.end(), [](std::int64_t w) { return w == 1; });
  if (is_unweighted) return QuickGrowth<Target, Criterion, false>(problem, target).run();
  return QuickGrowth<Target, Criterion, true>(problem, target).run();
}

}  // namespace treewright
