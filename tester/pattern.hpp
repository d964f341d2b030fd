#pragma once
/// Regular expressions of scripts: RE2 with bounds (F23). Pure functions; any thread.

#include <memory>

#include "model/result.hpp"

namespace re2 {
class RE2;
}

namespace parley::tester {

/// Instructions that all patterns of a script may compile to, together: every one may be tried before every
/// turn.
inline constexpr int patterns_size_max = 20'000;

/// A compiled pattern.
class Pattern {
 public:
  /// Problem: invalid_body with RE2's reason.
  [[nodiscard]] static Result<Pattern> compile(std::string_view pattern);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// True when the pattern matches somewhere in the text.
  [[nodiscard]] bool matches(std::string_view text) const;
  /// Instructions of the compiled form.
  [[nodiscard]] int size() const;

 private:
  explicit Pattern(std::unique_ptr<const re2::RE2> compiled);
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace parley::tester
