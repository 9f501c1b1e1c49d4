// A column of categories, measured by counting: one addition per row, where a table of all categories by
// classes is not much larger than the rows themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../groups.hpp"

namespace treewright {

// Room for the counts, kept from column to column.
struct CountRoom {
  std::vector<std::int64_t> count, rows;
  CodeOrder order;
};

inline bool is_countable(std::size_t n_pieces, std::int32_t n_codes, std::size_t n_classes) {
  return static_cast<std::size_t>(n_codes + 1) * n_classes <= 2 * n_pieces;
}

// Append a group with these class weights.
inline void push_counts(Groups<ClassStats>& groups, std::int32_t code, std::span<const std::int64_t> count,
                        std::int64_t rows) {
  std::int64_t weight = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] == 0) continue;
    groups.label.push_back(static_cast<std::int32_t>(k));
    groups.count.push_back(count[k]);
    weight += count[k];
  }
  groups.code.push_back(code);
  groups.weight.push_back(weight);
  groups.rows.push_back(rows);
  groups.start.push_back(static_cast<std::int64_t>(groups.label.size()));
}

// What `measure` gives. `all` is the sum of all pieces. Gaps are counted in the first place.
inline Measured<ClassStats> measure_by_counting(const ClassTarget& target, std::span<const Piece> pieces,
                                                const Column& column, const ClassStats& all,
                                                CountRoom& room) {
  const std::size_t k = target.n_classes, n = static_cast<std::size_t>(column.n_codes) + 1;
  room.count.assign(n * k, 0);
  room.rows.assign(n, 0);
  for (Piece piece : pieces) {
    const auto row = static_cast<std::size_t>(piece.row);
    const auto place = static_cast<std::size_t>(column.code[row] + 1);
    room.count[place * k + static_cast<std::size_t>(target.label[row])] += piece.weight;
    ++room.rows[place];
  }
  Measured<ClassStats> out{{}, all, target.none()};
  out.missing.rows = room.rows[0];
  for (std::size_t c = 0; c < k; ++c) out.missing.weight += out.missing.counts[c] = room.count[c];
  if (out.missing.rows > 0) out.known.add(out.missing, -1);
  for (std::size_t place = 1; place < n; ++place)
    if (room.rows[place] > 0)
      push_counts(out.groups, static_cast<std::int32_t>(place) - 1,
                  std::span(room.count).subspan(place * k, k), room.rows[place]);
  return out;
}

inline Measured<ClassStats> measured(const ClassTarget& target, std::span<const Piece> pieces,
                                     const Column& column, const ClassStats& all, CountRoom& room) {
  if (!is_countable(pieces.size(), column.n_codes, target.n_classes))
    return measure(target, pieces, column, room.order);
  return measure_by_counting(target, pieces, column, all, room);
}
inline Measured<MomentStats> measured(const NumberTarget& target, std::span<const Piece> pieces,
                                      const Column& column, const MomentStats& all, CountRoom& room) {
  if (!is_countable(pieces.size(), column.n_codes, 1)) return measure(target, pieces, column, room.order);
  std::vector<MomentStats> groups(static_cast<std::size_t>(column.n_codes) + 1);
  for (Piece piece : pieces)
    target.add(groups[static_cast<std::size_t>(column.code[static_cast<std::size_t>(piece.row)] + 1)], piece);
  Measured<MomentStats> out{{}, all, groups[0]};
  out.known.add(out.missing, -1);
  for (std::size_t place = 1; place < groups.size(); ++place)
    if (groups[place].rows > 0) out.groups.push(static_cast<std::int32_t>(place) - 1, groups[place]);
  return out;
}

// Other statistics are not counted.
template <class Target>
Measured<typename Target::Stats> measured(const Target& target, std::span<const Piece> pieces,
                                          const Column& column, const typename Target::Stats&,
                                          CountRoom& room) {
  return measure(target, pieces, column, room.order);
}

}  // namespace treewright
