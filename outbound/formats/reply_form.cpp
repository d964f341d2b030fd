#include "outbound/formats/reply_form.hpp"

#include <algorithm>
#include <array>

namespace parley::outbound {
namespace {

constexpr std::string_view text_word = "text";
constexpr std::size_t pointer_bytes_max = 1'024;
constexpr std::size_t metadata_names_max = 64;

struct Part {
  std::string_view key;
  Place ReplyForm::*place;
};
constexpr std::array<Part, 7> parts{{{"message", &ReplyForm::message},
                                     {"tools", &ReplyForm::tools},
                                     {"toolName", &ReplyForm::tool_name},
                                     {"toolArguments", &ReplyForm::tool_arguments},
                                     {"toolResult", &ReplyForm::tool_result},
                                     {"events", &ReplyForm::events},
                                     {"end", &ReplyForm::end}}};

void check_pointer(const json::Value& value, const std::string& at, Findings& findings) {
  const bool is_good = value.is(json::Kind::string) && value.string().size() <= pointer_bytes_max &&
                       json::is_pointer(value.string());
  if (!is_good) findings.add(at, "must be a JSON Pointer such as /answer/text, or a list of them");
}

void check_place(const json::Value& value, const std::string& at, Findings& findings) {
  if (!value.is(json::Kind::array)) return check_pointer(value, at, findings);
  if (value.size() == 0 || value.size() > pointers_max)
    return findings.add(at, "must have 1 to " + std::to_string(pointers_max) + " pointers");
  std::size_t index = 0;
  for (const json::Value& item : value.children())
    check_pointer(item, at + "/" + std::to_string(index++), findings);
}

void check_metadata(const json::Value& value, const std::string& at, Findings& findings) {
  if (!value.is(json::Kind::object)) return findings.add(at, "must be an object of names and pointers");
  if (value.size() > metadata_names_max) return findings.add(at, "must have at most 64 names");
  for (const json::Value& member : value.children())
    check_place(member, at + "/" + json::pointer_token(member.key()), findings);
}

Place place_of(const json::Value& value) {
  if (!value.is(json::Kind::array)) return {std::string(value.string())};
  Place place;
  for (const json::Value& item : value.children()) place.emplace_back(item.string());
  return place;
}

/// The tokens of a pointer, unescaped. Needs: a valid pointer.
std::vector<std::string> tokens_of(std::string_view pointer) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < pointer.size();) {
    const auto end = std::min(pointer.find('/', at + 1), pointer.size());
    std::string token;
    for (std::size_t i = at + 1; i < end; ++i) {
      const bool is_escape = pointer[i] == '~' && i + 1 < end;
      if (is_escape) ++i;
      token += !is_escape ? pointer[i] : pointer[i] == '1' ? '/' : '~';
    }
    tokens.push_back(std::move(token));
    at = end;
  }
  return tokens;
}

/// The values one token further.
std::vector<json::Value> step(const std::vector<json::Value>& from, const std::string& token) {
  std::vector<json::Value> found;
  for (const json::Value& value : from) {
    if (token == "*" && value.is(json::Kind::array)) {
      for (const json::Value& item : value.children())
        if (found.size() < found_values_max) found.push_back(item);
    } else if (const auto next = json::at_pointer(value, "/" + json::pointer_token(token))) {
      found.push_back(*next);
    }
  }
  return found;
}

std::vector<json::Value> follow(const json::Value& root, std::string_view pointer) {
  std::vector<json::Value> found{root};
  for (const std::string& token : tokens_of(pointer)) found = step(found, token);
  std::erase_if(found, [](const json::Value& value) { return value.is(json::Kind::null); });
  return found;
}

}  // namespace

void check_reply_form(const json::Value& value, const std::string& pointer, Findings& findings) {
  if (value.is(json::Kind::string) && value.string() == text_word) return;
  if (!value.is(json::Kind::object))
    return findings.add(pointer, "must be an object of pointers, or \"text\" for an answer in plain text");
  bool finds_anything = false;
  for (const json::Value& member : value.children()) {
    const std::string at = pointer + "/" + json::pointer_token(member.key());
    const auto* part =
        std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.key == member.key(); });
    if (member.key() == "metadata") {
      check_metadata(member, at, findings);
    } else if (part != parts.end()) {
      check_place(member, at, findings);
      finds_anything =
          finds_anything || part->key == "message" || part->key == "tools" || part->key == "events";
    } else {
      findings.add(
          at,
          "is unknown: the keys are message, tools, toolName, toolArguments, toolResult, events, end "
          "and metadata");
    }
  }
  if (!finds_anything) findings.add(pointer, "must say where the message, the tools or the events are");
}

ReplyForm reply_form(const json::Value& value) {
  ReplyForm form;
  form.is_text = value.is(json::Kind::string);
  for (const Part& part : parts)
    if (const auto given = value.find(part.key)) form.*(part.place) = place_of(*given);
  if (const auto metadata = value.find("metadata")) {
    for (const json::Value& member : metadata->children())
      form.metadata.emplace_back(member.key(), place_of(member));
  }
  if (form.tool_name.empty()) form.tool_name = {"/name"};
  if (form.tool_arguments.empty()) form.tool_arguments = {"/arguments"};
  if (form.tool_result.empty()) form.tool_result = {"/result"};
  return form;
}

std::vector<json::Value> values_at(const json::Value& root, const Place& place) {
  for (const std::string& pointer : place) {
    auto found = follow(root, pointer);
    if (!found.empty()) return found;
  }
  return {};
}

std::optional<json::Value> value_at(const json::Value& root, const Place& place) {
  const auto found = values_at(root, place);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::string shown(const Place& place) {
  std::string text;
  for (const std::string& pointer : place) {
    if (!text.empty()) text += " or ";
    text += pointer.empty() ? "the whole body" : pointer;
  }
  return text;
}

}  // namespace parley::outbound
