#include "treewright/quick/records.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "treewright/parallel.hpp"

namespace treewright {

namespace {

constexpr std::size_t block = 512;  // rows that stay in the cache while columns pass
constexpr double widest = 0xFFFF;   // from the least number of a column to the greatest
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t max_shared = 63;  // columns of a lane: the codes met in a node are bits of one word

// What a column of whole numbers holds.
struct Values {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  bool are_whole = true;
  std::vector<std::uint32_t> example;  // by number above the least: a row that has it
  std::vector<std::int16_t> code;      // by number above the least
  std::vector<std::uint32_t> ranked;   // by code: a row that has it

  bool serve() const { return are_whole && most - least <= widest; }
  bool are_two() const { return ranked.size() == 2; }
  std::size_t place(double x) const { return static_cast<std::size_t>(x - least); }
};

// Visit all numbers, some rows of all columns at a time: rows may lie side by side in memory.
template <class Visit>
void by_blocks(std::span<const Column> columns, const std::function<void()>& breathe, Visit visit) {
  const std::size_t n_rows = columns[0].number.size;
  for (std::size_t first = 0; first < n_rows; first += block) {
    if (breathe && first % (128 * block) == 0) breathe();
    const std::size_t last = std::min(n_rows, first + block);
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (std::size_t r = first; r < last; ++r) visit(c, r, columns[c].number[r]);
  }
}

// Is it a number without a fraction, of few digits? A gap is not.
bool is_whole(double x) {
  return x > -0x1p31 && x < 0x1p31 && static_cast<double>(static_cast<std::int32_t>(x)) == x;
}

// A first look at a few rows tells most tables that are not served.
bool are_whole_at_first(std::span<const Column> columns) {
  for (const Column& column : columns)
    for (std::size_t r = 0; r < std::min<std::size_t>(64, column.number.size); ++r)
      if (!is_whole(column.number[r])) return false;
  return true;
}

std::optional<std::vector<Values>> values_of(std::span<const Column> columns,
                                             const std::function<void()>& breathe) {
  std::vector<Values> values(columns.size());
  by_blocks(columns, breathe, [&](std::size_t c, std::size_t, double x) {
    Values& own = values[c];
    own.least = x < own.least ? x : own.least;
    own.most = x > own.most ? x : own.most;
    own.are_whole &= is_whole(x);
  });
  for (Values& own : values) {
    if (!own.serve()) return std::nullopt;
    own.example.assign(own.place(own.most) + 1, none);
  }
  by_blocks(columns, breathe, [&](std::size_t c, std::size_t r, double x) {
    values[c].example[values[c].place(x)] = static_cast<std::uint32_t>(r);
  });
  for (Values& own : values) {
    own.code.resize(own.example.size());
    for (std::size_t i = 0; i < own.example.size(); ++i) {
      if (own.example[i] == none) continue;
      own.code[i] = static_cast<std::int16_t>(own.ranked.size());
      own.ranked.push_back(own.example[i]);
      if (own.ranked.size() > RecordTable::max_codes) return std::nullopt;
    }
  }
  return values;
}

// Which columns of two values are the greater one in the same row?
class Conflicts {
 public:
  explicit Conflicts(std::size_t n) : n_words_((n + 63) / 64), together_(n * n_words_) {}
  void add(std::span<const std::uint32_t> ones) {
    for (std::uint32_t a : ones)
      for (std::uint32_t b : ones)
        if (a != b) together_[a * n_words_ + b / 64] |= std::uint64_t{1} << b % 64;
  }
  bool are_apart(std::uint32_t a, std::uint32_t b) const {
    return (together_[a * n_words_ + b / 64] >> b % 64 & 1) == 0;
  }
  // Each to the first lane that has room for it.
  std::vector<std::vector<std::uint32_t>> lanes(std::size_t n) const {
    std::vector<std::vector<std::uint32_t>> found;
    for (std::uint32_t a = 0; a < n; ++a) {
      auto fits = [&](const std::vector<std::uint32_t>& lane) {
        return lane.size() < max_shared &&
               std::all_of(lane.begin(), lane.end(), [&](std::uint32_t b) { return are_apart(a, b); });
      };
      auto lane = std::find_if(found.begin(), found.end(), fits);
      if (lane == found.end()) lane = found.emplace(found.end());
      lane->push_back(a);
    }
    return found;
  }

 private:
  std::size_t n_words_;
  std::vector<std::uint64_t> together_;
};

// Columns of two values, those that may share a lane together; none if they need more than `room` lanes.
std::optional<std::vector<std::vector<std::uint32_t>>> share_lanes(std::span<const Column> columns,
                                                                   std::span<const Values> values,
                                                                   std::span<const std::uint32_t> two_valued,
                                                                   std::size_t room) {
  Conflicts conflicts(two_valued.size());
  std::vector<std::uint32_t> ones;
  const std::size_t n_rows = columns[0].number.size;
  for (std::size_t r = 0; r < n_rows; ++r) {
    ones.clear();
    for (std::uint32_t i = 0; i < two_valued.size(); ++i)
      if (columns[two_valued[i]].number[r] == values[two_valued[i]].most) ones.push_back(i);
    conflicts.add(ones);
    if (r == block && conflicts.lanes(two_valued.size()).size() > room) return std::nullopt;
  }
  auto lanes = conflicts.lanes(two_valued.size());
  if (lanes.size() > room) return std::nullopt;
  for (auto& lane : lanes)
    for (std::uint32_t& i : lane) i = two_valued[i];
  return lanes;
}

}  // namespace

std::optional<RecordTable> RecordTable::of(std::span<const Column> columns,
                                           std::span<const std::int32_t> label, std::size_t n_threads,
                                           const std::function<void()>& breathe) {
  if (columns.empty() || label.empty() || !are_whole_at_first(columns)) return std::nullopt;
  const auto values = values_of(columns, breathe);
  if (!values) return std::nullopt;
  RecordTable table;
  std::vector<std::uint32_t> two_valued;
  for (std::uint32_t c = 0; c < columns.size(); ++c) {
    if ((*values)[c].are_two())
      two_valued.push_back(c);
    else if ((*values)[c].ranked.size() > 2)
      table.lanes_.push_back({false, {c}});
  }
  if (table.lanes_.size() > Record::max_columns) return std::nullopt;
  table.n_own_ = table.lanes_.size();
  const auto shared = share_lanes(columns, *values, two_valued, Record::max_columns - table.n_own_);
  if (!shared) return std::nullopt;
  for (const auto& lane : *shared) {
    table.lanes_.push_back({true, {none}});
    auto& members = table.lanes_.back().column;
    members.insert(members.end(), lane.begin(), lane.end());
  }
  for (const Values& own : *values) table.example_.push_back(own.ranked);

  const std::size_t n_rows = label.size();
  table.rows_.resize(n_rows);
  in_shares(n_threads, (n_rows + block - 1) / block, breathe, [&](std::size_t b, std::size_t) {
    const std::size_t first = b * block, last = std::min(n_rows, first + block);
    for (std::size_t r = first; r < last; ++r) {
      table.rows_[r].lane[Record::label] = static_cast<std::int16_t>(label[r]);
      table.rows_[r].lane[Record::weight] = 1;
    }
    for (std::size_t l = 0; l < table.lanes_.size(); ++l) {
      const Lane& lane = table.lanes_[l];
      if (!lane.is_shared) {
        const Values& own = (*values)[lane.column[0]];
        const Numbers& numbers = columns[lane.column[0]].number;
        for (std::size_t r = first; r < last; ++r) table.rows_[r].lane[l] = own.code[own.place(numbers[r])];
        continue;
      }
      for (std::size_t k = 1; k < lane.column.size(); ++k) {
        const Numbers& numbers = columns[lane.column[k]].number;
        const double most = (*values)[lane.column[k]].most;
        for (std::size_t r = first; r < last; ++r)
          if (numbers[r] == most) table.rows_[r].lane[l] = static_cast<std::int16_t>(k);
      }
    }
  });
  return table;
}

}  // namespace treewright
