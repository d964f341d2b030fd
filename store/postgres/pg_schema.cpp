#include "store/postgres/pg_schema.hpp"

#include <algorithm>
#include <thread>

#include "model/clock.hpp"
#include "store/engine/migrations.hpp"
#include "store/postgres/pg_connection.hpp"

namespace parley::store {
namespace {

constexpr int attempts_max = 10;  ///< nodes that create a log at the same time conflict in the catalog
constexpr std::int64_t dead_after_ms = 10'000;
constexpr std::chrono::milliseconds recheck_delay{500};

constexpr const char* exists_statement =
    "SELECT to_regclass('parley.log_head') IS NOT NULL AND to_regclass('parley.base') IS NOT NULL, "
    "to_regnamespace('parley') IS NOT NULL";

constexpr const char* identity_statement =
    "SELECT h.log, h.pepper, h.secrets, h.seq, h.digest, "
    "EXISTS (SELECT FROM parley.base WHERE part = -1), h.unfinished, "
    "(extract(epoch from clock_timestamp()) * 1000)::bigint FROM parley.log_head h WHERE h.id = 1";

constexpr const char* begin_statement =
    "INSERT INTO parley.log_head (id, seq, digest, term, leader, until, rules, log, pepper, secrets, "
    "unfinished) "
    "VALUES (1, 0, $1::bytea, 0, NULL, clock_timestamp() - interval '1 ms', $2::int, $3::uuid, $4::bytea, "
    "$5::bytea, $6::bool) ON CONFLICT (id) DO NOTHING";

constexpr const char* address_statement =
    "SELECT node, (extract(epoch from clock_timestamp() - seen) * 1000)::bigint, state, "
    "(extract(epoch from seen) * 1000)::bigint FROM parley.nodes "
    "WHERE address = $1::text AND node <> $2::uuid";
constexpr const char* remove_statement =
    "DELETE FROM parley.nodes WHERE address = $1::text AND node <> $2::uuid AND (state = 'left' OR "
    "seen < clock_timestamp() - $3::bigint * interval '1 ms')";
/// If two nodes claim an address at the same time, one of them gets `taken_state`. An existing row of this node
/// keeps its state, because another process may use the directory.
constexpr const char* claim_statement =
    "INSERT INTO parley.nodes AS n (node, address, version, rules_max, applied, seen, state) "
    "VALUES ($2::uuid, $1::text, '', 0, 0, clock_timestamp(), 'joining') ON CONFLICT (node) DO UPDATE "
    "SET address = excluded.address, seen = excluded.seen, "
    "state = CASE n.state WHEN 'left' THEN 'joining' ELSE n.state END";
constexpr std::string_view taken_state = "23505";

/// Whether the object already exists because another node created it at the same time.
bool is_meeting(const PgAnswer& answer) {
  return answer.kind == PgAnswer::Kind::refused &&
         (answer.state == "23505" || answer.state == "42P06" || answer.state == "42P07" ||
          answer.state == "40P01" || answer.state == "XX000");
}

/// Takes the address from its dead previous node.
PgAnswer claim(PgConnection& connection, const Id& node, const std::string& address) {
  PgAnswer removed =
      connection.run(remove_statement, {pg_text(address), pg_id(node), pg_number(dead_after_ms)});
  if (!removed.is_good()) return removed;
  return connection.run(claim_statement, {pg_text(address), pg_id(node)});
}

Expected<std::optional<LogIdentity>> identity(PgConnection& connection) {
  const PgAnswer there = connection.run(exists_statement, {});
  if (!there.is_good()) return problem_of(there);
  if (!there.flag(0, 0)) return std::optional<LogIdentity>{};
  const std::int64_t before_ms = SystemClock().now().ms;
  const PgAnswer answer = connection.run(identity_statement, {});
  const std::int64_t after_ms = SystemClock().now().ms;
  if (!answer.is_good()) return problem_of(answer);
  if (answer.rows() == 0) return std::optional<LogIdentity>{};
  LogIdentity found;
  found.log = answer.id(0, 0);
  found.keys = {std::string(answer.bytes(0, 1)), std::string(answer.bytes(0, 2))};
  found.head = {answer.number(0, 3), answer.digest(0, 4)};
  found.has_base = answer.flag(0, 5);
  found.is_unfinished = answer.flag(0, 6);
  const std::int64_t log_ms = answer.signed_number(0, 7);
  found.clock_off_ms = log_ms < before_ms ? before_ms - log_ms : std::min<std::int64_t>(after_ms - log_ms, 0);
  return std::optional(found);
}

Expected<Done> create_schema(PgConnection& connection) {
  PgAnswer made;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    const PgAnswer there = connection.run(exists_statement, {});
    if (!there.is_good()) return problem_of(there);
    if (there.flag(0, 0)) return Done{};
    made = connection.script((there.flag(0, 1) ? "" : "CREATE SCHEMA IF NOT EXISTS parley; ") +
                             std::string(schema_statements()));
    if (made.is_good()) return Done{};
    if (!is_meeting(made)) return problem_of(made);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return problem_of(made);
}

}  // namespace

/// `fillfactor`: the head is updated in place, thousands of times a second. Bodies are already compressed, so
/// PostgreSQL does not try to compress them (EXTERNAL). One partition is open; its end is set when the next one
/// begins (pg_base.cpp).
const char* schema_statements() {
  return "CREATE TABLE IF NOT EXISTS parley.log_head (id int PRIMARY KEY CHECK (id = 1), seq bigint NOT "
         "NULL, "
         "digest bytea NOT NULL, term bigint NOT NULL, leader uuid, until timestamptz NOT NULL, "
         "rules int NOT NULL, log uuid NOT NULL, pepper bytea NOT NULL, secrets bytea NOT NULL, "
         "unfinished boolean NOT NULL) WITH (fillfactor = 10); "
         "CREATE TABLE IF NOT EXISTS parley.log (seq bigint NOT NULL, term bigint NOT NULL, node uuid NOT "
         "NULL, "
         "at_ms bigint NOT NULL, rules int NOT NULL, digest bytea NOT NULL, body bytea NOT NULL, "
         "PRIMARY KEY (seq)) PARTITION BY RANGE (seq); "
         "ALTER TABLE parley.log ALTER COLUMN body SET STORAGE EXTERNAL; "
         "CREATE TABLE IF NOT EXISTS parley.log_1 PARTITION OF parley.log FOR VALUES FROM (1) TO (MAXVALUE); "
         "CREATE TABLE IF NOT EXISTS parley.nodes (node uuid PRIMARY KEY, address text NOT NULL, "
         "version text NOT NULL, rules_max int NOT NULL, applied bigint NOT NULL, seen timestamptz NOT NULL, "
         "state text NOT NULL) WITH (fillfactor = 50); "
         "CREATE UNIQUE INDEX IF NOT EXISTS nodes_address ON parley.nodes (address); "
         "CREATE TABLE IF NOT EXISTS parley.base (seq bigint NOT NULL, part int NOT NULL, body bytea NOT "
         "NULL, "
         "PRIMARY KEY (seq, part)); "
         "ALTER TABLE parley.base ALTER COLUMN body SET STORAGE EXTERNAL";
}

Expected<std::optional<LogIdentity>> PgLog::find(const PgLogOptions& options) {
  PgConnection connection(options, pg_answer_ms);
  return identity(connection);
}

Expected<LogIdentity> PgLog::begin(const PgLogOptions& options, const LogIdentity& fresh) {
  PgConnection connection(options, pg_answer_ms);
  TRY_DONE(create_schema(connection));
  const PgAnswer started = connection.run(
      begin_statement, {pg_bytes(bytes_of(Digest256{})), pg_number(std::uint64_t{current_schema()}),
                        pg_id(fresh.log), pg_bytes(fresh.keys.pepper), pg_bytes(fresh.keys.secrets),
                        pg_text(fresh.is_unfinished ? "true" : "false")});
  if (!started.is_good()) return problem_of(started);
  TRY(found, identity(connection));
  if (!found) return problem(ProblemKind::busy, "The log was removed while this node joined it.");
  return *found;
}

Expected<Done> PgLog::finish(const PgLogOptions& options) {
  PgConnection connection(options, pg_answer_ms);
  return done(connection.run("UPDATE parley.log_head SET unfinished = false WHERE id = 1", {}));
}

Expected<Done> PgLog::discard_unfinished(const PgLogOptions& options) {
  PgConnection connection(options, pg_answer_ms);
  return done(connection.script(
      "DELETE FROM parley.base WHERE (SELECT unfinished FROM parley.log_head WHERE id = 1); "
      "DELETE FROM parley.log_head WHERE id = 1 AND unfinished"));
}

Expected<Done> PgLog::claim_address(const PgLogOptions& options, const std::string& address) {
  PgConnection connection(options, pg_answer_ms);
  std::optional<std::int64_t> seen_ms;
  for (;; std::this_thread::sleep_for(recheck_delay)) {
    if (options.is_stopping && options.is_stopping())
      return problem(ProblemKind::busy, "The process is shutting down.");
    const PgAnswer other = connection.run(address_statement, {pg_text(address), pg_id(options.node)});
    if (!other.is_good()) return problem_of(other);
    const bool is_free =
        other.rows() == 0 || other.bytes(0, 2) == "left" || other.signed_number(0, 1) > dead_after_ms;
    if (is_free) {
      const PgAnswer claimed = claim(connection, options.node, address);
      if (claimed.is_good()) return Done{};
      if (claimed.state != taken_state) return problem_of(claimed);
      continue;
    }
    // Two announcements prove that a node lives; a single one may be the last of a node that died.
    const std::int64_t now_seen_ms = other.signed_number(0, 3);
    if (seen_ms && now_seen_ms != *seen_ms) {
      return problem(ProblemKind::store_refuses,
                     "Another node of the log lives at " + address +
                         ": give this one an --address of its own, or stop the other one.");
    }
    seen_ms = now_seen_ms;
  }
}

void PgLog::release_address(const PgLogOptions& options) {
  PgConnection connection(options, pg_answer_ms);
  static_cast<void>(connection.run("DELETE FROM parley.nodes WHERE node = $1::uuid AND state = 'joining'",
                                   {pg_id(options.node)}));
}

}  // namespace parley::store
