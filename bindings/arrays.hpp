// Arrays in and out. Nothing is converted on the way in: a wrong dtype is a TypeError, never a silent copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <vector>

namespace treewright::bindings {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// A vector becomes a NumPy array that owns it.
template <class T>
nb::object owned(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

void register_columns(nb::module_& m);
void register_grow(nb::module_& m);
void register_route(nb::module_& m);
void register_prune(nb::module_& m);
void register_forest(nb::module_& m);
void register_forest_walk(nb::module_& m);

}  // namespace treewright::bindings
