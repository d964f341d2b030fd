#pragma once
/// The texts of a stored entry, as a reader sees them: its name, its content, and every text and number in its metadata.
/// Pure; any thread.

#include <string>
#include <string_view>

#include "scoring/support/entry_texts.hpp"

namespace parley::http {

/// Places are `name`, `content`, or a JSON Pointer such as `/metadata/arguments/order`. An unreadable entry has no texts.
void for_each_text(std::string_view entry_json, const scoring::TextVisitor& visit);

/// Looks for one text, ignoring the case of letters as Unicode knows them.
class TextSearch {
 public:
  explicit TextSearch(std::string_view text);

  [[nodiscard]] bool is_in(std::string_view entry_json) const;

 private:
  std::string wanted_;
};

}  // namespace parley::http
