#include "treewright/quick/record_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "treewright/quick/dispatch.hpp"

namespace treewright {

TREEWRIGHT_WIDE void find_spread(std::span<const Record> rows, std::size_t n_own, std::size_t n_lanes,
                                 LaneSpread& spread) {
  Record least = rows[0], most = rows[0];
  std::array<std::uint64_t, Record::max_columns> present{};
  for (const Record& row : rows)
    for (std::size_t l = 0; l < Record::n_lanes; ++l) {
      least.lane[l] = row.lane[l] < least.lane[l] ? row.lane[l] : least.lane[l];
      most.lane[l] = row.lane[l] > most.lane[l] ? row.lane[l] : most.lane[l];
    }
  for (std::size_t l = n_own; l < n_lanes; ++l)
    if (least.lane[l] != most.lane[l])
      for (const Record& row : rows) present[l] |= std::uint64_t{1} << row.lane[l];
  spread = {least, most, present};
}

#if defined(__GNUC__)

typedef std::int16_t Lanes __attribute__((vector_size(32)));
typedef std::int32_t WideLanes __attribute__((vector_size(64)));
typedef float RealLanes __attribute__((vector_size(64)));

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
    const RealLanes n_left = __builtin_convertvector(__builtin_convertvector(left, WideLanes), RealLanes),
                    n_right = total - n_left,
                    from_left =
                        __builtin_convertvector(__builtin_convertvector(left_squares, WideLanes), RealLanes),
                    from_right =
                        __builtin_convertvector(__builtin_convertvector(right_squares, WideLanes), RealLanes);
    const WideLanes counts = __builtin_convertvector(allow, WideLanes) & (n_right > 0);
    const RealLanes found =
        counts ? (from_left * n_right + from_right * n_left) / (n_left * n_right) : RealLanes{} - 1;
    std::memcpy(worth + i * Record::n_lanes, &found, sizeof found);
    best = found > best ? found : best;
  }
  float most = -1;
  for (std::size_t l = 0; l < Record::n_lanes; ++l) most = best[l] > most ? best[l] : most;
  return most;
}

#else

float score_tiny(std::span<const Record>, const Record&, std::span<const Record>,
                 const std::array<double, padded_classes>&, float*) {
  return -1;
}

#endif

TREEWRIGHT_WIDE void score_codes(std::span<std::uint32_t> count,
                                 const std::array<double, padded_classes>& all, double total, double* worth) {
  std::uint32_t left[padded_classes] = {};
  for (std::size_t k = 0; k * padded_classes < count.size(); ++k) {
    std::uint32_t* own = count.data() + k * padded_classes;
    std::uint32_t any = 0;
    for (std::size_t j = 0; j < padded_classes; ++j) any |= own[j];
    if (any == 0) {
      worth[k] = -1;
      continue;
    }
    double n_left[4] = {}, left_squares[4] = {}, right_squares[4] = {};
    for (std::size_t j = 0; j < padded_classes; ++j) own[j] = left[j] += own[j];
    for (std::size_t j = 0; j < padded_classes; j += 4)
      for (std::size_t i = 0; i < 4; ++i) {
        const auto x = static_cast<double>(static_cast<std::int32_t>(left[j + i]));
        const double y = all[j + i] - x;
        n_left[i] += x;
        left_squares[i] += x * x;
        right_squares[i] += y * y;
      }
    const double n = (n_left[0] + n_left[1]) + (n_left[2] + n_left[3]), rest = total - n;
    worth[k] = ((left_squares[0] + left_squares[1]) + (left_squares[2] + left_squares[3])) / n +
               ((right_squares[0] + right_squares[1]) + (right_squares[2] + right_squares[3])) /
                   (rest < 1 ? 1 : rest);
  }
}

TREEWRIGHT_WIDE RecordDivision divide_records(std::span<Record> rows, std::size_t lane, std::int16_t last,
                                              bool by_equality, Record* spare) {
  Record *left = rows.data(), *right = spare;
  std::int16_t above = std::numeric_limits<std::int16_t>::max();
  for (const Record& row : rows) {
    const Record here = row;
    const std::int16_t code = here.lane[lane];
    const bool is_right = by_equality ? code == last : code > last;
    above = is_right && code < above ? code : above;
    *left = here;
    *right = here;
    left += !is_right;
    right += is_right;
  }
  std::copy(spare, right, left);
  return {static_cast<std::size_t>(left - rows.data()), above};
}

}  // namespace treewright
