#include "outbound/answer.hpp"

#include <utf8proc.h>

namespace parley::outbound {
namespace {

constexpr std::size_t excerpt_bytes_max = 300;
/// Shorter secrets stand by chance in any text, and masking them would tell where.
constexpr std::size_t masked_bytes_min = 6;

/// The length of the UTF-8 character at the beginning, 0 where there is none.
std::size_t character_bytes(std::string_view text) {
  utf8proc_int32_t point = 0;
  const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &point);
  return read < 1 ? 0 : static_cast<std::size_t>(read);
}

/// The words of an error as model APIs and GitHub write them: {error: {message}}, {error: "..."}, {message: "..."}.
std::string told_by(std::string_view body) {
  const auto document = json::parse(body, json::outside);
  if (!document.ok()) return excerpt(body);
  for (const std::string_view pointer : {"/error/message", "/error", "/message", "/detail"}) {
    const auto found = json::at_pointer(document->root(), pointer);
    if (found && found->is(json::Kind::string)) return excerpt(found->string());
  }
  return excerpt(body);
}

}  // namespace

std::string excerpt(std::string_view text) {
  std::string out;
  bool is_cut = false;
  while (!text.empty() && !is_cut) {
    const std::size_t bytes = character_bytes(text);
    const bool is_gap = bytes == 1 && (text.front() <= 0x20 || text.front() == 0x7f);
    if (is_gap) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (bytes == 0) {
      out += '?';
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
    is_cut = out.size() >= excerpt_bytes_max && !text.empty();
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return is_cut ? out + "..." : out;
}

std::string without_secrets(std::string text, const Secrets& secrets) {
  constexpr std::string_view mask = "***";
  for (const auto& [name, secret] : secrets) {
    if (secret.size() < masked_bytes_min) continue;
    for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + mask.size())) {
      text.replace(at, secret.size(), mask);
    }
  }
  return text;
}

CallFault fault_of(const Failure& failure) {
  return {std::string(slug(failure.kind)), failure.detail};
}

bool is_success(const HttpAnswer& answer) {
  return answer.status >= 200 && answer.status < 300;
}

CallFault bad_status(const HttpAnswer& answer, std::string_view who) {
  std::string detail = std::string(who) + " answered " + std::to_string(answer.status);
  const std::string words = told_by(answer.body);
  detail += words.empty() ? " without a word." : ": " + words;
  return {"bad_status", std::move(detail)};
}

std::variant<json::Document, CallFault> object_of(const HttpAnswer& answer, std::string_view who) {
  if (!is_success(answer)) return bad_status(answer, who);
  auto document = json::parse(answer.body, json::outside);
  if (!document.ok()) {
    return CallFault{"not_json", std::string(who) + "'s answer is " + document.problem().detail + ": " +
                                     excerpt(answer.body)};
  }
  if (!document->root().is(json::Kind::object)) {
    return CallFault{"wrong_shape",
                     std::string(who) + "'s answer is no JSON object: " + excerpt(answer.body)};
  }
  return std::move(document).value();
}

}  // namespace parley::outbound
