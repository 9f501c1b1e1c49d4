// Rows down a tree: the node each row ends in, and the shares where a gap or an unseen category divides it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// What happens to a gap where the node names no branch, and to a category that the node does not know.
enum class Detour : std::uint8_t { branch, divide, surrogate, stop, refuse, as_missing };

struct RouteColumn {
  std::span<const double> number;      // numeric columns; NaN is a gap
  std::span<const std::int32_t> code;  // the others; -1 a gap, -2 a category the training table never had
};

struct RouteTree {
  std::span<const std::int32_t> end, column, missing, largest;
  std::span<const std::uint8_t> kind;
  std::span<const double> cut, weight;
  std::span<const std::int64_t> code_start;
  std::span<const std::int32_t> code, code_branch;
  std::span<const std::int64_t> surrogate_start, surrogate_code_start;
  std::span<const std::int32_t> surrogate_column, surrogate_code, surrogate_code_branch;
  std::span<const std::uint8_t> surrogate_kind, surrogate_flip;
  std::span<const double> surrogate_cut;
  Detour gap = Detour::branch, unseen = Detour::branch;
};

struct Routed {
  std::vector<std::int32_t>
      node;  // per row; the heaviest one for a divided row; -1 - i where node i refused the row
  std::vector<std::int64_t> part_row;
  std::vector<std::int32_t> part_node;  // the parts of the rows that were divided, row after row
  std::vector<double> part_weight;
};

Routed route(const RouteTree& tree, std::span<const RouteColumn> columns, std::int64_t n_rows,
             std::int64_t n_threads);

}  // namespace treewright
