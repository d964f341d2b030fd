#include "client/suite/suite_schema.hpp"

#include "model/json/json.hpp"

namespace parley::client {

std::string indented_json(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  const auto new_line = [&] {
    out += '\n';
    out.append(2 * depth, ' ');
  };
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t end = json::string_end(json, at);
      out.append(json.substr(at, end - at));
      at = end - 1;
    } else if (c == '{' || c == '[') {
      out += c;
      if (at + 1 < json.size() && (json[at + 1] == '}' || json[at + 1] == ']')) {
        out += json[++at];
        continue;
      }
      ++depth;
      new_line();
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out += c;
    } else if (c == ',') {
      out += c;
      new_line();
    } else if (c == ':') {
      out += ": ";
    } else {
      out += c;
    }
  }
  return out + "\n";
}

}  // namespace parley::client
