#pragma once
/// The common parts of every answer of a judge model: one JSON object with a strict shape, and quotes that must
/// appear verbatim in the entries that they cite. Anything else is void. Pure; any thread.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/records/assertion.hpp"
#include "model/values/chat.hpp"
#include "scoring/prompts/transcript.hpp"
#include "scoring/support/conversation.hpp"

namespace parley::scoring {

/// The text of an answer, or the fault that makes it void: refusal, cut_off, empty_answer, wrong_shape.
[[nodiscard]] std::variant<std::string_view, CallFault> text_of(const ChatAnswer& answer);

/// The one JSON object in the answer that has these keys, inside any other text (D105), or the fault that makes
/// the answer void: refusal, cut_off, empty_answer, wrong_shape.
[[nodiscard]] std::variant<json::Document, CallFault> object_of(const ChatAnswer& answer,
                                                                std::initializer_list<std::string_view> keys);

/// Whether the object has at least these keys, each once (the parser rejects duplicates).
[[nodiscard]] bool has_keys(const json::Value& object, std::initializer_list<std::string_view> keys);
[[nodiscard]] CallFault wrong_shape(std::string what);
/// The model's reason as a displayable text; nullopt if the value is not a text with content.
[[nodiscard]] std::optional<std::string> reason_of(const json::Value& value);

/// The entries that a list of {entry, quote} cites, each once, at most evidence_max of them. Faults:
/// wrong_shape, unknown_entry, quote_not_found.
[[nodiscard]] std::variant<std::vector<Id>, CallFault> cited(const Subject& subject,
                                                             const json::Value& citations);
/// The positions of the quotes, at most limits::quotes_max. Needs: citations that cited() accepts.
[[nodiscard]] std::vector<Quote> quotes_of(const Subject& subject, const json::Value& citations);
/// The entry that one {entry, quote} cites. The quote must be in the part `place` of the entry.
[[nodiscard]] std::variant<Id, CallFault> cited_entry(const Subject& subject, const json::Value& citation,
                                                      QuotePlace place = QuotePlace::anywhere);

/// Explains to the judge, before its task, that a transcript is data. `marker` encloses the transcript. `extra`
/// describes the other members of the document, as lines of a list; empty if it has no other members.
[[nodiscard]] std::string about_transcript(std::string_view marker, std::string_view extra = {});
/// JSON Schema of a list of citations.
inline constexpr std::string_view citations_schema =
    R"({"type":"array","items":{"type":"object","properties":{)"
    R"("entry":{"type":"string"},"quote":{"type":"string"}},)"
    R"("required":["entry","quote"],"additionalProperties":false}})";

/// A transcript between two marker lines that its authors could not predict.
struct FencedTranscript {
  std::string marker;
  std::string text;
  bool is_cut = false;  ///< some entries are not shown in full
};
/// Fault: too_long. `fence`: random, 16 characters or more, new for each call. `extra`: an object whose members
/// precede those of the transcript. All foreign text belongs there and not in the system message, which models obey.
[[nodiscard]] std::variant<FencedTranscript, CallFault> fenced_transcript(const Subject& subject,
                                                                          std::string_view fence,
                                                                          const json::Text& extra = {});

}  // namespace parley::scoring
