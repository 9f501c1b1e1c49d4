#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "breather.hpp"
#include "problem.hpp"
#include "treewright/draws.hpp"
#include "treewright/growing.hpp"
#include "treewright/revisit.hpp"
#include "treewright/significance.hpp"

namespace treewright::bindings {

namespace {

// A setting that Python says by a word.
template <class Enum>
void def_word(nb::class_<Settings>& settings, const char* name, Enum Settings::* field) {
  settings.def_prop_rw(
      name, [field](const Settings& s) { return words_of<Enum>[static_cast<std::size_t>(s.*field)]; },
      [field](Settings& s, const std::string& word) {
        for (std::size_t i = 0; i < words_of<Enum>.size(); ++i)
          if (word == words_of<Enum>[i]) {
            s.*field = static_cast<Enum>(i);
            return;
          }
        throw nb::value_error(("unknown name '" + word + "'").c_str());
      });
}

const std::vector<std::pair<const char*, SplitForm>> forms = {{"cut", SplitForm::cut},
                                                              {"multiway", SplitForm::multiway},
                                                              {"one_vs_rest", SplitForm::one_vs_rest},
                                                              {"subset", SplitForm::subset}};

template <class T>
T by_name(const std::vector<std::pair<const char*, T>>& table, const std::string& name) {
  for (const auto& [known, value] : table)
    if (name == known) return value;
  throw nb::value_error(("unknown name '" + name + "'").c_str());
}

// Numbers of 32 or 64 bits, any distance apart.
template <class T>
bool hold_numbers(const nb::object& given, Numbers::Type type, HeldColumn& held) {
  nb::ndarray<const T, nb::ndim<1>, nb::device::cpu> array;
  if (!nb::try_cast(given, array, false)) return false;
  held.column.number = {reinterpret_cast<const std::byte*>(array.data()),
                        array.stride(0) * static_cast<std::ptrdiff_t>(sizeof(T)), array.size(), type};
  held.n_rows = array.size();
  return true;
}

HeldColumn number_column(const nb::object& values, std::int32_t rank) {
  HeldColumn held{values, {}, 0};
  held.column.rank = rank;
  if (!hold_numbers<double>(values, Numbers::Type::float64, held) &&
      !hold_numbers<float>(values, Numbers::Type::float32, held))
    throw nb::type_error("numbers must be a one-dimensional array of float64 or float32");
  return held;
}

HeldColumn category_column(const nb::object& codes, std::int32_t n_codes, const std::string& form,
                           std::int32_t rank) {
  Array<std::int32_t> code;
  if (!nb::try_cast(codes, code, false))
    throw nb::type_error("codes must be a one-dimensional array of int32 without steps");
  std::int32_t least = missing_code, most = missing_code;
  for (std::int32_t c : view(code)) {
    least = std::min(least, c);
    most = std::max(most, c);
  }
  if (least < missing_code || most >= n_codes) throw nb::value_error("a code is out of range");
  HeldColumn held{codes, {}, code.size()};
  held.column.number = {reinterpret_cast<const std::byte*>(code.data()), sizeof(std::int32_t), code.size(),
                        Numbers::Type::code};
  held.column.form = by_name(forms, form);
  held.column.is_nominal = true;
  held.column.rank = rank;
  held.column.code = view(code);
  held.column.n_codes = n_codes;
  return held;
}

BatchScore batch_score(const nb::object& score) {
  return [score](std::span<const std::vector<double>> branches, std::size_t width, std::int32_t rank) {
    nb::gil_scoped_acquire held;
    const std::size_t n = branches[0].size() / width;
    nb::list tables;
    for (const auto& branch : branches)
      tables.append(owned(std::vector<double>(branch)).attr("reshape")(n, width));
    nb::object given = score(tables, rank);
    auto scores = array_from<double>(given, "the scores");
    if (scores.size() != n)
      throw nb::value_error(("the criterion returned " + std::to_string(scores.size()) + " scores for " +
                             std::to_string(n) + " cuts; return one number per cut")
                                .c_str());
    return std::vector<double>(scores.data(), scores.data() + n);
  };
}

#define TREEWRIGHT_GIVE(name, type, per, leaf) d[#name] = owned(std::move(t.name));
void give_surrogates(TreeArrays&& t, nb::dict& d) {
  TREEWRIGHT_SURROGATES(TREEWRIGHT_GIVE)
  TREEWRIGHT_AGREEMENTS(TREEWRIGHT_GIVE)
}

}  // namespace

nb::dict arrays_of(TreeArrays&& t) {
  nb::dict d;
  const std::size_t n_starts = t.end.size() + 1;
  const bool has_surrogates = t.surrogate_start.size() == n_starts;
  d["n_stats"] = t.n_stats;
  d["is_quick"] = t.is_quick;
  d["gaps"] = owned(std::move(t.gaps));
  d["stats"] = owned(std::move(t.stats));
  if (!t.stats_start.empty()) {
    d["stats_start"] = owned(std::move(t.stats_start));
    d["stats_class"] = owned(std::move(t.stats_class));
  }
  TREEWRIGHT_TESTS(TREEWRIGHT_GIVE)
  TREEWRIGHT_GAINS(TREEWRIGHT_GIVE)
  TREEWRIGHT_FIGURES(TREEWRIGHT_GIVE)
  TREEWRIGHT_LEDGER(TREEWRIGHT_GIVE)
  give_surrogates(std::move(t), d);
  if (!has_surrogates)  // zeros that nobody has written take no memory
    d["surrogate_start"] = nb::module_::import_("numpy").attr("zeros")(n_starts, "int64");
  return d;
}
#undef TREEWRIGHT_GIVE

namespace {

template <class Target>
nb::dict grown(Problem&& problem, const Target& target, const std::string& criterion) {
  TreeArrays arrays;
  {
    Released released;
    arrays = grow(problem, target, criterion);  // what it holds of Python is let go outside
  }
  return arrays_of(std::move(arrays));
}

nb::dict grow_classes(const std::vector<HeldColumn>& columns, const Array<std::int32_t>& label,
                      std::int64_t n_classes, const Array<std::int64_t>& weight, const std::string& criterion,
                      const Settings& settings, const nb::object& outside, const nb::object& progress) {
  const ClassTarget target = class_target(label, n_classes, weight, settings);
  return grown(problem_of(columns, weight, settings, outside, progress), target, criterion);
}

nb::dict grow_numbers(const std::vector<HeldColumn>& columns, const Array<std::int64_t>& value,
                      int coarse_shift, const Array<std::int64_t>& weight, const std::string& criterion,
                      const Settings& settings, const nb::object& outside, const nb::object& progress) {
  const NumberTarget target = number_target(value, coarse_shift, weight);
  return grown(problem_of(columns, weight, settings, outside, progress), target, criterion);
}

// The arrays of a tree in Python's hands, as revisit.hpp looks at them.
class HeldTests {
 public:
  explicit HeldTests(const nb::dict& tree) : tree_(tree) {
#define TREEWRIGHT_VIEW(name, type, per, leaf) tests.name = of<type>(#name);
    TREEWRIGHT_TESTS(TREEWRIGHT_VIEW)
#undef TREEWRIGHT_VIEW
  }
  Tests tests;

 private:
  template <class T>
  std::span<const T> of(const char* name) {
    return view(nb::cast<Array<T>>(tree_[name], false));  // the caller holds on to the arrays
  }
  const nb::dict& tree_;
};

nb::dict surrogates_of(const SurrogatesByNode& found) {
  TreeArrays t;
  t.set_surrogates(found);
  nb::dict d;
  give_surrogates(std::move(t), d);
  return d;
}

nb::dict every_surrogate(const nb::dict& tree, const std::vector<HeldColumn>& columns,
                         const Array<std::int64_t>& weight, const Settings& settings,
                         const nb::object& progress) {
  const HeldTests held(tree);
  Problem problem = problem_of(columns, weight, settings, nb::none(), progress);
  SurrogatesByNode found;
  {
    Released released;
    const std::vector<Ranks> ranks = rank_columns(problem);
    found = find_surrogates(held.tests, problem);
  }
  return surrogates_of(found);
}

nb::object needed_surrogates(const nb::dict& tree, const std::vector<HeldColumn>& columns,
                             const Array<std::int64_t>& weight, const Settings& settings,
                             const std::vector<HeldColumn>& visitors, bool is_unseen_missing,
                             const nb::object& progress) {
  const HeldTests held(tree);
  Problem problem = problem_of(columns, weight, settings, nb::none(), progress);
  if (visitors.size() != columns.size()) throw nb::value_error("the rows to judge have other columns");
  std::vector<Column> asking;
  for (const HeldColumn& column : visitors) asking.push_back(column.column);
  const auto n_rows = visitors.empty() ? 0 : static_cast<std::int32_t>(visitors[0].n_rows);
  std::optional<SurrogatesByNode> found;
  {
    Released released;
    found = find_surrogates(held.tests, problem, {asking, n_rows, is_unseen_missing});
  }
  return found ? surrogates_of(*found) : nb::object(nb::none());
}

const char* word_for(Reads reads) {
  const char* words[] = {"class_counts", "sum", "raw_sum", "squares", "all_values", "unknown"};
  return words[static_cast<std::size_t>(reads)];
}
const char* word_for(Bound bound) {
  const char* words[] = {"corners", "ratio", "none"};
  return words[static_cast<std::size_t>(bound)];
}
const char* word_for(Loss loss) {
  const char* words[] = {"squared", "absolute", "poisson"};
  return words[static_cast<std::size_t>(loss)];
}

// What the criteria of a list declare, as Python's table of them.
template <class Variant>
void tell_criteria(nb::list& rows, bool has_classes) {
  each_criterion<Variant>([&](auto criterion) {
    using Criterion = decltype(criterion);
    if constexpr (Criterion::reads != Reads::unknown) {
      nb::dict row;
      row["name"] = std::string(Criterion::name);
      row["has_classes"] = has_classes;
      row["reads"] = word_for(Criterion::reads);
      row["bound"] = word_for(Criterion::bound);
      row["has_level_order"] = Criterion::has_level_order;
      row["is_quick"] = is_quick_criterion<Criterion>();
      row["is_ratio"] = IsRatio<Criterion>;
      row["is_two_way"] = IsTwoSided<Criterion>;
      row["max_classes"] = max_classes_of<Criterion>();
      if constexpr (Criterion::reads != Reads::class_counts) {
        row["loss"] = word_for(Criterion::loss);
        row["degree"] = Criterion::degree;
      }
      rows.append(row);
    }
  });
}
nb::list criteria() {
  nb::list rows;
  tell_criteria<ClassCriterion>(rows, true);
  tell_criteria<NumberCriterion>(rows, false);
  tell_criteria<SpreadCriterion>(rows, false);
  tell_criteria<ValueCriterion>(rows, false);
  return rows;
}

nb::object draws(std::uint64_t seed, std::uint32_t tree, std::uint64_t path, std::uint32_t n_items) {
  std::vector<std::uint64_t> found(n_items);
  for (std::uint32_t item = 0; item < n_items; ++item) found[item] = draw(seed, tree, path, item);
  return owned(std::move(found));
}

// One draw for each row: its path, and a word that holds the tree above the item.
nb::object draws_each(std::uint64_t seed, const Array<std::uint64_t>& paths,
                      const Array<std::uint64_t>& words) {
  if (paths.size() != words.size()) throw nb::value_error("the paths and the words differ in length");
  const auto path = view(paths), word = view(words);
  std::vector<std::uint64_t> found(path.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    found[i] =
        draw(seed, static_cast<std::uint32_t>(word[i] >> 32), path[i], static_cast<std::uint32_t>(word[i]));
  return owned(std::move(found));
}

}  // namespace

Problem problem_of(const std::vector<HeldColumn>& columns, const Array<std::int64_t>& weight,
                   const Settings& settings, const nb::object& outside, const nb::object& progress) {
  Problem problem;
  if (weight.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw nb::value_error("the core takes at most 2^31 - 1 rows");
  for (const HeldColumn& c : columns) {
    if (c.n_rows != weight.size()) throw nb::value_error("a column and the weights differ in length");
    problem.columns.push_back(c.column);
  }
  for (std::int64_t w : view(weight))
    if (w <= 0) throw nb::value_error("a weight is not positive");
  problem.weight = view(weight);
  problem.settings = settings;
  if (!outside.is_none()) problem.outside = batch_score(outside);
  problem.on_breath = breather(progress);
  return problem;
}

ClassTarget class_target(const Array<std::int32_t>& label, std::int64_t n_classes,
                         const Array<std::int64_t>& weight, const Settings& settings) {
  if (label.size() != weight.size()) throw nb::value_error("labels and weights differ in length");
  if (n_classes < 1) throw nb::value_error("there must be at least one class");
  for (std::int32_t c : view(label))
    if (c < 0 || c >= n_classes) throw nb::value_error("a label is out of range");
  const auto k = static_cast<std::size_t>(n_classes);
  auto fits = [](const std::vector<double>& given, std::size_t n) {
    return given.empty() || given.size() == n;
  };
  if (!fits(settings.class_scale, k) || !fits(settings.label_scale, k) || !fits(settings.costs, k * k))
    throw nb::value_error("class scales and costs must have one number per class, or pair of classes");
  return {view(label), k};
}

NumberTarget number_target(const Array<std::int64_t>& value, int coarse_shift,
                           const Array<std::int64_t>& weight) {
  if (value.size() != weight.size()) throw nb::value_error("targets and weights differ in length");
  if (coarse_shift < 0 || coarse_shift > 62) throw nb::value_error("coarse_shift is out of range");
  return {view(value), coarse_shift};
}

static void register_settings(nb::module_& m) {
  nb::class_<Settings> settings(m, "Settings",
                                "Everything growth may be told; see treewright.growth.settings.");
  def_word(settings, "missing", &Settings::missing);
  def_word(settings, "search", &Settings::search);
  def_word(settings, "cost_form", &Settings::cost_form);
#define TREEWRIGHT_ROW(type, name, value, what) settings.def_rw(#name, &Settings::name, what);
  TREEWRIGHT_SETTINGS(TREEWRIGHT_ROW)
#undef TREEWRIGHT_ROW
  settings.def(nb::init<>());
}

void register_grow(nb::module_& m) {
  nb::class_<HeldColumn>(m, "Column", "One coded column, as growth sees it.")
      .def_static("of_numbers", &number_column, nb::arg("values"), nb::arg("rank"),
                  "float64 or float32, any distance apart, NaN for a gap; viewed, not copied.")
      .def_static("of_codes", &category_column, nb::arg("codes"), nb::arg("n_codes"), nb::arg("form"),
                  nb::arg("rank"), "int32 category numbers, -1 for a gap; viewed, not copied.")
      .def_prop_rw(
          "cost", [](const HeldColumn& c) { return c.column.cost; },
          [](HeldColumn& c, double cost) { c.column.cost = cost; })
      .def_prop_rw(
          "direction", [](const HeldColumn& c) { return static_cast<int>(c.column.direction); },
          [](HeldColumn& c, int direction) {
            c.column.direction = static_cast<std::int8_t>(direction < 0 ? -1 : direction > 0);
          });
  register_settings(m);
  m.def("grow_classes", &grow_classes, nb::arg("columns"), nb::arg("label").noconvert(), nb::arg("n_classes"),
        nb::arg("weight").noconvert(), nb::arg("criterion"), nb::arg("settings"), nb::arg("outside").none(),
        nb::arg("progress").none(), "Grow a classification tree; return its arrays in preorder.");
  m.def("grow_numbers", &grow_numbers, nb::arg("columns"), nb::arg("value").noconvert(),
        nb::arg("coarse_shift"), nb::arg("weight").noconvert(), nb::arg("criterion"), nb::arg("settings"),
        nb::arg("outside").none(), nb::arg("progress").none(),
        "Grow a regression tree; return its arrays in preorder.");
  m.def("every_surrogate", &every_surrogate, nb::arg("tree"), nb::arg("columns"),
        nb::arg("weight").noconvert(), nb::arg("settings"), nb::arg("progress").none(),
        "The surrogates of every test of a tree, found on the rows it was grown on, as arrays of a tree.");
  m.def("surrogate_arrays", &surrogates_of, nb::arg("of_node"),
        "The stand-ins of each node, as arrays of a tree.");
  m.def("needed_surrogates", &needed_surrogates, nb::arg("tree"), nb::arg("columns"),
        nb::arg("weight").noconvert(), nb::arg("settings"), nb::arg("visitors"), nb::arg("is_unseen_missing"),
        nb::arg("progress").none(),
        "The surrogates of the tests that rows of training, or visitors, cannot answer; None where each "
        "visitor "
        "can answer all it is asked.");
  m.def("criteria", &criteria, "What each criterion declares, in the order of the table (criterion.hpp).");
  m.def("draw", &draw, nb::arg("seed"), nb::arg("tree"), nb::arg("path"), nb::arg("item"),
        "64 bits drawn for (seed, tree, path of the node, item) by Philox4x32-10.");
  m.def("draws", &draws, nb::arg("seed"), nb::arg("tree"), nb::arg("path"), nb::arg("n_items"),
        "The draws of the items 0, 1, ... of one (seed, tree, path).");
  m.def("draws_each", &draws_each, nb::arg("seed"), nb::arg("paths").noconvert(),
        nb::arg("words").noconvert(),
        "The draws of (seed, upper half of the word, path, lower half of the word), one for each row.");
  m.def("chi_square_tail", &chi_square_tail, nb::arg("x"), nb::arg("dof"),
        "P(X > x) of the chi-square distribution.");
  m.def("fisher_p_value", &fisher_p_value, nb::arg("a"), nb::arg("b"), nb::arg("c"), nb::arg("d"),
        "The two-sided p-value of Fisher's exact test on a two by two table.");
}

}  // namespace treewright::bindings
