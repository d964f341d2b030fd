#include "scoring/arguments.hpp"

#include <algorithm>

namespace parley::scoring {
namespace {

using Agree = bool (*)(const json::Value&, const json::Value&);

bool is_compared(const ExpectedArguments& expected, std::string_view key) {
  return !expected.keys ||
         std::find(expected.keys->begin(), expected.keys->end(), key) != expected.keys->end();
}

/// True when each compared member of `of` has a member of that name in `in` that agrees with it.
bool all_found(const json::Value& of, const json::Value& in, const ExpectedArguments& expected, Agree agree) {
  for (const json::Value& member : of.children()) {
    if (!is_compared(expected, member.key())) continue;
    const auto other = in.find(member.key());
    if (!other || !agree(member, *other)) return false;
  }
  return true;
}

bool match(const json::Value& call, const ExpectedArguments& expected) {
  if (!call.is(json::Kind::object)) return false;
  switch (expected.mode) {
    case ArgumentMode::partial: return all_found(expected.arguments, call, expected, is_part_of);
    case ArgumentMode::exact:
      return all_found(expected.arguments, call, expected, json::equal) &&
             all_found(call, expected.arguments, expected, json::equal);
    case ArgumentMode::within: return all_found(call, expected.arguments, expected, json::equal);
  }
  return false;
}

}  // namespace

bool is_part_of(const json::Value& part, const json::Value& whole) {
  if (part.is(json::Kind::object) && whole.is(json::Kind::object)) {
    for (const json::Value& member : part.children()) {
      const auto other = whole.find(member.key());
      if (!other || !is_part_of(member, *other)) return false;
    }
    return true;
  }
  if (part.is(json::Kind::array) && whole.is(json::Kind::array)) {
    const auto left = part.children();
    const auto right = whole.children();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), is_part_of);
  }
  return json::equal(part, whole);
}

bool arguments_match(const json::Value& metadata, const ExpectedArguments& expected) {
  if (expected.keys && expected.keys->empty()) return true;
  const auto call = metadata.find("arguments");
  const bool is_absent = !call || call->is(json::Kind::null);
  if (!is_absent && !call->is(json::Kind::string)) return match(*call, expected);
  const auto document = json::parse(is_absent ? "{}" : call->string());
  return document.ok() && match(document.value().root(), expected);
}

}  // namespace parley::scoring
