// Arrays of many megabytes that are read in no order. With pages of 4 KB nearly every such read is a TLB
// miss; so the system is asked for huge pages, where it has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace treewright {

template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(std::size_t n) {
    if (n > (std::numeric_limits<std::size_t>::max() - page) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t size = n * sizeof(T);
    if (size < page) return static_cast<T*>(::operator new(size));
    const std::size_t whole = (size + page - 1) / page * page;
    void* place = ::operator new(whole, std::align_val_t{page});
#ifdef __linux__
    madvise(place, whole, MADV_HUGEPAGE);  // if the system has none, small pages do
#endif
    return static_cast<T*>(place);
  }
  void deallocate(T* place, std::size_t n) {
    if (n * sizeof(T) < page)
      ::operator delete(place);
    else
      ::operator delete(place, std::align_val_t{page});
  }
  // New elements have no value yet: what is filled at once need not be cleared before.
  template <class Element>
  void construct(Element* place) {
    ::new (static_cast<void*>(place)) Element;
  }
  template <class Element, class... From>
  void construct(Element* place, From&&... from) {
    ::new (static_cast<void*>(place)) Element(std::forward<From>(from)...);
  }
  template <class Other>
  bool operator==(const HugePages<Other>&) const {
    return true;
  }
};

template <class T>
using Roomy = std::vector<T, HugePages<T>>;

// Room for so many numbers in a plain vector, still untouched: filled in huge pages where the system has
// them, it meets a fault for every 2 MB and not for every 4 KB. The last of them is asked for if it is half
// full.
template <class T>
void reserve_roomy(std::vector<T>& numbers, std::size_t n) {
  constexpr std::size_t huge = HugePages<T>::page, small = 4096;
  if (n < huge / sizeof(T)) return numbers.reserve(n);
  const std::size_t over = n * sizeof(T) % huge;
  numbers.reserve(over < huge / 2 || over > huge - small ? n : n + (huge - small - over) / sizeof(T));
#ifdef __linux__
  const auto first = reinterpret_cast<std::uintptr_t>(numbers.data()) / small * small;
  const auto last = reinterpret_cast<std::uintptr_t>(numbers.data() + numbers.capacity());
  madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace treewright
