// Numbers of two words against the compiler's own of 128 bits.
#include "treewright/wide.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"

using namespace treewright;

namespace {

__extension__ typedef __int128 Own;
__extension__ typedef unsigned __int128 OwnUnsigned;

template <bool is_signed>
bool is_same(TwoWords<is_signed> ours, OwnUnsigned own) {
  return ours.low() == static_cast<std::uint64_t>(own) &&
         ours.high() == static_cast<std::uint64_t>(own >> 64);
}
bool is_same_real(double a, double b) { return a == b; }

OwnUnsigned joined(std::uint64_t high, std::uint64_t low) {
  return static_cast<OwnUnsigned>(high) << 64 | low;
}

// Words at the edges, and any others, of every length.
std::vector<std::uint64_t> some_words() {
  std::vector<std::uint64_t> words{0,
                                   1,
                                   2,
                                   3,
                                   0x7FFFFFFFFFFFFFFF,
                                   0x8000000000000000,
                                   0xFFFFFFFFFFFFFFFF,
                                   0xFFFFFFFF,
                                   0x100000000,
                                   0x20000000000000,
                                   0x20000000000001,
                                   0x3FFFFFFFFFFFFF};
  check::Numbers numbers;
  for (int i = 0; i < 28; ++i) {
    std::uint64_t word = 0;
    for (int part = 0; part < 4; ++part) word = word << 16 | static_cast<std::uint64_t>(numbers.below(65536));
    words.push_back(word >> numbers.below(64));
  }
  return words;
}

struct Pair {
  TwoWords<true> ours;
  TwoWords<false> bare;
  OwnUnsigned own;
  Own with_sign() const { return static_cast<Own>(own); }
};
std::vector<Pair> pairs() {
  std::vector<Pair> all;
  const auto words = some_words();
  for (std::uint64_t high : words)
    for (std::uint64_t low : words) all.push_back({{high, low}, {high, low}, joined(high, low)});
  return all;
}

}  // namespace

TEST(numbers_of_one_word_keep_their_sign) {
  for (std::uint64_t word : some_words()) {
    const auto with_sign = static_cast<std::int64_t>(word);
    CHECK(is_same(TwoWords<true>(with_sign), static_cast<OwnUnsigned>(static_cast<Own>(with_sign))));
    CHECK(is_same(TwoWords<true>(word), word));
    CHECK(static_cast<std::int64_t>(TwoWords<true>(with_sign)) == with_sign);
    CHECK(static_cast<std::uint64_t>(TwoWords<false>(word)) == word);
  }
  CHECK(is_same(TwoWords<true>(-1), ~OwnUnsigned{0}));
}

TEST(shifts_signs_and_reals_are_the_compilers) {
  for (const Pair& a : pairs()) {
    for (int n : {0, 1, 31, 32, 63, 64, 65, 100, 127}) {
      CHECK(is_same(a.ours << n, a.own << n));
      CHECK(is_same(a.ours >> n, static_cast<OwnUnsigned>(a.with_sign() >> n)));
      CHECK(is_same(a.bare >> n, a.own >> n));
    }
    CHECK(is_same(-a.ours, 0 - a.own));
    CHECK(is_same(TwoWords<false>(a.ours), a.own));
    CHECK(is_same_real(static_cast<double>(a.ours), static_cast<double>(a.with_sign())));
    CHECK(is_same_real(static_cast<double>(a.bare), static_cast<double>(a.own)));
  }
}

TEST(sums_products_quotients_and_orders_are_the_compilers) {
  const auto all = pairs();
  check::Numbers numbers;
  for (const Pair& a : all)
    for (int i = 0; i < 40; ++i) {
      const Pair& b = all[static_cast<std::size_t>(numbers.below(static_cast<int>(all.size())))];
      CHECK(is_same(a.ours + b.ours, a.own + b.own));
      CHECK(is_same(a.ours - b.ours, a.own - b.own));
      CHECK(is_same(a.ours * b.ours, a.own * b.own));
      CHECK(is_same(a.ours & b.ours, a.own & b.own));
      CHECK((a.ours < b.ours) == (a.with_sign() < b.with_sign()));
      CHECK((a.bare < b.bare) == (a.own < b.own));
      CHECK((a.ours == b.ours) == (a.own == b.own));
      if (b.own == 0) continue;
      CHECK(is_same(a.bare / b.bare, a.own / b.own));
      if (b.own == ~OwnUnsigned{0}) continue;  // the least number divided by -1 has no quotient
      CHECK(is_same(a.ours / b.ours, static_cast<OwnUnsigned>(a.with_sign() / b.with_sign())));
    }
}

TEST(numbers_of_one_word_take_part_as_they_are) {
  TwoWords<true> sum = 0;
  const std::int64_t weight = -3;
  sum += weight * TwoWords<true>(std::int64_t{1} << 62);
  sum -= 5;
  CHECK(is_same(sum, static_cast<OwnUnsigned>(-3 * (Own{1} << 62) - 5)));
  sum >>= 2;
  CHECK(is_same(sum, static_cast<OwnUnsigned>((-3 * (Own{1} << 62) - 5) >> 2)));
  CHECK(sum < 0 && 1 > sum);
  constexpr TwoWords<true> limb = TwoWords<true>{1} << 32;
  static_assert(static_cast<std::uint64_t>(limb - 1) == 0xFFFFFFFF);
}
