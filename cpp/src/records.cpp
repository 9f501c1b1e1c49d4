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
  std::vector<std::int16_t> code;      // by number above the least: of it, or of the next below
  std::vector<std::uint32_t> ranked;   // by code: a row that has it

  bool serve() const { return are_whole && most - least <= widest; }
  bool are_two() const { return ranked.size() == 2; }
  std::size_t place(double x) const { return static_cast<std::size_t>(x - least); }
};

// Visit some rows of all columns at a time: rows may lie side by side in memory.
template <class Visit>
void by_blocks(std::size_t n_rows, std::size_t n_columns, const std::function<void()>& breathe, Visit visit) {
  for (std::size_t first = 0; first < n_rows; first += block) {
    if (breathe && first % (128 * block) == 0) breathe();
    for (std::size_t c = 0; c < n_columns; ++c) visit(c, first, std::min(n_rows, first + block));
  }
}
// Visit some numbers of a column: of which type they are is asked once.
template <class Visit>
TREEWRIGHT_INLINE void each(const Numbers& numbers, std::size_t first, std::size_t last, Visit visit) {
  if (numbers.type == Numbers::Type::float32)
    for (std::size_t r = first; r < last; ++r) visit(r, static_cast<double>(numbers.raw<float>(r)));
  else
    for (std::size_t r = first; r < last; ++r) visit(r, numbers[r]);
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

// Of at most two values: the last row that has each.
void find_last_two(const Numbers& numbers, Values& own) {
  std::size_t n_missing = own.example.size();
  for (std::size_t r = numbers.size; r-- > 0 && n_missing > 0;) {
    std::uint32_t& example = own.example[own.place(numbers[r])];
    if (example != none) continue;
    example = static_cast<std::uint32_t>(r);
    --n_missing;
  }
}

std::optional<std::vector<Values>> values_of(std::span<const Column> columns,
                                             const std::function<void()>& breathe) {
  std::vector<Values> values(columns.size());
  const std::size_t n_rows = columns[0].number.size;
  by_blocks(n_rows, columns.size(), breathe, [&](std::size_t c, std::size_t first, std::size_t last) {
    double least = values[c].least, most = values[c].most;
    bool are_whole = true;
    each(columns[c].number, first, last, [&](std::size_t, double x) {
      least = x < least ? x : least;
      most = x > most ? x : most;
      are_whole &= is_whole(x);
    });
    values[c].least = least;
    values[c].most = most;
    values[c].are_whole &= are_whole;
  });
  std::vector<std::size_t> many;  // columns of more than two values
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Values& own = values[c];
    if (!own.serve()) return std::nullopt;
    own.example.assign(own.place(own.most) + 1, none);
    if (own.example.size() > 2)
      many.push_back(c);
    else
      find_last_two(columns[c].number, own);
  }
  by_blocks(n_rows, many.size(), breathe, [&](std::size_t i, std::size_t first, std::size_t last) {
    Values& own = values[many[i]];
    std::uint32_t* example = own.example.data();
    each(columns[many[i]].number, first, last, [&, least = own.least](std::size_t r, double x) {
      example[static_cast<std::size_t>(x - least)] = static_cast<std::uint32_t>(r);
    });
  });
  for (Values& own : values) {
    own.code.resize(own.example.size());
    for (std::size_t i = 0; i < own.example.size(); ++i) {
      if (own.example[i] != none) own.ranked.push_back(own.example[i]);
      if (own.ranked.size() > RecordTable::max_codes) return std::nullopt;
      own.code[i] = static_cast<std::int16_t>(own.ranked.size() - 1);
    }
  }
  return values;
}

// Which columns of two values are the greater one in the same row?
class Conflicts {
 public:
  explicit Conflicts(std::size_t n) : n_words_((n + 63) / 64), together_(n * n_words_) {}
  std::size_t n_words() const { return n_words_; }
  // Columns that are the greater one in a row, as bits of so many words.
  void add(const std::uint64_t* ones) {
    for (std::size_t w = 0; w < n_words_; ++w)
      for (std::uint64_t left = ones[w]; left != 0; left &= left - 1) {
        std::uint64_t* own =
            together_.data() + (w * 64 + static_cast<std::size_t>(std::countr_zero(left))) * n_words_;
        for (std::size_t v = 0; v < n_words_; ++v) own[v] |= ones[v];
      }
  }
  // For two columns, not one.
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
  const std::size_t n_rows = columns[0].number.size, n_words = conflicts.n_words();
  std::vector<std::uint64_t> ones(block * n_words);
  for (std::size_t first = 0; first < n_rows; first += block) {
    const std::size_t last = std::min(n_rows, first + block);
    std::fill(ones.begin(), ones.end(), 0);
    for (std::size_t i = 0; i < two_valued.size(); ++i) {
      std::uint64_t* word = ones.data() + i / 64;
      each(columns[two_valued[i]].number, first, last,
           [&, most = values[two_valued[i]].most](std::size_t r, double x) {
             word[(r - first) * n_words] |= std::uint64_t{x == most} << i % 64;
           });
    }
    for (std::size_t r = first; r < last; ++r) conflicts.add(ones.data() + (r - first) * n_words);
    if (first == 0 && conflicts.lanes(two_valued.size()).size() > room) return std::nullopt;
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
  auto values = values_of(columns, breathe);
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
        each(numbers, first, last,
             [&](std::size_t r, double x) { table.rows_[r].lane[l] = own.code[own.place(x)]; });
        continue;
      }
      for (std::size_t k = 1; k < lane.column.size(); ++k) {
        const Numbers& numbers = columns[lane.column[k]].number;
        const double most = (*values)[lane.column[k]].most;
        each(numbers, first, last, [&](std::size_t r, double x) {
          if (x == most) table.rows_[r].lane[l] = static_cast<std::int16_t>(k);
        });
      }
    }
  });
  for (std::size_t c = 0; c < columns.size(); ++c) {
    auto& own = table.coding_.emplace_back();
    for (std::uint32_t row : table.example_[c]) own.value.push_back(columns[c].number[row] + 0.0);
    own.rank_up_to = std::move((*values)[c].code);
  }
  return table;
}

}  // namespace treewright
