#include "client/report/transcript.hpp"

#include <algorithm>

#include "client/remote/api.hpp"
#include "client/report/safe_text.hpp"
#include "model/text/shown_text.hpp"

namespace parley::client {
namespace {

constexpr std::size_t arguments_bytes_max = 2'000;

/// Keeps the beginning and the end of a long text, cut between characters.
std::string without_middle(const std::string& text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  constexpr std::string_view mark = "\n... cut ...\n";
  const std::size_t half = bytes_max > mark.size() ? (bytes_max - mark.size()) / 2 : 0;
  std::size_t begin = text.size() - half;
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) ++begin;
  return std::string(cut_text(text, half)).append(mark).append(text, begin);
}

std::string level_and_name(const AssertionRow& assertion) {
  return std::string(word_of(assertion.level)) + " \"" +
         one_line(assertion.name.empty() ? assertion.type : assertion.name) + "\"";
}

}  // namespace

std::string speaker_of(const EntryRow& entry, const ResultRow& result) {
  if (entry.type == "tool") return "tool";
  if (entry.type == "message") return entry.role == "chatbot" ? one_line(result.agent) : "tester";
  return entry.type == "action" ? "tester" : "event";
}

std::string saying_of(const EntryRow& entry) {
  if (entry.type == "message") return one_line(entry.text);
  const auto metadata = json::parse(entry.metadata);
  const auto arguments = metadata ? json::given(metadata->root(), "arguments") : std::nullopt;
  std::string call = one_line(entry.text);
  if (entry.type == "action") call = "invokes " + call;
  if (!arguments) return call;
  return call + " " + one_line(cut_text(json::plain(*arguments), arguments_bytes_max));
}

std::string transcript_text(const ResultRow& result, std::size_t bytes_max) {
  std::string text;
  for (const EntryRow& each : result.transcript) {
    text +=
        "turn " + std::to_string(each.turn) + "  " + speaker_of(each, result) + "  " + saying_of(each) + "\n";
  }
  return without_middle(text, bytes_max);
}

std::vector<std::string> reasons_of(const ResultRow& result) {
  std::vector<std::string> reasons;
  if (result.fault || !result.review.empty()) reasons.push_back(one_line(why(result)));
  for (const AssertionRow& each : result.assertions) {
    if (each.status == "passed" || each.status == "pending") continue;
    const std::string status = each.status == "failed" ? "" : " (" + each.status + ")";
    reasons.push_back(level_and_name(each) + status + ": " + one_line(each.reason));
  }
  return reasons;
}

std::string fault_source_of(const ResultRow& result) {
  if (result.fault) return result.fault->source.empty() ? "infrastructure" : result.fault->source;
  const bool awaits_judge =
      std::any_of(result.assertions.begin(), result.assertions.end(), [](const AssertionRow& each) {
        return each.type == "criteria" && each.status != "passed" && each.status != "failed";
      });
  return awaits_judge ? "judge" : "test";
}

}  // namespace parley::client
