#pragma once
/// Parts of suite files: values, blocks and assertions as YAML lines. All writers of suites use it. Pure; one thread.

#include <string>
#include <string_view>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// A value of the suite: quoted, with `$` doubled. A leading `file:` gets an empty variable reference as its prefix,
/// because the suite reader expands references only after it has checked for `file:`.
[[nodiscard]] std::string value_of(std::string_view text);
/// JSON as a YAML flow value. Strings are escaped as suite values; keys are unchanged.
[[nodiscard]] std::string flow_of(const std::string& json);
/// `["a", "b"]`
[[nodiscard]] std::string list_of(const std::vector<std::string>& texts);

class Lines {
 public:
  void line(int indent, const std::string& text);
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string out_;
};

/// A text as a literal block if the block reads back unchanged, else as a quoted value.
void write_block(Lines& out, int indent, const std::string& key, std::string_view text);
/// The assertions by level. Levels without assertions are omitted.
void write_checks(Lines& out, int indent, const std::vector<Check>& checks);

}  // namespace parley::convert
