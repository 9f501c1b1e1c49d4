// What growth is asked to do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "column.hpp"
#include "settings.hpp"

namespace treewright {

struct Coded;

struct Problem {
  std::vector<Column> columns;
  std::vector<std::int32_t> place;  // of each in the caller's table, once some are left out (varying.hpp)
  std::size_t n_left_out = 0;
  std::span<const std::int64_t> weight;  // one per row, fixed point, positive for the rows to grow on
  const Coded* coded = nullptr;          // the table as several trees share it; else growth makes its own
  std::optional<bool> has_gaps;          // does any row lack a value? Looked up once, for all trees
  bool is_final = false;  // nothing is pruned later: the surrogates of all tests are found at once
  Settings settings;
  BatchScore outside;
  // Called between nodes with the share of rows that have reached their leaf: where a caller may stop growth
  // by throwing.
  std::function<void(double)> on_breath;

  // The number of columns of the caller's table.
  std::size_t n_given() const { return columns.size() + n_left_out; }

  void breathe(double share) const {
    if (on_breath) on_breath(share);
  }
};

}  // namespace treewright
