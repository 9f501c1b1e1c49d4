// The best tree of so many levels for some rows: what a search from outside is asked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "problem.hpp"

namespace treewright::optimal {

// Hears, now and then, the best value so far, what none can be below, and how many sub-problems were solved;
// returns false to end the search.
using Watch = std::function<bool(double upper, double lower, std::uint64_t n_solved)>;

class Solver {
 public:
  virtual ~Solver() = default;
  // The least cost of a tree for these rows with at most `depth` tests on a way and `leaves` leaves (0: any
  // number), if it is below `upper`. What was learned about sets of rows is kept between calls.
  virtual Answer best(std::span<const std::uint32_t> rows, std::int32_t depth, std::int32_t leaves,
                      double upper, const Watch& watch) = 0;
  // The same among trees whose first test asks one column.
  virtual Answer best_by(std::int32_t column, std::span<const std::uint32_t> rows, std::int32_t depth,
                         std::int32_t leaves, double upper, const Watch& watch) = 0;
  // All different trees that cost `limit` at most, the cheapest first, but no more than `most`; what is kept
  // meanwhile may take so many bytes (several.hpp).
  virtual Listing several(std::span<const std::uint32_t> rows, std::int32_t depth, std::int32_t leaves,
                          double limit, std::size_t most, std::size_t bytes, const Watch& watch) = 0;
  // What rows cost as one leaf, without its price.
  virtual double leaf(std::span<const std::uint32_t> rows) = 0;
  // From now on a leaf has another price; what was learned is forgotten.
  virtual void set_leaf_price(double price) = 0;
};

std::unique_ptr<Solver> make_solver(Problem problem);

}  // namespace treewright::optimal
