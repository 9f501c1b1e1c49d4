// A tree laid out for walking: small nodes, and several rows on their way at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tree_fields.hpp"

namespace treewright {

// What happens to a gap where the node names no branch, and to a category that the node does not know.
enum class Detour : std::uint8_t { branch, divide, surrogate, stop, refuse, as_missing };

constexpr std::int32_t gap_code = -1;  // -2: a category the training table never had

// The arrays of a checked Tree, and its policies.
struct RouteTree {
  TREEWRIGHT_TESTS(TREEWRIGHT_SPAN)
  TREEWRIGHT_SURROGATES(TREEWRIGHT_SPAN)
  TREEWRIGHT_TERMS(TREEWRIGHT_SPAN)
  std::span<const double> weight;
  std::span<const std::uint8_t> is_coded;  // per column: 0 numbers, 1 codes
  Detour gap = Detour::branch, unseen = Detour::branch;
};

// The cells of rows per column of the tree: numbers (NaN is a gap), float or double and compared as double,
// or codes. The numbers lie in the caller's memory, rows `step` cells apart; codes lie side by side.
template <class T>
struct RouteColumns {
  std::vector<const T*> number;
  std::int64_t step = 1;
  std::vector<const std::int32_t*> code;

  double number_at(std::size_t column, std::size_t row) const {
    return number[column][static_cast<std::int64_t>(row) * step];
  }
};

constexpr std::uint8_t sum_kind = 3;  // a test w.x <= cut on several columns

// What a term of a sum stands for: the value itself; or 1 where the value is a category, is not above a
// number or is above it, and 0 elsewhere.
enum class TermForm : std::uint8_t { value, category, at_most, above };

inline double term_value(TermForm form, double x, double at) {
  if (form == TermForm::value) return x;
  if (form == TermForm::category) return x == at ? 1 : 0;
  return (x <= at) == (form == TermForm::at_most) ? 1 : 0;
}

// What a sum of columns comes to in a row. The first value that is not there decides what is said of it.
struct Sum {
  double value = 0;
  bool is_gap = false, is_unseen = false;
};

// Term after term in the order of the tree, as growth adds them up: the same number, bit for bit.
template <class T>
Sum sum_at(const RouteTree& tree, const RouteColumns<T>& columns, std::size_t node, std::size_t row) {
  Sum sum;
  const auto end = static_cast<std::size_t>(tree.term_start[node + 1]);
  for (auto k = static_cast<std::size_t>(tree.term_start[node]); k < end; ++k) {
    const auto column = static_cast<std::size_t>(tree.term_column[k]);
    double x = 0;
    if (tree.is_coded[column] == 0) {
      x = columns.number_at(column, row);
      if (x != x) return {.is_gap = true};
    } else {
      const std::int32_t code = columns.code[column][row];
      if (code < 0) return {.is_gap = code == gap_code, .is_unseen = code != gap_code};
      x = code;
    }
    const auto form = tree.term_form.empty() ? TermForm::value : TermForm{tree.term_form[k]};
    sum.value += tree.term_weight[k] * (form == TermForm::value ? x : term_value(form, x, tree.term_at[k]));
  }
  if (sum.value != sum.value) sum.is_gap = true;  // endless values that cancel
  return sum;
}

// The tree in 16 bytes a node: the children of a node side by side, then those of its first child, and so on.
// So siblings mostly share a line of cache, and often with the next step.
//
//     node    0  1  2  3  4  5  6          0
//     place   0  1  3  4  2  5  6        1   4        detour: place 7, a leaf of no node
//                                       2 3 5 6
//
// Whatever takes more than going on to one child (dividing, surrogates, stopping, refusing) leads to the
// place `detour`, a leaf that says: ask the slow walker about this row.
class Layout {
 public:
  explicit Layout(const RouteTree& tree);

  // Walk rows [begin, end): their nodes into `node`, and those on a detour, in no order, into `odd`.
  // For many trees over many rows, call this tree after tree on a block of rows that fits in cache.
  template <class T>
  void walk(const RouteColumns<T>& columns, std::size_t begin, std::size_t end, std::span<std::int32_t> node,
            std::vector<std::size_t>& odd) const;

 private:
  static constexpr std::int32_t leaf = -1, root = 0;
  static constexpr std::int32_t several = std::numeric_limits<std::int32_t>::min();

  template <class T>
  class Lanes;

  struct Range {
    std::int32_t low, width;  // width -1: too wide for a slot per code
  };
  struct Step {
    union {
      double cut;
      Range range;
    };
    std::int32_t column;  // of numbers; or `leaf`; or `several`; or -2 - column of codes
    std::int32_t next;    // the place of branch 0; for codes, the first of the node's slots
  };

  void note_asked();
  void place_codes(std::size_t i, std::int32_t first, Step& step);
  void place_rank_cut(double cut, std::int32_t first, Step& step);
  void place_search(std::int32_t first, Step& step);
  std::int32_t on_gap(std::size_t i, std::int32_t first) const;
  std::int32_t on_unseen(std::size_t i, std::int32_t first) const;
  std::int32_t search(std::int32_t place, std::int32_t code, const std::int32_t* slots) const;

  RouteTree tree_;
  std::vector<Step> steps_;              // by place
  std::vector<std::int32_t> origin_;     // the node of a place; -1 for the detour
  std::vector<std::int32_t> gap_place_;  // where a gap goes, at cuts of numbers and sums
  std::vector<std::int32_t> slots_;
  std::vector<std::size_t> asked_numbers_, asked_codes_;  // columns
  std::int32_t detour_;
};

}  // namespace treewright
