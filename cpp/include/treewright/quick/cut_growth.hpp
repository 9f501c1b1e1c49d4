// Subtrees in which cuts are drawn at random, grown depth first on records of keys (ranks.hpp): a node owns a
// stretch of them, and they are moved themselves when it is divided. No order is needed, so there is nothing
// to look up from one row to the next.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "../open.hpp"
#include "../parallel.hpp"
#include "drawn_tree.hpp"
#include "input.hpp"
#include "ranks.hpp"

namespace treewright {

class CutGrowth {
 public:
  // What a node costs; may cuts be told apart by sums of squares, too?
  struct Costs {
    double (*impurity)(const ClassGroup&);
    bool are_of_squares;
  };

  // Are all columns keys, and so many of them drawn that a look at all at once pays?
  static bool serves(const Input<ClassTarget>& input, const RankedTable& table);

  CutGrowth(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared, const RankedTable& table,
            Costs costs, NowAndThen& breath);
  ~CutGrowth();

  // May so many rows be brought together?
  bool takes(std::size_t n_rows) const;
  // Add a node whose rows, and weights by class, these are, and everything below it.
  void grow(std::span<const std::uint32_t> rows, std::span<const double> counts, const Standing& root,
            DrawnTree& tree);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace treewright
