// The best test of a node by cells, be they bins of a table or buckets of ranks. The edges between cells are
// scored first, in all columns; then only those cells are opened whose bound says that a cut inside may be
// better, in the most promising columns first, because what these hide may spare the others. All that is
// floating point, and may be wrong by less than a slack: whatever lies within it of the best is judged by
// integers, in the order that settles ties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace treewright {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// What a column has at the edges of its cells, and could have inside them.
struct Outlook {
  double best = nothing;   // of its cuts that were scored
  double bound = nothing;  // of those inside its cells
};

// Columns that are asked only if their bound says that they may win; the most promising first.
struct Waiting {
  double bound;
  std::uint32_t column;
};
// Ask those that may reach the floor: ask(column) gives what its best test is worth. Returns the new floor.
template <class Ask>
double ask_waiting(std::vector<Waiting>& waiting, double floor, double slack, const Ask& ask) {
  std::sort(waiting.begin(), waiting.end(),
            [](const Waiting& a, const Waiting& b) { return a.bound > b.bound; });
  for (const Waiting& next : waiting) {
    if (!(next.bound >= floor - slack)) break;
    floor = std::max(floor, ask(next.column));
  }
  waiting.clear();
  return floor;
}

// How cells are filled, bounded and opened is the way's own: quick/large.hpp, quick/drawn.hpp. Columns go by
// the numbers that a way gives them. It has
//   outlook(column)           what was seen of a column,
//   look_into(columns)        open the cells that may hide the best, and `propose` the cuts inside,
//   collect(column)           `propose` the cuts at the edges of a column that may win,
//   comes_before(one, other)  the order that settles ties,
//   judge(candidate, place)   the exact score against the best so far; true if nothing can be better.
template <class Way, class Candidate>
class CellSearch {
 protected:
  // A node whose scores may be off by so much.
  void start_node(double slack) {
    slack_ = slack;
    floor_ = nothing;
    candidates_.clear();
  }
  double floor() const { return floor_; }
  double slack() const { return slack_; }
  void raise_floor(double worth) { floor_ = std::max(floor_, worth); }
  bool may_win(double worth) const { return worth >= floor_ - slack_; }

  void propose(Candidate&& candidate) { candidates_.push_back(std::move(candidate)); }
  std::size_t n_proposed() const { return candidates_.size(); }
  const Candidate& proposed(std::size_t place) const { return candidates_[place]; }

  // Look at something as if nothing were known of other columns.
  template <class Look>
  void look_alone(const Look& look) {
    const double floor = std::exchange(floor_, nothing);
    look();
    raise_floor(floor);
  }

  // The edges of these columns are scored: find the best test.
  void settle(std::span<const std::uint32_t> columns) {
    for (std::uint32_t c : columns) raise_floor(way().outlook(c).best);
    open_cells(columns);
    for (std::uint32_t c : columns)
      if (const double best = way().outlook(c).best; best > nothing && may_win(best)) way().collect(c);
    std::erase_if(candidates_, [&](const Candidate& one) { return !may_win(one.worth); });
    std::sort(candidates_.begin(), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) { return way().comes_before(a, b); });
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (way().judge(candidates_[i], i)) break;
  }

 private:
  Way& way() { return static_cast<Way&>(*this); }

  // The most promising column by itself: what it hides may spare the others.
  void open_cells(std::span<const std::uint32_t> columns) {
    promising_.clear();
    for (std::uint32_t c : columns)
      if (const double bound = way().outlook(c).bound; bound > nothing && may_win(bound))
        promising_.push_back(c);
    if (promising_.empty()) return;
    std::sort(promising_.begin(), promising_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double one = way().outlook(a).bound, other = way().outlook(b).bound;
      return one != other ? one > other : a < b;
    });
    const std::span<const std::uint32_t> all(promising_);
    way().look_into(all.first(1));
    way().look_into(all.subspan(1));
  }

  double floor_ = nothing, slack_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> promising_;
};

}  // namespace treewright
