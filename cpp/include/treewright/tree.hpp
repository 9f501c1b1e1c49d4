// What growth returns: the nodes in preorder. Node i owns i .. end[i]-1 and is a leaf when end[i] = i + 1.
#pragma once

#include <cstdint>
#include <vector>

#include "split.hpp"
#include "surrogate.hpp"

namespace treewright {

struct TreeArrays {
  std::vector<std::int32_t> end, column, missing, largest, label, code, code_branch;
  std::vector<std::uint8_t> kind, exact;
  std::vector<double> cut, score, gain, stats;  // stats: n_stats numbers a node
  std::vector<std::int64_t> n_rows, code_start{0}, surrogate_start{0};
  std::int64_t n_stats = 0;
  std::vector<std::uint8_t> gaps;  // per column: does any row lack its value?

  std::vector<std::int32_t> surrogate_column, surrogate_code, surrogate_code_branch;
  std::vector<std::uint8_t> surrogate_kind, surrogate_flip;
  std::vector<double> surrogate_cut, surrogate_agreement, surrogate_adjusted;
  std::vector<std::int64_t> surrogate_code_start{0};

  std::vector<std::int32_t> ledger_node, ledger_column;
  std::vector<std::uint8_t> ledger_verdict;
  std::vector<double> ledger_score, ledger_gain, ledger_split_info, ledger_charge, ledger_cut, ledger_p_value;
};

}  // namespace treewright
