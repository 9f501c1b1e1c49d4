#include "treewright/walk.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

namespace treewright {

Layout::Layout(const RouteTree& tree)
    : tree_(tree),
      steps_(tree.end.size() + 1),
      origin_(tree.end.size() + 1, -1),
      gap_place_(tree.end.size() + 1),
      detour_(static_cast<std::int32_t>(tree.end.size())) {
  std::vector<std::int32_t> place(tree.end.size(), root);
  std::int32_t next = root + 1;
  for (std::size_t i = 0; i < tree.end.size(); ++i) {  // parents come before their children
    const std::int32_t mine = place[i], first = next;
    for (auto c = static_cast<std::int32_t>(i) + 1; c < tree.end[i];
         c = tree.end[static_cast<std::size_t>(c)])
      place[static_cast<std::size_t>(c)] = next++;
    origin_[static_cast<std::size_t>(mine)] = static_cast<std::int32_t>(i);
    Step& step = steps_[static_cast<std::size_t>(mine)];
    if (tree.kind[i] == 0) {
      step = {.cut = 0, .column = leaf, .next = mine};
    } else if (tree.kind[i] == sum_kind) {
      step = {.cut = tree.cut[i], .column = several, .next = first};
      gap_place_[static_cast<std::size_t>(mine)] = on_gap(i, first);
    } else if (tree.is_coded[static_cast<std::size_t>(tree.column[i])] == 0) {
      step = {.cut = tree.cut[i], .column = tree.column[i], .next = first};
      gap_place_[static_cast<std::size_t>(mine)] = on_gap(i, first);
    } else {
      place_codes(i, first, step);
    }
  }
  steps_.back() = {.cut = 0, .column = leaf, .next = detour_};
  note_asked();
}

void Layout::note_asked() {
  std::vector<std::uint8_t> is_asked(tree_.is_coded.size());
  for (std::int32_t column : tree_.column)
    if (column >= 0) is_asked[static_cast<std::size_t>(column)] = 1;
  if (!tree_.term_start.empty())  // terms of other trees may lie around those of this one
    for (auto k = tree_.term_start.front(); k < tree_.term_start.back(); ++k)
      is_asked[static_cast<std::size_t>(tree_.term_column[static_cast<std::size_t>(k)])] = 1;
  for (std::size_t c = 0; c < is_asked.size(); ++c)
    if (is_asked[c] != 0) (tree_.is_coded[c] == 0 ? asked_numbers_ : asked_codes_).push_back(c);
}

void Layout::place_codes(std::size_t i, std::int32_t first, Step& step) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (slots_.size() > most) throw std::invalid_argument("the tree tests too many categories");
  const std::int32_t unseen = on_unseen(i, first);
  step.column = -2 - tree_.column[i];
  step.next = static_cast<std::int32_t>(slots_.size());
  slots_.push_back(on_gap(i, first));
  slots_.push_back(unseen);
  if (tree_.kind[i] == 1) {
    place_rank_cut(tree_.cut[i], first, step);
    return;
  }
  const auto begin = static_cast<std::size_t>(tree_.code_start[i]);
  const auto end = static_cast<std::size_t>(tree_.code_start[i + 1]);
  const std::int64_t low = begin == end ? 0 : tree_.code[begin];
  const std::int64_t width = begin == end ? 0 : tree_.code[end - 1] - low + 1;
  // A slot per code, known or not, while that is not many more than the codes the tree keeps anyway.
  if (width > 32 + 2 * static_cast<std::int64_t>(end - begin)) {
    place_search(first, step);
  } else {
    step.range = {static_cast<std::int32_t>(low), static_cast<std::int32_t>(width)};
    slots_.insert(slots_.end(), static_cast<std::size_t>(width) + 2, unseen);
    std::int32_t* of_low = &slots_[static_cast<std::size_t>(step.next) + 3];
    for (std::size_t k = begin; k < end; ++k) of_low[tree_.code[k] - low] = first + tree_.code_branch[k];
  }
}

// An ordinal column is cut by rank: its codes below the range go left, those above go right.
void Layout::place_rank_cut(double cut, std::int32_t first, Step& step) {
  const bool is_all = cut >= std::numeric_limits<std::int32_t>::max(), is_none = cut < 0;
  step.range = {is_all || is_none ? 0 : static_cast<std::int32_t>(cut) + 1, 0};
  slots_.push_back(first);
  slots_.push_back(is_all ? first : first + 1);
}

// Far apart codes are looked up in the tree; behind the two slots stands the place of branch 0.
void Layout::place_search(std::int32_t first, Step& step) {
  step.range = {0, -1};
  slots_.push_back(first);
}

std::int32_t Layout::on_gap(std::size_t i, std::int32_t first) const {
  if (tree_.gap != Detour::branch) return detour_;
  return first + (tree_.missing[i] < 0 ? tree_.largest[i] : tree_.missing[i]);
}

std::int32_t Layout::on_unseen(std::size_t i, std::int32_t first) const {
  if (tree_.unseen == Detour::as_missing) return on_gap(i, first);
  return tree_.unseen == Detour::branch ? first + tree_.largest[i] : detour_;
}

std::int32_t Layout::search(std::int32_t place, std::int32_t code, const std::int32_t* slots) const {
  const auto i = static_cast<std::size_t>(origin_[static_cast<std::size_t>(place)]);
  const auto first = tree_.code.begin() + tree_.code_start[i],
             last = tree_.code.begin() + tree_.code_start[i + 1];
  const auto found = std::lower_bound(first, last, code);
  if (found == last || *found != code) return slots[1];
  return slots[2] + tree_.code_branch[static_cast<std::size_t>(found - tree_.code.begin())];
}

// Cache misses (memory latency): a row waits for memory most of its way. So several rows go one step each in
// turn, and a lane whose row has arrived takes the next: nobody waits for the longest way, as in lockstep.
template <class T>
class Layout::Lanes {
 public:
  static constexpr std::size_t line = 64, block = 256;  // bytes that memory gives at once; rows read ahead
  static constexpr std::size_t large = 2048;            // nodes: 32 KiB
  static constexpr std::size_t n = 8;  // of 4, 6, 8, 12 and 16 the fastest, for small trees and large

  Lanes(const Layout& layout, const RouteColumns<T>& columns, std::size_t end, std::span<std::int32_t> node,
        std::vector<std::size_t>& odd)
      : layout_(layout),
        columns_(columns),
        rows_per_line_(
            columns.step == 0 ? 1 : line / sizeof(T) / static_cast<std::size_t>(std::abs(columns.step))),
        end_(end),
        node_(node),
        odd_(odd) {}

  void walk_one_by_one(std::size_t row) {
    for (; row < end_; ++row) arrive(row, to_leaf(root, row));
  }

  // At least n rows. Spelled out for each lane, so that the processor sees n independent chains of loads.
  template <std::size_t... lane>
  void walk(std::size_t row, std::index_sequence<lane...>) {
    next_ = row;
    read_ = layout_.steps_.size() < large ? end_ : row;
    (take_next<lane>(), ...);
    while ((advance<lane>() && ...)) {
    }
  }

 private:
  template <std::size_t lane>
  bool advance() {
    const Step& step = steps_[place_[lane]];
    if (step.column >= 0) [[likely]] {
      place_[lane] = past_cut(step, place_[lane], number_[step.column][cell_[lane]]);
      return true;
    }
    if (step.column != leaf) {
      place_[lane] = past_codes(step, place_[lane], row_[lane]);
      return true;
    }
    arrive(row_[lane], place_[lane]);
    if (next_ == end_) {
      finish_all_but(lane);
      return false;
    }
    take_next<lane>();
    return true;
  }

  template <std::size_t lane>
  void take_next() {
    if (next_ == read_) [[unlikely]]
      read_ahead();
    row_[lane] = next_++;
    cell_[lane] = static_cast<std::int64_t>(row_[lane]) * columns_.step;
    place_[lane] = root;
  }

  // Touch the next rows, one column after the other, where the cells of a column lie side by side: memory is
  // slow with as many streams as columns. On 100,000 rows x 20 columns of float64 this halved the time of a
  // tree of 27,000 nodes; a tree that fits in the nearest cache has time to wait. (Prefetch instructions did
  // nothing.)
  void read_ahead() {
    const std::size_t begin = read_;
    read_ = std::min(begin + block, end_);
    if (rows_per_line_ > 1)
      for (std::size_t c : layout_.asked_numbers_)
        for (std::size_t row = begin; row < read_; row += rows_per_line_)
          touch(columns_.number[c] + static_cast<std::int64_t>(row) * columns_.step);
    for (std::size_t c : layout_.asked_codes_)
      for (std::size_t row = begin; row < read_; row += line / sizeof(std::int32_t))
        touch(columns_.code[c] + row);
  }
  template <class Cell>
  static void touch(const Cell* cell) {
    static_cast<void>(*static_cast<const volatile Cell*>(cell));
  }

  void finish_all_but(std::size_t arrived) {
    for (std::size_t lane = 0; lane < n; ++lane)
      if (lane != arrived) arrive(row_[lane], to_leaf(place_[lane], row_[lane]));
  }

  std::int32_t to_leaf(std::int32_t place, std::size_t row) const {
    for (;;) {
      const Step& step = steps_[place];
      if (step.column == leaf) return place;
      place = step.column >= 0
                  ? past_cut(step, place, columns_.number_at(static_cast<std::size_t>(step.column), row))
                  : past_codes(step, place, row);
    }
  }

  std::int32_t past_cut(const Step& step, std::int32_t place, double x) const {
    if (x != x) [[unlikely]]
      return layout_.gap_place_[static_cast<std::size_t>(place)];
    return step.next + static_cast<std::int32_t>(x > step.cut);
  }

  // An unseen category in a sum takes the detour: it is rare, and the slow walker knows what to do.
  std::int32_t past_sum(const Step& step, std::int32_t place, std::size_t row) const {
    const auto node = static_cast<std::size_t>(layout_.origin_[static_cast<std::size_t>(place)]);
    const Sum sum = sum_at(layout_.tree_, columns_, node, row);
    if (sum.is_unseen) [[unlikely]]
      return layout_.detour_;
    if (sum.is_gap) [[unlikely]]
      return layout_.gap_place_[static_cast<std::size_t>(place)];
    return step.next + static_cast<std::int32_t>(sum.value > step.cut);
  }

  // The slots of a node on codes: gap, unseen, below its range, the codes of the range, above it.
  std::int32_t past_codes(const Step& step, std::int32_t place, std::size_t row) const {
    if (step.column == several) return past_sum(step, place, row);
    const std::int32_t code = columns_.code[static_cast<std::size_t>(-2 - step.column)][row];
    const std::int32_t* slots = layout_.slots_.data() + step.next;
    if (code < 0) return slots[code == gap_code ? 0 : 1];
    if (step.range.width < 0) return layout_.search(place, code, slots);
    return slots[3 + std::clamp(code - step.range.low, -1, step.range.width)];
  }

  void arrive(std::size_t row, std::int32_t place) {
    node_[row] = layout_.origin_[static_cast<std::size_t>(place)];
    if (node_[row] < 0) [[unlikely]]
      odd_.push_back(row);
  }

  const Layout& layout_;
  const RouteColumns<T>& columns_;
  const Step* steps_ = layout_.steps_.data();
  const T* const* number_ = columns_.number.data();
  std::array<std::size_t, n> row_;
  std::array<std::int64_t, n> cell_;  // of the row, counted from the start of a column of numbers
  std::array<std::int32_t, n> place_;
  std::size_t next_ = 0, read_ = 0;
  const std::size_t rows_per_line_;
  const std::size_t end_;
  std::span<std::int32_t> node_;
  std::vector<std::size_t>& odd_;
};

template <class T>
void Layout::walk(const RouteColumns<T>& columns, std::size_t begin, std::size_t end,
                  std::span<std::int32_t> node, std::vector<std::size_t>& odd) const {
  Lanes<T> lanes(*this, columns, end, node, odd);
  if (end - begin < Lanes<T>::n)
    lanes.walk_one_by_one(begin);
  else
    lanes.walk(begin, std::make_index_sequence<Lanes<T>::n>{});
}

template void Layout::walk(const RouteColumns<float>&, std::size_t, std::size_t, std::span<std::int32_t>,
                           std::vector<std::size_t>&) const;
template void Layout::walk(const RouteColumns<double>&, std::size_t, std::size_t, std::span<std::int32_t>,
                           std::vector<std::size_t>&) const;

}  // namespace treewright
