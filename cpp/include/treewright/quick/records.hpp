// A table of whole numbers with few values, row by row: all columns of a row are one record of 16 lanes, so
// that rows themselves are moved when a node is divided, and several columns are looked at in one
// instruction. Columns of two values that are never the greater one in the same row share a lane (exclusive
// feature bundling, Ke et al. 2017): each is the test "is the code k?", so that nothing is lost.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "../column.hpp"

namespace treewright {

struct alignas(32) Record {
  static constexpr std::size_t n_lanes = 16, label = 14, weight = 15;
  static constexpr std::size_t max_columns = 14;  // lanes that hold codes
  std::array<std::int16_t, n_lanes> lane;         // the weight is unsigned
};

class RecordTable {
 public:
  static constexpr std::size_t max_classes = 8, max_codes = 32'000;
  static constexpr std::int64_t max_weight = 0xFFFF;  // of a row

  struct Lane {
    bool is_shared = false;
    // Own: the column. Shared: by code, the column that has its greater value there; code 0 has none.
    std::vector<std::uint32_t> column;
  };

  // None where some column has a gap, other than whole numbers, too many values, or there are too many lanes.
  static std::optional<RecordTable> of(std::span<const Column> columns, std::span<const std::int32_t> label,
                                       std::size_t n_threads, const std::function<void()>& breathe);

  std::span<const Lane> lanes() const { return lanes_; }
  std::size_t n_own() const { return n_own_; }  // lanes of one column each, which come first
  const Record& row(std::uint32_t r) const { return rows_[r]; }
  // A row in which a column has its value of this rank.
  std::uint32_t example(std::uint32_t column, std::size_t rank) const { return example_[column][rank]; }
  // The value of this rank, and the greatest rank whose value is not above a number between two of them.
  double value(std::uint32_t column, std::size_t rank) const { return coding_[column].value[rank]; }
  std::int16_t last_not_above(std::uint32_t column, double number) const {
    const Coding& own = coding_[column];
    const auto towards_zero = static_cast<std::int64_t>(number),
               least = static_cast<std::int64_t>(own.value[0]);
    const std::int64_t whole = towards_zero - (static_cast<double>(towards_zero) > number ? 1 : 0);
    return own.rank_up_to[static_cast<std::size_t>(whole - least)];
  }

 private:
  struct Coding {
    std::vector<double> value;             // by rank
    std::vector<std::int16_t> rank_up_to;  // by whole number above the least
  };

  std::vector<Lane> lanes_;
  std::size_t n_own_ = 0;
  std::vector<Record> rows_;
  std::vector<std::vector<std::uint32_t>> example_;
  std::vector<Coding> coding_;
};

}  // namespace treewright
