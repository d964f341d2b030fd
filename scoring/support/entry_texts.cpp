#include "scoring/support/entry_texts.hpp"

namespace parley::scoring {
namespace {

/// Appends a reference token (RFC 6901 section 3).
std::string below(const std::string& pointer, std::string_view token) {
  std::string longer = pointer + "/";
  for (const char c : token) {
    if (c == '~') {
      longer += "~0";
    } else if (c == '/') {
      longer += "~1";
    } else {
      longer += c;
    }
  }
  return longer;
}

}  // namespace

bool for_each_text(const json::Value& value, const std::string& pointer, const TextVisitor& visit) {
  if (value.is(json::Kind::string)) return visit(pointer, value.string());
  if (value.is(json::Kind::number)) return visit(pointer, value.raw());
  if (value.is(json::Kind::object)) {
    for (const json::Value& member : value.children()) {
      if (!for_each_text(member, below(pointer, member.key()), visit)) return false;
    }
  }
  if (value.is(json::Kind::array)) {
    std::size_t index = 0;
    for (const json::Value& item : value.children()) {
      if (!for_each_text(item, below(pointer, std::to_string(index++)), visit)) return false;
    }
  }
  return true;
}

}  // namespace parley::scoring
