// The table as the search sees it: every test that a tree may use, and sets of rows with their orders.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace treewright::optimal {

using Hash = std::array<std::uint64_t, 2>;

// A family of tests: all cuts of a column, one 0/1 test, or one branch for each code. `gap` is the branch of
// rows without a value, if there are any: 0 or 1, one of its own, or that of a code.
struct Unit {
  enum class Kind : std::uint8_t { cuts, bit, each };
  Kind kind = Kind::cuts;
  std::int32_t column = 0;
  std::int32_t at = 0;  // which chain, or which bit
  std::int32_t gap = -1, place = 0, set = -1;
  bool has_own_gap = false;
};

// Rows of a sub-problem, by class; local numbers are places in `row`.
//   order, place: for each chain its rows in the order of the column; rows without a value come last
//   plane: for each bit the rows that have it; each class begins a word
struct Part {
  static constexpr std::uint32_t gap_place = 0xfffffffe, end_place = 0xffffffff;
  std::uint32_t n = 0, n_words = 0;
  Hash hash = {0, 0};
  std::vector<std::uint32_t> row, order, place, n_known, slot, start;
  std::vector<std::uint64_t> plane;
  std::vector<std::uint8_t> has_gap;  // of each column

  const std::uint32_t* orders(std::size_t chain) const { return order.data() + chain * n; }
  const std::uint32_t* places(std::size_t chain) const { return place.data() + chain * (n + std::size_t{1}); }
  const std::uint64_t* bits(std::size_t bit) const { return plane.data() + bit * n_words; }
  bool has_bit(std::size_t bit, std::size_t r) const { return bits(bit)[slot[r] / 64] >> (slot[r] % 64) & 1; }
};

class Frame {
 public:
  explicit Frame(const Problem& problem) : problem_(problem) {
    make_keys();
    for (std::size_t c = 0; c < problem.columns.size(); ++c) add_units(static_cast<std::int32_t>(c));
    pack_bits();
  }

  const std::vector<Unit>& units() const { return units_; }
  std::size_t n_chains() const { return chains_.size(); }
  std::size_t n_bits() const { return bits_.size(); }
  std::size_t n_groups() const { return problem_.has_classes() ? std::size_t(problem_.n_classes) : 1; }
  std::int32_t code(std::int32_t column, std::uint32_t row) const {
    return problem_.columns[static_cast<std::size_t>(column)].code[row];
  }
  bool is_open(const Part& part, const Unit& unit) const {
    return part.has_gap[static_cast<std::size_t>(unit.column)] != 0;
  }
  bool has_own_gaps() const { return has_own_gaps_; }
  // Has the table a test of more than two branches?
  bool has_many_branches() const { return has_many_branches_; }

  Part part_of(std::span<const std::uint32_t> rows) const {
    Part part;
    part.row.assign(rows.begin(), rows.end());
    auto group = [this](std::uint32_t row) { return problem_.has_classes() ? problem_.label[row] : 0; };
    std::stable_sort(part.row.begin(), part.row.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return group(a) < group(b); });
    part.n = static_cast<std::uint32_t>(part.row.size());
    part.place.reserve(chains_.size() * (part.n + std::size_t{1}));
    for (std::int32_t column : chains_) add_order(part, column);
    finish(part);
    return part;
  }

  // Which branch the rows of a part take; `cut` is how many rows with a value are left of it.
  void branches(const Part& part, const Unit& unit, std::uint32_t cut, std::vector<std::uint16_t>& to) const {
    to.assign(part.n, 1);
    if (unit.kind == Unit::Kind::cuts) {
      const std::uint32_t* order = part.orders(static_cast<std::size_t>(unit.at));
      const std::uint32_t n_known = part.n_known[static_cast<std::size_t>(unit.at)];
      for (std::uint32_t p = 0; p < cut; ++p) to[order[p]] = 0;
      const bool is_known_test = cut == n_known;  // the gaps alone are on the right
      for (std::uint32_t p = n_known; p < part.n; ++p)
        to[order[p]] = is_known_test ? std::uint16_t{1} : static_cast<std::uint16_t>(unit.gap);
      return;
    }
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::int32_t own = code(unit.column, part.row[r]);
      if (unit.kind == Unit::Kind::each)
        to[r] = static_cast<std::uint16_t>(own < 0 ? unit.gap : own);
      else
        to[r] = own < 0 && unit.has_own_gap ? std::uint16_t{2}
                                            : std::uint16_t(!part.has_bit(std::size_t(unit.at), r));
    }
  }
  std::int32_t n_branches(const Part& part, const Unit& unit, std::uint32_t cut) const {
    const bool is_open = this->is_open(part, unit);
    if (unit.kind == Unit::Kind::each)
      return problem_.columns[std::size_t(unit.column)].n_codes + (unit.has_own_gap && is_open);
    const bool is_known_test =
        unit.kind == Unit::Kind::cuts && cut == part.n_known[static_cast<std::size_t>(unit.at)];
    return 2 + (unit.has_own_gap && is_open && !is_known_test);
  }

  Test test_of(const Part& part, const Unit& unit, std::uint32_t cut) const {
    const bool is_open = this->is_open(part, unit);
    Test test;
    test.column = unit.column;
    test.form = problem_.columns[static_cast<std::size_t>(unit.column)].form;
    test.n_branches = n_branches(part, unit, cut);
    test.set = unit.set;
    test.place = unit.place;
    test.gap = is_open ? unit.gap : -1;
    if (unit.kind != Unit::Kind::cuts) return test;
    const auto chain = static_cast<std::size_t>(unit.at);
    test.place = static_cast<std::int32_t>(part.places(chain)[cut - 1]);
    if (cut == part.n_known[chain]) test.gap = 1;
    return test;
  }

  // Divide a part; `to` has one place for each branch.
  void divide(const Part& from, const std::vector<std::uint16_t>& branch, std::span<Part> to) {
    local_.resize(from.n);
    for (Part& part : to) part.row.clear();
    for (std::uint32_t r = 0; r < from.n; ++r) {
      Part& part = to[branch[r]];
      local_[r] = static_cast<std::uint32_t>(part.row.size());
      part.row.push_back(from.row[r]);
    }
    for (Part& part : to) {
      part.n = static_cast<std::uint32_t>(part.row.size());
      part.order.resize(chains_.size() * part.n);
      part.place.resize(chains_.size() * (part.n + std::size_t{1}));
    }
    std::vector<std::uint32_t*> order(to.size()), place(to.size());
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      for (std::size_t b = 0; b < to.size(); ++b) {
        order[b] = to[b].order.data() + c * to[b].n;
        place[b] = to[b].place.data() + c * (to[b].n + std::size_t{1});
      }
      const std::uint32_t *rows = from.orders(c), *places = from.places(c);
      for (std::uint32_t p = 0; p < from.n; ++p) {
        const std::uint16_t b = branch[rows[p]];
        *order[b]++ = local_[rows[p]];
        *place[b]++ = places[p];
      }
      for (std::size_t b = 0; b < to.size(); ++b) *place[b] = Part::end_place;
    }
    for (Part& part : to) finish(part);
  }

  // 64 x 64 bits, halves swapped (Warren, Hacker's Delight, 7-3).
  static void transpose(std::array<std::uint64_t, 64>& rows) {
    std::uint64_t mask = 0x00000000FFFFFFFF;
    for (std::size_t width = 32; width != 0; width >>= 1, mask ^= mask << width)
      for (std::size_t k = 0; k < 64; k = ((k | width) + 1) & ~width) {
        const std::uint64_t other = ((rows[k] >> width) ^ rows[k | width]) & mask;
        rows[k] ^= other << width;
        rows[k | width] ^= other;
      }
  }

 private:
  void make_keys() {
    std::uint64_t x = 0x9E3779B97F4A7C15;
    keys_.resize(problem_.n_rows());
    for (Hash& key : keys_)
      for (std::uint64_t& word : key) {  // splitmix64
        x += 0x9E3779B97F4A7C15;
        std::uint64_t z = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        word = z ^ (z >> 31);
      }
  }

  void add_units(std::int32_t c) {
    const Column& column = problem_.columns[static_cast<std::size_t>(c)];
    const bool has_gaps = std::any_of(column.code.begin(), column.code.end(), [](auto x) { return x < 0; });
    // beside sets of categories the gaps are one more category
    const bool is_own = problem_.gaps == Gaps::own_branch && has_gaps && column.form != Form::sets;
    has_own_gaps_ = has_own_gaps_ || is_own;
    if (is_own || column.form == Form::each) has_many_branches_ = true;
    if (has_gaps) open_.push_back(c);
    if (column.form == Form::each) return add_each(c, column.n_codes, has_gaps, is_own);
    const std::int32_t most = *std::max_element(column.code.begin(), column.code.end());
    const std::int32_t least = least_code(column);
    if (column.form == Form::cut && distinct(column) > 2) {
      const auto chain = static_cast<std::int32_t>(chains_.size());
      chains_.push_back(c);
      units_.push_back({Unit::Kind::cuts, c, chain, is_own ? 2 : 1, 0, -1, is_own});
      if (has_gaps && !is_own) units_.push_back({Unit::Kind::cuts, c, chain, 0, 0, -1, false});
      return;
    }
    if (column.form == Form::cut) {
      if (most > least) add_bits(c, least, -1, has_gaps, is_own);
    } else {
      for (std::size_t s = 0; s < column.sets.size(); ++s)
        add_bits(c, 0, static_cast<std::int32_t>(s), has_gaps, is_own);
    }
    if (has_gaps) add_bit({Unit::Kind::bit, c, 0, 1, most, -1, false});
  }
  void add_each(std::int32_t c, std::int32_t n_codes, bool has_gaps, bool is_own) {
    if (!has_gaps || is_own) {
      units_.push_back({Unit::Kind::each, c, 0, is_own ? n_codes : -1, 0, -1, is_own});
    } else {
      for (std::int32_t home = 0; home < n_codes; ++home)
        units_.push_back({Unit::Kind::each, c, 0, home, 0, -1, false});
    }
  }
  void add_bits(std::int32_t c, std::int32_t place, std::int32_t set, bool has_gaps, bool is_own) {
    add_bit({Unit::Kind::bit, c, 0, is_own ? 2 : 1, place, set, is_own});
    if (has_gaps && !is_own) add_bit({Unit::Kind::bit, c, 0, 0, place, set, false});
  }
  // A test that divides all rows as one before does, or not at all, is left out.
  void add_bit(Unit unit) {
    const Column& column = problem_.columns[static_cast<std::size_t>(unit.column)];
    std::vector<std::uint8_t> is_left(column.code.size());
    std::vector<std::uint8_t> in_set(static_cast<std::size_t>(column.n_codes));
    const bool is_known_test = unit.set < 0 && column.form == Form::sets;
    for (std::size_t x = 0; x < in_set.size(); ++x)
      in_set[x] = is_known_test || (unit.set < 0 && static_cast<std::int32_t>(x) <= unit.place);
    if (unit.set >= 0)
      for (std::int32_t x : column.sets[std::size_t(unit.set)]) in_set[static_cast<std::size_t>(x)] = 1;
    Hash left = {0, 0}, right = {0, 0};
    for (std::size_t r = 0; r < is_left.size(); ++r) {
      const std::int32_t code = column.code[r];
      is_left[r] = code < 0 ? unit.gap == 0 : in_set[static_cast<std::size_t>(code)];
      Hash& side = is_left[r] ? left : right;
      for (std::size_t i = 0; i < 2; ++i) side[i] ^= keys_[r][i];
    }
    if (left == Hash{0, 0} || right == Hash{0, 0}) return;
    const std::int32_t owner = problem_.keeps_twins ? unit.column : -1;
    if (!unit.has_own_gap && !seen_.emplace(owner, std::min(left, right)).second) return;
    unit.at = static_cast<std::int32_t>(bits_.size());
    bits_.push_back(std::move(is_left));
    units_.push_back(unit);
  }
  static std::int32_t least_code(const Column& column) {
    std::int32_t least = column.n_codes;
    for (std::int32_t x : column.code)
      if (x >= 0) least = std::min(least, x);
    return least;
  }
  static std::size_t distinct(const Column& column) {
    std::vector<std::uint8_t> is_there(static_cast<std::size_t>(column.n_codes));
    for (std::int32_t x : column.code)
      if (x >= 0) is_there[static_cast<std::size_t>(x)] = 1;
    return static_cast<std::size_t>(std::count(is_there.begin(), is_there.end(), 1));
  }

  // The bits of a row side by side, 64 a word.
  void pack_bits() {
    n_row_words_ = (bits_.size() + 63) / 64;
    packed_.assign(problem_.n_rows() * n_row_words_, 0);
    for (std::size_t b = 0; b < bits_.size(); ++b)
      for (std::size_t r = 0; r < problem_.n_rows(); ++r)
        packed_[r * n_row_words_ + b / 64] |= std::uint64_t{bits_[b][r]} << (b % 64);
    for (auto& bit : bits_) bit = {};
  }

  void add_order(Part& part, std::int32_t column) const {
    std::vector<std::uint32_t> order(part.n);
    std::iota(order.begin(), order.end(), 0u);
    auto place = [&](std::uint32_t r) {
      const std::int32_t x = code(column, part.row[r]);
      return x < 0 ? Part::gap_place : static_cast<std::uint32_t>(x);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    part.order.insert(part.order.end(), order.begin(), order.end());
    for (std::uint32_t r : order) part.place.push_back(place(r));
    part.place.push_back(Part::end_place);
  }

  // All that follows from rows and orders.
  void finish(Part& part) const {
    part.hash = {0, 0};
    for (std::uint32_t row : part.row)
      for (std::size_t i = 0; i < 2; ++i) part.hash[i] ^= keys_[row][i];
    part.n_known.resize(chains_.size());
    part.has_gap.assign(problem_.columns.size(), 0);
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const std::uint32_t* place = part.places(c);
      part.n_known[c] =
          static_cast<std::uint32_t>(std::lower_bound(place, place + part.n, Part::gap_place) - place);
    }
    for (std::int32_t column : open_)
      part.has_gap[static_cast<std::size_t>(column)] = std::any_of(
          part.row.begin(), part.row.end(), [&](std::uint32_t row) { return code(column, row) < 0; });
    if (!bits_.empty()) make_planes(part);
  }

  void make_planes(Part& part) const {
    const std::size_t n_groups = this->n_groups();
    part.start.assign(n_groups + 1, 0);
    part.slot.resize(part.n);
    std::vector<std::uint32_t> count(n_groups);
    auto group = [this](std::uint32_t row) {
      return problem_.has_classes() ? static_cast<std::size_t>(problem_.label[row]) : 0;
    };
    for (std::uint32_t row : part.row) ++count[group(row)];
    for (std::size_t g = 0; g < n_groups; ++g) part.start[g + 1] = part.start[g] + (count[g] + 63) / 64;
    part.n_words = part.start[n_groups];
    part.plane.assign(part.n_words * bits_.size(), 0);
    std::fill(count.begin(), count.end(), 0u);
    for (std::uint32_t r = 0; r < part.n; ++r) {
      const std::size_t g = group(part.row[r]);
      part.slot[r] = part.start[g] * 64 + count[g]++;
    }
    std::array<std::uint64_t, 64> block;
    for (std::uint32_t first = 0; first < part.n;) {
      const std::uint32_t word = part.slot[first] / 64;
      std::uint32_t last = first;
      while (last < part.n && part.slot[last] / 64 == word) ++last;
      for (std::size_t w = 0; w < n_row_words_; ++w) {
        block.fill(0);
        for (std::size_t i = 0; i < std::min<std::size_t>(64, last - first); ++i)
          block[i] = packed_[part.row[first + i] * n_row_words_ + w];
        transpose(block);
        const std::size_t n = std::min<std::size_t>(64, bits_.size() - w * 64);
        for (std::size_t b = 0; b < n; ++b) part.plane[(w * 64 + b) * part.n_words + word] = block[b];
      }
      first = last;
    }
  }
  const Problem& problem_;
  std::vector<Unit> units_;
  std::vector<std::int32_t> chains_;  // the columns that are cut in more than one place
  std::vector<std::int32_t> open_;    // the columns with gaps
  std::vector<std::vector<std::uint8_t>> bits_;
  std::set<std::pair<std::int32_t, Hash>> seen_;
  std::vector<Hash> keys_;
  std::vector<std::uint64_t> packed_;
  std::size_t n_row_words_ = 0;
  std::vector<std::uint32_t> local_;
  bool has_many_branches_ = false, has_own_gaps_ = false;
};

}  // namespace treewright::optimal
