#pragma once
/// Events that webhooks still have to report: an outbox. The change set of the reported change writes the
/// notice, so a crash loses both or neither (ADR 59). Rows are written only while a webhook exists. Pure except
/// for reads; thread: as the snapshot.
///
///   key   = id of the record, event u8, revision u64 of the record after the change
///   value = time i64 in ms [webhook id]        ; webhook id: only for a test event, the webhook that receives it

#include <optional>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// The numbers are part of the format of the data file.
enum class NoticeKind : std::uint8_t { run_ended = 1, gate_red = 2, result_failed = 3, test = 4 };

/// The event name of a notice of kind `test`.
inline constexpr std::string_view test_event = "webhook.test";

struct Notice {
  NoticeKind kind = NoticeKind::run_ended;
  Id subject;  ///< the run or result; for a test event, the delivery to create
  std::uint64_t revision = 0;
  Time at;
  std::optional<Id> webhook;  ///< only for a test event
};

void put_notice(ChangeSet& changes, const Notice& notice);
/// Needs: the notice exists.
void erase_notice(ChangeSet& changes, const Notice& notice);
/// The first `most` notices in key order. Skips unreadable rows.
[[nodiscard]] std::vector<Notice> notices(const Snapshot& snapshot, std::size_t most);

/// Whether a team wants a notification for the result: it failed, or a verdict that counts failed.
[[nodiscard]] bool is_failure(const ResultHead& head);

}  // namespace parley::store
