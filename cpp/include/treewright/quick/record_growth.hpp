// Subtrees in which a few columns are drawn at every node, grown depth first on records: a node owns a
// stretch of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "../open.hpp"
#include "drawn_tree.hpp"
#include "input.hpp"
#include "records.hpp"

namespace treewright {

class RecordGrowth {
 public:
  RecordGrowth(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared, const RecordTable& table,
               std::function<void()> breathe);
  ~RecordGrowth();

  // Grow everything below a node whose rows these are.
  const DrawnTree& grow(std::span<const std::uint32_t> rows, const OpenNode<ClassStats>& root);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace treewright
