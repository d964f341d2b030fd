#pragma once
/// Body of POST /admin/switchover. A plain value, described like a record.

#include <optional>
#include <string>

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley::http {

struct SwitchoverBody {
  std::optional<std::string> to;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("to", self.to, Rules{.chars_max = limits::name_chars_max, .never_empty = true},
            "The `--address` of the node that is to lead; without it, the follower that is furthest ahead.");
  }
};

}  // namespace parley::http
