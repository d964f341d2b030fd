// The agent of type OPENAI: converts the conversation to messages, and the answer to a reply.

#include "model/json/json_writer.hpp"
#include "model/text/function_names.hpp"
#include "outbound/agents/http_agent.hpp"
#include "outbound/agents/openai.hpp"
#include "outbound/agents/request.hpp"

namespace parley::outbound {
namespace {

/// Collects the messages for a model that plays the chatbot, one entry at a time.
class History {
 public:
  void system(const std::string& text) { messages_.push_back({ChatRole::system, text}); }

  void add(const Entry& entry) {
    switch (entry.type) {
      case EntryType::message:
        return say(entry.role == Role::tester ? ChatRole::user : ChatRole::assistant,
                   entry.content.value_or(""));
      case EntryType::action:
        return invoke(entry.name.value_or(""), member(entry, "arguments").value_or("{}"));
      case EntryType::tool: return call(entry);
      case EntryType::internal_event: return;
      case EntryType::public_event:
        return say(ChatRole::user,
                   "(Event shown in the chat: " + entry.name.value_or("") + " " + entry.metadata.text + ")");
    }
  }

  void say(ChatRole role, const std::string& text) {
    is_calling_ = false;
    ChatMessage* last = messages_.empty() ? nullptr : &messages_.back();
    // Merges two consecutive messages of one side, because some chat templates require alternating turns.
    if (last != nullptr && last->role == role) {
      if (!last->content.empty() && !text.empty()) last->content += "\n\n";
      last->content += text;
    } else {
      messages_.push_back({role, text});
    }
  }

  void invoke(const std::string& name, const std::string& arguments) {
    say(ChatRole::user, "I invoke the action " + name + " with the arguments " + arguments + ".");
  }

  /// `tools`: the definitions that are sent with the messages.
  std::vector<ChatMessage> take(const json::Text& tools) && {
    rename_calls(tools);
    return std::move(messages_);
  }

 private:
  /// The compact text of a member of the entry's metadata.
  static std::optional<std::string> member(const Entry& entry, std::string_view key) {
    const auto metadata = json::parse(entry.metadata.text);
    const auto value = metadata.ok() ? metadata->root().find(key) : std::nullopt;
    return value ? std::optional(value->compact().text) : std::nullopt;
  }

  /// Consecutive tool entries become the calls of one assistant message, each answered by its recorded result.
  /// The ids are generated here, because recorded ids may be missing or duplicated.
  void call(const Entry& entry) {
    const std::string arguments = member(entry, "arguments").value_or("{}");
    const std::string id = "call_" + std::to_string(++calls_);
    const bool is_object = arguments.starts_with('{');
    ChatCall made{id, entry.name.value_or(""), json::Text{is_object ? arguments : "{}"}};
    if (!is_calling_) {
      messages_.push_back({ChatRole::assistant, ""});
      calling_ = messages_.size() - 1;
      is_calling_ = true;
    }
    messages_[calling_].calls.push_back(std::move(made));
    auto result = member(entry, "result");
    if (!result) result = member(entry, "output");
    messages_.push_back({ChatRole::tool, result.value_or("No result was recorded."), {}, id});
  }

  /// Recorded names are arbitrary (D54), but an endpoint refuses a request with a name that it would not accept
  /// for a tool. No recorded name is sent as the name of a different tool.
  void rename_calls(const json::Text& tools) {
    FunctionNames names;
    const auto list = json::parse(tools.text);
    for (const json::Value& tool : list.ok() ? list->root().children() : std::vector<json::Value>{}) {
      const auto name = json::at_pointer(tool, "/function/name");
      if (name && name->is(json::Kind::string)) names.expect(name->string());
    }
    for (const ChatMessage& message : messages_)
      for (const ChatCall& made : message.calls) names.expect(made.name);
    for (ChatMessage& message : messages_)
      for (ChatCall& made : message.calls) made.name = names.of(made.name);
  }

  std::vector<ChatMessage> messages_;
  std::size_t calls_ = 0;
  std::size_t calling_ = 0;  ///< index of the message to which the consecutive calls belong
  bool is_calling_ = false;
};

json::Text metadata_of(const ChatAnswer& answer) {
  json::Writer out;
  out.begin_object();
  if (!answer.model.empty()) out.member("model", answer.model);
  if (answer.usage.input_tokens) out.key("inputTokens").integer(*answer.usage.input_tokens);
  if (answer.usage.output_tokens) out.key("outputTokens").integer(*answer.usage.output_tokens);
  if (answer.usage.cost) out.key("cost").number(*answer.usage.cost);
  if (!answer.finish_reason.empty()) out.member("finishReason", answer.finish_reason);
  if (answer.refusal) out.key("refused").boolean(true);
  out.end_object();
  return {std::move(out).text()};
}

AgentTool tool_of(const ChatCall& call) {
  json::Writer out;
  out.begin_object();
  out.key("arguments").raw(call.arguments.text);
  if (!call.id.empty()) out.member("id", call.id);
  out.end_object();
  return {call.name, {std::move(out).text()}};
}

}  // namespace

ChatRequest agent_chat(const OpenAiConfig& config, const AgentTask& task) {
  History history;
  if (config.system) history.system(*config.system);
  for (const EntryText& entry : task.conversation.all()) history.add(parsed(entry));
  if (task.action) {
    history.invoke(task.action->name, task.action->arguments.text);
  } else {
    history.say(ChatRole::user, task.message.value_or(""));
  }
  ChatRequest request{std::move(history).take(config.tools)};
  request.seed = task.seed;
  return request;
}

std::variant<HttpRequest, AgentFault> openai_agent_request(const OpenAiConfig& config, const Secrets& secrets,
                                                           const AgentTask& task) {
  const auto key = secrets.find("apiKey");
  ChatEndpoint endpoint{config.url, config.model};
  if (key != secrets.end()) endpoint.api_key = key->second;
  endpoint.parameters = config.parameters;
  endpoint.tools = config.tools;
  endpoint.timeout_ms = config.timeout_ms;
  endpoint.streams = config.stream;
  auto request = chat_request(endpoint, agent_chat(config, task));
  if (auto* call = std::get_if<HttpRequest>(&request)) {
    call->fields.emplace_back("Idempotency-Key", idempotency_key(task));
    auto grant = grant_of(config.oauth, secrets);
    if (auto* fault = std::get_if<AgentFault>(&grant)) return std::move(*fault);
    call->grant = std::get<std::shared_ptr<const TokenGrant>>(std::move(grant));
  }
  return request;
}

AgentAnswer read_openai_agent(const HttpAnswer& answer, const Secrets& secrets) {
  auto read = read_chat(answer, secrets);
  if (auto* fault = std::get_if<CallFault>(&read)) return std::move(*fault);
  ChatAnswer chat = std::get<ChatAnswer>(std::move(read));
  AgentReply reply;
  reply.message = chat.content ? chat.content : chat.refusal;  // neither: the agent says nothing (D47)
  for (const ChatCall& call : chat.calls) {
    reply.tools.push_back(tool_of(call));
    if (json::is_beyond(reply.tools.back().metadata, limits::metadata_bytes_max)) {
      return AgentFault{"too_large", "The arguments of a tool call are beyond 100 KB."};
    }
  }
  reply.metadata = metadata_of(chat);
  return measured(std::move(reply), answer.duration_ms);
}

}  // namespace parley::outbound
