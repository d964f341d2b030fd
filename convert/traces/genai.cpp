#include "convert/traces/genai.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "convert/traces/call_records.hpp"
#include "convert/traces/message_lists.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

void append(std::vector<Node>& out, const Node& list) {
  const Node inner = opened(list);
  if (inner.is_list()) {
    out.insert(out.end(), inner.items.begin(), inner.items.end());
  } else if (inner.is_map()) {
    out.push_back(inner);
  }
}

// The newest generation: whole lists in attributes of the span or of an event.

void take_lists(const Attributes& attributes, ModelCall& call) {
  const auto take = [&](const std::string& key, std::vector<Node>& into) {
    const auto found = attributes.find(key);
    if (found != attributes.end()) append(into, found->second);
  };
  const auto system = attributes.find("gen_ai.system_instructions");
  if (system != attributes.end() && attributes.contains("gen_ai.input.messages"))
    call.input.push_back(message_node("system", unquoted(opened(system->second))));
  take("gen_ai.input.messages", call.input);
  take("gen_ai.output.messages", call.output);
}

// The generation before: one event for each message.

Node event_message(const std::string& role, const Attributes& attributes) {
  Node message = holder_node(Node::Kind::map, "", {});
  for (const std::string key : {"gen_ai.event.content", "body"}) {
    const auto body = attributes.find(key);
    if (body != attributes.end() && opened(body->second).is_map()) message = opened(body->second);
  }
  for (const auto& [key, value] : attributes) {
    if (key != "body" && !message.has(key)) message.items.push_back(opened_member(renamed(value, key)));
  }
  if (const Node* inner = message.find("message"); inner != nullptr && inner->is_map()) {
    message = Node(*inner);
  } else if (inner != nullptr && message.find("content") == nullptr) {
    message.items.push_back(renamed(*inner, "content"));  // Strands: only the content
  }
  if (message.find("role") == nullptr) message.items.push_back(text_node("role", role, message.place));
  return message;
}

void take_event(const std::string& name, const Attributes& attributes, ModelCall& call) {
  if (name == "gen_ai.choice") {
    call.output.push_back(event_message("assistant", attributes));
  } else if (name.starts_with("gen_ai.") && name.ends_with(".message")) {
    const std::string role = name.substr(7, name.size() - 7 - 8);
    call.input.push_back(event_message(role, attributes));
  } else if (name == "gen_ai.client.inference.operation.details") {
    take_lists(attributes, call);
  } else if (name == "gen_ai.content.prompt" || name == "gen_ai.content.completion") {
    const bool is_prompt = name.ends_with("prompt");
    const auto found = attributes.find(is_prompt ? "gen_ai.prompt" : "gen_ai.completion");
    if (found == attributes.end()) return;
    if (is_prompt) call.input = input_messages(found->second);
    if (!is_prompt) call.output = output_messages(found->second);
  } else {
    take_call_record(attributes, call);
  }
}

/// Reads events that an SDK stores as JSON in an attribute.
void take_event_list(const Span& span, ModelCall& call) {
  const Node* events = span.find("events");
  if (events == nullptr) return;
  for (const Node& each : opened(*events).items) {
    Attributes attributes;
    for (const Node& member : each.items) attributes[member.key] = member;
    take_event(each.text_of("event.name"), attributes, call);
  }
}

// Indexed attributes: `gen_ai.prompt.0.content`, `llm.input_messages.0.message.content`.

/// A tree of the attributes with the prefix: `0.tool_calls.1.name` becomes nested maps.
Node indexed(const Span& span, const std::string& prefix) {
  Node root = holder_node(Node::Kind::map, "", span.place);
  for (auto at = span.attributes.lower_bound(prefix);
       at != span.attributes.end() && at->first.starts_with(prefix); ++at) {
    Node* node = &root;
    std::string_view left = std::string_view(at->first).substr(prefix.size());
    for (std::size_t depth = 0; depth < 12; ++depth) {
      const std::size_t dot = left.find('.');
      const std::string key(left.substr(0, dot));
      auto found = std::find_if(node->items.begin(), node->items.end(),
                                [&](const Node& each) { return each.key == key; });
      if (found == node->items.end())
        found = node->items.insert(node->items.end(), holder_node(Node::Kind::map, key, span.place));
      if (dot == std::string_view::npos) {
        *found = renamed(at->second, key);
        break;
      }
      node = &*found;
      left.remove_prefix(dot + 1);
    }
  }
  return root;
}

bool is_by_number(const Node& a, const Node& b) {
  return a.key.size() != b.key.size() ? a.key.size() < b.key.size() : a.key < b.key;
}

/// Converts maps whose keys are numbers to lists.
Node with_lists(Node node) {
  for (Node& item : node.items) item = with_lists(std::move(item));
  const bool is_numbered = node.is_map() && !node.items.empty() &&
                           std::all_of(node.items.begin(), node.items.end(),
                                       [](const Node& item) { return ascii::is_digits(item.key); });
  if (!is_numbered) return node;
  node.kind = Node::Kind::list;
  std::sort(node.items.begin(), node.items.end(), is_by_number);
  return node;
}

void take_indexed(const Span& span, const std::string& prefix, std::vector<Node>& into) {
  Node root = with_lists(indexed(span, prefix));
  for (Node& each : root.items) {
    const Node* message = each.find("message");  // OpenInference
    Node taken = message != nullptr && message->is_map() ? *message : each;
    for (Node& item : taken.items) {
      item = opened_member(item);
      if (item.key != "tool_calls") continue;
      for (Node& call : item.items) {
        if (const Node* inner = call.find("tool_call"); inner != nullptr && inner->is_map()) call = *inner;
      }
    }
    if (const Node* name = taken.find("function_call_name")) {  // OpenInference, of the former API of OpenAI
      Node call = holder_node(Node::Kind::map, "function_call", taken.place);
      call.items.push_back(renamed(*name, "name"));
      if (const Node* arguments = taken.find("function_call_arguments_json"))
        call.items.push_back(renamed(*arguments, "arguments"));
      taken.items.push_back(std::move(call));
    }
    if (const Node* contents = taken.find("contents");
        contents != nullptr && taken.find("content") == nullptr) {
      Node list = *contents;
      for (Node& part : list.items) {
        if (const Node* inner = part.find("message_content"); inner != nullptr) part = *inner;
      }
      taken.items.push_back(renamed(list, "content"));
    }
    if (taken.is_map()) into.push_back(std::move(taken));
  }
}

/// Google ADK: the Gemini request and response, as JSON.
void take_gemini(const Span& span, ModelCall& call) {
  if (const Node* request = span.find("gcp.vertex.agent.llm_request"))
    call.input = input_messages(opened(*request));
  if (const Node* response = span.find("gcp.vertex.agent.llm_response"))
    call.output = output_messages(opened(*response));
}

/// The recorded value. LangWatch wraps it as `{"type": "chat_messages", "value": [...]}`.
Node recorded_value(const Node& recorded) {
  const Node given = unquoted(recorded);
  const Node inner = opened(given);
  const Node* value = inner.find("value");
  return value != nullptr && inner.find("type") != nullptr && inner.items.size() == 2 ? *value : given;
}

/// Reads whole inputs and outputs that frameworks record under their own names.
void take_values(const Span& span, ModelCall& call) {
  struct Names {
    const char* input;
    const char* output;
  };
  constexpr std::array table{Names{"gen_ai.prompt", "gen_ai.completion"},
                             Names{"ai.prompt.messages", "ai.response.text"},
                             Names{"ai.prompt", "ai.response.text"},
                             Names{"traceloop.entity.input", "traceloop.entity.output"},
                             Names{"langfuse.observation.input", "langfuse.observation.output"},
                             Names{"langwatch.input", "langwatch.output"},
                             Names{"request_data", "response_data"},  // Logfire
                             Names{"mlflow.spanInputs", "mlflow.spanOutputs"}};
  for (const Names& each : table) {
    const Node* input = span.find(each.input);
    const Node* output = span.find(each.output);
    if (input != nullptr && call.input.empty()) call.input = input_messages(recorded_value(*input));
    if (output != nullptr && call.output.empty()) call.output = output_messages(recorded_value(*output));
  }
  if (const Node* object = span.find("ai.response.object"); object != nullptr && call.output.empty())
    call.output.push_back(message_node("assistant", text_node("content", as_text(*object), object->place)));
  if (const Node* calls = span.find("ai.response.toolCalls")) {  // next to the text
    const std::vector<Node> more = output_messages(*calls);
    call.output.insert(call.output.end(), more.begin(), more.end());
  }
}

void take_usage(const Span& span, Members& about) {
  const auto take = [&](const std::string& name, std::initializer_list<std::string> keys) {
    for (const std::string& key : keys) {
      const Node* found = span.find(key);
      if (found == nullptr) continue;
      set_member(about, name, to_json(*found));
      return;
    }
  };
  take("model", {"gen_ai.response.model", "gen_ai.request.model", "llm.model_name"});
  take("inputTokens", {"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt"});
  take("outputTokens",
       {"gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"});
  take("cost", {"gen_ai.usage.cost", "operation.cost"});
}

/// Each message of the output is a choice of the model. A model call has one answer, so messages with text after the
/// first such message are other choices. An agent may say several messages.
void separate_choices(ModelCall& call) {
  const auto has_text = [](const Node& message) {
    const Node* content = message.first_of({"content", "parts", "contents"});
    if (content == nullptr || !content->is_list()) return content != nullptr && !as_text(*content).empty();
    return std::any_of(content->items.begin(), content->items.end(), [](const Node& part) {
      return part.is_text() || part.has("text") || part.text_of("type") == "text";
    });
  };
  const bool is_of_model =
      !call.is_agent && std::all_of(call.output.begin(), call.output.end(), ChatReader::is_of_assistant);
  if (!is_of_model) return;
  bool has_answer = false;
  for (Node& message : std::exchange(call.output, {})) {
    const bool is_other = has_answer && has_text(message);
    has_answer = has_answer || has_text(message);
    (is_other ? call.other_choices : call.output).push_back(std::move(message));
  }
}

/// OpenInference: the values of the span are the input and the output that its messages lack. Chains inside other
/// chains have values too, such as prompts, so a span without messages has them only if it is a model or the root.
void take_openinference(const Span& span, bool is_root, ModelCall& call) {
  const std::string kind = span.text_of("openinference.span.kind");
  const bool has_messages = !call.input.empty() || !call.output.empty();
  const bool is_of_root = is_root && (kind == "AGENT" || kind == "CHAIN");
  if (!has_messages && !is_of_root && kind != "LLM") return;
  const Node* input = span.find("input.value");
  const Node* output = span.find("output.value");
  if (input != nullptr && call.input.empty()) call.input = input_messages(*input);
  if (output != nullptr && call.output.empty()) call.output = output_messages(*output);
  call.is_of_root = !has_messages && is_of_root;
}

/// OpenLLMetry: the arguments of a decorated function, and its result as JSON.
void take_entity(const Span& span, ToolCall& call) {
  const Node* input = span.find("traceloop.entity.input");
  const Node* output = span.find("traceloop.entity.output");
  if (input != nullptr && !call.arguments) {
    const Node given = opened(*input);
    const Node* named = given.find("kwargs");
    call.arguments = named != nullptr && given.list_of("args").empty() ? *named : given;
  }
  if (output != nullptr && !call.result) call.result = unquoted(opened(*output));
}

}  // namespace

bool is_genai(const Span& span) {
  if (is_tool(span)) return true;
  const auto is_about_models = [](const auto& each) {
    return each.first.starts_with("gen_ai.") || each.first.starts_with("llm.") ||
           each.first.starts_with("openinference.") || each.first.starts_with("ai.prompt") ||
           each.first.starts_with("ai.response.") || each.first.starts_with("ai.toolCall.");
  };
  const auto is_model_event = [](const SpanEvent& event) {
    ModelCall spare;
    return event.name.starts_with("gen_ai.") || take_call_record(event.attributes, spare);
  };
  return std::any_of(span.attributes.begin(), span.attributes.end(), is_about_models) ||
         std::any_of(span.events.begin(), span.events.end(), is_model_event);
}

bool is_tool(const Span& span) {
  return span.text_of("gen_ai.operation.name") == "execute_tool" ||
         span.text_of("openinference.span.kind") == "TOOL" ||
         span.text_of("traceloop.span.kind") == "tool" ||  // OpenLLMetry
         span.find("ai.toolCall.name") != nullptr;         // Vercel AI SDK
}

ModelCall model_call_of(const Span& span, bool is_root) {
  ModelCall call;
  call.order = span.begin;
  call.begin = span.begin;
  const std::string operation = span.text_of("gen_ai.operation.name");
  const std::string kind = span.text_of("openinference.span.kind");
  call.is_agent =
      operation == "invoke_agent" || operation == "create_agent" || kind == "AGENT" || kind == "CHAIN";
  take_lists(span.attributes, call);
  if (call.input.empty() && call.output.empty()) {
    for (const SpanEvent& event : span.events) take_event(event.name, event.attributes, call);
  }
  if (call.input.empty() && call.output.empty()) take_event_list(span, call);
  if (call.input.empty() && call.output.empty()) take_gemini(span, call);
  if (call.input.empty()) take_indexed(span, "gen_ai.prompt.", call.input);
  if (call.output.empty()) take_indexed(span, "gen_ai.completion.", call.output);
  if (call.input.empty()) take_indexed(span, "llm.input_messages.", call.input);
  if (call.output.empty()) take_indexed(span, "llm.output_messages.", call.output);
  separate_choices(call);
  take_openinference(span, is_root, call);
  if (const Node* all = span.find("pydantic_ai.all_messages"); all != nullptr && call.input.empty())
    append(call.input, *all);
  if (call.input.empty() || call.output.empty()) take_values(span, call);
  take_usage(span, call.about);
  return call;
}

std::optional<ToolCall> tool_call_of(const Span& span) {
  if (!is_tool(span)) return tool_of_records(span);
  ToolCall call;
  call.id = span.text_of("gen_ai.tool.call.id");
  if (call.id.empty()) call.id = span.text_of("ai.toolCall.id");
  for (const std::string key :
       {"gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name"}) {
    if (call.name.empty()) call.name = span.text_of(key);
  }
  if (call.name.empty()) call.name = tool_of_span(span.name);
  // OpenInference: the parameters may be their schema, so the input takes precedence.
  for (const std::string key : {"gen_ai.tool.call.arguments", "gcp.vertex.agent.tool_call_args",
                                "ai.toolCall.args", "input.value", "tool.parameters"}) {
    if (const Node* found = span.find(key); found != nullptr && !call.arguments) call.arguments = *found;
  }
  for (const std::string key :
       {"gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "ai.toolCall.result", "output.value"}) {
    if (const Node* found = span.find(key); found != nullptr && !call.result) call.result = *found;
  }
  take_entity(span, call);
  call.error = span.text_of("error.type");
  if (call.error.empty()) call.error = span.error;
  call.milliseconds = span.milliseconds;
  call.order = span.begin;
  return call;
}

}  // namespace parley::convert
