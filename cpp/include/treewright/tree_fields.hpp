// The arrays of a tree, one row each: X(name, type, per what, what a leaf has). What growth returns, the
// preorder, the arrays at the border, rows on their way down and the trees of a forest are made from these
// rows; src/treewright/tree/fields.py is their twin in Python, and tests/tree/test_fields.py holds the two
// together.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace treewright {

// What an array has a number for: every node; every node and one behind, where its entries begin; every
// entry; every entry and one behind.
enum class Per : std::uint8_t { node, node_start, entry, entry_start };
constexpr bool is_start(Per per) { return per == Per::node_start || per == Per::entry_start; }

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// A test: where the node ends, what it asks, where gaps go, and which branch is the heaviest.
#define TREEWRIGHT_TESTS(X)                  \
  X(end, std::int32_t, node, 0)              \
  X(column, std::int32_t, node, -1)          \
  X(kind, std::uint8_t, node, 0)             \
  X(cut, double, node, no_number)            \
  X(missing, std::int32_t, node, -1)         \
  X(largest, std::int32_t, node, -1)         \
  X(code_start, std::int64_t, node_start, 0) \
  X(code, std::int32_t, entry, 0)            \
  X(code_branch, std::int32_t, entry, 0)

// What stands in for a test.
#define TREEWRIGHT_SURROGATES(X)                        \
  X(surrogate_start, std::int64_t, node_start, 0)       \
  X(surrogate_column, std::int32_t, entry, 0)           \
  X(surrogate_cut, double, entry, 0)                    \
  X(surrogate_kind, std::uint8_t, entry, 0)             \
  X(surrogate_flip, std::uint8_t, entry, 0)             \
  X(surrogate_code_start, std::int64_t, entry_start, 0) \
  X(surrogate_code, std::int32_t, entry, 0)             \
  X(surrogate_code_branch, std::int32_t, entry, 0)

#define TREEWRIGHT_TERMS(X) /* of a test on several columns; growth in C++ makes none */ \
  X(term_start, std::int64_t, node_start, 0)                                             \
  X(term_column, std::int32_t, entry, 0)                                                 \
  X(term_weight, double, entry, 0)                                                       \
  X(term_form, std::uint8_t, entry, 0)                                                   \
  X(term_at, double, entry, 0)

#define TREEWRIGHT_GAINS(X) X(gain, double, node, no_number)  // what a test is worth

// What else is known of a node, and of its surrogates.
#define TREEWRIGHT_FIGURES(X)       \
  X(score, double, node, no_number) \
  X(exact, std::uint8_t, node, 1)   \
  X(n_rows, std::int64_t, node, 0)  \
  X(label, std::int32_t, node, -1)
#define TREEWRIGHT_AGREEMENTS(X)           \
  X(surrogate_agreement, double, entry, 0) \
  X(surrogate_adjusted, double, entry, 0)

// The tests that were looked at and lost.
#define TREEWRIGHT_LEDGER(X)                \
  X(ledger_node, std::int32_t, entry, 0)    \
  X(ledger_column, std::int32_t, entry, 0)  \
  X(ledger_verdict, std::uint8_t, entry, 0) \
  X(ledger_score, double, entry, 0)         \
  X(ledger_gain, double, entry, 0)          \
  X(ledger_split_info, double, entry, 0)    \
  X(ledger_charge, double, entry, 0)        \
  X(ledger_cut, double, entry, 0)           \
  X(ledger_p_value, double, entry, 0)

// Where a list of entries begins is known before there are any.
template <class T>
std::vector<T> no_entries(Per per) {
  return is_start(per) ? std::vector<T>{0} : std::vector<T>();
}

// Rows of the tables above as members.
#define TREEWRIGHT_VECTOR(name, type, per, leaf) std::vector<type> name = no_entries<type>(Per::per);
#define TREEWRIGHT_SPAN(name, type, per, leaf) std::span<const type> name;

}  // namespace treewright
