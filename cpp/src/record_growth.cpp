#include "treewright/quick/record_growth.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/frontier.hpp"
#include "treewright/parallel.hpp"
#include "treewright/quick/record_search.hpp"

namespace treewright {

class RecordGrowth::Loop {
 public:
  Loop(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared, const RecordTable& table,
       std::function<void()> breathe)
      : input_(input),
        shared_(shared),
        table_(table),
        breath_(std::move(breathe)),
        search_(input, table),
        tree_(input.target.n_classes) {}

  const DrawnTree& grow(std::span<const std::uint32_t> rows, const OpenNode<ClassStats>& root) {
    tree_.clear(rows.size());
    take(rows);
    Open first{{{0, root.depth, root.path}, {0, rows_.size()}}, {}};
    std::copy(root.opening.stats.counts.begin(), root.opening.stats.counts.end(), first.counts.begin());
    frontier_.run(std::move(first), [this](const Open& open) { split(open); });
    return tree_;
  }

 private:
  struct Open : OpenStretch {
    RecordCounts counts{};
  };

  void take(std::span<const std::uint32_t> rows) {
    rows_.clear();
    rows_.reserve(rows.size());
    for (std::uint32_t row : rows) {
      rows_.push_back(table_.row(row));
      rows_.back().lane[Record::weight] = static_cast<std::int16_t>(input_.weights.of(row));
    }
    spare_.resize(rows.size());
  }

  // Add a node, and split it, if there is a test for it.
  void split(const Open& open) {
    const std::size_t n = open.at.size();
    breath_.after(n);
    const std::span counts(open.counts.data(), input_.target.n_classes);
    const std::size_t node = tree_.add(n, counts);
    const std::span rows = std::span(rows_).subspan(open.at.begin, n);
    std::optional<RecordCut> found;
    if (!is_leaf_at_once(counts, open.depth, n, input_)) found = search_.choose(rows, open.counts, open.path);
    if (!found) {
      shared_.settle(static_cast<std::int64_t>(n));
      return;
    }
    const RecordDivision division =
        divide_records(rows, found->lane, found->last, found->is_shared, spare_.data());
    tree_.split(node, found->column, neighbours(*found, division.above), found->gain, found->drawn);
    const std::size_t middle = open.at.begin + division.n_left;
    Open right{{{0, open.depth + 1, path_of_branch(open.path, 1)}, {middle, open.at.end}}, {}},
        left{{{0, open.depth + 1, path_of_branch(open.path, 0)}, {open.at.begin, middle}}, found->left};
    for (std::size_t j = 0; j < padded_classes; ++j) right.counts[j] = open.counts[j] - found->left[j];
    frontier_.push(std::move(right));
    frontier_.push(std::move(left));
  }
  Neighbours neighbours(const RecordCut& cut, std::int16_t above) const {
    if (cut.is_shared) return {table_.example(cut.column, 0), table_.example(cut.column, 1)};
    return {table_.example(cut.column, static_cast<std::size_t>(cut.last)),
            table_.example(cut.column, static_cast<std::size_t>(above))};
  }

  const Input<ClassTarget>& input_;
  SharedNodes<ClassTarget>& shared_;
  const RecordTable& table_;
  NowAndThen breath_;
  RecordSearch search_;
  DrawnTree tree_;
  std::vector<Record> rows_, spare_;
  DepthFirst<Open> frontier_;
};

RecordGrowth::RecordGrowth(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared,
                           const RecordTable& table, std::function<void()> breathe)
    : loop_(std::make_unique<Loop>(input, shared, table, std::move(breathe))) {}
RecordGrowth::~RecordGrowth() = default;

const DrawnTree& RecordGrowth::grow(std::span<const std::uint32_t> rows, const OpenNode<ClassStats>& root) {
  return loop_->grow(rows, root);
}

}  // namespace treewright
