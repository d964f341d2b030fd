#include "model/text/trace_parent.hpp"

#include <algorithm>

namespace parley {
namespace {

constexpr std::size_t version_00_chars = 55;

bool is_lower_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_trace_id(std::string_view text) {
  return is_lower_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::optional<TraceParent> TraceParent::read(std::string_view text) {
  if (text.size() < version_00_chars || text[2] != '-' || text[35] != '-' || text[52] != '-')
    return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  if (!is_lower_hex(version) || version == "ff") return std::nullopt;
  if (text.size() > version_00_chars && (version == "00" || text[version_00_chars] != '-'))
    return std::nullopt;
  const std::string_view trace = text.substr(3, 32);
  const std::string_view parent = text.substr(36, 16);
  const std::string_view flags = text.substr(53, 2);
  if (!is_trace_id(trace) || !is_trace_id(parent) || !is_lower_hex(flags)) return std::nullopt;
  return TraceParent{std::string(trace), std::string(parent), std::string(flags)};
}

std::string TraceParent::text() const {
  return "00-" + trace_id + "-" + parent_id + "-" + flags;
}

}  // namespace parley
