#include "actors/driving/probe_view.hpp"

#include <algorithm>

#include "model/text/shown_text.hpp"
#include "model/text/utf8.hpp"

namespace parley::actors {
namespace {

constexpr std::size_t shown_bytes_max = 16 * 1024;
constexpr std::string_view mask = "***";

/// Untrusted bytes as text: bytes that are not UTF-8 become question marks.
std::string as_utf8(std::string_view bytes) {
  std::string text(bytes);
  for (auto at = utf8_fault(text); at != std::string::npos; at = utf8_fault(text)) text[at] = '?';
  return text;
}

std::string shown(std::string_view bytes, const outbound::Secrets& secrets) {
  const std::string text = outbound::without_secrets(as_utf8(bytes.substr(0, 2 * shown_bytes_max)), secrets);
  const std::string_view cut = cut_text(text, shown_bytes_max);
  return cut.size() == text.size() ? text : std::string(cut) + "...";
}

/// A value that is a secret is hidden even if it is short.
bool is_secret(const std::string& value, const outbound::Secrets& secrets) {
  return std::any_of(secrets.begin(), secrets.end(), [&](const auto& secret) {
    return !secret.second.empty() && value.ends_with(secret.second);
  });
}

}  // namespace

ProbeSent shown_call(const outbound::HttpRequest& request, const outbound::Secrets& secrets) {
  ProbeSent sent{request.method, shown(request.url, secrets), {}, shown(request.body, secrets)};
  for (const auto& [name, value] : request.fields) {
    sent.headers.emplace_back(name, is_secret(value, secrets) ? std::string(mask) : shown(value, secrets));
  }
  return sent;
}

ProbeReceived shown_answer(const outbound::HttpAnswer& answer, const outbound::Secrets& secrets) {
  return {answer.status, shown(answer.content_type, secrets), shown(answer.body, secrets)};
}

}  // namespace parley::actors
