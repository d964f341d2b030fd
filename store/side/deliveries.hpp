#pragma once
/// Webhook deliveries (ADR 59): the pending ones, and the outcome of finished ones for a week. Pure except for
/// reads; thread: as the snapshot.
///
///   key = shelf u8 (0 pending, 1 finished), webhook id, delivery id    value = JSON of Delivery

#include <optional>
#include <string>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

enum class DeliveryStatus : std::uint8_t { pending, delivered, failed };

}  // namespace parley::store

namespace parley {
template <>
struct Words<store::DeliveryStatus> {
  static constexpr std::array<std::string_view, 3> all{"pending", "delivered", "failed"};
};
}  // namespace parley

namespace parley::store {

struct DeliveryKey {
  Id webhook;
  Id id;
  auto operator<=>(const DeliveryKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Delivery {
  DeliveryKey key;
  std::string event;
  std::string body;  ///< exactly the body that each attempt sends
  DeliveryStatus status = DeliveryStatus::pending;
  std::int64_t attempts = 0;
  std::optional<Time> next_attempt_at;        ///< only while pending
  std::optional<Time> ended_at;               ///< only when finished
  std::optional<std::int64_t> answer_status;  ///< HTTP status of the last attempt that got an answer
  std::optional<std::string> error;           ///< error of the last attempt, if it failed

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("event", self.event, Rules{}, "What is reported.");
    v.field("body", self.body, Rules{}, "");
    v.field("status", self.status, Rules{}, "");
    v.field("attempts", self.attempts, Rules{}, "");
    v.field("next", self.next_attempt_at, Rules{}, "");
    v.field("ended", self.ended_at, Rules{}, "");
    v.field("answer", self.answer_status, Rules{}, "");
    v.field("error", self.error, Rules{}, "");
  }
};

/// The value of the header webhook-id: `msg_` and the id.
[[nodiscard]] std::string message_id(const Id& delivery);

/// Writes a pending delivery, either new or after another attempt.
void put_owed(ChangeSet& changes, const Delivery& delivery);
/// Moves a pending delivery to the finished ones. Needs: it is pending.
void end_delivery(ChangeSet& changes, const Delivery& delivery);
void erase_owed(ChangeSet& changes, const DeliveryKey& key);
void erase_over(ChangeSet& changes, const DeliveryKey& key);

[[nodiscard]] Expected<std::optional<Delivery>> find_owed(const Snapshot& snapshot, const DeliveryKey& key);
/// Pending deliveries of all webhooks after `after`, ordered by webhook and age. Skips unreadable rows.
[[nodiscard]] std::vector<Delivery> owed_deliveries(const Snapshot& snapshot, const DeliveryKey& after,
                                                    std::size_t most);
/// Keys of finished deliveries, in the same order.
[[nodiscard]] std::vector<DeliveryKey> over_deliveries(const Snapshot& snapshot, const DeliveryKey& after,
                                                       std::size_t most);
/// All deliveries of one webhook, oldest first, at most `most` of each shelf.
[[nodiscard]] std::vector<Delivery> deliveries_of(const Snapshot& snapshot, const Id& webhook,
                                                  std::size_t most);

}  // namespace parley::store
