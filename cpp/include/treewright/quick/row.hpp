// The quick growth of one criterion, to be instantiated for its row of the list.
#pragma once

#include "grow.hpp"
#include "growths.hpp"

namespace treewright {

template <class Variant, std::size_t row, class Target>
QuickGrow<Target> QuickRow<Variant, row, Target>::growth() {
  return &grow_quickly<std::variant_alternative_t<row, Variant>, Target>;
}

}  // namespace treewright
