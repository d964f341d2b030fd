#include "scoring/support/numeric_compare.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace parley::scoring {
namespace {

constexpr int digits_compared = 12;

bool is_exact(double value) {
  constexpr double exact_below = 9'007'199'254'740'992;  // 2^53
  return std::abs(value) <= exact_below && value == std::trunc(value);
}

double rounded(double value) {
  std::array<char, 64> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                     std::chars_format::general, digits_compared);
  double read = value;
  std::from_chars(digits.data(), written.ptr, read);
  return read;
}

bool agree(double one, double other) {
  if (is_exact(one) && is_exact(other)) return one == other;
  return rounded(one) == rounded(other);
}

}  // namespace

double dusted(double value) {
  return is_exact(value) ? value : rounded(value);
}

bool at_most(double measured, double bound) {
  return measured <= bound || agree(measured, bound);
}

bool at_least(double measured, double bound) {
  return measured >= bound || agree(measured, bound);
}

}  // namespace parley::scoring
