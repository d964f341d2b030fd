#include "store/changelog/log_join.hpp"

#include <array>
#include <cstdlib>
#include <fstream>

#include "store/changelog/log_copy.hpp"
#include "store/changelog/older_rows.hpp"
#include "store/changelog/shared_keys.hpp"
#include "store/engine/migrations.hpp"
#include "store/secrets/master_key.hpp"
#include "store/secrets/pepper.hpp"

namespace parley::store {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t clock_off_ms_max = 250;
constexpr const char* node_name = "node.id";

Problem refused(std::string why) {
  return problem(ProblemKind::store_refuses, std::move(why));
}

std::string in_quotes(const fs::path& directory) {
  return "The data directory " + directory.string();
}

// The node's id.

std::optional<Id> node_in(const fs::path& directory) {
  std::ifstream in(directory / node_name);
  std::string line;
  std::getline(in, line);
  return id_from_text(line);
}

Expected<Done> keep_node(const fs::path& directory, const Id& node) {
  if (node_in(directory) == node) return Done{};
  return write_private_file(directory / node_name, to_text(node) + "\n");
}

// Whether the directory matches the log.

Expected<Done> check_clock(const LogIdentity& log) {
  if (std::abs(log.clock_off_ms) <= clock_off_ms_max) return Done{};
  return refused("The clock of this machine differs from PostgreSQL's by " +
                 std::to_string(std::abs(log.clock_off_ms)) +
                 " ms; at most 250 ms are allowed. Synchronize both clocks (NTP).");
}

Problem of_no_log(const fs::path& directory) {
  return refused(
      in_quotes(directory) +
      " holds data that belongs to no log. To make it the start of a log, run parley migrate --data " +
      directory.string() + " --to URL; or start with an empty directory.");
}

Problem of_another_log(const fs::path& directory) {
  return refused(
      in_quotes(directory) +
      " belongs to another log than the one in the database: correct --log, or start with an empty "
      "directory.");
}

Problem went_back(const fs::path& directory) {
  return refused(
      in_quotes(directory) +
      " holds rows that the log no longer has: the database was restored to an earlier time. If the "
      "log is right, run parley rebase --data " +
      directory.string() + " --log URL, which replaces this copy by the log's.");
}

/// Whether the data in the directory is a copy of this log that can continue from it. False: the base must replace it.
Expected<bool> can_follow(Options options, const Id& log_id, ChangeLog& log) {
  options.schema_max = 0;
  TRY(store, Store::open(options));
  TRY(place, log_place(store->snapshot()));
  if (!place) return of_no_log(options.directory);
  if (place->log != log_id) return of_another_log(options.directory);
  TRY(tail, log.read(place->at, place->before, 1));
  if (tail.kind == LogTail::Kind::went_back) return went_back(options.directory);
  return tail.kind == LogTail::Kind::rows;
}

/// The log in the database; this node may have created it.
struct Found {
  LogIdentity log;
  bool began = false;
};

Expected<Found> found_or_created(const JoinOptions& options) {
  const fs::path& directory = options.store.directory;
  TRY(known, PgLog::find(options.log));
  if (known) return Found{*known, false};
  if (has_data(directory)) {
    TRY(store, Store::open(options.store));
    TRY(place, log_place(store->snapshot()));
    return place ? of_another_log(directory) : of_no_log(directory);
  }
  TRY_DONE(make_home(directory));
  SharedKeys keys(directory, options.keys);
  TRY(fresh, keys.made());
  LogIdentity wanted;
  wanted.log = RandomIds().next(options.clock->now());
  wanted.keys = fresh;
  auto started_log = PgLog::begin(options.log, wanted);
  if (!started_log || started_log->log != wanted.log) keys.discard_made();
  if (!started_log) return std::move(started_log).problem();
  return Found{*started_log, started_log->log == wanted.log};
}

Expected<Done> check(const JoinOptions& options, const LogIdentity& log) {
  if (log.is_unfinished) {
    return refused(
        "A migration into the log did not finish: run parley migrate again with the directory that it began "
        "with.");
  }
  TRY_DONE(SharedKeys(options.store.directory, options.keys).check(log.keys));
  TRY_DONE(check_clock(log));
  return Done{};
}

/// Leaves a data file in the directory that follows the log.
Expected<Done> prepare(const JoinOptions& options, const LogIdentity& identity) {
  const auto log = PgLog::open(options.log);
  if (has_data(options.store.directory)) {
    TRY(can, can_follow(options.store, identity.log, *log));
    if (can) return Done{};
  }
  TRY(at, take_base(options.store.directory, *log, identity.log));
  TRY(tail, log->read(at, at.digest, 1));
  if (tail.kind != LogTail::Kind::rows && at.seq == 0)
    return refused("The log lacks its first rows and has no base: restore the database from a backup.");
  return Done{};
}

/// Opens the data file and migrates it no further than `schema_max`. Its committer follows the log.
Expected<Joined> opened(const JoinOptions& options, std::uint32_t schema_max) {
  const fs::path& directory = options.store.directory;
  Options file = options.store;
  file.schema_max = schema_max;
  TRY(store, Store::open(file));
  TRY(secrets, open_secrets(*store, {directory, options.keys.secrets}, false));
  TRY(pepper, open_pepper(*store, directory, options.keys.pepper));
  TRY(place, log_place(store->snapshot()));
  if (!place) return of_no_log(directory);
  store->committer().follow_log({PgLog::open(options.log), *place, options.log.node, options.clock,
                                 audit_keys(secrets), options.audit, options.log.is_stopping});
  return Joined{std::move(store), secrets, pepper, options.log, false};
}

/// Applies the rows that older versions of parley wrote, then migrates the data file (ADR 64).
Expected<Joined> opened_after_older_rows(const JoinOptions& options) {
  const auto log = PgLog::open(options.log);
  const NodeRow self{options.log.node, options.address, "", "joining", 0, 0};
  for (std::uint32_t schema = 0;;) {
    TRY(node, opened(options, schema));
    if (node.store->schema() >= current_schema()) return node;
    TRY(next, rows_applied(*node.store, *log, self));
    schema = next;
  }
}

/// The rest of joining, once the address belongs to this node.
Expected<Joined> joined_at(const JoinOptions& options, const Found& found) {
  TRY_DONE(prepare(options, found.log));
  TRY_DONE(keep_node(options.store.directory, options.log.node));
  TRY(joined, opened_after_older_rows(options));
  joined.began = found.began;
  return joined;
}

}  // namespace

Expected<Joined> join_log(const JoinOptions& asked) {
  JoinOptions options = asked;
  const fs::path& directory = options.store.directory;
  options.log.node = node_in(directory).value_or(RandomIds().next(options.clock->now()));
  TRY(found, found_or_created(options));
  TRY_DONE(check(options, found.log));
  TRY_DONE(PgLog::claim_address(options.log, options.address));
  auto joined = joined_at(options, found);
  // A node that waits for a leader of its own version stays in the list of nodes.
  const bool waits =
      !joined.ok() && joined.problem().kind == ProblemKind::busy && node_in(directory) == options.log.node;
  if (!joined.ok() && !waits) PgLog::release_address(options.log);
  return joined;
}

Expected<Done> stay_alone(Store& store, const fs::path& directory, bool leaves) {
  TRY(place, log_place(store.snapshot()));
  if (!place) return Done{};
  if (!leaves) {
    return refused(in_quotes(directory) +
                   " belongs to a log: start it with --log. To continue without the log, start it once with "
                   "--leave-log true; it cannot rejoin afterwards.");
  }
  TRY_DONE(store.forget(std::string(log_place_key)));
  std::error_code ignored;
  fs::remove(directory / node_name, ignored);
  return Done{};
}

Expected<std::uint64_t> migrate_to_log(const fs::path& directory, const PgLogOptions& log,
                                       const GivenKeys& keys) {
  TRY_DONE(find_store(directory));
  TRY(store, Store::open({.directory = directory, .fsync = true, .free_bytes_min = 0}));
  TRY(place, log_place(store->snapshot()));
  TRY(known, PgLog::find(log));
  if (known && !known->is_unfinished)
    return refused("The database holds a log already: give the new one a database of its own.");
  if (place && !(known && known->log == place->log))
    return refused(in_quotes(directory) +
                   " belongs to another log: start it once with --leave-log true first.");
  TRY(secrets, open_secrets(*store, {directory, keys.secrets}, false));
  TRY(pepper, open_pepper(*store, directory, keys.pepper));
  if (known) {
    TRY_DONE(PgLog::discard_unfinished(log));
  }
  LogIdentity fresh;
  fresh.log = RandomIds().next(SystemClock().now());
  fresh.keys = {fingerprint_of(Secrets(pepper)), fingerprint_of(secrets)};
  fresh.is_unfinished = true;
  TRY(started_log, PgLog::begin(log, fresh));
  if (started_log.log != fresh.log)
    return refused("Another migration into the database began at the same time.");
  const LogPlace start{fresh.log, {}, {}};
  TRY(copy, BaseCopy::of(*store, directory, start));
  TRY_DONE(PgLog::open(log)->put_base(copy.file(), {}));
  TRY_DONE(store->remember({{std::string(log_place_key), encode_place(start)}}));
  TRY_DONE(PgLog::finish(log));
  std::error_code error;
  const auto bytes = fs::file_size(copy.file(), error);
  return error ? std::uint64_t{0} : std::uint64_t{bytes};
}

Expected<std::uint64_t> rebase(const fs::path& directory, const PgLogOptions& log, const GivenKeys& keys) {
  TRY_DONE(find_store(directory));
  TRY(known, PgLog::find(log));
  if (!known || known->is_unfinished) return refused("The database holds no log: correct --log.");
  TRY_DONE(SharedKeys(directory, keys).check(known->keys));
  TRY(at, take_base(directory, *PgLog::open(log), known->log));
  return at.seq;
}

Expected<Done> keep_log_small(const Store& store, const fs::path& directory, ChangeLog& log,
                              std::uint64_t log_bytes, std::uint64_t keep_bytes) {
  if (log_bytes <= keep_bytes) return Done{};
  TRY(copy, BaseCopy::of(store, directory, std::nullopt));
  TRY_DONE(log.put_base(copy.file(), copy.at()));
  // Drops more than necessary, so that the next base is not needed soon.
  return log.trim(keep_bytes / 2);
}

}  // namespace parley::store
