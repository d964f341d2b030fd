#include "outbound/agents/answer.hpp"

#include <utf8proc.h>

#include "outbound/redaction/redaction.hpp"

namespace parley::outbound {
namespace {

constexpr std::size_t excerpt_bytes_max = 300;

/// The length of the UTF-8 character at the beginning of the text; 0 at an invalid byte.
std::size_t character_bytes(std::string_view text) {
  utf8proc_int32_t point = 0;
  const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &point);
  return read < 1 ? 0 : static_cast<std::size_t>(read);
}

/// Converts foreign text to a form that a sentence can quote: valid UTF-8 without control characters, at most
/// some 300 characters.
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

/// An excerpt without secrets. Secrets are removed first, so that none is truncated and partly reported, and
/// again at the end, because the excerpt collapses blanks.
std::string quotation(std::string_view text, const Secrets& secrets) {
  return without_secrets(excerpt(without_secrets(text, secrets)), secrets);
}

/// The text at the first pointer that leads to text.
std::optional<std::string> text_at(const json::Value& root,
                                   std::initializer_list<std::string_view> pointers) {
  for (const std::string_view pointer : pointers) {
    const auto found = json::at_pointer(root, pointer);
    if (found && found->is(json::Kind::string)) return std::string(found->string());
  }
  return std::nullopt;
}

/// The error texts of model APIs and GitHub: {error: {message}}, {error: "..."}, {message: "..."}.
std::string error_text(std::string_view body, const Secrets& secrets) {
  const auto document = json::parse(body, json::outside);
  if (!document.ok()) return quotation(body, secrets);
  const auto words = text_at(document->root(), {"/error/message", "/error", "/message", "/detail"});
  return quotation(words ? *words : body, secrets);
}

}  // namespace

CallFault fault_of(const Failure& failure) {
  return {std::string(slug(failure.kind)), failure.detail};
}

bool is_success(const HttpAnswer& answer) {
  return answer.status >= 200 && answer.status < 300;
}

std::string words_of_error(const json::Value& error, const Secrets& secrets) {
  const auto words = text_at(error, {"", "/message"});
  return quotation(words ? *words : error.compact().text, secrets);
}

CallFault bad_status(const HttpAnswer& answer, const Answerer& who) {
  std::string detail = std::string(who.name) + " answered " + std::to_string(answer.status);
  if (!answer.location.empty()) {
    return {"bad_status", detail + " and points to " + quotation(answer.location, who.secrets) +
                              ". Redirects are not followed: use that URL in the config if it is right."};
  }
  const std::string words = error_text(answer.body, who.secrets);
  detail += words.empty() ? " without a message." : ": " + words;
  return {"bad_status", std::move(detail)};
}

std::string_view without_bom(std::string_view body) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (body.starts_with(mark)) body.remove_prefix(mark.size());
  return body;
}

std::string in_quotes(std::string_view text, const Secrets& secrets) {
  return quotation(text, secrets);
}

std::variant<json::Document, CallFault> json_of(const HttpAnswer& answer, const Answerer& who) {
  if (!is_success(answer)) return bad_status(answer, who);
  auto document = json::parse(without_bom(answer.body), json::outside);
  if (document.ok()) return std::move(document).value();
  const std::string why = quotation(document.problem().detail, who.secrets);  // it contains a duplicate key
  return CallFault{
      "not_json", std::string(who.name) + "'s answer is " + why + ": " + quotation(answer.body, who.secrets)};
}

std::variant<json::Document, CallFault> object_of(const HttpAnswer& answer, const Answerer& who) {
  auto document = json_of(answer, who);
  const auto* read = std::get_if<json::Document>(&document);
  if (read == nullptr || read->root().is(json::Kind::object)) return document;
  return CallFault{"wrong_shape", std::string(who.name) + "'s answer is not a JSON object: " +
                                      quotation(answer.body, who.secrets)};
}

}  // namespace parley::outbound
