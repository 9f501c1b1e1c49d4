// The Criterion concept and the table of criteria. A new one is a file in criteria/ and a name in a list
// below.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "criteria/entropy.hpp"
#include "criteria/error.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gini.hpp"
#include "criteria/group.hpp"
#include "criteria/outside.hpp"
#include "criteria/squared_error.hpp"

namespace treewright {

using ClassCriterion = std::variant<Gini, Entropy, GainRatio, Error, Outside>;
using NumberCriterion = std::variant<SquaredError, Outside>;

// A criterion may name another one that decides between equal scores, and may turn gain into a ratio.
template <class Criterion>
concept HasTieBreak = requires { typename Criterion::TieBreak; };
template <class Criterion>
concept IsRatio = requires(double x) { Criterion::score(x, x); };

template <class Variant, std::size_t i = 0>
std::vector<std::string_view> criterion_names() {
  std::vector<std::string_view> names;
  if constexpr (i < std::variant_size_v<Variant>) {
    names = criterion_names<Variant, i + 1>();
    names.insert(names.begin(), std::variant_alternative_t<i, Variant>::name);
  }
  return names;
}

template <class Variant, std::size_t i = 0>
std::optional<Variant> find_criterion(std::string_view name) {
  if constexpr (i < std::variant_size_v<Variant>) {
    if (std::variant_alternative_t<i, Variant>::name == name) return Variant(std::in_place_index<i>);
    return find_criterion<Variant, i + 1>(name);
  } else {
    return std::nullopt;
  }
}

}  // namespace treewright
