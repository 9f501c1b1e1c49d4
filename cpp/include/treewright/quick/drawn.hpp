// Nodes for which a few columns are drawn, whose cells are buckets of ranks. To keep all columns in order, as
// block.hpp does, would cost more than to look at those few anew: their ranks are put into buckets, or sorted
// where they are very few.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "../search/cells.hpp"
#include "../search/judge.hpp"
#include "drawn_column.hpp"
#include "drawn_edges.hpp"
#include "drawn_inside.hpp"
#include "drawn_kernels.hpp"
#include "drawn_limits.hpp"
#include "drawn_numbers.hpp"
#include "drawn_ranks.hpp"
#include "drawn_reals.hpp"
#include "drawn_rows.hpp"
#include "drawn_sides.hpp"
#include "drawn_tree.hpp"
#include "input.hpp"
#include "least_first.hpp"
#include "ranks.hpp"
#include "shared.hpp"

namespace treewright {

// The best test of a node among the columns that are drawn for it.
// (`n_known`: how many figures of a side are kept, weights by class or the weight of numbers; 0 if only the
// run tells. `is_real`: weights are no whole numbers, or too large, or scaled by class. All are in units.)
template <class Target, class Criterion, std::size_t n_known, bool is_real>
class DrawnSearch : CellSearch<DrawnSearch<Target, Criterion, n_known, is_real>, DrawnCandidate> {
  using Stats = typename Target::Stats;
  using Base = CellSearch<DrawnSearch, DrawnCandidate>;
  friend Base;
  static constexpr bool has_classes = std::is_same_v<Target, ClassTarget>;

 public:
  using NumberRows = std::conditional_t<is_real, WholeNumberRow, NumberRow>;
  using Pairs = std::conditional_t<is_real, RealPairEdges<Criterion>, PairEdges<Criterion>>;
  using Edges = std::conditional_t<!has_classes, NumberEdges<NumberRows>,
                                   std::conditional_t<n_known == 2, Pairs, ManyEdges<Criterion, is_real>>>;
  using Sides =
      std::conditional_t<has_classes, DrawnSides<Criterion, n_known, is_real>, NumberDrawnSides<NumberRows>>;
  using Row = typename Edges::Row;
  using Mark = std::conditional_t<has_classes, Row, DrawnTarget>;  // what a row is in any node
  using Node = std::conditional_t<has_classes, std::span<const double>, Opening<MomentStats>>;

  DrawnSearch(const Input<Target>& input, const RankedTable& table, std::span<const Mark> rows)
      : input_(input),
        table_(table),
        rows_(table, rows),
        scale_(input.scale()),
        reals_(scale_),
        sides_(scale_),
        edges_(scale_, input.n_classes()),
        limits_(input.settings),
        all_(has_classes ? input.n_classes() : 1),
        bits_(
            std::max(1.0, portable_log2(static_cast<double>(std::max<std::size_t>(2, input.n_classes()))))) {}

  // Class and weight of every row of the table, or target and weight.
  static std::vector<Mark> mark_rows(const Input<Target>& input) {
    std::vector<Mark> marked;
    if constexpr (has_classes) {
      marked.reserve(input.target.label.size());
      for (std::uint32_t row = 0; row < input.target.label.size(); ++row)
        marked.push_back(Edges::row(input.target.label[row], input.weights.of(row)));
    } else {
      for (std::uint32_t row = 0; row < input.target.value.size(); ++row)
        marked.push_back({input.target.value[row], input.weights.of(row)});
    }
    return marked;
  }

  // Look at all rows of the table, named by their numbers, or at some, named by their places among them.
  void take_table() { rows_.take_table(); }
  void take_rows(std::span<const std::uint32_t> rows) { rows_.take_rows(rows); }

  // The node that is asked about next; categories ask for all of it.
  void take_opening(const Opening<Stats>& opening) { opening_ = &opening; }

  // The best test for some rows with these weights by class, or so opened, among `active` columns, if there
  // is one that gains enough; columns that could still split go to `open`.
  std::optional<DrawnCut> choose(const Node& node, std::span<const std::uint32_t> ids, std::uint64_t path,
                                 std::span<const std::uint32_t> active, std::vector<std::uint32_t>& open) {
    if (!limits_.can_split(ids.size())) return std::nullopt;
    ids_ = ids;
    ranks_.take_node(ids);
    set_node(node);
    limits_.set_node(ids.size(), total_);
    look(path, active, open);
    for (auto next = static_cast<std::uint32_t>(places_.size()); next < seen_.size(); ++next)
      places_.push_back(next);
    best_.reset();
    parent_.reset();
    this->settle(std::span(places_).first(seen_.size()));
    return best_of_all();
  }

  // Divide the node's rows: left ones first, each part in its old order. Returns the rows next to the cut.
  Neighbours divide(const DrawnCut& found, std::span<std::uint32_t> ids, std::size_t& n_left) {
    gather(found.seen);
    if (found.gap == Tag::left) ranks_.part_gaps(rows_.column(found.column), found.seen);
    const std::uint32_t last_left = found.last_left + (found.gap == Tag::left ? 1 : 0);
    const Neighbours near = divide_by_rank(ranks_.all_of(found.seen), last_left, ids, spare_, n_left);
    return {rows_.row_of(near.below), rows_.row_of(near.above)};
  }

 private:
  using Seen = DrawnColumn;
  using Candidate = DrawnCandidate;

  std::size_t n_figures() const { return n_known > 0 ? n_known : all_.size(); }
  double weight_of(const double* figures) const {
    return std::accumulate(figures, figures + n_figures(), 0.0);
  }
  static double weight_of(const std::array<double, 2>& pair) { return pair[0] + pair[1]; }
  double weight_of(const NumberRows& row) const { return static_cast<double>(row.weight); }

  void set_node(std::span<const double> counts) {
    std::copy(counts.begin(), counts.end(), all_.begin());
    total_ = std::accumulate(counts.begin(), counts.end(), 0.0);
    scale_.weight = is_real ? reals_.group(counts).total : total_;
    scale_.cost_scale = fixed_point_scale(scale_.weight * bits_);
    this->start_node(Judge<Criterion, ClassStats>::slack(scale_, 0));  // sums of whole numbers are exact
    sides_.set_node(counts);
    edges_.set_node(counts.data());
    here_.resize(ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) here_[i] = rows_.marks()[ids_[i]];
    if constexpr (is_real) {
      lightest_ = total_;
      for (const Row& row : here_) lightest_ = std::min(lightest_, Edges::weight(row));
    }
  }
  void set_node(const Opening<MomentStats>& opening) {
    CentredNumbers<NumberRows> node;
    node.take(ids_, rows_.marks(), opening, here_);
    all_ = {weight_of(node.all)};
    total_ = all_[0];
    scale_ = opening.scale;
    this->start_node(Judge<Criterion, MomentStats>::slack(scale_, 0) + node.error);
    sides_.set_node(node);
    edges_.set_node(node);
  }

  // ---- looking ------------------------------------------------------------------------------------------

  void look(std::uint64_t path, std::span<const std::uint32_t> active, std::vector<std::uint32_t>& open) {
    seen_.clear();
    left_.clear();
    pieces_.clear();
    path_ = path;
    open.assign(active.begin(), active.end());
    input_.hash(active, path, spare_, least_first_.numbers());
    pure_rank_ = std::numeric_limits<std::int32_t>::max();
    std::size_t n_closed = 0;
    for (std::int64_t n_possible = 0; n_possible < input_.settings.max_columns;) {
      const auto next = least_first_.next();
      if (!next) break;
      if (look_at(active[*next])) {
        ++n_possible;
        continue;
      }
      open[*next] = closed;
      ++n_closed;
    }
    if (n_closed > 0) std::erase(open, closed);
  }
  static constexpr std::uint32_t closed = std::numeric_limits<std::uint32_t>::max();

  // False if all rows have the same value, or all cuts a side that is too small.
  bool look_at(std::uint32_t c) {
    if (input_.columns[c].form != SplitForm::cut) return look_at_levels(c);
    if (!input_.settings.use_random_cuts && table_.is_two_valued(c) && !limits_.any())
      return look_at_two_valued(c);
    const std::size_t s = seen_.size();
    const RankRange range = ranks_.gather(rows_.column(c), s);
    if (range.least == range.most) return false;
    if (range.most == RankedTable::gap) return look_at_gaps(c, range.least);
    if (input_.columns[c].rank > pure_rank_) return true;
    Seen& seen = seen_.emplace_back();
    seen.column = c;
    if (input_.settings.use_random_cuts) {
      look_at_random_cut(seen, range);
      return true;
    }
    if (!look_at_ranks(s, range, range.most)) return false;
    if (has_classes && !is_real && !limits_.any() && seen_[s].best == 0) pure_rank_ = input_.columns[c].rank;
    return true;
  }
  // Buckets are as wide as ranks up to `most` ask for.
  bool look_at_ranks(std::size_t s, RankRange range, std::uint32_t most) {
    Seen& seen = seen_[s];
    seen.buckets.least = range.least;
    seen.is_sorted = ranks_.can_sort(most - range.least);
    if (seen.is_sorted)
      look_at_sorted(s);
    else
      look_at_buckets(seen, range.most - range.least, most - range.least);
    return !limits_.any() || has_allowed_cut(s);
  }
  // Categories are asked as Growth asks them.
  bool look_at_levels(std::uint32_t c) {
    const std::size_t s = seen_.size();
    const RankRange range = ranks_.gather(rows_.column(c), s);
    if (range.least == range.most) return false;
    if (pieces_.empty())
      for (std::uint32_t id : ids_) pieces_.push_back(input_.weights.piece(rows_.row_of(id)));
    const Measured<Stats> measured = measure(input_.target, pieces_, input_.columns[c], code_order_);
    Offer offer = best_offer<Criterion>(input_.task(c, measured, *opening_));
    if (!offer.is_possible()) return false;
    Seen& seen = seen_.emplace_back();
    seen.column = c;
    seen.is_offer = true;
    seen.best = offer.value / scale_.cost_scale + sides_.uncut_worth();
    offers_.resize(std::max(offers_.size(), s + 1));
    offers_[s] = std::move(offer);
    return true;
  }
  // Some rows have no value. They go right: as if they had one above all others; and left: as if they had the
  // least. In both orders a cut has the same place.
  bool look_at_gaps(std::uint32_t c, std::uint32_t least) {
    const std::size_t s = seen_.size(), n = ids_.size();
    ranks_.make_room(s + 1);
    std::uint32_t *right = ranks_.of(s), *left = ranks_.of(s + 1);
    double weight = 0;
    for (std::size_t i = 0; i < n; ++i) weight += right[i] == RankedTable::gap ? Edges::weight(here_[i]) : 0;
    const std::uint32_t most = place_gaps_at_ends(right, left, n, least);
    bool is_possible = false;
    for (const Tag::Gap gap : {Tag::right, Tag::left}) {
      if (gap == Tag::left && least == most) break;
      if (seen_.size() == s && gap == Tag::left) std::copy_n(left, n, right);
      Seen& seen = seen_.emplace_back();
      seen.column = c;
      seen.gap = gap;
      seen.last_known = most;
      seen.gap_weight = weight;
      is_possible |= look_at_ranks(seen_.size() - 1, {least, gap == Tag::right ? most + 1 : most}, most + 1);
    }
    return is_possible;
  }
  // A column counts once it is sure to split; one that is not here splits none of the nodes below either.
  bool has_allowed_cut(std::size_t s) {
    if (seen_[s].best > nothing) return true;
    const std::size_t n_before = this->n_proposed();
    if (seen_[s].bound > nothing) {
      this->look_alone([&] { look_into(s); });
      seen_[s].bound = nothing;
    }
    if (this->n_proposed() > n_before) return true;
    seen_.pop_back();
    return false;
  }
  void look_at_random_cut(Seen& seen, RankRange range) {
    seen.drawn_cut = cut_within(table_.value(seen.column, range.least), table_.value(seen.column, range.most),
                                input_.draw_cut(seen.column, path_));
    const std::span<const std::uint32_t> rank = ranks_.all_of(seen_.size() - 1);
    const std::uint32_t last_left =
        table_.has_keys(seen.column)
            ? ordered_bits(not_above(seen.drawn_cut))
            : last_not_above(table_.values(seen.column), range.least, range.most, seen.drawn_cut, rank);
    seen.buckets.least = last_left;
    seen.buckets.size = 2;
    seen.first_edge = *edges_.add_cut(rank, last_left, here_.data());
    seen.best = edges_.worth(seen.first_edge);
  }
  // There is nothing to put in order; ranks are gathered if rows are divided by them.
  bool look_at_two_valued(std::uint32_t c) {
    const std::uint32_t* rank = rows_.column(c);
    const auto edge =
        edges_.add_edge(ids_.size(), [&](std::size_t i) { return rank[ids_[i]] == 0; }, here_.data());
    if (!edge) return false;
    Seen& seen = seen_.emplace_back();
    seen.column = c;
    seen.is_gathered = false;
    seen.buckets.size = 2;
    seen.first_edge = *edge;
    seen.best = edges_.worth(*edge);
    return true;
  }

  // Few rows.
  void look_at_sorted(std::size_t s) {
    Seen& seen = seen_[s];
    std::optional<double> best;
    seen.first_edge = edges_.add_sorted(ranks_.sort(s, seen.buckets.least), here_.data(), best);
    if (best && !limits_.any()) {
      seen.best = *best;
      return;
    }
    for (std::size_t p = 0; p + 1 < ids_.size(); ++p)
      if (ranks_.is_cut(s, p) && allows(seen, p))
        seen.best = std::max(seen.best, edges_.worth(seen.first_edge + p));
  }

  // More rows: score the ends of buckets, some 16 rows each.
  void look_at_buckets(Seen& seen, std::uint32_t range, std::uint32_t width) {
    // Bits; in nodes of few rows an edge of many classes costs more than some rows that are sorted.
    const int least = has_classes && n_known == 0 ? 3 : 6;
    const int wanted = std::clamp(static_cast<int>(std::bit_width(ids_.size())) - 4, least, 12);
    seen.buckets.shift = std::max(0, static_cast<int>(std::bit_width(width)) - wanted);
    seen.buckets.size = (range >> seen.buckets.shift) + 1;
    seen.first_edge = edges_.add_buckets(seen.buckets, ranks_.all_of(seen_.size() - 1), here_.data());
    if (limits_.any()) return look_at_allowed(seen);
    const std::size_t first = seen.first_edge, last = first + seen.buckets.size - 1;
    double before = 0;
    for (std::size_t e = first; e < last; ++e) {
      seen.best = std::max(seen.best, edges_.worth(e));
      seen.bound = std::max(seen.bound, cheap_bound(seen, e - first, before));
      before = edges_.left_cost(e);
    }
    seen.bound =
        seen.buckets.shift == 0 ? nothing : std::max(seen.bound, cheap_bound(seen, last - first, before));
  }

  // Without the rows of a bucket both sides cost the least they can; squares are what rows may give back.
  double cheap_bound(const Seen& seen, std::size_t b, double before) const {
    const std::size_t e = seen.first_edge + b;
    if constexpr (has_classes)
      return -before - edges_.right_cost(e);
    else
      return -before - edges_.right_cost(e) + edges_.squares(e, b == 0);
  }

  // The same where a side may be too small.
  void look_at_allowed(Seen& seen) {
    limits_.count(seen.first_edge, seen.buckets, ranks_.all_of(index_of(seen)));
    double before = 0;
    for (std::size_t b = 0; b < seen.buckets.size; ++b) {
      const std::size_t e = seen.first_edge + b;
      if (b + 1 < seen.buckets.size && allows(seen, b)) seen.best = std::max(seen.best, edges_.worth(e));
      if (seen.buckets.shift > 0 && may_allow_inside(seen, b))
        seen.bound = std::max(seen.bound, cheap_bound(seen, b, before));
      before = edges_.left_cost(e);
    }
  }
  std::size_t index_of(const Seen& seen) const { return static_cast<std::size_t>(&seen - seen_.data()); }
  // How many rows lie left of the end of a bucket, or of a place between single rows.
  std::size_t rows_left(const Seen& seen, std::size_t p) const {
    return seen.is_sorted ? p + 1 : limits_.rows_left(seen.first_edge + p);
  }
  bool allows(const Seen& seen, std::size_t p) {
    if (!limits_.any()) return true;
    return limits_.allow(rows_left(seen, p), [&] {
      counted_.resize(n_figures());
      find_counts(seen, p, counted_.data());
      return weight_of(counted_.data());
    });
  }
  // The weights on the left of an edge of a column.
  void find_counts(const Seen& seen, std::size_t p, double* found) {
    if constexpr (requires { requires Edges::walks_sorted; })
      if (seen.is_sorted)
        return edges_.count_sorted(ranks_.first_sorted(index_of(seen), p + 1), here_.data(), found);
    edges_.counts(seen.first_edge + p, found);
  }
  // May a cut inside a bucket leave enough rows on both sides?
  bool may_allow_inside(const Seen& seen, std::size_t b) const {
    return limits_.may_allow(b > 0 ? rows_left(seen, b - 1) : 0, rows_left(seen, b));
  }

  // ---- looking inside buckets ---------------------------------------------------------------------------

  const Outlook& outlook(std::uint32_t s) const { return seen_[s]; }
  void look_into(std::span<const std::uint32_t> places) {
    for (std::uint32_t s : places) look_into(s);
  }
  void look_into(std::size_t s) {
    const Buckets buckets = seen_[s].buckets;
    const auto [first, last] = choose_buckets(seen_[s]);
    if (first > last) return;
    inside_.gather(buckets, first, last, ranks_.all_of(s));
    scan_inside(s);
  }

  // The buckets that may hold a cut as good as the best so far: the first and last of them.
  std::pair<std::size_t, std::size_t> choose_buckets(const Seen& seen) {
    const std::size_t n = seen.buckets.size, none = std::numeric_limits<std::size_t>::max();
    std::pair<std::size_t, std::size_t> found{none, 0};
    inside_.close_all(n);
    double before = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t e = seen.first_edge + b;
      const double bound = cheap_bound(seen, b, before);
      before = edges_.left_cost(e);
      if (bound < this->floor() - (is_real ? this->slack() : this->slack() * (1 + total_))) continue;
      if (limits_.any() && !may_allow_inside(seen, b)) continue;
      if (!may_hide(seen, b, bound)) continue;
      inside_.open(b);
      found = {std::min(found.first, b), b};
    }
    return found;
  }
  bool may_hide(const Seen& seen, std::size_t b, double bound) {
    const std::size_t e = seen.first_edge + b;
    if (b > 0 && edges_.is_repeated(e)) return false;
    if constexpr (has_classes && n_known == 0) return this->may_win(edges_.bound(e, b == 0, bound));
    const auto from = left_of(seen, b), to = edges_.left(e);
    // A cut one row from a corner lies below it by a share of their distance only.
    const double share = (weight_of(to) - weight_of(from)) / (is_real ? lightest_ : 1);
    const double floor = this->floor() - this->slack() * (1 + share);
    if (!is_real && bound < floor) return false;
    if constexpr (!has_classes) {
      const double inside = sides_.bound(from, to);
      return is_real ? this->may_win(inside) : inside >= floor;
    } else if constexpr (n_known == 2) {
      const double lower_edge = b > 0 ? edges_.worth(e - 1) : sides_.uncut_worth(),
                   upper_edge = b + 1 < seen.buckets.size ? edges_.worth(e) : sides_.uncut_worth();
      const double corner = sides_.corner_bound(from, to);
      // Nothing inside is better than the best corner. (Rows may be so light that the other bound says less.)
      if (is_real && !this->may_win(std::max({corner, lower_edge, upper_edge}))) return false;
      // Edges have been looked at themselves, so that they count only together; one that was refused counts
      // by itself: nothing was learnt from it.
      const bool is_refused = limits_.any() && !((b == 0 || allows(seen, b - 1)) &&
                                                 (b + 1 == seen.buckets.size || allows(seen, b)));
      const double edges = is_refused ? std::max(lower_edge, upper_edge) : std::min(lower_edge, upper_edge);
      return std::max(corner, edges) >= floor;
    }
  }
  // What lies left of a bucket.
  auto left_of(const Seen& seen, std::size_t b) const {
    return b > 0 ? edges_.left(seen.first_edge + b - 1) : edges_.none();
  }

  void scan_inside(std::size_t s) {
    const Buckets buckets = seen_[s].buckets;
    std::size_t in_bucket = std::numeric_limits<std::size_t>::max(), begin = 0;
    const auto rows = inside_.rows();
    for (std::size_t p = 0; p + 1 < rows.size(); ++p) {
      const auto above = static_cast<std::uint32_t>(rows[p] >> 32),
                 next = static_cast<std::uint32_t>(rows[p + 1] >> 32);
      const std::size_t b = above >> buckets.shift, i = static_cast<std::uint32_t>(rows[p]);
      if (b != in_bucket) {
        sides_.start(left_of(seen_[s], b));
        begin = p;
      }
      in_bucket = b;
      if constexpr (has_classes)
        sides_.move(Edges::label(here_[i]), Edges::weight(here_[i]));
      else
        sides_.move(here_[i]);
      if (above == next || next >> buckets.shift != b) continue;  // edges have been looked at
      const double worth = sides_.worth();
      if (!this->may_win(worth)) continue;
      if (limits_.any()) {
        const std::size_t n_before = b > 0 ? rows_left(seen_[s], b - 1) : 0;
        if (!limits_.allow(n_before + p + 1 - begin, [&] { return sides_.left_total(); })) continue;
      }
      this->raise_floor(worth);
      double* left = keep(s, above, worth);
      if constexpr (has_classes)
        std::copy_n(sides_.left(), n_figures(), left);
      else
        *left = sides_.left_total();
    }
  }
  // A candidate; its weights on the left are to be written where this points.
  double* keep(std::size_t s, std::uint32_t above, double worth) {
    this->propose({s, seen_[s].buckets.least + above, worth, left_.size()});
    left_.resize(left_.size() + n_figures());
    return left_.data() + left_.size() - n_figures();
  }

  // ---- judging ------------------------------------------------------------------------------------------

  // What was seen at first and is as good as the best: edges, or the test of categories.
  void collect(std::uint32_t s) {
    const Seen& seen = seen_[s];
    if (seen.is_offer) return this->propose({s, 0, seen.best, 0});
    const std::size_t n_edges = (seen.is_sorted ? ids_.size() : seen.buckets.size) - 1;
    for (std::size_t p = 0; p < n_edges; ++p) {
      const std::size_t e = seen.first_edge + p;
      if (!this->may_win(edges_.worth(e))) continue;
      if (seen.is_sorted ? !ranks_.is_cut(s, p) : p > 0 && edges_.is_repeated(e)) continue;
      if (!allows(seen, p)) continue;
      const std::uint32_t above = seen.is_sorted
                                      ? ranks_.above(s, p)
                                      : static_cast<std::uint32_t>(((p + 1) << seen.buckets.shift) - 1);
      find_counts(seen, p, keep(s, above, edges_.worth(e)));
    }
  }

  // In the order of columns, places, and the heavier side for gaps.
  bool comes_before(const Candidate& a, const Candidate& b) const {
    auto key = [&](const Candidate& c) {
      return std::tuple(input_.columns[seen_[c.seen].column].rank, c.last_left, puts_gaps_on_lighter_side(c));
    };
    return key(a) < key(b);
  }
  // The very scores that Contest gives; the first of the best wins.
  bool judge(const Candidate& candidate, std::size_t) {
    if (!parent_) parent_ = parent_cost();
    const Seen& seen = seen_[candidate.seen];
    Offer* offer = seen.is_offer ? &offers_[candidate.seen] : nullptr;
    const std::int64_t drop = offer != nullptr ? static_cast<std::int64_t>(offer->value)
                                               : *parent_ - children_cost(candidate),
                       value = rounded(drop);
    if (best_ && value <= best_value_) return false;
    best_ = DrawnCut{seen.column,
                     candidate.seen,
                     candidate.last_left,
                     0,
                     drop,
                     left_.data() + candidate.counts,
                     seen.drawn_cut,
                     seen.gap,
                     offer};
    if (seen.gap == Tag::right && candidate.last_left >= seen.last_known) best_->drawn_cut = -nothing;
    best_value_ = value;
    return has_classes && !is_real && candidate.worth == 0 && offer == nullptr;  // pure children
  }
  std::optional<DrawnCut> best_of_all() {
    if (!best_) return std::nullopt;
    best_->gain = best_->offer != nullptr
                      ? best_->offer->gain
                      : static_cast<double>(best_->drop) * (1 / (scale_.cost_scale * scale_.weight));
    if (!input_.choice.is_enough(best_->gain, scale_.weight)) return std::nullopt;
    return best_;
  }
  bool puts_gaps_on_lighter_side(const Candidate& candidate) const {
    const Seen& seen = seen_[candidate.seen];
    if (seen.gap == Tag::apart) return false;
    const double left =
        weight_of(left_.data() + candidate.counts) - (seen.gap == Tag::left ? seen.gap_weight : 0);
    return seen.gap != (2 * left >= total_ - seen.gap_weight ? Tag::left : Tag::right);
  }
  std::int64_t parent_cost() {
    if constexpr (has_classes)
      return cost(all_.data());
    else
      return reals_.template cost<Criterion>(opening_->stats);
  }
  std::int64_t children_cost(const Candidate& candidate) {
    if constexpr (has_classes) {
      const double* left = left_.data() + candidate.counts;
      return cost(left) + cost(rest_of(left));
    } else {
      gather(candidate.seen);
      return exact_cost<Criterion>(*opening_, ids_, rows_.marks(), ranks_.of(candidate.seen),
                                   candidate.last_left);
    }
  }
  std::int64_t cost(const double* counts) {
    return reals_.template cost<Criterion>(std::span<const double>(counts, n_figures()));
  }
  // The ranks of a column that was looked at without them.
  void gather(std::size_t s) {
    if (seen_[s].is_gathered) return;
    ranks_.gather(rows_.column(seen_[s].column), s);
    seen_[s].is_gathered = true;
  }
  const double* rest_of(const double* left) {
    to_.resize(n_figures());
    for (std::size_t j = 0; j < n_figures(); ++j) to_[j] = all_[j] - left[j];
    return to_.data();
  }

  const Input<Target>& input_;
  const RankedTable& table_;
  DrawnRows<Mark> rows_;
  Scale scale_;  // of the node at hand
  Reals reals_;
  Sides sides_;
  Edges edges_;
  DrawnLimits limits_;

  const Opening<Stats>* opening_ = nullptr;  // where numbers or categories ask for it
  std::vector<double> all_;                  // of the node at hand: its figures
  double bits_, total_ = 0, lightest_ = 1;
  std::uint64_t path_ = 0;
  std::int32_t pure_rank_ = 0;  // a cut of this column leaves pure children: none of later columns beats it
  std::span<const std::uint32_t> ids_;
  std::vector<Row> here_;
  std::vector<std::uint32_t> spare_, places_;  // places: 0, 1, 2, ..., the columns seen
  LeastFirst least_first_;
  std::vector<Seen> seen_;
  SeenRanks<Edges::most_sorted> ranks_;
  std::vector<double> left_, to_, counted_;
  OpenBuckets inside_;
  std::optional<DrawnCut> best_;
  std::optional<std::int64_t> parent_;  // what the node costs
  std::int64_t best_value_ = 0;
  std::vector<Offer> offers_;  // by columns seen
  std::vector<Piece> pieces_;
  CodeOrder code_order_;
};

}  // namespace treewright
