// The prices of the weakest-link path.
#include <algorithm>
#include <limits>
#include <utility>

#include "treewright/prune.hpp"

namespace treewright {

namespace {

// What making a node a leaf changes, at its price: the risk rises, leaves go. Entries form leftist heaps, the
// highest price on top; a heap per subtree, merged on the way up.
class Links {
 public:
  explicit Links(std::size_t n)
      : price(n), risk(n), leaves(n), left_(n, none), right_(n, none), rank_(n, 1) {}

  static constexpr std::int32_t none = -1;

  std::int32_t merged(std::int32_t a, std::int32_t b) {
    if (a == none) return b;
    if (b == none) return a;
    if (price[at(a)] < price[at(b)]) std::swap(a, b);
    right_[at(a)] = merged(right_[at(a)], b);  // as deep as the rank, the logarithm of the size
    if (rank_of(left_[at(a)]) < rank_of(right_[at(a)])) std::swap(left_[at(a)], right_[at(a)]);
    rank_[at(a)] = rank_of(right_[at(a)]) + 1;
    return a;
  }
  std::int32_t without_top(std::int32_t a) { return merged(left_[at(a)], right_[at(a)]); }

  std::vector<double> price, risk, leaves;

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::int32_t rank_of(std::int32_t i) const { return i == none ? 0 : rank_[at(i)]; }

  std::vector<std::int32_t> left_, right_, rank_;
};

}  // namespace

// The least cost of a subtree at alpha, over all its prunings, is concave and piecewise linear in alpha. At a
// high alpha the children are leaves: risk R, L leaves. Going down, the links below break in the order of
// their prices, each giving back its risk for its leaves, until the node as one leaf costs the same:
//
//     risk of the node + alpha = R + L alpha
//
// That alpha is the node's own price. Links that broke on the way go with the node, at its price.
std::vector<double> link_prices(std::span<const std::int32_t> end, std::span<const double> risk) {
  const std::size_t n = end.size();
  Links links(n);
  std::vector<std::int32_t> heap(n, Links::none);
  for (std::size_t i = n; i-- > 0;) {
    if (static_cast<std::size_t>(end[i]) == i + 1) continue;
    double below = 0, leaves = 0;
    std::int32_t top = Links::none;
    for (auto c = i + 1; c < static_cast<std::size_t>(end[i]); c = static_cast<std::size_t>(end[c])) {
      below += risk[c];
      leaves += 1;
      top = links.merged(top, heap[c]);
    }
    double price = (risk[i] - below) / (leaves - 1);
    while (top != Links::none && links.price[static_cast<std::size_t>(top)] > price) {
      const auto t = static_cast<std::size_t>(top);
      below -= links.risk[t];
      leaves += links.leaves[t];
      price = (risk[i] - below) / (leaves - 1);
      top = links.without_top(top);
    }
    links.price[i] = price;
    links.risk[i] = risk[i] - below;
    links.leaves[i] = leaves - 1;
    heap[i] = links.merged(top, static_cast<std::int32_t>(i));
  }
  std::vector<double> price(n, 0.0);
  std::vector<double> lowest(n, std::numeric_limits<double>::infinity());  // of the nodes above
  for (std::size_t i = 0; i < n; ++i) {
    if (static_cast<std::size_t>(end[i]) == i + 1) continue;
    price[i] = std::min(std::max(links.price[i], 0.0), lowest[i]);
    for (auto c = i + 1; c < static_cast<std::size_t>(end[i]); c = static_cast<std::size_t>(end[c]))
      lowest[c] = price[i];
  }
  return price;
}

}  // namespace treewright
