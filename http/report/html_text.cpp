#include "http/report/html_text.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <utf8proc.h>

#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

/// The next character. Stored texts are valid UTF-8; each invalid byte would count as one character.
struct Character {
  utf8proc_int32_t code = 0;
  std::string_view bytes;
};

Character first_of(std::string_view text) {
  Character found;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto size = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &found.code);
  found.bytes = text.substr(0, size <= 0 ? 1 : static_cast<std::size_t>(size));
  return found;
}

/// Whether the character is a control character or reorders the text that a person reads.
bool is_hidden(utf8proc_int32_t code) {
  const bool is_control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
  const bool is_mark = code == 0x061c || code == 0x200e || code == 0x200f;
  return is_control || is_mark || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character each = first_of(text);
    text.remove_prefix(each.bytes.size());
    switch (each.code) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += is_hidden(each.code) ? "\xEF\xBF\xBD" : each.bytes;
    }
  }
  return out;
}

std::string json_in_html(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Character each = first_of(json);
    json.remove_prefix(each.bytes.size());
    const bool is_escaped = each.code == '<' || (each.code > 0x7e && is_hidden(each.code));
    out += is_escaped ? fmt::format("\\u{:04x}", each.code) : std::string(each.bytes);
  }
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string csp_hash(std::string_view text) {
  return "'sha256-" + base64(store::sha256(text)) + "'";
}

}  // namespace parley::http
