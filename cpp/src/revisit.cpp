#include "treewright/revisit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "treewright/divide.hpp"
#include "treewright/fill.hpp"
#include "treewright/frontier.hpp"
#include "treewright/groups.hpp"
#include "treewright/open.hpp"
#include "treewright/parallel.hpp"
#include "treewright/rows.hpp"

namespace treewright {

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<Piece> all_pieces(const Problem& problem) {
  std::vector<Piece> pieces;
  for (std::size_t r = 0; r < problem.weight.size(); ++r)
    if (problem.weight[r] > 0) pieces.push_back({static_cast<std::int32_t>(r), problem.weight[r]});
  return pieces;
}

// Which branch a test sends a row to, by its value; -1 for a gap or a category it does not know.
std::int32_t branch_of(const Split& split, std::span<const Column> columns, std::int32_t row) {
  const Column& column = columns[at(split.column)];
  if (split.kind != SplitKind::cut) return split.branch_of(column.code[at(row)]);
  const double x = column.number[at(row)];
  return std::isnan(x) ? -1 : branch_of_cut(x, split.cut);
}
bool is_gap(const Split& split, std::span<const Column> columns, std::int32_t row) {
  const Column& column = columns[at(split.column)];
  return split.kind == SplitKind::cut || column.code[at(row)] == missing_code;
}

// Rows on their way: those that made the tree, and visitors.
struct Stop {
  std::int32_t node;
  std::vector<Piece> pieces;
  Orders orders;
  std::vector<std::int32_t> visitors;
};

// Visitors that reach each branch of a test. One whose category is no gap and unknown takes all branches:
// whichever the policy for those says, it is among them.
class Guide {
 public:
  explicit Guide(const Visitors& visitors) : visitors_(visitors) {}

  bool lacks(const Split& split, std::int32_t row) const {
    return branch_of(split, visitors_.columns, row) < 0 &&
           (visitors_.is_unseen_missing || is_gap(split, visitors_.columns, row));
  }
  bool any_lacks(const Split& split, std::span<const std::int32_t> rows) const {
    return std::any_of(rows.begin(), rows.end(), [&](std::int32_t row) { return lacks(split, row); });
  }
  std::vector<std::vector<std::int32_t>> divide(const Split& split, std::span<const Surrogate> surrogates,
                                                std::span<const std::int32_t> rows) const {
    std::vector<std::vector<std::int32_t>> branches(at(split.n_branches));
    for (std::int32_t row : rows) {
      std::int32_t branch = branch_of(split, visitors_.columns, row);
      if (branch < 0 && !lacks(split, row)) {
        for (auto& rows_of : branches) rows_of.push_back(row);
        continue;
      }
      if (branch < 0)
        branch = first_answer(
            surrogates, [&](const Split& stand_in) { return branch_of(stand_in, visitors_.columns, row); });
      if (branch < 0) branch = split.missing;
      if (branch >= 0) branches[at(branch)].push_back(row);
    }
    return branches;
  }

 private:
  Visitors visitors_;
};

NodeWeights weights_of(const Problem& problem) {
  const auto& weight = problem.weight;
  const bool is_same =
      std::all_of(weight.begin(), weight.end(), [&](std::int64_t w) { return w == weight[0]; });
  return {weight[0], is_same ? nullptr : weight.data()};
}

// The rows in the order of each cut column, where they fit one.
std::optional<OrderBook> order_book(const Problem& problem) {
  const auto layout = KeyLayout::of(problem.weight.size(), 0, most_values(problem.columns));
  if (!layout) return std::nullopt;
  return OrderBook(problem.columns, *layout, {}, problem.weight.size(), false,
                   static_cast<std::size_t>(problem.settings.n_threads), [&] { problem.breathe(1); });
}

// All rows down the tree, parents first; rows without an answer go on by the surrogates that are found where
// is_wanted(split, pieces, visitors).
template <class IsWanted>
SurrogatesByNode search_where(const Tests& tests, const Problem& problem, const Guide& guide,
                              std::vector<std::int32_t> visitors, IsWanted is_wanted) {
  const double n_nodes = static_cast<double>(tests.end.size());
  double share = 0;
  SurrogatesByNode found(tests.end.size());
  SurrogateSearch search(problem.columns, problem.weight.size(), problem.settings,
                         [&] { problem.breathe(share); });
  Stop root{0, all_pieces(problem), {}, std::move(visitors)};
  std::optional<OrderBook> book = order_book(problem);
  const NodeWeights weights = weights_of(problem);
  if (book) root.orders = book->root(root.pieces, {});
  DepthFirst<Stop> frontier;
  frontier.run(std::move(root), [&](Stop& stop) {
    if (tests.kind[at(stop.node)] == 0) return;
    share = stop.node / n_nodes;
    problem.breathe(share);
    const Split split = tests.split(stop.node, problem.columns[at(tests.column[at(stop.node)])]);
    std::vector<Surrogate>& surrogates = found[at(stop.node)];
    if (is_wanted(split, stop.pieces, stop.visitors)) {
      const KeyLayout layout = book ? book->layout() : KeyLayout();
      const OrderedRows ordered{stop.orders, layout, weights};
      surrogates = search.find(split, stop.pieces, book ? &ordered : nullptr);
    }
    const Parts parts = Division(problem.columns, split, surrogates).divide(stop.pieces, problem.settings);
    auto guided = guide.divide(split, surrogates, stop.visitors);
    const auto children = tests.children(stop.node);
    std::vector<std::uint8_t> is_open;
    for (std::int32_t child : children) is_open.push_back(tests.kind[at(child)] != 0);
    std::vector<Orders> orders(children.size());
    if (book) orders = book->divide(std::move(stop.orders), stop.pieces, parts.branches(), is_open);
    for (std::size_t b = children.size(); b-- > 0;) {
      const auto branch = parts.branch(b);
      frontier.push(
          {children[b], {branch.begin(), branch.end()}, std::move(orders[b]), std::move(guided[b])});
    }
  });
  return found;
}

// The same for all tests at once, where no row lacks a value: then no row waits for a surrogate, and where it
// ends is known beforehand. So columns can be taken one after the other, each sorted once for the whole tree.
//
//     leaf of a row    3 4 | 6 8      node 2 asks; its second child is 6
//     side                0 | 1       leaf >= 6
class GaplessSearch {
 public:
  GaplessSearch(const Tests& tests, const Problem& problem)
      : tests_(tests),
        problem_(problem),
        found_(tests.end.size()),
        totals_(tests.end.size(), ClassStats(2)) {}

  SurrogatesByNode run() {
    place_rows();
    const NodeWeights weights = weights_of(problem_);
    if (weights.of_row == nullptr) each_ = weights.each;
    const std::size_t n_columns = problem_.columns.size();
    const auto n_threads = std::clamp<std::size_t>(static_cast<std::size_t>(problem_.settings.n_threads), 1,
                                                   std::max<std::size_t>(1, n_columns));
    std::vector<std::vector<Surrogate>> best(n_threads, std::vector<Surrogate>(tests_.end.size()));
    for (std::size_t first = 0; first < n_columns; first += n_threads) {
      const std::size_t n = std::min(n_threads, n_columns - first);
      in_shares(
          n_threads, n,
          [&] { problem_.breathe(static_cast<double>(first) / static_cast<double>(n_columns)); },
          [&](std::size_t i, std::size_t) {
            const auto index = static_cast<std::int32_t>(first + i);
            each_ > 0 ? look<Entry>(index, best[i]) : look<HeavyEntry>(index, best[i]);
          });
      for (std::size_t i = 0; i < n; ++i) keep(best[i]);
    }
    return std::move(found_);
  }

 private:
  // A row in the order of a column.
  struct Entry {
    std::int32_t code, leaf;
  };
  struct HeavyEntry : Entry {
    std::int64_t weight;
  };
  std::int32_t second_child(std::int32_t node) const { return tests_.end[at(node) + 1]; }

  // The leaf of every row, and the rows and weight on each side of every test.
  void place_rows() {
    std::vector<Split> splits(tests_.end.size());
    for (std::size_t i = 0; i < splits.size(); ++i)
      if (tests_.kind[i] != 0)
        splits[i] = tests_.split(static_cast<std::int32_t>(i), problem_.columns[at(tests_.column[i])]);
    leaf_.resize(problem_.weight.size());
    for (std::size_t r = 0; r < leaf_.size(); ++r) {
      if (problem_.weight[r] <= 0) continue;
      std::int32_t node = 0;
      while (tests_.kind[at(node)] != 0) {
        const auto side = branch_of(splits[at(node)], problem_.columns, static_cast<std::int32_t>(r));
        ClassStats& total = totals_[at(node)];
        total.rows += 1;
        total.weight += problem_.weight[r];
        total.counts[at(side)] += problem_.weight[r];
        node = side == 0 ? node + 1 : second_child(node);
      }
      leaf_[r] = node;
    }
  }

  // What one column offers at every test.
  template <class Row>
  void look(std::int32_t index, std::vector<Surrogate>& best) const {
    const Column& column = problem_.columns[at(index)];
    if (column.direction != 0) return;  // a monotone column stands in for no other
    std::vector<Row> entries = sorted<Row>(column), spare(entries.size());
    DepthFirst<OpenStretch> frontier;
    frontier.run({{}, {0, entries.size()}}, [&](const OpenStretch& open) {
      if (tests_.kind[at(open.node)] == 0) return;
      const auto own = std::span(entries).subspan(open.at.begin, open.at.size());
      if (tests_.column[at(open.node)] != index)
        best[at(open.node)] = best_of<Row>(index, column, own, open.node);
      const std::int32_t second = second_child(open.node);
      const std::size_t middle = open.at.begin + divide_in_two(own, spare.data(), [&](const Row& entry) {
                                   return entry.leaf >= second;
                                 });
      frontier.push({{second}, {middle, open.at.end}});
      frontier.push({{open.node + 1}, {open.at.begin, middle}});
    });
  }

  template <class Row>
  Surrogate best_of(std::int32_t index, const Column& column, std::span<const Row> entries,
                    std::int32_t node) const {
    const ClassStats& all = totals_[at(node)];
    const std::int32_t second = second_child(node);
    surrogates::Candidate candidate(column, all);
    if (column.form == SplitForm::cut)
      cut(candidate, entries, second);
    else
      add_levels(candidate, entries, second);
    return candidate.best(index, all, {});
  }

  template <class Row>
  void cut(surrogates::Candidate& candidate, std::span<const Row> entries, std::int32_t second) const {
    std::int64_t more_left = 0;
    for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
      more_left += (entries[i].leaf >= second ? -1 : 1) * weight_of(entries[i]);
      if (!candidate.may_cut(more_left) || entries[i].code == entries[i + 1].code) continue;
      if (candidate.cut(entries[i].code, more_left, static_cast<std::int64_t>(i) + 1))
        candidate.set_next(entries[i + 1].code);
    }
  }
  template <class Row>
  void add_levels(surrogates::Candidate& candidate, std::span<const Row> entries, std::int32_t second) const {
    for (std::size_t i = 0; i < entries.size();) {
      const std::int32_t code = entries[i].code;
      const std::size_t first = i;
      std::int64_t weight = 0, right = 0;
      for (; i < entries.size() && entries[i].code == code; ++i) {
        weight += weight_of(entries[i]);
        right += entries[i].leaf >= second ? weight_of(entries[i]) : 0;
      }
      candidate.add(code, weight - right, right, static_cast<std::int64_t>(i - first));
    }
  }
  std::int64_t weight_of(const Entry&) const { return each_; }
  std::int64_t weight_of(const HeavyEntry& entry) const { return entry.weight; }

  // The rows by their code: counting sort.
  template <class Row>
  std::vector<Row> sorted(const Column& column) const {
    std::vector<std::size_t> first(at(column.n_codes) + 1);
    for (std::size_t r = 0; r < leaf_.size(); ++r)
      if (problem_.weight[r] > 0) ++first[at(column.code[r]) + 1];
    for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
    std::vector<Row> entries(first.back());
    for (std::size_t r = 0; r < leaf_.size(); ++r) {
      if (problem_.weight[r] <= 0) continue;
      Row& entry = entries[first[at(column.code[r])]++];
      entry.code = column.code[r];
      entry.leaf = leaf_[r];
      if constexpr (std::is_same_v<Row, HeavyEntry>) entry.weight = problem_.weight[r];
    }
    return entries;
  }

  void keep(std::vector<Surrogate>& best) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i].split.kind == SplitKind::none) continue;
      found_[i].push_back(std::exchange(best[i], {}));
      surrogates::rank(found_[i], problem_.columns, problem_.settings);
    }
  }

  const Tests& tests_;
  const Problem& problem_;
  SurrogatesByNode found_;
  std::vector<ClassStats> totals_;
  std::vector<std::int32_t> leaf_;
  std::int64_t each_ = 0;  // what every row weighs, if that is the same
};

std::vector<std::int32_t> all_of(const Visitors& visitors) {
  std::vector<std::int32_t> rows(at(visitors.n_rows));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// Does any visitor meet a test that it cannot answer? Up to there no surrogate is needed.
bool any_is_stuck(const Tests& tests, std::span<const Column> columns, const Guide& guide,
                  std::vector<std::int32_t> visitors) {
  std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> stack;
  stack.emplace_back(0, std::move(visitors));
  while (!stack.empty()) {
    const auto [node, rows] = std::move(stack.back());
    stack.pop_back();
    if (tests.kind[at(node)] == 0 || rows.empty()) continue;
    const Split split = tests.split(node, columns[at(tests.column[at(node)])]);
    if (guide.any_lacks(split, rows)) return true;
    auto branches = guide.divide(split, {}, rows);
    const auto children = tests.children(node);
    for (std::size_t b = 0; b < children.size(); ++b) stack.emplace_back(children[b], std::move(branches[b]));
  }
  return false;
}

bool any_lacks(const Column& column, const Split& split, std::span<const Piece> pieces) {
  return std::any_of(pieces.begin(), pieces.end(),
                     [&](Piece p) { return split.branch_of(column.code[at(p.row)]) < 0; });
}

// The common values of columns. Only weights are asked: the class of a row does not matter.
class CommonValues {
 public:
  explicit CommonValues(const Problem& problem)
      : problem_(problem), label_(problem.weight.size()), overall_(problem.columns.size()) {}

  std::int32_t among(const Column& column, std::span<const Piece> pieces) {
    const auto measured = measure(ClassTarget{label_, 1}, pieces, column, scratch_);
    return common_code(measured, column, problem_.settings.weight_slack(measured.known.rows));
  }
  // The branch that the common value of the whole column takes; -1 where the test does not know it.
  std::int32_t branch_overall(const Split& split) {
    Column column = problem_.columns[at(split.column)];
    std::optional<Ranks>& ranks = ranks_of(split.column, column);
    if (ranks) {
      column.code = ranks->code;
      column.value = ranks->value;
      column.n_codes = static_cast<std::int32_t>(ranks->value.size());
    }
    auto& fill = overall_[at(split.column)].fill;
    if (!fill) fill = among(column, all_pieces(problem_));
    return branch_of_fill(column, split, *fill);
  }

 private:
  struct Overall {
    std::optional<Ranks> ranks;
    std::optional<std::int32_t> fill;
  };
  // Of a cut column that has none yet; ordered categories are their own ranks.
  std::optional<Ranks>& ranks_of(std::int32_t c, const Column& column) {
    std::optional<Ranks>& ranks = overall_[at(c)].ranks;
    if (ranks || column.form != SplitForm::cut || !column.value.empty()) return ranks;
    if (column.number.type != Numbers::Type::code) return ranks = rank(column.number);
    ranks.emplace();
    ranks->code.assign(column.code.begin(), column.code.end());
    ranks->value.resize(at(column.n_codes));
    std::iota(ranks->value.begin(), ranks->value.end(), 0.0);
    return ranks;
  }

  const Problem& problem_;
  std::vector<std::int32_t> label_;
  std::vector<Overall> overall_;
  CodeOrder scratch_;
};

// Numbers that are all missing have codes and no value: ranked again, the codes would go with the later
// ranks.
bool has_ranks(const Column& column) {
  return !column.value.empty() || (column.number.type != Numbers::Type::code && !column.code.empty());
}

}  // namespace

std::vector<std::int32_t> Tests::children(std::int32_t node) const {
  std::vector<std::int32_t> found;
  for (std::int32_t c = node + 1; c < end[at(node)]; c = end[at(c)]) found.push_back(c);
  return found;
}

Split Tests::split(std::int32_t node, const Column& asked) const {
  Split split;
  split.column = column[at(node)];
  split.kind = static_cast<SplitKind>(kind[at(node)]);
  split.n_branches = static_cast<std::int32_t>(children(node).size());
  split.missing = missing[at(node)];
  if (split.kind == SplitKind::cut) {
    split.cut = cut[at(node)];
    split.cut_code = static_cast<std::int32_t>(
        std::upper_bound(asked.value.begin(), asked.value.end(), split.cut) - asked.value.begin() - 1);
    return split;
  }
  const auto first = code_start[at(node)], last = code_start[at(node) + 1];
  split.code.assign(code.begin() + first, code.begin() + last);
  split.branch.assign(code_branch.begin() + first, code_branch.begin() + last);
  return split;
}

std::vector<Ranks> rank_columns(Problem& problem, bool keeps_order) {
  std::vector<Ranks> ranks(problem.columns.size());
  in_shares(
      static_cast<std::size_t>(problem.settings.n_threads), ranks.size(), [&] { problem.breathe(0); },
      [&](std::size_t c, std::size_t) {
        Column& column = problem.columns[c];
        if (column.form != SplitForm::cut || has_ranks(column)) return;
        if (column.number.type == Numbers::Type::code) {  // ordered categories are ranks already
          ranks[c].value.resize(static_cast<std::size_t>(column.n_codes));
          std::iota(ranks[c].value.begin(), ranks[c].value.end(), 0.0);
        } else {
          ranks[c] = rank(column.number, keeps_order);
          column.code = ranks[c].code;
          column.n_codes = static_cast<std::int32_t>(ranks[c].value.size());
        }
        column.value = ranks[c].value;
      });
  return ranks;
}

SurrogatesByNode find_surrogates(const Tests& tests, const Problem& problem) {
  const auto has_gap = [&] { return std::any_of(problem.columns.begin(), problem.columns.end(), has_gaps); };
  if (!(problem.has_gaps ? *problem.has_gaps : has_gap())) return GaplessSearch(tests, problem).run();
  return search_where(tests, problem, Guide({}), {}, [](const auto&...) { return true; });
}

std::optional<SurrogatesByNode> find_surrogates(const Tests& tests, Problem& problem,
                                                const Visitors& visitors) {
  const Guide guide(visitors);
  if (!any_is_stuck(tests, problem.columns, guide, all_of(visitors))) return std::nullopt;
  const std::vector<Ranks> ranks = rank_columns(problem);
  return search_where(
      tests, problem, guide, all_of(visitors),
      [&](const Split& split, std::span<const Piece> pieces, std::span<const std::int32_t> rows) {
        return guide.any_lacks(split, rows) || any_lacks(problem.columns[at(split.column)], split, pieces);
      });
}

// The lower median of a number is on the heavier side of its cut, where growth has put the gaps already. Of
// categories, ordered ones too, the most frequent counts, which may be on the other side.
void place_common_values(TreeArrays& tree, const Problem& problem) {
  const bool is_overall = problem.settings.missing == MissingPolicy::most_common_overall;
  const auto is_category = [&](std::int32_t c) { return c >= 0 && problem.columns[at(c)].is_nominal; };
  if (!is_overall && std::none_of(tree.column.begin(), tree.column.end(), is_category)) return;
  const Tests tests = Tests::of(tree);
  CommonValues common(problem);
  std::vector<std::pair<std::int32_t, std::vector<Piece>>> stack;
  stack.emplace_back(0, is_overall ? std::vector<Piece>() : all_pieces(problem));
  while (!stack.empty()) {
    const auto [node, pieces] = std::move(stack.back());
    stack.pop_back();
    if (tests.kind[at(node)] == 0) continue;
    problem.breathe(1);
    const Column& column = problem.columns[at(tests.column[at(node)])];
    const Split split = tests.split(node, column);
    std::int32_t branch = -1;
    if (is_overall)
      branch = common.branch_overall(split);
    else if (split.kind == SplitKind::values)
      branch = split.branch_of(common.among(column, pieces));
    else if (column.is_nominal)
      branch = branch_of_cut(common.among(column, pieces), split.cut);
    if (branch >= 0) tree.missing[at(node)] = branch;
    std::vector<std::vector<Piece>> parts(at(split.n_branches));
    for (Piece piece : pieces) parts[at(branch_of(split, problem.columns, piece.row))].push_back(piece);
    const auto children = tests.children(node);
    for (std::size_t b = 0; b < children.size(); ++b) stack.emplace_back(children[b], std::move(parts[b]));
  }
}

}  // namespace treewright
