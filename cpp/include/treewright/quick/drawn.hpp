// The best test of a node for which a few columns are drawn. To keep all columns in order, as block.hpp does,
// would cost more than to look at those few anew: their ranks are put into buckets, or sorted where they are
// very few, and of the buckets only those are sorted that may hide the best cut.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "drawn_edges.hpp"
#include "drawn_kernels.hpp"
#include "drawn_sides.hpp"
#include "drawn_tree.hpp"
#include "field.hpp"
#include "least_first.hpp"
#include "ranks.hpp"
#include "shared.hpp"
#include "verdict.hpp"

namespace treewright {

// The best test of a node: rows up to some rank go left.
struct DrawnCut {
  std::uint32_t column;
  std::size_t seen;         // which of the columns looked at
  std::uint32_t last_left;  // its greatest rank on the left, or one below the next
  double gain;
  const double* left;  // weights by class on the left
  double drawn_cut;    // between values as it was drawn; a NaN: half way between the neighbours
};

// The best test of a node among the columns that are drawn for it.
template <class Criterion, std::size_t n_known>
class DrawnSearch {
  static constexpr double nothing = -std::numeric_limits<double>::infinity();

 public:
  using Edges = std::conditional_t<n_known == 2, PairEdges<Criterion>, ManyEdges<Criterion>>;
  using Row = typename Edges::Row;

  DrawnSearch(const Field<ClassTarget>& field, const RankedTable& table, std::span<const Row> rows)
      : field_(field),
        table_(table),
        all_marked_(rows),
        sides_(field.logs),
        edges_(field.logs, field.target.n_classes),
        all_(field.target.n_classes),
        bits_(std::max(
            1.0, portable_log2(static_cast<double>(std::max<std::size_t>(2, field.target.n_classes))))) {}

  // Look at all rows of the table: they are named by their numbers.
  void take_table() {
    rows_ = {};
    ranks_ = table_.by_column();
    marked_ = all_marked_;
  }
  // Look at these rows: they are named by their places here.
  void take_rows(std::span<const std::uint32_t> rows) {
    rows_ = rows;
    const std::size_t n = rows.size();
    local_.resize(n * table_.width());
    own_marked_.resize(n);
    for (std::size_t first = 0; first < n; first += tile) turn(first, std::min(tile, n - first));
    for (std::size_t i = 0; i < n; ++i) own_marked_[i] = all_marked_[rows[i]];
    ranks_ = {local_.data(), n};
    marked_ = own_marked_;
  }

  // The best test for some rows with these weights by class, among `active` columns, if there is one that
  // gains enough; columns that could still split go to `open`.
  std::optional<DrawnCut> choose(std::span<const double> counts, std::span<const std::uint32_t> ids,
                                 std::uint64_t path, std::span<const std::uint32_t> active,
                                 std::vector<std::uint32_t>& open) {
    ids_ = ids;
    set_node(counts);
    here_.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) here_[i] = marked_[ids[i]];
    look(path, active, open);
    look_into_buckets();
    collect();
    return judge();
  }

  // Divide the node's rows: left ones first, each part in its old order. Returns the rows next to the cut.
  Neighbours divide(const DrawnCut& found, std::span<std::uint32_t> ids, std::size_t& n_left) {
    const std::size_t n = ids.size();
    if (!seen_[found.seen].is_gathered) {
      rank_.resize(std::max(rank_.size(), (found.seen + 1) * n));
      gather_ranks(ranks_.column(found.column), ids, ranks_of(found.seen));
    }
    const std::uint32_t* rank = ranks_of(found.seen);
    spare_.resize(n);
    std::uint32_t *left = ids.data(), *right = spare_.data();
    std::uint64_t below = 0, above = std::numeric_limits<std::uint64_t>::max();  // the neighbours of the cut
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t id = ids[i];
      const bool is_right = rank[i] > found.last_left;
      const std::uint64_t ranked = std::uint64_t{rank[i]} << 32 | id;
      below = std::max(below, is_right ? 0 : ranked);
      above = std::min(above, is_right ? ranked : std::numeric_limits<std::uint64_t>::max());
      *left = id;
      *right = id;
      left += !is_right;
      right += is_right;
    }
    std::copy(spare_.data(), right, left);
    n_left = static_cast<std::size_t>(left - ids.data());
    return {row_of(static_cast<std::uint32_t>(below)), row_of(static_cast<std::uint32_t>(above))};
  }

 private:
  // A column that was looked at. Its edges: between rows, if they were sorted, or at the ends of buckets.
  struct Seen {
    std::uint32_t column = 0;
    bool is_sorted = false, is_gathered = true;
    Buckets buckets;
    std::size_t first_edge = 0;
    double best = nothing, bound = nothing;  // of its cuts that were scored; of those inside its buckets
    double drawn_cut = std::numeric_limits<double>::quiet_NaN();
  };
  struct Candidate {
    std::size_t seen;
    std::uint32_t last_left;  // ranks up to this one go left
    double worth;
    std::size_t counts;  // where its weights on the left are kept
  };

  std::uint32_t row_of(std::uint32_t id) const { return rows_.empty() ? id : rows_[id]; }
  static constexpr std::size_t tile = 16;  // ranks in a line of cache

  // Some rows from rows to columns: lines are written whole, and the next rows are fetched meanwhile.
  void turn(std::size_t first, std::size_t n_rows) {
    const std::size_t n = rows_.size();
    const std::uint32_t* row[tile];
    for (std::size_t i = 0; i < n_rows; ++i) row[i] = table_.row(rows_[first + i]);
    for (std::size_t i = first + n_rows; i < std::min(n, first + n_rows + tile); ++i)
      table_.fetch_row(rows_[i]);
    for (std::size_t c = 0; c < table_.width(); ++c) {
      std::uint32_t* place = local_.data() + c * n + first;
      for (std::size_t i = 0; i < n_rows; ++i) place[i] = row[i][c];
    }
  }
  std::size_t n_classes() const { return n_known > 0 ? n_known : all_.size(); }
  std::uint32_t* ranks_of(std::size_t seen) { return rank_.data() + seen * ids_.size(); }

  void set_node(std::span<const double> counts) {
    std::copy(counts.begin(), counts.end(), all_.begin());
    total_ = std::accumulate(counts.begin(), counts.end(), 0.0);
    cost_scale_ = fixed_point_scale(total_ * bits_);
    Scale scale;
    scale.cost_scale = cost_scale_;
    slack_ = Judge<Criterion, ClassStats>::slack(scale, 0);  // sums of whole numbers are exact
    sides_.set_node(counts);
    edges_.set_node(counts.data());
  }

  // ---- looking ------------------------------------------------------------------------------------------

  void look(std::uint64_t path, std::span<const std::uint32_t> active, std::vector<std::uint32_t>& open) {
    seen_.clear();
    path_ = path;
    open.assign(active.begin(), active.end());
    field_.hash(active, path, spare_, least_first_.numbers());
    floor_ = nothing;
    std::size_t n_closed = 0;
    while (static_cast<std::int64_t>(seen_.size()) < field_.settings.max_columns) {
      const auto next = least_first_.next();
      if (!next) break;
      if (look_at(active[*next])) continue;
      open[*next] = closed;
      ++n_closed;
    }
    if (n_closed > 0) std::erase(open, closed);
    for (const Seen& seen : seen_) floor_ = std::max(floor_, seen.best);
  }
  static constexpr std::uint32_t closed = std::numeric_limits<std::uint32_t>::max();

  // False if all rows have the same value.
  bool look_at(std::uint32_t c) {
    if (!field_.settings.use_random_cuts && table_.is_two_valued(c)) return look_at_two_valued(c);
    const std::size_t n = ids_.size(), s = seen_.size();
    if (rank_.size() < (s + 1) * n) rank_.resize(std::max((s + 1) * n, 2 * s * n));
    const RankRange range = gather_ranks(ranks_.column(c), ids_, ranks_of(s));
    if (range.least == range.most) return false;
    Seen& seen = seen_.emplace_back();
    seen.column = c;
    if (field_.settings.use_random_cuts) {
      look_at_random_cut(seen, range);
      return true;
    }
    seen.buckets.least = range.least;
    seen.is_sorted = n <= few_rows && range.most - range.least < (1u << 26);
    if (seen.is_sorted)
      look_at_sorted(s);
    else
      look_at_buckets(seen, range.most - range.least);
    return true;
  }
  // The one cut that RandomCut in splitters/random_cut.hpp draws: uniform between the least value and the
  // greatest.
  void look_at_random_cut(Seen& seen, RankRange range) {
    const double low = table_.value(seen.column, range.least), high = table_.value(seen.column, range.most);
    const double share = uniform(field_.draw_cut(seen.column, path_));
    seen.drawn_cut = low + share * (high - low);
    if (seen.drawn_cut >= high) seen.drawn_cut = low;
    const std::uint32_t* rank = ranks_of(seen_.size() - 1);
    const std::uint32_t last_left =
        table_.has_keys(seen.column)
            ? ordered_bits(not_above(seen.drawn_cut))
            : last_not_above(table_.values(seen.column), range, seen.drawn_cut, {rank, ids_.size()});
    seen.buckets.least = last_left;
    seen.buckets.size = 2;
    seen.first_edge =
        *edges_.add_edge(ids_.size(), [&](std::size_t i) { return rank[i] <= last_left; }, here_.data());
    seen.best = edges_.worth(seen.first_edge);
  }
  // The greatest rank whose value is not above a cut. Where rows are few, those of their own values: each is
  // a cache miss, but none waits for another, as the steps of a binary search do.
  static std::uint32_t last_not_above(std::span<const double> values, RankRange range, double cut,
                                      std::span<const std::uint32_t> ranks) {
    if (ranks.size() > 64) {
      const auto above = std::upper_bound(values.begin() + range.least, values.begin() + range.most, cut);
      return static_cast<std::uint32_t>(above - values.begin()) - 1;
    }
    std::uint32_t last = range.least;
    for (std::uint32_t rank : ranks) last = values[rank] <= cut ? std::max(last, rank) : last;
    return last;
  }
  // There is nothing to put in order; ranks are gathered if rows are divided by them.
  bool look_at_two_valued(std::uint32_t c) {
    const auto edge = edges_.add_two_valued(ranks_.column(c), ids_, here_.data());
    if (!edge) return false;
    Seen& seen = seen_.emplace_back();
    seen.column = c;
    seen.is_gathered = false;
    seen.buckets.size = 2;
    seen.first_edge = *edge;
    seen.best = edges_.worth(*edge);
    return true;
  }
  std::span<const std::uint32_t> ranks_seen(std::size_t s) { return {ranks_of(s), ids_.size()}; }

  // Few rows.
  void look_at_sorted(std::size_t s) {
    Seen& seen = seen_[s];
    if (sorted_.size() < (s + 1) * few_rows) sorted_.resize(2 * (s + 1) * few_rows);
    std::int32_t* sorted = sorted_.data() + s * few_rows;
    sort_few_ranks(ranks_seen(s), seen.buckets.least, sorted);
    seen.first_edge = edges_.add_sorted({sorted, ids_.size()}, here_.data());
    for (std::size_t p = 0; p + 1 < ids_.size(); ++p)
      if (is_cut(sorted, p)) seen.best = std::max(seen.best, edges_.worth(seen.first_edge + p));
  }
  static bool is_cut(const std::int32_t* sorted, std::size_t p) {
    return sorted[p] >> 5 != sorted[p + 1] >> 5;
  }

  // More rows: score the ends of buckets, some 16 rows each.
  void look_at_buckets(Seen& seen, std::uint32_t range) {
    const int wanted = std::clamp(static_cast<int>(std::bit_width(ids_.size())) - 4, 6, 12);  // bits
    seen.buckets.shift = std::max(0, static_cast<int>(std::bit_width(range)) - wanted);
    seen.buckets.size = (range >> seen.buckets.shift) + 1;
    seen.first_edge = edges_.add_buckets(seen.buckets, ranks_seen(seen_.size() - 1), here_.data());
    const std::size_t first = seen.first_edge, last = first + seen.buckets.size - 1;
    double before = 0;
    for (std::size_t e = first; e < last; ++e) {
      seen.best = std::max(seen.best, edges_.worth(e));
      seen.bound = std::max(seen.bound, -before - edges_.right_cost(e));
      before = edges_.left_cost(e);
    }
    seen.bound = seen.buckets.shift == 0 ? nothing : std::max(seen.bound, -before);
  }

  // ---- looking inside buckets ---------------------------------------------------------------------------

  void look_into_buckets() {
    candidates_.clear();
    left_.clear();
    by_bound_.clear();
    for (std::size_t s = 0; s < seen_.size(); ++s)
      if (seen_[s].bound > nothing) by_bound_.push_back(s);
    std::sort(by_bound_.begin(), by_bound_.end(),
              [&](std::size_t a, std::size_t b) { return seen_[a].bound > seen_[b].bound; });
    for (std::size_t s : by_bound_) look_into(s);  // what the most promising one hides may spare the others
  }
  void look_into(std::size_t s) {
    const Buckets buckets = seen_[s].buckets;
    const auto [first, last] = choose_buckets(seen_[s]);
    if (first > last) return;
    const std::uint32_t* rank = ranks_of(s);
    place_.resize(ids_.size() + 16);
    const std::size_t n_near =
        places_within(ranks_seen(s), buckets.least + static_cast<std::uint32_t>(first << buckets.shift),
                      static_cast<std::uint32_t>(((last - first + 1) << buckets.shift) - 1), place_.data());
    inside_.resize(n_near + 1);
    std::size_t n_inside = 0;
    for (std::size_t p = 0; p < n_near; ++p) {  // no branch: which rows are inside is not to be guessed
      const std::uint32_t i = place_[p], above = rank[i] - buckets.least;
      inside_[n_inside] = std::uint64_t{above} << 32 | i;
      n_inside += is_open_[above >> buckets.shift];
    }
    inside_.resize(n_inside);
    sort_inside(buckets);
    scan_inside(s);
  }

  // The buckets that may hold a cut as good as the best so far: the first and last of them.
  std::pair<std::size_t, std::size_t> choose_buckets(const Seen& seen) {
    const std::size_t n = seen.buckets.size, none = std::numeric_limits<std::size_t>::max();
    std::pair<std::size_t, std::size_t> found{none, 0};
    is_open_.assign(n, 0);
    double before = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t e = seen.first_edge + b;
      const double bound = -before - edges_.right_cost(e);
      before = edges_.left_cost(e);
      if (bound < floor_ - slack_ * (1 + total_)) continue;
      if (!may_hide(seen, b, bound)) continue;
      is_open_[b] = 1;
      found = {std::min(found.first, b), b};
    }
    return found;
  }
  bool may_hide(const Seen& seen, std::size_t b, double bound) {
    const std::size_t e = seen.first_edge + b;
    if (b > 0 && edges_.is_repeated(e)) return false;
    const double *from = left_of(seen, b), *to = right_end(seen, b);
    double weight = 0;
    for (std::size_t j = 0; j < n_classes(); ++j) weight += to[j] - from[j];
    // A cut one row from a corner lies below it by a share of their distance only.
    const double floor = floor_ - slack_ * (1 + weight);
    if (bound < floor) return false;
    if constexpr (n_known == 2) {
      const double lower_edge = b > 0 ? edges_.worth(e - 1) : sides_.uncut_worth(),
                   upper_edge = b + 1 < seen.buckets.size ? edges_.worth(e) : sides_.uncut_worth();
      return sides_.corner_bound(from, to, lower_edge, upper_edge) >= floor;
    }
    return true;
  }
  // The weights left of a bucket, and left of its end.
  const double* left_of(const Seen& seen, std::size_t b) {
    from_.assign(n_classes(), 0.0);
    if (b > 0) edges_.counts(seen.first_edge + b - 1, from_.data());
    return from_.data();
  }
  const double* right_end(const Seen& seen, std::size_t b) {
    to_.resize(n_classes());
    edges_.counts(seen.first_edge + b, to_.data());
    return to_.data();
  }

  // By rank. Rows of one bucket come together first; each bucket has but a few.
  void sort_inside(Buckets buckets) {
    if (inside_.size() <= few_rows) return sort_some(inside_);
    place_.assign(buckets.size + 1, 0);
    auto bucket_of = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> 32 >> buckets.shift); };
    for (std::uint64_t key : inside_) ++place_[bucket_of(key) + 1];
    for (std::size_t b = 0; b < buckets.size; ++b) place_[b + 1] += place_[b];
    together_.resize(inside_.size());
    for (std::uint64_t key : inside_) together_[place_[bucket_of(key)]++] = key;
    inside_.swap(together_);
    std::size_t begin = 0;
    for (std::size_t b = 0; b < buckets.size; ++b) {
      if (is_open_[b] == 0) continue;
      sort_some(std::span(inside_).subspan(begin, place_[b] - begin));
      begin = place_[b];
    }
  }
  static void sort_some(std::span<std::uint64_t> keys) {
    if (keys.size() > few_rows) return std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::uint64_t key = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
  }

  void scan_inside(std::size_t s) {
    const Buckets buckets = seen_[s].buckets;
    std::size_t in_bucket = std::numeric_limits<std::size_t>::max();
    for (std::size_t p = 0; p + 1 < inside_.size(); ++p) {
      const auto above = static_cast<std::uint32_t>(inside_[p] >> 32),
                 next = static_cast<std::uint32_t>(inside_[p + 1] >> 32);
      const std::size_t b = above >> buckets.shift, i = static_cast<std::uint32_t>(inside_[p]);
      if (b != in_bucket) sides_.start(left_of(seen_[s], b));
      in_bucket = b;
      sides_.move(Edges::label(here_[i]), Edges::weight(here_[i]));
      if (above == next || next >> buckets.shift != b) continue;  // edges have been looked at
      const double worth = sides_.worth();
      if (worth < floor_ - slack_) continue;
      floor_ = std::max(floor_, worth);
      std::copy_n(sides_.left(), n_classes(), keep(s, above, worth));
    }
  }
  // A candidate; its weights on the left are to be written where this points.
  double* keep(std::size_t s, std::uint32_t above, double worth) {
    candidates_.push_back({s, seen_[s].buckets.least + above, worth, left_.size()});
    left_.resize(left_.size() + n_classes());
    return left_.data() + left_.size() - n_classes();
  }

  // ---- judging ------------------------------------------------------------------------------------------

  // The cuts seen at first that are as good as the best.
  void collect() {
    for (std::size_t s = 0; s < seen_.size(); ++s) {
      const Seen seen = seen_[s];
      if (!(seen.best >= floor_ - slack_)) continue;
      const std::int32_t* sorted = sorted_.data() + s * few_rows;
      const std::size_t n_edges = (seen.is_sorted ? ids_.size() : seen.buckets.size) - 1;
      for (std::size_t p = 0; p < n_edges; ++p) {
        const std::size_t e = seen.first_edge + p;
        if (!(edges_.worth(e) >= floor_ - slack_)) continue;
        if (seen.is_sorted ? !is_cut(sorted, p) : p > 0 && edges_.is_repeated(e)) continue;
        const std::uint32_t above = seen.is_sorted
                                        ? static_cast<std::uint32_t>(sorted[p] >> 5)
                                        : static_cast<std::uint32_t>(((p + 1) << seen.buckets.shift) - 1);
        edges_.counts(e, keep(s, above, edges_.worth(e)));
      }
    }
  }

  // The very scores that Contest gives, in the order of columns and places: the first of the best wins.
  std::optional<DrawnCut> judge() {
    std::erase_if(candidates_, [&](const Candidate& c) { return c.worth < floor_ - slack_; });
    if (candidates_.empty()) return std::nullopt;
    auto key = [&](const Candidate& c) {
      return std::pair(field_.columns[seen_[c.seen].column].rank, c.last_left);
    };
    std::sort(candidates_.begin(), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    const std::int64_t parent = cost(all_.data());
    std::optional<DrawnCut> best;
    std::int64_t best_drop = 0, best_value = 0;
    for (const Candidate& candidate : candidates_) {
      const double* left = left_.data() + candidate.counts;
      const std::int64_t drop = parent - cost(left) - cost(rest_of(left)), value = rounded(drop);
      if (best && value <= best_value) continue;
      const Seen& seen = seen_[candidate.seen];
      best = DrawnCut{seen.column, candidate.seen, candidate.last_left, 0, left, seen.drawn_cut};
      best_drop = drop;
      best_value = value;
      if (candidate.worth == 0) break;  // pure children: none is better
    }
    best->gain = static_cast<double>(best_drop) * (1 / (cost_scale_ * total_));
    if (!field_.choice.is_enough(best->gain, total_)) return std::nullopt;
    return best;
  }
  std::int64_t cost(const double* counts) const {
    const double total = std::accumulate(counts, counts + n_classes(), 0.0);
    return std::llrint(Criterion::impurity(ClassGroup{{counts, n_classes()}, total, field_.logs}) *
                       cost_scale_);
  }
  const double* rest_of(const double* left) {
    to_.resize(n_classes());
    for (std::size_t j = 0; j < n_classes(); ++j) to_[j] = all_[j] - left[j];
    return to_.data();
  }

  const Field<ClassTarget>& field_;
  const RankedTable& table_;
  std::span<const Row> all_marked_;  // by row of the table: class and weight
  DrawnSides<Criterion, n_known> sides_;
  Edges edges_;

  RankColumns ranks_;
  std::span<const std::uint32_t> rows_;  // that were brought together; none: all of the table
  std::vector<std::uint32_t> local_;     // their ranks, column after column
  std::span<const Row> marked_;
  std::vector<Row> own_marked_;

  std::vector<double> all_;  // of the node at hand: weights by class
  double bits_, total_ = 0, cost_scale_ = 1, floor_ = nothing, slack_ = 0;
  std::uint64_t path_ = 0;
  std::span<const std::uint32_t> ids_;
  std::vector<Row> here_;
  std::vector<std::uint32_t> spare_;
  LeastFirst least_first_;
  std::vector<Seen> seen_;
  std::vector<std::size_t> by_bound_;
  std::vector<std::uint32_t> rank_;   // of the node's rows, by columns seen
  std::vector<std::int32_t> sorted_;  // `few_rows` a column seen
  std::vector<double> left_, from_, to_;
  std::vector<std::uint8_t> is_open_;
  std::vector<std::uint64_t> inside_, together_;
  std::vector<std::uint32_t> place_;
  std::vector<Candidate> candidates_;
};

}  // namespace treewright
