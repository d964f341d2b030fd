#include "scoring/transcript.hpp"

#include <algorithm>
#include <charconv>

#include "model/json_writer.hpp"
#include "model/shown_text.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

/// What an entry may take in the transcript.
struct Cuts {
  std::size_t content_bytes_max;
  std::size_t metadata_bytes_max;
};
/// Tried in order: most conversations fit the first.
constexpr Cuts cuts[] = {{32 * 1024, 16 * 1024}, {4 * 1024, 2 * 1024}, {512, 256}};

std::string cut_with_note(std::string_view text, std::size_t bytes_max) {
  const std::string_view kept = cut_text(text, bytes_max);
  std::string out(kept);
  if (kept.size() < text.size())
    out += " [cut here: " + std::to_string(text.size() - kept.size()) + " more bytes]";
  return out;
}

void write_entry(json::Writer& out, const Entry& entry, std::size_t number, const Cuts& cut) {
  out.begin_object();
  out.member("id", "e" + std::to_string(number));
  out.member("role", word_of(entry.role)).member("type", word_of(entry.type));
  out.key("turn").integer(entry.turn);
  if (entry.name) out.member("name", *entry.name);
  if (entry.content) out.member("content", cut_with_note(*entry.content, cut.content_bytes_max));
  if (entry.metadata.text.size() > cut.metadata_bytes_max) {
    out.member("metadata", cut_with_note(entry.metadata.text, cut.metadata_bytes_max));
  } else if (entry.metadata.text != "{}") {
    out.key("metadata").raw(entry.metadata.text);
  }
  out.end_object();
}

/// The transcript; nullopt once it is too long.
std::optional<std::string> written(const Subject& subject, const Cuts& cut) {
  json::Writer out;
  out.begin_object();
  out.key("endReason");
  subject.end_reason ? out.string(word_of(*subject.end_reason)) : out.null();
  out.key("entries").begin_array();
  std::size_t number = 0;
  for (const Entry& entry : subject.entries) {
    write_entry(out, entry, ++number, cut);
    if (out.size() > transcript_bytes_max) return std::nullopt;
  }
  out.end_array();
  out.end_object();
  std::string shown = shown_text(std::move(out).text());
  if (shown.size() > transcript_bytes_max) return std::nullopt;
  return shown;
}

/// True when a string or a key somewhere in the value holds the quote.
bool holds_string(const json::Value& value, std::string_view quote) {
  if (value.is(json::Kind::string)) return holds(value.string(), quote);
  const bool is_object = value.is(json::Kind::object);
  if (!is_object && !value.is(json::Kind::array)) return false;
  const auto children = value.children();
  return std::any_of(children.begin(), children.end(), [&](const json::Value& child) {
    return (is_object && holds(child.key(), quote)) || holds_string(child, quote);
  });
}

bool stands_in(std::string_view text, std::string_view quote) {
  return holds(text, quote) || holds(shown_text(text), quote);
}

}  // namespace

std::optional<std::string> transcript_json(const Subject& subject) {
  for (const Cuts& cut : cuts) {
    if (auto text = written(subject, cut)) return text;
  }
  return std::nullopt;
}

const Entry* entry_named(const Subject& subject, std::string_view name) {
  if (!name.starts_with('e') || name.size() < 2 || name[1] == '0') return nullptr;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  return is_number && number >= 1 && number <= subject.entries.size() ? &subject.entries[number - 1]
                                                                      : nullptr;
}

bool is_quoted_from(const Entry& entry, std::string_view quote) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  if (std::all_of(quote.begin(), quote.end(), is_blank)) return false;
  if (entry.content && stands_in(*entry.content, quote)) return true;
  if (entry.name && stands_in(*entry.name, quote)) return true;
  if (stands_in(entry.metadata.text, quote)) return true;
  const auto metadata = json::parse(entry.metadata.text);
  return metadata.ok() && holds_string(metadata->root(), quote);
}

}  // namespace parley::scoring
