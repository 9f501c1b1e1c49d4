// The best test of a node for which a few columns are drawn. To keep all columns in order, as block.hpp does,
// would cost more than to look at those few anew: their ranks are put into buckets, or sorted where they are
// very few, and of the buckets only those are sorted that may hide the best cut.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "drawn_sides.hpp"
#include "field.hpp"
#include "ranks.hpp"
#include "shared.hpp"
#include "verdict.hpp"

namespace treewright {

// A row in one word: its class, and how much it counts.
struct LabelledWeight {
  static constexpr std::int64_t most = 0xFFFF;
  std::uint32_t word = 0;
  LabelledWeight() = default;
  LabelledWeight(std::int32_t label, std::int64_t weight)
      : word(static_cast<std::uint32_t>(label) << 16 | static_cast<std::uint32_t>(weight)) {}
  std::size_t label() const { return word >> 16; }
  std::uint32_t weight() const { return word & 0xFFFF; }
};

// The best test of a node among the columns that are drawn for it.
template <class Criterion, std::size_t n_known>
class DrawnSearch {
  static constexpr double nothing = -std::numeric_limits<double>::infinity();
  static constexpr std::size_t few = 32;  // rows that are sorted rather than put into buckets

 public:
  DrawnSearch(const Field<ClassTarget>& field, const RankedTable& table,
              std::span<const LabelledWeight> labelled)
      : field_(field), table_(table), all_labelled_(labelled), sides_(field.logs) {}

  // Look at all rows of the table: they are named by their numbers.
  void take_table() {
    rows_ = {};
    ranks_ = table_.by_column();
  }
  // Look at these rows: they are named by their places here.
  void take_rows(std::span<const std::uint32_t> rows) {
    rows_ = rows;
    const std::size_t n = rows.size();
    local_.resize(n * table_.width());
    labelled_.resize(n);
    for (std::size_t first = 0; first < n; first += tile) turn(first, std::min(tile, n - first));
    for (std::size_t i = 0; i < n; ++i) labelled_[i] = all_labelled_[rows[i]];
    ranks_ = {local_.data(), n};
  }

  // The best test for some rows, among `active` columns; those that could still split go to
  // `open`.
  Best<ClassStats> choose(const Opening<ClassStats>& opening, std::span<const std::uint32_t> ids,
                          std::uint64_t path, std::span<const std::uint32_t> active,
                          std::vector<std::uint32_t>& open) {
    opening_ = &opening;
    ids_ = ids;
    sides_.set_node(opening.stats.counts);
    slack_ = Judge<Criterion, ClassStats>::slack(opening.scale, 0);  // sums of whole numbers are exact
    gather_rows();
    look(path, active, open);
    look_into_buckets();
    collect();
    return judge();
  }

  // The best test as a split. The node's rows are divided: left ones first, each part in its old order.
  Split split_of(Best<ClassStats>& best, std::span<std::uint32_t> ids) {
    const Candidate& found = candidates_[best.place];
    const std::uint32_t* rank = ranks_of(found.seen);
    const std::size_t n = ids.size();
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
    best.left.rows = left - ids.data();
    best.right.rows = static_cast<std::int64_t>(n) - best.left.rows;
    const Numbers& numbers = field_.columns[best.column].number;
    Split split = cut_between(best.column, numbers[row_of(static_cast<std::uint32_t>(below))],
                              numbers[row_of(static_cast<std::uint32_t>(above))], Tag::apart);
    place_gaps(split, field_.settings, best.left.weight, best.right.weight, static_cast<std::int64_t>(n));
    return split;
  }

 private:
  // A column that was looked at.
  struct Seen {
    std::uint32_t column = 0, least = 0;
    int shift = 0;  // ranks are put into buckets without so many bits
    std::size_t n_buckets = 0, first_bucket = 0;
    double best = nothing, bound = nothing;  // of its cuts that were scored; of those inside its buckets
  };
  // A bucket from outside: the worth of the cut at its end, and a bound of those inside; nothing if empty.
  struct Edge {
    double worth = nothing, bound = nothing;
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
  std::size_t n_classes() const { return n_known > 0 ? n_known : field_.target.n_classes; }
  std::uint32_t* ranks_of(std::size_t seen) { return rank_.data() + seen * ids_.size(); }
  double* bucket(const Seen& seen, std::size_t b) {
    return bucket_.data() + (seen.first_bucket + b) * n_classes();
  }
  Edge& edge(const Seen& seen, std::size_t b) { return edge_[seen.first_bucket + b]; }

  void gather_rows() {
    const std::size_t n = ids_.size();
    here_.resize(n);
    if (rows_.empty())
      for (std::size_t i = 0; i < n; ++i) here_[i] = all_labelled_[ids_[i]];
    else
      for (std::size_t i = 0; i < n; ++i) here_[i] = labelled_[ids_[i]];
  }

  // ---- looking ------------------------------------------------------------------------------------------

  void look(std::uint64_t path, std::span<const std::uint32_t> active, std::vector<std::uint32_t>& open) {
    seen_.clear();
    bucket_.clear();
    edge_.clear();
    open.clear();
    waiting_.assign(active.begin(), active.end());
    field_.hash(active, path, spare_, hash_);
    floor_ = nothing;
    while (!waiting_.empty() && static_cast<std::int64_t>(seen_.size()) < field_.settings.max_columns) {
      const auto next =
          static_cast<std::size_t>(std::min_element(hash_.begin(), hash_.end()) - hash_.begin());
      const std::uint32_t c = waiting_[next];
      waiting_[next] = waiting_.back();
      waiting_.pop_back();
      hash_[next] = hash_.back();
      hash_.pop_back();
      if (look_at(c)) open.push_back(c);
    }
    open.insert(open.end(), waiting_.begin(), waiting_.end());
    for (const Seen& seen : seen_) floor_ = std::max(floor_, seen.best);
  }

  // False if all rows have the same value.
  bool look_at(std::uint32_t c) {
    const std::size_t n = ids_.size(), s = seen_.size();
    if (rank_.size() < (s + 1) * n) rank_.resize((s + 1) * n);
    std::uint32_t *rank = ranks_of(s), least = std::numeric_limits<std::uint32_t>::max(), most = 0;
    const std::uint32_t* source = ranks_.column(c);
    for (std::size_t i = 0; i < n; ++i) {
      rank[i] = source[ids_[i]];
      least = std::min(least, rank[i]);
      most = std::max(most, rank[i]);
    }
    if (least == most) return false;
    Seen seen;
    seen.column = c;
    seen.least = least;
    if (is_sorted(most - least)) {
      sort_few(rank, least);
      seen_.push_back(seen);
      seen_.back().best = best_of_sorted(s);
    } else {
      seen_.push_back(seen);
      fill_buckets(seen_.back(), rank, most - least);
      look_at_buckets(seen_.back());
    }
    return true;
  }

  // ---- few rows: sorted ---------------------------------------------------------------------------------

  // A rank and a place in one number of 31 bits.
  bool is_sorted(std::uint32_t range) const { return ids_.size() <= few && range < (1u << 26); }
  // Each number's place is how many are below it: no branch to guess, and four at once.
  void sort_few(const std::uint32_t* rank, std::uint32_t least) {
    const std::size_t n = ids_.size();
    alignas(32) std::int32_t key[few], place[few] = {};
    for (std::size_t i = 0; i < n; ++i) key[i] = static_cast<std::int32_t>((rank[i] - least) << 5 | i);
    for (std::size_t i = n; i < few; ++i) key[i] = std::numeric_limits<std::int32_t>::max();
    const std::size_t padded = (n + 7) / 8 * 8;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t other = key[j];
      for (std::size_t i = 0; i < padded; ++i) place[i] += other < key[i];
    }
    sorted_.resize((seen_.size() + 1) * few);
    std::int32_t* sorted = sorted_.data() + seen_.size() * few;
    for (std::size_t i = 0; i < n; ++i) sorted[place[i]] = key[i];
  }
  template <class Visit>
  void for_each_sorted_cut(std::size_t s, Visit visit) {
    const std::int32_t* key = sorted_.data() + s * few;
    sides_.start();
    for (std::size_t p = 0; p + 1 < ids_.size(); ++p) {
      const auto i = static_cast<std::size_t>(key[p] & 31);
      sides_.move(here_[i].label(), here_[i].weight());
      if (key[p] >> 5 != key[p + 1] >> 5) visit(static_cast<std::uint32_t>(key[p] >> 5), sides_.worth());
    }
  }
  double best_of_sorted(std::size_t s) {
    double best = nothing;
    for_each_sorted_cut(s, [&](std::uint32_t, double worth) { best = std::max(best, worth); });
    return best;
  }

  // ---- more rows: buckets -------------------------------------------------------------------------------

  void fill_buckets(Seen& seen, const std::uint32_t* rank, std::uint32_t range) {
    const std::size_t n = ids_.size(), k = n_classes();
    const int wanted = std::clamp(static_cast<int>(std::bit_width(n)) - 4, 5, 12);  // bits: some 16 rows each
    seen.shift = std::max(0, static_cast<int>(std::bit_width(range)) - wanted);
    seen.n_buckets = (range >> seen.shift) + 1;
    seen.first_bucket = bucket_.size() / k;
    bucket_.resize(bucket_.size() + seen.n_buckets * k);
    edge_.resize(edge_.size() + seen.n_buckets);
    count_.assign(seen.n_buckets * k, 0);
    for (std::size_t i = 0; i < n; ++i)
      count_[((rank[i] - seen.least) >> seen.shift) * k + here_[i].label()] += here_[i].weight();
  }
  // Score the ends of buckets, and keep what lies left of them.
  void look_at_buckets(Seen& seen) {
    sides_.start();
    double before = 0;
    for (std::size_t b = 0; b < seen.n_buckets; ++b) {
      if (!sides_.move_all(count_.data() + b * n_classes(), bucket(seen, b))) continue;
      const double after = sides_.right_cost();
      edge(seen, b).bound = -before - after;
      seen.bound = std::max(seen.bound, -before - after);
      before = sides_.left_cost();
      edge(seen, b).worth = sides_.has_right() ? -before - after : nothing;
      seen.best = std::max(seen.best, edge(seen, b).worth);
    }
    if (seen.shift == 0) seen.bound = nothing;  // nothing is hidden
  }

  // ---- looking inside buckets ---------------------------------------------------------------------------

  void look_into_buckets() {
    candidates_.clear();
    left_.clear();
    by_bound_.resize(seen_.size());
    std::iota(by_bound_.begin(), by_bound_.end(), std::size_t{0});
    std::sort(by_bound_.begin(), by_bound_.end(),
              [&](std::size_t a, std::size_t b) { return seen_[a].bound > seen_[b].bound; });
    for (std::size_t s : by_bound_)  // what the most promising one hides may spare the others
      if (seen_[s].bound > nothing) look_into(s);
  }
  void look_into(std::size_t s) {
    const Seen seen = seen_[s];
    if (!choose_buckets(seen)) return;
    const std::uint32_t* rank = ranks_of(s);
    inside_.resize(ids_.size() + 1);
    std::size_t n_inside = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const std::uint32_t above =
          rank[i] - seen.least;  // no branch: which rows are inside is not to be guessed
      inside_[n_inside] = std::uint64_t{above} << 32 | i;
      n_inside += is_open_[above >> seen.shift];
    }
    inside_.resize(n_inside);
    sort_inside(seen);
    scan_inside(s);
  }

  // The buckets that may hold a cut as good as the best so far.
  bool choose_buckets(const Seen& seen) {
    bool any = false;
    is_open_.assign(seen.n_buckets, 0);
    double lower_edge = nothing;
    for (std::size_t b = 0; b < seen.n_buckets; ++b) {
      const Edge at = edge(seen, b);
      if (at.bound == nothing) continue;
      // A cut one row from a corner lies below it by a share of their distance only.
      if (at.bound >= floor_ - slack_ * (1 + weight_of(seen, b)) && may_hide(seen, b, lower_edge)) {
        is_open_[b] = 1;
        any = true;
      }
      lower_edge = at.worth;
    }
    return any;
  }
  const double* left_of(const Seen& seen, std::size_t b) {
    if (b > 0) return bucket(seen, b - 1);
    none_.assign(n_classes(), 0.0);
    return none_.data();
  }
  double weight_of(const Seen& seen, std::size_t b) {
    const double *from = left_of(seen, b), *to = bucket(seen, b);
    double sum = 0;
    for (std::size_t j = 0; j < n_classes(); ++j) sum += to[j] - from[j];
    return sum;
  }
  bool may_hide([[maybe_unused]] const Seen& seen, [[maybe_unused]] std::size_t b,
                [[maybe_unused]] double lower_edge) {
    if constexpr (n_known == 2) {
      const double upper_edge = edge(seen, b).worth == nothing ? sides_.uncut_worth() : edge(seen, b).worth;
      return sides_.corner_bound(left_of(seen, b), bucket(seen, b), lower_edge, upper_edge) >=
             floor_ - slack_ * (1 + weight_of(seen, b));
    }
    return true;
  }

  // By rank. Rows of one bucket come together first; each bucket has but a few.
  void sort_inside(const Seen& seen) {
    if (inside_.size() <= few) return sort_some(inside_);
    place_.assign(seen.n_buckets + 1, 0);
    auto bucket_of = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> 32 >> seen.shift); };
    for (std::uint64_t key : inside_) ++place_[bucket_of(key) + 1];
    for (std::size_t b = 0; b < seen.n_buckets; ++b) place_[b + 1] += place_[b];
    together_.resize(inside_.size());
    for (std::uint64_t key : inside_) together_[place_[bucket_of(key)]++] = key;
    inside_.swap(together_);
    std::size_t begin = 0;
    for (std::size_t b = 0; b < seen.n_buckets; ++b) {
      if (is_open_[b] == 0) continue;
      sort_some(std::span(inside_).subspan(begin, place_[b] - begin));
      begin = place_[b];
    }
  }
  static void sort_some(std::span<std::uint64_t> keys) {
    if (keys.size() > few) return std::sort(keys.begin(), keys.end());
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::uint64_t key = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
      keys[j] = key;
    }
  }

  void scan_inside(std::size_t s) {
    const Seen seen = seen_[s];
    std::size_t in_bucket = std::numeric_limits<std::size_t>::max();
    for (std::size_t p = 0; p + 1 < inside_.size(); ++p) {
      const auto above = static_cast<std::uint32_t>(inside_[p] >> 32),
                 next = static_cast<std::uint32_t>(inside_[p + 1] >> 32);
      const std::size_t b = above >> seen.shift, i = static_cast<std::uint32_t>(inside_[p]);
      if (b != in_bucket) sides_.start(left_of(seen, b));
      in_bucket = b;
      sides_.move(here_[i].label(), here_[i].weight());
      if (above == next || next >> seen.shift != b) continue;  // edges have been looked at
      offer(s, above, sides_.worth());
    }
  }
  void offer(std::size_t s, std::uint32_t above, double worth) {
    if (worth < floor_ - slack_) return;
    floor_ = std::max(floor_, worth);
    keep(s, above, worth, sides_.left());
  }
  void keep(std::size_t s, std::uint32_t above, double worth, const double* left) {
    candidates_.push_back({s, seen_[s].least + above, worth, left_.size()});
    left_.insert(left_.end(), left, left + n_classes());
  }

  // ---- judging ------------------------------------------------------------------------------------------

  // The cuts seen at first that are as good as the best.
  void collect() {
    for (std::size_t s = 0; s < seen_.size(); ++s) {
      const Seen& seen = seen_[s];
      if (!(seen.best >= floor_ - slack_)) continue;
      if (seen.n_buckets == 0)
        for_each_sorted_cut(s, [&](std::uint32_t above, double worth) { offer(s, above, worth); });
      else
        collect_edges(s);
    }
  }
  void collect_edges(std::size_t s) {
    const Seen seen = seen_[s];
    for (std::size_t b = 0; b < seen.n_buckets; ++b)
      if (edge(seen, b).worth >= floor_ - slack_)
        keep(s, static_cast<std::uint32_t>(((b + 1) << seen.shift) - 1), edge(seen, b).worth,
             bucket(seen, b));
  }

  // In the order of columns and places: the first of the best wins.
  Best<ClassStats> judge() {
    Best<ClassStats> best;
    best.left = best.right = field_.target.none();
    std::erase_if(candidates_, [&](const Candidate& c) { return c.worth < floor_ - slack_; });
    if (candidates_.empty()) return best;
    auto key = [&](const Candidate& c) {
      return std::pair(field_.columns[seen_[c.seen].column].rank, c.last_left);
    };
    std::sort(candidates_.begin(), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    Judge<Criterion, ClassStats> judge(*opening_, field_.settings, best);
    ClassStats left = field_.target.none(), right = left;
    left.rows = right.rows = 1;  // as many as it takes
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      left.weight = 0;
      for (std::size_t j = 0; j < n_classes(); ++j) {
        left.counts[j] = static_cast<std::int64_t>(left_[candidates_[i].counts + j]);
        right.counts[j] = opening_->stats.counts[j] - left.counts[j];
        left.weight += left.counts[j];
      }
      right.weight = opening_->stats.weight - left.weight;
      judge.offer(seen_[candidates_[i].seen].column, {}, i, left, right);
      if (candidates_[i].worth == 0) break;  // pure children: none is better
    }
    return best;
  }

  const Field<ClassTarget>& field_;
  const RankedTable& table_;
  std::span<const LabelledWeight> all_labelled_;  // by row of the table
  DrawnSides<Criterion, n_known> sides_;

  RankColumns ranks_;
  std::span<const std::uint32_t> rows_;  // that were brought together; none: all of the table
  std::vector<std::uint32_t> local_;     // their ranks, column after column
  std::vector<LabelledWeight> labelled_;

  const Opening<ClassStats>* opening_ = nullptr;  // of the node at hand
  std::span<const std::uint32_t> ids_;
  std::vector<LabelledWeight> here_;
  std::vector<std::uint32_t> count_;
  double floor_ = nothing, slack_ = 0;
  std::vector<std::uint32_t> waiting_, spare_;
  std::vector<std::uint64_t> hash_;
  std::vector<Seen> seen_;
  std::vector<std::size_t> by_bound_;
  std::vector<std::uint32_t> rank_;   // of the node's rows, by columns seen
  std::vector<std::int32_t> sorted_;  // `few` a column seen
  std::vector<double> bucket_, left_, none_;
  std::vector<Edge> edge_;
  std::vector<std::uint8_t> is_open_;
  std::vector<std::uint64_t> inside_, together_;
  std::vector<std::uint32_t> place_;
  std::vector<Candidate> candidates_;
};

}  // namespace treewright
