// Arrays in and out. Nothing is converted on the way in: a wrong dtype is a TypeError, never a silent copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace treewright::bindings {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// What an argument is, for an error: its dtype and shape, or its type.
inline std::string described(nb::handle given) {
  if (!nb::hasattr(given, "dtype") || !nb::hasattr(given, "shape"))
    return nb::cast<std::string>(nb::str(given.type().attr("__name__")));
  return nb::cast<std::string>(
      nb::str("an array of {} and shape {}").attr("format")(given.attr("dtype"), given.attr("shape")));
}

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "uint64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
}

// An argument as an array; `what` it is stands in the error.
template <class T>
Array<T> array_from(nb::handle given, const std::string& what) {
  Array<T> array;
  if (!nb::try_cast(given, array, false))
    throw nb::type_error((what + " must be a one-dimensional array of " + type_name<T>() +
                          " in one piece, not " + described(given))
                             .c_str());
  return array;
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
void register_growth(nb::module_& m);
void register_source(nb::module_& m);
void register_spool(nb::module_& m);
void register_route(nb::module_& m);
void register_prune(nb::module_& m);
void register_forest(nb::module_& m);
void register_forest_walk(nb::module_& m);
void register_optimal(nb::module_& m);

}  // namespace treewright::bindings
