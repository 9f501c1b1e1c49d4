// Growth one step at a time: nodes and offers as values in Python's hands.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "problem.hpp"
#include "released.hpp"
#include "treewright/figures.hpp"
#include "treewright/verbs.hpp"

namespace treewright::bindings {

namespace {

using Rows = Array<std::int32_t>;
using Whole = Array<std::int64_t>;
using Reals64 = Array<double>;

// An open node; which kind, the growth that opened it knows.
struct HeldNode {
  virtual ~HeldNode() = default;
  virtual std::vector<Piece> pieces() const = 0;
  virtual std::int64_t depth() const = 0;
  virtual std::int64_t n_rows() const = 0;
  virtual double weight() const = 0;
};
template <class Verbs>
struct NodeOf : HeldNode {
  NodeOf(typename Verbs::Node&& given, std::shared_ptr<const void> growth)
      : node(std::move(given)), owner(std::move(growth)) {}
  std::vector<Piece> pieces() const override { return node.pieces; }
  std::int64_t depth() const override { return node.depth; }
  std::int64_t n_rows() const override { return node.opening->stats.rows; }
  double weight() const override { return node.opening->scale.weight; }
  typename Verbs::Node node;
  std::shared_ptr<const void> owner;  // the growth, whose logarithms and scales the node looks at
};
using NodeHandle = std::shared_ptr<HeldNode>;

// Groups of a column that were measured elsewhere, as Python hands them over.
MeasuredElsewhere measured(const Whole& figures, const Whole& gaps, const Reals64& low, const Reals64& high,
                           std::size_t width) {
  if (figures.size() != low.size() * width || gaps.size() != width || low.size() != high.size())
    throw nb::value_error("the figures of the groups and their values differ in length");
  return {view(figures), view(gaps), view(low), view(high)};
}

// The groups of several columns, one behind the other: of each the node, the column and the number of groups.
struct ManyMeasured {
  const std::vector<NodeHandle>& nodes;
  Rows node, column;
  Whole size, figures, gaps;  // gaps: a row for each column
  Reals64 low, high;

  // Call visit(node, column, its groups, where they begin) for each.
  template <class Visit>
  void for_each(std::size_t width, std::size_t n_columns, Visit visit) const {
    const std::size_t n = node.size();
    if (column.size() != n || size.size() != n || gaps.size() != n * width || high.size() != low.size() ||
        figures.size() != low.size() * width)
      throw nb::value_error("the figures of the groups and their values differ in length");
    std::size_t first = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto groups = static_cast<std::size_t>(view(size)[i]);
      if (groups > low.size() - first) throw nb::value_error("there are more groups than values");
      if (static_cast<std::size_t>(view(node)[i]) >= nodes.size())
        throw nb::value_error("there is no such node");
      if (static_cast<std::size_t>(view(column)[i]) >= n_columns)
        throw nb::value_error("there is no such column");
      visit(*nodes[static_cast<std::size_t>(view(node)[i])], static_cast<std::size_t>(view(column)[i]),
            MeasuredElsewhere{view(figures).subspan(first * width, groups * width),
                              view(gaps).subspan(i * width, width), view(low).subspan(first, groups),
                              view(high).subspan(first, groups)},
            first);
      first += groups;
    }
    if (first != low.size()) throw nb::value_error("there are fewer groups than values");
  }
};

class HeldGrowth : public std::enable_shared_from_this<HeldGrowth> {
 public:
  virtual ~HeldGrowth() = default;
  virtual NodeHandle open(const Rows& rows, const Whole& weight, std::int64_t depth) const = 0;
  virtual NodeHandle open_figures(const Whole& figures, std::int64_t least, std::int64_t greatest,
                                  double squares, std::int64_t depth,
                                  const std::vector<std::int32_t>& used) const = 0;
  virtual std::pair<std::int64_t, int> squares_about(const Whole& figures, std::int64_t least,
                                                     std::int64_t greatest) const = 0;
  virtual bool is_finished(const HeldNode& node) const = 0;
  virtual std::vector<Offer> search(const HeldNode& node, const std::vector<HeldColumn>& more) = 0;
  virtual Offer search_figures(const HeldNode& node, std::int32_t column, const Whole& figures,
                               const Whole& gaps, const Reals64& low, const Reals64& high) = 0;
  virtual std::vector<Offer> search_many(const ManyMeasured& given) = 0;
  virtual nb::object bounds_many(const ManyMeasured& given, const Whole& least,
                                 const Whole& greatest) const = 0;
  virtual std::optional<Surrogate> surrogate(std::int32_t column, const Whole& figures, const Whole& gaps,
                                             const Reals64& low, const Reals64& high) const = 0;
  virtual std::vector<Surrogate> ranked(std::vector<Surrogate> found) const = 0;
  virtual nb::object bounds(const HeldNode& node, const Whole& figures, const Whole& gaps, const Reals64& low,
                            const Reals64& high, const Whole& least, const Whole& greatest) const = 0;
  virtual std::pair<std::vector<Offer>, std::optional<std::size_t>> decide(
      const HeldNode& node, std::vector<Offer> offers, const HeldNode* root,
      const std::vector<HeldColumn>& more, std::int64_t room) const = 0;
  virtual nb::tuple apply(const HeldNode& node, const Offer& offer, const HeldColumn* more) = 0;
  virtual Offer judged(const HeldNode& node, const Chosen& chosen) = 0;
  virtual std::pair<std::int32_t, std::int32_t> placed(const HeldNode& node, const Offer& offer,
                                                       std::vector<std::int64_t> known,
                                                       std::int64_t gaps) const = 0;
  virtual std::vector<std::int32_t> used_below(const HeldNode& node, const Offer& offer) const = 0;
  virtual std::int32_t add(const HeldNode& node, std::int32_t parent) = 0;
  virtual void keep_offers(std::int32_t place, const std::vector<Offer>& offers) = 0;
  virtual void split(std::int32_t place, const Offer& offer, std::int32_t missing, std::int32_t largest,
                     std::int32_t first, std::vector<Surrogate> surrogates) = 0;
  virtual void make_leaf(std::int32_t place) = 0;
  virtual nb::dict tree() = 0;
};

template <class Verbs, class Target>
class GrowthOf : public HeldGrowth {
  using Node = typename Verbs::Node;

 public:
  GrowthOf(Problem&& problem, const Target& target, const std::string& criterion, nb::object kept)
      : kept_(std::move(kept)), verbs_(std::move(problem), target, criterion) {}

  NodeHandle open(const Rows& rows, const Whole& weight, std::int64_t depth) const override {
    if (rows.size() != weight.size()) throw nb::value_error("rows and weights differ in length");
    std::vector<Piece> pieces(rows.size());
    const auto n_rows = static_cast<std::int64_t>(n_table_rows());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      pieces[i] = {view(rows)[i], view(weight)[i]};
      if (pieces[i].row < 0 || pieces[i].row >= n_rows) throw nb::value_error("there is no such row");
      if (pieces[i].weight <= 0) throw nb::value_error("a weight is not positive");
    }
    if (pieces.empty()) throw nb::value_error("a node needs rows");
    return held(verbs_.open(std::move(pieces), depth));
  }
  NodeHandle open_figures(const Whole& figures, std::int64_t least, std::int64_t greatest, double squares,
                          std::int64_t depth, const std::vector<std::int32_t>& used) const override {
    check_width(figures);
    Node node = verbs_.open(view(figures), least, greatest, squares, depth);
    node.used = used;
    return held(std::move(node));
  }
  std::pair<std::int64_t, int> squares_about(const Whole& figures, std::int64_t least,
                                             std::int64_t greatest) const override {
    check_width(figures);
    return verbs_.squares_about(view(figures), least, greatest);
  }
  bool is_finished(const HeldNode& node) const override { return verbs_.is_finished(inside(node)); }

  std::vector<Offer> search(const HeldNode& node, const std::vector<HeldColumn>& more) override {
    const std::vector<Column> columns = bare(more);
    Released released;
    return verbs_.search(inside(node), columns);
  }
  Offer search_figures(const HeldNode& node, std::int32_t column, const Whole& figures, const Whole& gaps,
                       const Reals64& low, const Reals64& high) override {
    check_column(column);
    return verbs_.search(inside(node), static_cast<std::size_t>(column),
                         measured(figures, gaps, low, high, figure_width(verbs_.target())));
  }
  std::vector<Offer> search_many(const ManyMeasured& given) override {
    std::vector<Offer> found;
    found.reserve(given.node.size());
    Released released;
    given.for_each(figure_width(verbs_.target()), verbs_.n_columns(),
                   [&](const HeldNode& node, std::size_t column, const MeasuredElsewhere& groups,
                       std::size_t) { found.push_back(verbs_.search(inside(node), column, groups)); });
    return found;
  }
  nb::object bounds_many(const ManyMeasured& given, const Whole& least,
                         const Whole& greatest) const override {
    if (least.size() != given.low.size() || greatest.size() != given.low.size())
      throw nb::value_error("targets and groups differ in length");
    std::vector<double> found;
    found.reserve(least.size());
    given.for_each(
        figure_width(verbs_.target()), verbs_.n_columns(),
        [&](const HeldNode& node, std::size_t, const MeasuredElsewhere& groups, std::size_t first) {
          const auto bounds =
              verbs_.bounds(inside(node), groups, view(least).subspan(first, groups.low.size()),
                            view(greatest).subspan(first, groups.low.size()));
          found.insert(found.end(), bounds.begin(), bounds.end());
        });
    return owned(std::move(found));
  }
  std::optional<Surrogate> surrogate(std::int32_t column, const Whole& figures, const Whole& gaps,
                                     const Reals64& low, const Reals64& high) const override {
    check_column(column);
    Surrogate found =
        verbs_.surrogate(static_cast<std::size_t>(column), measured(figures, gaps, low, high, 3));
    if (found.split.kind == SplitKind::none) return std::nullopt;
    return found;
  }
  std::vector<Surrogate> ranked(std::vector<Surrogate> found) const override {
    return verbs_.ranked(std::move(found));
  }
  nb::object bounds(const HeldNode& node, const Whole& figures, const Whole& gaps, const Reals64& low,
                    const Reals64& high, const Whole& least, const Whole& greatest) const override {
    if (least.size() != low.size() || greatest.size() != low.size())
      throw nb::value_error("targets and groups differ in length");
    return owned(verbs_.bounds(inside(node),
                               measured(figures, gaps, low, high, figure_width(verbs_.target())), view(least),
                               view(greatest)));
  }

  std::pair<std::vector<Offer>, std::optional<std::size_t>> decide(const HeldNode& node,
                                                                   std::vector<Offer> offers,
                                                                   const HeldNode* root,
                                                                   const std::vector<HeldColumn>& more,
                                                                   std::int64_t room) const override {
    const auto chosen =
        verbs_.decide(inside(node), inside(root == nullptr ? node : *root), offers, bare(more), room);
    return {std::move(offers), chosen};
  }

  nb::tuple apply(const HeldNode& node, const Offer& offer, const HeldColumn* more) override {
    check_offer(offer, more != nullptr);
    auto applied = verbs_.apply(inside(node), offer, more == nullptr ? nullptr : &more->column);
    nb::list children;
    for (Node& child : applied.children) children.append(nb::cast(held(std::move(child))));
    return nb::make_tuple(children, applied.missing, applied.largest);
  }
  Offer judged(const HeldNode& node, const Chosen& chosen) override {
    check_column(chosen.column);
    if (chosen.n_branches < 2 || chosen.n_branches > 3 || chosen.missing >= chosen.n_branches)
      throw nb::value_error("the test has no such branch");
    return verbs_.judged(inside(node), chosen);
  }
  std::pair<std::int32_t, std::int32_t> placed(const HeldNode& node, const Offer& offer,
                                               std::vector<std::int64_t> known,
                                               std::int64_t gaps) const override {
    if (static_cast<std::int32_t>(known.size()) != offer.split.n_branches)
      throw nb::value_error("there must be one weight for each branch");
    const auto applied = verbs_.placed(inside(node), offer, std::move(known), gaps);
    return {applied.missing, applied.largest};
  }
  std::vector<std::int32_t> used_below(const HeldNode& node, const Offer& offer) const override {
    return verbs_.used_below(inside(node), offer.split);
  }

  std::int32_t add(const HeldNode& node, std::int32_t parent) override {
    if (parent < -1 || parent >= n_added_) throw nb::value_error("there is no such parent");
    n_added_ = verbs_.add(inside(node), parent) + 1;
    return n_added_ - 1;
  }
  void keep_offers(std::int32_t place, const std::vector<Offer>& offers) override {
    check_place(place);
    verbs_.keep_offers(place, offers);
  }
  void split(std::int32_t place, const Offer& offer, std::int32_t missing, std::int32_t largest,
             std::int32_t first, std::vector<Surrogate> surrogates) override {
    check_place(place);
    if (first <= place || first + offer.split.n_branches > n_added_)
      throw nb::value_error("the children are not in the tree");
    verbs_.split(place, offer, missing, largest, first, std::move(surrogates));
  }
  void make_leaf(std::int32_t place) override {
    check_place(place);
    verbs_.make_leaf(place);
  }
  nb::dict tree() override {
    if (n_added_ == 0) throw nb::value_error("the tree has no node");
    return arrays_of(verbs_.tree());
  }

 private:
  NodeHandle held(Node&& node) const {
    return std::make_shared<NodeOf<Verbs>>(std::move(node), shared_from_this());
  }
  static const Node& inside(const HeldNode& node) {
    const auto* found = dynamic_cast<const NodeOf<Verbs>*>(&node);
    if (found == nullptr) throw nb::type_error("the node was opened by a growth for another kind of target");
    return found->node;
  }
  static std::vector<Column> bare(const std::vector<HeldColumn>& columns) {
    std::vector<Column> found;
    for (const HeldColumn& column : columns) {
      if (column.column.number.type == Numbers::Type::code)
        throw nb::type_error("further columns must be numbers");
      found.push_back(column.column);
    }
    return found;
  }
  std::size_t n_table_rows() const { return verbs_.n_rows(); }
  void check_width(const Whole& figures) const {
    if (figures.size() != figure_width(verbs_.target()))
      throw nb::value_error("figures have another width than the target's");
  }
  void check_column(std::int32_t column) const {
    if (column < 0 || static_cast<std::size_t>(column) >= verbs_.n_columns())
      throw nb::value_error("there is no such column");
  }
  void check_offer(const Offer& offer, bool is_further) const {
    const auto n = static_cast<std::int32_t>(verbs_.n_columns());
    if (offer.split.kind == SplitKind::none || offer.split.column < 0 ||
        (offer.split.column >= n) != is_further)
      throw nb::value_error("the offer has no test on this column");
  }
  void check_place(std::int32_t place) const {
    if (place < 0 || place >= n_added_) throw nb::value_error("there is no such node");
  }

  nb::object kept_;  // what the problem views
  Verbs verbs_;
  std::int32_t n_added_ = 0;
};

std::shared_ptr<HeldGrowth> of_classes(const std::vector<HeldColumn>& columns,
                                       const Array<std::int32_t>& label, std::int64_t n_classes,
                                       const Whole& weight, const std::string& criterion,
                                       const Settings& settings, const nb::object& outside) {
  const ClassTarget target = class_target(label, n_classes, weight, settings);
  return std::make_shared<GrowthOf<ClassVerbs, ClassTarget>>(
      problem_of(columns, weight, settings, outside, nb::none()), target, criterion,
      nb::make_tuple(nb::cast(columns), nb::cast(label), nb::cast(weight)));
}
std::shared_ptr<HeldGrowth> of_numbers(const std::vector<HeldColumn>& columns, const Whole& value,
                                       int coarse_shift, const Whole& weight, const std::string& criterion,
                                       const Settings& settings, const nb::object& outside) {
  const NumberTarget target = number_target(value, coarse_shift, weight);
  Problem problem = problem_of(columns, weight, settings, outside, nb::none());
  problem.settings.numbers = number_rules(criterion);
  return std::make_shared<GrowthOf<NumberVerbs, NumberTarget>>(
      std::move(problem), target, criterion,
      nb::make_tuple(nb::cast(columns), nb::cast(value), nb::cast(weight)));
}

// The offers of a node when a test is taken that is none of them: it stands in for its column's own.
std::vector<Offer> instead(std::vector<Offer> offers, Offer taken) {
  const std::int32_t column = taken.split.column;
  if (column < 0 || static_cast<std::size_t>(column) >= offers.size())
    throw nb::value_error("there is no such column");
  for (Offer& offer : offers)
    if (offer.verdict == Verdict::chosen) offer.verdict = Verdict::lower_score;
  offers[static_cast<std::size_t>(column)] = std::move(taken);
  return offers;
}

template <class T>
nb::object copied(const std::vector<T>& values) {
  return owned(std::vector<T>(values));
}

void register_values(nb::module_& m) {
  nb::class_<Offer>(m, "Offer", "What one column offers at one node: a test and its figures.")
      .def_prop_ro("verdict", [](const Offer& o) { return static_cast<int>(o.verdict); })
      .def_prop_ro("is_possible", &Offer::is_possible)
      .def_ro("score", &Offer::score)
      .def_ro("gain", &Offer::gain)
      .def_ro("split_info", &Offer::split_info)
      .def_ro("charge", &Offer::charge)
      .def_ro("p_value", &Offer::p_value)
      .def_ro("value", &Offer::value)
      .def_ro("tie", &Offer::tie)
      .def_prop_ro("column", [](const Offer& o) { return o.split.column; })
      .def_prop_ro("kind", [](const Offer& o) { return static_cast<int>(o.split.kind); })
      .def_prop_ro("cut", [](const Offer& o) { return o.split.cut; })
      .def_prop_ro("n_branches", [](const Offer& o) { return o.split.n_branches; })
      .def_prop_ro("missing", [](const Offer& o) { return o.split.missing; })
      .def_prop_ro("is_exact", [](const Offer& o) { return o.split.is_exact; })
      .def_prop_ro("place", [](const Offer& o) { return o.split.cut_code; })
      .def_prop_ro("codes", [](const Offer& o) { return copied(o.split.codes()); })
      .def_prop_ro("branches", [](const Offer& o) { return copied(o.split.branches()); })
      .def(
          "with_cut",
          [](const Offer& o, double cut) {
            Offer changed = o;
            changed.split.cut = cut;
            return changed;
          },
          nb::arg("cut"), "The same test, its cut stored as another number between the same neighbours.")
      .def(
          "with_missing",
          [](const Offer& o, std::int32_t missing) {
            Offer changed = o;
            changed.split.missing = missing;
            return changed;
          },
          nb::arg("missing"), "The same test, its gaps sent to another branch; -1: to none by the test.");
  nb::class_<Surrogate>(m, "Surrogate", "A test that stands in for another where a value is missing.")
      .def_prop_ro("column", [](const Surrogate& s) { return s.split.column; })
      .def_prop_ro("cut", [](const Surrogate& s) { return s.split.cut; })
      .def_prop_ro("is_cut", [](const Surrogate& s) { return s.split.kind == SplitKind::cut; })
      .def_prop_ro("place", [](const Surrogate& s) { return s.split.cut_code; })
      .def_prop_ro("codes", [](const Surrogate& s) { return copied(s.split.codes()); })
      .def_prop_ro("branches", [](const Surrogate& s) { return copied(s.split.branches()); })
      .def_ro("is_flipped", &Surrogate::flip)
      .def_ro("agreement", &Surrogate::agreement)
      .def(
          "with_cut",
          [](const Surrogate& s, double cut) {
            Surrogate changed = s;
            changed.split.cut = cut;
            return changed;
          },
          nb::arg("cut"), "The same test, cut at another number between the same neighbours.");
  m.def("midpoint", &midpoint, nb::arg("below"), nb::arg("above"),
        "The cut between two neighbouring values.");
  nb::class_<HeldNode>(m, "Node", "An open node: its rows while they are in hand, and what they amount to.")
      .def_prop_ro("depth", &HeldNode::depth)
      .def_prop_ro("n_rows", &HeldNode::n_rows)
      .def_prop_ro("weight", &HeldNode::weight, "As scores see it: priors and costs weigh the classes.")
      .def_prop_ro("rows",
                   [](const HeldNode& node) {
                     std::vector<std::int32_t> rows;
                     for (Piece piece : node.pieces()) rows.push_back(piece.row);
                     return owned(std::move(rows));
                   })
      .def_prop_ro("weights", [](const HeldNode& node) {
        std::vector<std::int64_t> weights;
        for (Piece piece : node.pieces()) weights.push_back(piece.weight);
        return owned(std::move(weights));
      });
}

}  // namespace

void register_growth(nb::module_& m) {
  register_values(m);
  nb::class_<HeldGrowth>(m, "Growth", "Growth one step at a time: open, search, decide, apply.")
      .def_static("of_classes", &of_classes, nb::arg("columns"), nb::arg("label").noconvert(),
                  nb::arg("n_classes"), nb::arg("weight").noconvert(), nb::arg("criterion"),
                  nb::arg("settings"), nb::arg("outside").none())
      .def_static("of_numbers", &of_numbers, nb::arg("columns"), nb::arg("value").noconvert(),
                  nb::arg("coarse_shift"), nb::arg("weight").noconvert(), nb::arg("criterion"),
                  nb::arg("settings"), nb::arg("outside").none())
      .def("open", &HeldGrowth::open, nb::arg("rows").noconvert(), nb::arg("weight").noconvert(),
           nb::arg("depth") = 0, "The node of these rows, each with its weight.")
      .def("open_figures", &HeldGrowth::open_figures, nb::arg("figures").noconvert(), nb::arg("least") = 0,
           nb::arg("greatest") = 0, nb::arg("squares") = 0.0, nb::arg("depth") = 0,
           nb::arg("used") = std::vector<std::int32_t>(),
           "The node of rows that are elsewhere, by what they amount to.")
      .def("squares_about", &HeldGrowth::squares_about, nb::arg("figures").noconvert(), nb::arg("least"),
           nb::arg("greatest"), "About which centre, and with which shift, `open_figures` wants the squares.")
      .def("is_finished", &HeldGrowth::is_finished, nb::arg("node"),
           "Is the node a leaf whatever its columns offer?")
      .def("search", &HeldGrowth::search, nb::arg("node"), nb::arg("more") = std::vector<HeldColumn>(),
           "What each column offers; then each of `more`, which have a number for each row of the node.")
      .def("search_figures", &HeldGrowth::search_figures, nb::arg("node"), nb::arg("column"),
           nb::arg("figures").noconvert(), nb::arg("gaps").noconvert(), nb::arg("low").noconvert(),
           nb::arg("high").noconvert(), "What a column offers whose groups were measured elsewhere.")
      .def(
          "search_many",
          [](HeldGrowth& growth, const std::vector<NodeHandle>& nodes, const Rows& node, const Rows& column,
             const Whole& size, const Whole& figures, const Whole& gaps, const Reals64& low,
             const Reals64& high) {
            return growth.search_many({nodes, node, column, size, figures, gaps, low, high});
          },
          nb::arg("nodes"), nb::arg("node").noconvert(), nb::arg("column").noconvert(),
          nb::arg("size").noconvert(), nb::arg("figures").noconvert(), nb::arg("gaps").noconvert(),
          nb::arg("low").noconvert(), nb::arg("high").noconvert(),
          "`search_figures` of several columns and nodes, their groups one behind the other.")
      .def(
          "bounds_many",
          [](const HeldGrowth& growth, const std::vector<NodeHandle>& nodes, const Rows& node,
             const Rows& column, const Whole& size, const Whole& figures, const Whole& gaps,
             const Reals64& low, const Reals64& high, const Whole& least, const Whole& greatest) {
            return growth.bounds_many({nodes, node, column, size, figures, gaps, low, high}, least, greatest);
          },
          nb::arg("nodes"), nb::arg("node").noconvert(), nb::arg("column").noconvert(),
          nb::arg("size").noconvert(), nb::arg("figures").noconvert(), nb::arg("gaps").noconvert(),
          nb::arg("low").noconvert(), nb::arg("high").noconvert(), nb::arg("least").noconvert(),
          nb::arg("greatest").noconvert(), "`bounds` of several columns and nodes.")
      .def("surrogate", &HeldGrowth::surrogate, nb::arg("column"), nb::arg("figures").noconvert(),
           nb::arg("gaps").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
           "The stand-in that a column has for a test whose branches are the classes of the groups, or None.")
      .def("ranked", &HeldGrowth::ranked, nb::arg("found"), "Stand-ins, best first, as many as are kept.")
      .def("bounds", &HeldGrowth::bounds, nb::arg("node"), nb::arg("figures").noconvert(),
           nb::arg("gaps").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
           nb::arg("least").noconvert(), nb::arg("greatest").noconvert(),
           "For each group: no cut inside it is offered with a value above this.")
      .def("decide", &HeldGrowth::decide, nb::arg("node"), nb::arg("offers"),
           nb::arg("root").none() = nb::none(), nb::arg("more") = std::vector<HeldColumn>(),
           nb::arg("room") = std::numeric_limits<std::int64_t>::max(),
           "The offers with their verdicts, and which one is taken. `root` is the node of all rows.")
      .def("apply", &HeldGrowth::apply, nb::arg("node"), nb::arg("offer"),
           nb::arg("more").none() = nb::none(),
           "The children with their rows, the branch of the gaps, the largest branch.")
      .def(
          "judged",
          [](HeldGrowth& growth, const HeldNode& node, std::int32_t column, std::int32_t place,
             std::optional<std::vector<std::int32_t>> left, std::int32_t missing, std::int32_t n_branches) {
            return growth.judged(node, {column, place, std::move(left), missing, n_branches});
          },
          nb::arg("node"), nb::arg("column"), nb::arg("place"), nb::arg("left").none(), nb::arg("missing"),
          nb::arg("n_branches"), "What a test is worth that somebody else has chosen.")
      .def_static("instead", &instead, nb::arg("offers"), nb::arg("taken"),
                  "The offers when a test is taken that is none of them.")
      .def("placed", &HeldGrowth::placed, nb::arg("node"), nb::arg("offer"), nb::arg("known"),
           nb::arg("gaps"), "The branch of the gaps and the largest branch, by the weight of rows elsewhere.")
      .def("used_below", &HeldGrowth::used_below, nb::arg("node"), nb::arg("offer"),
           "The multiway columns that are not asked again below.")
      .def("add", &HeldGrowth::add, nb::arg("node"), nb::arg("parent") = -1,
           "Put a node into the tree; its place.")
      .def("keep_offers", &HeldGrowth::keep_offers, nb::arg("place"), nb::arg("offers"))
      .def("split", &HeldGrowth::split, nb::arg("place"), nb::arg("offer"), nb::arg("missing"),
           nb::arg("largest"), nb::arg("first"), nb::arg("surrogates") = std::vector<Surrogate>(),
           "Give a node of the tree its test; its children begin at `first`.")
      .def("make_leaf", &HeldGrowth::make_leaf, nb::arg("place"))
      .def("tree", &HeldGrowth::tree, "The arrays of the tree so far.");
}

}  // namespace treewright::bindings
