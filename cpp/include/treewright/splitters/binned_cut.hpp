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
#include <optional>
#include <vector>

#include "../binned.hpp"
#include "sorted_cut.hpp"

namespace treewright {

template <class Criterion>
class BinnedCut {
 public:
  BinnedCut(const BinnedTable& table, const Histogram& histogram, const Task<ClassStats>& task)
      : table_(table),
        histogram_(histogram),
        task_(task),
        column_(static_cast<std::size_t>(task.index)),
        admission_(task.settings),
        known_(as_reals(task.measured.known)),
        parent_(cost(known_)) {}

  // Score the edges between bins, and keep what each side costs there.
  void score_edges() {
    Counts left(known_.size()), right = known_;
    std::int64_t left_cost = 0, right_cost = parent_;
    for (std::size_t b = 0; b < table_.n_bins(column_); ++b) {
      const auto counts = histogram_.bin(column_, b);
      double rows = 0;
      for (std::size_t k = 0; k < counts.size(); ++k) {
        left[k] += counts[k];
        right[k] -= counts[k];
        rows += counts[k];
      }
      if (rows == 0) continue;
      const std::int64_t before = left_cost;
      left_cost = cost(left);
      right_cost = cost(right);
      // Adding rows to a side never makes it cheaper: without the bin's rows both sides cost the least they
      // can.
      if (rows > 1) bins_.push_back({b, value_of(before + right_cost) + step});
      if (total(right) > 0) offer(left, right, left_cost + right_cost, {static_cast<std::int64_t>(b), edge});
    }
  }

  double best_value() const { return best_ ? *best_ : -std::numeric_limits<double>::infinity(); }
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
    std::vector<std::vector<std::uint64_t>> rows(open.size());
    for (Piece piece : pieces) {
      const std::int32_t p = place[table_.row(piece.row)[column_]];
      if (p >= 0) rows[static_cast<std::size_t>(p)].push_back(key_of(piece.row, label));
    }
    for (std::size_t p = 0; p < open.size(); ++p) scan_bin(open[p], rows[p]);
  }

  // The offer; its Split only if it is wanted, since that takes a pass over the rows.
  Offer result(std::span<const Piece> pieces, bool wants_split) const {
    if (!best_) return refusal<ClassStats>(has_refused_ ? Verdict::branches_too_small : Verdict::one_value);
    Offer offer;
    Found found;
    found.value = *best_;
    found.drop = drop_;
    set_scores(offer, found, task_, false, false);
    if (wants_split) offer.split = split_of(pieces);
    return offer;
  }

 private:
  using Counts = std::vector<double>;
  struct Bin {
    std::size_t number;
    double ceiling;  // no cut inside scores more
  };
  // A cut lies after bin `bin`, or inside it after `code`. Cuts inside a bin come before the edge that closes
  // it.
  struct Place {
    std::int64_t bin;
    std::int32_t code;
    bool operator<(const Place& other) const {
      return bin != other.bin ? bin < other.bin : code < other.code;
    }
  };
  static constexpr std::int32_t edge = std::numeric_limits<std::int32_t>::max();
  static constexpr double step = static_cast<double>(std::int64_t{1} << tie_bits);
  static constexpr std::size_t max_corner_classes = 4;

  static Counts as_reals(const ClassStats& stats) { return {stats.counts.begin(), stats.counts.end()}; }
  static double total(const Counts& counts) {
    double sum = 0;
    for (double c : counts) sum += c;
    return sum;
  }
  std::int64_t cost(const Counts& counts) const {
    return std::llrint(Criterion::impurity(ClassGroup{counts, total(counts), *task_.scale.logs}) *
                       task_.scale.cost_scale);
  }
  double value_of(std::int64_t children) const { return static_cast<double>(rounded(parent_ - children)); }

  bool is_admitted(const Counts& side) const {
    const auto n = static_cast<std::int64_t>(total(side));
    const double size = admission_.size(n, n);
    return size >= admission_.min_leaf && size >= admission_.min_branch && admission_.is_heavy(n);
  }
  void offer(const Counts& left, const Counts& right, std::int64_t children, Place place) {
    const double value = value_of(children);
    if (best_ && (value < *best_ || (value == *best_ && !(place < place_)))) return;
    if (!is_admitted(left) || !is_admitted(right)) {
      has_refused_ = true;
      return;
    }
    best_ = value;
    drop_ = parent_ - children;
    place_ = place;
  }

  Counts before_bin(std::size_t number) const {
    Counts left(known_.size());
    for (std::size_t b = 0; b < number; ++b) {
      const auto counts = histogram_.bin(column_, b);
      for (std::size_t k = 0; k < counts.size(); ++k) left[k] += counts[k];
    }
    return left;
  }

  // The best score at the corners of the box: each class of the bin wholly left or wholly right.
  double corner_value(std::size_t number) const {
    const auto counts = histogram_.bin(column_, number);
    std::vector<std::size_t> present;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (counts[k] > 0) present.push_back(k);
    if (present.size() > max_corner_classes) return std::numeric_limits<double>::infinity();
    const Counts before = before_bin(number);
    double most = -std::numeric_limits<double>::infinity();
    // The first and the last corner are the edges. A bin of one class has no others: nothing inside beats
    // both, and nothing inside that ties comes before the left edge.
    for (std::uint32_t corner = 1; corner + 1 < (1u << present.size()); ++corner) {
      Counts left = before, right = known_;
      for (std::size_t i = 0; i < present.size(); ++i)
        if ((corner >> i) & 1) left[present[i]] += counts[present[i]];
      for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
      most = std::max(most, value_of(cost(left) + cost(right)) + step);
    }
    return most;
  }

  std::uint64_t key_of(std::int32_t row, std::span<const std::int32_t> label) const {
    const auto r = static_cast<std::size_t>(row);
    return (static_cast<std::uint64_t>(task_.column.code[r]) << 32) | static_cast<std::uint32_t>(label[r]);
  }
  void scan_bin(std::size_t number, std::vector<std::uint64_t>& rows) {
    std::sort(rows.begin(), rows.end());
    Counts left = before_bin(number), right = known_;
    for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      const auto k = static_cast<std::size_t>(static_cast<std::uint32_t>(rows[i]));
      left[k] += 1;
      right[k] -= 1;
      const std::uint64_t code = rows[i] >> 32;
      if (code == rows[i + 1] >> 32) continue;
      offer(left, right, cost(left) + cost(right),
            {static_cast<std::int64_t>(number), static_cast<std::int32_t>(code)});
    }
  }

  // The two values the cut lies between: one pass over the rows.
  Split split_of(std::span<const Piece> pieces) const {
    std::int32_t low = -1, high = task_.column.n_codes;
    for (Piece piece : pieces) {
      const std::int32_t code = task_.column.code[static_cast<std::size_t>(piece.row)];
      const auto bin = static_cast<std::int64_t>(table_.row(piece.row)[column_]);
      const bool is_left = bin < place_.bin || (bin == place_.bin && code <= place_.code);
      if (is_left)
        low = std::max(low, code);
      else
        high = std::min(high, code);
    }
    Split split;
    split.column = task_.index;
    split.kind = SplitKind::cut;
    split.n_branches = 2;
    split.cut = stored_cut(task_.column, low, high, false);
    split.cut_code = low;
    return split;
  }

  const BinnedTable& table_;
  const Histogram& histogram_;
  const Task<ClassStats>& task_;
  std::size_t column_;
  Admission admission_;
  Counts known_;
  std::int64_t parent_;
  std::vector<Bin> bins_;
  std::optional<double> best_;
  std::int64_t drop_ = 0;
  Place place_{0, edge};
  bool has_refused_ = false;
};

}  // namespace treewright
