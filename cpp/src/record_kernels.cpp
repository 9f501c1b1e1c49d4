#include "treewright/quick/record_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "treewright/quick/dispatch.hpp"

namespace treewright {

#if defined(__GNUC__)

typedef std::int16_t Lanes __attribute__((vector_size(32)));
// Of vectors of 64 bytes a compiler for narrower registers makes single numbers: so lanes are widened by
// halves.
typedef std::int16_t HalfLanes __attribute__((vector_size(16)));
typedef std::int32_t WideLanes __attribute__((vector_size(32)));
typedef float RealLanes __attribute__((vector_size(32)));

namespace {

// Latency: a pair of running ends waits for itself, so two rows go at a time with a pair each.
TREEWRIGHT_INLINE void find_ends(std::span<const Record> rows, Record& first, Record& last) {
  Lanes least[2], most[2], row;
  for (std::size_t t = 0; t < 2; ++t) {
    std::memcpy(&least[t], rows[0].lane.data(), sizeof row);
    most[t] = least[t];
  }
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i + 1 < n; i += 2)
    for (std::size_t t = 0; t < 2; ++t) {
      std::memcpy(&row, rows[i + t].lane.data(), sizeof row);
      least[t] = row < least[t] ? row : least[t];
      most[t] = row > most[t] ? row : most[t];
    }
  std::memcpy(&row, rows[n - 1].lane.data(), sizeof row);
  least[0] = row < least[0] ? row : least[0];
  most[0] = row > most[0] ? row : most[0];
  least[0] = least[1] < least[0] ? least[1] : least[0];
  most[0] = most[1] > most[0] ? most[1] : most[0];
  std::memcpy(first.lane.data(), &least[0], sizeof row);
  std::memcpy(last.lane.data(), &most[0], sizeof row);
}

constexpr std::size_t n_halves = 2, half = Record::n_lanes / n_halves;

TREEWRIGHT_INLINE void widen(const Lanes& lanes, WideLanes* wide) {
  HalfLanes part[n_halves];
  std::memcpy(part, &lanes, sizeof part);
  for (std::size_t h = 0; h < n_halves; ++h) wide[h] = __builtin_convertvector(part[h], WideLanes);
}

// Sum of squares over weight, on both sides; -1 where all rows lie left.
TREEWRIGHT_INLINE void score_sides(const WideLanes& left, const WideLanes& left_squares,
                                   const WideLanes& right_squares, float total, RealLanes& found) {
  const RealLanes n_left = __builtin_convertvector(left, RealLanes), n_right = total - n_left,
                  from_left = __builtin_convertvector(left_squares, RealLanes),
                  from_right = __builtin_convertvector(right_squares, RealLanes);
  const RealLanes worth = (from_left * n_right + from_right * n_left) / (n_left * n_right);
  found = n_right > 0 ? worth : RealLanes{} - 1;
}

TREEWRIGHT_INLINE float greatest(const RealLanes& lanes) {
  float most = -1;
  for (std::size_t l = 0; l < half; ++l) most = lanes[l] > most ? lanes[l] : most;
  return most;
}

}  // namespace

TREEWRIGHT_WIDE float score_tiny(std::span<const Record> rows, const Record& by_equality,
                                 std::span<const Record> allowed,
                                 const std::array<double, padded_classes>& all, float* worth) {
  // Rows of one class come together: their weights are added before they are squared.
  Lanes value[tiny_rows], weight[tiny_rows], equality;
  std::size_t start[padded_classes + 1] = {};
  std::int16_t class_weight[padded_classes];
  std::size_t n_classes = 0, n = 0;
  std::memcpy(&equality, by_equality.lane.data(), sizeof equality);
  for (std::size_t j = 0; j < padded_classes; ++j) {
    if (all[j] == 0) continue;
    class_weight[n_classes] = static_cast<std::int16_t>(all[j]);
    for (const Record& row : rows) {
      if (row.lane[Record::label] != static_cast<std::int16_t>(j)) continue;
      std::memcpy(&value[n], row.lane.data(), sizeof value[n]);
      weight[n++] = Lanes{} + row.lane[Record::weight];
    }
    start[++n_classes] = n;
  }
  float total = 0;
  for (double w : all) total += static_cast<float>(w);
  RealLanes best = RealLanes{} - 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Lanes own, allow, left = {}, left_squares = {}, right_squares = {};
    std::memcpy(&own, rows[i].lane.data(), sizeof own);
    std::memcpy(&allow, allowed[i].lane.data(), sizeof allow);
    for (std::size_t j = 0; j < n_classes; ++j) {
      Lanes inside = {};
      for (std::size_t q = start[j]; q < start[j + 1]; ++q)
        inside += ((own == value[q]) | ((own > value[q]) & ~equality)) & weight[q];
      const Lanes outside = class_weight[j] - inside;
      left += inside;
      left_squares += inside * inside;
      right_squares += outside * outside;
    }
    WideLanes n_left[n_halves], from_left[n_halves], from_right[n_halves], counts[n_halves];
    widen(left, n_left);
    widen(left_squares, from_left);
    widen(right_squares, from_right);
    widen(allow, counts);
    for (std::size_t h = 0; h < n_halves; ++h) {
      RealLanes found;
      score_sides(n_left[h], from_left[h], from_right[h], total, found);
      found = counts[h] ? found : RealLanes{} - 1;
      std::memcpy(worth + i * Record::n_lanes + h * half, &found, sizeof found);
      best = found > best ? found : best;
    }
  }
  return greatest(best);
}

TREEWRIGHT_WIDE float score_rows(std::int16_t* code, const ClassRuns& runs, float* worth) {
  constexpr std::size_t width = Record::n_lanes;
  const std::size_t padded = (runs.n_rows + width - 1) / width * width;
  std::fill(code + runs.n_rows, code + padded, std::numeric_limits<std::int16_t>::max());
  std::int32_t total = 0, all_squares = 0;
  for (std::size_t j = 0; j < runs.n_classes; ++j) {
    total += runs.class_weight[j];
    all_squares += runs.class_weight[j] * runs.class_weight[j];
  }
  RealLanes best = RealLanes{} - 1;
  for (std::size_t first = 0; first < padded; first += width) {
    Lanes own;
    WideLanes left[n_halves] = {}, squares[n_halves] = {}, products[n_halves] = {};
    std::memcpy(&own, code + first, sizeof own);
    for (std::size_t j = 0; j < runs.n_classes; ++j) {
      Lanes inside = {};
      for (std::size_t q = runs.start[j]; q < runs.start[j + 1]; ++q)
        inside += (own >= code[q]) & runs.weight[q];
      WideLanes x[n_halves];
      widen(inside, x);
      for (std::size_t h = 0; h < n_halves; ++h) {
        left[h] += x[h];
        squares[h] += x[h] * x[h];
        products[h] += x[h] * runs.class_weight[j];
      }
    }
    for (std::size_t h = 0; h < n_halves; ++h) {
      RealLanes found;
      score_sides(left[h], squares[h], all_squares - 2 * products[h] + squares[h], static_cast<float>(total),
                  found);
      std::memcpy(worth + first + h * half, &found, sizeof found);
      best = found > best ? found : best;
    }
  }
  return greatest(best);
}

namespace {

// Rows whose weight together has 16 bits.
TREEWRIGHT_INLINE void weigh_some(std::span<const Record> rows, const Lanes& lane, const Lanes& last,
                                  const Lanes& by_equality, InsideCuts& inside) {
  Lanes sum[padded_classes] = {}, row;
  for (const Record& record : rows) {
    std::memcpy(&row, record.lane.data(), sizeof row);
    const Lanes own = __builtin_shuffle(row, lane);
    sum[record.lane[Record::label]] +=
        ((own == last) | ((own < last) & ~by_equality)) & record.lane[Record::weight];
  }
  for (std::size_t j = 0; j < padded_classes; ++j) {
    WideLanes wide[n_halves], so_far[n_halves];
    widen(sum[j], wide);
    std::memcpy(so_far, inside[j].data(), sizeof so_far);
    for (std::size_t h = 0; h < n_halves; ++h) so_far[h] += wide[h] & 0xFFFF;
    std::memcpy(inside[j].data(), so_far, sizeof so_far);
  }
}

}  // namespace

TREEWRIGHT_WIDE void weigh_cuts(std::span<const Record> rows, const RecordCuts& cuts, InsideCuts& inside) {
  constexpr std::uint32_t most = RecordTable::max_weight;
  Lanes lane, last, by_equality;
  std::memcpy(&lane, cuts.lane.lane.data(), sizeof lane);
  std::memcpy(&last, cuts.last.lane.data(), sizeof last);
  std::memcpy(&by_equality, cuts.by_equality.lane.data(), sizeof by_equality);
  inside = {};
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t end = first;
    for (std::uint32_t weight = 0; end < rows.size(); ++end) {
      weight += static_cast<std::uint16_t>(rows[end].lane[Record::weight]);
      if (weight > most) break;
    }
    weigh_some(rows.subspan(first, end - first), lane, last, by_equality, inside);
    first = end;
  }
}

TREEWRIGHT_WIDE void score_cuts(const InsideCuts& inside, const std::array<double, padded_classes>& all,
                                std::array<float, Record::n_lanes>& worth) {
  float total = 0;
  WideLanes n_inside[n_halves] = {}, squares[n_halves] = {}, others[n_halves] = {};
  for (std::size_t j = 0; j < padded_classes; ++j) {
    if (all[j] == 0) continue;
    total += static_cast<float>(all[j]);
    const auto weight = static_cast<std::int32_t>(all[j]);
    WideLanes here[n_halves];
    std::memcpy(here, inside[j].data(), sizeof here);
    for (std::size_t h = 0; h < n_halves; ++h) {
      n_inside[h] += here[h];
      squares[h] += here[h] * here[h];
      others[h] += (weight - here[h]) * (weight - here[h]);
    }
  }
  for (std::size_t h = 0; h < n_halves; ++h) {
    RealLanes found;
    score_sides(n_inside[h], squares[h], others[h], total, found);
    std::memcpy(worth.data() + h * half, &found, sizeof found);
  }
}

#else

namespace {

TREEWRIGHT_INLINE void find_ends(std::span<const Record> rows, Record& least, Record& most) {
  least = most = rows[0];
  for (const Record& row : rows)
    for (std::size_t l = 0; l < Record::n_lanes; ++l) {
      least.lane[l] = std::min(least.lane[l], row.lane[l]);
      most.lane[l] = std::max(most.lane[l], row.lane[l]);
    }
}

}  // namespace

float score_tiny(std::span<const Record>, const Record&, std::span<const Record>,
                 const std::array<double, padded_classes>&, float*) {
  return -1;
}
float score_rows(std::int16_t*, const ClassRuns&, float*) { return -1; }
void weigh_cuts(std::span<const Record> rows, const RecordCuts& cuts, InsideCuts& inside) {
  inside = {};
  for (const Record& row : rows)
    for (std::size_t l = 0; l < Record::n_lanes; ++l) {
      const std::int16_t own = row.lane[static_cast<std::size_t>(cuts.lane.lane[l])],
                         last = cuts.last.lane[l];
      if (own == last || (own < last && cuts.by_equality.lane[l] == 0))
        inside[static_cast<std::size_t>(row.lane[Record::label])][l] +=
            static_cast<std::uint16_t>(row.lane[Record::weight]);
    }
}
void score_cuts(const InsideCuts&, const std::array<double, padded_classes>&,
                std::array<float, Record::n_lanes>& worth) {
  worth.fill(0);
}

#endif

void group_by_class(std::span<const Record> rows, ClassRuns& runs) {
  std::array<std::uint16_t, padded_classes> place{};
  std::array<std::int32_t, padded_classes> weight{};
  for (const Record& row : rows) {
    const auto j = static_cast<std::size_t>(row.lane[Record::label]);
    ++place[j];
    weight[j] += static_cast<std::uint16_t>(row.lane[Record::weight]);
  }
  runs.n_rows = rows.size();
  runs.n_classes = 0;
  std::uint16_t before = 0;
  for (std::size_t j = 0; j < padded_classes; ++j) {
    if (place[j] == 0) continue;
    runs.class_weight[runs.n_classes] = weight[j];
    runs.start[runs.n_classes++] = before;
    before = static_cast<std::uint16_t>(before + std::exchange(place[j], before));
  }
  runs.start[runs.n_classes] = before;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t p = place[static_cast<std::size_t>(rows[i].lane[Record::label])]++;
    runs.row[p] = static_cast<std::uint16_t>(i);
    runs.weight[p] = rows[i].lane[Record::weight];
  }
}

TREEWRIGHT_WIDE void find_spread(std::span<const Record> rows, std::size_t n_own, std::size_t n_lanes,
                                 LaneSpread& spread) {
  find_ends(rows, spread.least, spread.most);
  for (std::size_t l = n_own; l < n_lanes; ++l) {
    std::uint64_t present = 0;
    if (spread.least.lane[l] != spread.most.lane[l])
      for (const Record& row : rows) present |= std::uint64_t{1} << row.lane[l];
    spread.present[l] = present;
  }
}

TREEWRIGHT_WIDE std::uint64_t find_ranked(std::span<const std::uint64_t> number, std::size_t place) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = 0;
  for (std::size_t p = 0; p <= place; ++p) {
    std::uint64_t next[8] = {none, none, none, none, none, none, none, none};
    for (std::size_t first = 0; first < number.size(); first += 8)
      for (std::size_t i = 0; i < 8; ++i) {
        const std::uint64_t here = number[first + i] >= last ? number[first + i] : none;
        next[i] = here < next[i] ? here : next[i];
      }
    std::uint64_t least = none;
    for (std::uint64_t n : next) least = n < least ? n : least;
    if (p == place) return least;
    last = least + 1;
  }
  return none;
}

namespace {

// Weights whose squares fit 31 bits are added as integers.
constexpr double max_short_weight = 46'000;

template <class Number>
TREEWRIGHT_INLINE void score_codes_in(std::span<std::uint32_t> count,
                                      const std::array<double, padded_classes>& all, double total,
                                      double* worth) {
  Number left[padded_classes] = {}, whole[padded_classes];
  for (std::size_t j = 0; j < padded_classes; ++j) whole[j] = static_cast<Number>(all[j]);
  for (std::size_t k = 0; k * padded_classes < count.size(); ++k) {
    std::uint32_t* own = count.data() + k * padded_classes;
    std::uint32_t any = 0;
    for (std::size_t j = 0; j < padded_classes; ++j) any |= own[j];
    if (any == 0) {
      worth[k] = -1;
      continue;
    }
    Number n_left = 0, left_squares = 0, right_squares = 0;
    for (std::size_t j = 0; j < padded_classes; ++j) {
      left[j] += static_cast<Number>(own[j]);
      own[j] = static_cast<std::uint32_t>(left[j]);
      const Number other = whole[j] - left[j];
      n_left += left[j];
      left_squares += left[j] * left[j];
      right_squares += other * other;
    }
    const auto n = static_cast<double>(n_left), rest = total - n;
    worth[k] =
        static_cast<double>(left_squares) / n + static_cast<double>(right_squares) / (rest < 1 ? 1 : rest);
  }
}

}  // namespace

TREEWRIGHT_WIDE void score_codes(std::span<std::uint32_t> count,
                                 const std::array<double, padded_classes>& all, double total, double* worth) {
  if (total <= max_short_weight)
    score_codes_in<std::int32_t>(count, all, total, worth);
  else
    score_codes_in<std::int64_t>(count, all, total, worth);
}

namespace {

template <bool by_equality>
TREEWRIGHT_INLINE RecordDivision divide_records_by(std::span<Record> rows, std::size_t lane,
                                                   std::int16_t last, Record* spare) {
  Record *left = rows.data(), *right = spare;
  std::int16_t above = std::numeric_limits<std::int16_t>::max();
  for (const Record& row : rows) {
    const std::int16_t code = row.lane[lane];
    const Record here = row;
    const bool is_right = by_equality ? code == last : code > last;
    if constexpr (!by_equality) {
      const std::int16_t other = is_right ? code : std::numeric_limits<std::int16_t>::max();
      above = other < above ? other : above;
    }
    *left = here;
    *right = here;
    left += !is_right;
    right += is_right;
  }
  std::copy(spare, right, left);
  return {static_cast<std::size_t>(left - rows.data()), above};
}

}  // namespace

TREEWRIGHT_WIDE RecordDivision divide_records(std::span<Record> rows, std::size_t lane, std::int16_t last,
                                              bool by_equality, Record* spare) {
  return by_equality ? divide_records_by<true>(rows, lane, last, spare)
                     : divide_records_by<false>(rows, lane, last, spare);
}

}  // namespace treewright
