#include "actors/models/model_call.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cstdint>

#include "model/check.hpp"
#include "outbound/agents/answer.hpp"
#include "outbound/redaction/reply_redaction.hpp"

namespace parley::actors {
namespace {

VoidAnswer void_answer(const outbound::HttpAnswer& answer, CallFault fault,
                       const outbound::ChatEndpoint& endpoint) {
  const bool is_schema_refused = outbound::refuses_schema(answer);
  if (is_schema_refused) endpoint.habits->refuses_schema = true;
  const bool again = is_schema_refused || fault.code != "bad_status";
  return {std::move(fault), again};
}

void mask(ChatAnswer& chat, const outbound::ReplyRedaction& mask) {
  if (chat.content) mask.hide(*chat.content);
  if (chat.refusal) mask.hide(*chat.refusal);
  mask.hide(chat.model);
  for (ChatCall& call : chat.calls) {
    mask.hide(call.name);
    if (!mask.hide(call.arguments)) call.arguments = {};
  }
}

}  // namespace

std::string new_fence() {
  // Not std::random_device, which asks the processor: inside a virtual machine that takes 28 us instead of 1.
  std::array<std::uint64_t, 2> bits{};
  CHECK(getrandom(bits.data(), sizeof bits, 0) == static_cast<ssize_t>(sizeof bits));
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

std::variant<ChatAnswer, VoidAnswer> chat_of(const outbound::HttpOutcome& outcome,
                                             const outbound::ChatEndpoint& endpoint) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome))
    return VoidAnswer{outbound::fault_of(*failure), false};
  const auto& answer = std::get<outbound::HttpAnswer>(outcome);
  const outbound::Secrets secrets = outbound::secrets_of(endpoint);
  auto read = outbound::read_chat(answer, secrets);
  if (auto* fault = std::get_if<CallFault>(&read)) return void_answer(answer, std::move(*fault), endpoint);
  auto& chat = std::get<ChatAnswer>(read);
  chat.throttled = answer.throttling.answers;
  if (endpoint.prices != nullptr)
    endpoint.prices->complete(chat.model.empty() ? endpoint.model : chat.model, chat.usage);
  mask(chat, outbound::ReplyRedaction(secrets));
  return std::move(chat);
}

}  // namespace parley::actors
