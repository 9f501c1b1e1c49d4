// Large nodes, whose cells are bins: a histogram of all columns first, then a look into the few bins that may
// hide the best cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../divide.hpp"
#include "../parallel.hpp"
#include "../search/bounds.hpp"
#include "../search/cells.hpp"
#include "../search/judge.hpp"
#include "input.hpp"
#include "large_column.hpp"
#include "levels.hpp"
#include "shared.hpp"

namespace treewright {

template <class Target, class Criterion, bool is_weighted>
class LargeSearch
    : CellSearch<LargeSearch<Target, Criterion, is_weighted>, Candidate<typename Target::Stats>> {
  using Stats = typename Target::Stats;
  using Base = CellSearch<LargeSearch, Candidate<Stats>>;
  friend Base;
  using OwnHistogram = Histogram<Target, is_weighted>;
  using OwnCells = Cells<Target, is_weighted>;

 public:
  LargeSearch(const Input<Target>& input, const CellLayout& layout, const OwnCells& cells,
              std::function<void()> breathe)
      : input_(input),
        table_(*input.table),
        layout_(layout),
        cells_(cells),
        breathe_(std::move(breathe)),
        limits_(input.settings) {}

  // The best test of a node; `split` is made from it.
  Best<Stats> choose(std::span<const std::uint32_t> rows, const Opening<Stats>& opening,
                     const OwnHistogram& histogram, std::size_t n_threads) {
    rows_ = rows;
    opening_ = &opening;
    histogram_ = &histogram;
    this->start_node(Judge<Criterion, Stats>::slack(opening.scale, 0));
    Best<Stats> best;
    best.left = best.right = input_.target.none();
    judge_.emplace(opening, input_.settings, best);
    look(n_threads);
    this->settle(input_.order);
    return best;
  }

  // The best test as a split.
  Split split_of(Best<Stats>& best) {
    if (!best.is_cut) return split_by_offer(best);
    const Candidate<Stats>& found = this->proposed(best.place);
    if (found.bin == table_.bins(found.column).n_bins()) return known_or_missing(found.column);
    const auto [low, high] = found.is_inside ? std::pair(found.low, found.high) : neighbours(found);
    Split split = cut_between(found.column, low, high, found.gap);
    place_gaps(split, input_.settings, best.left.weight, best.right.weight, best.left.rows + best.right.rows);
    return split;
  }

  // Those of a node's rows that go left first, by bins where these tell; returns how many go left.
  std::size_t divide(std::span<std::uint32_t> rows, const Best<Stats>& best, const Split& split,
                     std::uint32_t* spare) const {
    const Column& column = input_.columns[best.column];
    if (!best.is_cut) {
      const std::vector<std::int8_t> branch_of = branches(split, column);
      return divide_in_two(rows, spare, [&](std::uint32_t row) {
        const std::int32_t code = column.code[row];
        return (code < 0 ? split.missing : branch_of[static_cast<std::size_t>(code)]) == 1;
      });
    }
    const Candidate<Stats>& found = this->proposed(best.place);
    const BinsOf bins = table_.column(best.column, rows_.size());
    // The bin of gaps is the last one, and those from `first` to before `end` go right: one comparison.
    const std::size_t gap = table_.bins(best.column).gap(), first = std::min(found.bin + 1, gap);
    const std::size_t end = split.missing == 1 ? gap + 1 : gap;
    if (!found.is_inside)
      return divide_in_two(rows, spare, [=](std::uint32_t row) { return bins[row] - first < end - first; });
    return divide_in_two(rows, spare, [=, &column, cut = split.cut](std::uint32_t row) {
      const std::size_t bin = bins[row];
      return bin + 1 == first ? column.number[row] > cut : bin - first < end - first;
    });
  }

 private:
  using OpenBin = treewright::OpenBin<Stats>;
  using OpenColumn = treewright::OpenColumn<Stats>;

  const typename OwnCells::Number* cell(std::uint32_t c, std::size_t bin) const {
    return histogram_->cell(layout_, cells_.width(), c, bin);
  }

  // ---- the bins of a column, one after the other --------------------------------------------------------

  // Visit every bin that has rows: visit(number, view, cost before it, cost after it).
  template <class Visit>
  void for_each_bin(std::uint32_t c, Costs<Criterion>& cost, Visit visit) const {
    const Bins& bins = table_.bins(c);
    BinView<Stats> view{input_.target.none(), input_.target.none(), opening_->stats, input_.target.none()};
    cells_.add_to(view.gaps, cell(c, bins.n_bins()));
    view.has_gaps = view.gaps.rows > 0;
    if (view.has_gaps) view.after.add(view.gaps, -1);
    double cost_before = 0;
    for (std::size_t b = 0; b < bins.n_bins(); ++b) {
      const auto* here = cell(c, b);
      if (cells_.rows(here) == 0) continue;
      view.inside.clear();
      cells_.add_to(view.inside, here);
      view.after.add(view.inside, -1);
      set_squares(view, here);
      const double cost_after = cost(view.after);
      cost_before = visit(b, view, cost_before, cost_after);
      view.before.add(view.inside);
    }
  }
  void set_squares(BinView<ClassStats>&, const typename OwnCells::Number*) const {}
  // From the centre of the whole table to that of the node.
  void set_squares(BinView<MomentStats>& view, const typename OwnCells::Number* here) const {
    if constexpr (std::is_same_v<Target, NumberTarget>) {
      const Scale& scale = opening_->scale;
      const double shift = static_cast<double>(scale.centre - cells_.centre());
      const int128 sum = view.inside.sum - static_cast<int128>(view.inside.weight) * cells_.centre();
      const double weight = static_cast<double>(view.inside.weight);
      const double moved =
          cells_.squares(here) - 2 * shift * static_cast<double>(sum) + weight * shift * shift;
      const double noise = 1e-12 * (cells_.squares(here) + weight * shift * shift);
      view.squares = (moved + noise) * scale.y_unit * scale.y_unit * scale.weight_unit;
    }
  }

  bool allows(const Stats& left, const Stats& right) const {
    if (!limits_.any()) return left.rows > 0 && right.rows > 0;
    const double unit = input_.settings.weight_unit;
    return limits_.allow(static_cast<double>(left.rows), static_cast<double>(left.weight) * unit) &&
           limits_.allow(static_cast<double>(right.rows), static_cast<double>(right.weight) * unit);
  }

  // Visit the allowed cuts at upper edges: visit(bin, gap, left, worth).
  template <class Visit>
  void visit_edge(std::size_t bin, const Stats& left, const BinView<Stats>& view, double cost_left,
                  double cost_after, Costs<Criterion>& cost, Visit visit) const {
    if (!view.has_gaps) {
      if (view.after.rows > 0 && allows(left, view.after))
        visit(bin, Tag::apart, left, -cost_left - cost_after);
      return;
    }
    Stats more = view.after;
    more.add(view.gaps);
    const bool is_last = view.after.rows == 0;
    if (allows(left, more)) visit(bin, Tag::right, left, -cost_left - cost(more));
    if (is_last) return;
    more = left;
    more.add(view.gaps);
    if (allows(more, view.after)) visit(bin, Tag::left, more, -cost(more) - cost_after);
  }

  // ---- looking at edges ---------------------------------------------------------------------------------

  void look(std::size_t n_threads) {
    outlook_.assign(input_.columns.size(), {});
    cheap_.resize(input_.columns.size() * 256);
    const bool is_worth_it = table_.n_columns() * rows_.size() > 1'000'000;
    in_shares(is_worth_it ? n_threads : 1, input_.order.size(), breathe_,
              [&](std::size_t i, std::size_t) { look_at(input_.order[i]); });
    for (const ColumnOutlook& seen : outlook_) this->raise_floor(seen.best);
    ask_categories();
  }
  // Categories are asked only where their bound says that they may win.
  void ask_categories() {
    for (std::uint32_t c : input_.order)
      if (outlook_[c].waits) waiting_.push_back({std::exchange(outlook_[c].bound, nothing), c});
    ask_waiting(waiting_, this->floor(), this->slack(), [&](std::uint32_t c) {
      ask(c);
      return outlook_[c].best;
    });
  }
  const Outlook& outlook(std::uint32_t c) const { return outlook_[c]; }
  void look_at(std::uint32_t c) {
    if (input_.columns[c].form == SplitForm::cut)
      look_at_edges(c);
    else if (!table_.is_binned(c) || !LevelBound<Criterion, Stats>::serves(input_.n_classes()))
      ask(c);
    else
      bound_levels(c);
  }
  void bound_levels(std::uint32_t c) {
    LevelBound<Criterion, Stats> bound;
    bound.start(opening_->scale);
    Stats level = input_.target.none();
    for (std::size_t b = 0; b <= table_.bins(c).n_bins(); ++b) {
      if (cells_.rows(cell(c, b)) == 0) continue;
      level.clear();
      cells_.add_to(level, cell(c, b));
      bound.add(level);
    }
    outlook_[c].bound = bound.worth(limits_, input_.columns[c].form);
    outlook_[c].waits = true;
  }
  void look_at_edges(std::uint32_t c) {
    const Bins& bins = table_.bins(c);
    if constexpr (std::is_same_v<Target, ClassTarget>)
      if (!limits_.any() && cells_.rows(cell(c, bins.n_bins())) == 0)
        return look_at_few_classes(c, std::make_index_sequence<few_classes + 1>());
    Costs<Criterion> cost(opening_->scale);
    ColumnOutlook& seen = outlook_[c];
    Stats left = input_.target.none();
    for_each_bin(c, cost, [&](std::size_t b, const BinView<Stats>& view, double before, double after) {
      left.add(view.inside);
      const double cost_left = cost(left);
      visit_edge(
          b, left, view, cost_left, after, cost,
          [&](std::size_t, Tag::Gap, const Stats&, double worth) { seen.best = std::max(seen.best, worth); });
      if (bins.is_single[b] == 0 && view.inside.rows > 1)
        seen.bound = std::max(seen.bound, cheap_bound(cost, view, before, after));
      return cost_left;
    });
    if (bins.is_exact) seen.bound = nothing;
  }

  // The same for classes without gaps and limits, with nothing between the counts and the formula.
  // Few classes have copies of their own.
  static constexpr std::size_t few_classes = 8;
  template <std::size_t... k>
  void look_at_few_classes(std::uint32_t c, std::index_sequence<k...>) {
    if (!opening_->scale.class_scale.empty()) return look_at_classes<0, true>(c);
    const std::size_t n = input_.n_classes();
    const bool is_few = (... || (k > 1 && k == n && (look_at_classes<k, false>(c), true)));
    if (!is_few) look_at_classes<0, false>(c);
  }
  template <std::size_t n_known_classes, bool is_scaled>
  void look_at_classes(std::uint32_t c) {
    const std::size_t k = n_known_classes > 0 ? n_known_classes : input_.n_classes();
    std::array<double, 2 * std::max<std::size_t>(1, n_known_classes)> few{};
    std::vector<double> many(n_known_classes > 0 ? 0 : 2 * k);
    double *left = n_known_classes > 0 ? few.data() : many.data(), *right = left + k;
    const double unit = input_.settings.weight_unit;
    double total_left = 0, total_right = static_cast<double>(opening_->stats.weight) * unit;
    for (std::size_t j = 0; j < k; ++j) right[j] = static_cast<double>(opening_->stats.counts[j]) * unit;
    const Bins& bins = table_.bins(c);
    double* cheap = cheap_.data() + std::size_t{c} * 256;
    std::fill(cheap, cheap + 256, nothing);
    double best = nothing, bound = nothing, before = 0;
    for (std::size_t b = 0; b < bins.n_bins(); ++b) {
      const auto* here = cell(c, b);
      double moved = 0;
      for (std::size_t j = 0; j < k; ++j) {
        const double n = static_cast<double>(here[j]) * unit;
        left[j] += n;
        right[j] -= n;
        moved += n;
      }
      if (moved == 0) continue;
      total_left += moved;
      total_right -= moved;
      const double after = cost_of_counts<is_scaled>({right, k}, total_right);
      cheap[b] = bins.is_single[b] == 0 ? -before - after : nothing;
      bound = std::max(bound, cheap[b]);
      before = cost_of_counts<is_scaled>({left, k}, total_left);
      if (total_right > 0) best = std::max(best, -before - after);
    }
    outlook_[c].best = best;
    outlook_[c].bound = bins.is_exact ? nothing : bound;
    outlook_[c].has_cheap = true;
  }

  // Counts are whole; classes may be scaled.
  template <bool is_scaled>
  TREEWRIGHT_INLINE double cost_of_counts(std::span<const double> counts, double total) {
    if constexpr (!is_scaled) return Criterion::impurity(ClassGroup{counts, total, input_.logs});
    const auto scale = opening_->scale.class_scale;
    scaled_.resize(counts.size());
    total = 0;
    for (std::size_t j = 0; j < counts.size(); ++j) total += scaled_[j] = counts[j] * scale[j];
    return Criterion::impurity(ClassGroup{scaled_, total, input_.logs});
  }

  void ask(std::uint32_t c) {
    const Measured<Stats> measured = table_.is_binned(c) ? measure_bins(c) : measure_codes(c);
    ColumnOutlook& seen = outlook_[c];
    seen.offer = best_offer<Criterion>(input_.task(c, measured, *opening_));
    Costs<Criterion> cost(opening_->scale);
    if (seen.offer.is_possible())
      seen.best = seen.offer.value / opening_->scale.cost_scale - cost(opening_->stats);
  }
  Measured<Stats> measure_bins(std::uint32_t c) const {
    Measured<Stats> out{{}, input_.target.none(), input_.target.none()};
    Stats group = input_.target.none();
    for (std::size_t b = 0; b < table_.bins(c).n_bins(); ++b) {
      if (cells_.rows(cell(c, b)) == 0) continue;
      group.clear();
      cells_.add_to(group, cell(c, b));
      out.groups.push(static_cast<std::int32_t>(b), group);
      out.known.add(group);
    }
    cells_.add_to(out.missing, cell(c, table_.bins(c).n_bins()));
    return out;
  }
  Measured<Stats> measure_codes(std::uint32_t c) const {
    std::vector<Piece> pieces;
    for (std::uint32_t row : rows_) pieces.push_back(input_.weights.piece(row));
    CodeOrder scratch;
    return measure(input_.target, pieces, input_.columns[c], scratch);
  }

  // ---- looking inside bins ------------------------------------------------------------------------------

  // Columns are looked into together, so that rows from all over the table are fetched once.
  void look_into(std::span<const std::uint32_t> columns) {
    constexpr std::size_t most_rows = 4'000'000;  // held at once, over all columns
    std::size_t n_open = 0, n_rows = 0;
    for (std::uint32_t c : columns) {
      if (!this->may_win(outlook_[c].bound)) continue;
      breathe_();
      if (opened_.size() == n_open) opened_.emplace_back();
      choose_bins(c, opened_[n_open]);
      for (const OpenBin& bin : opened_[n_open].bins)
        n_rows += static_cast<std::size_t>(cells_.rows(cell(c, bin.number)));
      n_open += !opened_[n_open].bins.empty();
      if (n_rows >= most_rows) {
        scan_open({opened_.data(), n_open});
        n_open = n_rows = 0;
      }
    }
    scan_open({opened_.data(), n_open});
    if (rows_.size() > most_rows / 16) opened_.clear();  // its memory is not for small nodes
  }
  void scan_open(std::span<OpenColumn> open) {
    gather_rows(open);
    for (OpenColumn& column : open) {
      breathe_();
      scan_column(column);
    }
  }

  // The bins of a column that may hold a cut as good as the best so far.
  void choose_bins(std::uint32_t c, OpenColumn& open) {
    open.c = c;
    open.bins.clear();
    open.inside.clear();
    open.is_open.fill(0);
    if (outlook_[c].has_cheap) return choose_by_cheap_bounds(c, open);
    Costs<Criterion> cost(opening_->scale);
    const Bins& bins = table_.bins(c);
    Stats left = input_.target.none();
    for_each_bin(c, cost, [&](std::size_t b, const BinView<Stats>& view, double before, double after) {
      left.add(view.inside);
      if (bins.is_single[b] == 0 && view.inside.rows > 1) {
        // A cut one row from a corner lies below it by a share of their distance only.
        const double floor = this->floor() - this->slack() * static_cast<double>(view.inside.rows + 1);
        if (cheap_bound(cost, view, before, after) >= floor &&
            corner_bound(cost, view, limits_.any() || is_weighted || !opening_->scale.class_scale.empty()) >=
                floor) {
          open.bins.push_back({b, view.before});
          open.is_open[b] = 1;
        }
      }
      return cost(left);
    });
  }

  // The same where the cheap bounds are known: most bins need no second look.
  void choose_by_cheap_bounds(std::uint32_t c, OpenColumn& open) {
    Costs<Criterion> cost(opening_->scale);
    BinView<Stats> view{input_.target.none(), input_.target.none(), input_.target.none(),
                        input_.target.none()};
    const double* cheap = cheap_.data() + std::size_t{c} * 256;
    for (std::size_t b = 0; b < table_.bins(c).n_bins(); ++b) {
      const std::int64_t rows = cells_.rows(cell(c, b));
      const double floor = this->floor() - this->slack() * static_cast<double>(rows + 1);
      if (rows > 1 && cheap[b] > nothing && cheap[b] >= floor) {
        view.inside.clear();
        cells_.add_to(view.inside, cell(c, b));
        view.after = opening_->stats;
        view.after.add(view.before, -1);
        view.after.add(view.inside, -1);
        if (corner_bound(cost, view, limits_.any() || is_weighted || !opening_->scale.class_scale.empty()) >=
            floor) {
          open.bins.push_back({b, view.before});
          open.is_open[b] = 1;
        }
      }
      if (rows > 0) cells_.add_to(view.before, cell(c, b));
    }
  }

  // Some rows for all columns before the next: what is fetched for one column serves the others.
  void gather_rows(std::span<OpenColumn> open) {
    constexpr std::size_t some = 512;
    std::uint32_t found[some + 1];
    for (std::size_t first = 0; first < rows_.size() && !open.empty(); first += some) {
      if (first % (256 * some) == 0) breathe_();
      const auto rows = rows_.subspan(first, std::min(some, rows_.size() - first));
      for (OpenColumn& column : open) {
        const BinsOf bins = table_.column(column.c, rows_.size());
        const Numbers& numbers = input_.columns[column.c].number;
        std::size_t n_found = 0;
        for (std::uint32_t row : rows) {  // no branch misprediction: which are inside is random
          found[n_found] = row;
          n_found += column.is_open[bins[row]];
        }
        for (std::size_t i = 0; i < n_found; ++i)
          column.inside.push_back(
              {value_in_bin(numbers, found[i], table_.bins(column.c), bins[found[i]]), found[i]});
      }
    }
  }

  // Sort the rows of the bins that are open, and score every cut inside.
  void scan_column(OpenColumn& open) {
    std::sort(open.inside.begin(), open.inside.end(),
              [](const InsideBin& a, const InsideBin& b) { return a.value < b.value; });
    Costs<Criterion> cost(opening_->scale);
    BinView<Stats> view{input_.target.none(), input_.target.none(), input_.target.none(),
                        input_.target.none()};
    cells_.add_to(view.gaps, cell(open.c, table_.bins(open.c).n_bins()));
    view.has_gaps = view.gaps.rows > 0;
    const BinsOf bins = table_.column(open.c, rows_.size());
    std::size_t next = 0;
    for (OpenBin& bin : open.bins) {
      const std::size_t first = next;
      while (next < open.inside.size() && bins[open.inside[next].row] == bin.number) ++next;
      scan_bin(open.c, bin, std::span(open.inside).subspan(first, next - first), view, cost);
    }
  }
  void scan_bin(std::uint32_t c, OpenBin& bin, std::span<const InsideBin> inside, BinView<Stats>& view,
                Costs<Criterion>& cost) {
    Stats& left = bin.before;
    view.after = opening_->stats;
    view.after.add(left, -1);
    if (view.has_gaps) view.after.add(view.gaps, -1);
    for (std::size_t i = 0; i + 1 < inside.size(); ++i) {
      input_.target.move(view.after, left, input_.weights.piece(inside[i].row));
      if (inside[i].value == inside[i + 1].value) continue;
      visit_edge(bin.number, left, view, cost(left), cost(view.after), cost,
                 [&](std::size_t b, Tag::Gap gap, const Stats& side, double worth) {
                   if (!this->may_win(worth)) return;
                   this->raise_floor(worth);
                   this->propose({c, b, inside[i].value, inside[i + 1].value, true, gap, worth, side});
                 });
    }
  }

  // ---- judging ------------------------------------------------------------------------------------------

  // What was seen at first and is as good as the best: edges, or the test of categories.
  void collect(std::uint32_t c) {
    if (input_.columns[c].form != SplitForm::cut) {
      this->propose({c, 0, 0, 0, false, Tag::apart, outlook_[c].best, input_.target.none()});
      return;
    }
    Costs<Criterion> cost(opening_->scale);
    Stats left = input_.target.none();
    for_each_bin(c, cost, [&](std::size_t b, const BinView<Stats>& view, double, double after) {
      left.add(view.inside);
      const double cost_left = cost(left);
      visit_edge(b, left, view, cost_left, after, cost,
                 [&](std::size_t, Tag::Gap gap, const Stats& side, double worth) {
                   if (!this->may_win(worth)) return;
                   const bool is_last = view.after.rows == 0;
                   this->propose({c, is_last ? table_.bins(c).n_bins() : b, 0, 0, false, gap, worth, side});
                 });
      return cost_left;
    });
  }

  bool judge(const Candidate<Stats>& candidate, std::size_t place) {
    const std::uint32_t c = candidate.column;
    if (input_.columns[c].form != SplitForm::cut) {
      judge_->offer(c, std::move(outlook_[c].offer));
      return false;
    }
    Stats right = opening_->stats;
    right.add(candidate.left, -1);
    judge_->offer(c, {0, candidate.gap}, place, candidate.left, right);
    return false;
  }
  // In the order of columns, places, and the heavier side for gaps.
  bool comes_before(const Candidate<Stats>& a, const Candidate<Stats>& b) const {
    if (a.column != b.column) return input_.columns[a.column].rank < input_.columns[b.column].rank;
    if (a.bin != b.bin) return a.bin < b.bin;
    if (a.is_inside != b.is_inside) return a.is_inside;
    if (a.is_inside && a.low != b.low) return a.low < b.low;
    return a.gap != b.gap && a.gap == heavier_side(a);
  }
  // Without its gaps, is the left side at least as heavy as the right?
  Tag::Gap heavier_side(const Candidate<Stats>& candidate) const {
    Stats gaps = input_.target.none();
    cells_.add_to(gaps, cell(candidate.column, table_.bins(candidate.column).n_bins()));
    const std::int64_t left = candidate.left.weight - (candidate.gap == Tag::left ? gaps.weight : 0);
    return 2 * left >= opening_->stats.weight - gaps.weight ? Tag::left : Tag::right;
  }

  // ---- the split ----------------------------------------------------------------------------------------

  // The values on both sides of an edge.
  std::pair<double, double> neighbours(const Candidate<Stats>& found) const {
    const Numbers& numbers = input_.columns[found.column].number;
    const std::uint8_t gap = table_.bins(found.column).gap();
    const BinsOf bins = table_.column(found.column, rows_.size());
    double low = nothing, high = -nothing;
    for (std::uint32_t row : rows_) {
      const std::uint8_t bin = bins[row];
      if (bin == gap) continue;
      if (bin <= found.bin)
        low = std::max(low, numbers[row]);
      else
        high = std::min(high, numbers[row]);
    }
    return {low, high};
  }

  // The branch of each category; the first for those that no row here has.
  static std::vector<std::int8_t> branches(const Split& split, const Column& column) {
    std::vector<std::int8_t> branch(static_cast<std::size_t>(column.n_codes));
    for (std::size_t i = 0; i < split.code.size(); ++i)
      branch[static_cast<std::size_t>(split.code[i])] = static_cast<std::int8_t>(split.branch[i]);
    return branch;
  }
  Split split_by_offer(Best<Stats>& best) const {
    Split split = std::move(best.offer.split);
    split.column = static_cast<std::int32_t>(best.column);
    Stats* parts[] = {&best.left, &best.right};
    for (Stats* part : parts) part->clear();
    const Measured<Stats> measured =
        table_.is_binned(best.column) ? measure_bins(best.column) : measure_codes(best.column);
    for (std::size_t g = 0; g < measured.groups.size(); ++g)
      measured.groups.add_to(*parts[split.branch_of(measured.groups.code[g])], g);
    const auto n = static_cast<std::int64_t>(rows_.size());
    place_gaps(split, input_.settings, best.left.weight, best.right.weight, n);
    parts[std::max(0, split.missing)]->add(measured.missing);
    return split;
  }

  const Input<Target>& input_;
  const BinnedTable& table_;
  const CellLayout& layout_;
  const OwnCells& cells_;
  std::function<void()> breathe_;
  SideLimits limits_;

  std::span<const std::uint32_t> rows_;  // of the node at hand
  const Opening<Stats>* opening_ = nullptr;
  const OwnHistogram* histogram_ = nullptr;
  std::optional<Judge<Criterion, Stats>> judge_;
  std::vector<ColumnOutlook> outlook_;
  std::vector<double> cheap_;  // 256 a column
  std::vector<double> scaled_;
  std::vector<Waiting> waiting_;
  std::vector<OpenColumn> opened_;
};

}  // namespace treewright
