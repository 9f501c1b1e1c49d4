#include "treewright/quick/cut_growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/frontier.hpp"
#include "treewright/quick/cut_kernels.hpp"
#include "treewright/quick/least_first.hpp"
#include "treewright/quick/record_kernels.hpp"
#include "treewright/rank.hpp"
#include "treewright/search/judge.hpp"

namespace treewright {

namespace {

constexpr std::size_t most_lanes_a_draw = 16, few_active = 64;
constexpr std::size_t max_lanes = std::size_t{1} << 19;  // of all rows together: two copies fit the caches

// Keys compare as unsigned numbers, lanes as signed ones.
constexpr std::uint32_t sign = std::uint32_t{1} << 31;
std::int32_t lane_of(std::uint32_t key) { return static_cast<std::int32_t>(key ^ sign); }
double value_of(std::int32_t lane) { return number_of(static_cast<std::uint32_t>(lane) ^ sign); }
// The last lane whose value is not above a cut that lies between two values. (Below 0.0 there is one lane
// that no value has, that of -0.0.)
std::int32_t last_not_above(double cut) {
  const auto near = static_cast<float>(cut);
  return lane_of(ordered_bits(near)) - (static_cast<double>(near) > cut ? 1 : 0);
}

// Rows whose key is up to `last` go left.
struct KeyCut {
  std::uint32_t column = 0;
  std::int32_t last = 0;
  double drawn = 0;
  std::int64_t drop = 0;
  double gain = 0;
};

// The best of the cuts that are drawn for a node of records. There is one for each column drawn, so all are
// judged by the very scores that Contest gives.
class CutSearch {
 public:
  CutSearch(const Input<ClassTarget>& input, std::size_t n_lanes, CutGrowth::Costs costs)
      : input_(input),
        costs_(costs),
        bits_(std::max(1.0,
                       portable_log2(static_cast<double>(std::max<std::size_t>(2, input.target.n_classes))))),
        rank_(input.columns.size()),
        least_(n_lanes),
        most_(n_lanes),
        last_(n_lanes, std::numeric_limits<std::int32_t>::min()),
        weight_(n_lanes * input.target.n_classes),
        left_(input.target.n_classes),
        best_left_(input.target.n_classes),
        right_(input.target.n_classes) {
    for (std::size_t c = 0; c < rank_.size(); ++c)
      rank_[c] = static_cast<std::uint32_t>(input.columns[c].rank);
    for (std::uint32_t c : input.order) all_ranks_.push_back(rank_[c]);
  }

  std::optional<KeyCut> choose(const KeyRecords& records, std::span<const double> counts,
                               std::uint64_t path) {
    total_ = std::accumulate(counts.begin(), counts.end(), 0.0);
    find_ranges(records, least_.data(), most_.data());
    draw_columns(path);
    if (drawn_.empty()) return std::nullopt;
    draw_cuts(path);
    weigh_left(records, last_.data(), counts.size(), total_, weight_.data());
    return judge(counts);
  }
  // The weights by class left of the cut that was chosen.
  std::span<const double> left() const { return best_left_; }

 private:
  struct Drawn {
    std::uint32_t column;
    double cut, worth;
  };

  void draw_columns(std::uint64_t path) {
    drawn_.clear();
    find_active();
    const auto wanted = static_cast<std::size_t>(input_.settings.max_columns);
    if (active_.size() <= wanted) {
      for (std::uint32_t c : active_) drawn_.push_back({c, 0, 0});
      return;
    }
    auto& hashes = least_first_.numbers();
    hashes.resize((active_.size() + 7) / 8 * 8);
    input_.hash_ranks(active_ranks_, path, hashes.data());
    if (active_.size() > few_active) {
      hashes.resize(active_.size());
      while (drawn_.size() < wanted) drawn_.push_back({active_[*least_first_.next()], 0, 0});
    } else {
      draw_few(hashes, wanted);
    }
  }
  // The columns that are not constant here: most often all of them.
  void find_active() {
    std::size_t n_constant = 0;
    for (std::size_t c = 0; c < rank_.size(); ++c) n_constant += least_[c] == most_[c];
    active_ = input_.order;
    active_ranks_ = all_ranks_;
    if (n_constant == 0) return;
    some_.clear();
    ranks_.clear();
    for (std::uint32_t c : input_.order) {
      if (least_[c] == most_[c]) continue;
      some_.push_back(c);
      ranks_.push_back(rank_[c]);
    }
    active_ = some_;
    active_ranks_ = ranks_;
  }
  // All at once, where not too many are compared with each other. (Equal hashes of 64 bits are not reckoned
  // with.)
  void draw_few(std::span<std::uint64_t> hashes, std::size_t wanted) {
    std::fill(hashes.data() + active_.size(), hashes.data() + hashes.size(),
              std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t last = find_ranked(hashes, wanted - 1);
    std::array<std::uint32_t, few_active + 1> chosen;  // written without a branch to mispredict
    std::size_t n_chosen = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      chosen[n_chosen] = active_[i];
      n_chosen += hashes[i] <= last;
    }
    for (std::size_t i = 0; i < n_chosen; ++i) drawn_.push_back({chosen[i], 0, 0});
  }
  void draw_cuts(std::uint64_t path) {
    ranks_.clear();
    for (const Drawn& drawn : drawn_) ranks_.push_back(rank_[drawn.column]);
    draws_.resize(drawn_.size());
    input_.draw_cuts(ranks_, path, draws_.data());
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::uint32_t c = drawn_[i].column;
      drawn_[i].cut = cut_within(value_of(least_[c]), value_of(most_[c]), draws_[i]);
      last_[c] = last_not_above(drawn_[i].cut);
    }
  }

  // The first of the best, in the order of columns.
  std::optional<KeyCut> judge(std::span<const double> counts) {
    Scale scale;
    scale.cost_scale = cost_scale_ = fixed_point_scale(total_ * bits_);
    const double floor = costs_.are_of_squares ? score(counts) - score_slack(scale, 0) : 0;
    const std::int64_t parent = cost(counts, total_);
    std::optional<KeyCut> best;
    for (const Drawn& drawn : drawn_) {
      if (drawn.worth < floor) continue;
      const std::uint32_t c = drawn.column;
      double left_total = 0;
      for (std::size_t j = 0; j < counts.size(); ++j) {
        left_total += left_[j] = weight_[j * least_.size() + c];
        right_[j] = counts[j] - left_[j];
      }
      const std::int64_t drop = parent - cost(left_, left_total) - cost(right_, total_ - left_total);
      if (best && !is_before(drop, c, *best)) continue;
      best = KeyCut{c, last_[c], drawn.cut, drop, 0};
      std::swap(left_, best_left_);
    }
    best->gain = static_cast<double>(best->drop) * (1 / (cost_scale_ * total_));
    if (!input_.choice.is_enough(best->gain, total_)) return std::nullopt;
    return best;
  }
  // What each cut is worth, sum of squares over weight, on both sides; returns the greatest. Cuts that are
  // worth less have no need to be judged.
  double score(std::span<const double> counts) {
    double most = 0;
    for (Drawn& drawn : drawn_) {
      double left = 0, squares = 0, other_squares = 0;
      for (std::size_t j = 0; j < counts.size(); ++j) {
        const double x = weight_[j * least_.size() + drawn.column], y = counts[j] - x;
        left += x;
        squares += x * x;
        other_squares += y * y;
      }
      drawn.worth = squares / left + other_squares / (total_ - left);
      most = std::max(most, drawn.worth);
    }
    return most;
  }
  bool is_before(std::int64_t drop, std::uint32_t column, const KeyCut& best) const {
    const std::int64_t value = rounded(drop), best_value = rounded(best.drop);
    return value != best_value ? value > best_value : rank_[column] < rank_[best.column];
  }
  std::int64_t cost(std::span<const double> counts, double total) const {
    return std::llrint(costs_.impurity(ClassGroup{counts, total, input_.logs}) * cost_scale_);
  }

  const Input<ClassTarget>& input_;
  CutGrowth::Costs costs_;
  double bits_, total_ = 0, cost_scale_ = 1;
  std::vector<std::uint32_t> rank_, all_ranks_;  // of columns, and the same in their order
  std::vector<std::int32_t> least_, most_, last_, weight_;
  std::vector<double> left_, best_left_, right_;
  std::span<const std::uint32_t> active_, active_ranks_;
  std::vector<std::uint32_t> some_, ranks_;
  std::vector<Drawn> drawn_;
  std::vector<std::uint64_t> draws_;
  LeastFirst least_first_;
};

}  // namespace

class CutGrowth::Loop {
 public:
  Loop(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared, const RankedTable& table,
       Costs costs, NowAndThen& breath)
      : input_(input),
        shared_(shared),
        table_(table),
        breath_(breath),
        n_lanes_((table.width() + 2 + lanes_at_once - 1) / lanes_at_once * lanes_at_once),
        search_(input, n_lanes_, costs),
        own_(input.target.n_classes),
        right_(input.target.n_classes) {}

  bool takes(std::size_t n_rows) const { return n_rows * n_lanes_ <= max_lanes; }

  void grow(std::span<const std::uint32_t> rows, std::span<const double> counts, const Standing& root,
            DrawnTree& tree) {
    take(rows);
    counts_.assign(counts.begin(), counts.end());
    frontier_.run({{root, {0, rows.size()}}, 0, 0, true}, [&](const Open& open) { split(open, tree); });
  }

 private:
  // The records of a node lie in one of two lists, those of its children in the other, at the same places.
  // Its path is that of its parent until it is asked for: leaves have no need of one.
  struct Open : OpenStretch {
    std::uint8_t list = 0, branch = 0;
    bool is_root = false;
    std::uint64_t own_path() const { return is_root ? path : path_of_branch(path, branch); }
  };

  void take(std::span<const std::uint32_t> rows) {
    constexpr std::size_t ahead = 16;
    const std::size_t width = table_.width();
    for (auto& list : list_)
      if (list.size() < rows.size() * n_lanes_) list.resize(rows.size() * n_lanes_);
    std::int32_t* lane = list_[0].data();
    for (std::size_t i = 0; i < rows.size(); ++i, lane += n_lanes_) {
      if (i + ahead < rows.size()) table_.fetch_row(rows[i + ahead]);
      const std::uint32_t* key = table_.row(rows[i]);
      for (std::size_t c = 0; c < width; ++c) lane[c] = lane_of(key[c]);
      lane[width] = input_.target.label[rows[i]];
      lane[width + 1] = static_cast<std::int32_t>(input_.weights.of(rows[i]));
    }
  }
  std::int32_t* records(std::size_t list, std::size_t place) { return list_[list].data() + place * n_lanes_; }

  // Add a node, and split it, if there is a test for it.
  void split(const Open& open, DrawnTree& tree) {
    const std::size_t n = open.at.size();
    breath_.after(n);
    pop_counts();
    const std::size_t node = tree.add(n, own_);
    const KeyRecords rows{records(open.list, open.at.begin), n, n_lanes_, table_.width(), table_.width() + 1};
    std::optional<KeyCut> found;
    std::uint64_t path = 0;
    if (!is_leaf_at_once(own_, open.depth, n, input_))
      found = search_.choose(rows, own_, path = open.own_path());
    if (!found) {
      shared_.settle(static_cast<std::int64_t>(n));
      return;
    }
    tree.split(node, found->column, {0, 0}, found->gain, found->drawn);
    const std::size_t middle =
        open.at.begin + divide_keys(rows, found->column, found->last, records(open.list ^ 1u, open.at.begin));
    const std::span<const double> left = search_.left();
    for (std::size_t j = 0; j < left.size(); ++j) right_[j] = own_[j] - left[j];
    const auto list = static_cast<std::uint8_t>(open.list ^ 1u);
    push({{{0, open.depth + 1, path}, {middle, open.at.end}}, list, 1}, right_);
    push({{{0, open.depth + 1, path}, {open.at.begin, middle}}, list, 0}, left);
  }
  void push(Open&& open, std::span<const double> counts) {
    counts_.insert(counts_.end(), counts.begin(), counts.end());
    frontier_.push(std::move(open));
  }
  void pop_counts() {
    std::copy(counts_.end() - static_cast<std::ptrdiff_t>(own_.size()), counts_.end(), own_.begin());
    counts_.resize(counts_.size() - own_.size());
  }

  const Input<ClassTarget>& input_;
  SharedNodes<ClassTarget>& shared_;
  const RankedTable& table_;
  NowAndThen& breath_;
  std::size_t n_lanes_;
  CutSearch search_;
  std::vector<std::int32_t> list_[2];
  std::vector<double> own_, right_, counts_;  // of the node at hand, of its right child, of those that wait
  DepthFirst<Open> frontier_;
};

bool CutGrowth::serves(const Input<ClassTarget>& input, const RankedTable& table) {
  if (!input.settings.use_random_cuts) return false;
  for (std::size_t c = 0; c < table.width(); ++c)
    if (!table.has_keys(c)) return false;
  return table.width() / most_lanes_a_draw <= static_cast<std::size_t>(input.settings.max_columns);
}

CutGrowth::CutGrowth(const Input<ClassTarget>& input, SharedNodes<ClassTarget>& shared,
                     const RankedTable& table, Costs costs, NowAndThen& breath)
    : loop_(std::make_unique<Loop>(input, shared, table, costs, breath)) {}
CutGrowth::~CutGrowth() = default;

bool CutGrowth::takes(std::size_t n_rows) const { return loop_->takes(n_rows); }

void CutGrowth::grow(std::span<const std::uint32_t> rows, std::span<const double> counts,
                     const Standing& root, DrawnTree& tree) {
  loop_->grow(rows, counts, root, tree);
}

}  // namespace treewright
