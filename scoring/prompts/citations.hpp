#pragma once
/// What every answer of a judge model has in common (reliability 5.4): one JSON object of a strict shape, and quotes that
/// must stand verbatim in the entries they cite. Anything else is void. Pure; any thread.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/values/chat.hpp"
#include "scoring/prompts/transcript.hpp"
#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// The text of an answer, or why it counts for nothing: refusal, cut_off, empty_answer, wrong_shape.
[[nodiscard]] std::variant<std::string_view, CallFault> text_of(const ChatAnswer& answer);

/// Exactly these keys, each once (the parser refuses doubles).
[[nodiscard]] bool has_keys(const json::Value& object, std::initializer_list<std::string_view> keys);
[[nodiscard]] CallFault wrong_shape(std::string what);
/// The text that a model gave as its reason, fit to be shown; nullopt for anything but a text that says something.
[[nodiscard]] std::optional<std::string> reason_of(const json::Value& value);

/// The entries that a list of {entry, quote} names, each once, at most evidence_max of them. Faults: wrong_shape,
/// unknown_entry, quote_not_found.
[[nodiscard]] std::variant<std::vector<Id>, CallFault> cited(const Subject& subject,
                                                             const json::Value& citations);
/// The entry that one {entry, quote} names, with the quote where it has to stand.
[[nodiscard]] std::variant<Id, CallFault> cited_entry(const Subject& subject, const json::Value& citation,
                                                      QuotePlace place = QuotePlace::anywhere);

/// What the judge is to know of a transcript, before its task: that it is data. `marker` stands round it. `beside`: which
/// other members the document has and what they are, as lines of a list; empty without any.
[[nodiscard]] std::string about_transcript(std::string_view marker, std::string_view beside = {});
/// JSON Schema of a list of citations.
inline constexpr std::string_view citations_schema =
    R"({"type":"array","items":{"type":"object","properties":{)"
    R"("entry":{"type":"string"},"quote":{"type":"string"}},)"
    R"("required":["entry","quote"],"additionalProperties":false}})";

/// A transcript between two lines that nobody who wrote it could know.
struct FencedTranscript {
  std::string marker;
  std::string text;
  bool is_cut = false;  ///< not all of every entry is shown
};
/// Fault: too_long. `fence`: random, 16 characters or more, new for each call. `beside`: an object whose members stand in
/// front of those of the transcript. All that others than this service wrote belongs there and not into the system message,
/// which models obey (reliability 5.4).
[[nodiscard]] std::variant<FencedTranscript, CallFault> fenced_transcript(const Subject& subject,
                                                                          std::string_view fence,
                                                                          const json::Text& beside = {});

}  // namespace parley::scoring
