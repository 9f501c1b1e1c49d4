#include "treewright/quick/record_growth.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/quick/record_search.hpp"

namespace treewright {

class RecordGrowth::Loop {
 public:
  Loop(const Field<ClassTarget>& field, SharedNodes<ClassTarget>& shared, const RecordTable& table,
       std::function<void()> breathe)
      : field_(field),
        shared_(shared),
        table_(table),
        breathe_(std::move(breathe)),
        search_(field, table),
        tree_(field.target.n_classes) {}

  const DrawnTree& grow(std::span<const std::uint32_t> rows, const OpenNode<ClassStats>& root) {
    tree_.clear();
    take(rows);
    Open first{0, rows_.size(), root.depth, root.path, {}};
    std::copy(root.opening.stats.counts.begin(), root.opening.stats.counts.end(), first.counts.begin());
    stack_.push_back(first);
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      split(open);
    }
    return tree_;
  }

 private:
  struct Open {
    std::size_t begin = 0, end = 0;
    std::int64_t depth = 0;
    std::uint64_t path = 0;
    RecordCounts counts{};
    std::size_t size() const { return end - begin; }
  };

  void take(std::span<const std::uint32_t> rows) {
    rows_.clear();
    rows_.reserve(rows.size());
    for (std::uint32_t row : rows) {
      rows_.push_back(table_.row(row));
      rows_.back().lane[Record::weight] = static_cast<std::int16_t>(field_.weights.of(row));
    }
    spare_.resize(rows.size());
  }

  // Add a node, and split it, if there is a test for it.
  void split(const Open& open) {
    rest_after(open.size());
    const std::span counts(open.counts.data(), field_.target.n_classes);
    const std::size_t node = tree_.add(open.size(), counts);
    const std::span rows = std::span(rows_).subspan(open.begin, open.size());
    std::optional<RecordCut> found;
    if (!is_leaf_at_once(counts, open.depth, open.size(), field_.settings))
      found = search_.choose(rows, open.counts, open.path);
    if (!found) {
      shared_.settle(static_cast<std::int64_t>(open.size()));
      return;
    }
    const RecordDivision division =
        divide_records(rows, found->lane, found->last, found->is_shared, spare_.data());
    tree_.split(node, found->column, neighbours(*found, division.above), found->gain);
    const std::size_t middle = open.begin + division.n_left;
    Open right{middle, open.end, open.depth + 1, path_of_branch(open.path, 1), {}},
        left{open.begin, middle, open.depth + 1, path_of_branch(open.path, 0), found->left};
    for (std::size_t j = 0; j < padded_classes; ++j) right.counts[j] = open.counts[j] - found->left[j];
    stack_.push_back(right);
    stack_.push_back(left);
  }
  Neighbours neighbours(const RecordCut& cut, std::int16_t above) const {
    if (cut.is_shared) return {table_.example(cut.column, 0), table_.example(cut.column, 1)};
    return {table_.example(cut.column, static_cast<std::size_t>(cut.last)),
            table_.example(cut.column, static_cast<std::size_t>(above))};
  }
  // Others may want to know, or to stop this, but not at every node.
  void rest_after(std::size_t n_rows) {
    n_seen_ += n_rows + 64;
    if (n_seen_ < 65'536) return;
    n_seen_ = 0;
    breathe_();
  }

  const Field<ClassTarget>& field_;
  SharedNodes<ClassTarget>& shared_;
  const RecordTable& table_;
  std::function<void()> breathe_;
  RecordSearch search_;
  DrawnTree tree_;
  std::vector<Record> rows_, spare_;
  std::vector<Open> stack_;
  std::size_t n_seen_ = 0;
};

RecordGrowth::RecordGrowth(const Field<ClassTarget>& field, SharedNodes<ClassTarget>& shared,
                           const RecordTable& table, std::function<void()> breathe)
    : loop_(std::make_unique<Loop>(field, shared, table, std::move(breathe))) {}
RecordGrowth::~RecordGrowth() = default;

const DrawnTree& RecordGrowth::grow(std::span<const std::uint32_t> rows, const OpenNode<ClassStats>& root) {
  return loop_->grow(rows, root);
}

}  // namespace treewright
