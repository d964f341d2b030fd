#include "outbound/agents/http_agent.hpp"

#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"
#include "model/text/header_field_text.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/request.hpp"
#include "outbound/agents/template_values.hpp"
#include "outbound/formats/request_template.hpp"

namespace parley::outbound {
namespace {

/// For a stream, because each piece of the message is sent with JSON around it.
constexpr std::size_t stream_bytes_max = 8 * 1024 * 1024;
constexpr std::size_t sent_url_bytes_max = 8 * 1024;  ///< limit of common servers

/// The approximate size of the request body in bytes: names, ids and commas take a few, quotes in the message
/// may add some.
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

/// Adds the config's headers, then the secrets that can be headers and are not in the config.
std::optional<AgentFault> add_fields(Fields& fields, const HttpConfig& config, const Secrets& secrets) {
  const auto headers = json::parse(config.headers.text);
  for (const json::Value& header : headers->root().children()) {
    fields.emplace_back(header.key(), header.string());
  }
  for (const auto& [name, secret] : secrets) {
    const bool is_for_token = config.oauth && name == client_secret_name;
    if (is_for_token || !is_token(name) || is_own_field(name) || has_field(fields, name)) continue;
    if (!is_field_text(secret)) {
      return AgentFault{"invalid_secret",
                        "The secret '" + name + "' has control characters and cannot be sent as a header."};
    }
    fields.emplace_back(name, secret);
  }
  return std::nullopt;
}

/// False if the config sets another Content-Type. A string template is then the text of the body.
bool sends_json(const Fields& fields) {
  for (const auto& [name, value] : fields) {
    if (same_ignoring_case(name, "Content-Type"))
      return ascii::lower(value).find("json") != std::string::npos;
  }
  return true;
}

std::string accepted(const HttpConfig& config) {
  if (config.stream) return "text/event-stream";
  return config.reply ? "application/json, text/plain;q=0.9, */*;q=0.8" : "application/json";
}

}  // namespace

std::string idempotency_key(const AgentTask& task) {
  return to_text(task.result) + "-" + std::to_string(task.turn);
}

std::variant<HttpRequest, AgentFault> http_agent_request(const HttpConfig& config, const Secrets& secrets,
                                                         const AgentTask& task) {
  const ValueOf value_of = [&task](std::string_view name) { return template_value(task, name); };
  HttpRequest request;
  request.method = word_of(config.method);
  request.url =
      with_query(filled_url(config.url, value_of), json::parse(config.query.text)->root(), value_of);
  if (request.url.size() > sent_url_bytes_max) {
    return AgentFault{"too_large",
                      "The URL with its query is longer than 8 KiB: send long values in the body."};
  }
  request.fields.emplace_back("Idempotency-Key", idempotency_key(task));
  if (auto fault = add_fields(request.fields, config, secrets)) return *fault;
  const bool is_json = sends_json(request.fields);
  if (!has_field(request.fields, "Content-Type"))
    request.fields.emplace_back("Content-Type", "application/json");
  if (!has_field(request.fields, "Accept")) request.fields.emplace_back("Accept", accepted(config));
  if (!config.request) {
    request.body = body_of(task);
  } else {
    const auto form = json::parse(config.request->text);
    const bool is_text = !is_json && form->root().is(json::Kind::string);
    request.body = is_text ? filled_text(form->root(), value_of) : filled_json(form->root(), value_of);
  }
  if (config.stream) request.body_bytes_max = stream_bytes_max;
  auto grant = grant_of(config.oauth, secrets);
  if (auto* fault = std::get_if<AgentFault>(&grant)) return std::move(*fault);
  request.grant = std::get<std::shared_ptr<const TokenGrant>>(std::move(grant));
  set_timeout(request, config.timeout_ms);
  return request;
}

}  // namespace parley::outbound
