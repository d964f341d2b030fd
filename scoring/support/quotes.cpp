#include "scoring/support/quotes.hpp"

#include <algorithm>

#include "model/json/json.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/entry_texts.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace {

/// Truncates to at most `bytes_max` bytes, without splitting a character.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

/// The number of occurrences of `words` before `begin`, plus one.
std::int64_t occurrence_at(std::string_view text, std::string_view words, std::size_t begin) {
  std::int64_t nth = 1;
  for (std::size_t at = text.find(words); at != std::string_view::npos && at + words.size() <= begin;
       at = text.find(words, at + words.size())) {
    ++nth;
  }
  return nth;
}

std::optional<Span> span_of_words(std::string_view text, std::string_view words) {
  constexpr std::size_t text_bytes_max = 1024 * 1024;
  if (text.size() > text_bytes_max) return std::nullopt;
  if (const auto at = text.find(words); at != std::string_view::npos) return Span{at, at + words.size()};
  constexpr Ignored blanks{.whitespace = true};
  return place_of(text, comparable(words, blanks), blanks);
}

}  // namespace

Quote quote_of(const Id& entry, std::string_view at, std::string_view text, const Span& span) {
  const std::string_view words = cut(text.substr(span.begin, span.end - span.begin), limits::quote_bytes_max);
  return {to_text(entry), std::string(at), std::string(words), occurrence_at(text, words, span.begin)};
}

void add_quotes(Verdict& verdict, const Kind& kind, const json::Value& config, Conversation& conversation) {
  if (kind.spans == nullptr || verdict.evidence.empty()) return;
  // Nothing matched, so there is nothing to quote and no need to search.
  if ((verdict.status == AssertionStatus::passed) == flag_at(config, "negate")) return;
  const auto pointer = text_at(config, "pointer");
  const std::string at = pointer ? "/metadata" + std::string(*pointer) : "content";
  const ScopedTexts scoped = texts_in_scope(config, conversation);
  for (const ScopedText& text : scoped.texts) {
    const Id& entry = text.entry->id;
    const bool is_evidence =
        std::find(verdict.evidence.begin(), verdict.evidence.end(), entry) != verdict.evidence.end();
    if (!is_evidence) continue;
    for (const Span& span : kind.spans(config, text.text, conversation)) {
      if (verdict.quotes.size() == limits::quotes_max) return;
      if (span.begin < span.end) verdict.quotes.push_back(quote_of(entry, at, text.text, span));
    }
  }
}

std::optional<Quote> find_quote(const Entry& entry, std::string_view words) {
  std::optional<Quote> found;
  const auto check = [&](std::string_view at, std::string_view text) {
    if (const auto span = span_of_words(text, words)) found = quote_of(entry.id, at, text, *span);
    return !found;
  };
  if (entry.content && !check("content", *entry.content)) return found;
  if (entry.name && !check("name", *entry.name)) return found;
  if (const auto metadata = json::parse(entry.metadata.text); metadata.ok())
    for_each_text(metadata->root(), "/metadata", check);
  return found;
}

}  // namespace parley::scoring
