#include "model/json/embedded_object.hpp"

#include <algorithm>
#include <string>

#include "model/text/ascii.hpp"

namespace parley::json {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t tries_max = 256;      ///< braces that do not begin an object; usual prose has a few
constexpr std::size_t objects_max = 4'096;  ///< objects that are read; an answer has one or a few
constexpr std::size_t passes_max = 8;       ///< the most bytes read, as a multiple of the text's size

/// The position after the object that begins at `begin`; npos if the object does not end.
std::size_t object_end(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = string_end(text, at);
      if (at == std::string_view::npos) return at;
      continue;
    }
    ++at;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

class Search {
 public:
  explicit Search(std::initializer_list<std::string_view> keys) : keys_(keys) {}

  void search(const Value& value) {
    if (!value.is(Kind::object) && !value.is(Kind::array)) return;
    const bool fits = value.is(Kind::object) && std::all_of(keys_.begin(), keys_.end(), [&](auto key) {
                        return value.find(key).has_value();
                      });
    if (fits) return keep(value);
    for (const Value& child : value.children()) search(child);
  }

  [[nodiscard]] std::variant<Document, EmbeddedFault> result() const {
    if (found_.empty()) return EmbeddedFault::none;
    if (differ_) return EmbeddedFault::several;
    auto document = parse(found_, outside);
    if (!document.ok()) return EmbeddedFault::none;
    return std::move(document).value();
  }

 private:
  void keep(const Value& value) {
    auto form = canonical(value);
    if (found_.empty()) {
      found_ = value.raw();
      form_ = std::move(form);
    } else {
      differ_ = differ_ || form != form_;
    }
  }

  std::initializer_list<std::string_view> keys_;
  std::string found_, form_;
  bool differ_ = false;
};

}  // namespace

std::string_view without_thoughts(std::string_view text) {
  constexpr std::string_view opening = "<think>", closing = "</think>";
  if (const auto end = text.rfind(closing); end != std::string_view::npos)
    return text.substr(end + closing.size());
  return text.find(opening) == std::string_view::npos ? text : std::string_view();
}

std::string_view without_fence(std::string_view text) {
  constexpr std::string_view fence = "```";
  text = ascii::trimmed(text, blanks);
  const auto line_end = text.find('\n');
  const bool is_fenced = text.size() >= 2 * fence.size() && text.starts_with(fence) &&
                         text.ends_with(fence) && line_end != std::string_view::npos &&
                         line_end < text.size() - fence.size();
  if (!is_fenced) return text;
  const auto inside = text.substr(line_end + 1, text.size() - fence.size() - line_end - 1);
  return inside.find(fence) == std::string_view::npos ? ascii::trimmed(inside, blanks) : text;
}

std::variant<Document, EmbeddedFault> only_object(std::string_view text,
                                                  std::initializer_list<std::string_view> keys) {
  text = without_thoughts(text);
  Search search(keys);
  std::size_t tries = 0, objects = 0, read = 0;
  for (auto at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    const auto end = object_end(text, at);
    read += std::min(end, text.size()) - at;
    const auto document = end == std::string_view::npos
                              ? std::nullopt
                              : std::optional(parse(text.substr(at, end - at), outside));
    if (document && document->ok()) {
      if (++objects > objects_max) return EmbeddedFault::none;
      search.search((*document)->root());
      at = end;
      continue;
    }
    // Beyond these bounds the text counts as having no object, so no verdict depends on it.
    if (++tries > tries_max || read > passes_max * text.size()) return EmbeddedFault::none;
    ++at;
  }
  return search.result();
}

}  // namespace parley::json
