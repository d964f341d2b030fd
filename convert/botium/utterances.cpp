#include "convert/botium/utterances.hpp"

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t blank = text.find(' ');
    words.emplace_back(text.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    text.remove_prefix(blank + 1);
  }
}

/// Formats texts as `util.format` of Node.js does.
std::string formatted(std::string_view text, const std::vector<std::string>& words) {
  std::string out;
  std::size_t next = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view mark = text.substr(at, 2);
    if (mark == "%%" || ((mark == "%s" || mark == "%d") && next < words.size())) {
      out += mark == "%%" ? "%" : words[next++];
      ++at;
    } else {
      out += text[at];
    }
  }
  for (; next < words.size(); ++next) out += " " + words[next];
  return out;
}

}  // namespace

std::vector<std::string> utterances_of(const ConvoLibrary& library, const std::string& text) {
  if (const auto found = library.utterances.find(text); found != library.utterances.end())
    return found->second;
  const std::vector<std::string> words = words_of(text);
  const auto found = library.utterances.find(words.front());
  if (words.size() < 2 || found == library.utterances.end()) return {};
  std::vector<std::string> texts;
  for (const std::string& each : found->second) texts.push_back(formatted(each, words));
  return texts;
}

bool is_hook_after_utterance(const ConvoLibrary& library, const std::string& text, const std::string& line) {
  return looks_like_hook(line) && utterances_of(library, line).empty() &&
         !utterances_of(library, std::string(ascii::trimmed(text, " \t\n"))).empty();
}

}  // namespace parley::convert
