// C4.5's error-based pruning.
#include <algorithm>
#include <cmath>
#include <utility>

#include "treewright/label.hpp"
#include "treewright/prune.hpp"

namespace treewright {

// Sums of weights that are equal but for rounding are equal.
static constexpr double same = 1e-9;

double ErrorBound::extra(double n, double errors) const {
  if (errors < 1e-6) return n * (1 - std::exp(std::log(confidence) / n));
  if (errors < 0.9999) {
    const double none = extra(n, 0);
    return none + errors * (extra(n, 1) - none);
  }
  if (errors + 0.5 >= n - same) return certain * (n - errors);
  const double e = errors + 0.5, square = z * z;
  const double share = (e + square / 2 + std::sqrt(square * (e * (1 - e / n) + square / 4))) / (n + square);
  return n * share - errors;
}

namespace {

struct Share {
  std::int32_t row;
  double weight;
};

struct Divided {
  std::vector<std::vector<Share>> branch;
  std::vector<double> known;  // weight that came by a value, not by a share
  std::vector<Share> stays;   // rows that the tree stops here
};

struct Held {
  std::vector<double> counts;
  double total = 0;
};

class ErrorBasedPruner {
 public:
  ErrorBasedPruner(const RouteTree& tree, const Children& children, std::span<const std::int32_t> label,
                   const Evidence& evidence, const ErrorBasedRules& rules)
      : tree_(tree),
        children_(children),
        evidence_(evidence),
        rules_(rules),
        questions_(tree, evidence.columns),
        label_(label.begin(), label.end()),
        steps_(tree.end.size()),
        is_changed_(tree.end.size()),
        n_rows_(tree.end.size()),
        estimate_(tree.end.size()),
        stats_(tree.end.size()),
        crowd_(tree.end.size()),
        adds_up_(!is_divided_anywhere()),
        only_rises_(rules.class_scale.empty() && rules.costs.empty() &&
                    std::all_of(evidence.weight.begin(), evidence.weight.end(),
                                [](double weight) { return weight == std::floor(weight); })) {
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i] = step_of(i);
  }

  Remainder prune() {
    std::vector<Share> rows;
    for (std::size_t r = 0; r < evidence_.weight.size(); ++r)
      if (evidence_.weight[r] > 0) rows.push_back({static_cast<std::int32_t>(r), evidence_.weight[r]});
    const double estimate = prune_all(std::move(rows));
    return remainder(estimate);
  }

 private:
  // A node whose branches are being pruned, first to last.
  struct Frame {
    std::int32_t node;
    bool is_changed;
    std::vector<Share> rows;
    Divided divided;
    Held held;
    std::size_t next = 0, largest = 0;
    double subtree = 0;
    bool is_open = false;
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  // All that a row meets at a node, in half a line of cache.
  struct Step {
    const double* number = nullptr;  // the cells asked at a cut of numbers; else null, and ask in full
    double cut = 0;
    std::int32_t low = -1, high = -1;  // the branches of that cut
    std::int32_t heir = -1;            // the branch that stands in the node's place
    bool is_leaf = false;
  };

  Step step_of(std::size_t i) const {
    Step step;
    step.is_leaf = tree_.kind[i] == 0;
    if (step.is_leaf || tree_.kind[i] == sum_kind || tree_.is_coded[at(tree_.column[i])] != 0) return step;
    const auto branches = children_.of(static_cast<std::int32_t>(i));
    step.number = evidence_.columns.number[at(tree_.column[i])];
    step.cut = tree_.cut[i];
    step.low = branches[0];
    step.high = branches[1];
    return step;
  }

  bool is_leaf(std::int32_t node) const { return steps_[at(node)].is_leaf; }

  // The node that stands where this one stood.
  std::int32_t standing(std::int32_t node) const {
    while (steps_[at(node)].heir >= 0) node = steps_[at(node)].heir;
    return node;
  }

  // Bottom-up with a stack of our own, so that depth has no limit.
  double prune_all(std::vector<Share> rows) {
    std::vector<Frame> stack;
    stack.push_back({0, false, std::move(rows), {}, {}});
    double finished = 0;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (!frame.is_open) open(frame);
      if (!is_leaf(frame.node) && visit_branch(frame, stack)) continue;
      double estimate = 0;
      if (!close(frame, estimate)) continue;  // raised: the same rows, another node
      estimate_[at(frame.node)] = estimate;
      stack.pop_back();
      if (stack.empty())
        finished = estimate;
      else
        stack.back().subtree += estimate;
    }
    return finished;
  }

  void open(Frame& frame) {
    frame.is_open = true;
    frame.held = held(frame.rows);
    note(frame);
    if (is_leaf(frame.node)) return;
    frame.divided = divide(frame.node, frame.rows);
    frame.largest = largest(frame.divided.known);
    frame.subtree = errors_of(frame.divided.stays, label_[at(frame.node)]);
  }

  // Push the next branch that received rows; false when there is none left.
  bool visit_branch(Frame& frame, std::vector<Frame>& stack) {
    const auto branches = children_.of(frame.node);
    while (frame.next < branches.size()) {
      const std::size_t b = frame.next++;
      if (!(frame.divided.known[b] > 0)) continue;
      Frame below{standing(branches[b]), frame.is_changed, {}, {}, {}};
      if (b == frame.largest || !rules_.raises)
        below.rows = std::move(frame.divided.branch[b]);
      else
        below.rows = frame.divided.branch[b];  // needed again, to see what they do to the largest branch
      stack.push_back(std::move(below));       // `frame` may have moved
      return true;
    }
    return false;
  }

  // Settle the node: true with its estimate, or false when the frame now is about the branch raised.
  bool close(Frame& frame, double& estimate) {
    const std::int32_t node = frame.node;
    const double leaf = rules_.bound.all(frame.held.total, errors(frame.held.counts));
    estimate = leaf;
    if (is_leaf(node)) return true;
    const double subtree = frame.subtree, slack = rules_.slack;
    estimate = subtree;
    const bool is_leaf_good = leaf <= subtree + slack;
    if (!rules_.raises) {
      if (is_leaf_good) make_leaf(frame, leaf, estimate);
      return true;
    }
    const std::int32_t branch = standing(children_.of(node)[frame.largest]);
    const double enough = is_leaf_good ? leaf - slack : subtree + slack;
    const double raised =
        adds_up_ ? estimate_with(branch, frame, enough) : estimate_of(branch, frame.rows, enough);
    if (is_leaf_good && leaf <= raised + slack) {
      make_leaf(frame, leaf, estimate);
    } else if (raised <= subtree + slack) {
      steps_[at(node)].heir = branch;
      frame = Frame{branch, true, std::move(frame.rows), {}, {}};
      return false;
    }
    return true;
  }

  void make_leaf(const Frame& frame, double leaf, double& estimate) {
    steps_[at(frame.node)].is_leaf = true;
    stats_[at(frame.node)] = frame.held.counts;
    estimate = leaf;
  }

  // Where no row is ever divided, rows that join a branch change only the leaves they reach.
  bool is_divided_anywhere() const {
    if (tree_.unseen == Detour::divide)
      for (std::size_t i = 0; i < tree_.kind.size(); ++i)
        if (tree_.kind[i] == 2 || tree_.kind[i] == sum_kind) return true;
    if (tree_.gap != Detour::divide) return false;
    std::vector<bool> is_asked(tree_.is_coded.size());
    for (std::int32_t c : tree_.column)
      if (c >= 0) is_asked[at(c)] = true;
    for (std::int32_t c : tree_.term_column) is_asked[at(c)] = true;
    const std::size_t n = evidence_.weight.size();
    for (std::size_t c = 0; c < is_asked.size(); ++c)
      for (std::size_t row = 0; is_asked[c] && row < n; ++row)
        if (tree_.is_coded[c] != 0 ? evidence_.columns.code[c][row] < 0
                                   : std::isnan(evidence_.columns.number_at(c, row)))
          return true;
    return false;
  }

  // The estimate of a subtree as it stands when the rows of the other branches come on top of those it holds;
  // no further than `enough`, where it decides. Row by row: in most nodes a few rows tell.
  double estimate_with(std::int32_t root, const Frame& frame, double enough) {
    double sum = estimate_[at(root)];
    for (std::size_t b = 0; b < frame.divided.branch.size() && !(only_rises_ && sum > enough); ++b)
      if (b != frame.largest)
        for (const Share& share : frame.divided.branch[b]) {
          sum += joined(root, share);
          if (only_rises_ && sum > enough) break;
        }
    for (std::int32_t leaf : joined_) crowd_[at(leaf)].clear();
    joined_.clear();
    return sum;
  }

  // Send one more row down; return what it adds to the estimate.
  double joined(std::int32_t node, const Share& share) {
    const auto row = static_cast<std::size_t>(share.row);
    for (const Step* step; !(step = &steps_[at(node)])->is_leaf || step->heir >= 0;) {
      if (step->heir >= 0) {
        node = step->heir;
      } else if (const double x = step->number ? step->number[row] : std::nan(""); !std::isnan(x)) {
        node = x <= step->cut ? step->low : step->high;
      } else {
        const std::int32_t branch = branch_of(row, at(node));
        if (branch < 0) return errors_of({share}, label_[at(node)]);
        node = children_.of(node)[at(branch)];
      }
    }
    std::vector<double>& counts = crowd_[at(node)];
    if (counts.empty()) {
      counts = stats_[at(node)];
      counts.resize(static_cast<std::size_t>(evidence_.n_classes));  // where no row ever came
      joined_.push_back(node);
    }
    const double before = estimate_of_leaf(counts);
    counts[at(evidence_.label[static_cast<std::size_t>(share.row)])] += share.weight;
    return estimate_of_leaf(counts) - before;
  }

  double estimate_of_leaf(const std::vector<double>& counts) const {
    double total = 0;
    for (double count : counts) total += count;
    return rules_.bound.all(total, errors(counts));
  }

  // The estimate of a subtree as it stands, with these rows; no further than `enough`, where it decides.
  double estimate_of(std::int32_t root, const std::vector<Share>& rows, double enough) const {
    double sum = 0;
    std::vector<std::pair<std::int32_t, std::vector<Share>>> open;
    open.emplace_back(root, rows);
    while (!open.empty() && sum <= enough) {
      auto [node, here] = std::move(open.back());
      open.pop_back();
      if (is_leaf(node)) {
        sum += estimate_of_leaf(held(here).counts);
        continue;
      }
      Divided divided = divide(node, here);
      if (!divided.stays.empty()) sum += errors_of(divided.stays, label_of(held(here).counts));
      const auto branches = children_.of(node);
      for (std::size_t b = branches.size(); b-- > 0;)
        if (divided.known[b] > 0) open.emplace_back(standing(branches[b]), std::move(divided.branch[b]));
    }
    return sum;
  }

  Divided divide(std::int32_t node, const std::vector<Share>& rows) const {
    const auto i = at(node);
    const std::size_t n = children_.of(node).size();
    Divided found{std::vector<std::vector<Share>>(n), std::vector<double>(n), {}};
    std::vector<Share> gaps;
    std::vector<std::int32_t> branches(rows.size());
    std::vector<std::size_t> sizes(n);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      branches[r] = branch_of(static_cast<std::size_t>(rows[r].row), i);
      if (branches[r] >= 0) ++sizes[at(branches[r])];
    }
    for (std::size_t b = 0; b < n; ++b) found.branch[b].reserve(sizes[b]);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (branches[r] >= 0) {
        found.branch[at(branches[r])].push_back(rows[r]);
        found.known[at(branches[r])] += rows[r].weight;
      } else {
        (branches[r] == takes_all ? gaps : found.stays).push_back(rows[r]);
      }
    }
    if (!gaps.empty()) spread(gaps, found);
    return found;
  }

  // Cuts of numbers at once; all others by the tree's policies.
  std::int32_t branch_of(std::size_t row, std::size_t i) const {
    if (const Step& step = steps_[i]; step.number != nullptr && !std::isnan(step.number[row]))
      return branch_of_cut(step.number[row], step.cut);
    return questions_.branch_of(row, i);
  }

  // To every branch with known rows, in proportion to them.
  static void spread(const std::vector<Share>& gaps, Divided& found) {
    double total = 0;
    for (double known : found.known) total += known;
    if (!(total > 0)) {
      found.stays.insert(found.stays.end(), gaps.begin(), gaps.end());
      return;
    }
    for (std::size_t b = 0; b < found.known.size(); ++b)
      if (found.known[b] > 0)
        for (const Share& gap : gaps)
          found.branch[b].push_back({gap.row, gap.weight * (found.known[b] / total)});
  }

  // The branch with most known weight, the last on ties.
  static std::size_t largest(const std::vector<double>& known) {
    std::size_t best = 0;
    for (std::size_t b = 1; b < known.size(); ++b)
      if (known[b] >= known[best] - same * (1 + known[best])) best = b;
    return best;
  }

  Held held(const std::vector<Share>& rows) const {
    Held found{std::vector<double>(static_cast<std::size_t>(evidence_.n_classes)), 0};
    for (const Share& share : rows)
      found.counts[at(evidence_.label[static_cast<std::size_t>(share.row)])] += share.weight;
    for (double count : found.counts) found.total += count;
    return found;
  }

  // The class that these weights say: of most weight, or of least cost; the first of equal ones.
  std::int32_t label_of(const std::vector<double>& counts) const {
    double total = 0;
    for (double count : counts) total += count;
    return treewright::label_of(std::span<const double>(counts), std::span<const double>(rules_.class_scale),
                                std::span<const double>(rules_.costs), same * (1 + total));
  }

  double errors(const std::vector<double>& counts) const {
    const std::size_t label = at(label_of(counts));
    double wrong = 0;  // added up, not subtracted: what is pure has no errors at all
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (c != label) wrong += counts[c];
    return wrong;
  }

  double errors_of(const std::vector<Share>& rows, std::int32_t label) const {
    double wrong = 0;
    for (const Share& share : rows)
      if (evidence_.label[static_cast<std::size_t>(share.row)] != label) wrong += share.weight;
    return wrong;
  }

  // Keep what the node holds; where other rows came, its class is what they say, as if it had grown on them.
  void note(const Frame& frame) {
    const auto i = at(frame.node);
    is_changed_[i] = frame.is_changed ? 1 : 0;
    if (is_leaf(frame.node) || frame.is_changed) stats_[i] = frame.held.counts;
    if (!frame.is_changed) return;
    n_rows_[i] = static_cast<std::int64_t>(frame.rows.size());
    label_[i] = label_of(frame.held.counts);
  }

  Remainder remainder(double estimate) const {
    Remainder out;
    out.estimate = estimate;
    std::vector<std::pair<std::int32_t, bool>> open{{0, false}};  // a node to enter, or a place to close
    while (!open.empty()) {
      const auto [node, is_done] = open.back();
      open.pop_back();
      if (is_done) {
        out.end[at(node)] = static_cast<std::int32_t>(out.node.size());
        continue;
      }
      const std::int32_t here = standing(node);
      open.emplace_back(static_cast<std::int32_t>(out.node.size()), true);
      append(out, here);
      if (is_leaf(here)) continue;
      const auto branches = children_.of(here);
      for (std::size_t b = branches.size(); b-- > 0;) open.emplace_back(branches[b], false);
    }
    return out;
  }

  void append(Remainder& out, std::int32_t node) const {
    const auto i = at(node);
    out.node.push_back(node);
    out.end.push_back(0);
    out.label.push_back(label_[i]);
    out.is_leaf.push_back(is_leaf(node) ? 1 : 0);
    out.is_changed.push_back(is_changed_[i]);
    out.n_rows.push_back(n_rows_[i]);
    if (is_changed_[i])
      out.stats.insert(out.stats.end(), stats_[i].begin(), stats_[i].end());
    else
      out.stats.resize(out.stats.size() + static_cast<std::size_t>(evidence_.n_classes));
  }

  const RouteTree& tree_;
  const Children& children_;
  const Evidence& evidence_;
  const ErrorBasedRules& rules_;
  Questions<double> questions_;
  std::vector<std::int32_t> label_;
  std::vector<Step> steps_;
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::int64_t> n_rows_;
  std::vector<double> estimate_;
  std::vector<std::vector<double>> stats_;  // of leaves, and of nodes that hold other rows than before
  std::vector<std::vector<double>> crowd_;  // what leaves would hold if rows joined them
  std::vector<std::int32_t> joined_;        // those leaves
  bool adds_up_;
  bool only_rises_;  // one more row never lowers an estimate: the largest class is said, weights are whole
};

}  // namespace

Remainder error_based(const RouteTree& tree, const Children& children, std::span<const std::int32_t> label,
                      const Evidence& evidence, const ErrorBasedRules& rules) {
  return ErrorBasedPruner(tree, children, label, evidence, rules).prune();
}

}  // namespace treewright
