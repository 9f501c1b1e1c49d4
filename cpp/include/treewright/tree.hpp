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
  std::vector<std::int64_t> n_rows, code_start{0};
  std::vector<std::int64_t> surrogate_start{0};  // no more than this where no node has a surrogate
  std::int64_t n_stats = 0;
  // Many classes: node i has weight of stats_class[stats_start[i]] .. only, and `stats` holds these weights.
  // Empty where all nodes have all classes.
  std::vector<std::int64_t> stats_start;
  std::vector<std::int32_t> stats_class;
  bool is_sparse() const { return !stats_start.empty(); }
  bool is_quick = false;           // which growth served; the tree is the same either way
  std::vector<std::uint8_t> gaps;  // per column: does any row lack its value?

  std::vector<std::int32_t> surrogate_column, surrogate_code, surrogate_code_branch;
  std::vector<std::uint8_t> surrogate_kind, surrogate_flip;
  std::vector<double> surrogate_cut, surrogate_agreement, surrogate_adjusted;
  std::vector<std::int64_t> surrogate_code_start{0};

  // The classes that a node has, ascending: visit(class, weight). For numbers, what its figures are.
  template <class Visit>
  void for_each_stat(std::size_t i, Visit visit) const {
    if (!is_sparse()) {
      const auto width = static_cast<std::size_t>(n_stats);
      for (std::size_t j = 0; j < width; ++j) visit(static_cast<std::int32_t>(j), stats[i * width + j]);
    } else {
      for (auto j = static_cast<std::size_t>(stats_start[i]);
           j < static_cast<std::size_t>(stats_start[i + 1]); ++j)
        visit(stats_class[j], stats[j]);
    }
  }

  void push_surrogates(const std::vector<Surrogate>& surrogates) {
    for (const Surrogate& s : surrogates) {
      surrogate_column.push_back(s.split.column);
      surrogate_kind.push_back(static_cast<std::uint8_t>(s.split.kind));
      surrogate_cut.push_back(s.split.cut);
      surrogate_flip.push_back(s.flip);
      surrogate_agreement.push_back(s.agreement);
      surrogate_adjusted.push_back(s.adjusted);
      surrogate_code.insert(surrogate_code.end(), s.split.code.begin(), s.split.code.end());
      surrogate_code_branch.insert(surrogate_code_branch.end(), s.split.branch.begin(), s.split.branch.end());
      surrogate_code_start.push_back(static_cast<std::int64_t>(surrogate_code.size()));
    }
  }
  // The surrogates of the next node.
  void add_surrogates(const std::vector<Surrogate>& surrogates) {
    push_surrogates(surrogates);
    surrogate_start.push_back(static_cast<std::int64_t>(surrogate_column.size()));
  }
  // For all nodes anew.
  void set_surrogates(const std::vector<std::vector<Surrogate>>& of_node) {
    surrogate_start = surrogate_code_start = {0};
    for (auto* ints : {&surrogate_column, &surrogate_code, &surrogate_code_branch}) ints->clear();
    for (auto* bytes : {&surrogate_kind, &surrogate_flip}) bytes->clear();
    for (auto* reals : {&surrogate_cut, &surrogate_agreement, &surrogate_adjusted}) reals->clear();
    for (const auto& surrogates : of_node) add_surrogates(surrogates);
  }

  std::vector<std::int32_t> ledger_node, ledger_column;
  std::vector<std::uint8_t> ledger_verdict;
  std::vector<double> ledger_score, ledger_gain, ledger_split_info, ledger_charge, ledger_cut, ledger_p_value;
};

}  // namespace treewright
