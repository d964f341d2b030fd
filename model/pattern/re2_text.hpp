#pragma once
/// The text type of RE2's interface: a class of RE2 itself up to 2022, absl::string_view since 2023. Debian builds Abseil so that
/// neither converts from std::string_view. Any thread.

#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <string_view>

namespace parley {

/// Needs: the characters outlive the result.
[[nodiscard]] inline re2::StringPiece re2_text(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace parley
