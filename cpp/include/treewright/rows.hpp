// Which pieces of rows each branch receives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "column.hpp"
#include "split.hpp"
#include "stats.hpp"
#include "surrogate.hpp"

namespace treewright {

// pieces = [ a b c d e f ]         a node owns its pieces
//        = [ b d | a c e f ]       its children own the parts; order inside a part is kept
struct Parts {
  std::vector<Piece> pieces;
  std::vector<std::size_t> start;   // branch b owns pieces[start[b]] .. pieces[start[b + 1] - 1]
  std::vector<std::int64_t> known;  // weight with a known value
  std::int32_t largest = 0;         // the branch with most weight, first on ties
  std::int32_t gaps = -1;  // where gaps go that nothing else places; -1: the policy has no such branch

  std::size_t size() const { return known.size(); }
  std::span<const Piece> branch(std::size_t b) const {
    return std::span(pieces).subspan(start[b], start[b + 1] - start[b]);
  }
  std::vector<std::span<const Piece>> branches() const {
    std::vector<std::span<const Piece>> all;
    for (std::size_t b = 0; b < size(); ++b) all.push_back(branch(b));
    return all;
  }
};

// Room for a division, kept from node to node.
struct DivisionRoom {
  Parts parts;
  std::vector<std::int32_t> branch;  // of each piece
  std::vector<std::size_t> next;
  std::vector<std::int64_t> weight;
};

namespace branches {

// The branch with most weight, the first of those that differ by no more than `slack`; only `with_rows` weigh
// anything.
template <class Branches>
std::int32_t heaviest_among(std::span<const std::int64_t> weight, Branches&& with_rows, std::int64_t slack) {
  std::size_t best = 0;
  for (auto b : with_rows)
    if (weight[static_cast<std::size_t>(b)] > weight[best] + slack) best = static_cast<std::size_t>(b);
  return static_cast<std::int32_t>(best);
}
inline std::int32_t heaviest(std::span<const std::int64_t> weight, std::int64_t slack) {
  return heaviest_among(weight, std::views::iota(std::size_t{0}, weight.size()), slack);
}

// Where gaps go that no test places: with most of the known rows. Surrogates leave them where they are if no
// branch is heavier than the others; other policies divide them, or know none.
inline std::int32_t of_gaps(std::span<const std::int64_t> known, const Settings& settings,
                            std::int64_t n_rows) {
  if (settings.missing == MissingPolicy::fractional || settings.missing == MissingPolicy::none) return -1;
  const std::int64_t slack = settings.weight_slack(n_rows);
  const std::int32_t best = heaviest(known, slack);
  if (settings.missing != MissingPolicy::surrogate) return best;
  if (settings.stops_unplaced) return -1;
  for (std::size_t b = 0; b < known.size(); ++b)
    if (static_cast<std::int32_t>(b) != best && known[b] + slack >= known[static_cast<std::size_t>(best)])
      return -1;
  return best;
}

}  // namespace branches

class Division {
 public:
  Division(std::span<const Column> columns, const Split& split, std::span<const Surrogate> surrogates)
      : columns_(columns), split_(split), surrogates_(surrogates) {}

  // Pieces with a known value go to their branch; gaps go where the split, a surrogate or the larger branch
  // says, or, when they are divided, to every branch that has known rows, in proportion. A gap that nothing
  // places stays at the node. What is returned lies in the room, until the next division.
  const Parts& divide(std::span<const Piece> pieces, const Settings& settings, DivisionRoom& room) const {
    const auto n = static_cast<std::size_t>(split_.n_branches);
    const auto n_pieces = static_cast<std::int64_t>(pieces.size());
    Parts& parts = room.parts;
    parts.start.assign(n + 1, 0);
    parts.known.assign(n, 0);
    room.branch.resize(pieces.size());
    bool has_gaps = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::int32_t branch = room.branch[i] = split_.branch_of(code(split_.column, pieces[i]));
      has_gaps |= branch < 0;
      if (branch < 0) continue;
      const auto b = static_cast<std::size_t>(branch);
      parts.known[b] += pieces[i].weight;
      ++parts.start[b + 1];
    }
    parts.gaps = split_.missing >= 0 ? split_.missing : branches::of_gaps(parts.known, settings, n_pieces);
    std::vector<Placed> gaps;
    for (std::size_t i = 0; has_gaps && i < pieces.size(); ++i)
      if (room.branch[i] < 0) place(pieces[i], parts, settings, gaps);
    put(pieces, gaps, room);
    room.weight = parts.known;
    for (const Placed& gap : gaps) room.weight[gap.branch] += gap.piece.weight;
    parts.largest = branches::heaviest(room.weight, settings.weight_slack(n_pieces));
    return parts;
  }
  Parts divide(std::span<const Piece> pieces, const Settings& settings) const {
    DivisionRoom room;
    divide(pieces, settings, room);
    return std::move(room.parts);
  }

 private:
  // A piece without a value, and where it goes all the same.
  struct Placed {
    std::size_t branch;
    Piece piece;
  };
  void place(Piece gap, const Parts& parts, const Settings& settings, std::vector<Placed>& placed) const {
    if (settings.missing == MissingPolicy::fractional) {
      share(gap, parts, placed);
      return;
    }
    const bool asks_surrogates = settings.missing == MissingPolicy::surrogate;
    const std::int32_t branch = asks_surrogates ? by_surrogate(gap, parts.gaps) : parts.gaps;
    if (branch >= 0) placed.push_back({static_cast<std::size_t>(branch), gap});
  }
  // All pieces, branch after branch, those without a value behind the others.
  static void put(std::span<const Piece> pieces, std::span<const Placed> gaps, DivisionRoom& room) {
    Parts& parts = room.parts;
    for (const Placed& gap : gaps) ++parts.start[gap.branch + 1];
    for (std::size_t b = 0; b < parts.size(); ++b) parts.start[b + 1] += parts.start[b];
    parts.pieces.resize(parts.start.back());
    room.next = parts.start;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (room.branch[i] >= 0)
        parts.pieces[room.next[static_cast<std::size_t>(room.branch[i])]++] = pieces[i];
    for (const Placed& gap : gaps) parts.pieces[room.next[gap.branch]++] = gap.piece;
  }
  std::int32_t code(std::int32_t column, Piece piece) const {
    return columns_[static_cast<std::size_t>(column)].code[static_cast<std::size_t>(piece.row)];
  }
  std::int32_t by_surrogate(Piece piece, std::int32_t otherwise) const {
    const std::int32_t branch = first_answer(
        surrogates_, [&](const Split& split) { return split.branch_of(code(split.column, piece)); });
    return branch >= 0 ? branch : otherwise;
  }
  // Cut the weight at the running totals of known weight, so that the shares add up to the whole exactly.
  static void share(Piece gap, const Parts& parts, std::vector<Placed>& placed) {
    int128 total = 0, running = 0;
    for (auto known : parts.known) total += known;
    std::int64_t given = 0;
    for (std::size_t b = 0; b < parts.known.size(); ++b) {
      running += parts.known[b];
      const auto upto = static_cast<std::int64_t>((gap.weight * running + total / 2) / total);
      if (upto > given) placed.push_back({b, {gap.row, upto - given}});
      given = upto;
    }
  }

  std::span<const Column> columns_;
  const Split& split_;
  std::span<const Surrogate> surrogates_;
};

}  // namespace treewright
