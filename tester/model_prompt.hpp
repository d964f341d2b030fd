#pragma once
/// The model tester (D61): asks a chat model to play the simulated user and reads its turn. The transcript is
/// untrusted data: roles are swapped (the chatbot's messages are sent as the user's), internal events
/// are left out (I36), and only the model's own call can end the chat. Pure; any thread.

#include <span>
#include <string_view>
#include <variant>

#include "model/records/visible_entries.hpp"
#include "model/values/chat.hpp"
#include "tester/actions.hpp"
#include "tester/script.hpp"

namespace parley::tester {

/// The tool by which the model ends the conversation.
inline constexpr std::string_view end_tool = "end_conversation";

/// The persona that the model plays, in addition to the instruction of the test.
struct Persona {
  std::string name;
  std::string description;
  std::string instruction;
};

/// Everything that a turn depends on. Views must outlive the call.
struct Scene {
  std::string_view instruction;
  std::optional<Persona> persona = std::nullopt;
  std::span<const ActionDefinition> actions = {};  ///< what the chatbot's latest turn registered
  const VisibleEntries& conversation;
};

[[nodiscard]] ChatRequest tester_request(const Scene& scene);

/// A turn, or a fault after which the model must be asked again. The caller checks a turn's invocation like
/// any other (D62).
using ModelTurn = std::variant<Turn, CallFault>;

/// Reads the model's answer. Thoughts and a fence around the whole text are left out; the call of an offered
/// tool may be written as one JSON object {name, arguments} (D105). Faults: refusal, cut_off, empty_answer,
/// wrong_shape, too_large. Needs: the answer to tester_request of this scene.
[[nodiscard]] ModelTurn read_tester(const ChatAnswer& answer, const Scene& scene);
/// Whether the answer may end the conversation. If false, read_tester needs no entries in the scene.
[[nodiscard]] bool may_end(const ChatAnswer& answer);

/// True if the script's `max turns: N`, else the default, allows no further turn: then the conversation ends
/// with max_turns and no model is asked.
[[nodiscard]] bool is_out_of_turns(const Expected<Script>& script, std::int64_t tester_turns,
                                   std::int64_t turns_max_default);

}  // namespace parley::tester
