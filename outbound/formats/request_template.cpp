#include "outbound/formats/request_template.hpp"

#include <algorithm>
#include <array>

#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"
#include "model/values/placeholder.hpp"

namespace parley::outbound {
namespace {

constexpr std::array<std::string_view, 8> plain_names{"message",      "action",   "arguments",    "turn",
                                                      "testResultId", "messages", "conversation", "metadata"};
constexpr std::array<std::string_view, 2> groups{"metadata.", "fields."};

bool is_known(std::string_view name) {
  const bool is_plain = std::find(plain_names.begin(), plain_names.end(), name) != plain_names.end();
  return is_plain || std::any_of(groups.begin(), groups.end(), [&](std::string_view group) {
           return name.starts_with(group) && name.size() > group.size();
         });
}

void check_text(std::string_view text, const std::string& pointer, Findings& findings) {
  for (auto found = next_placeholder(text); found; found = next_placeholder(text, found->end)) {
    if (is_known(found->key)) continue;
    return findings.add(pointer, "has the unknown placeholder {{" + std::string(found->key) +
                                     "}}: the names are message, action, arguments, turn, testResultId, "
                                     "messages, conversation, metadata, metadata.KEY and fields.KEY");
  }
}

/// The placeholder, if the whole text is one.
std::optional<std::string_view> only_placeholder(std::string_view text) {
  const auto found = next_placeholder(text);
  if (!found || found->begin != 0 || found->end != text.size()) return std::nullopt;
  return found->key;
}

/// The text of a value inside a longer text.
std::string text_of(const std::string& value) {
  const auto document = json::parse(value);
  if (!document.ok() || document->root().is(json::Kind::null)) return {};
  return json::as_text(document->root());
}

std::string as_it_is(std::string_view text) {
  return std::string(text);
}

std::string filled(std::string_view text, const ValueOf& value_of,
                   std::string (*written)(std::string_view) = as_it_is) {
  std::string out;
  std::size_t at = 0;
  for (auto found = next_placeholder(text); found; found = next_placeholder(text, found->end)) {
    out.append(text.substr(at, found->begin - at)).append(written(text_of(value_of(found->key))));
    at = found->end;
  }
  return out.append(text.substr(at));
}

void write(json::Writer& out, const json::Value& value, const ValueOf& value_of) {
  switch (value.kind()) {
    case json::Kind::string:
      if (const auto name = only_placeholder(value.string())) {
        out.raw(value_of(*name));
      } else {
        out.string(filled(value.string(), value_of));
      }
      return;
    case json::Kind::array:
      out.begin_array();
      for (const json::Value& item : value.children()) write(out, item, value_of);
      out.end_array();
      return;
    case json::Kind::object:
      out.begin_object();
      for (const json::Value& member : value.children()) {
        out.key(member.key());
        write(out, member, value_of);
      }
      out.end_object();
      return;
    case json::Kind::null:
    case json::Kind::boolean:
    case json::Kind::number: out.raw(value.raw()); return;
  }
}

/// The text of one parameter; nullopt if it is null.
std::optional<std::string> parameter(const json::Value& value, const ValueOf& value_of) {
  if (value.is(json::Kind::null)) return std::nullopt;
  if (!value.is(json::Kind::string)) return std::string(value.raw());
  const auto name = only_placeholder(value.string());
  if (!name) return filled(value.string(), value_of);
  const std::string named = value_of(*name);
  return named == "null" ? std::nullopt : std::optional(text_of(named));
}

}  // namespace

void check_template(const json::Value& value, const std::string& pointer, Findings& findings) {
  if (value.is(json::Kind::string)) return check_text(value.string(), pointer, findings);
  std::size_t index = 0;
  for (const json::Value& child : value.children()) {
    std::string at = pointer + "/";
    at += value.is(json::Kind::object) ? json::pointer_token(child.key()) : std::to_string(index++);
    check_template(child, at, findings);
  }
}

void check_query(const json::Value& query, const std::string& pointer, Findings& findings) {
  for (const json::Value& parameter : query.children()) {
    const std::string at = pointer + "/" + json::pointer_token(parameter.key());
    if (parameter.is(json::Kind::array) || parameter.is(json::Kind::object)) {
      findings.add(at, "must be text, a number, true or false");
    } else {
      check_template(parameter, at, findings);
    }
  }
}

std::string filled_json(const json::Value& form, const ValueOf& value_of) {
  json::Writer out;
  write(out, form, value_of);
  return std::move(out).text();
}

std::string filled_text(const json::Value& form, const ValueOf& value_of) {
  return filled(form.string(), value_of);
}

void check_url_template(std::string_view url, const std::string& pointer, Findings& findings) {
  const auto first = next_placeholder(url);
  if (!first) return;
  const auto scheme = url.find("://");
  const auto path = scheme == std::string_view::npos ? scheme : url.find_first_of("/?", scheme + 3);
  if (first->begin < path) return findings.add(pointer, "may have placeholders in its path and query only");
  check_text(url, pointer, findings);
}

std::string filled_url(std::string_view url, const ValueOf& value_of) {
  return filled(url, value_of, uri_escaped);
}

std::string with_query(std::string url, const json::Value& query, const ValueOf& value_of) {
  const auto fragment = std::min(url.find('#'), url.size());
  url.resize(fragment);
  for (const json::Value& each : query.children()) {
    const auto text = parameter(each, value_of);
    if (!text) continue;
    url += url.find('?') == std::string::npos ? '?' : '&';
    url += uri_escaped(each.key()) + "=" + uri_escaped(*text);
  }
  return url;
}

}  // namespace parley::outbound
