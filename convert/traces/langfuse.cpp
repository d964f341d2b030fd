#include "convert/traces/langfuse.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "convert/messages/given_messages.hpp"
#include "convert/messages/rows.hpp"
#include "convert/reading/python_literal.hpp"
#include "convert/tables/dataset_rows.hpp"
#include "convert/tables/tables.hpp"
#include "convert/traces/conversation.hpp"
#include "convert/traces/message_lists.hpp"
#include "convert/traces/nesting.hpp"
#include "convert/traces/times.hpp"

namespace parley::convert {
namespace {

/// The list in a page of the API, or in a data set with its items; null for other nodes.
const Node* page_of(const Node& node) {
  for (const std::string_view key : {"data", "items"}) {
    const Node* list = node.find(key);
    if (list != nullptr && list->is_list() && !list->items.empty() && list->items.front().is_map())
      return list;
  }
  return nullptr;
}

std::optional<Node> member_of(const Node& node, std::string_view key) {
  const Node* found = node.find(key);
  if (found == nullptr) return std::nullopt;
  return *found;
}

/// The model, tokens and cost of an observation, as metadata of the answer.
Members usage_of(const Node& observation) {
  Members about;
  if (const std::string model = observation.text_of("model"); !model.empty())
    set_member(about, "model", json_text(model));
  const Node* usage = observation.find("usageDetails");
  const Node* input = usage == nullptr ? observation.find("inputUsage") : usage->find("input");
  const Node* output = usage == nullptr ? observation.find("outputUsage") : usage->find("output");
  if (input != nullptr && input->number()) set_member(about, "inputTokens", to_json(*input));
  if (output != nullptr && output->number()) set_member(about, "outputTokens", to_json(*output));
  const Node* cost = observation.first_of({"totalCost", "calculatedTotalCost"});
  if (cost != nullptr && cost->number()) set_member(about, "cost", to_json(*cost));
  return about;
}

Nesting nesting_of(const std::vector<Node>& observations) {
  Nesting nesting;
  for (const Node& each : observations)
    nesting.add(each.text_of("id"), each.text_of("parentObservationId"), each.text_of("type") == "TOOL");
  return nesting;
}

/// The text of a user message; empty for other messages.
std::string user_text(const Node& message) {
  Node list = holder_node(Node::Kind::list, "", message.place);
  list.items = {message};
  return last_user_text(list);
}

/// Marks instructions that a framework sends as the first user message. The input of the trace has only the messages
/// after it.
void mark_instructions(std::vector<ModelCall>& models, const Node& trace) {
  const Node* input = trace.find("input");
  if (input == nullptr) return;
  std::set<std::string> said;
  for (const Node& message : input_messages(*input)) said.insert(user_text(message));
  for (ModelCall& each : models) {
    if (each.input.size() < 2) continue;
    const std::string first = user_text(each.input[0]);
    const std::string second = user_text(each.input[1]);
    if (first.empty() || second.empty() || said.contains(first) || !said.contains(second)) continue;
    each.input[0] = message_node("system", text_node("content", first, each.input[0].place));
  }
}

/// Adds the answer of the trace to the last model call with messages, because some frameworks record it only in the
/// trace.
void add_answer(std::vector<ModelCall>& models, const Node& trace) {
  const Node* output = trace.find("output");
  const bool has_answers =
      std::any_of(models.begin(), models.end(), [](const ModelCall& call) { return !call.output.empty(); });
  if (output == nullptr || has_answers) return;
  ModelCall* last = nullptr;
  for (ModelCall& each : models) {
    const bool is_later = last == nullptr || each.order >= last->order;
    if (!each.input.empty() && is_later) last = &each;
  }
  if (last != nullptr) last->output = output_messages(opened_literal(unquoted(*output)));
}

/// The error of an observation; empty: it has none.
std::string error_of(const Node& observation) {
  if (observation.text_of("level") != "ERROR") return {};
  const std::string text = observation.text_of("statusMessage");
  return text.empty() ? "error" : text;
}

void take_error(const Node& observation, Unkept& unkept) {
  if (const std::string error = error_of(observation); !error.empty())
    unkept.add(observation.place, {.outcome = Outcome::not_mapped,
                                   .source = "level",
                                   .text = error,
                                   .why = "only tool calls have an error in a log"});
}

/// Adds the scores, metadata, tags and comments of a trace. In a table of traces, each score has a column of its own.
void take_unkept(const Node& trace, Unkept& unkept) {
  constexpr std::array<std::string_view, 31> known{
      "id",          "timestamp",        "name",        "userId",     "sessionId",
      "release",     "version",          "environment", "bookmarked", "public",
      "input",       "output",           "metadata",    "tags",       "level",
      "latency",     "observationCount", "totalCost",   "inputCost",  "outputCost",
      "inputTokens", "outputTokens",     "totalTokens", "usage",      "traceName",
      "projectId",   "createdAt",        "updatedAt",   "htmlPath",   "scores",
      "comments"};
  for (const Node& score : trace.list_of("scores"))
    unkept.add(score.place, {.outcome = Outcome::not_mapped,
                             .source = "score",
                             .text = score.text_of("name") + ": " + score.text_of("value"),
                             .why = "a log has no place for the scores of a trace"});
  unkept.take(trace, "metadata", "a log has no place for the metadata of a trace");
  unkept.take(trace, "tags", "a log has no tags");
  unkept.take(trace, "comments", "a log has no comments");
  const Node* mark = trace.find("bookmarked");
  if (mark == nullptr || !mark->is_text()) return;  // not a row of a table
  for (const Node& cell : trace.items) {
    if (std::find(known.begin(), known.end(), cell.key) == known.end())
      unkept.take(trace, cell.key, "a log has no place for the scores of a trace");
  }
}

void add_trace(Conversion& conversion, const Source& source, const Node& trace,
               const std::vector<Node>& observations) {
  LogDraft log;
  log.id = trace.text_of("id");
  std::vector<ModelCall> models;
  std::vector<ToolCall> tools;
  Unkept unkept;
  take_unkept(trace, unkept);
  const Nesting nesting = nesting_of(observations);
  for (const Node& each : observations) {
    const std::string type = each.text_of("type");
    const std::string order = time_of(each.text_of("startTime"));
    if (type == "GENERATION") {
      const Node* input = each.find("input");
      const Node* output = each.find("output");
      models.push_back({input == nullptr ? std::vector<Node>{} : input_messages(*input),
                        output == nullptr ? std::vector<Node>{} : output_messages(*output), order,
                        usage_of(each), false, nesting.is_in_tool(each.text_of("id")), order});
      take_error(each, unkept);
    } else if (type == "TOOL") {
      tools.push_back({{},
                       tool_of_span(each.text_of("name")),
                       member_of(each, "input"),
                       member_of(each, "output"),
                       error_of(each),
                       std::nullopt,
                       order});
    }
  }
  const bool has_messages =
      std::any_of(models.begin(), models.end(), [](const ModelCall& call) { return !call.input.empty(); });
  if (!has_messages) {
    const auto input = member_of(trace, "input");
    const auto output = member_of(trace, "output");
    models = {{input ? input_messages(opened(*input)) : std::vector<Node>{},
               output ? output_messages(opened(*output)) : std::vector<Node>{},
               {},
               {},
               true,
               false}};
  }
  mark_instructions(models, trace);
  add_answer(models, trace);
  unkept.report(conversion, source, conversion.external_id(log.id));
  fill_from_calls(conversion, source, log, models, tools);
  finish_trace(conversion, std::move(log), {source, trace.place},
               {"trace", "no messages were recorded in it"});
}

/// Whether the node is a trace without its observations, as exported from the table of traces.
bool is_bare_trace(const Node& node) {
  const bool is_row =
      node.has("timestamp") && (node.has("sessionId") || node.has("userId") || node.has("bookmarked"));
  return is_row && (node.has("input") || node.has("output")) && !is_dataset_item(node);
}

/// Whether the node is an observation in its own row.
bool is_observation(const Node& node) {
  return !node.text_of("traceId").empty() && !node.text_of("type").empty() && node.has("startTime");
}

/// Whether the first line has the columns of the table of traces or of the table of observations.
bool is_header_of_traces(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  const auto has = [&](std::string_view column) { return header.find(column) != std::string_view::npos; };
  const bool is_of_traces = has("timestamp") && has("sessionId") && has("bookmarked");
  const bool is_of_observations = has("traceId") && has("startTime") && has("type");
  return (is_of_traces || is_of_observations) && has("input") && has("output");
}

/// Observations in their own rows, grouped by trace id in file order.
struct Observations {
  std::vector<std::pair<std::string, std::vector<Node>>> traces;
  std::map<std::string, std::size_t> places;

  void add(const Node& node) {
    const std::string id = node.text_of("traceId");
    const auto [place, is_new] = places.try_emplace(id, traces.size());
    if (is_new) traces.push_back({id, {}});
    traces[place->second].second.push_back(node);
  }
};

/// Adds one item of an export: a trace with its observations next to it, inside it or missing, an observation, an item
/// of a data set, or a page of these. False: the item is unknown.
bool add_item(Conversion& conversion, const Source& source, const Node& item, Observations& observations) {
  const Node* trace = item.find("trace");
  if (trace != nullptr && trace->is_map()) {
    const std::vector<Node>& beside = item.list_of("observations");
    add_trace(conversion, source, *trace, beside.empty() ? trace->list_of("observations") : beside);
    return true;
  }
  if (const Node* list = page_of(item)) {
    for (const Node& each : list->items) {
      if (!add_item(conversion, source, each, observations)) return false;
    }
    return true;
  }
  if (item.find("observations") != nullptr) {
    add_trace(conversion, source, item, item.list_of("observations"));
    return true;
  }
  if (is_bare_trace(item)) {
    add_trace(conversion, source, item, {});
    return true;
  }
  if (is_observation(item)) {
    observations.add(item);
    return true;
  }
  if (!is_dataset_item(item) && item.first_of({"input", "expected_output"}) == nullptr) return false;
  add_dataset_item(conversion, source, item);
  return true;
}

/// Adds the traces of observations in their own rows.
void add_observations(Conversion& conversion, const Source& source, const Observations& observations) {
  for (const auto& [id, list] : observations.traces) {
    Node trace = holder_node(Node::Kind::map, "", list.front().place);
    trace.items.push_back(text_node("id", id, trace.place));
    add_trace(conversion, source, trace, list);
  }
}

/// Imports a table of traces or observations, or any other table. A cell may hold JSON.
void import_table_of_traces(Conversion& conversion, const Source& source) {
  if (!is_header_of_traces(source.text)) return import_csv(conversion, source);
  const auto rows = csv_rows(conversion, source);
  if (!rows) return;
  Observations observations;
  for (const Node& row : *rows) {
    if (is_observation(row)) {
      observations.add(row);
    } else {
      add_trace(conversion, source, row, {});
    }
  }
  add_observations(conversion, source, observations);
}

bool is_export(const Node& node) {
  if (is_dataset_item(node) && node.find("inputs") == nullptr) return true;
  return (node.find("trace") != nullptr && node.find("trace")->is_map()) ||
         (node.find("observations") != nullptr && node.find("id") != nullptr) || is_bare_trace(node) ||
         is_observation(node);
}

}  // namespace

void import_langfuse(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    if (is_csv(source.path)) return import_table_of_traces(conversion, source);
    Observations observations;
    for_each_row(conversion, source, [&](const Node& row) {
      if (!add_item(conversion, source, row, observations))
        conversion.faults.add(source, row.place,
                              "not an export of Langfuse: it has neither \"trace\" with \"observations\" "
                              "nor \"input\" with \"expectedOutput\"");
    });
    add_observations(conversion, source, observations);
  });
}

int looks_like_langfuse(const std::string& path, std::string_view text, const Node* head) {
  if (is_csv(path)) return is_header_of_traces(text) ? 80 : 0;
  if (head == nullptr) return 0;
  const Node& first = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  const Node* list = page_of(first);
  return is_export(first) || (list != nullptr && is_export(list->items.front())) ? 80 : 0;
}

}  // namespace parley::convert
