#include "convert/traces/conversation.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "convert/messages/given_messages.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Whether the input cannot begin a conversation: it is empty, or has tool results and no user message.
bool continues(const ModelCall& call) {
  const auto is_known = [](const Node& message) {
    return ChatReader::is_tool_result(message) || ChatReader::is_of_assistant(message) ||
           message.text_of("role") == "system";
  };
  const bool has_result = std::any_of(call.input.begin(), call.input.end(), ChatReader::is_tool_result);
  return (has_result || call.input.empty()) && std::all_of(call.input.begin(), call.input.end(), is_known);
}

/// The content of the first user message in a call, as JSON; empty: none.
std::string first_said(const ModelCall& call) {
  for (const Node& message : call.input) {
    const std::string role = message.text_of("role");
    const Node* content = message.first_of({"content", "parts"});
    if ((role == "user" || role == "human") && content != nullptr) return to_json(*content);
  }
  return {};
}

/// Properties of the calls that begin with the same user message.
struct Beginning {
  std::size_t calls = 0;
  bool is_outside = false;  ///< at least one of them is made outside tools
};

std::map<std::string, Beginning> beginnings_of(const std::vector<ModelCall>& calls) {
  std::map<std::string, Beginning> beginnings;
  for (const ModelCall& each : calls) {
    Beginning& beginning = beginnings[first_said(each)];
    ++beginning.calls;
    beginning.is_outside = beginning.is_outside || !each.is_in_tool;
  }
  beginnings[{}].calls = 0;
  return beginnings;
}

/// The call with the longest history. If equal: a call with output, then a model call rather than an agent call, then
/// the call whose beginning more calls share, then the last call. A call that only continues another call, one inside a
/// tool that begins with its own user message, and the values of the root are used only if there is no other.
const ModelCall* longest(const std::vector<ModelCall>& calls) {
  const auto beginnings = beginnings_of(calls);
  const auto rank = [&](const ModelCall& call) {
    const Beginning& beginning = beginnings.at(first_said(call));
    const bool is_outside = !call.is_in_tool || beginning.is_outside;
    return std::tuple(is_outside, !continues(call), !call.is_of_root, call.input.size(), !call.output.empty(),
                      !call.is_agent, beginning.calls, call.order);
  };
  const ModelCall* best = nullptr;
  auto highest = rank(ModelCall{});
  for (const ModelCall& each : calls) {
    if (each.input.empty() && each.output.empty()) continue;
    auto own = rank(each);
    if (best != nullptr && own < highest) continue;
    best = &each;
    highest = std::move(own);
  }
  return best;
}

/// The later calls, in order, of a framework that sends only new messages.
std::vector<const ModelCall*> continuations(const std::vector<ModelCall>& calls, const ModelCall& first) {
  std::vector<const ModelCall*> out;
  if (first.is_agent) return out;
  for (const ModelCall& each : calls) {
    const bool is_later = &each != &first && each.order > first.order;
    const bool is_beside = !each.is_agent && each.is_in_tool == first.is_in_tool;
    if (is_later && is_beside && continues(each)) out.push_back(&each);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const ModelCall* a, const ModelCall* b) { return a->order < b->order; });
  return out;
}

/// Reports calls that begin with another user message. They are calls of agents inside the agent, not the conversation.
void report_other_calls(Conversion& conversion, const Source& source, const LogDraft& log,
                        const std::vector<ModelCall>& calls, const ModelCall& kept) {
  const std::string begin = first_said(kept);
  std::size_t others = 0;
  for (const ModelCall& each : calls) {
    const std::string other = first_said(each);
    const bool is_repeat = each.is_agent && !(each.is_of_root && kept.is_of_root);
    if (!other.empty() && other != begin && !is_repeat) ++others;
  }
  if (others == 0) return;
  conversion.report.add(source, kept.input.empty() ? Place{1, 1} : kept.input.front().place,
                        {.outcome = Outcome::ignored,
                         .source = "model call",
                         .text = "calls of the trace that begin with other words; the longest one is kept",
                         .log = conversion.external_id(log.id),
                         .count = others});
}

/// Whether the output is the state of a graph, which repeats the messages of the input.
bool is_state(const ModelCall& call) {
  Node input = holder_node(Node::Kind::list, "", {});
  Node output = input;
  input.items = call.input;
  output.items = call.output;
  const std::string said = last_user_text(input);
  return !said.empty() && last_user_text(output) == said;
}

/// The messages of the input that the output does not repeat.
std::vector<Node> own_input(const ModelCall& call) {
  if (!is_state(call)) return call.input;
  std::vector<Node> out;
  for (const Node& message : call.input) {
    if (message.text_of("role") == "system" || message.text_of("type") == "system") out.push_back(message);
  }
  return out;
}

/// The texts and calls of a message, without anything else that is recorded.
std::string said_in(const Node& message) {
  std::string said;
  for (const std::string_view key : {"content", "parts", "tool_calls", "name", "arguments"}) {
    if (const Node* found = message.find(key)) said += to_json(*found);
  }
  return said;
}

/// The messages of a call that continues an earlier call, without the answers that it repeats.
std::vector<Node> new_messages(const ModelCall& call, const std::set<std::string>& answers) {
  std::vector<Node> out;
  for (const Node& message : call.input) {
    const bool is_repeat = !ChatReader::is_tool_result(message) && answers.contains(said_in(message));
    if (!is_repeat) out.push_back(message);
  }
  return out;
}

/// Adds the metadata of a call to the last answer among the entries from `first` on.
void describe_answer(LogDraft& log, std::size_t first, const Members& about) {
  for (std::size_t i = log.entries.size(); i > first; --i) {
    LogEntry& entry = log.entries[i - 1];
    if (entry.type != LogEntry::Type::message || entry.is_tester) continue;
    for (const auto& [key, value] : about) set_member(entry.metadata, key, value);
    return;
  }
}

/// The entries of the messages, without lines in the report.
LogDraft read_apart(const Conversion& conversion, const Source& source, const std::vector<Node>& messages) {
  Conversion spare(conversion.options);
  LogDraft log;
  ChatReader(spare, source, log).add_all(messages);
  return log;
}

/// The starts of the calls that begin as the kept call does.
std::vector<CallStart> starts_of(const Conversion& conversion, const Source& source,
                                 const std::vector<ModelCall>& calls, const ModelCall& kept) {
  std::vector<CallStart> starts;
  const std::string begin = first_said(kept);
  for (const ModelCall& each : calls) {
    if (each.begin.empty() || begin.empty() || first_said(each) != begin) continue;
    const LogDraft read = read_apart(conversion, source, is_state(each) ? each.output : each.input);
    starts.push_back({each.begin, counts_of(read).tester});
  }
  return starts;
}

/// A text that is equal for two records of the same message or call.
std::string identity_of(const LogEntry& entry) {
  if (entry.type == LogEntry::Type::message) return "said " + std::string(ascii::trimmed(entry.content));
  const std::string* arguments = find_member(entry.metadata, "arguments");
  return "called " + entry.name + " " + (arguments == nullptr ? "" : *arguments);
}

/// Reports answers that neither the kept call nor its history has, such as the first of two answers to equal inputs.
void report_other_answers(Conversion& conversion, const Source& source, const LogDraft& log,
                          const std::vector<ModelCall>& calls, const ModelCall& kept) {
  std::set<std::string> known;
  for (const LogEntry& entry : log.entries) known.insert(identity_of(entry));
  const std::string begin = first_said(kept);
  Unkept unkept;
  for (const ModelCall& each : calls) {
    const bool is_other = &each != &kept && !each.is_agent && each.is_in_tool == kept.is_in_tool;
    if (!is_other || begin.empty() || first_said(each) != begin) continue;
    for (const LogEntry& entry : read_apart(conversion, source, each.output).entries) {
      if (entry.is_tester || known.contains(identity_of(entry))) continue;
      unkept.add(each.output.front().place,
                 {.outcome = Outcome::not_mapped,
                  .source = "answer",
                  .text = entry.type == LogEntry::Type::message ? entry.content : entry.name,
                  .why = "the call that is kept begins with the same words and does not have this answer"});
    }
  }
  unkept.report(conversion, source, conversion.external_id(log.id));
}

/// Adds the output of a call, and reports the answers that the model gave in addition to the first.
void add_output(Conversion& conversion, const Source& source, const LogDraft& log, ChatReader& reader,
                const ModelCall& call) {
  reader.add_all(call.output);
  Unkept unkept;
  for (const Node& each : call.other_choices)
    unkept.add(each.place, {.outcome = Outcome::not_mapped,
                            .source = "choice",
                            .text = to_json(each),
                            .why = "a log has one answer; the first choice is kept"});
  unkept.report(conversion, source, conversion.external_id(log.id));
}

/// Whether the log has more than the names and times of calls.
bool has_content(const LogDraft& log) {
  return std::any_of(log.entries.begin(), log.entries.end(), [](const LogEntry& entry) {
    return entry.type != LogEntry::Type::tool || find_member(entry.metadata, "arguments") != nullptr ||
           find_member(entry.metadata, "result") != nullptr;
  });
}

}  // namespace

std::string tool_of_span(const std::string& name) {
  for (const std::string_view words : {"execute_tool ", "running tool: "}) {
    if (name.starts_with(words)) return name.substr(words.size());
  }
  return name;
}

void fill_from_calls(Conversion& conversion, const Source& source, LogDraft& log,
                     const std::vector<ModelCall>& models, const std::vector<ToolCall>& tools) {
  ChatReader reader(conversion, source, log);
  reader.set_log_name(conversion.external_id(log.id));
  const ModelCall* call = longest(models);
  if (call != nullptr) {
    report_other_calls(conversion, source, log, models, *call);
    reader.add_all(own_input(*call));
    add_output(conversion, source, log, reader, *call);
    describe_answer(log, 0, call->about);
    std::set<std::string> answers;
    const auto remember = [&](const ModelCall& each) {
      for (const Node& message : each.output) answers.insert(said_in(message));
    };
    remember(*call);
    for (const ModelCall* later : continuations(models, *call)) {
      const std::size_t known = log.entries.size();
      reader.add_all(new_messages(*later, answers));
      add_output(conversion, source, log, reader, *later);
      remember(*later);
      describe_answer(log, known, later->about);
    }
  }
  const std::vector<const ToolCall*> others = give_to_entries(log, tools);
  const bool is_timed = call != nullptr && !others.empty();
  insert_calls(log, others,
               is_timed ? starts_of(conversion, source, models, *call) : std::vector<CallStart>{});
  if (call != nullptr) report_other_answers(conversion, source, log, models, *call);
}

void Unkept::add(Place place, Item item) {
  for (auto& [known_place, known] : items_) {
    if (known.source != item.source) continue;
    known.count += item.count;
    return;
  }
  items_.emplace_back(place, std::move(item));
}

void Unkept::take(const Node& record, std::string_view key, const std::string& why, ItemKind kind) {
  const Node* found = record.find(key);
  if (found == nullptr) return;
  const Node value = opened(*found);
  if (value.is_scalar() ? value.text.empty() : value.items.empty()) return;
  add(found->place, {.kind = kind,
                     .outcome = Outcome::not_mapped,
                     .source = std::string(key),
                     .text = as_text(value),
                     .why = why});
}

void Unkept::report(Conversion& conversion, const Source& source, const std::string& log_name) const {
  for (const auto& [place, item] : items_) {
    Item line = item;
    line.log = log_name;
    conversion.report.add(source, place, line);
  }
}

void finish_trace(Conversion& conversion, LogDraft&& log, const At& at, EmptyTrace if_empty) {
  if (has_content(log)) {
    conversion.finish_log(std::move(log), at);
    return;
  }
  conversion.report.add(at.source, at.place,
                        {.kind = ItemKind::log,
                         .outcome = Outcome::not_mapped,
                         .source = std::move(if_empty.source),
                         .log = conversion.external_id(log.id),
                         .why = std::move(if_empty.why)});
}

}  // namespace parley::convert
