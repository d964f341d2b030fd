#pragma once
/// The texts of a stored entry as a reader sees them: its name, its content, and all texts and numbers in its
/// metadata. Pure; any thread.

#include <string>
#include <string_view>

#include "scoring/support/entry_texts.hpp"

namespace parley::http {

/// A place is `name`, `content`, or a JSON Pointer such as `/metadata/arguments/order`. An unreadable entry has no
/// texts.
void for_each_text(std::string_view entry_json, const scoring::TextVisitor& visit);

/// Searches for one text, ignoring case as defined by Unicode.
class TextSearch {
 public:
  explicit TextSearch(std::string_view text);

  [[nodiscard]] bool is_in(std::string_view entry_json) const;

 private:
  std::string wanted_;
};

}  // namespace parley::http
