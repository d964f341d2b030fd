#include "client/report/xml_writer.hpp"

#include <utf8proc.h>

namespace parley::client {
namespace {

bool is_allowed(utf8proc_int32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || code >= 0x10000;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at;
    const auto size = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
    const std::size_t count = size > 0 ? static_cast<std::size_t>(size) : 1;
    if (size <= 0 || !is_allowed(code)) {
      out += "\xEF\xBF\xBD";
    } else if (code == '<') {
      out += "&lt;";
    } else if (code == '>') {
      out += "&gt;";
    } else if (code == '&') {
      out += "&amp;";
    } else if (code == '"') {
      out += "&quot;";
    } else if (code == '\r') {
      out += "&#13;";
    } else {
      out.append(text.substr(at, count));
    }
    at += count;
  }
  return out;
}

void XmlWriter::end_head() {
  if (is_in_head_) text_ += '>';
  is_in_head_ = false;
}

XmlWriter& XmlWriter::open(std::string_view name) {
  end_head();
  text_.append("\n").append(2 * open_.size(), ' ').append("<").append(name);
  open_.emplace_back(name);
  is_in_head_ = true;
  return *this;
}

XmlWriter& XmlWriter::attribute(std::string_view name, std::string_view value) {
  // XML parsers read a line end in an attribute as a space.
  std::string escaped;
  for (const char c : xml_text(value)) {
    if (c == '\n') {
      escaped += "&#10;";
    } else {
      escaped += c;
    }
  }
  text_.append(" ").append(name).append("=\"").append(escaped).append("\"");
  return *this;
}

XmlWriter& XmlWriter::content(std::string_view text) {
  end_head();
  text_ += xml_text(text);
  return *this;
}

XmlWriter& XmlWriter::close() {
  if (is_in_head_) {
    text_ += "/>";
  } else if (text_.ends_with(">") && !open_.empty()) {
    text_.append("\n").append(2 * (open_.size() - 1), ' ').append("</").append(open_.back()).append(">");
  } else {
    text_.append("</").append(open_.back()).append(">");
  }
  is_in_head_ = false;
  open_.pop_back();
  return *this;
}

}  // namespace parley::client
