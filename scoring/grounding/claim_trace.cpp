// Traces claims to their sources; claims.cpp extracts them from texts.

#include <array>
#include <unordered_map>

#include "model/json/json_number.hpp"
#include "scoring/grounding/claims.hpp"

namespace parley::scoring {
namespace {

constexpr std::array<std::string_view, 13> number_words{"zero", "one",    "two",   "three", "four",
                                                        "five", "six",    "seven", "eight", "nine",
                                                        "ten",  "eleven", "twelve"};

/// The maximum nesting of parsed JSON texts inside JSON strings. A tool result is often such a text.
constexpr int nested_texts_max = 2;

/// The stated values, each with the last entry that stated it; without an entry for given knowledge.
class Sources {
 public:
  void add_text(std::string_view text, const std::optional<Id>& entry) {
    for (const Mention& mention : values_in(text)) add(mention, entry);
    add_words(text, entry);
  }

  void add_json(const json::Value& value, const std::optional<Id>& entry, int nested = 0) {
    switch (value.kind()) {
      case json::Kind::null:
      case json::Kind::boolean: return;
      case json::Kind::number: return add_text(json::without_exponent(value.raw()), entry);
      case json::Kind::string: return add_string(value.string(), entry, nested);
      case json::Kind::array: state(key_of(ClaimKind::number, std::to_string(value.size())), entry); break;
      case json::Kind::object: break;
    }
    for (const json::Value& child : value.children()) {
      if (value.is(json::Kind::object)) add_text(child.key(), entry);
      add_json(child, entry, nested);
    }
  }

  /// Whether the value was stated. If so, sets `source` to the entry.
  [[nodiscard]] bool find(const Mention& mention, std::optional<Id>& source) const {
    const auto at = stated_.find(key_of(mention.kind, mention.value));
    if (at != stated_.end()) {
      source = at->second;
      return true;
    }
    if (mention.kind != ClaimKind::date) return false;
    // A source that omits the year also supports a date with a year.
    const auto day = stated_.find("bare" + key_of(mention.kind, without_year(mention.value)));
    if (day == stated_.end()) return false;
    source = day->second;
    return true;
  }

 private:
  /// Amounts and plain numbers support each other.
  static std::string key_of(ClaimKind kind, const std::string& value) {
    const ClaimKind shared = kind == ClaimKind::money ? ClaimKind::number : kind;
    return std::to_string(static_cast<int>(shared)) + ":" + value;
  }

  static std::string without_year(const std::string& date) { return "0" + date.substr(date.find('-')); }

  void state(std::string key, const std::optional<Id>& entry) {
    stated_.insert_or_assign(std::move(key), entry);
  }

  void add(const Mention& mention, const std::optional<Id>& entry) {
    state(key_of(mention.kind, mention.value), entry);
    if (mention.kind != ClaimKind::date) return;
    const std::string day = without_year(mention.value);
    state(key_of(mention.kind, day), entry);
    if (day == mention.value) state("bare" + key_of(mention.kind, day), entry);
  }

  void add_words(std::string_view text, const std::optional<Id>& entry) {
    std::string word;
    const auto flush = [&] {
      for (std::size_t i = 0; i < number_words.size(); ++i) {
        if (word == number_words[i]) state(key_of(ClaimKind::number, std::to_string(i)), entry);
      }
      word.clear();
    };
    for (const char c : text) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (is_letter) word += static_cast<char>(c | 0x20);
      if (!is_letter && !word.empty()) flush();
    }
    flush();
  }

  void add_string(std::string_view text, const std::optional<Id>& entry, int nested) {
    const bool may_be_json = text.starts_with('{') || text.starts_with('[');
    if (may_be_json && nested < nested_texts_max) {
      if (const auto document = json::parse(text, json::outside); document.ok())
        return add_json(document.value().root(), entry, nested + 1);
    }
    add_text(text, entry);
  }

  std::unordered_map<std::string, std::optional<Id>> stated_;
};

/// Adds the values of an entry that is not a chatbot message. Skips the arguments of a tool call, because they
/// are the chatbot's own words.
void add_entry(Sources& sources, const Entry& entry, const json::Value& metadata) {
  if (entry.content) sources.add_text(*entry.content, entry.id);
  for (const json::Value& member : metadata.children()) {
    if (entry.type != EntryType::tool || member.key() != "arguments") sources.add_json(member, entry.id);
  }
}

}  // namespace

std::vector<ExtractedClaim> trace_claims(const Subject& subject, std::span<const std::string_view> given) {
  CompiledPatterns patterns;
  Conversation conversation(subject, patterns);
  Sources sources;
  for (const std::string_view text : given) sources.add_text(text, std::nullopt);
  std::vector<ExtractedClaim> claims;
  for (const Entry& entry : subject.entries) {
    if (!is_chatbot_message(entry)) {
      add_entry(sources, entry, conversation.metadata(entry));
      continue;
    }
    const std::string_view text = entry.content ? std::string_view(*entry.content) : std::string_view();
    for (const Mention& mention : claims_in(text)) {
      if (claims.size() == claims_max) return claims;
      ExtractedClaim claim{std::string(text.substr(mention.begin, mention.end - mention.begin)),
                           entry.id,
                           mention.kind,
                           std::nullopt,
                           false,
                           mention.begin,
                           mention.end};
      claim.supported = sources.find(mention, claim.source);
      claims.push_back(std::move(claim));
    }
  }
  return claims;
}

}  // namespace parley::scoring
