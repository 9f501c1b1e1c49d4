#include "treewright/forest_walk.hpp"

#include <utility>

#include "router.hpp"

namespace treewright::bindings {

namespace {

template <class T>
using Target = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

WalkedTrees trees_of(Fields& field, const std::string& gap, const std::string& unseen,
                     std::int64_t n_classes) {
  return {.tree_start = field.of<std::int64_t>("tree_start"),
          .nodes = tree_of(field, gap, unseen),
          .leaf_start = field.of<std::int64_t>("leaf_start"),
          .leaf_class = field.of<std::int32_t>("leaf_class"),
          .leaf_label = field.of<std::int32_t>("leaf_label"),
          .leaf_weight = field.of<double>("leaf_weight"),
          .class_scale = field.of<double>("class_scale"),
          .costs = field.of<double>("costs"),
          .n_classes = n_classes};
}

// A ForestWalker and the arrays it looks at.
class Walker {
 public:
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;
  Walker(const nb::dict& trees, const std::string& gap, const std::string& unseen, std::int64_t n_classes,
         bool is_single)
      : Walker(trees, Fields(trees), gap, unseen, n_classes, is_single) {}

  nb::tuple vote(nb::handle columns, std::int64_t n_rows, std::int64_t n_threads, bool is_majority,
                 const Array<std::uint8_t>& is_out, Target<double> sum, Target<std::int32_t> n_votes) const {
    const auto n = static_cast<std::size_t>(std::max<std::int64_t>(0, n_rows));
    if ((is_out.size() != 0 && is_out.size() != n * walker_.n_trees()) ||
        sum.size() != n * walker_.n_outputs() || n_votes.size() != n)
      throw nb::value_error("the arrays for the votes do not fit the rows");
    const Votes votes{.ballot = is_majority ? Ballot::majority : Ballot::mean,
                      .is_out = view(is_out),
                      .sum = {sum.data(), sum.size()},
                      .n_votes = {n_votes.data(), n_votes.size()}};
    const auto breathe = listener();
    return as_tuple(with_cells(walker_.is_coded(), columns, n_rows, [&](const auto& given) {
      Released released;
      return walker_.vote(given, n_rows, n_threads, votes, breathe);
    }));
  }

  nb::tuple leaves(nb::handle columns, std::int64_t n_rows, std::int64_t n_threads,
                   Target<std::int32_t> node) const {
    if (node.size() != static_cast<std::size_t>(std::max<std::int64_t>(0, n_rows)) * walker_.n_trees())
      throw nb::value_error("the array for the leaves does not fit the rows");
    const auto breathe = listener();
    return as_tuple(with_cells(walker_.is_coded(), columns, n_rows, [&](const auto& given) {
      Released released;
      return walker_.leaves(given, n_rows, n_threads, std::span<std::int32_t>(node.data(), node.size()),
                            breathe);
    }));
  }

 private:
  Walker(const nb::dict& trees, Fields field, const std::string& gap, const std::string& unseen,
         std::int64_t n_classes, bool is_single)
      : walker_(trees_of(field, gap, unseen, n_classes), is_single) {
    RouteTree ways;
    ways.gap = detour(gap);
    ways.unseen = detour(unseen);
    if (ForestWalker::needs_all(ways) || trees.contains("term_column")) {
      kept_ = std::move(field).kept();
      return;
    }
    for (const char* name : {"tree_start", "is_coded", "code_start", "code", "code_branch", "leaf_start",
                             "leaf_class", "leaf_label", "leaf_weight", "class_scale", "costs"})
      kept_.push_back(nb::object(trees[name]));
  }

  static nb::tuple as_tuple(const Refusal& refusal) {
    return nb::make_tuple(refusal.row, refusal.tree, refusal.node);
  }

  ForestWalker walker_;
  std::vector<nb::object> kept_;
};

}  // namespace

void register_forest_walk(nb::module_& m) {
  nb::class_<Walker>(m, "ForestWalker", "Checked trees laid out for rows; what they say is added up.")
      .def(nb::init<const nb::dict&, const std::string&, const std::string&, std::int64_t, bool>(),
           nb::arg("trees"), nb::arg("gap"), nb::arg("unseen"), nb::arg("n_classes"),
           nb::arg("is_single") = false)
      .def("vote", &Walker::vote, nb::arg("columns"), nb::arg("n_rows"), nb::arg("n_threads"),
           nb::arg("is_majority"), nb::arg("is_out").noconvert(), nb::arg("sum").noconvert(),
           nb::arg("n_votes").noconvert(),
           "Add the votes to `sum` (rows x classes, or rows) and count them. `is_out`: empty, or trees x "
           "rows. "
           "Return (row, tree, node) of the first refusal; row -1: none.")
      .def("leaves", &Walker::leaves, nb::arg("columns"), nb::arg("n_rows"), nb::arg("n_threads"),
           nb::arg("node").noconvert(), "Fill rows x trees with nodes. Return the first refusal, as `vote`.");
}

}  // namespace treewright::bindings
