#include "model/text/uri_escaped.hpp"

#include "model/text/uri_text.hpp"

namespace parley {

std::string uri_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      append_escape(out, static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace parley
