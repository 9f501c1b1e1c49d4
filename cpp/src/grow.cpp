#include "treewright/grow.hpp"

#include <stdexcept>
#include <string>

namespace treewright {

namespace {

template <class CriterionVariant, class Target>
TreeArrays grow_with(const Problem& problem, const Target& target, std::string_view criterion) {
  // Under C4.5's choice the cut inside a column is the one of best gain; the ratio only compares columns.
  const std::string_view inside = problem.settings.use_average_gain ? Entropy::name : criterion;
  auto found = find_criterion<CriterionVariant>(inside);
  if (!found) throw std::invalid_argument("unknown criterion '" + std::string(criterion) + "'");
  return Growth<Target, CriterionVariant>(problem, target, *found).run();
}

}  // namespace

TreeArrays grow(const Problem& problem, const ClassTarget& target, std::string_view criterion) {
  return grow_with<ClassCriterion>(problem, target, criterion);
}

TreeArrays grow(const Problem& problem, const NumberTarget& target, std::string_view criterion) {
  return grow_with<NumberCriterion>(problem, target, criterion);
}

}  // namespace treewright
