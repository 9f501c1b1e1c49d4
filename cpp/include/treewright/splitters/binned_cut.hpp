// The exact cut of a column with many values, without looking at most of them.
//
// A concave impurity makes the drop a convex function of the left-hand counts. Inside a bin these lie in the
// box between the counts at the bin's two edges, so no cut inside can beat the best corner of the box. First
// the edges of all columns are scored; then only bins whose corners reach the best score so far are opened,
// their rows sorted, and every cut inside scored. (The SSE idea of CLOUDS: Alsabti, Ranka, Singh 1998.) Bins
// that may tie are opened too, so that the first of equal cuts wins, as in SortedCut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "../binned.hpp"
#include "cut_search.hpp"

namespace treewright {

template <class Criterion>
class BinnedCut {
  using Search = CutSearch<Criterion>;
  using Counts = typename Search::Counts;

 public:
  BinnedCut(const BinnedTable& table, const Histogram& histogram, const Task<ClassStats>& task)
      : table_(table),
        histogram_(histogram),
        task_(task),
        column_(static_cast<std::size_t>(task.index)),
        search_(task) {}

  // Score the edges between bins, and keep what each bin could hide at most.
  void score_edges() {
    Counts left(search_.known().size()), right = search_.known();
    std::int64_t left_cost = 0;
    for (std::size_t b = 0; b < table_.n_bins(column_); ++b) {
      const double rows = add_bin(left, b, 1);
      if (rows == 0) continue;
      add_bin(right, b, -1);
      const std::int64_t before = left_cost, right_cost = search_.cost(right);
      left_cost = search_.cost(left);
      // Adding rows to a side never makes it cheaper: without the bin's rows both cost the least they can.
      if (rows > 1) bins_.push_back({b, search_.value_of(before + right_cost) + step});
      if (Search::total(right) > 0)
        search_.offer(left, right, left_cost + right_cost, {static_cast<std::int64_t>(b)});
    }
  }

  double best_value() const { return search_.best_value(); }
  double ceiling() const {
    double most = best_value();
    for (const Bin& bin : bins_) most = std::max(most, bin.ceiling);
    return most;
  }

  // Open the bins that may hold a cut at least as good as `floor`.
  void refine(double floor, std::span<const Piece> pieces, std::span<const std::int32_t> label) {
    std::vector<std::int32_t> place(table_.n_bins(column_) + 1, -1);
    std::vector<std::size_t> open;
    for (const Bin& bin : bins_) {
      if (bin.ceiling < floor || corner_value(bin.number) < floor) continue;
      place[bin.number] = static_cast<std::int32_t>(open.size());
      open.push_back(bin.number);
    }
    if (open.empty()) return;
    std::vector<std::vector<CutKey>> keys(open.size());
    for (Piece piece : pieces) {
      const std::int32_t p = place[table_.row(piece.row)[column_]];
      const auto r = static_cast<std::size_t>(piece.row);
      if (p >= 0) keys[static_cast<std::size_t>(p)].push_back(cut_key(task_.column.code[r], label[r]));
    }
    for (std::size_t p = 0; p < open.size(); ++p) {
      std::sort(keys[p].begin(), keys[p].end());
      search_.scan(keys[p], before_bin(open[p]), static_cast<std::int64_t>(open[p]));
    }
  }

  // The offer. One that has lost already gets no Split, since an edge takes a pass over the rows to place,
  // and can not be chosen.
  Offer result(std::span<const Piece> pieces, bool has_lost) const {
    if (!has_lost) return search_.result(split_of(pieces));
    Offer offer = search_.result(Split());
    if (offer.is_possible()) offer.verdict = Verdict::lower_score;
    return offer;
  }

 private:
  struct Bin {
    std::size_t number;
    double ceiling;  // no cut inside scores more
  };
  static constexpr double step = static_cast<double>(std::int64_t{1} << tie_bits);
  static constexpr std::size_t max_corner_classes = 4;

  double add_bin(Counts& counts, std::size_t b, double sign) const {
    const auto bin = histogram_.bin(column_, b);
    double rows = 0;
    for (std::size_t k = 0; k < bin.size(); ++k) {
      counts[k] += sign * bin[k];
      rows += bin[k];
    }
    return rows;
  }
  Counts before_bin(std::size_t number) const {
    Counts left(search_.known().size());
    for (std::size_t b = 0; b < number; ++b) add_bin(left, b, 1);
    return left;
  }

  // The best score at the corners of the box: each class of the bin wholly left or wholly right. The first
  // and the last corner are the edges, which have been offered themselves: nothing inside beats both, and
  // nothing inside that ties comes before the left one. Where size limits may have refused an edge, it counts
  // as a corner too.
  double corner_value(std::size_t number) const {
    const auto counts = histogram_.bin(column_, number);
    std::vector<std::size_t> present;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (counts[k] > 0) present.push_back(k);
    if (present.size() > max_corner_classes) return std::numeric_limits<double>::infinity();
    const Counts before = before_bin(number);
    double most = -std::numeric_limits<double>::infinity();
    const std::uint32_t n_corners = 1u << present.size(), n_edges = search_.has_limits() ? 0 : 1;
    for (std::uint32_t corner = n_edges; corner + n_edges < n_corners; ++corner) {
      Counts left = before, right = search_.known();
      for (std::size_t i = 0; i < present.size(); ++i)
        if ((corner >> i) & 1) left[present[i]] += counts[present[i]];
      for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
      most = std::max(most, search_.value_of(search_.cost(left) + search_.cost(right)) + step);
    }
    return most;
  }

  Split split_of(std::span<const Piece> pieces) const {
    if (!(best_value() > -std::numeric_limits<double>::infinity())) return {};
    const auto place = search_.place();
    if (place.low != Search::edge) return search_.split_between(place.low, place.high);
    std::int32_t low = -1, high = task_.column.n_codes;
    for (Piece piece : pieces) {
      const std::int32_t code = task_.column.code[static_cast<std::size_t>(piece.row)];
      if (static_cast<std::int64_t>(table_.row(piece.row)[column_]) <= place.bin)
        low = std::max(low, code);
      else
        high = std::min(high, code);
    }
    return search_.split_between(low, high);
  }

  const BinnedTable& table_;
  const Histogram& histogram_;
  const Task<ClassStats>& task_;
  std::size_t column_;
  Search search_;
  std::vector<Bin> bins_;
};

}  // namespace treewright
