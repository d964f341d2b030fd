#pragma once
/// Reads one JSON document of an agent at the places of a ReplyForm, and stores the first fault. Pure; used for
/// one document.

#include "outbound/agents/agent_turn.hpp"
#include "outbound/formats/reply_form.hpp"

namespace parley::outbound {

class FormReader {
 public:
  FormReader(const json::Value& root, const ReplyForm& form) : root_(root), form_(form) {}

  [[nodiscard]] AgentReply reply();
  [[nodiscard]] const std::optional<AgentFault>& first_fault() const { return fault_; }

 private:
  void fault(const std::string& where, const std::string& detail, std::string code = "wrong_shape");
  std::optional<std::string> message();
  void add_text(const json::Value& value, std::optional<std::string>& text);
  std::vector<AgentTool> tools();
  std::optional<AgentTool> tool_of(const json::Value& item);
  std::vector<AgentEvent> events();
  AgentEvent event_of(const json::Value& item);
  std::vector<json::Value> items_at(const Place& place);
  std::string name_of(const std::optional<json::Value>& name, const std::string& where);
  json::Text metadata();
  bool ends();

  json::Value root_;
  const ReplyForm& form_;
  std::optional<AgentFault> fault_;
};

}  // namespace parley::outbound
