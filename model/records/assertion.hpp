#pragma once
/// Assertions and their results (D30, D32). Plain records; scoring/ gives `type` and `config` their meaning.

#include <span>

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/text/uri_text.hpp"

namespace parley {

enum class Severity : std::uint8_t { blocker, major, minor };
template <>
struct Words<Severity> {
  static constexpr std::array<std::string_view, 3> all{"BLOCKER", "MAJOR", "MINOR"};
};

/// One check on a conversation, as a test lists it. Also the AssertionResultInput of POST /test-results/.
struct Assertion {
  std::string id;  ///< made by the service where absent
  std::optional<std::string> name;
  std::string type = "criteria";
  std::optional<std::string> criteria;
  Severity severity = Severity::blocker;  ///< for assertions written by hand; stored ones always state it
  std::optional<std::int64_t> weight;
  std::optional<json::Text> config;

  static constexpr std::string_view body_schema = "Assertion";
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("id", self.id, Rules{.chars_max = 64, .pattern = unreserved_pattern},
            "Names the assertion; made by the service where absent.");
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "A short name for people.");
    v.field("type", self.type, Rules{.chars_max = 64, .body_schema = "AssertionType"}, "What is checked.");
    v.field("criteria", self.criteria, Rules{.bytes_max = limits::criteria_bytes_max},
            "Free text that a judge model decides; for type criteria.");
    v.field("severity", self.severity, Rules{}, "BLOCKER (default) assertions decide overallPassed.");
    v.field("weight", self.weight, Rules{.least = 0, .most = 100},
            "Share in the score; BLOCKER 5, MAJOR 3, MINOR 1 where absent.");
    v.field("config", self.config, Rules{.bytes_max = limits::record_json_bytes_max},
            "Settings of the type.");
  }
  bool operator==(const Assertion&) const = default;
};

/// The effective weight: the given one, else the severity's (D30).
[[nodiscard]] constexpr std::int64_t weight_of(const Assertion& assertion) {
  if (assertion.weight) return *assertion.weight;
  switch (assertion.severity) {
    case Severity::blocker: return 5;
    case Severity::major: return 3;
    case Severity::minor: return 1;
  }
  return 0;
}

enum class AssertionStatus : std::uint8_t { pending, passed, failed, skipped, error };
template <>
struct Words<AssertionStatus> {
  static constexpr std::array<std::string_view, 5> all{"pending", "passed", "failed", "skipped", "error"};
};

/// The words of an entry on which a verdict is based. A place is named by text and occurrence, so that no client counts bytes
/// or code units.
struct Quote {
  std::string entry;     ///< id
  std::string at;        ///< `content`, `name`, or a JSON Pointer into the entry: `/metadata/arguments/order`
  std::string text;      ///< at most limits::quote_bytes_max
  std::int64_t nth = 1;  ///< which occurrence of the text in its place, from 1, without overlaps

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("entry", self.entry, Rules{}, "Id of the entry.");
    v.field("at", self.at, Rules{}, "content, name, or a JSON Pointer into the entry.");
    v.field("text", self.text, Rules{}, "The words, at most 512 bytes of them.");
    v.field("nth", self.nth, Rules{}, "Which occurrence of the words in that place, from 1.");
  }
  bool operator==(const Quote&) const = default;
};

/// The outcome of one assertion: the verdict, the reason, and the entries it is based on.
struct AssertionResult {
  Assertion assertion;
  AssertionStatus status = AssertionStatus::pending;
  std::string reason;
  std::vector<std::string> evidence;  ///< ids of entries
  std::optional<json::Text> judge;    ///< {model, inputTokens, outputTokens, cost} when a model judged
  std::vector<Quote> quotes = {};     ///< at most limits::quotes_max

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    Assertion::describe(self.assertion, v);
    v.field("status", self.status, Rules{.access = Access::service}, "The status of the check.");
    v.computed("passed", passed_of(self.status), "true, false, or null where nothing was decided.");
    v.field("reason", self.reason, Rules{.access = Access::service}, "Why, in a sentence.");
    v.field("evidence", self.evidence, Rules{.access = Access::service},
            "Ids of the entries the verdict rests on.");
    v.field("quotes", self.quotes, Rules{.access = Access::service},
            "The words that decided: what matched, or what the judge quoted. At most 8.");
    v.field("judge", self.judge, Rules{.access = Access::service, .shown_if_null = false},
            "The model that judged, with tokens and cost.");
  }
  [[nodiscard]] static std::optional<bool> passed_of(AssertionStatus status) {
    if (status == AssertionStatus::passed) return true;
    return status == AssertionStatus::failed ? std::optional(false) : std::nullopt;
  }
  bool operator==(const AssertionResult&) const = default;
};

/// The array of them as answers show it (D32).
[[nodiscard]] json::Text shown_results(std::span<const AssertionResult> results);

}  // namespace parley
