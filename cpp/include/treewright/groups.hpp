// A measured column: the rows of one node grouped by the column's code, codes ascending, with the statistics
// of each group. (Gehrke's "AVC-set".) Every splitter and every criterion sees the data through this and
// nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "column.hpp"
#include "stats.hpp"

namespace treewright {

// Class counts are kept sparse, so that 100,000 categories times 1,000 classes stay as small as the rows
// themselves:
//   code   [ 2      5         9   ]     group g owns cells start[g] .. start[g+1]-1
//   cells  [ a3 b1  b7        a2 c1 ]
template <class Stats>
struct Groups;

template <>
struct Groups<ClassStats> {
  std::vector<std::int32_t> code, label;
  std::vector<std::int64_t> weight, rows, start{0}, count;

  std::size_t size() const { return code.size(); }
  void add_to(ClassStats& stats, std::size_t g, std::int64_t sign = 1) const {
    stats.weight += sign * weight[g];
    stats.rows += sign * rows[g];
    for (auto i = static_cast<std::size_t>(start[g]); i < static_cast<std::size_t>(start[g + 1]); ++i)
      stats.counts[static_cast<std::size_t>(label[i])] += sign * count[i];
  }
  void push(std::int32_t group_code, const ClassStats& stats) {
    code.push_back(group_code);
    weight.push_back(stats.weight);
    rows.push_back(stats.rows);
    for (std::size_t c = 0; c < stats.counts.size(); ++c)
      if (stats.counts[c] != 0) {
        label.push_back(static_cast<std::int32_t>(c));
        count.push_back(stats.counts[c]);
      }
    start.push_back(static_cast<std::int64_t>(label.size()));
  }
};

template <>
struct Groups<MomentStats> {
  std::vector<std::int32_t> code;
  std::vector<std::int64_t> weight, rows;
  std::vector<int128> sum, squares;

  std::size_t size() const { return code.size(); }
  void add_to(MomentStats& stats, std::size_t g, std::int64_t sign = 1) const {
    stats.weight += sign * weight[g];
    stats.rows += sign * rows[g];
    stats.sum += sign * sum[g];
    stats.squares += sign * squares[g];
  }
  void push(std::int32_t group_code, const MomentStats& stats) {
    code.push_back(group_code);
    weight.push_back(stats.weight);
    rows.push_back(stats.rows);
    sum.push_back(stats.sum);
    squares.push_back(stats.squares);
  }
};

// It has constructors: where a later member of an aggregate throws, GCC 12 destroys an earlier one with a
// member initializer that allocates, such as `start{0}` above, twice (found by letting allocations fail).
template <class Stats>
struct Measured {
  Groups<Stats> groups;  // rows with a known value
  Stats known, missing;

  Measured() = default;
  Measured(Groups<Stats> of_groups, Stats of_known, Stats of_missing)
      : groups(std::move(of_groups)), known(std::move(of_known)), missing(std::move(of_missing)) {}
};

// Row positions of the node in the order of their code, gaps first. Counting sort where the codes are few,
// else a sort of (code, position) keys; either way equal codes keep the order of the rows.
class CodeOrder {
 public:
  std::span<const std::uint32_t> sort(std::span<const Piece> pieces, const Column& column) {
    const std::size_t n = pieces.size(), buckets = static_cast<std::size_t>(column.n_codes) + 1;
    order_.resize(n);
    if (buckets <= 4 * n + 64)
      by_counting(pieces, column, buckets);
    else
      by_keys(pieces, column);
    return order_;
  }

 private:
  static std::uint32_t bucket(const Column& column, Piece piece) {
    return static_cast<std::uint32_t>(column.code[static_cast<std::size_t>(piece.row)] + 1);
  }
  void by_counting(std::span<const Piece> pieces, const Column& column, std::size_t buckets) {
    first_.assign(buckets + 1, 0);
    for (Piece piece : pieces) ++first_[bucket(column, piece) + 1];
    for (std::size_t b = 1; b <= buckets; ++b) first_[b] += first_[b - 1];
    for (std::size_t i = 0; i < pieces.size(); ++i)
      order_[first_[bucket(column, pieces[i])]++] = static_cast<std::uint32_t>(i);
  }
  void by_keys(std::span<const Piece> pieces, const Column& column) {
    keys_.resize(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i)
      keys_[i] = (std::uint64_t{bucket(column, pieces[i])} << 32) | i;
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < keys_.size(); ++i) order_[i] = static_cast<std::uint32_t>(keys_[i]);
  }

  std::vector<std::uint32_t> order_, first_;
  std::vector<std::uint64_t> keys_;
};

// Measure one column on the rows of one node.
inline Measured<ClassStats> measure(const ClassTarget& target, std::span<const Piece> pieces,
                                    const Column& column, CodeOrder& scratch) {
  Measured<ClassStats> out{{}, target.none(), target.none()};
  auto order = scratch.sort(pieces, column);
  std::vector<std::int64_t> counts(target.n_classes);
  std::vector<std::int32_t> touched;
  Groups<ClassStats>& groups = out.groups;
  for (std::size_t i = 0; i < order.size();) {
    const std::int32_t code = column.code[static_cast<std::size_t>(pieces[order[i]].row)];
    if (code == missing_code) {
      target.add(out.missing, pieces[order[i++]]);
      continue;
    }
    std::int64_t weight = 0, rows = 0;
    for (; i < order.size(); ++i, ++rows) {
      const Piece piece = pieces[order[i]];
      if (column.code[static_cast<std::size_t>(piece.row)] != code) break;
      const std::int32_t label = target.label[static_cast<std::size_t>(piece.row)];
      if (counts[static_cast<std::size_t>(label)] == 0) touched.push_back(label);
      counts[static_cast<std::size_t>(label)] += piece.weight;
      weight += piece.weight;
    }
    std::sort(touched.begin(), touched.end());
    for (std::int32_t label : touched) {
      groups.label.push_back(label);
      groups.count.push_back(counts[static_cast<std::size_t>(label)]);
      counts[static_cast<std::size_t>(label)] = 0;
    }
    touched.clear();
    groups.code.push_back(code);
    groups.weight.push_back(weight);
    groups.rows.push_back(rows);
    groups.start.push_back(static_cast<std::int64_t>(groups.label.size()));
    groups.add_to(out.known, groups.size() - 1);
  }
  return out;
}

inline Measured<MomentStats> measure(const NumberTarget& target, std::span<const Piece> pieces,
                                     const Column& column, CodeOrder& scratch) {
  Measured<MomentStats> out;
  auto order = scratch.sort(pieces, column);
  for (std::size_t i = 0; i < order.size();) {
    const std::int32_t code = column.code[static_cast<std::size_t>(pieces[order[i]].row)];
    MomentStats group;
    for (; i < order.size() && column.code[static_cast<std::size_t>(pieces[order[i]].row)] == code; ++i)
      target.add(group, pieces[order[i]]);
    if (code == missing_code) {
      out.missing = group;
    } else {
      out.groups.push(code, group);
      out.known.add(group);
    }
  }
  return out;
}

}  // namespace treewright
