// The quick growths: which criteria have one, and where it is.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "../criterion.hpp"
#include "../problem.hpp"
#include "../spread.hpp"
#include "../stats.hpp"
#include "../tree.hpp"
#include "../values.hpp"

namespace treewright {

constexpr std::size_t max_quick_classes = std::size_t{1} << 16;

template <class Target>
using QuickGrow = TreeArrays (*)(const Problem& problem, const Target& target);

// The growth of one row of a quick list, null where it is left out of a build. It is defined in
// quick/row.hpp, for one row in one translation unit: each takes half a minute to build (CMakeLists.txt).
template <class Variant, std::size_t row, class Target>
struct QuickRow {
  static QuickGrow<Target> growth();
};

template <class Variant, class Target, std::size_t... row>
QuickGrow<Target> quick_growth(std::string_view criterion, std::index_sequence<row...>) {
  QuickGrow<Target> found = nullptr;
  ((std::variant_alternative_t<row, Variant>::name == criterion
        ? void(found = QuickRow<Variant, row, Target>::growth())
        : void()),
   ...);
  return found;
}

// The quick growth for a criterion and a target; null where there is none.
inline QuickGrow<ClassTarget> quick_growth(const ClassTarget& target, std::string_view criterion) {
  if (target.n_classes < 2 || target.n_classes > max_quick_classes) return nullptr;
  return quick_growth<QuickClassCriterion, ClassTarget>(
      criterion, std::make_index_sequence<std::variant_size_v<QuickClassCriterion>>());
}
inline QuickGrow<NumberTarget> quick_growth(const NumberTarget&, std::string_view criterion) {
  return quick_growth<QuickNumberCriterion, NumberTarget>(
      criterion, std::make_index_sequence<std::variant_size_v<QuickNumberCriterion>>());
}
inline QuickGrow<SpreadTarget> quick_growth(const SpreadTarget&, std::string_view) { return nullptr; }
inline QuickGrow<ValueTarget> quick_growth(const ValueTarget&, std::string_view) { return nullptr; }

}  // namespace treewright
