#pragma once
/// Makes the case of a test: a variant laid over its parent (D41), fields put in for `{{key}}` (D22). Pure
/// functions; any thread.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/assertion.hpp"

namespace parley::tester {

struct Composed {
  std::string instruction;
  std::vector<Assertion> assertions;
  bool operator==(const Composed&) const = default;
};

/// An instruction with its assertions, as a test holds them.
struct CasePart {
  std::string_view instruction;
  std::span<const Assertion> assertions;
};

/// Parent instruction, blank line, overlay instruction (no blank line where either is empty); an overlay
/// assertion replaces the parent's of the same id or, failing that, of the same name in its place; the rest
/// are appended (D41).
[[nodiscard]] Composed compose(const CasePart& parent, const CasePart& overlay);

/// The text with each `{{key}}` (blanks inside allowed) replaced by the test's field, else the scenario's: a
/// string as it is, another scalar as its JSON text. An unknown key and one whose value is null, a list or an
/// object stays. Values are not searched again. Beyond limits::content_bytes_max of output the rest stays as
/// written, so that a small text cannot grow without end; callers check the size that is allowed to them.
[[nodiscard]] std::string substitute(std::string_view text, const json::Value& test_fields,
                                     const json::Value& scenario_fields);

/// Substitutes in the assertion's texts: name, criteria and every string (not key) inside config (D22).
void apply_fields(Assertion& assertion, const json::Value& test_fields, const json::Value& scenario_fields);

}  // namespace parley::tester
