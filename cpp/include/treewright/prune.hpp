// Pruning where Python would be slow: the prices of the weakest-link path, and C4.5's error-based pruning.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ask.hpp"

namespace treewright {

// For every inner node the price per leaf at which weakest-link pruning makes it a leaf or takes it away with
// a node above; 0 in leaves. `risk` is what each node would cost as a leaf. Prices never fall towards the
// root.
std::vector<double> link_prices(std::span<const std::int32_t> end, std::span<const double> risk);

// C4.5's estimate of the errors on cases not yet seen.
struct ErrorBound {
  double confidence = 0.25;
  double z = 0.6925;      // of that confidence, from the program's table or exact
  double certain = 0.67;  // of the right cases are taken as errors where nearly all are wrong; Weka: 1
  double extra(double n, double errors) const;  // beyond the errors counted
  double all(double n, double errors) const { return n > 0 ? errors + extra(n, errors) : 0.0; }
};

struct ErrorBasedRules {
  ErrorBound bound;
  double slack = 0.1;
  bool raises = true;               // a node may give way to its largest branch
  std::vector<double> class_scale;  // prior multipliers for labels; empty: ones
  std::vector<double> costs;        // of each mistake, true class by true class; empty: 1
};

// The rows of the training table as the pruner sees them.
struct Evidence {
  const RouteColumns<double>& columns;
  std::span<const std::int32_t> label;  // the class of each row
  std::span<const double> weight;
  std::int32_t n_classes = 0;
};

// What is left, in preorder: which node of the old tree each one was, where it ends now, and, where rows came
// to it that were not there before, what it holds.
struct Remainder {
  std::vector<std::int32_t> node, end, label;
  std::vector<std::uint8_t> is_leaf, is_changed;
  std::vector<std::int64_t> n_rows;
  std::vector<double> stats;  // class weights, node after node
  double estimate = 0;        // of the errors of the whole
};

Remainder error_based(const RouteTree& tree, const Children& children, std::span<const std::int32_t> label,
                      const Evidence& evidence, const ErrorBasedRules& rules);

}  // namespace treewright
