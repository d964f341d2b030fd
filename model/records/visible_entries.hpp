#pragma once
/// The part of a conversation that the tester and the agent under test may see: everything but internal
/// events, which are for scoring alone (I36). Code that writes a prompt or a call uses one of these types, so
/// the rule cannot be forgotten. Plain values.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/records/entry.hpp"

namespace parley {

/// Invariant: holds no internal event.
class VisibleEntries {
 public:
  VisibleEntries() = default;
  /// Takes the entries in the order of the conversation and drops those that must not be visible.
  explicit VisibleEntries(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.type == EntryType::internal_event; });
  }

  [[nodiscard]] std::span<const Entry> all() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  bool operator==(const VisibleEntries&) const = default;

 private:
  std::vector<Entry> entries_;
};

/// An entry as stored: the fields that decide who may see it, and its JSON exactly as entry_json writes it.
struct EntryText {
  EntryType type = EntryType::message;
  Role role = Role::chatbot;
  std::string json;
  bool operator==(const EntryText&) const = default;
};
/// Parses the entry. Needs: the JSON of an entry, as in every value that the store verified (I13).
[[nodiscard]] Entry parsed(const EntryText& text);

/// Like VisibleEntries, for callers that pass on the stored text, so that a conversation is not parsed only
/// to be written again.
/// Invariant: holds no internal event.
class VisibleTexts {
 public:
  VisibleTexts() = default;
  explicit VisibleTexts(std::vector<EntryText> texts) : texts_(std::move(texts)) {
    std::erase_if(texts_, [](const EntryText& text) { return text.type == EntryType::internal_event; });
  }

  [[nodiscard]] std::span<const EntryText> all() const { return texts_; }
  bool operator==(const VisibleTexts&) const = default;

 private:
  std::vector<EntryText> texts_;
};

}  // namespace parley
