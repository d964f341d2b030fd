#pragma once
/// The conversation to score, with data prepared once for several assertions. A Conversation belongs to one
/// scoring on one thread. It refers to the Subject's entries, which must outlive it.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/pattern/pattern.hpp"
#include "model/records/entry.hpp"
#include "model/values/end_reason.hpp"
#include "scoring/support/work.hpp"

namespace parley::scoring {

/// The input of scoring: the entries in the order of the conversation, and the reason why it ended.
struct Subject {
  std::span<const Entry> entries;
  std::optional<EndReason> end_reason;
};

/// A tool call. Calls of the same tool with the same arguments have the same number.
struct NumberedCall {
  const Entry* entry;
  std::size_t number;
};

class Conversation {
 public:
  /// Needs: `patterns` and the flag outlive the object. Null `stop`: nothing stops it.
  Conversation(const Subject& subject, CompiledPatterns& patterns, const StopFlag* stop = nullptr);

  /// The entries that assertions read: all except the history (D108), or those of the selected turn.
  [[nodiscard]] std::span<const Entry> entries() const { return looked_at_; }
  /// Selects the entries of one exchange for entries(), until select_all(). Returns false and selects nothing
  /// if the chatbot recorded nothing in the exchange.
  [[nodiscard]] bool select_turn(std::int64_t turn);
  void select_all() { looked_at_ = subject_.entries; }
  /// The exchange of the first or last entry of the chatbot; nullopt if the chatbot recorded none.
  [[nodiscard]] std::optional<std::int64_t> first_turn() const;
  [[nodiscard]] std::optional<std::int64_t> last_turn() const;
  [[nodiscard]] std::optional<EndReason> end_reason() const { return subject_.end_reason; }
  /// The chatbot's messages in the whole conversation, in order.
  [[nodiscard]] const std::vector<const Entry*>& chatbot_messages() const { return chatbot_messages_; }
  /// The number of exchanges with at least one chatbot message (D31).
  [[nodiscard]] std::int64_t chatbot_turns() const;

  /// The entry's parsed metadata. Needs: an entry of entries(). The value is valid until the next call, because
  /// documents beyond the memory bound share one slot.
  [[nodiscard]] json::Value metadata(const Entry& entry);
  /// The numbers in the entry's metadata. Needs: an entry of entries().
  [[nodiscard]] const Measures& measures(const Entry& entry);
  /// The tool calls in order, parsed once for all assertions; null if that takes more work than is left.
  [[nodiscard]] const std::vector<NumberedCall>* calls();
  [[nodiscard]] CompiledPatterns& patterns() { return patterns_; }
  [[nodiscard]] Work& work() { return work_; }
  /// Whether no caller waits for the verdict any longer, so that long work may stop anywhere.
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] std::size_t index_of(const Entry& entry) const;

  std::optional<std::vector<Entry>> counted_;  ///< a copy without the history, if there is a history
  Subject subject_;                            ///< without the history
  std::span<const Entry> looked_at_;
  CompiledPatterns& patterns_;
  const StopFlag* stop_;
  Work work_;
  std::vector<const Entry*> chatbot_messages_;
  std::vector<std::unique_ptr<json::Document>> kept_;  ///< by index of the entry; null until used
  std::vector<std::optional<Measures>> measures_;      ///< by index of the entry
  std::optional<std::vector<NumberedCall>> calls_;
  std::size_t kept_bytes_ = 0;
  std::optional<json::Document> passing_;
};

}  // namespace parley::scoring
