#pragma once
/// The order of all changes of several nodes, stored elsewhere: rows with gapless numbers, each a batch of change sets. One node
/// at a time leads and may append; the term fences all others. Implemented by PgLog on PostgreSQL.
/// Thread: one at a time for each object; every call may block. Each thread that uses the log opens an object of its own.
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

/// A place in the log. The digest chains the bodies of all rows up to there, so that two logs with the same position have the
/// same rows: digest = SHA-256(digest before, SHA-256(body)). Position 0 has 32 zero bytes.
struct LogPosition {
  std::uint64_t seq = 0;
  Digest256 digest{};
  bool operator==(const LogPosition&) const = default;
};
[[nodiscard]] std::string_view bytes_of(const Digest256& digest);
/// The place after one more row.
[[nodiscard]] LogPosition next_position(const LogPosition& before, std::string_view body);

struct LogRow {
  LogPosition at;
  std::uint64_t term = 0;
  Id node;                  ///< who appended it
  Time time;                ///< the author's clock, for the audit log
  std::uint32_t rules = 0;  ///< schema of the data file that the row was written for
  std::string body;         ///< encode_changes
};

/// The right to append, until another node takes it.
struct Leadership {
  std::uint64_t term = 0;
  LogPosition head;
  std::uint32_t rules = 0;
  std::int64_t asked_ms = 0;  ///< CLOCK_BOOTTIME before the question was sent: the lease lasts from there
};

/// The outcome of an append.
struct Appended {
  enum class Kind : std::uint8_t {
    durable,   ///< at `at`
    fenced,    ///< not written and never will be: a newer term exists, or this node has not read all rows
    unsent,    ///< not written, because the log cannot be reached now; it may be sent again
    refused,   ///< not written and never will be; `problem` says why
    in_doubt,  ///< the connection was lost; only `lead` and `read` can say
  };
  Kind kind = Kind::in_doubt;
  LogPosition at;
  Problem problem;
};

/// Rows after a position, or why there is no such place in the log.
struct LogTail {
  enum class Kind : std::uint8_t {
    rows,     ///< in order, the first one after the position; empty at the head
    trimmed,  ///< the rows after the position were dropped: fetch the base
    last_row_lost,  ///< the log lacks only the row at the position, which PostgreSQL lost in a failover: fetch the base
    went_back,  ///< the log lacks more: it was restored to an earlier time; only the operator may continue (rebase)
  };
  Kind kind = Kind::rows;
  std::vector<LogRow> rows;
};

/// A node as the log knows it.
struct NodeRow {
  Id node;
  std::string address;
  std::string version;
  std::string state;  ///< a word of the node's own, such as "leader" or "left"
  std::uint64_t applied = 0;
  std::int64_t seen_ms_ago = 0;  ///< by the log's clock
};

/// The log at one moment.
struct LogView {
  LogPosition head;
  std::uint64_t term = 0;
  Id leader;                       ///< nil: the log never had one
  std::int64_t lease_left_ms = 0;  ///< by the log's clock; negative: since when there is no leader
  std::uint64_t bytes = 0;         ///< of the rows that are kept; may be some seconds old
  std::uint32_t rules = 0;         ///< of the rows that the newest leader appends
  std::vector<NodeRow> nodes;
};

class ChangeLog {
 public:
  virtual ~ChangeLog() = default;

  /// The row after `after`; durable before it returns. Renews the lease. A head other than `after` counts as fenced: this node has
  /// not read everything. Needs: use_term.
  [[nodiscard]] virtual Appended append(std::string_view body, Time now, const LogPosition& after) = 0;
  /// The term of append, renew and step_down; lead() sets it too.
  virtual void use_term(std::uint64_t term) = 0;
  /// Rows after `after`, at most about `bytes` of bodies but at least one if there is one. `before`: the digest at after.seq - 1,
  /// which distinguishes a lost last row from a log that went back.
  [[nodiscard]] virtual Expected<LogTail> read(const LogPosition& after, const Digest256& before,
                                               std::size_t bytes) = 0;
  /// Takes the lead if no lease is valid, or raises the term if this node leads in `own_term`. nullopt: another node leads.
  [[nodiscard]] virtual Expected<std::optional<Leadership>> lead(std::optional<std::uint64_t> own_term) = 0;
  /// False: a newer term exists.
  [[nodiscard]] virtual Expected<bool> renew() = 0;
  /// Ends the lease immediately if this node still leads.
  [[nodiscard]] virtual Expected<Done> step_down() = 0;
  /// Writes this node's row with the current time, and reads the log's state.
  [[nodiscard]] virtual Expected<LogView> announce(const NodeRow& self) = 0;

  /// Uploads a compacted data file as of `at`; replaces older bases once it is complete.
  [[nodiscard]] virtual Expected<Done> put_base(const std::filesystem::path& file, const LogPosition& at) = 0;
  /// Writes the newest complete base to a new file. nullopt: the log has no base.
  [[nodiscard]] virtual Expected<std::optional<LogPosition>> fetch_base(
      const std::filesystem::path& file) = 0;
  /// Drops rows that a complete base covers until the rest is smaller than `keep_bytes`, or no such rows are left.
  [[nodiscard]] virtual Expected<Done> trim(std::uint64_t keep_bytes) = 0;
};

/// CLOCK_BOOTTIME, which a suspended machine does not stop.
[[nodiscard]] std::int64_t boottime_ms();

}  // namespace parley::store
