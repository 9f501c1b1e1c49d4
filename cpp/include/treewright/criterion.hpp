// The table of criteria, and what a criterion may declare. A new one is a file in criteria/ and a name in a
// list below.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "criteria/absolute_error.hpp"
#include "criteria/entropy.hpp"
#include "criteria/error.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gaussian_entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/group.hpp"
#include "criteria/hellinger.hpp"
#include "criteria/outside.hpp"
#include "criteria/poisson.hpp"
#include "criteria/squared_error.hpp"
#include "criteria/twoing.hpp"

namespace treewright {

using ClassCriterion = std::variant<Gini, Entropy, GainRatio, Error, Hellinger, Twoing, Outside>;
using NumberCriterion = std::variant<SquaredError, Poisson, Outside>;
using SpreadCriterion = std::variant<GaussianEntropy>;  // for numbers, too: those that need variances
using ValueCriterion = std::variant<AbsoluteError>;     // and those that need all values

// Those of them that the quick growth serves: all that may be (below). CMakeLists.txt reads these two lists,
// because each row takes half a minute to build; the others cost nothing.
using QuickClassCriterion = std::variant<Gini, Entropy, Hellinger>;
using QuickNumberCriterion = std::variant<SquaredError>;

// A criterion may name another one that decides between equal scores, and may turn gain into a ratio: then it
// names the criterion of the gain.
template <class Criterion>
concept HasTieBreak = requires { typename Criterion::TieBreak; };
template <class Criterion>
concept IsRatio = requires(double x) {
  typename Criterion::Gain;
  Criterion::score(x, x);
};
// It may look at one side and the node instead of adding up branches: then tests have two branches.
template <class Criterion>
concept IsTwoSided = requires(const ClassGroup& g) { Criterion::score(g, g); };
// It may refuse a branch: allows(group).
template <class Criterion, class Group>
concept HasSideRule = requires(const Group& g) { Criterion::allows(g); };
// It may be for so many classes and no more.
template <class Criterion>
constexpr std::int64_t max_classes_of() {
  if constexpr (requires { Criterion::max_classes; })
    return Criterion::max_classes;
  else
    return 0;
}

// Class criteria made of one term a class: the form that the quick search needs. Terms are added up, or
// combined as the criterion says.
template <class Criterion>
concept HasTerms = requires(double x, std::int64_t n, const Logs& logs) {
  typename Criterion::Sum;
  Criterion::term(x, logs);
  Criterion::step(n, logs);
  Criterion::cost(x, x, x, logs);
  Criterion::pair_cost(x, x, x, logs);
};
template <class Criterion>
double with_term(double total, double terms, double n, double term) {
  if constexpr (requires { Criterion::combine(total, terms, n, term); })
    return Criterion::combine(total, terms, n, term);
  else
    return terms + term;
}

// Is it made of sums of squares, which are whole numbers for whole counts? Then cuts can be judged by these
// alone.
template <class Criterion>
concept IsOfSquares = requires(double x) { Criterion::impurity(x, x); };
// Is nothing known of it, because it comes from outside the core?
template <class Criterion>
constexpr bool is_outside = Criterion::reads == Reads::unknown;

// Can the quick search serve it? It needs corners, and for numbers that one form of cost.
template <class Criterion>
constexpr bool is_quick_criterion() {
  if constexpr (Criterion::bound != Bound::corners)
    return false;
  else if constexpr (Criterion::reads == Reads::class_counts)
    return HasTerms<Criterion>;
  else
    return requires { Criterion::is_square_of_sum; };
}

// Are cut columns searched in their order (search/sorted.hpp)? That needs a bound, and statistics that are
// added up row by row.
template <class Criterion>
constexpr bool is_sorted_criterion() {
  constexpr bool reads_sums = Criterion::reads == Reads::sum || Criterion::reads == Reads::raw_sum;
  return Criterion::bound != Bound::none && (Criterion::reads == Reads::class_counts || reads_sums);
}

// Call visit with each criterion of a list.
template <class Variant, class Visit, std::size_t... i>
void each_criterion(Visit visit, std::index_sequence<i...>) {
  (visit(std::variant_alternative_t<i, Variant>()), ...);
}
template <class Variant, class Visit>
void each_criterion(Visit visit) {
  each_criterion<Variant>(visit, std::make_index_sequence<std::variant_size_v<Variant>>());
}

// Are the quick rows those of a list that the quick search can serve, all of them and no others?
template <class Quick, class Variant>
constexpr bool lists_quick_rows() {
  auto has = []<class... Row>(std::string_view name, std::variant<Row...>*) {
    return ((Row::name == name) || ...);
  };
  return [&]<class... Row>(std::variant<Row...>*) {
    return ((is_quick_criterion<Row>() == has(Row::name, static_cast<Quick*>(nullptr))) && ...);
  }(static_cast<Variant*>(nullptr));
}
static_assert(lists_quick_rows<QuickClassCriterion, ClassCriterion>());
static_assert(lists_quick_rows<QuickNumberCriterion, NumberCriterion>());

template <class Variant>
std::optional<Variant> find_criterion(std::string_view name) {
  std::optional<Variant> found;
  each_criterion<Variant>([&](auto criterion) {
    if (criterion.name == name) found = criterion;
  });
  return found;
}

// C4.5 compares columns by a ratio, and the tests inside a column by the gain it is made of.
template <class Variant>
std::string_view gain_criterion(std::string_view name) {
  std::string_view found = name;
  each_criterion<Variant>([&](auto criterion) {
    if constexpr (IsRatio<decltype(criterion)>)
      if (criterion.name == name) found = decltype(criterion)::Gain::name;
  });
  return found;
}

template <class Variant>
bool is_of_squares(std::string_view name) {
  bool found = false;
  each_criterion<Variant>([&](auto criterion) {
    if (criterion.name == name) found = IsOfSquares<decltype(criterion)>;
  });
  return found;
}

// What a criterion for numbers says about the nodes it grows.
struct NumberRules {
  Loss loss = Loss::squared;
  Reads reads = Reads::sum;
  int degree = 2;
  double (*most_cost)(const NodeFigures&) = SquaredError::most_cost;
};
template <class Criterion>
NumberRules rules_of() {
  if constexpr (Criterion::reads == Reads::unknown)
    return {};
  else if constexpr (Criterion::reads == Reads::all_values)
    return {Criterion::loss, Criterion::reads, Criterion::degree};
  else
    return {Criterion::loss, Criterion::reads, Criterion::degree, Criterion::most_cost};
}
inline NumberRules number_rules(std::string_view name) {
  NumberRules rules;
  auto look = [&](auto criterion) {
    if (criterion.name == name) rules = rules_of<decltype(criterion)>();
  };
  each_criterion<NumberCriterion>(look);
  each_criterion<SpreadCriterion>(look);
  each_criterion<ValueCriterion>(look);
  return rules;
}

}  // namespace treewright
