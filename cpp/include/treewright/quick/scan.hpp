// The walk along a sorted column: rows move from the right side to the left one by one, and the children's
// impurity is known after each in a few operations. In floating point, to find the cuts worth judging
// exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "../column.hpp"
#include "../contest.hpp"
#include "../criterion.hpp"
#include "../logs.hpp"
#include "../stats.hpp"

namespace treewright {

// A row of a small node in one column's order: rank of its value, class, and number in the block.
template <class Bits, int rank_bits, int label_bits>
struct KeyOf {
  using Word = Bits;
  static constexpr int row_bits = rank_bits;
  static constexpr std::size_t max_rows = (std::size_t{1} << row_bits) - 1;
  static constexpr std::size_t max_labels = std::size_t{1} << label_bits;
  static constexpr Word gap = static_cast<Word>(max_rows);  // the rank of a gap: behind all others

  static Word make(Word rank, Word label, Word row) {
    return static_cast<Word>((rank << (label_bits + row_bits)) | (label << row_bits) | row);
  }
  static Word rank(Word key) { return static_cast<Word>(key >> (label_bits + row_bits)); }
  static Word label(Word key) { return static_cast<Word>((key >> row_bits) & (max_labels - 1)); }
  static Word row(Word key) { return static_cast<Word>(key & max_rows); }
  static Word with_label(Word key, Word label) { return make(rank(key), label, row(key)); }
};
using ShortKey = KeyOf<std::uint32_t, 10, 12>;
using LongKey = KeyOf<std::uint64_t, 24, 16>;

// 1/n from a table.
class Reciprocals {
 public:
  double operator[](std::size_t n) const { return table_[n]; }
  void reach(std::size_t n) {
    if (table_.empty()) table_.push_back(0);
    while (table_.size() <= n) table_.push_back(1.0 / static_cast<double>(table_.size()));
  }

 private:
  std::vector<double> table_;
};

// What the rows of a block are, by their number in it.
struct BlockRows {
  std::vector<double> weight;     // empty where each counts one
  std::vector<double> deviation;  // numbers: the target less the node's centre
  std::vector<int128> whole;      // the same in whole units, for rows of any weight
  Reciprocals inverse;
};

// Two sides of a cut; each kind below has start, move, cost, and the weight on the left.

// Two classes.
template <class Criterion, class Key, bool is_weighted>
class PairSides {
 public:
  PairSides(const BlockRows& rows, const Scale& scale, std::size_t)
      : rows_(rows),
        logs_(*scale.logs),
        unit_(scale.weight_unit),
        zero_unit_(scale.class_unit(0)),
        one_unit_(scale.class_unit(1)),
        is_scaled_(!scale.class_scale.empty()) {}
  void start(const ClassStats& left, const ClassStats& right) {
    ones_ = left.counts[1];
    n_ = is_weighted ? left.weight : left.rows;
    all_ones_ = ones_ + right.counts[1];
    all_ = n_ + (is_weighted ? right.weight : right.rows);
  }
  TREEWRIGHT_INLINE void move(typename Key::Word key) {
    if constexpr (is_weighted) {
      const auto w = static_cast<std::int64_t>(rows_.weight[Key::row(key)]);
      n_ += w;
      ones_ += Key::label(key) != 0 ? w : 0;
    } else {
      ++n_;
      ones_ += static_cast<std::int64_t>(Key::label(key));
    }
  }
  TREEWRIGHT_INLINE double cost() const {
    const std::int64_t right_ones = all_ones_ - ones_, n_right = all_ - n_;
    return side_cost(n_ - ones_, ones_) + side_cost(n_right - right_ones, right_ones);
  }
  double left_weight() const { return static_cast<double>(n_) * unit_; }

 private:
  TREEWRIGHT_INLINE double side_cost(std::int64_t zeros, std::int64_t ones) const {
    if (!is_weighted && !is_scaled_)
      return Criterion::pair_cost(zeros, ones, rows_.inverse[static_cast<std::size_t>(zeros + ones)], logs_);
    const double counts[2] = {static_cast<double>(zeros) * zero_unit_, static_cast<double>(ones) * one_unit_};
    return Criterion::impurity(ClassGroup{counts, counts[0] + counts[1], logs_});
  }
  const BlockRows& rows_;
  const Logs& logs_;
  double unit_, zero_unit_, one_unit_;
  bool is_scaled_;
  std::int64_t ones_ = 0, n_ = 0, all_ones_ = 0, all_ = 0;
};

// Any number of classes, each row counting one: a row changes one term of each sum.
template <class Criterion, class Key, bool is_weighted>
class ManySides {
 public:
  ManySides(const BlockRows& rows, const Scale& scale, std::size_t n_classes)
      : rows_(rows), logs_(*scale.logs), count_(n_classes) {}
  void start(const ClassStats& left, const ClassStats& right) {
    left_sum_ = right_sum_ = 0;
    n_left_ = left.rows;
    n_right_ = right.rows;
    for (std::size_t k = 0; k < count_.size(); ++k) {
      count_[k] = {static_cast<std::int32_t>(left.counts[k]), static_cast<std::int32_t>(right.counts[k])};
      left_sum_ += Criterion::term(left.counts[k], logs_);
      right_sum_ += Criterion::term(right.counts[k], logs_);
    }
  }
  TREEWRIGHT_INLINE void move(typename Key::Word key) {
    Count& count = count_[static_cast<std::size_t>(Key::label(key))];
    left_sum_ += Criterion::step(count.left++, logs_);
    right_sum_ -= Criterion::step(--count.right, logs_);
    ++n_left_;
    --n_right_;
  }
  TREEWRIGHT_INLINE double cost() const {
    return Criterion::cost(n_left_, left_sum_, rows_.inverse[static_cast<std::size_t>(n_left_)], logs_) +
           Criterion::cost(n_right_, right_sum_, rows_.inverse[static_cast<std::size_t>(n_right_)], logs_);
  }
  double left_weight() const { return static_cast<double>(n_left_); }

 private:
  struct Count {
    std::int32_t left, right;
  };
  const BlockRows& rows_;
  const Logs& logs_;
  std::vector<Count> count_;
  typename Criterion::Sum left_sum_{}, right_sum_{};
  std::int64_t n_left_ = 0, n_right_ = 0;
};

// What the contest makes of a cut, while rows that count one each move from right to left: the squares of
// whole counts are whole numbers, so that it does not matter in which order they were added up.
class WholeSquares {
 public:
  void start(const ClassStats& node) {
    node_ = &node;
    n_left_ = left_ = right_ = 0;
    for (std::int64_t count : node.counts) right_ += count * count;
    all_ = right_;
  }
  void start_again() {
    n_left_ = left_ = 0;
    right_ = all_;
  }
  // A row of a class of which so many lie left already.
  void move(std::size_t label, std::int64_t on_left) {
    left_ += 2 * on_left + 1;
    right_ -= 2 * (node_->counts[label] - on_left) - 1;
    ++n_left_;
  }
  // Of both children, in the fixed point of the node.
  template <class Criterion>
  std::int64_t cost(const Scale& scale) const {
    return side<Criterion>(n_left_, left_, scale) + side<Criterion>(node_->rows - n_left_, right_, scale);
  }

 private:
  template <class Criterion>
  static std::int64_t side(std::int64_t total, std::int64_t squares, const Scale& scale) {
    return std::llrint(Criterion::impurity(static_cast<double>(total), static_cast<double>(squares)) *
                       scale.cost_scale);
  }
  const ClassStats* node_ = nullptr;
  std::int64_t n_left_ = 0, left_ = 0, right_ = 0, all_ = 0;
};

// Rows of any weight, classes of any scale. Sums only grow, so that a light side keeps its digits: those of
// the left side from the first row on, those of the right side from the last row back.
template <class Criterion, class Key>
class ManySides<Criterion, Key, true> {
  using Word = typename Key::Word;

 public:
  ManySides(const BlockRows& rows, const Scale& scale, std::size_t n_classes)
      : rows_(rows),
        logs_(*scale.logs),
        weight_unit_(scale.weight_unit),
        left_(n_classes),
        right_(n_classes) {
    for (std::size_t k = 0; k < n_classes; ++k) unit_.push_back(scale.class_unit(k));
  }
  void start(const ClassStats& left, const ClassStats& right) {
    fill(left_, left.counts);
    fill(right_, right.counts);
    left_side_ = sum(left_);
    right_cost_ = cost(sum(right_));
    left_weight_ = left.weight;
    moved_ = 0;
  }
  // The cost of the right side after each of the next n moves.
  void look_back(const Word* key, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) right_[label(key[i])].count -= weight(key[i]);
    for (std::size_t k = 0; k < right_.size(); ++k) set(right_[k], unit_[k]);
    Side side = sum(right_);
    right_costs_.resize(n);
    for (std::size_t i = n; i-- > 0;) {
      right_costs_[i] = cost(side);
      add(right_, side, key[i]);
    }
  }
  TREEWRIGHT_INLINE void move(Word key) {
    add(left_, left_side_, key);
    left_weight_ += weight(key);
    right_cost_ = right_costs_[moved_++];
  }
  TREEWRIGHT_INLINE double cost() const { return cost(left_side_) + right_cost_; }
  double left_weight() const { return static_cast<double>(left_weight_) * weight_unit_; }

 private:
  struct Part {
    std::int64_t count = 0;
    double real = 0, term = 0;
  };
  struct Side {
    double total = 0, terms = 0;
  };
  static std::size_t label(Word key) { return static_cast<std::size_t>(Key::label(key)); }
  std::int64_t weight(Word key) const { return static_cast<std::int64_t>(rows_.weight[Key::row(key)]); }
  void set(Part& part, double unit) const {
    part.real = static_cast<double>(part.count) * unit;
    part.term = Criterion::term(part.real, logs_);
  }
  void fill(std::vector<Part>& parts, std::span<const std::int64_t> counts) const {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      parts[k].count = counts[k];
      set(parts[k], unit_[k]);
    }
  }
  static Side sum(const std::vector<Part>& parts) {
    Side side;
    for (const Part& part : parts) {
      side.total += part.real;
      side.terms += part.term;
    }
    return side;
  }
  TREEWRIGHT_INLINE void add(std::vector<Part>& parts, Side& side, Word key) const {
    Part& part = parts[label(key)];
    const Part old = part;
    part.count += weight(key);
    set(part, unit_[label(key)]);
    side.total += part.real - old.real;
    side.terms += part.term - old.term;
  }
  double cost(Side side) const {
    return side.total > 0 ? Criterion::cost(side.total, side.terms, 1 / side.total, logs_) : 0;
  }

  const BlockRows& rows_;
  const Logs& logs_;
  double weight_unit_;
  std::vector<double> unit_, right_costs_;
  std::vector<Part> left_, right_;
  Side left_side_;
  double right_cost_ = 0;
  std::int64_t left_weight_ = 0;
  std::size_t moved_ = 0;
};

// Numbers: sums of deviations from the node's centre. Rows of any weight are added in whole units, so that a
// light side keeps its digits.
template <class Key, bool is_weighted>
class NumberSides {
  using Sum = std::conditional_t<is_weighted, int128, double>;

 public:
  NumberSides(const BlockRows& rows, const Scale& scale) : rows_(rows), scale_(scale) {}
  void start(const MomentStats& left, const MomentStats& right) {
    n_left_ = is_weighted ? left.weight : left.rows;
    n_right_ = is_weighted ? right.weight : right.rows;
    sum_left_ = centred(left);
    sum_right_ = centred(right);
  }
  TREEWRIGHT_INLINE void move(typename Key::Word key) {
    const auto row = static_cast<std::size_t>(Key::row(key));
    const std::int64_t w = is_weighted ? static_cast<std::int64_t>(rows_.weight[row]) : 1;
    n_left_ += w;
    n_right_ -= w;
    Sum deviation;
    if constexpr (is_weighted)
      deviation = rows_.whole[row];
    else
      deviation = rows_.deviation[row];
    sum_left_ += deviation;
    sum_right_ -= deviation;
  }
  TREEWRIGHT_INLINE double cost() const {
    const double left = real(sum_left_), right = real(sum_right_);
    if constexpr (is_weighted)
      return -left * left / (static_cast<double>(n_left_) * scale_.weight_unit) -
             right * right / (static_cast<double>(n_right_) * scale_.weight_unit);
    return -left * left * rows_.inverse[static_cast<std::size_t>(n_left_)] -
           right * right * rows_.inverse[static_cast<std::size_t>(n_right_)];
  }
  double left_weight() const { return static_cast<double>(n_left_) * scale_.weight_unit; }

 private:
  double real(Sum sum) const {
    if constexpr (is_weighted) return static_cast<double>(sum) * scale_.weight_unit * scale_.y_unit;
    return static_cast<double>(sum);
  }
  Sum centred(const MomentStats& stats) const {
    const int128 sum = stats.sum - static_cast<int128>(stats.weight) * scale_.centre;
    if constexpr (is_weighted)
      return sum;
    else
      return static_cast<double>(sum) * scale_.weight_unit * scale_.y_unit;
  }
  const BlockRows& rows_;
  const Scale& scale_;
  std::int64_t n_left_ = 0, n_right_ = 0;
  Sum sum_left_ = 0, sum_right_ = 0;
};

}  // namespace treewright
