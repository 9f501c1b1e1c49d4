// What growth is asked to do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "column.hpp"
#include "criterion.hpp"
#include "settings.hpp"

namespace treewright {

struct Coded;

struct Problem {
  std::vector<Column> columns;
  std::span<const std::int64_t> weight;  // one per row, fixed point, positive for the rows to grow on
  const Coded* coded = nullptr;          // the table as several trees share it; else growth makes its own
  std::optional<bool> has_gaps;          // does any row lack a value? Looked up once, for all trees
  Settings settings;
  BatchScore outside;
  // Called between nodes with the share of rows that have reached their leaf: where a caller may stop growth
  // by throwing.
  std::function<void(double)> breathe;

  void rest(double share) const {
    if (breathe) breathe(share);
  }
};

}  // namespace treewright
