#include "scoring/prompts/transcript.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"
#include "model/text/shown_text.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

/// The size of an entry in the transcript: its content in steps, its metadata half of that.
constexpr std::size_t step_bytes = 256;
constexpr std::size_t steps_min = 2;
constexpr std::size_t steps_max = 128;

struct Cuts {
  std::size_t content_bytes_max;
  std::size_t metadata_bytes_max;
};

Cuts cuts_of(std::size_t steps) {
  return {steps * step_bytes, steps * step_bytes / 2};
}

/// An entry and its metadata as shown. A model writes `Köln` whatever escapes the agent's encoder uses, and its
/// quote must match.
struct ShownEntry {
  const Entry* entry;
  std::string metadata;
};

std::vector<ShownEntry> shown_entries(const Subject& subject) {
  std::vector<ShownEntry> shown;
  shown.reserve(subject.entries.size());
  for (const Entry& entry : subject.entries) shown.push_back({&entry, json::plain(entry.metadata)});
  return shown;
}

bool is_cut(const ShownEntry& shown, const Cuts& cut) {
  const auto& content = shown.entry->content;
  return (content && content->size() > cut.content_bytes_max) ||
         shown.metadata.size() > cut.metadata_bytes_max;
}

std::string cut_with_note(std::string_view text, std::size_t bytes_max) {
  const std::string_view kept = cut_text(text, bytes_max);
  std::string out(kept);
  if (kept.size() < text.size())
    out += " [cut here: " + std::to_string(text.size() - kept.size()) + " more bytes]";
  return out;
}

void write_entry(json::Writer& out, const ShownEntry& shown, std::size_t number, const Cuts& cut) {
  const Entry& entry = *shown.entry;
  out.begin_object();
  out.member("id", "e" + std::to_string(number));
  out.member("role", word_of(entry.role)).member("type", word_of(entry.type));
  out.key("turn").integer(entry.turn);
  if (entry.is_history) out.key("history").boolean(true);
  if (entry.name) out.member("name", *entry.name);
  if (entry.content) out.member("content", cut_with_note(*entry.content, cut.content_bytes_max));
  if (shown.metadata.size() > cut.metadata_bytes_max) {
    out.member("metadata", cut_with_note(shown.metadata, cut.metadata_bytes_max));
  } else if (shown.metadata != "{}") {
    out.key("metadata").raw(shown.metadata);
  }
  out.end_object();
}

/// The transcript; nullopt if it is too long.
std::optional<Transcript> written(const Subject& subject, const std::vector<ShownEntry>& entries,
                                  const Cuts& cut) {
  json::Writer out;
  out.begin_object();
  out.key("endReason");
  subject.end_reason ? out.string(word_of(*subject.end_reason)) : out.null();
  out.key("entries").begin_array();
  std::size_t number = 0;
  for (const ShownEntry& entry : entries) {
    write_entry(out, entry, ++number, cut);
    if (out.size() > transcript_bytes_max) return std::nullopt;
  }
  out.end_array();
  out.end_object();
  std::string shown = shown_text(std::move(out).text());
  if (shown.size() > transcript_bytes_max) return std::nullopt;
  const bool cuts_any = std::any_of(entries.begin(), entries.end(),
                                    [&](const ShownEntry& entry) { return is_cut(entry, cut); });
  return Transcript{std::move(shown), cuts_any};
}

/// Whether a string or a key somewhere in the value contains the quote.
bool holds_string(const json::Value& value, std::string_view quote) {
  if (value.is(json::Kind::string)) return holds(value.string(), quote);
  const bool is_object = value.is(json::Kind::object);
  if (!is_object && !value.is(json::Kind::array)) return false;
  const auto children = value.children();
  return std::any_of(children.begin(), children.end(), [&](const json::Value& child) {
    return (is_object && holds(child.key(), quote)) || holds_string(child, quote);
  });
}

bool appears_in(std::string_view text, std::string_view quote) {
  return holds(text, quote) || holds(shown_text(text), quote);
}

/// The text of an object without its member `arguments`: the part before it and the part after it.
std::pair<std::string_view, std::string_view> texts_around_arguments(const json::Value& metadata) {
  const std::string_view whole = metadata.raw();
  const auto arguments = metadata.find("arguments");
  if (!arguments) return {whole, {}};
  std::size_t before_end = 1;  // the brace
  for (const json::Value& member : metadata.children()) {
    if (member.key() == "arguments") break;
    before_end = static_cast<std::size_t>(member.raw().data() + member.raw().size() - whole.data());
  }
  const auto after =
      static_cast<std::size_t>(arguments->raw().data() + arguments->raw().size() - whole.data());
  return {whole.substr(0, before_end), whole.substr(after)};
}

/// Whether the quote has a letter, a digit or a non-ASCII character: a brace alone states nothing.
bool says_something(std::string_view quote) {
  return std::any_of(quote.begin(), quote.end(), [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Whether the quote appears in a tool's metadata outside its arguments. Needs: an object.
bool appears_outside_arguments(const json::Value& metadata, std::string_view quote) {
  if (!says_something(quote)) return false;
  const auto [before, after] = texts_around_arguments(metadata);
  if (appears_in(before, quote) || appears_in(after, quote)) return true;
  const auto members = metadata.children();
  return std::any_of(members.begin(), members.end(), [&](const json::Value& member) {
    return member.key() != "arguments" && (holds(member.key(), quote) || holds_string(member, quote));
  });
}

/// Whether the quote appears verbatim in the metadata.
bool appears_in_metadata(std::string_view text, std::string_view quote, bool outside_arguments) {
  const auto metadata = json::parse(text);
  if (outside_arguments) return metadata.ok() && appears_outside_arguments(metadata->root(), quote);
  return appears_in(text, quote) || (metadata.ok() && holds_string(metadata->root(), quote));
}

}  // namespace

std::optional<Transcript> transcript_json(const Subject& subject) {
  // Most conversations fit at the maximum size; for others, a binary search finds the largest size that fits.
  const auto entries = shown_entries(subject);
  auto best = written(subject, entries, cuts_of(steps_max));
  if (best) return best;
  best = written(subject, entries, cuts_of(steps_min));
  if (!best) return std::nullopt;
  std::size_t fitting = steps_min;
  std::size_t beyond = steps_max;
  while (beyond - fitting > 1) {
    const std::size_t steps = (fitting + beyond) / 2;
    auto more = written(subject, entries, cuts_of(steps));
    (more ? fitting : beyond) = steps;
    if (more) best = std::move(more);
  }
  return best;
}

const Entry* entry_named(const Subject& subject, std::string_view name) {
  if (!name.starts_with('e') || name.size() < 2 || name[1] == '0') return nullptr;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  return is_number && number >= 1 && number <= subject.entries.size() ? &subject.entries[number - 1]
                                                                      : nullptr;
}

bool is_quoted_from(const Entry& entry, std::string_view quote, QuotePlace place) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  if (std::all_of(quote.begin(), quote.end(), is_blank)) return false;
  if (entry.content && appears_in(*entry.content, quote)) return true;
  if (place == QuotePlace::content) return false;
  const bool outside_arguments = place == QuotePlace::statement && entry.type == EntryType::tool;
  if (!outside_arguments && entry.name && appears_in(*entry.name, quote)) return true;
  if (appears_in_metadata(entry.metadata.text, quote, outside_arguments)) return true;
  const std::string shown = json::plain(entry.metadata);
  return shown != entry.metadata.text && appears_in_metadata(shown, quote, outside_arguments);
}

}  // namespace parley::scoring
