#pragma once
/// Tasks, answers and conversations for the tests of the agent protocols.

#include <gtest/gtest.h>

#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound::testing {

inline Id id_of(std::uint64_t number) {
  CountingIds ids(number);
  return ids.next({});
}

inline Entry entry_of(EntryType type, Role role, std::string text, std::string metadata = "{}") {
  Entry entry;
  entry.id = id_of(7);
  entry.type = type;
  entry.role = role;
  (type == EntryType::message ? entry.content : entry.name) = std::move(text);
  entry.metadata.text = std::move(metadata);
  return entry;
}

inline std::vector<EntryText> texts_of(const std::vector<Entry>& entries) {
  std::vector<EntryText> texts;
  for (const Entry& entry : entries) texts.push_back({entry.type, entry.role, entry_json(entry)});
  return texts;
}

inline AgentTask task_of(std::vector<Entry> before, std::string message) {
  AgentTask task;
  task.result = id_of(1);
  task.turn = 3;
  task.message = std::move(message);
  task.conversation = VisibleTexts(texts_of(before));
  task.metadata.text = R"({"k":1.0})";
  return task;
}

inline HttpAnswer answer_of(std::string body, int status = 200) {
  HttpAnswer answer;
  answer.status = status;
  answer.body = std::move(body);
  answer.duration_ms = 12;
  return answer;
}

inline std::optional<std::string> value_of(const HttpRequest& request, std::string_view name) {
  for (const auto& field : request.fields) {
    if (field.first == name) return field.second;
  }
  return std::nullopt;
}

/// The code of a fault; "" for anything else.
template <class Variant>
std::string code_of(const Variant& variant) {
  const auto* fault = std::get_if<CallFault>(&variant);
  if (fault == nullptr) return "";
  EXPECT_TRUE(fault->detail.ends_with(".") || fault->detail.find(": ") != std::string::npos) << fault->detail;
  EXPECT_LT(fault->detail.size(), 1'000u);
  return fault->code;
}

/// A body that every parser must handle, and the code of its fault.
struct HostileBody {
  std::string body;
  std::string code;
};

/// Bodies that are hostile to every parser of a JSON answer (F19, F21).
inline std::vector<HostileBody> hostile_bodies() {
  return {
      {"", "not_json"},
      {"<html><body>502 Bad Gateway</body></html>", "not_json"},
      {std::string("{\"a\":\0}", 7), "not_json"},
      {"{\"message\":\"\xff\xfe\"}", "not_json"},
      {"\xef\xbb\xbf{", "not_json"},
      {std::string(1'000'000, '['), "not_json"},
      {R"({"a":)" + std::string(100, '[') + std::string(100, ']') + "}", "not_json"},
      {"{} {}", "not_json"},
      {"{}{}", "not_json"},
      {"```json\n{}\n```", "not_json"},
      {R"({"message":"a","message":"b"})", "not_json"},
      {R"({"message":"half)", "not_json"},
      {R"({"message":"\ud800"})", "not_json"},
      {R"({"n":)" + std::string(200, '9') + "}", "not_json"},
      {"NaN", "not_json"},
      {"null", "wrong_shape"},
      {"[]", "wrong_shape"},
      {"\"message\"", "wrong_shape"},
      {"1", "wrong_shape"},
  };
}

}  // namespace parley::outbound::testing
