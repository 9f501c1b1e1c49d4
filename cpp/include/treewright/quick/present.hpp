// The classes that the rows of a small node have, numbered from 0: below the root most of many classes are
// gone, and what is kept of a node and of a cut has one number for each class that is left.
//
//   classes of the table   0 1 2 3 4 5 6 7        in a block   1 4 6       in a node of it   1 6
//   numbered here            .     .   .                       0 1 2                         0 1
//
// Their order stays, and a class without rows adds nothing to any sum: scores are the same, bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../open.hpp"
#include "input.hpp"

namespace treewright {

// Numbers have no classes.
template <class Target>
class Present {
 public:
  explicit Present(const Input<Target>& input) : input_(input) {}
  const Input<Target>& input() const { return input_; }
  void load(std::span<const std::uint32_t>, OpenNode<MomentStats>&) {}
  bool leave_to(const OpenNode<MomentStats>&) { return false; }
  bool is_worth_it(const OpenNode<MomentStats>&) const { return false; }
  std::span<const std::int32_t> number(OpenNode<MomentStats>&) { return {}; }
  void set_label(std::uint32_t, std::int32_t) {}
  void take_after(OpenNode<MomentStats>&, const OpenNode<MomentStats>&) const {}
  void widen(MomentStats&) const {}
  void widen(OpenNode<MomentStats>&) const {}
  std::span<const std::int32_t> classes() const { return {}; }

 private:
  const Input<Target>& input_;
};

template <>
class Present<ClassTarget> {
  using Open = OpenNode<ClassStats>;

 public:
  explicit Present(const Input<ClassTarget>& input)
      : whole_(input),
        settings_(input.settings),
        own_(input.columns, settings_, input.target, input.weights, input.logs, input.choice),
        label_(serves() ? new std::int32_t[input.target.label.size()] : nullptr),
        number_(serves() ? input.n_classes() : 0) {
    settings_.costs.clear();  // nobody asks for them here
    if (!serves()) return;
    own_.target.n_declared = input.n_classes();
    own_.target.label = {label_.get(), input.target.label.size()};
  }
  Present(const Present&) = delete;
  Present& operator=(const Present&) = delete;

  // The table and its settings, with classes as they are numbered at the node at hand.
  const Input<ClassTarget>& input() const { return own_; }

  // Begin with the rows of a block.
  void load(std::span<const std::uint32_t> rows, Open& root) {
    own_.table = whole_.table;
    if (!serves()) return;
    numberings_.clear();
    number(root);
    for (std::uint32_t row : rows) label_[row] = number_[static_cast<std::size_t>(whole_.target.label[row])];
  }
  // Go to a node that was opened before; true where it numbers classes in another way than the last.
  bool leave_to(const Open& open) {
    if (!serves() || open.numbering + 1 == numberings_.size()) return false;
    numberings_.resize(open.numbering + 1);
    use_last();
    return true;
  }
  // Has the node lost half of the classes that are numbered?
  bool is_worth_it(const Open& open) const {
    if (!serves() || own_.n_classes() <= few) return false;
    std::size_t n = 0;
    for (std::int64_t count : open.opening.stats.counts) n += count != 0;
    return 2 * n <= own_.n_classes();
  }
  // Number the classes of a node anew; returns the new number of each old one.
  std::span<const std::int32_t> number(Open& open) {
    ClassStats& stats = open.opening.stats;
    Numbering next;
    for (std::size_t k = 0; k < stats.counts.size(); ++k) {
      if (stats.counts[k] == 0) continue;
      number_[k] = static_cast<std::int32_t>(next.classes.size());
      stats.counts[next.classes.size()] = stats.counts[k];
      next.classes.push_back(numberings_.empty() ? static_cast<std::int32_t>(k) : classes()[k]);
      if (!whole_.settings.class_scale.empty())
        next.scale.push_back(whole_.settings.class_scale[static_cast<std::size_t>(next.classes.back())]);
    }
    stats.counts.resize(next.classes.size());
    numberings_.push_back(std::move(next));
    open.numbering = numberings_.size() - 1;
    use_last();
    open.opening.scale.class_scale = numberings_.back().scale;
    return number_;
  }
  void set_label(std::uint32_t row, std::int32_t label) { label_[row] = label; }

  // A child numbers classes as its parent does.
  void take_after(Open& child, const Open& parent) const {
    child.numbering = parent.numbering;
    if (serves()) child.opening.scale.class_scale = numberings_.back().scale;
  }
  // By all classes of the table.
  void widen(ClassStats& stats) const {
    if (!serves()) return;
    std::vector<std::int64_t> counts(whole_.n_classes());
    for (std::size_t k = 0; k < stats.counts.size(); ++k)
      counts[static_cast<std::size_t>(classes()[k])] = stats.counts[k];
    stats.counts = std::move(counts);
  }
  void widen(Open& open) const {
    widen(open.opening.stats);
    open.opening.scale.class_scale = whole_.settings.class_scale;
  }
  // What the classes are called in the table; none where each has its own number.
  std::span<const std::int32_t> classes() const {
    return numberings_.empty() ? std::span<const std::int32_t>() : numberings_.back().classes;
  }

 private:
  static constexpr std::size_t few = 4;
  // The classes with a number here, in order, and their factors where there are any.
  struct Numbering {
    std::vector<std::int32_t> classes;
    std::vector<double> scale;
  };

  bool serves() const { return whole_.n_classes() > few; }
  void use_last() {
    own_.target.n_classes = numberings_.back().classes.size();
    settings_.class_scale = numberings_.back().scale;
  }

  const Input<ClassTarget>& whole_;
  Settings settings_;  // with the factors of the classes that are here
  Input<ClassTarget> own_;
  std::unique_ptr<std::int32_t[]> label_;  // by row of the table; of rows in the block
  std::vector<std::int32_t> number_;
  std::vector<Numbering> numberings_;  // of the node at hand and those above it that numbered anew
};

}  // namespace treewright
