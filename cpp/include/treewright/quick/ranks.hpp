// The table as ranks, row after row: the place of each value among the distinct values of its column. Small
// nodes compare these instead of the numbers, and find all columns of a row side by side.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "../column.hpp"
#include "../parallel.hpp"
#include "../rank.hpp"

namespace treewright {

class RowRanks {
 public:
  // Columns that are cut, and have no gaps.
  RowRanks(std::span<const Column> columns, std::size_t n_rows, std::size_t n_threads,
           const std::function<void()>& breathe)
      : width_(columns.size()), rank_(new std::uint32_t[n_rows * columns.size()]) {
    in_shares(n_threads, columns.size(), breathe, [&](std::size_t c, std::size_t) {
      const Ranks ranks = rank(columns[c].number);
      std::uint32_t* place = rank_.get() + c;
      for (std::int32_t code : ranks.code) {
        *place = static_cast<std::uint32_t>(code);
        place += width_;
      }
    });
  }
  std::size_t width() const { return width_; }
  const std::uint32_t* row(std::uint32_t r) const { return rank_.get() + std::size_t{r} * width_; }

 private:
  std::size_t width_;
  std::unique_ptr<std::uint32_t[]> rank_;
};

}  // namespace treewright
