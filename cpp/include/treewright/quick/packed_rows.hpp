// Numbers of several columns, row after row, each in as few bits as its column needs: rows from all over the
// table are cache misses, one for each line, and so should have few lines.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../roomy.hpp"

namespace treewright {

// Where the number of a column is in a row: so many bits from some byte on, after `shift` others.
struct PackedField {
  std::uint32_t byte = 0;
  int shift = 0;
  std::uint64_t mask = 0;
  TREEWRIGHT_INLINE std::uint32_t of(const std::byte* row) const {
    std::uint64_t word;
    std::memcpy(&word, row + byte, sizeof word);
    return static_cast<std::uint32_t>(word >> shift & mask);
  }
  void put(std::byte* row, std::uint32_t number) const {
    std::uint64_t word;
    std::memcpy(&word, row + byte, sizeof word);
    word |= std::uint64_t{number} << shift;
    std::memcpy(row + byte, &word, sizeof word);
  }
};

class PackedRows {
 public:
  static constexpr std::size_t block = 512;  // rows that stay in the cache while columns pass

  // The greatest number of each column says how many bits it needs. Whole words are not packed: row() then
  // finds them side by side.
  void set_size(std::size_t n_rows, std::span<const std::uint32_t> most, bool is_packed) {
    std::size_t bit = 0;
    for (std::uint32_t greatest : most) {
      const int width = packs(is_packed) ? std::max(1, static_cast<int>(std::bit_width(greatest))) : 32;
      field_.push_back(
          {static_cast<std::uint32_t>(bit / 8), static_cast<int>(bit % 8), (std::uint64_t{1} << width) - 1});
      bit += static_cast<std::size_t>(width);
    }
    const std::size_t bytes = (bit + 7) / 8;
    stride_ = bytes;
    if (packs(is_packed)) stride_ = bytes <= line ? std::bit_ceil(bytes) : (bytes + line - 1) / line * line;
    bytes_.resize(n_rows * stride_ + beyond);
  }
  // Fill the rows from `first` up to `last`; number(column) is where the column's numbers are.
  template <class Number>
  void fill(std::size_t first, std::size_t last, const Number& number) {
    std::vector<std::byte> room((last - first) * stride_ + beyond);
    for (std::size_t c = 0; c < field_.size(); ++c) {
      const std::uint32_t* own = number(c) + first;
      const PackedField field = field_[c];
      for (std::size_t i = 0; i < last - first; ++i) field.put(room.data() + i * stride_, own[i]);
    }
    std::copy(room.begin(), room.end() - beyond,
              bytes_.begin() + static_cast<std::ptrdiff_t>(first * stride_));
  }
  const std::byte* row(std::size_t r) const { return bytes_.data() + r * stride_; }
  PackedField field(std::size_t c) const { return field_[c]; }
  // Ask for a row that will be read soon.
  void fetch_row(std::size_t r) const {
    for (std::size_t b = 0; b < stride_; b += line) fetch(row(r) + b);
  }

 private:
  static constexpr std::size_t line = 64, beyond = 8;  // a field is read as a word, which may pass the end
  static bool packs(bool is_packed) { return is_packed && std::endian::native == std::endian::little; }

  std::size_t stride_ = 0;  // bytes
  std::vector<PackedField> field_;
  Roomy<std::byte> bytes_;
};

}  // namespace treewright
