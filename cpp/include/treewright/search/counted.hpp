// A column of categories, measured by counting: one addition per row, where a table of all categories by
// classes is not much larger than the rows themselves, or small.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../groups.hpp"

namespace treewright {

// The class weights of each code, and how many rows it has. Gaps are counted in the first place, code c in
// place c + 1. The table is as large as a column has codes, but a node costs as much as it has rows: what
// they touched is known, and cleared when it has been read.
class CodeCounts {
 public:
  class Filled {
   public:
    Filled(CodeCounts& table, const ClassTarget& target, std::span<const Piece> pieces, const Column& column)
        : table_(table), n_classes_(target.n_classes) {
      const std::size_t n = static_cast<std::size_t>(column.n_codes) + 1;
      table_.make_room(n, n_classes_);
      n_places_ = n;
      marks_ = n > pieces.size();
      if (marks_)
        count<true>(target, pieces, column);
      else
        count<false>(target, pieces, column);
    }
    ~Filled() {
      for_each_place([&](std::size_t place) {
        table_.rows_[place] = 0;
        std::fill_n(table_.count_.begin() + static_cast<std::ptrdiff_t>(place * n_classes_), n_classes_, 0);
      });
      if (marks_) std::fill_n(table_.marks_.begin(), n_places_ / 64 + 1, 0);
    }
    Filled(const Filled&) = delete;
    Filled& operator=(const Filled&) = delete;

    bool has_gaps() const { return table_.rows_[0] > 0; }
    std::int64_t rows(std::size_t place) const { return table_.rows_[place]; }
    std::span<const std::int64_t> counts(std::size_t place) const {
      return std::span(table_.count_).subspan(place * n_classes_, n_classes_);
    }
    // The places that have rows, ascending.
    template <class Visit>
    void for_each_place(Visit visit) const {
      if (!marks_) {
        for (std::size_t place = 0; place < n_places_; ++place)
          if (table_.rows_[place] > 0) visit(place);
        return;
      }
      for (std::size_t word = 0; word <= n_places_ / 64; ++word)
        for (std::uint64_t bits = table_.marks_[word]; bits != 0; bits &= bits - 1)
          visit(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
    // Write the weights of each code that has rows to `branch` and visit it.
    template <class Visit, class VisitOne>
    void for_each_branch(ClassStats& branch, Visit visit, VisitOne) const {
      for_each_place([&](std::size_t place) {
        const auto of_class = counts(place);
        branch.weight = 0;
        branch.rows = rows(place);
        for (std::size_t c = 0; c < of_class.size(); ++c) branch.weight += branch.counts[c] = of_class[c];
        visit();
      });
    }

   private:
    template <bool marks>
    void count(const ClassTarget& target, std::span<const Piece> pieces, const Column& column) {
      for (Piece piece : pieces) {
        const auto row = static_cast<std::size_t>(piece.row);
        const auto place = static_cast<std::size_t>(column.code[row] + 1);
        table_.count_[place * n_classes_ + static_cast<std::size_t>(target.label[row])] += piece.weight;
        ++table_.rows_[place];
        if constexpr (marks) table_.marks_[place / 64] |= std::uint64_t{1} << place % 64;
      }
    }

    CodeCounts& table_;
    std::size_t n_classes_, n_places_ = 0;
    bool marks_ = false;  // few rows beside many codes: which of them have rows is kept as bits
  };

 private:
  void make_room(std::size_t n_places, std::size_t n_classes) {
    if (count_.size() < n_places * n_classes) count_.resize(n_places * n_classes);
    if (rows_.size() < n_places) rows_.resize(n_places);
    if (marks_.size() < n_places / 64 + 1) marks_.resize(n_places / 64 + 1);
  }
  std::vector<std::int64_t> count_;  // all zero but while it is filled
  std::vector<std::int32_t> rows_;
  std::vector<std::uint64_t> marks_;
};

// Room for the counts, kept from column to column.
struct CountRoom {
  CodeCounts table;
  Measured<ClassStats> whole;  // what scores ask of a column without gaps, beside its counts
  ClassStats branch;
  std::vector<std::int64_t> weights;  // of its branches
  CodeOrder order;
};

// Is a table of all categories by classes not much larger than the rows, or than the nearest caches?
inline bool is_countable(std::size_t n_pieces, std::int32_t n_codes, std::size_t n_classes) {
  constexpr std::size_t near = std::size_t{1} << 13;
  return static_cast<std::size_t>(n_codes + 1) * n_classes <= std::max(2 * n_pieces, near);
}

// Append a group with these class weights.
inline void push_counts(Groups<ClassStats>& groups, std::int32_t code, std::span<const std::int64_t> count,
                        std::int64_t rows) {
  std::int64_t weight = 0;
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] == 0) continue;
    groups.label.push_back(static_cast<std::int32_t>(k));
    groups.count.push_back(count[k]);
    weight += count[k];
  }
  groups.code.push_back(code);
  groups.weight.push_back(weight);
  groups.rows.push_back(rows);
  groups.start.push_back(static_cast<std::int64_t>(groups.label.size()));
}

// What `measure` gives. `all` is the sum of all pieces.
inline Measured<ClassStats> groups_of(const ClassTarget& target, const CodeCounts::Filled& counts,
                                      const ClassStats& all) {
  Measured<ClassStats> out{{}, all, target.none()};
  counts.for_each_place([&](std::size_t place) {
    if (place > 0)
      push_counts(out.groups, static_cast<std::int32_t>(place) - 1, counts.counts(place), counts.rows(place));
  });
  if (!counts.has_gaps()) return out;
  out.missing.rows = counts.rows(0);
  for (std::size_t c = 0; c < target.n_classes; ++c)
    out.missing.weight += out.missing.counts[c] = counts.counts(0)[c];
  out.known.add(out.missing, -1);
  return out;
}

inline Measured<ClassStats> measured(const ClassTarget& target, std::span<const Piece> pieces,
                                     const Column& column, const ClassStats& all, CountRoom& room) {
  if (!is_countable(pieces.size(), column.n_codes, target.n_classes))
    return measure(target, pieces, column, room.order);
  return groups_of(target, CodeCounts::Filled(room.table, target, pieces, column), all);
}
inline Measured<MomentStats> measured(const NumberTarget& target, std::span<const Piece> pieces,
                                      const Column& column, const MomentStats& all, CountRoom& room) {
  if (static_cast<std::size_t>(column.n_codes) >= 2 * pieces.size())
    return measure(target, pieces, column, room.order);
  std::vector<MomentStats> groups(static_cast<std::size_t>(column.n_codes) + 1);
  for (Piece piece : pieces)
    target.add(groups[static_cast<std::size_t>(column.code[static_cast<std::size_t>(piece.row)] + 1)], piece);
  Measured<MomentStats> out{{}, all, groups[0]};
  out.known.add(out.missing, -1);
  for (std::size_t place = 1; place < groups.size(); ++place)
    if (groups[place].rows > 0) out.groups.push(static_cast<std::int32_t>(place) - 1, groups[place]);
  return out;
}

// Other statistics are not counted.
template <class Target>
Measured<typename Target::Stats> measured(const Target& target, std::span<const Piece> pieces,
                                          const Column& column, const typename Target::Stats&,
                                          CountRoom& room) {
  return measure(target, pieces, column, room.order);
}

}  // namespace treewright
