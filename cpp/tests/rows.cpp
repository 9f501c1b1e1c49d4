// Which pieces of rows each branch receives.
#include "treewright/rows.hpp"

#include <vector>

#include "check.hpp"

using namespace treewright;

namespace {

// Codes 0 and 1 of six rows, the last two without a value.
struct Case {
  std::vector<std::int32_t> code{0, 0, 0, 1, -1, -1}, other{0, 0, 0, 1, 1, -1};
  std::vector<Column> columns{2};
  std::vector<Piece> pieces;
  Split split;
  Settings settings;

  explicit Case(MissingPolicy policy) {
    columns[0].code = code;
    columns[1].code = other;
    for (std::int32_t row = 0; row < 6; ++row) pieces.push_back({row, 1000});
    split.column = 0;
    split.kind = SplitKind::cut;
    split.cut_code = 0;
    split.n_branches = 2;
    settings.missing = policy;
  }
  Parts divide(std::span<const Surrogate> surrogates = {}) const {
    return Division(columns, split, surrogates).divide(pieces, settings);
  }
};

std::int64_t weight(std::span<const Piece> pieces) {
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) sum += piece.weight;
  return sum;
}

}  // namespace

TEST(gaps_go_with_most_rows) {
  const Parts parts = Case(MissingPolicy::learned).divide();
  CHECK(parts.branch(0).size() == 5 && parts.branch(1).size() == 1);
  CHECK(parts.known[0] == 3000 && parts.known[1] == 1000);
}

TEST(a_learned_side_is_kept) {
  Case given(MissingPolicy::learned);
  given.split.missing = 1;
  CHECK(given.divide().branch(1).size() == 3);
}

// Shares of what is known, three to one, and nothing is lost.
TEST(pieces_add_up) {
  const Parts parts = Case(MissingPolicy::fractional).divide();
  CHECK(weight(parts.branch(0)) == 3000 + 2 * 750);
  CHECK(weight(parts.branch(1)) == 1000 + 2 * 250);
}

TEST(odd_shares_add_up_too) {
  Case given(MissingPolicy::fractional);
  for (Piece& piece : given.pieces) piece.weight = 1;
  const Parts parts = given.divide();
  CHECK(weight(parts.branch(0)) + weight(parts.branch(1)) == 6);
}

// The other column answers for row 4; nobody for row 5, which goes with most.
TEST(surrogates_answer_first) {
  Surrogate surrogate;
  surrogate.split.column = 1;
  surrogate.split.kind = SplitKind::cut;
  surrogate.split.cut_code = 0;
  surrogate.split.n_branches = 2;
  const std::vector<Surrogate> surrogates{surrogate};
  const Parts parts = Case(MissingPolicy::surrogate).divide(surrogates);
  CHECK(parts.branch(0).size() == 4 && parts.branch(1).size() == 2);
  CHECK(parts.branch(1)[1].row == 4);
}

TEST(a_flipped_surrogate_says_the_other_side) {
  Surrogate surrogate;
  surrogate.flip = true;
  const std::vector<Surrogate> surrogates{surrogate};
  CHECK(first_answer(surrogates, [](const Split&) { return 0; }) == 1);
  CHECK(first_answer(surrogates, [](const Split&) { return -1; }) == -1);
}
