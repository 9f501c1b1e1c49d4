// The four verbs of growth one at a time, as calls on values: open a node, search its columns, decide between
// their offers, apply one to the rows. What drives them (a loop of its own, look-ahead, other machines) is
// not known here. Every offer comes from the search of `Growth`, so that limits, policies and ties are the
// same. (What the calls do is in by_growth.hpp, compiled with Growth.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "criterion.hpp"
#include "draws.hpp"
#include "groups.hpp"
#include "problem.hpp"
#include "rank.hpp"
#include "search/open_rows.hpp"
#include "split.hpp"
#include "stats.hpp"
#include "surrogate.hpp"
#include "tree.hpp"

namespace treewright {

template <class Target, class CriterionVariant>
class Growth;

// A column of a node that was measured elsewhere: groups in ascending order, one row of figures each. A group
// may hold several neighbouring values; `low` and `high` are the least and greatest of them.
struct MeasuredElsewhere {
  std::span<const std::int64_t> figures, gaps;  // groups x width; of rows without a value, one row
  std::span<const double> low, high;            // categories: their code in both
};

// A test that somebody else has chosen: where codes up to `place` go left, or the categories in `left`.
struct Chosen {
  std::int32_t column = -1, place = -1;
  std::optional<std::vector<std::int32_t>> left;
  std::int32_t missing = -1, n_branches = 2;  // missing: the branch of the gaps, -1 where the node has none
};

// Where the rows of a node went.
template <class Node>
struct Applied {
  std::vector<Node> children;
  std::int32_t missing = -1, largest = 0;
};

template <class Target, class CriterionVariant>
class Verbs {
  using Engine = Growth<Target, CriterionVariant>;

 public:
  using Stats = typename Target::Stats;
  using Node = OpenRows<Stats>;

  Verbs(Problem problem, Target target, std::string_view criterion);
  ~Verbs();
  Verbs(const Verbs&) = delete;
  Verbs& operator=(const Verbs&) = delete;

  const Target& target() const { return target_; }
  const Settings& settings() const { return problem_.settings; }
  std::size_t n_rows() const { return problem_.weight.size(); }
  std::size_t n_columns() const { return problem_.columns.size(); }
  const Column& column(std::size_t c) const { return problem_.columns[c]; }

  // ---- open --------------------------------------------------------------------------------------

  // A node of these pieces of rows.
  Node open(std::vector<Piece> pieces, std::int64_t depth = 0, std::uint64_t path = root_path) const;

  // A node of rows that are elsewhere, by what they amount to. Numbers: the squares of deviations, in units,
  // about the centre and with the shift that `squares_about` names; classes need none.
  Node open(std::span<const std::int64_t> figures, std::int64_t least, std::int64_t greatest, double squares,
            std::int64_t depth) const;
  std::pair<std::int64_t, int> squares_about(std::span<const std::int64_t> figures, std::int64_t least,
                                             std::int64_t greatest) const;

  // Is the node a leaf whatever its columns offer?
  bool is_finished(const Node& node) const;

  // ---- search ------------------------------------------------------------------------------------

  // What each column of the table offers, and then each of `more`: numbers of the node's rows, one per piece.
  std::vector<Offer> search(const Node& node, std::span<const Column> more);

  // What a column of the table offers that was measured elsewhere.
  Offer search(const Node& node, std::size_t index, const MeasuredElsewhere& given);

  // What a test is worth that somebody else has chosen, judged as a column's own; no test of one column is
  // refused but for sizes.
  Offer judged(const Node& node, const Chosen& chosen);

  // For each group: no cut inside it has a value above this. `least` and `greatest` are of the targets there.
  std::vector<double> bounds(const Node& node, const MeasuredElsewhere& given,
                             std::span<const std::int64_t> least,
                             std::span<const std::int64_t> greatest) const;

  // The best stand-in that a column has for a test of two branches, which are the classes in what was
  // measured elsewhere; without a test where it does not help. The gaps are rows that lack this column's
  // value alone.
  Surrogate surrogate(std::size_t index, const MeasuredElsewhere& given) const;
  // Best agreement first, no more than are kept.
  std::vector<Surrogate> ranked(std::vector<Surrogate> found) const;

  // ---- decide ------------------------------------------------------------------------------------

  // The offer that is taken, if one is; the others are told why not. `root` is the node of all rows.
  std::optional<std::size_t> decide(const Node& node, const Node& root, std::vector<Offer>& offers,
                                    std::span<const Column> more, std::int64_t room) const;

  // ---- apply -------------------------------------------------------------------------------------

  // The branches of an offer, each with its rows; `more` is the column of the offer where that is none of the
  // table's. Surrogates stand in where rows lack the value and the policy says so.
  Applied<Node> apply(const Node& node, const Offer& offer, const Column* more);

  // The same where the rows are elsewhere: which branch the gaps take, and which is the largest. `known` is
  // the weight of the rows with a value in each branch.
  Applied<Node> placed(const Node& node, const Offer& offer, std::vector<std::int64_t> known,
                       std::int64_t gaps) const;
  // Multiway columns that are not asked again below a split.
  std::vector<std::int32_t> used_below(const Node& node, const Split& split) const;

  // ---- the tree so far ---------------------------------------------------------------------------

  std::int32_t add(const Node& node, std::int32_t parent);
  void keep_offers(std::int32_t place, const std::vector<Offer>& offers);
  // The children of a node are added one after the other, from `first` on.
  void split(std::int32_t place, const Offer& offer, std::int32_t missing, std::int32_t largest,
             std::int32_t first, std::vector<Surrogate> surrogates);
  void make_leaf(std::int32_t place);
  TreeArrays tree();

 private:
  // A column in another's place, or behind the last, while this lives. What looks at the columns of the table
  // keeps looking at them: their memory stays where it is.
  class Beside {
   public:
    Beside(Problem& problem, const Column& column, std::size_t place)
        : problem_(problem), columns_(problem.columns) {
      if (place >= columns_.size()) columns_.resize(place + 1);
      columns_[place] = column;
      problem_.columns.swap(columns_);
    }
    ~Beside() { problem_.columns.swap(columns_); }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

   private:
    Problem& problem_;
    std::vector<Column> columns_;
  };

  static CriterionVariant named(const Settings& settings, std::string_view criterion);

  // A column of the node's own numbers, its codes at the rows of the table.
  Column placed(const Node& node, const Column& given, const Ranks& ranks);

  std::vector<Stats> groups_of(const MeasuredElsewhere& given) const;
  Split split_of(const Chosen& chosen, const Measured<Stats>& measured) const;
  void join_gaps(const Split& split, Measured<Stats>& measured) const;
  Measured<Stats> measured_of(std::size_t index, const MeasuredElsewhere& given) const;

  Problem problem_;
  std::vector<Ranks> ranks_;
  Target target_;
  CriterionVariant criterion_;
  std::unique_ptr<Engine> growth_;
  std::vector<std::int32_t> codes_;  // of the column that stands beside the table's
};

using ClassVerbs = Verbs<ClassTarget, ClassCriterion>;
using NumberVerbs = Verbs<NumberTarget, NumberCriterion>;

}  // namespace treewright
