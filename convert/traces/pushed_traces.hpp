#pragma once
/// The content of one POST /v1/traces request, trace by trace. Pure; any thread.

#include <string>
#include <vector>

namespace parley::convert {

/// A body of POST /external-conversation-logs/ for one trace. Traces of the same conversation have the same externalId.
struct PushedLog {
  std::string conversation;  ///< the externalId
  std::string trace;
  std::string line;  ///< JSON
  std::size_t spans = 0;
};

struct PushedTraces {
  std::string fault;  ///< empty: the request was read
  std::vector<PushedLog> logs;
  std::size_t spans = 0;            ///< all spans; those without GenAI attributes are not stored
  std::size_t spans_refused = 0;    ///< spans of conversations that no log can hold
  std::string refusal;              ///< reason for the first refusal
  std::size_t without_content = 0;  ///< spans about a model that have no messages
};

/// Maximum number of commas and opening brackets in a request, which limits the memory for its values.
inline constexpr std::size_t pushed_values_max = 400'000;

/// Reads the traces of a request. `json` is OTLP JSON.
[[nodiscard]] PushedTraces read_pushed_traces(std::string json);

}  // namespace parley::convert
