#include "client/exec/agent_answer.hpp"

#include "client/remote/api.hpp"
#include "client/report/safe_text.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/shown_text.hpp"

namespace parley::client {
namespace {

constexpr std::size_t rows_max = 1'000;
constexpr std::size_t secret_bytes_min = 6;
constexpr std::size_t quoted_bytes_max = 200;

AnswerOrFault wrong_shape(const std::string& what) {
  return {std::nullopt, {"agent", "wrong_shape", "the answer's " + what}};
}

std::string metadata_text(const json::Value& row) {
  const auto metadata = json::given(row, "metadata");
  return metadata ? metadata->compact().text : "{}";
}

/// Returns what is wrong with the rows; empty if every row is well-formed.
std::string fault_of_rows(const json::Value& root, const std::string& key) {
  const auto rows = json::given(root, key);
  if (!rows) return "";
  if (!rows->is(json::Kind::array)) return key + " must be a list";
  std::size_t number = 0;
  if (rows->size() > rows_max) return key + " may have at most " + std::to_string(rows_max) + " items";
  for (const json::Value& row : rows->children()) {
    const std::string place = key + "[" + std::to_string(number++) + "]";
    if (text_at(row, "name").empty()) return place + " must be an object with a name";
    const auto metadata = json::given(row, "metadata");
    if (metadata && !metadata->is(json::Kind::object)) return place + ".metadata must be an object";
    for (const char* misplaced : {"arguments", "result"})
      if (row.find(misplaced))
        return place + "." + misplaced + " is not read; it belongs to " + place + ".metadata." + misplaced;
  }
  return "";
}

std::string fault_of_answer(const json::Value& root) {
  for (const char* key : {"tools", "events"})
    if (std::string fault = fault_of_rows(root, key); !fault.empty()) return fault;
  const auto message = json::given(root, "message");
  if (message && !message->is(json::Kind::string)) return "message must be a text";
  const auto metadata = json::given(root, "metadata");
  if (metadata && !metadata->is(json::Kind::object)) return "metadata must be an object";
  const auto end = json::given(root, "end");
  if (end && !end->is(json::Kind::boolean)) return "end must be true or false";
  return "";
}

bool is_empty(const json::Value& root) {
  if (flag_at(root, "end") || json::given(root, "message")) return false;
  const auto has_rows = [&](const char* key) {
    const auto rows = json::given(root, key);
    return rows && rows->size() > 0;
  };
  return !has_rows("tools") && !has_rows("events");
}

/// An answer without content is a fault of the agent. If it were recorded as an empty message, a misspelled key would
/// look like a failed test.
AnswerOrFault empty_answer(const json::Value& root) {
  std::string keys;
  for (const json::Value& member : root.children())
    keys += (keys.empty() ? "" : ", ") + ("\"" + std::string(member.key()) + "\"");
  const std::string found = keys.empty() ? "no key" : (root.size() == 1 ? "the key " : "the keys ") + keys;
  return {std::nullopt,
          {"agent", "empty_answer",
           "the answer has neither a message nor a tool nor an event; it has " +
               one_line(cut_text(found, quoted_bytes_max))}};
}

void add_rows(AgentAnswer& answer, const json::Value& root, const std::string& key) {
  const auto rows = json::given(root, key);
  if (!rows) return;
  for (const json::Value& row : rows->children()) {
    const std::string_view type = key == "tools"           ? "tool"
                                  : flag_at(row, "public") ? "public-event"
                                                           : "internal-event";
    json::Writer entry;
    entry.begin_object().member("type", type).member("role", "chatbot").member("name", text_at(row, "name"));
    entry.key("metadata").raw(metadata_text(row)).end_object();
    answer.entries.push_back(std::move(entry).text());
  }
}

/// Adds the measured time to the agent's metadata, unless the agent reports a `responseTime` of its own.
std::string message_metadata(const std::optional<json::Value>& given, std::int64_t response_ms) {
  json::Writer out;
  out.begin_object();
  if (!given || !given->find("responseTime")) out.key("responseTime").integer(response_ms);
  if (given)
    for (const json::Value& each : given->children()) out.key(each.key()).raw(each.raw());
  out.end_object();
  return std::move(out).text();
}

std::string message_entry(std::string_view text, const std::string& metadata, bool ends) {
  json::Writer entry;
  entry.begin_object().member("type", "message").member("role", "chatbot").member("content", text);
  entry.key("metadata").raw(metadata);
  if (ends) entry.key("end").boolean(true);
  entry.end_object();
  return std::move(entry).text();
}

}  // namespace

AnswerOrFault read_answer(std::string_view text, std::int64_t response_ms) {
  const auto parsed = json::parse(text, json::outside);
  if (!parsed || !parsed->root().is(json::Kind::object)) {
    const std::string shown = one_line(cut_text(text, quoted_bytes_max));
    return {std::nullopt, {"agent", "not_json", "is not a JSON object: \"" + shown + "\""}};
  }
  const json::Value root = parsed->root();
  if (std::string fault = fault_of_answer(root); !fault.empty()) return wrong_shape(fault);
  if (is_empty(root)) return empty_answer(root);
  AgentAnswer answer;
  add_rows(answer, root, "tools");
  add_rows(answer, root, "events");
  answer.entries.push_back(message_entry(text_at(root, "message"),
                                         message_metadata(json::given(root, "metadata"), response_ms),
                                         flag_at(root, "end")));
  return {std::move(answer), {}};
}

AgentAnswer plain_answer(std::string_view text, std::int64_t response_ms) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  // Bytes that are not UTF-8 cannot be recorded, so they are escaped.
  std::string safe;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) safe += '\n';
    safe += one_line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return {{message_entry(safe, message_metadata(std::nullopt, response_ms), false)}};
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < secret_bytes_min) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
      text.replace(at, secret.size(), "***");
  }
  return text;
}

}  // namespace parley::client
