#include "outbound/agents/template_values.hpp"

#include "model/json/json_writer.hpp"

namespace parley::outbound {
namespace {

constexpr std::string_view metadata_group = "metadata.";
constexpr std::string_view fields_group = "fields.";

std::string json_string(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

/// The tester's message, or the name of the action that it invokes.
std::string said(const AgentTask& task) {
  return task.action ? task.action->name : task.message.value_or("");
}

std::string action_json(const AgentTask& task) {
  if (!task.action) return "null";
  json::Writer out;
  out.begin_object();
  out.member("name", task.action->name);
  out.key("arguments").raw(task.action->arguments.text);
  out.end_object();
  return std::move(out).text();
}

std::string conversation_json(const AgentTask& task) {
  json::Writer out;
  out.begin_array();
  for (const EntryText& entry : task.conversation.all()) out.raw(entry.json);
  out.end_array();
  return std::move(out).text();
}

void add_message(json::Writer& out, Role role, std::string_view content) {
  out.begin_object();
  out.member("role", role == Role::tester ? "user" : "assistant");
  out.member("content", content);
  out.end_object();
}

/// The messages of both sides in the form of chat APIs, without tools and events.
std::string messages_json(const AgentTask& task) {
  json::Writer out;
  out.begin_array();
  for (const EntryText& text : task.conversation.all()) {
    if (text.type != EntryType::message && text.type != EntryType::action) continue;
    const Entry entry = parsed(text);
    const auto& words = entry.type == EntryType::action ? entry.name : entry.content;
    add_message(out, entry.role, words.value_or(""));
  }
  add_message(out, Role::tester, said(task));
  out.end_array();
  return std::move(out).text();
}

std::string member_json(const json::Text& object, std::string_view key) {
  const auto document = json::parse(object.text);
  const auto value = document.ok() ? document->root().find(key) : std::nullopt;
  return value ? std::string(value->raw()) : "null";
}

}  // namespace

std::string template_value(const AgentTask& task, std::string_view name) {
  if (name == "message") return json_string(said(task));
  if (name == "action") return action_json(task);
  if (name == "arguments") return task.action ? task.action->arguments.text : "null";
  if (name == "turn") return std::to_string(task.turn);
  if (name == "testResultId") return json_string(to_text(task.result));
  if (name == "messages") return messages_json(task);
  if (name == "conversation") return conversation_json(task);
  if (name == "metadata") return task.metadata.text;
  if (name.starts_with(metadata_group)) return member_json(task.metadata, name.substr(metadata_group.size()));
  if (name.starts_with(fields_group)) return member_json(task.fields, name.substr(fields_group.size()));
  return "null";
}

bool requires_fields(const json::Text& config) {
  return config.text.find(fields_group) != std::string::npos;
}

}  // namespace parley::outbound
