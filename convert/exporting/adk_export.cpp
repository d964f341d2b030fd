// A Google ADK eval set: one case for each log, one invocation for each exchange.

#include "convert/exporting/exporters.hpp"
#include "convert/records/log_draft.hpp"
#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

/// Everything from one user turn to the next.
struct Exchange {
  std::vector<std::string> user;
  std::vector<const Node*> calls;
  std::vector<std::string> answers;
};

void write_content(json::Writer& out, std::string_view key, std::string_view role,
                   const std::vector<std::string>& texts) {
  out.key(key).begin_object().key("parts").begin_array();
  for (const std::string& text : texts) out.begin_object().member("text", text).end_object();
  out.end_array().member("role", role).end_object();
}

/// Writes a response. ADK responses are objects; other values, and objects that look like the wrapper, are wrapped.
void write_response(json::Writer& out, const Node& result) {
  const bool looks_wrapped =
      result.is_map() && result.items.size() == 1 && result.items.front().key == "result";
  if (result.is_map() && !looks_wrapped) return write_json(out, result);
  write_json(out.begin_object().key("result"), result);
  out.end_object();
}

const Node* about(const Node& call, std::string_view key) {
  const Node* metadata = call.find("metadata");
  return metadata == nullptr ? nullptr : metadata->find(key);
}

std::string call_id(const Node& call, std::size_t exchange, std::size_t number) {
  const Node* id = about(call, "id");
  if (id != nullptr && id->is_text() && !id->text.empty()) return id->text;
  return std::string(own_call_id) + std::to_string(exchange) + "_" + std::to_string(number);
}

class AdkExporter : public Exporter {
 public:
  explicit AdkExporter(ExportReport& report) : report_(report) {
    out_.begin_object()
        .member("eval_set_id", "parley")
        .member("name", "parley")
        .key("eval_cases")
        .begin_array();
  }

  void add(const Node& record) override {
    name_ = record_name(record);
    out_.begin_object().member("eval_id", name_).key("conversation").begin_array();
    std::size_t number = 0;
    for (const Exchange& each : exchanges_of(record)) write_invocation(each, ++number);
    out_.end_array();
    const Node* state = about(record, "state");
    out_.key("session_input").begin_object().member("app_name", "app").member("user_id", "user").key("state");
    if (state != nullptr && state->is_map()) {
      write_json(out_, *state);
    } else {
      out_.begin_object().end_object();
    }
    out_.end_object().key("creation_timestamp").integer(0).end_object();
  }

  std::string finish() override {
    out_.end_array().key("creation_timestamp").integer(0).end_object();
    return std::move(out_).text() + "\n";
  }

 private:
  std::vector<Exchange> exchanges_of(const Node& record) {
    std::vector<Exchange> exchanges;
    for (const Node& entry : record.list_of("conversation")) {
      const std::string type = entry.text_of("type");
      const bool is_user = entry.text_of("role") == "tester";
      const bool is_message = type.empty() || type == "message";
      if (!is_message && type != "tool") {
        report_.lose(name_, type + " " + entry.text_of("name"), "an eval case has messages and tool calls");
        continue;
      }
      const bool begins = is_message && is_user && (exchanges.empty() || !exchanges.back().user.empty());
      if (begins || exchanges.empty()) exchanges.emplace_back();
      report_rest(entry, is_message);
      if (is_message) {
        (is_user ? exchanges.back().user : exchanges.back().answers).push_back(entry.text_of("content"));
      } else {
        exchanges.back().calls.push_back(&entry);
      }
    }
    return exchanges;
  }

  /// Reports metadata that an eval case cannot hold: all metadata of messages, and the unwritten keys of calls.
  void report_rest(const Node& entry, bool is_message) {
    const Node* metadata = entry.find("metadata");
    if (metadata == nullptr) return;
    for (const Node& each : metadata->items) {
      const bool is_written =
          !is_message && (each.key == "id" || each.key == "arguments" || each.key == "result");
      if (!is_written) report_.lose(name_, "metadata " + each.key, "an eval case has no metadata");
    }
  }

  void write_invocation(const Exchange& exchange, std::size_t number) {
    out_.begin_object().member("invocation_id", name_ + "-" + std::to_string(number));
    write_content(out_, "user_content", "user", exchange.user);
    std::vector<std::string> last;
    if (!exchange.answers.empty()) last.push_back(exchange.answers.back());
    write_content(out_, "final_response", "model", last);
    out_.key("intermediate_data").begin_object().key("tool_uses").begin_array();
    for (std::size_t i = 0; i < exchange.calls.size(); ++i)
      write_call(*exchange.calls[i], call_id(*exchange.calls[i], number, i));
    out_.end_array().key("tool_responses").begin_array();
    for (std::size_t i = 0; i < exchange.calls.size(); ++i)
      write_answer(*exchange.calls[i], call_id(*exchange.calls[i], number, i));
    out_.end_array().key("intermediate_responses").begin_array();
    for (std::size_t i = 0; i + 1 < exchange.answers.size(); ++i) {
      out_.begin_array().string("agent").begin_array().begin_object().member("text", exchange.answers[i]);
      out_.end_object().end_array().end_array();
    }
    out_.end_array().end_object().key("creation_timestamp").integer(0).end_object();
  }

  void write_call(const Node& call, const std::string& id) {
    out_.begin_object().member("id", id).key("args");
    if (const Node* arguments = about(call, "arguments")) {
      write_json(out_, *arguments);
    } else {
      out_.begin_object().end_object();
    }
    out_.member("name", call.text_of("name")).end_object();
  }

  void write_answer(const Node& call, const std::string& id) {
    const Node* result = about(call, "result");
    if (result == nullptr) return;
    out_.begin_object().member("id", id).member("name", call.text_of("name")).key("response");
    write_response(out_, *result);
    out_.end_object();
  }

  ExportReport& report_;
  json::Writer out_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Exporter> make_adk(const ExportOptions& /*options*/, ExportReport& report) {
  return std::make_unique<AdkExporter>(report);
}

}  // namespace parley::convert
