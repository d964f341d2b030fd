#include "actors/model_answer.hpp"

#include "outbound/answer.hpp"
#include "outbound/openai.hpp"

namespace parley::actors {

std::variant<ChatAnswer, VoidAnswer> chat_of(const outbound::HttpOutcome& outcome) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome))
    return VoidAnswer{outbound::fault_of(*failure), false};
  auto chat = outbound::read_chat(std::get<outbound::HttpAnswer>(outcome));
  if (auto* fault = std::get_if<CallFault>(&chat)) {
    const bool again = fault->code != "bad_status";
    return VoidAnswer{std::move(*fault), again};
  }
  return std::get<ChatAnswer>(std::move(chat));
}

}  // namespace parley::actors
