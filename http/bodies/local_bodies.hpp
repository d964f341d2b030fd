#pragma once
/// Body of POST /agents/local (D73). A plain value, described like a record.

#include <string>

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley::http {

struct LocalAgentBody {
  std::string name;
  std::string unique_identifier;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("name", self.name, Rules{.required = true, .chars_max = limits::name_chars_max},
            "The display name of the agent; the last one sent is used.");
    v.field("unique_identifier", self.unique_identifier,
            Rules{.required = true, .chars_max = limits::name_chars_max, .never_empty = true},
            "The runner's identifier; the same identifier means the same agent.");
  }
};

}  // namespace parley::http
