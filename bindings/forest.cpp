#include "treewright/forest.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>

#include "problem.hpp"
#include "released.hpp"
#include "treewright/bootstrap.hpp"
#include "treewright/growing.hpp"

namespace treewright::bindings {

namespace {

nb::dict arrays_of(ForestArrays&& f) {
  nb::dict d;
#define TREEWRIGHT_GIVE(name, type, per, leaf) d[#name] = owned(std::move(f.name));
  TREEWRIGHT_TESTS(TREEWRIGHT_GIVE)
  TREEWRIGHT_SURROGATES(TREEWRIGHT_GIVE)
  TREEWRIGHT_GAINS(TREEWRIGHT_GIVE)
#undef TREEWRIGHT_GIVE
#define TREEWRIGHT_GIVE(name) d[#name] = owned(std::move(f.name))
  TREEWRIGHT_GIVE(tree_start);
  TREEWRIGHT_GIVE(leaf_start);
  TREEWRIGHT_GIVE(leaf_class);
  TREEWRIGHT_GIVE(leaf_weight);
  TREEWRIGHT_GIVE(leaf_label);
  TREEWRIGHT_GIVE(leaf_rows);
  TREEWRIGHT_GIVE(importance);
  TREEWRIGHT_GIVE(gaps);
#undef TREEWRIGHT_GIVE
  return d;
}

// A table made ready for many trees: it holds on to the arrays and to what was coded.
template <class Target, class Answers>
class Grower {
 public:
  Grower(std::vector<HeldColumn> columns, Array<Answers> answers, Array<std::int64_t> weight,
         const Target& target, std::string criterion, const Settings& settings, const nb::object& outside,
         const nb::object& progress)
      : columns_(std::move(columns)),
        answers_(std::move(answers)),
        weight_(std::move(weight)),
        target_(target),
        criterion_(std::move(criterion)),
        problem_(problem_of(columns_, weight_, settings, outside, progress)) {
    Released released;
    prepared_ = prepare(problem_, target_, criterion_);
  }

  nb::dict grow(std::uint32_t first, std::uint32_t n_trees, std::int64_t n_draws) {
    if (n_draws < 0 || n_draws > std::numeric_limits<std::int32_t>::max())
      throw nb::value_error("n_draws is out of range");
    ForestArrays arrays;
    {
      Released released;
      arrays = grow_forest(problem_, target_, criterion_, {first, n_trees, n_draws});
    }
    return arrays_of(std::move(arrays));
  }

 private:
  std::vector<HeldColumn> columns_;
  Array<Answers> answers_;
  Array<std::int64_t> weight_;
  Target target_;
  std::string criterion_;
  Problem problem_;
  Prepared prepared_;
};

using ClassGrower = Grower<ClassTarget, std::int32_t>;
using NumberGrower = Grower<NumberTarget, std::int64_t>;

nb::object bootstrap(std::uint64_t seed, std::uint32_t tree, std::int64_t n_rows, std::int64_t n_draws) {
  if (n_rows < 0 || n_draws < 0 || n_rows > std::numeric_limits<std::int32_t>::max() ||
      n_draws > std::numeric_limits<std::int32_t>::max())
    throw nb::value_error("the number of rows or draws is out of range");
  return owned(
      Bootstrap(seed, tree).times(static_cast<std::size_t>(n_rows), static_cast<std::uint64_t>(n_draws)));
}

}  // namespace

void register_forest(nb::module_& m) {
  nb::class_<ClassGrower>(m, "ClassGrower", "A table of classes, coded once for many trees.")
      .def(
          "__init__",
          [](ClassGrower* self, const std::vector<HeldColumn>& columns, const Array<std::int32_t>& label,
             std::int64_t n_classes, const Array<std::int64_t>& weight, const std::string& criterion,
             const Settings& settings, const nb::object& outside, const nb::object& progress) {
            new (self) ClassGrower(columns, label, weight, class_target(label, n_classes, weight, settings),
                                   criterion, settings, outside, progress);
          },
          nb::arg("columns"), nb::arg("label").noconvert(), nb::arg("n_classes"),
          nb::arg("weight").noconvert(), nb::arg("criterion"), nb::arg("settings"), nb::arg("outside").none(),
          nb::arg("progress").none())
      .def(
          "grow", &ClassGrower::grow, nb::arg("first"), nb::arg("n_trees"), nb::arg("n_draws"),
          "Grow trees by their numbers; n_draws rows are drawn for each (0: all rows). Return their arrays.");
  nb::class_<NumberGrower>(m, "NumberGrower", "A table with a numeric target, coded once for many trees.")
      .def(
          "__init__",
          [](NumberGrower* self, const std::vector<HeldColumn>& columns, const Array<std::int64_t>& value,
             int coarse_shift, const Array<std::int64_t>& weight, const std::string& criterion,
             const Settings& settings, const nb::object& outside, const nb::object& progress) {
            new (self) NumberGrower(columns, value, weight, number_target(value, coarse_shift, weight),
                                    criterion, settings, outside, progress);
          },
          nb::arg("columns"), nb::arg("value").noconvert(), nb::arg("coarse_shift"),
          nb::arg("weight").noconvert(), nb::arg("criterion"), nb::arg("settings"), nb::arg("outside").none(),
          nb::arg("progress").none())
      .def(
          "grow", &NumberGrower::grow, nb::arg("first"), nb::arg("n_trees"), nb::arg("n_draws"),
          "Grow trees by their numbers; n_draws rows are drawn for each (0: all rows). Return their arrays.");
  m.def(
      "bootstrap", &bootstrap, nb::arg("seed"), nb::arg("tree"), nb::arg("n_rows"), nb::arg("n_draws"),
      "How often each row is drawn for a tree: n_draws draws with replacement, a hash of their identities.");
}

}  // namespace treewright::bindings
