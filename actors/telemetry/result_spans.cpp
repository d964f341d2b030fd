#include "actors/telemetry/result_spans.hpp"

#include <optional>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/text/shown_text.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "scoring/review.hpp"

namespace parley::actors {
namespace {

constexpr std::size_t explanation_bytes_max = 1'024;
constexpr int kind_internal = 1;
constexpr int kind_client = 3;
constexpr int status_error = 2;

std::string nanoseconds(Time time) {
  return std::to_string(time.ms) + "000000";
}

/// Attributes of a span or an event.
class Attributes {
 public:
  explicit Attributes(json::Writer& out) : out_(out) { out_.key("attributes").begin_array(); }
  ~Attributes() { out_.end_array(); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  void text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    begin(key).member("stringValue", value).end_object().end_object();
  }
  void integer(std::string_view key, std::int64_t value) {
    begin(key).member("intValue", std::to_string(value)).end_object().end_object();
  }
  void number(std::string_view key, double value) {
    begin(key).key("doubleValue").number(value).end_object().end_object();
  }
  void flag(std::string_view key, bool value) {
    begin(key).key("boolValue").boolean(value).end_object().end_object();
  }

 private:
  json::Writer& begin(std::string_view key) {
    return out_.begin_object().member("key", key).key("value").begin_object();
  }

  json::Writer& out_;
};

struct Place {
  std::string trace;
  std::string span;
  std::string parent;
};

/// Begins a span object; the caller adds attributes and ends it.
void begin_span(json::Writer& out, const Place& place, std::string_view name, int kind, Time begin,
                Time end) {
  out.begin_object().member("traceId", place.trace).member("spanId", place.span);
  if (!place.parent.empty()) out.member("parentSpanId", place.parent);
  out.member("name", name).key("kind").integer(kind);
  out.member("startTimeUnixNano", nanoseconds(begin));
  out.member("endTimeUnixNano", nanoseconds(std::max(begin, end)));
}

std::string shortened(const std::string& text) {
  if (text.size() <= explanation_bytes_max) return text;
  return std::string(cut_text(text, explanation_bytes_max)) + "...";
}

std::string name_of(const Assertion& assertion) {
  return assertion.name.value_or(assertion.type);
}

/// One exchange: from the tester's turn to the chatbot's last message.
struct Exchange {
  Id turn;
  Time begin;
  std::optional<Time> end;
  Measures measures;
};

class Spans {
 public:
  Spans(const store::Snapshot& snapshot, const ResultHead& head) : snapshot_(snapshot), head_(head) {}

  Expected<ResultSpans> write() {
    TRY_DONE(read_exchanges());
    trace_ = outbound::trace_of(head_.stamp.id, head_.stamp.id, head_.trace);
    root_ = trace_.parent_id;
    TRY(agent, snapshot_.find<Agent>(head_.agent.id));
    agent_name_ = agent ? agent->name : std::string();
    TRY_DONE(write_conversation());
    if (head_.is_server_driven) {
      for (const Exchange& each : exchanges_) write_turn(each);
    }
    TRY(verdict, snapshot_.verdict(head_));
    if (verdict) write_scoring(scoring::results_of(*verdict));
    return ResultSpans{std::move(text_), count_};
  }

 private:
  Expected<Done> read_exchanges() {
    return snapshot_.for_each_entry(head_, [&](std::uint32_t, const store::StoredEntry& entry) {
      const bool is_turn = entry.role == Role::tester && !entry.is_history &&
                           (entry.type == EntryType::message || entry.type == EntryType::action);
      if (is_turn) exchanges_.push_back({entry.id, time_of(entry.id), {}, {}});
      if (entry.role == Role::chatbot && !entry.is_history && !exchanges_.empty()) {
        exchanges_.back().end = time_of(entry.id);
        if (entry.type == EntryType::message) exchanges_.back().measures = entry.measures;
      }
      return true;
    });
  }

  [[nodiscard]] Place place(const std::string& span, const std::string& parent) const {
    return {trace_.trace_id, span, parent};
  }

  void add(json::Writer&& out) {
    out.end_object();
    if (count_++ > 0) text_ += ',';
    text_ += std::move(out).text();
  }

  Expected<Done> write_conversation() {
    json::Writer out;
    const auto outer = head_.trace ? TraceParent::read(*head_.trace) : std::nullopt;
    begin_span(out, place(root_, outer ? outer->parent_id : std::string()), "parley.conversation",
               kind_internal, head_.stamp.created_at(), head_.stamp.updated_at);
    {
      Attributes attributes(out);
      attributes.text("parley.result.id", to_text(head_.stamp.id));
      attributes.text("parley.status", word_of(head_.status));
      attributes.text("gen_ai.agent.name", agent_name_);
      attributes.text("gen_ai.conversation.id", to_text(head_.stamp.id));
      if (head_.end_reason) attributes.text("parley.end_reason", word_of(*head_.end_reason));
      if (head_.run) {
        attributes.text("parley.run.id", to_text(head_.run->id));
        TRY(run, snapshot_.find<Run>(head_.run->id));
        if (run) attributes.text("parley.run.name", run->name);
      }
      if (head_.test) {
        TRY(test, snapshot_.find<Test>(head_.test->id));
        if (test) attributes.text("parley.test.name", test->name);
      }
    }
    if (head_.status == ResultStatus::failed)
      out.key("status").begin_object().key("code").integer(status_error).end_object();
    add(std::move(out));
    return Done{};
  }

  void write_turn(const Exchange& exchange) {
    json::Writer out;
    const std::string span = outbound::trace_of(head_.stamp.id, exchange.turn, head_.trace).parent_id;
    begin_span(out, place(span, root_), "invoke_agent " + agent_name_, kind_client, exchange.begin,
               exchange.end.value_or(head_.stamp.updated_at));
    {
      Attributes attributes(out);
      attributes.text("gen_ai.operation.name", "invoke_agent");
      attributes.text("gen_ai.agent.name", agent_name_);
      attributes.text("gen_ai.conversation.id", to_text(head_.stamp.id));
      attributes.text("parley.turn.id", to_text(exchange.turn));
      const Measures& measures = exchange.measures;
      if (measures.input_tokens)
        attributes.integer("gen_ai.usage.input_tokens", static_cast<std::int64_t>(*measures.input_tokens));
      if (measures.output_tokens)
        attributes.integer("gen_ai.usage.output_tokens", static_cast<std::int64_t>(*measures.output_tokens));
    }
    if (!exchange.end) out.key("status").begin_object().key("code").integer(status_error).end_object();
    add(std::move(out));
  }

  void write_scoring(const std::vector<AssertionResult>& results) {
    const Time begin = head_.scoring_enqueued_at.value_or(head_.stamp.updated_at);
    const std::string span = "a" + root_.substr(1);
    json::Writer out;
    begin_span(out, place(span, root_), "parley.scoring", kind_internal, begin, head_.stamp.updated_at);
    {
      Attributes attributes(out);
      attributes.integer("parley.score", head_.score);
      attributes.flag("parley.passed", head_.has_outcome() && head_.overall_passed);
      attributes.flag("parley.decided", head_.is_decided);
      attributes.integer("parley.verdict", head_.rescored + 1);
    }
    out.key("events").begin_array();
    for (const AssertionResult& each : results) write_evaluation(out, each);
    out.end_array();
    add(std::move(out));
    if (head_.judge_use && head_.judge_use->calls > 0) write_judge(span, begin);
  }

  /// Uses the names of the conventions for GenAI events.
  void write_evaluation(json::Writer& out, const AssertionResult& result) {
    out.begin_object().member("timeUnixNano", nanoseconds(head_.stamp.updated_at));
    out.member("name", "gen_ai.evaluation.result");
    {
      Attributes attributes(out);
      attributes.text("gen_ai.evaluation.name", name_of(result.assertion));
      attributes.text("gen_ai.evaluation.score.label", word_of(result.status));
      if (const auto passed = AssertionResult::passed_of(result.status))
        attributes.number("gen_ai.evaluation.score.value", *passed ? 1 : 0);
      attributes.text("gen_ai.evaluation.explanation", shortened(result.reason));
      attributes.text("parley.assertion.id", result.assertion.id);
      attributes.text("parley.assertion.type", result.assertion.type);
      attributes.text("parley.assertion.severity", word_of(result.assertion.severity));
    }
    out.end_object();
  }

  void write_judge(const std::string& scoring, Time begin) {
    json::Writer out;
    begin_span(out, place("b" + root_.substr(1), scoring), "chat judge", kind_client, begin,
               head_.stamp.updated_at);
    {
      Attributes attributes(out);
      attributes.text("gen_ai.operation.name", "chat");
      attributes.integer("parley.judge.calls", head_.judge_use->calls);
      if (head_.judge_use->input_tokens)
        attributes.integer("gen_ai.usage.input_tokens",
                           static_cast<std::int64_t>(*head_.judge_use->input_tokens));
      if (head_.judge_use->output_tokens)
        attributes.integer("gen_ai.usage.output_tokens",
                           static_cast<std::int64_t>(*head_.judge_use->output_tokens));
    }
    add(std::move(out));
  }

  const store::Snapshot& snapshot_;
  const ResultHead& head_;
  std::vector<Exchange> exchanges_;
  TraceParent trace_;
  std::string root_;
  std::string agent_name_;
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace

Expected<ResultSpans> spans_of_result(const store::Snapshot& snapshot, const ResultHead& head) {
  return Spans(snapshot, head).write();
}

std::string export_request(const std::string& spans) {
  return R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"parley"}}]},)"
         R"("scopeSpans":[{"scope":{"name":"parley"},"spans":[)" +
         spans + "]}]}]}";
}

}  // namespace parley::actors
