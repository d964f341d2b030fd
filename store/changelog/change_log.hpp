#pragma once
/// The order of all changes of several nodes, in shared storage: rows with gapless numbers, each a batch of
/// change sets. One node at a time leads and may append; the term fences all others. PgLog implements it on
/// PostgreSQL.
/// Thread: one at a time for each object; every call may block. Each thread that uses the log opens its own
/// object.
/// Problem, of every function: `busy` if the log cannot be reached now; `store_refuses` if it refuses this node.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "model/id.hpp"

namespace parley::store {

using Digest256 = std::array<std::uint8_t, 32>;

/// A position in the log. The digest chains the bodies of all rows up to it, so two logs with the same position
/// have the same rows: digest = SHA-256(digest before, SHA-256(body)). Position 0 has 32 zero bytes.
struct LogPosition {
  std::uint64_t seq = 0;
  Digest256 digest{};
  bool operator==(const LogPosition&) const = default;
};
[[nodiscard]] std::string_view bytes_of(const Digest256& digest);
/// The position after one more row.
[[nodiscard]] LogPosition next_position(const LogPosition& before, std::string_view body);

struct LogRow {
  LogPosition at;
  std::uint64_t term = 0;
  Id node;                  ///< the node that appended it
  Time time;                ///< by the appending node's clock, for the audit log
  std::uint32_t rules = 0;  ///< schema of the data file for which the row was written
  std::string body;         ///< the output of encode_changes
};

/// The right to append, until another node takes it.
struct Leadership {
  std::uint64_t term = 0;
  LogPosition head;
  std::uint32_t rules = 0;
  std::int64_t asked_ms = 0;  ///< CLOCK_BOOTTIME before the request was sent; the lease starts then
};

/// The outcome of an append.
struct Appended {
  enum class Kind : std::uint8_t {
    durable,   ///< written at position `at`
    fenced,    ///< not written and never will be: a newer term exists, or this node has not read all rows
    unsent,    ///< not written, because the log cannot be reached now; it may be sent again
    refused,   ///< not written and never will be; `problem` says why
    in_doubt,  ///< the connection was lost; only `lead` and `read` can resolve it
  };
  Kind kind = Kind::in_doubt;
  LogPosition at;
  Problem problem;
};

/// The rows after a position, or the reason why the log has no such position.
struct LogTail {
  enum class Kind : std::uint8_t {
    rows,           ///< in order, starting after the position; empty at the head
    trimmed,        ///< the rows after the position were dropped: fetch the base
    last_row_lost,  ///< only the row at the position is missing: PostgreSQL lost it in a failover; fetch the base
    went_back,  ///< more is missing: the log was restored to an earlier time; only the operator may continue (rebase)
  };
  Kind kind = Kind::rows;
  std::vector<LogRow> rows;
};

/// A node as recorded in the log.
struct NodeRow {
  Id node;
  std::string address;
  std::string version;
  std::string state;  ///< chosen by the node, such as "leader" or "left"
  std::uint64_t applied = 0;
  std::int64_t seen_ms_ago = 0;  ///< by the log's clock
};

/// The state of the log at one moment.
struct LogView {
  LogPosition head;
  std::uint64_t term = 0;
  Id leader;                       ///< nil: the log never had one
  std::int64_t lease_left_ms = 0;  ///< by the log's clock; negative: how long there has been no leader
  std::uint64_t bytes = 0;         ///< size of the kept rows; may be some seconds old
  std::uint32_t rules = 0;         ///< schema of the rows that the newest leader appends
  std::vector<NodeRow> nodes;
};

class ChangeLog {
 public:
  virtual ~ChangeLog() = default;

  /// Appends the row after `after`, durably, and renews the lease. A head other than `after` counts as fenced,
  /// because this node has not read all rows. Needs: use_term.
  [[nodiscard]] virtual Appended append(std::string_view body, Time now, const LogPosition& after) = 0;
  /// Sets the term for append, renew and step_down; lead() also sets it.
  virtual void use_term(std::uint64_t term) = 0;
  /// Reads rows after `after`: bodies of at most about `bytes`, but at least one row if any exists. `before`:
  /// the digest at after.seq - 1, which distinguishes a lost last row from a log that went back.
  [[nodiscard]] virtual Expected<LogTail> read(const LogPosition& after, const Digest256& before,
                                               std::size_t bytes) = 0;
  /// Takes the lead if no lease is valid, or raises the term if this node leads in `own_term`. nullopt: another
  /// node leads.
  [[nodiscard]] virtual Expected<std::optional<Leadership>> lead(std::optional<std::uint64_t> own_term) = 0;
  /// False: a newer term exists.
  [[nodiscard]] virtual Expected<bool> renew() = 0;
  /// Ends the lease immediately if this node still leads.
  [[nodiscard]] virtual Expected<Done> step_down() = 0;
  /// Writes this node's row with the current time, and reads the log's state.
  [[nodiscard]] virtual Expected<LogView> announce(const NodeRow& self) = 0;

  /// Uploads a compacted data file as of `at`. Once complete, it replaces older bases.
  [[nodiscard]] virtual Expected<Done> put_base(const std::filesystem::path& file, const LogPosition& at) = 0;
  /// Writes the newest complete base to a new file. nullopt: the log has no base.
  [[nodiscard]] virtual Expected<std::optional<LogPosition>> fetch_base(
      const std::filesystem::path& file) = 0;
  /// Drops rows that a complete base covers, until the rest is smaller than `keep_bytes` or no such rows are left.
  [[nodiscard]] virtual Expected<Done> trim(std::uint64_t keep_bytes) = 0;
};

/// CLOCK_BOOTTIME, which also counts while the machine is suspended.
[[nodiscard]] std::int64_t boottime_ms();

}  // namespace parley::store
