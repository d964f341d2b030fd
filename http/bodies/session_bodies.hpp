#pragma once
/// Request bodies of sessions. Plain values, described like records.

#include <optional>
#include <string>

#include "model/description/record.hpp"

namespace parley::http {

/// POST /session: either a key or a code.
struct SignInBody {
  std::optional<std::string> key;
  std::optional<std::string> code;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("key", self.key, Rules{.chars_max = 512}, "An API key.");
    v.field("code", self.code, Rules{.chars_max = 512}, "A code of POST /session/codes, instead of a key.");
  }
};

}  // namespace parley::http
