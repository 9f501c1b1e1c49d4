// A Router as Python holds it: the tree laid out for rows, and the arrays it looks at.
#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "breather.hpp"
#include "cells.hpp"
#include "treewright/route.hpp"

namespace treewright::bindings {

inline Detour detour(const std::string& name) {
  static const std::vector<std::pair<const char*, Detour>> table = {
      {"branch", Detour::branch}, {"divide", Detour::divide}, {"surrogate", Detour::surrogate},
      {"stop", Detour::stop},     {"refuse", Detour::refuse}, {"as_missing", Detour::as_missing}};
  for (const auto& [known, value] : table)
    if (name == known) return value;
  throw nb::value_error(("unknown detour '" + name + "'").c_str());
}

// The arrays of a tree, kept alive as long as something looks at them.
class Fields {
 public:
  explicit Fields(const nb::dict& tree) : tree_(tree) {}
  template <class T>
  std::span<const T> of(const char* name) {
    kept_.push_back(nb::object(tree_[name]));
    return view(array_from<T>(kept_.back(), name));
  }
  // Empty where the tree has no such field.
  template <class T>
  std::span<const T> of_any(const char* name) {
    return tree_.contains(name) ? of<T>(name) : std::span<const T>();
  }
  std::vector<nb::object> kept() && { return std::move(kept_); }

 private:
  const nb::dict& tree_;
  std::vector<nb::object> kept_;
};

inline RouteTree tree_of(Fields& field, const std::string& gap, const std::string& unseen) {
  RouteTree tree;
#define TREEWRIGHT_VIEW(name, type, per, leaf) tree.name = field.of<type>(#name);
#define TREEWRIGHT_VIEW_ANY(name, type, per, leaf) tree.name = field.of_any<type>(#name);
  TREEWRIGHT_TESTS(TREEWRIGHT_VIEW)
  TREEWRIGHT_SURROGATES(TREEWRIGHT_VIEW)
  TREEWRIGHT_TERMS(TREEWRIGHT_VIEW_ANY)
#undef TREEWRIGHT_VIEW_ANY
#undef TREEWRIGHT_VIEW
  tree.weight = field.of<double>("weight");
  tree.is_coded = field.of<std::uint8_t>("is_coded");
  tree.gap = detour(gap);
  tree.unseen = detour(unseen);
  return tree;
}

// A Router and the arrays it looks at.
class TreeRouter {
 public:
  TreeRouter(const nb::dict& tree, const std::string& gap, const std::string& unseen)
      : TreeRouter(Fields(tree), gap, unseen) {}

  nb::tuple route(nb::handle columns, std::int64_t n_rows, std::int64_t n_threads, bool row_by_row) const {
    return with_cells(router_.tree().is_coded, columns, n_rows,
                      [&](const auto& given) { return routed(given, n_rows, n_threads, row_by_row); });
  }

  const Router& router() const { return router_; }

 private:
  TreeRouter(Fields field, const std::string& gap, const std::string& unseen)
      : router_(tree_of(field, gap, unseen)), kept_(std::move(field).kept()) {}

  template <class T>
  nb::tuple routed(const RouteColumns<T>& columns, std::int64_t n_rows, std::int64_t n_threads,
                   bool row_by_row) const {
    Routed found;
    const auto breathe = listener();
    {
      Released released;
      found = router_.route(columns, n_rows, n_threads, breathe, row_by_row);
    }
    return nb::make_tuple(owned(std::move(found.node)), owned(std::move(found.part_row)),
                          owned(std::move(found.part_node)), owned(std::move(found.part_weight)));
  }

  Router router_;
  std::vector<nb::object> kept_;
};

}  // namespace treewright::bindings
