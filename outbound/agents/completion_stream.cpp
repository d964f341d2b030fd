#include "outbound/agents/completion_stream.hpp"

#include "model/json/json_writer.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/formats/event_stream.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t parts_max = 200;  ///< more than read_chat accepts, so that read_chat reports the fault

struct PartOfCall {
  std::string id, name, arguments;
};

/// The joined content of the chunks so far.
class JoinedChunks {
 public:
  void add(const json::Value& chunk) {
    keep(model_, chunk.find("model"));
    if (const auto usage = json::given(chunk, "usage")) usage_ = usage->compact().text;
    const auto choices = json::given(chunk, "choices");
    if (!choices || !choices->is(json::Kind::array)) return;
    for (const json::Value& choice : choices->children()) {
      const auto index = json::given(choice, "index");
      const bool is_first = !index || (index->is(json::Kind::number) && index->integer() == 0);
      if (is_first && choice.is(json::Kind::object)) add_choice(choice);
    }
  }

  [[nodiscard]] bool is_finished() const { return !finish_reason_.empty(); }

  [[nodiscard]] std::string text() const {
    json::Writer out;
    out.begin_object();
    out.member("model", model_);
    out.key("choices").begin_array().begin_object();
    out.key("message").begin_object();
    out.member_or_null("content", content_);
    if (refusal_) out.member("refusal", *refusal_);
    if (!calls_.empty()) write_calls(out);
    out.end_object();
    out.member("finish_reason", finish_reason_);
    out.end_object().end_array();
    if (!usage_.empty()) out.key("usage").raw(usage_);
    out.end_object();
    return std::move(out).text();
  }

 private:
  static void keep(std::string& text, const std::optional<json::Value>& value) {
    if (value && value->is(json::Kind::string) && !value->string().empty()) text = value->string();
  }
  static void append(std::optional<std::string>& text, const std::optional<json::Value>& value) {
    if (value && value->is(json::Kind::string)) text = text.value_or("") + std::string(value->string());
  }

  void add_choice(const json::Value& choice) {
    keep(finish_reason_, choice.find("finish_reason"));
    auto delta = json::given(choice, "delta");
    if (!delta) delta = json::given(choice, "message");
    if (!delta || !delta->is(json::Kind::object)) return;
    append(content_, delta->find("content"));
    append(refusal_, delta->find("refusal"));
    const auto calls = json::given(*delta, "tool_calls");
    if (!calls || !calls->is(json::Kind::array)) return;
    for (const json::Value& call : calls->children()) add_call(call);
  }

  /// Without an index, an id starts a new call; everything else belongs to the last call.
  void add_call(const json::Value& call) {
    if (!call.is(json::Kind::object)) return;
    const auto index = json::given(call, "index");
    std::int64_t number = -1;  // no index
    if (index && index->is(json::Kind::number)) number = index->integer().value_or(-1);
    const bool begins = calls_.empty() || json::given(call, "id").has_value();
    const auto at = number >= 0 ? static_cast<std::size_t>(number) : calls_.size() - (begins ? 0 : 1);
    if (at >= parts_max) return;
    if (at >= calls_.size()) calls_.resize(at + 1);
    keep(calls_[at].id, call.find("id"));
    const auto function = json::given(call, "function");
    if (!function || !function->is(json::Kind::object)) return;
    keep(calls_[at].name, function->find("name"));
    const auto arguments = json::given(*function, "arguments");
    if (arguments) calls_[at].arguments += json::as_text(*arguments);
  }

  void write_calls(json::Writer& out) const {
    out.key("tool_calls").begin_array();
    for (const PartOfCall& call : calls_) {
      out.begin_object().member("id", call.id);
      out.key("function").begin_object();
      out.member("name", call.name).member("arguments", call.arguments);
      out.end_object().end_object();
    }
    out.end_array();
  }

  std::optional<std::string> content_, refusal_;
  std::vector<PartOfCall> calls_;
  std::string model_, finish_reason_, usage_;
};

}  // namespace

std::variant<std::string, CallFault> joined_completion(const HttpAnswer& answer, const Secrets& secrets) {
  const EventStream stream = events_of(answer.body);
  JoinedChunks completion;
  for (const StreamEvent& event : stream.events) {
    const auto chunk = json::parse(event.data, json::outside);
    if (!chunk.ok() || !chunk->root().is(json::Kind::object)) {
      return CallFault{"not_json", "An event of the model's answer is not a JSON object: " +
                                       in_quotes(event.data, secrets)};
    }
    if (event.name == "error" || json::given(chunk->root(), "error")) return event.data;
    completion.add(chunk->root());
  }
  if (stream.is_done || completion.is_finished()) return completion.text();
  return CallFault{
      "broken", "The model's answer ended before its stream did: neither [DONE] nor a finish_reason came."};
}

}  // namespace parley::outbound
