#include "client/verbs/hints.hpp"

#include <algorithm>
#include <filesystem>

namespace parley::client {
namespace {

bool is_plain(char c) {
  const bool is_letter =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  return is_letter || (c >= '0' && c <= '9') ||
         std::string_view("_./:@%+,-").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string connection_words(const Invocation& call, ServerPreference own, ServerPreference suggested) {
  std::string words;
  for (const std::string name : {"server", "profile", "project"})
    if (call.has(name)) words += " --" + name + " " + shell_word(call.value(name));
  if (!words.empty() || own == suggested) return words;
  const auto used = connection_of({}, own, call.around().environment);
  const auto other = connection_of({}, suggested, call.around().environment);
  if (!used || !other || used->is_local == other->is_local) return "";
  constexpr std::string_view profile = "profile ";
  if (!used->is_local && used->url_origin.starts_with(profile))
    return " --profile " + shell_word(std::string_view(used->url_origin).substr(profile.size()));
  // --project selects the local data even after a login.
  return " --project " + shell_word(std::filesystem::proximate(used->project_folder).string());
}

std::string edited_elsewhere(const Invocation& call) {
  const std::string_view verb = call.verb().name;
  const bool plays = verb == "run" || verb == "watch" || verb == "demo";
  const std::string words = connection_words(
      call, plays ? ServerPreference::local : ServerPreference::last_login, ServerPreference::last_login);
  return "`parley diff" + words + "` shows the edits, `parley apply --adopt" + words +
         "` writes them into the files, and `parley apply --force" + words + "` overwrites them";
}

}  // namespace parley::client
