// The search for the best cut among rows that each count one: the same scores as Contest gives, with nothing
// between the counts and the formula.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sorted_cut.hpp"

namespace treewright {

// A row as (code, class), so that sorting keys sorts rows by value.
using CutKey = std::uint64_t;
inline CutKey cut_key(std::int32_t code, std::int32_t label) {
  return (static_cast<CutKey>(code) << 32) | static_cast<std::uint32_t>(label);
}
inline std::int32_t code_of(CutKey key) { return static_cast<std::int32_t>(key >> 32); }
inline std::size_t label_of(CutKey key) { return static_cast<std::uint32_t>(key); }

template <class Criterion>
class CutSearch {
 public:
  using Counts = std::vector<double>;
  // A cut lies after bin `bin`, or inside it after `low`, whose next value is `high`. Cuts inside a bin come
  // before the edge that closes it.
  struct Place {
    std::int64_t bin = 0;
    std::int32_t low = edge, high = edge;
    bool operator<(const Place& other) const { return bin != other.bin ? bin < other.bin : low < other.low; }
  };
  static constexpr std::int32_t edge = std::numeric_limits<std::int32_t>::max();

  explicit CutSearch(const Task<ClassStats>& task)
      : task_(task),
        admission_(task.settings),
        known_(task.measured.known.counts.begin(), task.measured.known.counts.end()),
        parent_(cost(known_)) {}

  const Counts& known() const { return known_; }
  const Place& place() const { return place_; }
  std::int64_t parent() const { return parent_; }
  double best_value() const { return best_ ? *best_ : -std::numeric_limits<double>::infinity(); }
  double value_of(std::int64_t children) const { return static_cast<double>(rounded(parent_ - children)); }

  // May a cut be refused for its size?
  bool has_limits() const {
    return admission_.min_leaf > 1 || admission_.min_branch > 1 || admission_.min_leaf_weight > 0;
  }

  static double total(const Counts& counts) {
    double sum = 0;
    for (double c : counts) sum += c;
    return sum;
  }
  std::int64_t cost(const Counts& counts) const {
    return std::llrint(Criterion::impurity(ClassGroup{counts, total(counts), *task_.scale.logs}) *
                       task_.scale.cost_scale);
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

  // Score every cut among sorted keys; `left` holds what lies before them. Between two rows of one class,
  // alone at their values, nothing can be best (Fayyad, Irani 1992): such cuts are passed over where no size
  // limit could have ruled out the better ones, and where rows are few enough for scores to differ by more
  // than their rounding.
  void scan(std::span<const CutKey> keys, Counts left, std::int64_t bin) {
    Counts right = known_;
    for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
    const bool skips = keys.size() <= max_skipped_rows && !has_limits();
    std::size_t first = 0;  // of the rows that share the value of row i
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      left[label_of(keys[i])] += 1;
      right[label_of(keys[i])] -= 1;
      if (code_of(keys[i]) == code_of(keys[i + 1])) continue;
      const bool is_inside = skips && label_of(keys[first]) == label_of(keys[i]) &&
                             label_of(keys[i]) == label_of(keys[i + 1]) && is_pure_after(keys, i + 1);
      first = i + 1;
      if (!is_inside)
        offer(left, right, cost(left) + cost(right), {bin, code_of(keys[i]), code_of(keys[i + 1])});
    }
  }

  // The same from class counts per code (`n_codes` rows of them): for columns of few values.
  void scan_counts(std::span<const std::uint32_t> counts, std::size_t n_codes) {
    const std::size_t k = known_.size();
    Counts left(k), right = known_;
    std::int32_t low = -1;
    for (std::size_t code = 0; code < n_codes; ++code) {
      const auto row = counts.subspan(code * k, k);
      if (std::all_of(row.begin(), row.end(), [](std::uint32_t n) { return n == 0; })) continue;
      const auto high = static_cast<std::int32_t>(code);
      if (low >= 0) offer(left, right, cost(left) + cost(right), {0, low, high});
      for (std::size_t c = 0; c < k; ++c) {
        left[c] += row[c];
        right[c] -= row[c];
      }
      low = high;
    }
  }

  // The offer, with the cut between two values where they are known.
  Offer result(const Split& split) const {
    if (!best_) return refusal(has_refused_ ? Verdict::branches_too_small : Verdict::one_value);
    Offer offer;
    Found found;
    found.value = *best_;
    found.drop = drop_;
    set_scores(offer, found, task_, false, false);
    offer.split = split;
    offer.split.column = task_.index;
    return offer;
  }
  Split split_between(std::int32_t low, std::int32_t high) const {
    Split split;
    split.kind = SplitKind::cut;
    split.n_branches = 2;
    split.cut = stored_cut(task_.column, low, high, false);
    split.cut_code = low;
    return split;
  }

 private:
  static constexpr std::size_t max_skipped_rows = 4096;

  // Keys are sorted by class within a value: the first and the last row tell.
  static bool is_pure_after(std::span<const CutKey> keys, std::size_t from) {
    std::size_t last = from;
    while (last + 1 < keys.size() && code_of(keys[last + 1]) == code_of(keys[from])) ++last;
    return label_of(keys[last]) == label_of(keys[from]);
  }
  bool is_admitted(const Counts& side) const {
    const auto n = static_cast<std::int64_t>(total(side));
    const double size = admission_.size(n, n);
    return size >= admission_.min_leaf && size >= admission_.min_branch && admission_.is_heavy(n);
  }

  const Task<ClassStats>& task_;
  Admission admission_;
  Counts known_;
  std::int64_t parent_;
  std::optional<double> best_;
  std::int64_t drop_ = 0;
  Place place_;
  bool has_refused_ = false;
};

}  // namespace treewright
