// What a node answers a row: a branch, a gap, or a category it does not know.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "split.hpp"
#include "walk.hpp"

namespace treewright {

constexpr std::int32_t gap_found = -1, unseen_found = -2;
// A row that goes down all branches, stays where it is, or has no place in the tree.
constexpr std::int32_t takes_all = -1, takes_none = -2, is_refused = -3;

// A table of children: of(i)[b] is branch b of node i.
class Children {
 public:
  explicit Children(const RouteTree& tree);
  std::span<const std::int32_t> of(std::int32_t node) const {
    const auto i = static_cast<std::size_t>(node);
    return {child_.data() + first_[i], first_[i + 1] - first_[i]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::int32_t> child_;
};

template <class T>
class Questions {
 public:
  Questions(const RouteTree& tree, const RouteColumns<T>& columns) : tree_(tree), columns_(columns) {}

  std::int32_t ask(std::size_t row, std::size_t i) const {
    if (tree_.kind[i] == sum_kind) {
      const Sum sum = sum_at(tree_, columns_, i, row);
      if (sum.is_unseen) return unseen_found;
      return sum.is_gap ? gap_found : branch_of_cut(sum.value, tree_.cut[i]);
    }
    return ask(row, tree_.column[i], tree_.kind[i], tree_.cut[i], tree_.code, tree_.code_branch,
               tree_.code_start[i], tree_.code_start[i + 1]);
  }

  // The branch that a row takes at a node, with every policy; or one of the three words above.
  std::int32_t branch_of(std::size_t row, std::size_t i) const {
    const std::int32_t branch = ask(row, i);
    if (branch >= 0) return branch;
    const bool is_unseen = branch == unseen_found && tree_.unseen != Detour::as_missing;
    const Detour way = is_unseen ? tree_.unseen : tree_.gap;
    if (way == Detour::divide) return takes_all;
    if (way == Detour::stop) return takes_none;
    if (way == Detour::refuse) return is_refused;
    if (way == Detour::surrogate) {
      const std::int32_t stand_in = by_surrogate(row, i);
      if (stand_in >= 0) return stand_in;
      if (tree_.missing[i] < 0) return takes_none;  // no branch is heavier than the other
    }
    return is_unseen || tree_.missing[i] < 0 ? tree_.largest[i] : tree_.missing[i];
  }

 private:
  std::int32_t by_surrogate(std::size_t row, std::size_t i) const {
    for (auto s = static_cast<std::size_t>(tree_.surrogate_start[i]);
         s < static_cast<std::size_t>(tree_.surrogate_start[i + 1]); ++s) {
      const std::int32_t branch =
          ask(row, tree_.surrogate_column[s], tree_.surrogate_kind[s], tree_.surrogate_cut[s],
              tree_.surrogate_code, tree_.surrogate_code_branch, tree_.surrogate_code_start[s],
              tree_.surrogate_code_start[s + 1]);
      if (branch >= 0) return tree_.surrogate_flip[s] != 0 ? 1 - branch : branch;
    }
    return gap_found;
  }
  std::int32_t ask(std::size_t row, std::int32_t column, std::uint8_t kind, double cut,
                   std::span<const std::int32_t> code, std::span<const std::int32_t> branch,
                   std::int64_t begin, std::int64_t end) const {
    const auto c = static_cast<std::size_t>(column);
    if (tree_.is_coded[c] == 0) {
      const double x = columns_.number_at(c, row);
      return std::isnan(x) ? gap_found : branch_of_cut(x, cut);
    }
    const std::int32_t value = columns_.code[c][row];
    if (value < 0) return value == gap_code ? gap_found : unseen_found;
    if (kind == 1) return branch_of_cut(value, cut);  // an ordinal column is cut by rank
    const auto first = static_cast<std::size_t>(begin), n = static_cast<std::size_t>(end - begin);
    const std::int32_t found = branch_of_category(code.subspan(first, n), branch.subspan(first, n), value);
    return found < 0 ? unseen_found : found;
  }

  const RouteTree& tree_;
  const RouteColumns<T>& columns_;
};

}  // namespace treewright
