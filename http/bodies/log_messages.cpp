#include "http/bodies/log_messages.hpp"

#include "model/json/json_writer.hpp"

namespace parley::http {
namespace {

LogMessage read_message(const json::Value& item, const std::string& pointer, Findings& findings) {
  LogMessage message;
  if (!item.is(json::Kind::object)) {
    findings.add(pointer, "must be an object");
    return message;
  }
  Parser parser(item, ParseMode::create, pointer, findings);
  LogMessage::describe(message, parser);
  parser.finish();
  if (findings.has(pointer + "/type")) return message;  // its required fields are unknown
  check_needed_field(message, pointer, findings);
  return message;
}

}  // namespace

std::vector<LogMessage> read_messages(const json::Value& body, Findings& findings) {
  std::vector<LogMessage> messages;
  const auto given = body.find("conversation");
  if (!given || !given->is(json::Kind::array)) return messages;
  if (given->size() > limits::external_messages_max) {
    findings.add("/conversation", "must have at most 10000 messages");
    return messages;
  }
  messages.reserve(given->size());
  for (const json::Value& item : given->children()) {
    messages.push_back(read_message(item, "/conversation/" + std::to_string(messages.size()), findings));
  }
  return messages;
}

json::Text conversation_of(const std::vector<LogMessage>& messages, Time now, IdSource& ids) {
  json::Writer out;
  out.begin_array();
  Entry entry;
  bool is_first = true;
  for (const LogMessage& message : messages) {
    entry.id = ids.next(now);
    entry.type = message.type;
    entry.role = is_testers(message.role) ? Role::tester : Role::chatbot;
    entry.content = message.content;
    entry.name = message.name;
    entry.metadata = message.metadata;
    entry.created_at = message.created_at.value_or(now);
    // A turn of the tester starts the next exchange, but the first turn shares exchange 0 with the entries before it
    // (D53).
    if (is_testers(message.role) && !std::exchange(is_first, false)) ++entry.turn;
    out.raw(entry_json(entry));
  }
  out.end_array();
  return {std::move(out).text()};
}

}  // namespace parley::http
