// Edges of two classes where weights are no whole numbers, or too large, or scaled by class. Weights are
// counted in units, so that sums in double are exact; what they cost is rounded.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "drawn_sums.hpp"

namespace treewright {

template <class Criterion>
class RealPairEdges : public SummedEdges<RealPairEdges<Criterion>, PairSum> {
  using Base = SummedEdges<RealPairEdges<Criterion>, PairSum>;
  friend Base;

 public:
  using Row = PairSum;
  static Row row(std::int32_t label, std::int64_t weight) {
    const auto w = static_cast<double>(weight);
    return {w, label == 0 ? 0 : w};
  }
  static std::size_t label(Row row) { return row.second != 0; }
  static double weight(Row row) { return row.all; }

  RealPairEdges(const Scale& scale, std::size_t)
      : logs_(*scale.logs), unit_{scale.class_unit(0), scale.class_unit(1)} {}
  void set_node(const double* counts) { Base::take_node({counts[0] + counts[1], counts[1]}); }
  // The weights on the left of an edge.
  std::array<double, 2> left(std::size_t edge) const {
    const Row& sum = Base::left_of(edge);
    return {sum.all - sum.second, sum.second};
  }
  void counts(std::size_t edge, double* found) const {
    const std::array<double, 2> pair = left(edge);
    std::copy(pair.begin(), pair.end(), found);
  }
  static std::array<double, 2> none() { return {}; }

 private:
  void find_costs(std::size_t first) {
    const auto sums = Base::left_from(first);
    double *left = Base::left_costs() + first, *right = Base::right_costs() + first;
    const Row all = Base::all();
    if constexpr (HasKernels<Criterion>) {
      pair_costs(Criterion(), sums, all, unit_, left, right);
    } else {
      for (std::size_t e = 0; e < sums.size(); ++e) {
        left[e] = cost(sums[e]);
        right[e] = cost({all.all - sums[e].all, all.second - sums[e].second});
      }
    }
  }
  double cost(Row side) const {
    const double counts[2] = {(side.all - side.second) * unit_[0], side.second * unit_[1]};
    return Criterion::impurity(ClassGroup{counts, counts[0] + counts[1], logs_});
  }

  const Logs& logs_;
  double unit_[2];
};

}  // namespace treewright
