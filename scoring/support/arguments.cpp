#include "scoring/support/arguments.hpp"

#include <algorithm>
#include <cmath>

#include "model/json/json_number.hpp"
#include "scoring/support/numeric_compare.hpp"

namespace parley::scoring {
namespace {

bool is_compared(const ExpectedArguments& expected, std::string_view key) {
  return !expected.keys ||
         std::find(expected.keys->begin(), expected.keys->end(), key) != expected.keys->end();
}

/// Whether each compared member of `of` agrees with the member of the same name in `in`, or with its default.
bool all_found(const json::Value& of, const json::Value& in, const ExpectedArguments& expected, bool partly) {
  for (const json::Value& member : of.children()) {
    if (!is_compared(expected, member.key())) continue;
    auto other = in.find(member.key());
    if (!other && expected.defaults) other = expected.defaults->find(member.key());
    if (!other || !agrees(member, *other, {partly, expected.tolerance})) return false;
  }
  return true;
}

bool match(const json::Value& call, const ExpectedArguments& expected) {
  if (!call.is(json::Kind::object)) return false;
  switch (expected.mode) {
    case ArgumentMode::partial: return all_found(expected.arguments, call, expected, true);
    case ArgumentMode::exact:
      return all_found(expected.arguments, call, expected, false) &&
             all_found(call, expected.arguments, expected, false);
    case ArgumentMode::within: return all_found(call, expected.arguments, expected, false);
  }
  return false;
}

/// Calls `read` with the arguments of the call and returns its result. Absent arguments are `{}`. A string is
/// the JSON that it contains, or the string itself if it is not JSON.
template <class Read>
auto with_arguments(const json::Value& metadata, const Read& read) {
  const auto given = metadata.find("arguments");
  const bool is_absent = !given || given->is(json::Kind::null);
  if (!is_absent && !given->is(json::Kind::string)) return read(*given);
  const auto document = json::parse(is_absent ? "{}" : given->string(), json::outside);
  return read(document.ok() ? document.value().root() : *given);
}

}  // namespace

bool agrees(const json::Value& one, const json::Value& other, const Agreement& how) {
  if (one.is(json::Kind::object) && other.is(json::Kind::object)) {
    if (!how.partly && one.size() != other.size()) return false;
    for (const json::Value& member : one.children()) {
      const auto found = other.find(member.key());
      if (!found || !agrees(member, *found, how)) return false;
    }
    return true;
  }
  if (one.is(json::Kind::array) && other.is(json::Kind::array)) {
    const auto left = one.children();
    const auto right = other.children();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](const json::Value& a, const json::Value& b) { return agrees(a, b, how); });
  }
  if (how.tolerance > 0 && one.is(json::Kind::number) && other.is(json::Kind::number)) {
    return at_most(std::abs(one.number() - other.number()), how.tolerance);
  }
  return json::equal(one, other);
}

bool is_less(const json::Value& a, const json::Value& b) {
  if (!a.is(json::Kind::number) || !b.is(json::Kind::number)) return false;
  return json::is_less_number(a.raw(), b.raw());
}

bool is_part_of(const json::Value& part, const json::Value& whole) {
  return agrees(part, whole, {true, 0});
}

bool arguments_match(const json::Value& metadata, const ExpectedArguments& expected) {
  if (expected.keys && expected.keys->empty()) return true;
  return with_arguments(metadata, [&](const json::Value& call) { return match(call, expected); });
}

std::string canonical_arguments(const json::Value& metadata) {
  return with_arguments(metadata, [](const json::Value& call) { return json::canonical(call); });
}

}  // namespace parley::scoring
