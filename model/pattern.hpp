#pragma once
/// Regular expressions of assertions, rules and scripts: RE2, so that time is linear in the text, with a bound on the
/// pattern too (F23). Pure; a Pattern may be used by several threads at once.

#include <re2/re2.h>

#include <map>
#include <memory>
#include <string>

#include "model/result.hpp"

namespace parley {

class Pattern {
 public:
  /// Problem: invalid_body with the reason, for a pattern RE2 refuses or that is too large.
  [[nodiscard]] static Result<Pattern> compile(std::string_view pattern);

  /// True when the pattern matches somewhere in the text.
  [[nodiscard]] bool matches(std::string_view text) const { return RE2::PartialMatch(text, *compiled_); }
  /// Instructions of the compiled form.
  [[nodiscard]] int size() const { return compiled_->ProgramSize(); }
  /// What a search of that many bytes costs at the worst: the product of text and program.
  [[nodiscard]] std::uint64_t steps(std::size_t bytes) const {
    return bytes * static_cast<std::uint64_t>(size());
  }
  /// False when matching that many bytes could take minutes: the product of text and program is over the
  /// bound.
  [[nodiscard]] bool may_match_bytes(std::size_t bytes) const;

 private:
  explicit Pattern(std::unique_ptr<const RE2> compiled) : compiled_(std::move(compiled)) {}

  std::unique_ptr<const RE2> compiled_;
};

/// Patterns compiled once for all conversations that are asked the same. Belongs to one thread.
class CompiledPatterns {
 public:
  /// As Pattern::compile; holds until the next call.
  [[nodiscard]] const Result<Pattern>& of(std::string_view pattern);

 private:
  std::map<std::string, Result<Pattern>, std::less<>> compiled_;
};

}  // namespace parley
