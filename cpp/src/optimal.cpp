#include <memory>
#include <utility>

#include "treewright/optimal/problem.hpp"
#include "treewright/optimal/several.hpp"
#include "treewright/optimal/solver.hpp"
#include "treewright/optimal/tally.hpp"

namespace treewright::optimal {

std::unique_ptr<Solver> make_solver(Problem problem) {
  if (problem.has_classes()) return std::make_unique<Several<ClassTally>>(std::move(problem));
  return std::make_unique<Several<NumberTally>>(std::move(problem));
}

}  // namespace treewright::optimal
