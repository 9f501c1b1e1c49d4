// The search for optimal trees: a problem in arrays, an answer in arrays.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string_view>

#include "arrays.hpp"
#include "released.hpp"
#include "treewright/optimal/problem.hpp"
#include "treewright/optimal/solver.hpp"

namespace treewright::bindings {

namespace {

// The place of a word among those that are known; `what` stands in the error.
template <class Kind, std::size_t n>
Kind word(const std::string& given, const std::array<std::string_view, n>& words, const char* what) {
  const auto found = std::find(words.begin(), words.end(), given);
  if (found == words.end()) throw nb::value_error((std::string(what) + " is none: " + given).c_str());
  return static_cast<Kind>(found - words.begin());
}
constexpr std::array<std::string_view, 3> forms = {"cut", "sets", "each"};
constexpr std::array<std::string_view, 5> gap_ways = {"any_branch", "own_branch", "heavier", "common",
                                                      "divided"};
constexpr std::array<std::string_view, 8> losses = {"error",   "gini",    "entropy",  "hellinger",
                                                    "squared", "poisson", "gaussian", "absolute"};

template <class T>
std::vector<T> copy_of(nb::handle given, std::size_t size, const char* what) {
  const auto array = array_from<T>(given, what);
  if (array.size() != size) throw nb::value_error((std::string(what) + " has another length").c_str());
  return {array.data(), array.data() + array.size()};
}

optimal::Column column_of(nb::handle given, std::size_t n_rows) {
  const auto row = nb::cast<nb::tuple>(given);
  optimal::Column column;
  column.form = word<optimal::Form>(nb::cast<std::string>(row[0]), forms, "form");
  column.code = copy_of<std::int32_t>(row[1], n_rows, "codes");
  column.n_codes = nb::cast<std::int32_t>(row[2]);
  column.sets = nb::cast<std::vector<std::vector<std::int32_t>>>(row[3]);
  column.is_number = nb::cast<bool>(row[4]);
  for (std::int32_t code : column.code)
    if (code < -1 || code >= column.n_codes) throw nb::value_error("a code is not below n_codes");
  for (const auto& set : column.sets)
    for (std::int32_t code : set)
      if (code < 0 || code >= column.n_codes) throw nb::value_error("a set holds a code that is none");
  return column;
}

class HeldSolver {
 public:
  HeldSolver(const nb::list& columns, const std::string& gaps, const std::string& loss, nb::handle label,
             std::int32_t n_classes, nb::handle cost, nb::handle value, nb::handle weight, double leaf_price,
             std::size_t cache_bytes, std::uint64_t most_solved, bool keeps_twins, std::uint32_t min_leaf,
             std::uint32_t min_split, nb::handle mass, double mass_step, double least_mass,
             double split_mass) {
    optimal::Problem problem;
    const auto weights = array_from<double>(weight, "weight");
    n_rows_ = weights.size();
    problem.weight.assign(weights.data(), weights.data() + n_rows_);
    for (nb::handle column : columns) problem.columns.push_back(column_of(column, n_rows_));
    problem.gaps = word<optimal::Gaps>(gaps, gap_ways, "gaps");
    problem.loss = word<optimal::Loss>(loss, losses, "loss");
    problem.n_classes = n_classes;
    const auto k = static_cast<std::size_t>(n_classes);
    problem.label = copy_of<std::int32_t>(label, n_classes > 0 ? n_rows_ : 0, "label");
    for (std::int32_t c : problem.label)
      if (c < 0 || c >= n_classes) throw nb::value_error("a row has a class that does not exist");
    problem.value = copy_of<double>(value, n_classes > 0 ? 0 : n_rows_, "value");
    const auto costs = array_from<double>(cost, "cost");
    if (costs.size() != 0 && costs.size() != k * k) throw nb::value_error("costs are needed for all classes");
    problem.cost.assign(costs.data(), costs.data() + costs.size());
    problem.leaf_price = leaf_price;
    problem.cache_bytes = cache_bytes;
    problem.most_solved = most_solved;
    problem.keeps_twins = keeps_twins;
    problem.min_leaf = min_leaf;
    problem.min_split = min_split;
    problem.mass = copy_of<double>(mass, n_rows_, "mass");
    problem.mass_step = mass_step;
    problem.least_mass = least_mass;
    problem.split_mass = split_mass;
    solver_ = optimal::make_solver(std::move(problem));
  }

  nb::dict best(const Array<std::int32_t>& rows, std::int32_t depth, std::int32_t leaves, double upper,
                const nb::object& watch) {
    const auto chosen = rows_of(rows, depth, 0);
    Listener listener{watch};
    optimal::Answer answer;
    {
      Released released;
      answer = solver_->best(chosen, depth, leaves, upper, listener.watch());
    }
    return dict_of(std::move(answer), listener.is_interrupted);
  }

  nb::dict best_by(std::int32_t column, const Array<std::int32_t>& rows, std::int32_t depth,
                   std::int32_t leaves, double upper, const nb::object& watch) {
    const auto chosen = rows_of(rows, depth, 1);
    Listener listener{watch};
    optimal::Answer answer;
    {
      Released released;
      answer = solver_->best_by(column, chosen, depth, leaves, upper, listener.watch());
    }
    return dict_of(std::move(answer), listener.is_interrupted);
  }

  double leaf(const Array<std::int32_t>& rows) { return solver_->leaf(rows_of(rows, 0, 0)); }
  void set_leaf_price(double price) { solver_->set_leaf_price(price); }

  nb::dict several(const Array<std::int32_t>& rows, std::int32_t depth, std::int32_t leaves, double limit,
                   std::size_t most, std::size_t bytes, const nb::object& watch) {
    const auto chosen = rows_of(rows, depth, 1);
    Listener listener{watch};
    optimal::Listing found;
    {
      Released released;
      found = solver_->several(chosen, depth, leaves, limit, most, bytes, listener.watch());
    }
    nb::dict out = dict_of(found.test);
    out["end"] = owned(std::move(found.end));
    out["start"] = owned(std::move(found.start));
    out["cost"] = owned(std::move(found.cost));
    out["ended"] = std::string(ends[static_cast<std::size_t>(found.ended)]);
    out["is_interrupted"] = listener.is_interrupted;
    return out;
  }

 private:
  static constexpr std::array<std::string_view, 4> ends = {"complete", "count", "memory", "watch"};

  // Asks Python every now and then whether the search goes on.
  struct Listener {
    const nb::object& asked;
    bool is_interrupted = false;
    std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();

    optimal::Watch watch() {
      return [this](double best, double lower, std::uint64_t n_solved) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(20)) return true;
        last = now;
        nb::gil_scoped_acquire held;
        try {
          Work::stop_if_ending();
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          return asked.is_none() || nb::cast<bool>(asked(best, lower, n_solved));
        } catch (nb::python_error& error) {
          if (!error.matches(PyExc_KeyboardInterrupt)) throw;
          is_interrupted = true;
          return false;
        }
      };
    }
  };

  std::vector<std::uint32_t> rows_of(const Array<std::int32_t>& rows, std::int32_t depth,
                                     std::int32_t least_depth) const {
    std::vector<std::uint32_t> chosen;
    for (std::int32_t row : view(rows)) {
      if (row < 0 || static_cast<std::size_t>(row) >= n_rows_) throw nb::value_error("there is no such row");
      chosen.push_back(static_cast<std::uint32_t>(row));
    }
    if (depth < least_depth || depth > 60) throw nb::value_error("there is no search of this depth");
    return chosen;
  }

  static nb::dict dict_of(const std::vector<optimal::Test>& tests) {
    std::vector<std::int32_t> column, form, place, set, gap, n_branches;
    for (const optimal::Test& test : tests) {
      column.push_back(test.column);
      form.push_back(static_cast<std::int32_t>(test.form));
      place.push_back(test.place);
      set.push_back(test.set);
      gap.push_back(test.gap);
      n_branches.push_back(test.n_branches);
    }
    nb::dict out;
    out["column"] = owned(std::move(column));
    out["form"] = owned(std::move(form));
    out["place"] = owned(std::move(place));
    out["set"] = owned(std::move(set));
    out["gap"] = owned(std::move(gap));
    out["n_branches"] = owned(std::move(n_branches));
    return out;
  }
  static nb::dict dict_of(optimal::Answer answer, bool is_interrupted) {
    nb::dict out = dict_of(answer.test);
    out["end"] = owned(std::move(answer.end));
    out["upper"] = answer.upper;
    out["lower"] = answer.lower;
    out["is_proven"] = answer.is_proven;
    out["has_tree"] = answer.has_tree;
    out["n_solved"] = answer.n_solved;
    out["n_remembered"] = answer.n_remembered;
    out["is_interrupted"] = is_interrupted;
    return out;
  }

  std::unique_ptr<optimal::Solver> solver_;
  std::size_t n_rows_ = 0;
};

}  // namespace

void register_optimal(nb::module_& m) {
  nb::class_<HeldSolver>(m, "OptimalSolver")
      .def(nb::init<const nb::list&, const std::string&, const std::string&, nb::handle, std::int32_t,
                    nb::handle, nb::handle, nb::handle, double, std::size_t, std::uint64_t, bool,
                    std::uint32_t, std::uint32_t, nb::handle, double, double, double>(),
           nb::arg("columns"), nb::arg("gaps"), nb::arg("loss"), nb::arg("label"), nb::arg("n_classes"),
           nb::arg("cost"), nb::arg("value"), nb::arg("weight"), nb::arg("leaf_price"),
           nb::arg("cache_bytes"), nb::arg("most_solved"), nb::arg("keeps_twins"), nb::arg("min_leaf"),
           nb::arg("min_split"), nb::arg("mass"), nb::arg("mass_step"), nb::arg("least_mass"),
           nb::arg("split_mass"))
      .def("best", &HeldSolver::best, nb::arg("rows").noconvert(), nb::arg("depth"), nb::arg("leaves"),
           nb::arg("upper"), nb::arg("watch").none(), "Return the best tree for some rows, in preorder.")
      .def("best_by", &HeldSolver::best_by, nb::arg("column"), nb::arg("rows").noconvert(), nb::arg("depth"),
           nb::arg("leaves"), nb::arg("upper"), nb::arg("watch").none(),
           "Return the best tree whose first test asks a column.")
      .def("several", &HeldSolver::several, nb::arg("rows").noconvert(), nb::arg("depth"), nb::arg("leaves"),
           nb::arg("limit"), nb::arg("most"), nb::arg("memory"), nb::arg("watch").none(),
           "Return all different trees within a limit, the cheapest first.")
      .def("leaf", &HeldSolver::leaf, nb::arg("rows").noconvert(),
           "What rows cost as one leaf, without its price.")
      .def("set_leaf_price", &HeldSolver::set_leaf_price, nb::arg("price"),
           "From now on a leaf has another price; what was learned is forgotten.");
}

}  // namespace treewright::bindings
