#pragma once
/// The content of one POST /v1/traces request, trace by trace. Pure; any thread.

#include <string>
#include <vector>

namespace parley::convert {

/// A body of POST /external-conversation-logs/ with what one trace says. Traces of one conversation have the same externalId.
struct PushedLog {
  std::string conversation;  ///< the externalId
  std::string trace;
  std::string line;  ///< JSON
  std::size_t spans = 0;
};

struct PushedTraces {
  std::string fault;  ///< empty: the request was read
  std::vector<PushedLog> logs;
  std::size_t spans = 0;            ///< of every kind; those without GenAI attributes are not kept
  std::size_t spans_refused = 0;    ///< of conversations that no log can hold
  std::string refusal;              ///< why, of the first one
  std::size_t without_content = 0;  ///< spans about a model that have no messages
};

/// Commas and brackets of a request: they bound the memory that its values take.
inline constexpr std::size_t pushed_values_max = 400'000;

/// `json` is OTLP JSON.
[[nodiscard]] PushedTraces read_pushed_traces(std::string json);

}  // namespace parley::convert
