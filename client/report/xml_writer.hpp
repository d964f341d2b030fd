#pragma once
/// Writes XML 1.0 piece by piece. Characters that XML does not allow become U+FFFD.

#include <string>
#include <string_view>
#include <vector>

namespace parley::client {

/// Escapes text for the content of an element or for an attribute.
[[nodiscard]] std::string xml_text(std::string_view text);

/// Order: attributes come before content, and each open() needs a close().
class XmlWriter {
 public:
  XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

  XmlWriter& open(std::string_view name);
  XmlWriter& attribute(std::string_view name, std::string_view value);
  XmlWriter& content(std::string_view text);
  XmlWriter& close();
  [[nodiscard]] std::string text() && { return std::move(text_) + "\n"; }

 private:
  void end_head();

  std::string text_;
  std::vector<std::string> open_;
  bool is_in_head_ = false;
};

}  // namespace parley::client
