#pragma once
/// Events that are still to be reported to webhooks: an outbox, written in the change set of the reported change,
/// so that a crash loses neither without the other (ADR 59). Rows are written only while there is a webhook. Pure except
/// for reads; thread: as the snapshot.
///
///   key   = id of the record, event u8, revision u64 that the record has since
///   value = time i64 in ms [webhook id]                    ; for a test event only: the webhook that gets it

#include <optional>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// The numbers are part of the format of the data file.
enum class NoticeKind : std::uint8_t { run_ended = 1, gate_red = 2, result_failed = 3, test = 4 };

/// The event of a notice of the kind `test`.
inline constexpr std::string_view test_event = "webhook.test";

struct Notice {
  NoticeKind kind = NoticeKind::run_ended;
  Id subject;  ///< the run or result; of a test event the delivery to make
  std::uint64_t revision = 0;
  Time at;
  std::optional<Id> webhook;  ///< of a test event
};

void put_notice(ChangeSet& changes, const Notice& notice);
/// Needs: it exists.
void erase_notice(ChangeSet& changes, const Notice& notice);
/// The first `most` in the order of their keys; an unreadable row is left out.
[[nodiscard]] std::vector<Notice> notices(const Snapshot& snapshot, std::size_t most);

/// Whether a team wants to be notified of the result: it failed, or a verdict that counts failed it.
[[nodiscard]] bool is_failure(const ResultHead& head);

}  // namespace parley::store
