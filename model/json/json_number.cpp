#include "model/json/json_number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace parley::json {
namespace {

/// Sign, digits without leading and trailing zeros, and the power of ten of the last digit. Zero has no
/// digits.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
  bool operator==(const Decimal&) const = default;
};

Decimal decimal_of(std::string_view text) {
  Decimal value;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '-') {
    value.negative = true;
    at = 1;
  }
  bool after_dot = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      after_dot = true;
      continue;
    }
    if (!(value.digits.empty() && text[at] == '0')) value.digits += text[at];
    if (after_dot) --value.exponent;
  }
  if (at < text.size()) {
    // strtoll saturates; clamped so that the sum below cannot overflow.
    const std::string written(text.substr(at + 1));
    constexpr long long far = 1'000'000'000'000;
    value.exponent += std::clamp(std::strtoll(written.c_str(), nullptr, 10), -far, far);
  }
  while (!value.digits.empty() && value.digits.back() == '0') {
    value.digits.pop_back();
    ++value.exponent;
  }
  if (value.digits.empty()) return {};
  return value;
}

/// Whether |a| < |b|. Needs: neither is zero. The exponents of the first digits are compared first. If they
/// are equal, the digits are compared as text from the left: no digits end in a zero, so if one text begins
/// with the other, the longer one is greater.
bool is_smaller(const Decimal& a, const Decimal& b) {
  const std::int64_t reach_a = a.exponent + static_cast<std::int64_t>(a.digits.size());
  const std::int64_t reach_b = b.exponent + static_cast<std::int64_t>(b.digits.size());
  return reach_a != reach_b ? reach_a < reach_b : a.digits < b.digits;
}

int sign_of(const Decimal& value) {
  if (value.digits.empty()) return 0;
  return value.negative ? -1 : 1;
}

}  // namespace

double to_double(std::string_view number) {
  const std::string text(number);
  return std::strtod(text.c_str(), nullptr);
}

std::optional<std::int64_t> to_integer(std::string_view number) {
  Decimal value = decimal_of(number);
  if (value.digits.empty()) return 0;
  if (value.exponent < 0 || value.exponent > 18 || value.digits.size() > 19) return std::nullopt;
  std::string text = value.negative ? "-" : "";
  text += value.digits;
  text.append(static_cast<std::size_t>(value.exponent), '0');
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return whole;
}

bool same_number(std::string_view a, std::string_view b) {
  // -0 and 0 are one number.
  return a == b || decimal_of(a) == decimal_of(b);
}

std::string canonical_number(std::string_view number) {
  const Decimal value = decimal_of(number);
  return (value.negative ? "-" : "") + value.digits + "e" + std::to_string(value.exponent);
}

std::string without_exponent(std::string_view number) {
  constexpr std::int64_t zeros_max = 40;
  if (number.find_first_of("eE") == std::string_view::npos) return std::string(number);
  auto [negative, digits, exponent] = decimal_of(number);
  if (digits.empty()) return "0";
  if (exponent > zeros_max || exponent < -zeros_max) return std::string(number);
  if (exponent >= 0) {
    digits.append(static_cast<std::size_t>(exponent), '0');
  } else {
    const auto places = static_cast<std::size_t>(-exponent);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, 1, '.');
  }
  return (negative ? "-" : "") + digits;
}

bool is_less_number(std::string_view a, std::string_view b) {
  const Decimal left = decimal_of(a);
  const Decimal right = decimal_of(b);
  if (sign_of(left) != sign_of(right)) return sign_of(left) < sign_of(right);
  if (sign_of(left) == 0) return false;
  return left.negative ? is_smaller(right, left) : is_smaller(left, right);
}

bool is_whole_number(std::string_view number) {
  return decimal_of(number).exponent >= 0;  // zero has no digits and no exponent
}

}  // namespace parley::json
