#include "outbound/agents/demo_agent.hpp"

#include <algorithm>

#include "model/check.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t number_digits_max = 9;

/// Splits a text into lower-case words of letters and digits.
std::vector<std::string> lower_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (const char c : text) {
    const bool is_part = ascii::is_letter(c) || ascii::is_digit(c);
    if (is_part && !is_inside) words.emplace_back();
    if (is_part) words.back() += ascii::lower(c);
    is_inside = is_part;
  }
  return words;
}

bool has_any(const std::vector<std::string>& words, std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// The number after the word "order", with or without the word "number" between them.
std::string order_number(const std::vector<std::string>& words) {
  auto at = std::find(words.begin(), words.end(), "order");
  if (at == words.end() || ++at == words.end()) return {};
  if (*at == "number" && ++at == words.end()) return {};
  const bool is_number =
      at->size() <= number_digits_max && std::all_of(at->begin(), at->end(), ascii::is_digit);
  return is_number ? *at : std::string();
}

AgentTool tool(std::string name, const std::string& arguments, const std::string& result) {
  return {std::move(name), {R"({"arguments":)" + arguments + R"(,"result":)" + result + "}"}};
}

AgentReply says(std::string text) {
  AgentReply reply;
  reply.message = std::move(text);
  return reply;
}

AgentReply order_status(const std::string& number) {
  std::string quoted;
  json::append_quoted(quoted, number);
  const bool is_known = number == "42";
  AgentReply reply = says(is_known ? "Order 42 has been sent and arrives on Friday."
                                   : "I cannot find an order " + number + ".");
  reply.tools.push_back(tool("lookup_order", R"({"order":)" + quoted + "}",
                             is_known ? R"({"status":"sent","arrives":"Friday"})" : "null"));
  return reply;
}

AgentReply order_form() {
  AgentReply reply = says("Choose how many you want, then confirm the order.");
  reply.events.push_back(
      {"order-form",
       true,
       {R"({"actions":[{"name":"confirm_order","description":"Confirms the order.",)"
        R"("properties":{"quantity":{"type":"integer","description":"How many."}},"required":["quantity"]}]})"}});
  return reply;
}

AgentReply acted(const AgentAction& action) {
  if (action.name != "confirm_order") return says("I cannot do " + action.name + ".");
  AgentReply reply = says("Thank you. Your order number is 42.");
  reply.tools.push_back(tool("place_order", action.arguments.text, R"({"order":"42"})"));
  return reply;
}

AgentReply answered(const std::string& message) {
  const auto words = lower_words(message);
  if (has_any(words, {"bye", "goodbye"})) {
    AgentReply reply = says("Goodbye.");
    reply.ends = true;
    return reply;
  }
  if (const std::string number = order_number(words); !number.empty()) return order_status(number);
  if (has_any(words, {"button", "buttons", "buy"})) return order_form();
  if (has_any(words, {"hello", "hi", "hey"})) {
    return says("Hello! I am the demo shop. Ask me about order 42, say that you want to buy, or say bye.");
  }
  return says("You said: " + message);
}

}  // namespace

AgentReply demo_reply(const AgentTask& task) {
  AgentReply reply = task.action ? acted(*task.action) : answered(task.message.value_or(""));
  // An echo of the longest message would be longer than a message may be.
  if (reply.message->size() > limits::content_bytes_max) reply.message = "That was long.";
  reply.metadata.text = R"({"responseTime":0})";
  return reply;
}

}  // namespace parley::outbound
