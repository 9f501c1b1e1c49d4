// The walk along a sorted column: rows move from the right side to the left one by one, and the children's
// impurity is known after each in a few operations. In floating point, to find the cuts worth judging
// exactly.
#pragma once

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
  PairSides(const BlockRows& rows, const Logs& logs, double unit, std::size_t)
      : rows_(rows), logs_(logs), unit_(unit) {}
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
    if constexpr (std::is_same_v<Criterion, Gini> && !is_weighted) {
      const std::int64_t right_ones = all_ones_ - ones_, n_right = all_ - n_;
      return 2 * (static_cast<double>(ones_ * (n_ - ones_)) * rows_.inverse[static_cast<std::size_t>(n_)] +
                  static_cast<double>(right_ones * (n_right - right_ones)) *
                      rows_.inverse[static_cast<std::size_t>(n_right)]);
    }
    const double left[2] = {real(n_ - ones_), real(ones_)},
                 right[2] = {real(all_ - n_ - (all_ones_ - ones_)), real(all_ones_ - ones_)};
    return Criterion::impurity(ClassGroup{left, left[0] + left[1], logs_}) +
           Criterion::impurity(ClassGroup{right, right[0] + right[1], logs_});
  }
  double left_weight() const { return real(n_); }

 private:
  double real(std::int64_t n) const {
    if constexpr (is_weighted) return static_cast<double>(n) * unit_;
    return static_cast<double>(n);
  }
  const BlockRows& rows_;
  const Logs& logs_;
  double unit_;
  std::int64_t ones_ = 0, n_ = 0, all_ones_ = 0, all_ = 0;
};

// Any number of classes, each row counting one: a row changes one term of each sum.
template <class Criterion, class Key, bool is_weighted>
class ManySides {
 public:
  ManySides(const BlockRows& rows, const Logs& logs, double, std::size_t n_classes)
      : rows_(rows), logs_(logs), count_(n_classes) {}
  void start(const ClassStats& left, const ClassStats& right) {
    left_sum_ = right_sum_ = 0;
    n_left_ = left.rows;
    n_right_ = right.rows;
    for (std::size_t k = 0; k < count_.size(); ++k) {
      count_[k] = {static_cast<std::int32_t>(left.counts[k]), static_cast<std::int32_t>(right.counts[k])};
      left_sum_ += term(count_[k].left);
      right_sum_ += term(count_[k].right);
    }
  }
  TREEWRIGHT_INLINE void move(typename Key::Word key) {
    Count& count = count_[static_cast<std::size_t>(Key::label(key))];
    left_sum_ += step(count.left++);
    right_sum_ -= step(--count.right);
    ++n_left_;
    --n_right_;
  }
  TREEWRIGHT_INLINE double cost() const {
    if constexpr (std::is_same_v<Criterion, Gini>)
      return static_cast<double>(n_left_ + n_right_) -
             static_cast<double>(left_sum_) * rows_.inverse[static_cast<std::size_t>(n_left_)] -
             static_cast<double>(right_sum_) * rows_.inverse[static_cast<std::size_t>(n_right_)];
    else
      return term(n_left_) - left_sum_ + term(n_right_) - right_sum_;
  }
  double left_weight() const { return static_cast<double>(n_left_); }

 private:
  struct Count {
    std::int32_t left, right;
  };
  using Sum = std::conditional_t<std::is_same_v<Criterion, Gini>, std::int64_t, double>;
  Sum term(std::int64_t n) const {
    if constexpr (std::is_same_v<Criterion, Gini>)
      return n * n;
    else
      return logs_.n_log_n(static_cast<double>(n));
  }
  // term(n + 1) - term(n)
  Sum step(std::int64_t n) const {
    if constexpr (std::is_same_v<Criterion, Gini>)
      return 2 * n + 1;
    else
      return term(n + 1) - term(n);
  }
  const BlockRows& rows_;
  const Logs& logs_;
  std::vector<Count> count_;
  Sum left_sum_{}, right_sum_{};
  std::int64_t n_left_ = 0, n_right_ = 0;
};

// Rows of any weight: the sums are taken anew at each cut, so that a light side keeps its digits.
template <class Criterion, class Key>
class ManySides<Criterion, Key, true> {
 public:
  ManySides(const BlockRows& rows, const Logs& logs, double unit, std::size_t n_classes)
      : rows_(rows), logs_(logs), unit_(unit), left_(n_classes), right_(n_classes) {}
  void start(const ClassStats& left, const ClassStats& right) {
    for (std::size_t k = 0; k < left_.size(); ++k) {
      left_[k] = static_cast<double>(left.counts[k]) * unit_;
      right_[k] = static_cast<double>(right.counts[k]) * unit_;
    }
    n_left_ = static_cast<double>(left.weight) * unit_;
    n_right_ = static_cast<double>(right.weight) * unit_;
  }
  TREEWRIGHT_INLINE void move(typename Key::Word key) {
    const auto k = static_cast<std::size_t>(Key::label(key));
    const double w = rows_.weight[Key::row(key)] * unit_;
    left_[k] += w;
    right_[k] -= w;
    n_left_ += w;
    n_right_ -= w;
  }
  TREEWRIGHT_INLINE double cost() const {
    return Criterion::impurity(ClassGroup{left_, n_left_, logs_}) +
           Criterion::impurity(ClassGroup{right_, n_right_, logs_});
  }
  double left_weight() const { return n_left_; }

 private:
  const BlockRows& rows_;
  const Logs& logs_;
  double unit_;
  std::vector<double> left_, right_;
  double n_left_ = 0, n_right_ = 0;
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
