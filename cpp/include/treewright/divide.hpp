// A list divided in two in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace treewright {

// Those that go left first, each part in its old order; `spare` has room for the list. Returns how many go
// left. No branch in the loop: both places are written, one counts.
template <class Item, class GoesRight>
std::size_t divide_in_two(std::span<Item> items, Item* spare, GoesRight goes_right) {
  Item *left = items.data(), *right = spare;
  for (const Item item : items) {
    const bool is_right = goes_right(item);
    *left = item;
    *right = item;
    left += !is_right;
    right += is_right;
  }
  std::copy(spare, right, left);
  return static_cast<std::size_t>(left - items.data());
}

}  // namespace treewright
