#include "outbound/agents/http_answer.hpp"

#include <algorithm>
#include <iterator>

#include "model/json/json_writer.hpp"
#include "model/text/utf8.hpp"
#include "model/values/metadata.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/agents/form_reader.hpp"
#include "outbound/formats/event_stream.hpp"
#include "outbound/formats/reply_proposal.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t named_keys_max = 20;

/// Reads the members of a webhook's answer (D71) and stores the first fault.
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
      fault_ = AgentFault{std::move(code), "The agent's answer is invalid: " + pointer + " " + detail + "."};
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

/// Whether the turn contains nothing that a person or a test could see.
bool is_empty(const AgentReply& reply) {
  return !reply.message && reply.tools.empty() && reply.events.empty() && !reply.ends;
}

/// Describes an answer: "the keys answer, session", "a list of 2 items", "a string".
std::string contents_of(const json::Value& root, const Secrets& secrets) {
  if (root.is(json::Kind::array)) {
    const auto items = root.children();
    const bool has_keys = !items.empty() && items.front().is(json::Kind::object);
    return "a list of " + std::to_string(items.size()) + (items.size() == 1 ? " item" : " items") +
           (has_keys ? ", the first with " + contents_of(items.front(), secrets) : "");
  }
  if (!root.is(json::Kind::object)) return "a single value";
  if (root.size() == 0) return "no key at all";
  std::string keys;
  std::size_t count = 0;
  for (const json::Value& member : root.children()) {
    if (++count > named_keys_max) break;
    keys += (count == 1 ? "" : ", ") + in_quotes(member.key(), secrets);
  }
  return (root.size() == 1 ? "the key " : "the keys ") + keys + (root.size() > named_keys_max ? ", ..." : "");
}

std::string advice(const std::optional<std::string>& proposal) {
  return proposal ? " The message may be found with \"reply\": " + *proposal + " in the agent's config." : "";
}

std::string proposal_of(std::string_view pointer) {
  std::string quoted_pointer;
  json::append_quoted(quoted_pointer, pointer);
  return "{\"message\": " + quoted_pointer + "}";
}

AgentFault empty_answer(const json::Value& root, const std::string& where, const Secrets& secrets) {
  const auto pointer = likely_pointer(root);
  return {
      "empty_answer",
      "The agent's answer has neither a message nor a tool nor an event" + where + ". It has " +
          contents_of(root, secrets) + "." +
          without_secrets(advice(pointer ? std::optional(proposal_of(*pointer)) : std::nullopt), secrets)};
}

/// Reads one document of an answer, either by config.reply or as the webhook's.
AgentAnswer read_document(const json::Value& root, const std::optional<ReplyForm>& form) {
  if (form) {
    FormReader reader(root, *form);
    AgentReply reply = reader.reply();
    if (reader.first_fault()) return *reader.first_fault();
    return reply;
  }
  AnswerReader reader(root);
  AgentReply reply = reader.reply();
  if (reader.first_fault()) return *reader.first_fault();
  return reply;
}

std::string searched_place(const std::optional<ReplyForm>& form) {
  const bool is_named = form && !form->message.empty();
  return is_named ? " where config.reply looks (message: " + shown(form->message) + ")" : "";
}

void add(AgentReply& all, AgentReply part) {
  if (part.message) all.message = all.message.value_or("") + *part.message;
  std::move(part.tools.begin(), part.tools.end(), std::back_inserter(all.tools));
  std::move(part.events.begin(), part.events.end(), std::back_inserter(all.events));
  all.metadata = merged(all.metadata, part.metadata);
  all.ends = all.ends || part.ends;
}

/// Reads server-sent events and joins the pieces of the message in order.
AgentAnswer read_stream(const std::optional<ReplyForm>& form, const HttpAnswer& answer,
                        const Secrets& secrets) {
  AgentReply all;
  std::optional<AgentFault> nothing;
  for (const StreamEvent& event : events_of(answer.body).events) {
    if (event.name == "error") {
      return AgentFault{"provider_error",
                        "The agent's stream reports an error: " + in_quotes(event.data, secrets)};
    }
    if (form && form->is_text) {
      if (!is_utf8(event.data)) return AgentFault{"wrong_shape", "The agent's answer is not text in UTF-8."};
      all.message = all.message.value_or("") + event.data;
      continue;
    }
    const auto document = json::parse(event.data, json::outside);
    if (!document.ok()) {
      return AgentFault{"not_json",
                        "An event of the agent's answer is not JSON: " + in_quotes(event.data, secrets) +
                            ". With \"reply\": \"text\" in the config the data of events are the message."};
    }
    auto part = read_document(document->root(), form);
    if (auto* fault = std::get_if<AgentFault>(&part)) return std::move(*fault);
    if (!nothing) nothing = empty_answer(document->root(), searched_place(form), secrets);
    add(all, std::get<AgentReply>(std::move(part)));
  }
  if (all.tools.size() > reply_entries_max || all.events.size() > reply_entries_max)
    return AgentFault{"too_large", "The agent's answer has more than 1000 tools or events."};
  if (!is_empty(all)) return measured(std::move(all), answer.duration_ms);
  return nothing ? *nothing : AgentFault{"empty_answer", "The agent's answer is a stream without an event."};
}

AgentAnswer read_text(const HttpAnswer& answer, const Secrets& secrets) {
  if (!is_success(answer)) return bad_status(answer, {"The agent", secrets});
  std::string text(without_bom(answer.body));
  if (!is_utf8(text)) return AgentFault{"wrong_shape", "The agent's answer is not text in UTF-8."};
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (text.empty()) return AgentFault{"empty_answer", "The agent's answer is empty."};
  AgentReply reply;
  reply.message = std::move(text);
  return measured(std::move(reply), answer.duration_ms);
}

/// Reads one JSON document: of any kind with config.reply, otherwise an object.
AgentAnswer read_json(const std::optional<ReplyForm>& form, const HttpAnswer& answer,
                      const Secrets& secrets) {
  const Answerer who{"The agent", secrets};
  const auto document = form ? json_of(answer, who) : object_of(answer, who);
  if (const auto* fault = std::get_if<CallFault>(&document)) return *fault;
  const json::Value root = std::get<json::Document>(document).root();
  auto read = read_document(root, form);
  auto* reply = std::get_if<AgentReply>(&read);
  if (reply == nullptr) return read;
  if (is_empty(*reply)) return empty_answer(root, searched_place(form), secrets);
  return measured(std::move(*reply), answer.duration_ms);
}

/// The pointer in the first event that has one.
std::optional<std::string> pointer_in_stream(std::string_view body) {
  constexpr std::size_t looked_at_max = 50;
  const auto events = events_of(body).events;
  for (std::size_t i = 0; i < std::min(events.size(), looked_at_max); ++i) {
    const auto document = json::parse(events[i].data, json::outside);
    if (!document.ok()) continue;
    if (auto pointer = likely_pointer(document->root())) return pointer;
  }
  return std::nullopt;
}

}  // namespace

AgentAnswer read_http_agent(const HttpConfig& config, const HttpAnswer& answer, const Secrets& secrets) {
  std::optional<ReplyForm> form;
  if (config.reply) form = reply_form(json::parse(config.reply->text)->root());
  if (is_success(answer) && is_event_stream(answer.content_type)) return read_stream(form, answer, secrets);
  return form && form->is_text ? read_text(answer, secrets) : read_json(form, answer, secrets);
}

std::optional<std::string> proposed_reply(const HttpAnswer& answer) {
  const std::string_view body = without_bom(answer.body);
  std::optional<std::string> pointer;
  const bool is_stream = is_event_stream(answer.content_type);
  if (is_stream) pointer = pointer_in_stream(body);
  const auto document = json::parse(body, json::outside);
  if (!is_stream && document.ok()) pointer = likely_pointer(document->root());
  if (pointer) return proposal_of(*pointer);
  if (document.ok()) return std::nullopt;
  const bool is_text = (is_stream || answer.content_type.starts_with("text/plain")) && is_utf8(answer.body);
  const bool has_words = answer.body.find_first_not_of(" \t\r\n") != std::string::npos;
  return is_text && has_words ? std::optional<std::string>("\"text\"") : std::nullopt;
}

}  // namespace parley::outbound
