#include "scoring/support/conversation.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_map>

#include "model/check.hpp"
#include "scoring/support/arguments.hpp"

namespace parley::scoring {
namespace {

/// The size of metadata texts whose parsed trees are cached. A tree can take twenty times the size of its text,
/// so the trees of 64 MiB of text must not all be kept.
constexpr std::size_t kept_bytes_max = 8 * 1024 * 1024;

/// The work per byte of metadata to write its arguments in canonical form: up to 30 nanoseconds.
constexpr Steps spelling_steps = 8;

bool is_chatbots(const Entry& entry) {
  return entry.role == Role::chatbot;
}

/// nullopt if no entry is history.
std::optional<std::vector<Entry>> without_history(std::span<const Entry> entries) {
  const auto is_history = [](const Entry& entry) { return entry.is_history; };
  if (std::none_of(entries.begin(), entries.end(), is_history)) return std::nullopt;
  std::vector<Entry> counted;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(counted), std::not_fn(is_history));
  return counted;
}

json::Document parsed(const std::string& text) {
  auto document = json::parse(text);
  if (!document) document = json::parse("{}");
  return std::move(document).value();
}

}  // namespace

Conversation::Conversation(const Subject& subject, CompiledPatterns& patterns, const StopFlag* stop)
    : counted_(without_history(subject.entries)),
      subject_(counted_ ? Subject{*counted_, subject.end_reason} : subject),
      looked_at_(subject_.entries),
      patterns_(patterns),
      stop_(stop),
      kept_(subject_.entries.size()),
      measures_(subject_.entries.size()) {
  for (const Entry& entry : subject_.entries) {
    if (is_chatbot_message(entry)) chatbot_messages_.push_back(&entry);
  }
}

bool Conversation::select_turn(std::int64_t turn) {
  // An inserted entry is next to its anchor and in the same exchange, so the entries of one exchange are adjacent.
  const auto all = subject_.entries;
  const auto is_of_turn = [&](const Entry& entry) { return entry.turn == turn; };
  const auto first = std::find_if(all.begin(), all.end(), is_of_turn);
  const auto end = std::find_if_not(first, all.end(), is_of_turn);
  if (std::none_of(first, end, is_chatbots)) return false;
  looked_at_ =
      all.subspan(static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(end - first));
  return true;
}

std::optional<std::int64_t> Conversation::first_turn() const {
  const auto all = subject_.entries;
  const auto found = std::find_if(all.begin(), all.end(), is_chatbots);
  return found == all.end() ? std::nullopt : std::optional(found->turn);
}

std::optional<std::int64_t> Conversation::last_turn() const {
  const auto all = subject_.entries;
  const auto found = std::find_if(all.rbegin(), all.rend(), is_chatbots);
  return found == all.rend() ? std::nullopt : std::optional(found->turn);
}

std::int64_t Conversation::chatbot_turns() const {
  // Inserted entries have the turn of their anchor, so equal turns need not be adjacent.
  std::set<std::int64_t> turns;
  for (const Entry* message : chatbot_messages_) turns.insert(message->turn);
  return static_cast<std::int64_t>(turns.size());
}

std::size_t Conversation::index_of(const Entry& entry) const {
  const auto index = static_cast<std::size_t>(&entry - subject_.entries.data());
  CHECK(index < kept_.size());
  return index;
}

const Measures& Conversation::measures(const Entry& entry) {
  auto& known = measures_[index_of(entry)];
  if (!known) known = measures_of(metadata(entry));
  return *known;
}

const std::vector<NumberedCall>* Conversation::calls() {
  if (calls_) return &*calls_;
  Steps bytes = 0;
  for (const Entry& entry : subject_.entries)
    if (entry.type == EntryType::tool) bytes += entry.metadata.text.size();
  if (!work_.take(spelling_steps * bytes)) return nullptr;
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<NumberedCall> calls;
  for (const Entry& entry : subject_.entries) {
    if (entry.type != EntryType::tool) continue;
    if (is_stopped()) return nullptr;
    // No canonical text contains a line break, so a name cannot be mistaken for a part of the arguments.
    std::string what = entry.name.value_or("") + "\n" + canonical_arguments(metadata(entry));
    calls.push_back({&entry, numbers.try_emplace(std::move(what), numbers.size()).first->second});
  }
  return &calls_.emplace(std::move(calls));
}

json::Value Conversation::metadata(const Entry& entry) {
  const std::size_t index = index_of(entry);
  if (kept_[index]) return kept_[index]->root();
  const std::string& text = entry.metadata.text;
  if (kept_bytes_ + text.size() <= kept_bytes_max) {
    kept_bytes_ += text.size();
    kept_[index] = std::make_unique<json::Document>(parsed(text));
    return kept_[index]->root();
  }
  passing_.emplace(parsed(text));
  return passing_->root();
}

}  // namespace parley::scoring
