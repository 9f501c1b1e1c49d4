// What a column has at the edges of its cells, bins or buckets, and could have inside them. Edges are looked
// at first, in all columns; then cells are opened in the most promising ones: what these hide may spare the
// others.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

namespace treewright {

constexpr double nothing = -std::numeric_limits<double>::infinity();

struct Outlook {
  double best = nothing;   // of its cuts that were scored
  double bound = nothing;  // of those inside its cells
};

// Leave only those columns that may hide something as good as the floor, the most promising first.
template <class Place, class OutlookOf>
void keep_promising(std::vector<Place>& columns, double floor, const OutlookOf& outlook_of) {
  std::erase_if(columns, [&](Place c) {
    const double bound = outlook_of(c).bound;
    return !(bound > nothing && bound >= floor);
  });
  std::sort(columns.begin(), columns.end(), [&](Place a, Place b) {
    const double one = outlook_of(a).bound, other = outlook_of(b).bound;
    return one != other ? one > other : a < b;
  });
}

}  // namespace treewright
