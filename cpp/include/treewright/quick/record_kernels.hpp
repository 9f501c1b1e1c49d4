// The inner loops of the search among records, built for plain and for wide instructions (dispatch.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "records.hpp"

namespace treewright {

constexpr std::size_t padded_classes = RecordTable::max_classes;

// Nodes of at most so many rows have all cuts of all columns scored at once. (The lanes of a vector are an
// extension of the language: without it, such nodes are searched as others are.)
#if defined(__GNUC__)
constexpr std::size_t tiny_rows = 16, compared_rows = 512;
#else
constexpr std::size_t tiny_rows = 0, compared_rows = 0;
#endif
constexpr double tiny_weight = 180;         // squares of weights fit 15 bits
constexpr double compared_weight = 32'000;  // weights fit 15 bits, their squares 31

// The least and greatest code of each lane, and which codes a shared lane has, bit by bit.
struct LaneSpread {
  Record least, most;
  std::array<std::uint64_t, Record::max_columns> present;
};
void find_spread(std::span<const Record> rows, std::size_t n_own, std::size_t n_lanes, LaneSpread& spread);

// The number that has so many below it, where none is there twice. There is a multiple of eight.
std::uint64_t find_ranked(std::span<const std::uint64_t> number, std::size_t place);

// What each row's codes are worth as cuts, by row and lane: sum of squares over weight, on both sides, or -1
// where a lane is not `allowed` for this row, or all rows lie on one side. A lane is cut behind the code, or,
// by equality, into rows with the code and others. Returns the greatest. Relative errors are below 2^-22.
float score_tiny(std::span<const Record> rows, const Record& by_equality, std::span<const Record> allowed,
                 const std::array<double, padded_classes>& all, float* worth);

// One cut for each of some columns: in a lane, behind a code, or, by equality, into rows with the code and
// others.
struct RecordCuts {
  Record lane, last, by_equality;
};
// What rows inside each of these cuts weigh, by class.
using InsideCuts = std::array<std::array<std::uint32_t, Record::n_lanes>, padded_classes>;
void weigh_cuts(std::span<const Record> rows, const RecordCuts& cuts, InsideCuts& inside);
// What these cuts are worth, as score_tiny says it, where all rows weigh at most `compared_weight`.
// (Without vectors they are worth nothing.)
void score_cuts(const InsideCuts& inside, const std::array<double, padded_classes>& all,
                std::array<float, Record::n_lanes>& worth);

// Rows of one class side by side, for score_rows. A row of the node and its weight are found by its place
// here.
struct ClassRuns {
  std::size_t n_rows = 0, n_classes = 0;                  // classes that have rows
  std::array<std::uint16_t, padded_classes + 1> start{};  // of each class
  std::array<std::int32_t, padded_classes> class_weight{};
  std::array<std::uint16_t, compared_rows + 1> row{};
  std::array<std::int16_t, compared_rows + 1> weight{};
};
void group_by_class(std::span<const Record> rows, ClassRuns& runs);

// What a cut behind the code of each row is worth, as score_tiny says it; codes and what they are worth stand
// in the order of the runs. Every row is compared with every other: no order is needed, and 16 rows are
// compared in one step. `code` and `worth` have room for a multiple of 16. Returns the greatest.
float score_rows(std::int16_t* code, const ClassRuns& runs, float* worth);

// From the weights of each code by class to those of all codes up to it, and what a cut there is worth; -1
// where a code has no rows.
void score_codes(std::span<std::uint32_t> count, const std::array<double, padded_classes>& all, double total,
                 double* worth);

// Left rows first. A row goes right if its code is above `last`, or equal to it; returns how many go left,
// and the least code on the right.
struct RecordDivision {
  std::size_t n_left;
  std::int16_t above;
};
RecordDivision divide_records(std::span<Record> rows, std::size_t lane, std::int16_t last, bool by_equality,
                              Record* spare);

}  // namespace treewright
