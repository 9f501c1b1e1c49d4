// Which node is next.
#include "treewright/frontier.hpp"

#include <string>
#include <vector>

#include "check.hpp"

using namespace treewright;

// The nodes of a complete tree of depth two, by name: "" has the branches "0" and "1".
TEST(depth_first_takes_the_first_branch_first) {
  DepthFirst<std::string> frontier;
  std::string seen;
  frontier.run("", [&](const std::string& node) {
    seen += node + ",";
    if (node.size() < 2) frontier.push_branches(std::vector<std::string>{node + "0", node + "1"});
  });
  CHECK(seen == ",0,00,01,1,10,11,");
}

TEST(best_first_keeps_to_its_budget) {
  BestFirst<Turn> frontier(4);
  std::vector<std::int32_t> split, refused;
  frontier.push({1.0, 0});
  frontier.run(
      [&](Turn&& turn) {
        split.push_back(turn.node);
        if (turn.node == 0) {
          frontier.push({5.0, 1});
          frontier.push({7.0, 2});
          frontier.push({7.0, 3});
        }
      },
      [&](Turn&& turn) { refused.push_back(turn.node); });
  CHECK((split == std::vector<std::int32_t>{0, 2, 3}));  // of equal ones the one that was made first
  CHECK((refused == std::vector<std::int32_t>{1}));
  CHECK(frontier.n_leaves() == 4);
}

TEST(a_wide_split_is_refused_where_a_narrow_one_fits) {
  BestFirst<Turn> frontier(3);
  std::vector<std::int32_t> split, refused;
  frontier.push({9.0, 1, 4});
  frontier.push({1.0, 2, 3});
  frontier.run([&](Turn&& turn) { split.push_back(turn.node); },
               [&](Turn&& turn) { refused.push_back(turn.node); });
  CHECK((split == std::vector<std::int32_t>{2}) && (refused == std::vector<std::int32_t>{1}));
}
