// Which branch rows without a value take, where the rows of the node settle it: the heavier one, or that of
// the most common value. Of a test with the gaps on either side one is allowed, and "known or missing?" is
// none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "frame.hpp"
#include "problem.hpp"

namespace treewright::optimal {

class GapRule {
 public:
  GapRule(const Problem& problem, const Frame& frame) : problem_(problem), frame_(frame) {}

  // Does a test send them where the rule does?
  bool allows(const Part& part, const Unit& unit, std::uint32_t cut) {
    if (!frame_.is_open(part, unit)) return true;
    double mass[2] = {0, 0};
    std::uint32_t n[2] = {0, 0};
    weigh_sides(part, unit, cut, mass, n);
    if (n[0] == 0 || n[1] == 0) return false;
    if (problem_.gaps == Gaps::common)
      return unit.gap == (is_left(part, unit, cut, common(part, unit.column)) ? 0 : 1);
    const double slack = problem_.mass_step * part.n;
    return mass[unit.gap] + slack >= mass[1 - unit.gap];
  }

 private:
  // The rows with a value on either side.
  void weigh_sides(const Part& part, const Unit& unit, std::uint32_t cut, double* mass,
                   std::uint32_t* n) const {
    if (unit.kind == Unit::Kind::cuts) {
      const auto chain = static_cast<std::size_t>(unit.at);
      const std::uint32_t* order = part.orders(chain);
      n[0] = cut;
      n[1] = part.n_known[chain] - cut;
      for (std::uint32_t p = 0; p < part.n_known[chain]; ++p)
        mass[p >= cut] += problem_.mass[part.row[order[p]]];
      return;
    }
    for (std::uint32_t r = 0; r < part.n; ++r) {
      if (frame_.code(unit.column, part.row[r]) < 0) continue;
      const bool is_right = !part.has_bit(static_cast<std::size_t>(unit.at), r);
      mass[is_right] += problem_.mass[part.row[r]];
      ++n[is_right];
    }
  }
  // The lower median of numbers, the category of most weight; the first of those that are the same.
  std::int32_t common(const Part& part, std::int32_t column) {
    const Column& of = problem_.columns[static_cast<std::size_t>(column)];
    mass_.assign(static_cast<std::size_t>(of.n_codes), 0.0);
    double total = 0, running = 0;
    std::uint32_t n_known = 0;
    for (std::uint32_t row : part.row) {
      if (of.code[row] < 0) continue;
      mass_[static_cast<std::size_t>(of.code[row])] += problem_.mass[row];
      total += problem_.mass[row];
      ++n_known;
    }
    const double slack = problem_.mass_step * n_known;
    std::size_t best = 0;
    while (best + 1 < mass_.size() && mass_[best] == 0) ++best;
    for (std::size_t x = best; x < mass_.size(); ++x) {
      running += mass_[x];
      if (of.is_number && 2 * running + slack >= total) return static_cast<std::int32_t>(x);
      if (mass_[x] > mass_[best] + slack) best = x;
    }
    return static_cast<std::int32_t>(best);
  }
  bool is_left(const Part& part, const Unit& unit, std::uint32_t cut, std::int32_t code) const {
    if (unit.kind == Unit::Kind::cuts)
      return static_cast<std::uint32_t>(code) <= part.places(static_cast<std::size_t>(unit.at))[cut - 1];
    if (unit.set < 0) return code <= unit.place;
    const auto& set =
        problem_.columns[static_cast<std::size_t>(unit.column)].sets[static_cast<std::size_t>(unit.set)];
    return std::find(set.begin(), set.end(), code) != set.end();
  }

  const Problem& problem_;
  const Frame& frame_;
  std::vector<double> mass_;
};

}  // namespace treewright::optimal
