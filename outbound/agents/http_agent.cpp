#include "outbound/agents/http_agent.hpp"

#include "model/json/json_writer.hpp"
#include "model/text/header_field_text.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/request.hpp"

namespace parley::outbound {
namespace {

/// Approximately the bytes of its body: names, ids and commas have a few, quotes in the message may add some.
std::size_t bytes_of(const AgentTask& task) {
  std::size_t bytes = 256 + task.metadata.text.size() + task.message.value_or("").size();
  for (const EntryText& entry : task.conversation.all()) bytes += entry.json.size() + 1;
  return bytes;
}

std::string body_of(const AgentTask& task) {
  json::Writer out;
  out.reserve(bytes_of(task));
  out.begin_object();
  out.member("testResultId", to_text(task.result));
  out.key("turn").integer(task.turn);
  if (task.action) {
    out.key("action").begin_object();
    out.member("name", task.action->name);
    out.key("arguments").raw(task.action->arguments.text);
    out.end_object();
  } else {
    out.member("message", task.message.value_or(""));
  }
  out.key("conversation").begin_array();
  for (const EntryText& entry : task.conversation.all()) out.raw(entry.json);
  out.end_array();
  out.key("metadata").raw(task.metadata.text);
  out.end_object();
  return std::move(out).text();
}

/// The config's headers, then the secrets that can be headers and are not given.
std::optional<AgentFault> add_fields(Fields& fields, const HttpConfig& config, const Secrets& secrets) {
  const auto headers = json::parse(config.headers.text);
  for (const json::Value& header : headers->root().children()) {
    fields.emplace_back(header.key(), header.string());
  }
  for (const auto& [name, secret] : secrets) {
    if (!is_token(name) || is_own_field(name) || has_field(fields, name)) continue;
    if (!is_field_text(secret)) {
      return AgentFault{"invalid_secret",
                        "The secret '" + name + "' has control characters and cannot be sent as a header."};
    }
    fields.emplace_back(name, secret);
  }
  return std::nullopt;
}

/// Reads the members of an answer and keeps the first fault.
class AnswerReader {
 public:
  explicit AnswerReader(const json::Value& root) : root_(root) {}

  AgentReply reply() {
    AgentReply read;
    if (const auto message = given(root_, "message")) {
      if (message->is(json::Kind::string)) {
        read.message = message->string();
      } else {
        fault("/message", "must be a string");
      }
    }
    read.metadata = metadata_of(root_, "");
    read.ends = flag_of(root_, "end", "");
    for_each("tools", [&](const json::Value& item, const std::string& pointer) {
      AgentTool tool{name_of(item, pointer), metadata_of(item, pointer)};
      read.tools.push_back(std::move(tool));
    });
    for_each("events", [&](const json::Value& item, const std::string& pointer) {
      AgentEvent event{name_of(item, pointer), flag_of(item, "public", pointer), metadata_of(item, pointer)};
      read.events.push_back(std::move(event));
    });
    return read;
  }

  [[nodiscard]] const std::optional<AgentFault>& first_fault() const { return fault_; }

 private:
  void fault(const std::string& pointer, const std::string& detail, std::string code = "wrong_shape") {
    if (!fault_)
      fault_ = AgentFault{std::move(code), "The agent's answer is at fault: " + pointer + " " + detail + "."};
  }

  template <class F>
  void for_each(std::string_view key, F each) {
    const auto list = given(root_, key);
    if (!list) return;
    const std::string pointer = "/" + std::string(key);
    if (!list->is(json::Kind::array)) return fault(pointer, "must be an array");
    if (list->size() > reply_entries_max) return fault(pointer, "must have at most 1000 items", "too_large");
    std::size_t index = 0;
    for (const json::Value& item : list->children()) {
      const std::string at = pointer + "/" + std::to_string(index++);
      if (!item.is(json::Kind::object)) return fault(at, "must be an object");
      each(item, at);
    }
  }

  std::string name_of(const json::Value& item, const std::string& pointer) {
    const auto name = given(item, "name");
    const bool is_name = name && name->is(json::Kind::string) && !name->string().empty() &&
                         chars_in(name->string()) <= limits::entry_name_chars_max;
    if (is_name) return std::string(name->string());
    fault(pointer + "/name", "must be a string of 1 to 256 characters");
    return {};
  }

  bool flag_of(const json::Value& item, std::string_view key, const std::string& pointer) {
    const auto flag = given(item, key);
    if (!flag) return false;
    if (flag->is(json::Kind::boolean)) return flag->boolean();
    fault(pointer + "/" + std::string(key), "must be true or false");
    return false;
  }

  json::Text metadata_of(const json::Value& item, const std::string& pointer) {
    const auto metadata = given(item, "metadata");
    if (!metadata) return {};
    if (!metadata->is(json::Kind::object)) {
      fault(pointer + "/metadata", "must be an object");
      return {};
    }
    json::Text text = metadata->compact();
    if (json::is_beyond(text, limits::metadata_bytes_max)) {
      fault(pointer + "/metadata", "must have at most 102400 bytes of compact JSON", "too_large");
    }
    return text;
  }

  json::Value root_;
  std::optional<AgentFault> fault_;
};

}  // namespace

std::string idempotency_key(const AgentTask& task) {
  return to_text(task.result) + "-" + std::to_string(task.turn);
}

std::variant<HttpRequest, AgentFault> http_agent_request(const HttpConfig& config, const Secrets& secrets,
                                                         const AgentTask& task) {
  HttpRequest request;
  request.url = config.url;
  request.fields.emplace_back("Idempotency-Key", idempotency_key(task));
  if (auto fault = add_fields(request.fields, config, secrets)) return *fault;
  if (!has_field(request.fields, "Content-Type"))
    request.fields.emplace_back("Content-Type", "application/json");
  if (!has_field(request.fields, "Accept")) request.fields.emplace_back("Accept", "application/json");
  request.body = body_of(task);
  set_timeout(request, config.timeout_ms);
  return request;
}

AgentAnswer read_http_agent(const HttpAnswer& answer, const Secrets& secrets) {
  const auto object = object_of(answer, {"The agent", secrets});
  if (const auto* fault = std::get_if<CallFault>(&object)) return *fault;
  AnswerReader reader(std::get<json::Document>(object).root());
  AgentReply reply = reader.reply();
  if (reader.first_fault()) return *reader.first_fault();
  return measured(std::move(reply), answer.duration_ms);
}

}  // namespace parley::outbound
