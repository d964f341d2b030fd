#pragma once
/// RE2's options, and the text type of its interface: a class of RE2 itself up to 2022, absl::string_view since 2023. Debian builds
/// Abseil so that neither converts from std::string_view. Any thread.

#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <string_view>

namespace parley {

/// Options for a quiet RE2 with a memory bound.
[[nodiscard]] inline RE2::Options re2_options(std::int64_t bytes_max) {
  RE2::Options options;
  options.set_max_mem(bytes_max);
  options.set_log_errors(false);
  return options;
}

/// Needs: the characters outlive the result.
[[nodiscard]] inline re2::StringPiece re2_text(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace parley
