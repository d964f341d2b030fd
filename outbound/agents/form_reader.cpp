#include "outbound/agents/form_reader.hpp"

#include "model/json/json_writer.hpp"

namespace parley::outbound {
namespace {

/// Arguments that are JSON in a string, as in chat APIs, are recorded as that JSON.
json::Text unpacked(const json::Value& value) {
  if (!value.is(json::Kind::string)) return value.compact();
  const auto inner = json::parse(value.string(), json::outside);
  const bool is_object = inner.ok() && inner->root().is(json::Kind::object);
  return is_object ? inner->root().compact() : value.compact();
}

}  // namespace

AgentReply FormReader::reply() {
  AgentReply read;
  read.message = message();
  read.tools = tools();
  read.events = events();
  read.metadata = metadata();
  read.ends = ends();
  return read;
}

void FormReader::fault(const std::string& where, const std::string& detail, std::string code) {
  if (!fault_)
    fault_ = AgentFault{std::move(code), "The agent's answer is invalid: " + where + " " + detail + "."};
}

/// Joins several texts into one message, one per line.
std::optional<std::string> FormReader::message() {
  std::optional<std::string> text;
  for (const json::Value& value : values_at(root_, form_.message)) add_text(value, text);
  return text;
}

void FormReader::add_text(const json::Value& value, std::optional<std::string>& text) {
  switch (value.kind()) {
    case json::Kind::array:
      for (const json::Value& item : value.children()) {
        if (item.is(json::Kind::array))
          return fault(shown(form_.message), "must lead to text or a list of texts");
        add_text(item, text);
      }
      return;
    case json::Kind::object:
      return fault(shown(form_.message), "must lead to text or a list of texts, not to an object");
    case json::Kind::null: return;
    case json::Kind::string:
    case json::Kind::number:
    case json::Kind::boolean:
      if (text) text->push_back('\n');
      text = text.value_or("") + json::as_text(value);
      return;
  }
}

/// The items of a list, or a single value.
std::vector<json::Value> FormReader::items_at(const Place& place) {
  auto found = values_at(root_, place);
  if (found.size() == 1 && found.front().is(json::Kind::array)) found = found.front().children();
  if (found.size() > reply_entries_max) {
    fault(shown(place), "must lead to at most 1000 items", "too_large");
    found.clear();
  }
  return found;
}

std::string FormReader::name_of(const std::optional<json::Value>& name, const std::string& where) {
  const bool is_name = name && name->is(json::Kind::string) && !name->string().empty() &&
                       chars_in(name->string()) <= limits::entry_name_chars_max;
  if (is_name) return std::string(name->string());
  fault(where, "must lead to a name of 1 to 256 characters");
  return {};
}

std::vector<AgentTool> FormReader::tools() {
  std::vector<AgentTool> read;
  for (const json::Value& item : items_at(form_.tools))
    if (auto tool = tool_of(item)) read.push_back(*std::move(tool));
  return read;
}

/// nullopt for an element without a name: some lists contain more than tool calls.
std::optional<AgentTool> FormReader::tool_of(const json::Value& item) {
  const std::string where = shown(form_.tools);
  if (item.is(json::Kind::string)) return AgentTool{name_of(item, where), {}};
  if (!item.is(json::Kind::object)) {
    fault(where, "must lead to objects");
    return std::nullopt;
  }
  const auto name = value_at(item, form_.tool_name);
  if (!name) return std::nullopt;
  AgentTool tool;
  tool.name = name_of(name, where + ": " + shown(form_.tool_name));
  json::Writer out;
  out.begin_object();
  if (const auto arguments = value_at(item, form_.tool_arguments))
    out.key("arguments").raw(unpacked(*arguments).text);
  if (const auto result = value_at(item, form_.tool_result)) out.key("result").raw(result->compact().text);
  out.end_object();
  tool.metadata.text = std::move(out).text();
  if (json::is_beyond(tool.metadata, limits::metadata_bytes_max))
    fault(where, "must lead to tools of at most 102400 bytes of compact JSON", "too_large");
  return tool;
}

std::vector<AgentEvent> FormReader::events() {
  std::vector<AgentEvent> read;
  for (const json::Value& item : items_at(form_.events)) read.push_back(event_of(item));
  return read;
}

AgentEvent FormReader::event_of(const json::Value& item) {
  const std::string where = shown(form_.events);
  if (item.is(json::Kind::string)) return {name_of(item, where), false, {}};
  AgentEvent event;
  event.name = name_of(json::given(item, "name"), where + ": /name");
  const auto is_public = json::given(item, "public");
  event.is_public = is_public && is_public->is(json::Kind::boolean) && is_public->boolean();
  const auto metadata = json::given(item, "metadata");
  if (metadata && metadata->is(json::Kind::object)) event.metadata = metadata->compact();
  if (json::is_beyond(event.metadata, limits::metadata_bytes_max))
    fault(where, "must lead to events of at most 102400 bytes of compact JSON", "too_large");
  return event;
}

json::Text FormReader::metadata() {
  json::Writer out;
  out.begin_object();
  for (const auto& [name, place] : form_.metadata)
    if (const auto value = value_at(root_, place)) out.key(name).raw(value->compact().text);
  out.end_object();
  json::Text text{std::move(out).text()};
  if (json::is_beyond(text, limits::metadata_bytes_max))
    fault("the metadata", "must have at most 102400 bytes of compact JSON", "too_large");
  return text;
}

bool FormReader::ends() {
  const auto value = value_at(root_, form_.end);
  if (!value) return false;
  if (value->is(json::Kind::boolean)) return value->boolean();
  fault(shown(form_.end), "must lead to true or false");
  return false;
}

}  // namespace parley::outbound
