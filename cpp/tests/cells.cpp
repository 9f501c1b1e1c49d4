// The search by cells, on cells that are made up: which are opened, who wins, who ties.
#include "treewright/search/cells.hpp"

#include <vector>

#include "check.hpp"

using namespace treewright;

namespace {

struct Cut {
  std::uint32_t column = 0;
  double worth = 0;
};

// Columns with one edge and one cell each; a cut hides in each cell.
class MadeUp : CellSearch<MadeUp, Cut> {
  friend CellSearch<MadeUp, Cut>;

 public:
  std::vector<Outlook> columns;
  std::vector<double> hidden;
  std::vector<std::uint32_t> opened, judged;
  std::uint32_t best = 99;

  void run(double slack) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t c = 0; c < columns.size(); ++c) all.push_back(c);
    start_node(slack);
    settle(all);
  }

 private:
  const Outlook& outlook(std::uint32_t c) const { return columns[c]; }
  void look_into(std::span<const std::uint32_t> some) {
    for (std::uint32_t c : some) {
      if (!may_win(columns[c].bound)) continue;
      opened.push_back(c);
      if (!may_win(hidden[c])) continue;
      raise_floor(hidden[c]);
      propose({c, hidden[c]});
    }
  }
  void collect(std::uint32_t c) { propose({c, columns[c].best}); }
  bool comes_before(const Cut& a, const Cut& b) const { return a.column < b.column; }
  bool judge(const Cut& cut, std::size_t place) {
    judged.push_back(cut.column);
    if (place == 0 || cut.worth > columns[best].best) best = cut.column;
    return false;
  }
};

}  // namespace

// The most promising column is opened first, and what it hides spares the others.
TEST(a_hidden_cut_spares_other_columns) {
  MadeUp search;
  search.columns = {{1, 5}, {2, 9}, {3, 6}};
  search.hidden = {4, 8, 5};
  search.run(0);
  CHECK((search.opened == std::vector<std::uint32_t>{1}));
  CHECK((search.judged == std::vector<std::uint32_t>{1}) && search.best == 1);
}

// An edge that no cell can beat: nothing is opened.
TEST(an_edge_that_is_best) {
  MadeUp search;
  search.columns = {{7, 6}, {1, 6.5}};
  search.hidden = {5, 6};
  search.run(0);
  CHECK(search.opened.empty() && search.best == 0);
}

// Within the slack floating point tells nothing: both are judged, in the order that settles ties.
TEST(what_is_near_the_best_is_judged) {
  MadeUp search;
  search.columns = {{6.95, nothing}, {7, nothing}, {6, nothing}};
  search.hidden = {0, 0, 0};
  search.run(0.1);
  CHECK((search.judged == std::vector<std::uint32_t>{0, 1}));
}

// A column that has no cut at all is nobody's candidate.
TEST(columns_without_a_cut) {
  MadeUp search;
  search.columns = {{nothing, nothing}, {nothing, nothing}};
  search.hidden = {0, 0};
  search.run(0.1);
  CHECK(search.judged.empty());
}

TEST(who_waits_is_asked_while_it_may_win) {
  std::vector<Waiting> waiting{{5, 0}, {9, 1}, {7, 2}};
  std::vector<std::uint32_t> asked;
  const double floor = ask_waiting(waiting, 3, 0, [&](std::uint32_t c) {
    asked.push_back(c);
    return c == 1 ? 6.0 : 4.0;
  });
  CHECK((asked == std::vector<std::uint32_t>{1, 2}) && floor == 6 && waiting.empty());
}
