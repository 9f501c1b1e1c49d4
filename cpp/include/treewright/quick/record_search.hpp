// The best test of a node of records among the columns that are drawn for it: the very one that DrawnSearch
// finds. Columns that cannot split are known before any is drawn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../search/judge.hpp"
#include "drawn_kernels.hpp"
#include "input.hpp"
#include "record_kernels.hpp"

namespace treewright {

using RecordCounts = std::array<double, padded_classes>;  // weights by class; those past the last are 0

// Rows whose code in a lane is above `last`, or, if it is shared, equal to it, go right.
struct RecordCut {
  std::uint32_t column = 0;
  std::size_t lane = 0;
  bool is_shared = false;
  std::int16_t last = 0;
  double gain = 0;
  RecordCounts left{};
  double drawn = std::numeric_limits<double>::quiet_NaN();  // the cut itself, if it was drawn
};

class RecordSearch {
 public:
  RecordSearch(const Input<ClassTarget>& input, const RecordTable& table)
      : input_(input),
        table_(table),
        bits_(std::max(
            1.0, portable_log2(static_cast<double>(std::max<std::size_t>(2, input.target.n_classes))))) {
    for (const RecordTable::Lane& lane : table.lanes()) {
      auto& ranks = rank_.emplace_back();
      for (std::size_t k = 0; k < lane.column.size(); ++k)
        ranks.push_back(
            lane.is_shared && k == 0 ? 0 : static_cast<std::uint32_t>(input.columns[lane.column[k]].rank));
    }
    for (std::size_t l = table.n_own(); l < table.lanes().size(); ++l) by_equality_.lane[l] = -1;
  }

  // The best test for some rows with these weights by class, if there is one that gains enough.
  std::optional<RecordCut> choose(std::span<const Record> rows, const RecordCounts& counts,
                                  std::uint64_t path) {
    set_node(rows, counts);
    find_spread(rows, table_.n_own(), table_.lanes().size(), spread_);
    find_active();
    if (active_.empty()) return std::nullopt;
    draw(path);
    if (input_.settings.use_random_cuts)
      look_at_drawn_cuts(path);
    else if (rows.size() <= tiny_rows && total_ <= tiny_weight)
      look_at_all();
    else
      look_by_lanes();
    return judge();
  }

 private:
  struct Active {
    std::uint32_t column;
    std::uint8_t lane, code;  // the code of a column that shares its lane, or else 0
  };
  struct Candidate {
    Active at;
    std::int16_t last;
    double worth;
    std::array<std::uint32_t, padded_classes> inside;  // weights up to the last code, or of the shared one
    double drawn = std::numeric_limits<double>::quiet_NaN();
  };

  void set_node(std::span<const Record> rows, const RecordCounts& counts) {
    rows_ = rows;
    all_ = counts;
    total_ = std::accumulate(counts.begin(), counts.end(), 0.0);
    Scale scale;
    scale.cost_scale = cost_scale_ = fixed_point_scale(total_ * bits_);
    slack_ = Judge<Gini, ClassStats>::slack(scale, 0);  // sums of whole numbers are exact
    floor_ = 0;
    candidates_.clear();
  }

  // ---- drawing ------------------------------------------------------------------------------------------

  void find_active() {
    active_.clear();
    ranks_.clear();
    for (std::uint8_t l = 0; l < table_.lanes().size(); ++l) {
      if (spread_.least.lane[l] == spread_.most.lane[l]) continue;
      if (l < table_.n_own())
        add_active(l, 0);
      else
        for (std::uint64_t codes = spread_.present[l] & ~std::uint64_t{1}; codes != 0; codes &= codes - 1)
          add_active(l, static_cast<std::uint8_t>(std::countr_zero(codes)));
    }
  }
  void add_active(std::uint8_t lane, std::uint8_t code) {
    active_.push_back({table_.lanes()[lane].column[code], lane, code});
    ranks_.push_back(rank_[lane][code]);
  }
  // Leave those columns that are looked at. (Equal hashes of 64 bits are not reckoned with.)
  void draw(std::uint64_t path) {
    const auto wanted = static_cast<std::size_t>(input_.settings.max_columns);
    if (active_.size() <= wanted) return;
    hashes_.assign((active_.size() + 7) / 8 * 8, std::numeric_limits<std::uint64_t>::max());
    input_.hash_ranks(ranks_, path, hashes_.data());
    const std::uint64_t last = find_ranked(hashes_, wanted - 1);
    std::size_t n_drawn = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      active_[n_drawn] = active_[i];
      ranks_[n_drawn] = ranks_[i];
      n_drawn += hashes_[i] <= last;
    }
    active_.resize(n_drawn);
    ranks_.resize(n_drawn);
  }

  // ---- cuts that are drawn ------------------------------------------------------------------------------

  void look_at_drawn_cuts(std::uint64_t path) {
    hashes_.resize(active_.size());
    input_.draw_cuts(ranks_, path, hashes_.data());
    for (std::size_t first = 0; first < active_.size(); first += Record::n_lanes)
      look_at_some_cuts(first, std::min(active_.size() - first, Record::n_lanes));
  }
  void look_at_some_cuts(std::size_t first, std::size_t n) {
    RecordCuts cuts{};
    std::array<double, Record::n_lanes> drawn;
    for (std::size_t i = 0; i < n; ++i) {
      const auto [column, lane, code] = active_[first + i];
      const bool is_shared = code != 0;
      const auto least = is_shared ? 0 : static_cast<std::size_t>(spread_.least.lane[lane]),
                 most = is_shared ? 1 : static_cast<std::size_t>(spread_.most.lane[lane]);
      drawn[i] = cut_within(table_.value(column, least), table_.value(column, most), hashes_[first + i]);
      cuts.lane.lane[i] = lane;
      cuts.last.lane[i] = is_shared ? std::int16_t{code} : table_.last_not_above(column, drawn[i]);
      cuts.by_equality.lane[i] = is_shared ? -1 : 0;
    }
    InsideCuts inside;
    weigh_cuts(rows_, cuts, inside);
    std::array<float, Record::n_lanes> worth{};
    if (total_ <= compared_weight) score_cuts(inside, all_, worth);
    const float floor = *std::max_element(worth.data(), worth.data() + n) * (1 - 0x1p-20f);
    for (std::size_t i = 0; i < n; ++i) {
      if (worth[i] < floor) continue;
      std::array<std::uint32_t, padded_classes> own;
      for (std::size_t j = 0; j < padded_classes; ++j) own[j] = inside[j][i];
      if (offer(active_[first + i], cuts.last.lane[i], worth_of(own.data()), own.data()))
        candidates_.back().drawn = drawn[i];
    }
  }

  // ---- few rows: all cuts of all columns ----------------------------------------------------------------

  void look_at_all() {
    Record own{};
    std::array<std::uint64_t, Record::max_columns> shared{};  // codes that were drawn
    for (const Active& active : active_)
      if (active.code == 0)
        own.lane[active.lane] = -1;
      else
        shared[active.lane] |= std::uint64_t{1} << active.code;
    std::array<Record, tiny_rows> allowed;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      allowed[i] = own;
      for (std::size_t l = table_.n_own(); l < table_.lanes().size(); ++l)
        allowed[i].lane[l] = (shared[l] >> rows_[i].lane[l] & 1) != 0 ? -1 : 0;
    }
    alignas(64) std::array<float, tiny_rows * Record::n_lanes> worth;
    const float most = score_tiny(rows_, by_equality_, {allowed.data(), rows_.size()}, all_, worth.data());
    if (most < 0) return;
    const float floor = most * (1 - 0x1p-20f);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t l = 0; l < table_.lanes().size(); ++l)
        if (worth[i * Record::n_lanes + l] >= floor) keep_tiny(l, rows_[i].lane[l]);
    floor_ = nothing;  // scores are judged anew
  }
  void keep_tiny(std::size_t l, std::int16_t code) {
    const bool is_shared = l >= table_.n_own();
    for (const Candidate& other : candidates_)
      if (other.at.lane == l && other.last == code) return;
    Candidate& candidate = candidates_.emplace_back();
    candidate.at = {table_.lanes()[l].column[is_shared ? static_cast<std::size_t>(code) : 0],
                    static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(is_shared ? code : 0)};
    candidate.last = code;
    candidate.worth = 0;
    candidate.inside.fill(0);
    for (const Record& row : rows_) {
      const bool is_inside = is_shared ? row.lane[l] == code : row.lane[l] <= code;
      candidate.inside[label(row)] += is_inside ? weight(row) : 0;
    }
  }

  // ---- more rows: lane by lane --------------------------------------------------------------------------

  void look_by_lanes() {
    std::uint32_t shared_lanes = 0;
    is_grouped_ = false;
    for (const Active& active : active_) {
      if (active.code == 0)
        look_at_numbers(active);
      else
        shared_lanes |= 1u << active.lane;
    }
    for (; shared_lanes != 0; shared_lanes &= shared_lanes - 1)
      look_at_shared(static_cast<std::uint8_t>(std::countr_zero(shared_lanes)));
  }
  static std::size_t label(const Record& row) { return static_cast<std::size_t>(row.lane[Record::label]); }
  static std::uint32_t weight(const Record& row) {
    return static_cast<std::uint16_t>(row.lane[Record::weight]);
  }

  // One pass counts all columns that share a lane.
  void look_at_shared(std::uint8_t lane) {
    const std::size_t n_codes = table_.lanes()[lane].column.size();
    count_.assign(n_codes * padded_classes, 0);
    for (const Record& row : rows_)
      count_[static_cast<std::size_t>(row.lane[lane]) * padded_classes + label(row)] += weight(row);
    for (const Active& active : active_) {
      if (active.code == 0 || active.lane != lane) continue;
      const std::uint32_t* inside = count_.data() + active.code * padded_classes;
      offer(active, active.code, worth_of(inside), inside);
    }
  }
  double worth_of(const std::uint32_t* inside) const {
    double n = 0, squares = 0, other_squares = 0;
    for (std::size_t j = 0; j < padded_classes; ++j) {
      const double x = inside[j], y = all_[j] - x;
      n += x;
      squares += x * x;
      other_squares += y * y;
    }
    return squares / n + other_squares / (total_ - n);
  }

  void look_at_numbers(const Active& active) {
    const std::int16_t least = spread_.least.lane[active.lane];
    const auto n_codes = static_cast<std::size_t>(spread_.most.lane[active.lane] - least) + 1;
    const std::size_t n = rows_.size();
    if (n <= compared_rows && total_ <= compared_weight && n * n < compared_share * n_codes)
      look_at_compared(active);
    else if (n_codes <= 2 * n)
      look_at_counts(active, least, n_codes);
    else
      look_at_sorted(active, least, n_codes);
  }
  // Few rows beside the number of codes: each is compared with every other. What is near the best is scored
  // anew, with all digits.
  void look_at_compared(const Active& active) {
    if (!is_grouped_) group_by_class(rows_, runs_);
    is_grouped_ = true;
    const std::size_t n = rows_.size();
    for (std::size_t i = 0; i < n; ++i) code_[i] = rows_[runs_.row[i]].lane[active.lane];
    const float most = score_rows(code_.data(), runs_, compared_.data());
    const double floor = std::max<double>(most, floor_) * (1 - 0x1p-20);
    if (most < floor) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (compared_[i] < floor) continue;
      std::array<std::uint32_t, padded_classes> inside{};
      for (const Record& row : rows_)
        inside[label(row)] += row.lane[active.lane] <= code_[i] ? weight(row) : 0;
      offer(active, code_[i], worth_of(inside.data()), inside.data());
      for (std::size_t k = i + 1; k < n; ++k)
        if (code_[k] == code_[i]) compared_[k] = -1;
    }
  }
  // Few codes: a counter for each and every class.
  void look_at_counts(const Active& active, std::int16_t least, std::size_t n_codes) {
    count_.assign(n_codes * padded_classes, 0);
    for (const Record& row : rows_)
      count_[static_cast<std::size_t>(row.lane[active.lane] - least) * padded_classes + label(row)] +=
          weight(row);
    worth_.resize(n_codes);
    score_codes(count_, all_, total_, worth_.data());
    for (std::size_t k = 0; k + 1 < n_codes; ++k)
      if (worth_[k] >= floor_ - slack_)
        offer(active, static_cast<std::int16_t>(least + static_cast<std::int16_t>(k)), worth_[k],
              count_.data() + k * padded_classes);
  }
  // Many codes: rows in order, and running sums of squares, so that a cut costs the same for any number of
  // classes.
  void look_at_sorted(const Active& active, std::int16_t least, std::size_t n_codes) {
    sort_rows(active.lane, least, n_codes);
    std::array<std::uint32_t, padded_classes> left{}, right;
    std::int64_t n_left = 0, left_squares = 0, right_squares = 0;
    for (std::size_t j = 0; j < padded_classes; ++j) {
      right[j] = static_cast<std::uint32_t>(all_[j]);
      right_squares += static_cast<std::int64_t>(right[j]) * right[j];
    }
    for (std::size_t p = 0; p + 1 < key_.size(); ++p) {
      const Record& row = rows_[key_[p] & 0xFFFF];
      const std::size_t j = label(row);
      const std::int64_t w = weight(row);
      left_squares += w * (2 * std::int64_t{left[j]} + w);
      right_squares -= w * (2 * std::int64_t{right[j]} - w);
      left[j] += static_cast<std::uint32_t>(w);
      right[j] -= static_cast<std::uint32_t>(w);
      n_left += w;
      if (key_[p] >> 16 == key_[p + 1] >> 16) continue;
      const double n = static_cast<double>(n_left), worth = static_cast<double>(left_squares) / n +
                                                            static_cast<double>(right_squares) / (total_ - n);
      if (worth >= floor_ - slack_)
        offer(active, static_cast<std::int16_t>(least + static_cast<std::int16_t>(key_[p] >> 16)), worth,
              left.data());
    }
  }
  // The rows by their codes: code above the least, and place, 16 bits each. There are more codes than rows,
  // so that both fit.
  void sort_rows(std::uint8_t lane, std::int16_t least, std::size_t n_codes) {
    const std::size_t n = rows_.size();
    key_.resize(n);
    if (n <= few_rows) return sort_few(lane, least);
    auto key = [&](std::size_t i) {
      return static_cast<std::uint32_t>(rows_[i].lane[lane] - least) << 16 | static_cast<std::uint32_t>(i);
    };
    const int spare_bits =
        static_cast<int>(std::bit_width(n_codes - 1)) - static_cast<int>(std::bit_width(n));
    const int shift = std::max(0, spare_bits) + 16;
    const std::size_t n_buckets = ((n_codes - 1) >> (shift - 16)) + 1;
    place_.assign(n_buckets + 1, 0);
    unsorted_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      unsorted_[i] = key(i);
      ++place_[(unsorted_[i] >> shift) + 1];
    }
    for (std::size_t b = 0; b < n_buckets; ++b) place_[b + 1] += place_[b];
    for (std::uint32_t k : unsorted_) key_[place_[k >> shift]++] = k;
    std::uint32_t* keys = key_.data();
    for (std::size_t i = 1; i < n; ++i) {  // by now each is near its place
      const std::uint32_t k = keys[i];
      std::size_t j = i;
      for (; j > 0 && keys[j - 1] > k; --j) keys[j] = keys[j - 1];
      keys[j] = k;
    }
  }

  void sort_few(std::uint8_t lane, std::int16_t least) {
    std::array<std::uint32_t, few_rows> code;
    std::array<std::int32_t, few_rows> sorted;
    for (std::size_t i = 0; i < rows_.size(); ++i) code[i] = static_cast<std::uint32_t>(rows_[i].lane[lane]);
    sort_few_ranks({code.data(), rows_.size()}, static_cast<std::uint32_t>(least), sorted.data());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto key = static_cast<std::uint32_t>(sorted[i]);
      key_[i] = key >> 5 << 16 | (key & 31);
    }
  }

  bool offer(const Active& active, std::int16_t last, double worth, const std::uint32_t* inside) {
    if (worth < floor_ - slack_) return false;
    floor_ = std::max(floor_, worth);
    Candidate& candidate = candidates_.emplace_back();
    candidate.at = active;
    candidate.last = last;
    candidate.worth = worth;
    std::copy_n(inside, padded_classes, candidate.inside.begin());
    return true;
  }

  // ---- judging ------------------------------------------------------------------------------------------

  // The very scores that Contest gives; of equal ones the first, in the order of columns and places.
  std::optional<RecordCut> judge() {
    const Candidate* best = nullptr;
    RecordCounts best_left{};
    std::int64_t best_drop = 0, best_value = 0;
    const std::int64_t parent = cost(all_);
    for (const Candidate& candidate : candidates_) {
      if (candidate.worth < floor_ - slack_) continue;
      const RecordCounts left = left_of(candidate);
      RecordCounts right;
      for (std::size_t j = 0; j < padded_classes; ++j) right[j] = all_[j] - left[j];
      const std::int64_t drop = parent - cost(left) - cost(right), value = rounded(drop);
      if (best != nullptr && (value < best_value || (value == best_value && !is_before(candidate, *best))))
        continue;
      best = &candidate;
      best_left = left;
      best_drop = drop;
      best_value = value;
    }
    if (best == nullptr) return std::nullopt;
    const double gain = static_cast<double>(best_drop) * (1 / (cost_scale_ * total_));
    if (!input_.choice.is_enough(gain, total_)) return std::nullopt;
    return RecordCut{best->at.column, best->at.lane, best->at.code != 0, best->last, gain,
                     best_left,       best->drawn};
  }
  bool is_before(const Candidate& a, const Candidate& b) const {
    const auto rank = [&](const Candidate& c) { return input_.columns[c.at.column].rank; };
    return std::pair(rank(a), a.last) < std::pair(rank(b), b.last);
  }
  // Of a column that shares its lane, the lesser value goes left.
  RecordCounts left_of(const Candidate& candidate) const {
    RecordCounts left;
    for (std::size_t j = 0; j < padded_classes; ++j)
      left[j] = candidate.at.code == 0 ? candidate.inside[j] : all_[j] - candidate.inside[j];
    return left;
  }
  std::int64_t cost(const RecordCounts& counts) const {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    return std::llrint(Gini::impurity(ClassGroup{counts, total, input_.logs}) * cost_scale_);
  }

  // Comparing n rows takes n^2 steps, counting and scoring k codes about as many for each of them.
  static constexpr std::size_t compared_share = 256;
  static constexpr double nothing = -std::numeric_limits<double>::infinity();

  const Input<ClassTarget>& input_;
  const RecordTable& table_;
  Record by_equality_{};

  std::span<const Record> rows_;  // of the node at hand
  RecordCounts all_{};
  double bits_, total_ = 0, cost_scale_ = 1, slack_ = 0, floor_ = 0;
  LaneSpread spread_;
  std::vector<std::vector<std::uint32_t>> rank_;  // of columns, by lane and code
  std::vector<Active> active_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint64_t> hashes_;
  ClassRuns runs_;  // the rows by class, once they were asked for
  bool is_grouped_ = false;
  std::array<std::int16_t, compared_rows + 16> code_;
  std::array<float, compared_rows + 16> compared_;
  std::vector<std::uint32_t> count_, place_, unsorted_, key_;
  std::vector<double> worth_;
  std::vector<Candidate> candidates_;
};

}  // namespace treewright
