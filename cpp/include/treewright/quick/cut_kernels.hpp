// The inner loops of the growth on records of keys, built for plain and for wide instructions (dispatch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace treewright {

constexpr std::size_t lanes_at_once = 8;  // a record has a multiple of so many

// Records side by side: a key for each column, then the class and the weight of the row.
struct KeyRecords {
  const std::int32_t* first;
  std::size_t n_rows, n_lanes, label, weight;  // the last two: which lane
};

// The least and the greatest of each lane.
void find_ranges(const KeyRecords& records, std::int32_t* least, std::int32_t* most);

// What rows weigh whose key is not above the cut of its lane: by class, and by lane. `total` is the weight of
// all rows.
void weigh_left(const KeyRecords& records, const std::int32_t* cut, std::size_t n_classes, double total,
                std::int32_t* weight);

// Copy the records, those first whose key is not above the cut; returns how many these are.
std::size_t divide_keys(const KeyRecords& records, std::size_t lane, std::int32_t cut, std::int32_t* to);

}  // namespace treewright
