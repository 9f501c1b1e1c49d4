// A test, as a value: what a node asks, and where each answer goes.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace treewright {

enum class SplitKind : std::uint8_t { none = 0, cut = 1, values = 2 };

// Which branch a test sends a value to: growing, routing and pruning ask here. A number, or a place in an
// order, that is not above the cut takes branch 0, any other branch 1.
template <class T, class Cut>
constexpr std::int32_t branch_of_cut(T value, Cut cut) {
  return value <= cut ? 0 : 1;
}
// A category takes the branch of its entry among those that the test knows, ascending; -1: it is not there.
inline std::int32_t branch_of_category(std::span<const std::int32_t> known,
                                       std::span<const std::int32_t> branch, std::int32_t category) {
  std::size_t lo = 0, hi = known.size();
  while (lo < hi) {
    const std::size_t mid = (lo + hi) / 2;
    if (known[mid] < category)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < known.size() && known[lo] == category ? branch[lo] : -1;
}

struct Split {
  std::int32_t column = -1;
  SplitKind kind = SplitKind::none;
  double cut = std::numeric_limits<double>::quiet_NaN();  // x <= cut: branch 0, else branch 1
  std::int32_t cut_code = -1;                             // the same in codes: code <= cut_code
  std::vector<std::int32_t> code, branch;                 // kind `values`: branch of each category known here
  std::int32_t n_each = 0;  // kind `values`: instead of these, category c takes branch c, of so many
  std::int32_t n_branches = 0;
  std::int32_t missing = -1;  // branch of the gaps, -1 where the policy divides them
  bool is_exact = true;       // false: a heuristic choice among too many subsets of categories

  // The branch of a code, or -1 for a gap or a category that this node has not seen.
  std::int32_t branch_of(std::int32_t c) const {
    if (c < 0) return -1;
    if (kind == SplitKind::cut) return branch_of_cut(c, cut_code);
    if (n_each > 0) return c < n_each ? c : -1;
    return branch_of_category(code, branch, c);
  }

  // The categories known here and their branches, one by one.
  std::vector<std::int32_t> codes() const { return n_each > 0 ? each() : code; }
  std::vector<std::int32_t> branches() const { return n_each > 0 ? each() : branch; }

 private:
  std::vector<std::int32_t> each() const {
    std::vector<std::int32_t> all(static_cast<std::size_t>(n_each));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

// Why a test was not the one chosen; `chosen` for the one that was. The order is the order of the words in
// grow.cpp.
enum class Verdict : std::uint8_t {
  chosen,
  lower_score,
  tie_lost,
  one_value,
  all_missing,
  used_above,
  branches_too_small,
  no_gain_after_charge,
  below_average_gain,
  split_info_too_small,
  not_drawn,
  not_significant,
  below_min_gain,
  leaf_budget,
  collapsed,
  price_not_paid,
  gain_too_small,
  not_monotone,
};

// What one column has to offer at one node.
struct Offer {
  Verdict verdict = Verdict::one_value;
  Split split;
  double score = 0, gain = 0, split_info = 0, charge = 0, p_value = std::numeric_limits<double>::quiet_NaN();
  double value = 0;      // what columns are compared by: the score before it is divided by the node's weight
  std::int64_t tie = 0;  // decides between equal values, where the criterion has a second opinion

  bool is_possible() const { return verdict == Verdict::chosen; }
};

}  // namespace treewright
