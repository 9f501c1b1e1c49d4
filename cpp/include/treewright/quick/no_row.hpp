// A criterion whose quick growth is left out of a build (TREEWRIGHT_QUICK in CMakeLists.txt).
#pragma once

#include "growths.hpp"

namespace treewright {

template <class Variant, std::size_t row, class Target>
QuickGrow<Target> QuickRow<Variant, row, Target>::growth() {
  return nullptr;
}

}  // namespace treewright
