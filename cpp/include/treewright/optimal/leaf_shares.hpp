// So many leaves for all branches of a test: the best way to share them out, branch by branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solution.hpp"

namespace treewright::optimal {

// The branches in turn: the least cost of the first b with so many leaves in all. `solve(b, leaves)` gives
// the best tree of a branch, nothing once time is up; then the answer is false.
template <class Solve>
bool share_leaves(std::size_t n, std::size_t all, double tolerance, Solve&& solve, Solution& solution) {
  std::vector<std::vector<double>> cost(n + 1, std::vector<double>(all + 1, infinite));
  std::vector<std::vector<SolutionPtr>> of(n, std::vector<SolutionPtr>(all + 1));
  std::vector<std::vector<std::size_t>> taken(n, std::vector<std::size_t>(all + 1, 0));
  std::fill(cost[0].begin(), cost[0].end(), 0.0);
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t own = 1; own + n - 1 <= all; ++own) {
      of[b][own] = solve(b, static_cast<std::int32_t>(own));
      if (!of[b][own]) return false;
      for (std::size_t sum = own + b; sum <= all; ++sum) {
        const double value = cost[b][sum - own] + of[b][own]->value;
        if (value >= cost[b + 1][sum] - tolerance) continue;
        cost[b + 1][sum] = value;
        taken[b][sum] = own;
      }
    }
  solution.value = cost[n][all];
  solution.leaves.resize(n);
  solution.branches.resize(n);
  for (std::size_t b = n, left = all; b-- > 0; left -= taken[b][left]) {
    solution.leaves[b] = static_cast<std::int32_t>(taken[b][left]);
    solution.branches[b] = of[b][taken[b][left]];
  }
  return true;
}

}  // namespace treewright::optimal
