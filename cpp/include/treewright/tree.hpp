// What growth returns: the nodes in preorder. Node i owns i .. end[i]-1 and is a leaf when end[i] = i + 1.
#pragma once

#include <cstdint>
#include <vector>

#include "roomy.hpp"
#include "split.hpp"
#include "surrogate.hpp"
#include "tree_fields.hpp"

namespace treewright {

struct TreeArrays {
  TREEWRIGHT_TESTS(TREEWRIGHT_VECTOR)
  TREEWRIGHT_SURROGATES(TREEWRIGHT_VECTOR)  // `surrogate_start`: {0} where no node has a surrogate
  TREEWRIGHT_AGREEMENTS(TREEWRIGHT_VECTOR)
  TREEWRIGHT_GAINS(TREEWRIGHT_VECTOR)
  TREEWRIGHT_FIGURES(TREEWRIGHT_VECTOR)
  TREEWRIGHT_LEDGER(TREEWRIGHT_VECTOR)
  std::vector<double> stats;  // n_stats numbers a node
  std::int64_t n_stats = 0;
  // Many classes: node i has weight of stats_class[stats_start[i]] .. only, and `stats` holds these weights.
  // Empty where all nodes have all classes.
  std::vector<std::int64_t> stats_start;
  std::vector<std::int32_t> stats_class;
  bool is_sparse() const { return !stats_start.empty(); }
  bool is_quick = false;           // which growth served; the tree is the same either way
  std::vector<std::uint8_t> gaps;  // per column: does any row lack its value?

  // Room for so many nodes.
  void reserve(std::size_t n) {
#define TREEWRIGHT_RESERVE(name, type, per, leaf) \
  if (Per::per == Per::node || Per::per == Per::node_start) reserve_roomy(name, n + 1);
    TREEWRIGHT_TESTS(TREEWRIGHT_RESERVE)
    TREEWRIGHT_GAINS(TREEWRIGHT_RESERVE)
    TREEWRIGHT_FIGURES(TREEWRIGHT_RESERVE)
#undef TREEWRIGHT_RESERVE
  }
  // Let there be `n` nodes, but for their stats; the new ones as leaves without rows have them.
  void resize(std::size_t n) {
    const std::size_t first = end.size();
#define TREEWRIGHT_RESIZE(name, type, per, leaf)                      \
  if (Per::per == Per::node) name.resize(n, static_cast<type>(leaf)); \
  if (Per::per == Per::node_start) name.resize(n + 1);
    TREEWRIGHT_TESTS(TREEWRIGHT_RESIZE)
    TREEWRIGHT_GAINS(TREEWRIGHT_RESIZE)
    TREEWRIGHT_FIGURES(TREEWRIGHT_RESIZE)
#undef TREEWRIGHT_RESIZE
    for (std::size_t i = first; i < n; ++i) end[i] = static_cast<std::int32_t>(i) + 1;
  }

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
#define TREEWRIGHT_CLEAR(name, type, per, leaf) name = no_entries<type>(Per::per);
    TREEWRIGHT_SURROGATES(TREEWRIGHT_CLEAR)
    TREEWRIGHT_AGREEMENTS(TREEWRIGHT_CLEAR)
#undef TREEWRIGHT_CLEAR
    for (const auto& surrogates : of_node) add_surrogates(surrogates);
  }
};

}  // namespace treewright
