// The ranks of a node's rows in the columns that are looked at, column after column; sorted, too, where rows
// are few.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "drawn_kernels.hpp"

namespace treewright {

// Columns go by the order in which they are seen. (`most_sorted`: nodes of more rows are not sorted.)
template <std::size_t most_sorted>
class SeenRanks {
 public:
  void take_node(std::span<const std::uint32_t> ids) { ids_ = ids; }

  std::uint32_t* of(std::size_t seen) { return rank_.data() + seen * ids_.size(); }
  std::span<const std::uint32_t> all_of(std::size_t seen) { return {of(seen), ids_.size()}; }
  void make_room(std::size_t seen) {
    const std::size_t n = ids_.size();
    if (rank_.size() < (seen + 1) * n) rank_.resize(std::max((seen + 1) * n, 2 * seen * n));
  }
  RankRange gather(const std::uint32_t* column, std::size_t seen) {
    make_room(seen);
    return gather_ranks(column, ids_, of(seen));
  }
  // Gaps before all ranks, which are one higher then.
  void part_gaps(const std::uint32_t* column, std::size_t seen) {
    for (std::size_t i = 0; i < ids_.size(); ++i) of(seen)[i] = column[ids_[i]] + 1;
  }

  // Can ranks that are at most so far apart be sorted, each with its row's place in one number?
  bool can_sort(std::uint32_t range) const {
    return ids_.size() <= most_sorted && range >> (31 - place_bits(ids_.size())) == 0;
  }
  std::span<std::int32_t> sort(std::size_t seen, std::uint32_t least) {
    if (sorted_.size() < (seen + 1) * room) sorted_.resize(2 * (seen + 1) * room);
    std::int32_t* sorted = sorted_.data() + seen * room;
    sort_few_ranks(all_of(seen), least, sorted);
    return {sorted, ids_.size()};
  }
  std::span<const std::int32_t> first_sorted(std::size_t seen, std::size_t n) const {
    return {sorted_.data() + seen * room, n};
  }
  // Does a cut fit behind row `p` of those sorted?
  bool is_cut(std::size_t seen, std::size_t p) const { return above(seen, p) != above(seen, p + 1); }
  // How far its rank lies above the least.
  std::uint32_t above(std::size_t seen, std::size_t p) const {
    return static_cast<std::uint32_t>(sorted_[seen * room + p] >> place_bits(ids_.size()));
  }

 private:
  static constexpr std::size_t room = most_sorted + spare_room;

  std::span<const std::uint32_t> ids_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::int32_t> sorted_;
};

}  // namespace treewright
