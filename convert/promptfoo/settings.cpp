#include "convert/promptfoo/settings.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 8> secret_words{"key",           "token",  "secret",     "password",
                                                       "authorization", "cookie", "credential", "signature"};

void mask(Node& node, bool is_secret) {
  is_secret = is_secret || may_be_secret(node.key);
  for (Node& item : node.items) mask(item, is_secret);
  if (!is_secret || !node.is_text()) return;
  node.kind = Node::Kind::text;
  node.text = "***";
}

}  // namespace

bool may_be_secret(std::string_view name) {
  const std::string lower = ascii::lower(name);
  return lower == "env" || std::any_of(secret_words.begin(), secret_words.end(), [&](std::string_view word) {
           return lower.find(word) != std::string::npos;
         });
}

std::string settings_text(const Node& settings) {
  Node shown = settings;
  mask(shown, false);
  return as_text(shown);
}

}  // namespace parley::convert
