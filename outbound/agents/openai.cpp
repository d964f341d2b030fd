#include "outbound/agents/openai.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/json/json_writer.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/completion_stream.hpp"
#include "outbound/agents/request.hpp"
#include "outbound/formats/event_stream.hpp"

namespace parley::outbound {
namespace {

constexpr std::array<std::string_view, 6> reserved_keys{"messages", "model",          "n",
                                                        "stream",   "stream_options", "tools"};
/// The maximum number of calls in one answer: more are a loop, not a turn.
constexpr std::size_t calls_max = 128;

/// Appends the path of chat completions to the base, before its query.
std::string url_of(std::string_view base) {
  const auto path_end = std::min(base.find_first_of("?#"), base.size());
  const auto query_end = std::min(base.find('#'), base.size());
  std::string url(base.substr(0, path_end));
  while (url.ends_with('/')) url.pop_back();
  if (!url.ends_with(completions_path)) url += completions_path;
  return url.append(base.substr(path_end, query_end - path_end));
}

std::string_view word_of_role(ChatRole role) {
  switch (role) {
    case ChatRole::system: return "system";
    case ChatRole::user: return "user";
    case ChatRole::assistant: return "assistant";
    case ChatRole::tool: return "tool";
  }
  return "user";
}

void write_call(json::Writer& out, const ChatCall& call) {
  out.begin_object();
  out.member("id", call.id).member("type", "function");
  out.key("function").begin_object();
  out.member("name", call.name).member("arguments", call.arguments.text);
  out.end_object();
  out.end_object();
}

void write_message(json::Writer& out, const ChatMessage& message) {
  out.begin_object();
  out.member("role", word_of_role(message.role));
  out.member("content", message.content);
  if (!message.calls.empty()) {
    out.key("tool_calls").begin_array();
    for (const ChatCall& call : message.calls) write_call(out, call);
    out.end_array();
  }
  if (!message.call_id.empty()) out.member("tool_call_id", message.call_id);
  out.end_object();
}

void write_tools(json::Writer& out, const ChatEndpoint& endpoint, const ChatRequest& request) {
  const auto raw = json::parse(endpoint.tools.text);
  const auto own = raw.ok() ? raw->root().children() : std::vector<json::Value>{};
  if (own.empty() && request.tools.empty()) return;
  out.key("tools").begin_array();
  for (const json::Value& tool : own) out.raw(tool.raw());
  for (const ChatTool& tool : request.tools) {
    out.begin_object();
    out.member("type", "function");
    out.key("function").begin_object();
    out.member("name", tool.name).member("description", tool.description);
    out.key("parameters").raw(tool.parameters.text);
    out.end_object();
    out.end_object();
  }
  out.end_array();
}

bool sends_schema(const ChatEndpoint& endpoint, const ChatRequest& request) {
  return request.response && !endpoint.habits->refuses_schema;
}

/// Writes the endpoint's parameters, except the keys that the service sets.
void write_parameters(json::Writer& out, const ChatEndpoint& endpoint, const ChatRequest& request) {
  const auto parameters = json::parse(endpoint.parameters.text);
  if (!parameters.ok()) return;
  const bool has_schema = sends_schema(endpoint, request);
  for (const json::Value& parameter : parameters->root().children()) {
    const bool is_set =
        std::find(reserved_keys.begin(), reserved_keys.end(), parameter.key()) != reserved_keys.end() ||
        (has_schema && parameter.key() == "response_format") || (request.seed && parameter.key() == "seed");
    if (!is_set) out.key(parameter.key()).raw(parameter.raw());
  }
}

std::string body_of(const ChatEndpoint& endpoint, const ChatRequest& request) {
  json::Writer out;
  out.begin_object();
  out.member("model", endpoint.model);
  out.key("messages").begin_array();
  for (const ChatMessage& message : request.messages) write_message(out, message);
  out.end_array();
  write_tools(out, endpoint, request);
  if (sends_schema(endpoint, request)) {
    out.key("response_format").begin_object();
    out.member("type", "json_schema");
    out.key("json_schema").begin_object();
    out.member("name", request.response->name);
    out.key("strict").boolean(true);
    out.key("schema").raw(request.response->schema.text);
    out.end_object();
    out.end_object();
  }
  if (request.seed) out.key("seed").integer(*request.seed);
  if (endpoint.streams) {
    out.key("stream").boolean(true);
    out.key("stream_options").begin_object().key("include_usage").boolean(true).end_object();
  }
  write_parameters(out, endpoint, request);
  out.end_object();
  return std::move(out).text();
}

/// Some servers send an `error` with every answer. null, false, 0, an empty value and an object of nulls do not
/// report an error; anything else does.
bool says_nothing(const json::Value& error) {
  const auto members = error.children();
  switch (error.kind()) {
    case json::Kind::null: return true;
    case json::Kind::boolean: return !error.boolean();
    case json::Kind::number: return error.integer() == 0;
    case json::Kind::string: return error.string().empty();
    case json::Kind::array: return members.empty();
    case json::Kind::object:
      return std::all_of(members.begin(), members.end(),
                         [](const json::Value& member) { return member.is(json::Kind::null); });
  }
  return false;
}

std::optional<json::Value> error_at(const json::Value& root, std::string_view pointer) {
  auto error = json::at_pointer(root, pointer);
  if (error && says_nothing(*error)) error.reset();
  return error;
}

/// A gateway that has sent 200 cannot change the status when its model fails, so it reports the failure in the
/// answer. Any other content of such an answer is part of a turn or a verdict at best (D35, F21).
std::optional<CallFault> reported_error(const json::Value& root, const Secrets& secrets) {
  auto error = error_at(root, "/choices/0/error");
  if (!error) error = error_at(root, "/error");
  const auto finish = json::at_pointer(root, "/choices/0/finish_reason");
  const bool ends_in_error = finish && finish->is(json::Kind::string) && finish->string() == "error";
  if (!error && !ends_in_error) return std::nullopt;
  const std::string words = error ? words_of_error(*error, secrets) : std::string();
  return CallFault{"provider_error", "The model answered with an error" +
                                         (words.empty() ? std::string(" without a message.") : ": " + words)};
}

/// Reads one answer and stores the first fault.
class ChatReader {
 public:
  std::optional<CallFault> fault;

  ChatAnswer read(const json::Value& root) {
    ChatAnswer answer;
    const auto choice = json::at_pointer(root, "/choices/0");
    const auto message = choice ? choice->find("message") : std::nullopt;
    if (!message || !message->is(json::Kind::object)) {
      note("has no choices[0].message");
      return answer;
    }
    answer.content = content_of(*message);
    answer.refusal = refusal_of(*message);
    // Without other content, the refusal is the message.
    if (answer.refusal && answer.content && answer.content->empty()) answer.content.reset();
    answer.calls = calls_of(*message);
    answer.finish_reason = text_of(*choice, "finish_reason").value_or("");
    answer.model = text_of(root, "model").value_or("");
    answer.usage = usage_of(root);
    const std::size_t bytes = answer.content ? answer.content->size() : 0;
    if (bytes > limits::content_bytes_max) note("has a message beyond 1 MiB", "too_large");
    return answer;
  }

 private:
  void note(const std::string& what, std::string code = "wrong_shape") {
    if (!fault) fault = CallFault{std::move(code), "The model's answer " + what + "."};
  }

  std::optional<std::string> text_of(const json::Value& object, std::string_view key) {
    const auto value = given(object, key);
    if (!value) return std::nullopt;
    if (value->is(json::Kind::string)) return std::string(value->string());
    note("has a '" + std::string(key) + "' that is not a string");
    return std::nullopt;
  }

  static bool is_text_part(const json::Value& part) {
    if (!part.is(json::Kind::object)) return false;
    const auto type = part.find("type");
    if (!type) return part.find("text").has_value();
    return type->is(json::Kind::string) && (type->string() == "text" || type->string() == "output_text");
  }

  static bool is_refusal_part(const json::Value& part) {
    const auto type = part.is(json::Kind::object) ? part.find("type") : std::nullopt;
    return type && type->is(json::Kind::string) && type->string() == "refusal";
  }

  using IsPart = bool (*)(const json::Value&);
  /// Joins the values under `key` of all parts of one type.
  std::string parts_of(const json::Value& list, IsPart is_wanted, const std::string& key) {
    std::string text;
    for (const json::Value& part : list.children()) {
      if (!is_wanted(part)) continue;
      const auto piece = part.find(key);
      if (piece && piece->is(json::Kind::string)) {
        text += piece->string();
      } else {
        note("has a part of type " + key + " without a text");
      }
    }
    return text;
  }

  /// A string, or the joined text parts of a list. Skips images, thoughts and other parts.
  std::optional<std::string> content_of(const json::Value& message) {
    const auto content = given(message, "content");
    if (!content || !content->is(json::Kind::array)) return text_of(message, "content");
    return parts_of(*content, is_text_part, "text");
  }

  /// A member of the message, or parts of its content; nullopt if neither has text.
  std::optional<std::string> refusal_of(const json::Value& message) {
    auto refusal = text_of(message, "refusal");
    const auto content = given(message, "content");
    const bool has_parts = content && content->is(json::Kind::array);
    if (has_parts && refusal.value_or("").empty()) refusal = parts_of(*content, is_refusal_part, "refusal");
    if (refusal && refusal->empty()) refusal.reset();
    return refusal;
  }

  std::vector<ChatCall> calls_of(const json::Value& message) {
    std::vector<ChatCall> calls;
    const auto list = given(message, "tool_calls");
    if (!list || (list->is(json::Kind::array) && list->size() == 0)) {
      // The older form: a single function_call.
      if (const auto function = given(message, "function_call")) calls.push_back(call_of({}, *function));
      return calls;
    }
    if (!list->is(json::Kind::array)) {
      note("has tool_calls that are not a list");
      return calls;
    }
    if (list->size() > calls_max) {
      note("has more than 128 tool calls", "too_large");
      return calls;
    }
    for (const json::Value& item : list->children()) {
      const auto function = item.is(json::Kind::object) ? item.find("function") : std::nullopt;
      if (!function) {
        note("has a tool call without a function");
        return calls;
      }
      calls.push_back(call_of(text_of(item, "id").value_or(""), *function));
    }
    return calls;
  }

  ChatCall call_of(std::string id, const json::Value& function) {
    ChatCall call;
    if (!function.is(json::Kind::object)) {
      note("has a tool call without a function");
      return call;
    }
    call.id = std::move(id);
    call.name = text_of(function, "name").value_or("");
    if (call.name.empty() || chars_in(call.name) > limits::entry_name_chars_max) {
      note("has a tool call whose name does not have 1 to 256 characters");
    }
    const auto arguments = given(function, "arguments");
    if (arguments) call.arguments = arguments_of(*arguments);
    return call;
  }

  /// Accepts JSON as text, as the API defines it, or as a value, as some servers send it. "" is {}. A test
  /// wants to see a model's mistakes here, so they are kept: as the value, or as a text if it is not JSON.
  static json::Text arguments_of(const json::Value& value) {
    if (!value.is(json::Kind::string)) return value.compact();
    if (value.string().empty()) return {};
    const auto document = json::parse(value.string(), json::outside);
    return document.ok() ? document->root().compact() : value.compact();
  }

  static std::optional<std::int64_t> count_of(const json::Value& object, std::string_view key) {
    const auto value = given(object, key);
    const auto count = value && value->is(json::Kind::number) ? value->integer() : std::nullopt;
    return count && *count >= 0 ? count : std::nullopt;
  }

  /// A value that cannot be read as a number counts as not reported, so that a wrong usage does not invalidate
  /// the answer.
  static ChatUsage usage_of(const json::Value& root) {
    ChatUsage usage;
    const auto reported = root.find("usage");
    if (!reported || !reported->is(json::Kind::object)) return usage;
    usage.input_tokens = count_of(*reported, "prompt_tokens");
    usage.output_tokens = count_of(*reported, "completion_tokens");
    const auto cost = given(*reported, "cost");
    if (cost && cost->is(json::Kind::number) && std::isfinite(cost->number()) && cost->number() >= 0) {
      usage.cost = cost->number();
    }
    return usage;
  }
};

}  // namespace

std::span<const std::string_view> reserved_parameters() {
  return reserved_keys;
}

Secrets secrets_of(const ChatEndpoint& endpoint) {
  return {{"apiKey", endpoint.api_key}};
}

bool refuses_schema(const HttpAnswer& answer) {
  constexpr int bad_request = 400;
  constexpr int unprocessable = 422;  // from servers that validate the body against a schema
  const bool is_refused = answer.status == bad_request || answer.status == unprocessable;
  return is_refused && (answer.body.find("response_format") != std::string::npos ||
                        answer.body.find("json_schema") != std::string::npos);
}

std::variant<HttpRequest, CallFault> chat_request(const ChatEndpoint& endpoint, const ChatRequest& request) {
  HttpRequest call;
  call.url = url_of(endpoint.url);
  if (!endpoint.api_key.empty()) {
    if (auto fault = add_bearer(call.fields, "apiKey", endpoint.api_key)) return *fault;
  }
  call.fields.emplace_back("Content-Type", "application/json");
  call.fields.emplace_back("Accept", endpoint.streams ? "text/event-stream" : "application/json");
  call.body = body_of(endpoint, request);
  call.body_bytes_max = model_body_bytes_max;
  call.is_trusted = endpoint.is_trusted;
  set_timeout(call, endpoint.timeout_ms);
  return call;
}

std::variant<ChatAnswer, CallFault> read_chat(const HttpAnswer& answer, const Secrets& secrets) {
  if (is_success(answer) && is_event_stream(answer.content_type)) {
    auto joined = joined_completion(answer, secrets);
    if (auto* fault = std::get_if<CallFault>(&joined)) return std::move(*fault);
    HttpAnswer whole;
    whole.status = answer.status;
    whole.body = std::get<std::string>(std::move(joined));
    return read_chat(whole, secrets);
  }
  const auto object = object_of(answer, {"The model", secrets});
  if (const auto* fault = std::get_if<CallFault>(&object)) return *fault;
  const json::Value root = std::get<json::Document>(object).root();
  if (auto fault = reported_error(root, secrets)) return *std::move(fault);
  ChatReader reader;
  ChatAnswer read = reader.read(root);
  if (reader.fault) return *reader.fault;
  return read;
}

}  // namespace parley::outbound
