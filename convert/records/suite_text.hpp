#pragma once
/// Parts of suite files: values, blocks and assertions as YAML lines. Used by all that write suites. Pure; one thread.

#include <string>
#include <string_view>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// A value of the suite: quoted, with `$` doubled. A leading `file:` gets an empty default in front, which the reader of suites
/// replaces after it has looked for `file:`.
[[nodiscard]] std::string value_of(std::string_view text);
/// JSON as a flow value of YAML, strings escaped as values of a suite. Keys stay as they are.
[[nodiscard]] std::string flow_of(const std::string& json);
/// `[a, b]`
[[nodiscard]] std::string list_of(const std::vector<std::string>& texts);

class Lines {
 public:
  void line(int indent, const std::string& text);
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string out_;
};

/// A text as a block where it reads back from one, else as a value in quotation marks.
void write_block(Lines& out, int indent, const std::string& key, std::string_view text);
/// The assertions by level. A level without any is left out.
void write_checks(Lines& out, int indent, const std::vector<Check>& checks);

}  // namespace parley::convert
