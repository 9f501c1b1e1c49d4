// Whole numbers of 128 bits: the compiler's own, or two words where it has none. (Clang for Windows has the
// type and not the functions that divide it.)
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>

namespace treewright {

// Two words in two's complement, with the operations that the core uses, all as the compiler's own type has
// them.
template <bool is_signed>
class TwoWords {
 public:
  constexpr TwoWords() = default;
  template <std::integral Whole>
  constexpr TwoWords(Whole value)
      : low_(static_cast<std::uint64_t>(value)), high_(value < Whole{} ? ~0ULL : 0) {}
  constexpr explicit TwoWords(TwoWords<!is_signed> other) : TwoWords(other.high(), other.low()) {}
  constexpr TwoWords(std::uint64_t high, std::uint64_t low) : low_(low), high_(high) {}

  constexpr std::uint64_t low() const { return low_; }
  constexpr std::uint64_t high() const { return high_; }
  constexpr bool is_negative() const { return is_signed && high_ >> 63 != 0; }

  template <std::integral Whole>
  constexpr explicit operator Whole() const {
    return static_cast<Whole>(low_);
  }
  // Rounded once, to the nearest, halves to even: bits beyond 64 only say whether there is more.
  explicit operator double() const {
    if (is_negative()) return -static_cast<double>(TwoWords<false>(-*this));
    if (high_ == 0) return static_cast<double>(low_);
    const int shift = 64 - std::countl_zero(high_);
    const TwoWords top = *this >> shift;
    const std::uint64_t more = top << shift == *this ? 0 : 1;
    return std::ldexp(static_cast<double>(top.low_ | more), shift);
  }

  friend constexpr bool operator==(TwoWords a, TwoWords b) { return a.low_ == b.low_ && a.high_ == b.high_; }
  friend constexpr std::strong_ordering operator<=>(TwoWords a, TwoWords b) {
    if (a.is_negative() != b.is_negative()) return b.is_negative() <=> a.is_negative();
    return a.high_ != b.high_ ? a.high_ <=> b.high_ : a.low_ <=> b.low_;
  }
  friend constexpr TwoWords operator&(TwoWords a, TwoWords b) { return {a.high_ & b.high_, a.low_ & b.low_}; }
  friend constexpr TwoWords operator+(TwoWords a, TwoWords b) {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1 : 0), low};
  }
  constexpr TwoWords operator-() const { return TwoWords(~high_, ~low_) + TwoWords(1); }
  friend constexpr TwoWords operator-(TwoWords a, TwoWords b) { return a + -b; }
  friend constexpr TwoWords operator*(TwoWords a, TwoWords b) {
    TwoWords product = product_of(a.low_, b.low_);
    product.high_ += a.high_ * b.low_ + a.low_ * b.high_;
    return product;
  }
  // Towards zero.
  friend constexpr TwoWords operator/(TwoWords a, TwoWords b) {
    const TwoWords quotient = quotient_of(a.is_negative() ? -a : a, b.is_negative() ? -b : b);
    return a.is_negative() != b.is_negative() ? -quotient : quotient;
  }
  friend constexpr TwoWords operator<<(TwoWords a, int n) {
    if (n == 0) return a;
    if (n >= 64) return {a.low_ << (n - 64), 0};
    return {a.high_ << n | a.low_ >> (64 - n), a.low_ << n};
  }
  friend constexpr TwoWords operator>>(TwoWords a, int n) {
    if (n == 0) return a;
    const std::uint64_t sign = a.is_negative() ? ~0ULL : 0;
    if (n == 64) return {sign, a.high_};
    if (n > 64) return {sign, a.high_ >> (n - 64) | sign << (128 - n)};
    return {a.high_ >> n | sign << (64 - n), a.low_ >> n | a.high_ << (64 - n)};
  }
  constexpr TwoWords& operator+=(TwoWords b) { return *this = *this + b; }
  constexpr TwoWords& operator-=(TwoWords b) { return *this = *this - b; }
  constexpr TwoWords& operator>>=(int n) { return *this = *this >> n; }

 private:
  // By halves of words.
  static constexpr TwoWords product_of(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xFFFFFFFF;
    const std::uint64_t low = (a & half) * (b & half), across = (a >> 32) * (b & half) + (low >> 32),
                        other = (a & half) * (b >> 32) + (across & half);
    return {(a >> 32) * (b >> 32) + (across >> 32) + (other >> 32), other << 32 | (low & half)};
  }
  // Bit by bit, as by hand; both without a sign.
  static constexpr TwoWords quotient_of(TwoWords a, TwoWords b) {
    const TwoWords<false> divisor(b);
    if (a.high_ == 0 && b.high_ == 0) return {0, a.low_ / b.low_};
    TwoWords<false> rest, quotient;
    for (int bit = 127; bit >= 0; --bit) {
      const bool carry = rest.high() >> 63 != 0;
      rest = rest + rest + TwoWords<false>((TwoWords<false>(a) >> bit).low() & 1);
      quotient = quotient + quotient;
      if (!carry && rest < divisor) continue;
      rest = rest - divisor;
      quotient = quotient + TwoWords<false>(1);
    }
    return TwoWords(quotient.high(), quotient.low());
  }

  std::uint64_t low_ = 0, high_ = 0;
};

#if defined(__SIZEOF_INT128__) && !defined(_MSC_VER) && !defined(TREEWRIGHT_TWO_WORDS)
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
#else
using int128 = TwoWords<true>;
using uint128 = TwoWords<false>;
#endif

}  // namespace treewright
