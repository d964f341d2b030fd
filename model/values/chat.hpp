#pragma once
/// A question to a chat model and its answer, as values: the tester and the judge write questions and read answers;
/// outbound/openai turns both into HTTP. Plain values; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/json/json.hpp"

namespace parley {

/// Why a call or its answer could not be used: a short code and a sentence for people (D47a).
struct CallFault {
  std::string code;
  std::string detail;
  bool operator==(const CallFault&) const = default;
};

enum class ChatRole : std::uint8_t { system, user, assistant, tool };

/// A function that a model calls.
struct ChatCall {
  std::string id;  ///< links the call to the tool message that answers it
  std::string name;
  json::Text
      arguments;  ///< an object if the model followed its schema; else any value, a string if it is not JSON
  bool operator==(const ChatCall&) const = default;
};

struct ChatMessage {
  ChatRole role = ChatRole::user;
  std::string content;
  std::vector<ChatCall> calls = {};  ///< calls in a message of the assistant
  std::string call_id = {};          ///< in a tool message: the call that it answers
  bool operator==(const ChatMessage&) const = default;
};

/// A function that is offered to the model.
struct ChatTool {
  std::string name;
  std::string description;
  json::Text parameters;  ///< JSON Schema of an object
  bool operator==(const ChatTool&) const = default;
};

/// The shape that the answer must have.
struct ChatSchema {
  std::string name;
  json::Text schema;
  bool operator==(const ChatSchema&) const = default;
};

struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::vector<ChatTool> tools = {};
  std::optional<ChatSchema> response = std::nullopt;
  std::optional<std::int64_t> seed = std::nullopt;  ///< the run's seed
  bool operator==(const ChatRequest&) const = default;
};

/// The usage of one call, as far as the endpoint reports it.
struct ChatUsage {
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<double> cost;  ///< USD
  bool operator==(const ChatUsage&) const = default;
};

/// The first choice of an answer.
struct ChatAnswer {
  std::optional<std::string> content;
  std::optional<std::string> refusal;
  std::vector<ChatCall> calls;
  std::string finish_reason;  ///< "stop", "length", "tool_calls", "content_filter"; empty if absent
  std::string model;          ///< the name that the endpoint reports; empty if absent
  ChatUsage usage;
  std::int64_t throttled = 0;  ///< earlier answers to this question that asked for fewer calls
  bool operator==(const ChatAnswer&) const = default;
};

}  // namespace parley
