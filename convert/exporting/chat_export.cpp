// Chat messages JSONL and whole records. Importing the output restores the log except for events, empty answers, ids
// and times.

#include <algorithm>
#include <array>

#include "convert/exporting/exporters.hpp"
#include "convert/records/log_draft.hpp"
#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

/// The members of metadata other than the known ones.
Node rest_of(const Node* metadata, std::initializer_list<std::string_view> known) {
  Node rest = holder_node(Node::Kind::map, "", {});
  if (metadata == nullptr) return rest;
  for (const Node& member : metadata->items) {
    if (std::find(known.begin(), known.end(), member.key) == known.end()) rest.items.push_back(member);
  }
  return rest;
}

const Node* member_of(const Node* metadata, std::string_view key) {
  return metadata == nullptr ? nullptr : metadata->find(key);
}

class OpenAiExporter : public Exporter {
 public:
  OpenAiExporter(const ExportOptions& options, ExportReport& report)
      : is_plain_(options.is_plain), report_(report) {}

  void add(const Node& record) override {
    name_ = record_name(record);
    calls_ = 0;
    const Node* metadata = record.find("metadata");
    json::Writer out;
    out.begin_object();
    if (!is_plain_) out.member("id", name_);
    out.key("messages").begin_array();
    const Node* system = member_of(metadata, "system");
    const bool has_system = system != nullptr && system->is_text();
    if (has_system) out.begin_object().member("role", "system").member("content", system->text).end_object();
    for (const Node& entry : record.list_of("conversation")) add_entry(out, entry);
    out.end_array();
    const Node* tools = member_of(metadata, "tools");
    const bool has_tools = tools != nullptr && tools->is_list();
    if (has_tools) write_json(out.key("tools"), *tools);
    Node rest = rest_of(metadata, {});
    std::erase_if(rest.items, [&](const Node& each) {
      return (has_system && each.key == "system") || (has_tools && each.key == "tools");
    });
    if (!is_plain_ && !rest.items.empty()) write_json(out.key("metadata"), rest);
    out.end_object();
    text_ += std::move(out).text() + "\n";
  }

  std::string finish() override { return std::move(text_); }

 private:
  void add_entry(json::Writer& out, const Node& entry) {
    const std::string type = entry.text_of("type");
    const bool is_user = entry.text_of("role") == "tester";
    if (type == "internal-event" || type == "public-event") {
      return report_.lose(name_, "event " + entry.text_of("name"), "chat messages have no events");
    }
    if (type == "tool" || type == "action") return add_call(out, entry, type == "action" || is_user);
    const std::string content = entry.text_of("content");
    if (content.empty()) return report_.lose(name_, "empty answer", "a chat message must have text");
    const Node* metadata = entry.find("metadata");
    out.begin_object().member("role", is_user ? "user" : "assistant").member("content", content);
    if (const Node* weight = member_of(metadata, "weight")) write_json(out.key("weight"), *weight);
    const Node rest = rest_of(metadata, {"weight"});
    if (!is_plain_ && !rest.items.empty()) write_json(out.key("metadata"), rest);
    out.end_object();
  }

  /// Writes the call, and the message with its result.
  void add_call(json::Writer& out, const Node& entry, bool is_user) {
    const Node* metadata = entry.find("metadata");
    const Node* id_node = member_of(metadata, "id");
    const bool has_id = id_node != nullptr && id_node->is_text() && !id_node->text.empty();
    const std::string id = has_id ? id_node->text : std::string(own_call_id) + std::to_string(++calls_);
    Node rest = rest_of(metadata, {"arguments", "result"});
    if (has_id) std::erase_if(rest.items, [](const Node& each) { return each.key == "id"; });
    const Node* result = member_of(metadata, "result");
    out.begin_object().member("role", is_user ? "user" : "assistant").key("content").null();
    out.key("tool_calls").begin_array().begin_object().member("id", id).member("type", "function");
    out.key("function").begin_object().member("name", entry.text_of("name"));
    out.member("arguments", arguments_text(member_of(metadata, "arguments"), rest));
    out.end_object().end_object().end_array().end_object();
    if (result == nullptr && rest.items.empty()) return;
    out.begin_object().member("role", "tool").member("tool_call_id", id).key("content");
    write_result(out, result, rest);
    if (!is_plain_ && !rest.items.empty()) write_json(out.key("metadata"), rest);
    out.end_object();
  }

  /// The arguments as JSON text. If they are a text that would be read as JSON, the metadata keeps them too.
  static std::string arguments_text(const Node* arguments, Node& rest) {
    if (arguments == nullptr) return {};
    if (!arguments->is_text()) return to_json(*arguments);
    if (arguments->text.empty() || json::parse(arguments->text).ok())
      rest.items.push_back(renamed(*arguments, "arguments"));
    return arguments->text;
  }

  static void write_result(json::Writer& out, const Node* result, Node& rest) {
    if (result == nullptr) {
      out.null();
      return;
    }
    out.string(as_text(*result));
    if (!result->is_text()) rest.items.push_back(renamed(*result, "result"));
  }

  bool is_plain_;
  ExportReport& report_;
  std::string name_;
  std::string text_;
  std::size_t calls_ = 0;
};

class RecordExporter : public Exporter {
 public:
  void add(const Node& record) override {
    Node out = holder_node(Node::Kind::map, "", {});
    for (const Node& member : record.items) {
      if (is_made_by_server(member.key) || member.is_null()) continue;
      out.items.push_back(member.key == "conversation" ? conversation_of(member) : member);
    }
    text_ += to_json(out) + "\n";
  }
  std::string finish() override { return std::move(text_); }

 private:
  static bool is_made_by_server(std::string_view key) {
    constexpr std::array<std::string_view, 6> keys{"id",    "createdAt",    "updatedAt", "assertionResults",
                                                   "score", "overallPassed"};
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  /// The entries as a request body has them, without ids and turns, which the server assigns.
  static Node conversation_of(const Node& list) {
    Node out = list;
    for (Node& entry : out.items) {
      std::erase_if(entry.items, [](const Node& each) {
        return each.key == "id" || each.key == "turn" || each.is_null();
      });
    }
    return out;
  }
  std::string text_;
};

}  // namespace

std::unique_ptr<Exporter> make_openai_jsonl(const ExportOptions& options, ExportReport& report) {
  return std::make_unique<OpenAiExporter>(options, report);
}

std::unique_ptr<Exporter> make_jsonl(const ExportOptions& /*options*/, ExportReport& /*report*/) {
  return std::make_unique<RecordExporter>();
}

}  // namespace parley::convert
