#pragma once
/// Request bodies of the operations that the page uses. Plain values, described like records.

#include <array>
#include <optional>
#include <string>

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley::http {

/// The texts that a search covers.
enum class GrepPlace : std::uint8_t { all, chatbot, tester, tools, events };

/// A person's label of a result or an assertion.
enum class LabelVerdict : std::uint8_t { passed, failed, unsure, invalid };

}  // namespace parley::http

namespace parley {

template <>
struct Words<http::GrepPlace> {
  static constexpr std::array<std::string_view, 5> all{"all", "chatbot", "tester", "tools", "events"};
};

template <>
struct Words<http::LabelVerdict> {
  static constexpr std::array<std::string_view, 4> all{"passed", "failed", "unsure", "invalid"};
};

}  // namespace parley

namespace parley::http {

/// POST /labels.
struct LabelBody {
  Ref<RecordKind::test_result> result;
  std::optional<std::string> assertion;
  LabelVerdict verdict = LabelVerdict::unsure;
  std::optional<std::string> note;
  std::vector<std::string> entries;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("result", self.result, Rules{.required = true}, "The result that is labelled.");
    v.field("assertion", self.assertion, Rules{.chars_max = 64},
            "Id of one of its assertions; absent: the whole result.");
    v.field("verdict", self.verdict, Rules{.required = true},
            "passed, failed, unsure or invalid (no valid trial).");
    v.field("note", self.note, Rules{.bytes_max = 4 * 1024}, "Why, for people.");
    v.field("entries", self.entries, Rules{.items_max = 20}, "Ids of the entries that decided.");
  }
};

/// PUT /runs/{id}/failures/{signature}/note, and its answer.
struct FailureNoteBody {
  std::optional<std::string> note;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("note", self.note, Rules{.bytes_max = 4 * 1024},
            "A note on this group; null or empty removes it.");
  }
};

/// POST /runs/{id}/grep: searches for a text or a pattern.
struct GrepBody {
  std::optional<std::string> text;
  std::optional<std::string> pattern;
  GrepPlace in = GrepPlace::all;
  std::optional<std::string> after;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("text", self.text, Rules{.chars_max = 1'024, .never_empty = true},
            "A text, in any case of letters.");
    v.field("pattern", self.pattern, Rules{.chars_max = 1'024, .never_empty = true},
            "A regular expression (RE2), instead of a text.");
    v.field("in", self.in, Rules{}, "Which entries: all (default), chatbot, tester, tools or events.");
    v.field("after", self.after, Rules{.chars_max = 64},
            "`next` of the previous answer; if absent, the search starts at the beginning.");
  }
};

/// POST /validate.
struct ValidateBody {
  std::string kind;
  json::Text body;
  std::optional<json::Text> fields;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("kind", self.kind, Rules{.required = true, .chars_max = 64},
            "test, scenario, agent, personality, tag, scenario-configuration, scheduled-run, folder or "
            "run-group.");
    v.field("body", self.body, Rules{.required = true, .bytes_max = 1024 * 1024},
            "The body of a POST to the collection of that kind.");
    v.field("fields", self.fields, Rules{.bytes_max = limits::record_json_bytes_max},
            "Of a test: values for its placeholders, instead of its own.");
  }
};

}  // namespace parley::http
