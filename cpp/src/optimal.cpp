#include <memory>
#include <utility>

#include "treewright/optimal/divided.hpp"
#include "treewright/optimal/medians.hpp"
#include "treewright/optimal/problem.hpp"
#include "treewright/optimal/several.hpp"
#include "treewright/optimal/solver.hpp"
#include "treewright/optimal/tally.hpp"

namespace treewright::optimal {

namespace {

template <class Tally>
std::unique_ptr<Solver> made(Problem problem) {
  if (problem.gaps == Gaps::divided) return std::make_unique<Divided<Tally>>(problem);
  return std::make_unique<Several<Tally>>(std::move(problem));
}

}  // namespace

std::unique_ptr<Solver> make_solver(Problem problem) {
  if (problem.has_classes()) return made<ClassTally>(std::move(problem));
  if (problem.loss == Loss::absolute) return made<MedianTally>(std::move(problem));
  return made<NumberTally>(std::move(problem));
}

}  // namespace treewright::optimal
