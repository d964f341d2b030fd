#include "scoring/failure_signature.hpp"

#include <algorithm>
#include <array>

#include "model/id.hpp"
#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::scoring {
namespace {

constexpr std::size_t masked_bytes_max = 4 * 1024;

using ascii::is_digit;
using ascii::is_hex;

bool is_word(char c) {
  return is_digit(c) || ascii::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// The end of a quoted text that begins at `from`; npos if the quote is not closed. A backslash escapes the
/// next character.
std::size_t end_of_quote(std::string_view text, std::size_t from) {
  for (std::size_t i = from + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[from]) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// The length of the longest prefix whose characters `is` accepts.
template <class Is>
std::size_t run_of(std::string_view text, const Is& is) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is) - text.begin());
}

/// The length of `2026-01-31T12:00:00.000Z` or one of its shorter forms at the start of the text; 0 for any other text.
std::size_t time_length(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() < form.size()) return 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == 'd' ? !is_digit(text[i]) : text[i] != form[i]) return 0;
  }
  const std::size_t rest = run_of(text.substr(form.size()), [](char c) {
    return is_digit(c) || c == 'T' || c == ':' || c == '.' || c == 'Z';
  });
  return form.size() + rest;
}

/// The length of a UUID, or of 8 or more hex digits with at least one figure and one letter; 0 for any other text.
std::size_t id_length(std::string_view text) {
  constexpr std::size_t uuid_chars = 36;
  if (text.size() >= uuid_chars && id_from_text(ascii::lower(text.substr(0, uuid_chars)))) return uuid_chars;
  constexpr std::size_t hex_digits_min = 8;
  const std::size_t length = run_of(text, is_hex);
  const std::string_view run = text.substr(0, length);
  const bool is_mixed =
      std::any_of(run.begin(), run.end(), is_digit) && !std::all_of(run.begin(), run.end(), is_digit);
  const bool is_whole = length == text.size() || !is_word(text[length]);
  return length >= hex_digits_min && is_mixed && is_whole ? length : 0;
}

std::size_t number_length(std::string_view text) {
  std::size_t length = run_of(text, is_digit);
  while (length + 1 < text.size() && (text[length] == '.' || text[length] == ',') &&
         is_digit(text[length + 1]))
    length += 1 + run_of(text.substr(length + 1), is_digit);
  return length;
}

/// The kind of value that the text begins with, and its length.
struct Mask {
  std::string_view name;
  std::size_t length = 0;
};
Mask mask_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.front() == '"') {
    const std::size_t end = end_of_quote(text, at);
    return end == std::string_view::npos ? Mask{} : Mask{"<text>", end - at};
  }
  const bool is_inside_word = at > 0 && is_word(text[at - 1]);
  if (is_inside_word) return {};
  if (const auto length = time_length(rest); length > 0) return {"<time>", length};
  if (const auto length = id_length(rest); length > 0) return {"<id>", length};
  if (const auto length = number_length(rest); length > 0) return {"<n>", length};
  return {};
}

std::string fnv_of(std::string_view text) {
  std::uint64_t hash = 14'695'981'039'346'656'037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211ULL;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (int shift = 60; shift >= 0; shift -= 4) hex += digits[(hash >> shift) & 15];
  return hex;
}

std::string signature_of(const std::vector<std::string_view>& parts) {
  std::string joined;
  for (const std::string_view part : parts) joined.append(part).append(1, '\0');
  return fnv_of(joined);
}

/// The name of the assertion in every test case that has it: an id from a client, else its name, else its content.
std::string name_of(const Assertion& assertion) {
  if (!id_from_text(assertion.id)) return assertion.id;
  if (assertion.name) return *assertion.name;
  return assertion.type + assertion.criteria.value_or("") + (assertion.config ? assertion.config->text : "");
}

std::string text_of(const json::Value& root, std::string_view name) {
  const auto value = root.find(name);
  return value && value->is(json::Kind::string) ? std::string(value->string()) : std::string();
}

}  // namespace

std::string masked(std::string_view text) {
  text = text.substr(0, masked_bytes_max);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Mask mask = mask_at(text, at);
    if (mask.length == 0) {
      out += text[at++];
    } else {
      out += mask.name;
      at += mask.length;
    }
  }
  return out;
}

std::optional<Failure> failure_of_verdict(std::span<const AssertionResult> results, FailureKind kind) {
  const auto counts = [&](const AssertionResult& result) {
    if (kind == FailureKind::verdict) return result.status == AssertionStatus::failed;
    return result.status == AssertionStatus::error || result.status == AssertionStatus::skipped;
  };
  const auto is_blocker = [&](const AssertionResult& result) {
    return counts(result) && result.assertion.severity == Severity::blocker;
  };
  auto found = std::find_if(results.begin(), results.end(), is_blocker);
  if (found == results.end()) found = std::find_if(results.begin(), results.end(), counts);
  if (found == results.end()) return std::nullopt;
  Failure failure;
  failure.kind = kind;
  failure.assertion = found->assertion;
  failure.reason = found->reason;
  failure.evidence = found->evidence;
  const bool is_prose = found->assertion.type == "criteria" && kind == FailureKind::verdict;
  failure.says = is_prose ? found->assertion.criteria.value_or("") : masked(found->reason);
  failure.signature = signature_of({kind == FailureKind::verdict ? "verdict" : "undecided",
                                    name_of(found->assertion), found->assertion.type, failure.says});
  return failure;
}

std::optional<std::string> group_of(std::span<const AssertionResult> results, const Score& score) {
  auto failure = failure_of_verdict(results, score.decided ? FailureKind::verdict : FailureKind::undecided);
  if (!failure) return std::nullopt;
  return std::move(failure->signature);
}

Failure failure_of_fault(std::string_view error, std::string_view source) {
  Failure failure;
  failure.kind = FailureKind::fault;
  failure.source = source;
  if (const auto document = json::parse(error); document.ok()) {
    const json::Value root = document->root();
    failure.code = text_of(root, "code");
    failure.reason = text_of(root, "detail");
  }
  failure.says = masked(failure.reason);
  failure.signature = signature_of({"fault", failure.source, failure.code, failure.says});
  return failure;
}

}  // namespace parley::scoring
