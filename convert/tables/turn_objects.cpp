#include "convert/tables/turn_objects.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 8> text_keys{"user",  "text",  "content",  "message",
                                                    "input", "query", "question", "utterance"};
constexpr std::array<std::string_view, 5> speaker_keys{"role", "speaker", "sender", "sender_id", "from"};
constexpr std::array<std::string_view, 4> agents{"assistant", "agent", "bot", "chatbot"};

}  // namespace

std::string text_of_turn(const Node& turn) {
  if (!turn.is_map()) return as_text(turn);
  for (const std::string_view key : text_keys) {
    if (std::string text = turn.text_of(key); !text.empty()) return text;
  }
  return {};
}

bool is_turn_of_agent(const Node& turn) {
  return std::any_of(speaker_keys.begin(), speaker_keys.end(), [&](std::string_view key) {
    return std::find(agents.begin(), agents.end(), ascii::lower(turn.text_of(key))) != agents.end();
  });
}

}  // namespace parley::convert
