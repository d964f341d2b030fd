#include "store/postgres/pg_log.hpp"

#include "store/engine/migrations.hpp"
#include "store/postgres/pg_base.hpp"
#include "store/postgres/pg_connection.hpp"
#include "store/postgres/pg_schema.hpp"

namespace parley::store {
namespace {

constexpr std::size_t row_overhead_bytes = 200;  ///< approximate size of a row without its body

constexpr const char* append_statement =
    "WITH h AS (UPDATE parley.log_head SET seq = seq + 1, digest = sha256(digest || sha256($1::bytea)), "
    "until = clock_timestamp() + $2::bigint * interval '1 ms' "
    "WHERE id = 1 AND term = $3::bigint AND leader = $4::uuid AND seq = $5::bigint AND digest = $6::bytea "
    "RETURNING seq, digest) "
    "INSERT INTO parley.log (seq, term, node, at_ms, rules, digest, body) "
    "SELECT seq, $3::bigint, $4::uuid, $7::bigint, $8::int, digest, $1::bytea FROM h RETURNING seq, digest";

constexpr const char* lead_statement =
    "UPDATE parley.log_head SET term = term + 1, leader = $1::uuid, rules = $2::int, "
    "until = clock_timestamp() + $3::bigint * interval '1 ms' "
    "WHERE id = 1 AND rules <= $2::int AND (until < clock_timestamp() OR (leader = $1::uuid AND term = "
    "$4::bigint)) RETURNING term, seq, digest, rules";

constexpr const char* renew_statement =
    "UPDATE parley.log_head SET until = clock_timestamp() + $1::bigint * interval '1 ms' "
    "WHERE id = 1 AND term = $2::bigint AND leader = $3::uuid RETURNING term";

constexpr const char* step_down_statement =
    "UPDATE parley.log_head SET until = clock_timestamp() - interval '1 ms' "
    "WHERE id = 1 AND term = $1::bigint AND leader = $2::uuid";

/// The head and the rows after a position, read at the same moment.
constexpr const char* read_statement =
    "SELECT h.seq, h.digest, l.seq, l.term, l.node, l.at_ms, l.rules, l.digest, l.body FROM parley.log_head "
    "h "
    "LEFT JOIN (SELECT * FROM (SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS "
    "before FROM (SELECT * FROM parley.log WHERE seq > $1::bigint ORDER BY seq LIMIT 256) newer) summed "
    "WHERE before < $2::bigint) l ON true WHERE h.id = 1 ORDER BY l.seq";

constexpr const char* digest_statement = "SELECT digest FROM parley.log WHERE seq = $1::bigint";

constexpr const char* announce_statement =
    "INSERT INTO parley.nodes (node, address, version, rules_max, applied, seen, state) "
    "VALUES ($1::uuid, $2::text, $3::text, $4::int, $5::bigint, clock_timestamp(), $6::text) "
    "ON CONFLICT (node) DO UPDATE SET address = excluded.address, version = excluded.version, "
    "rules_max = excluded.rules_max, applied = excluded.applied, seen = excluded.seen, state = "
    "excluded.state";

constexpr const char* view_statement =
    "SELECT h.seq, h.digest, h.term, h.leader, "
    "(extract(epoch from h.until - clock_timestamp()) * 1000)::bigint, "
    "n.node, n.address, n.version, n.state, n.applied, "
    "(extract(epoch from clock_timestamp() - n.seen) * 1000)::bigint, h.rules "
    "FROM parley.log_head h LEFT JOIN parley.nodes n ON true WHERE h.id = 1 ORDER BY n.node";

/// Cached for some seconds: the query reads files, and a node announces itself several times a second.
constexpr const char* size_statement =
    "SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::bigint FROM pg_partition_tree('parley.log') "
    "WHERE isleaf";
constexpr std::int64_t size_asked_every_ms = 5'000;

Problem no_head() {
  return problem(ProblemKind::store_refuses,
                 "The database holds no log any more: the schema parley was emptied or dropped.");
}

LogRow row_at(const PgAnswer& answer, int row) {
  return {{answer.number(row, 2), answer.digest(row, 7)},
          answer.number(row, 3),
          answer.id(row, 4),
          Time{answer.signed_number(row, 5)},
          answer.small(row, 6),
          std::string(answer.bytes(row, 8))};
}

NodeRow node_at(const PgAnswer& answer, int row) {
  return {answer.id(row, 5),
          std::string(answer.bytes(row, 6)),
          std::string(answer.bytes(row, 7)),
          std::string(answer.bytes(row, 8)),
          answer.number(row, 9),
          answer.signed_number(row, 10)};
}

class PostgresLog final : public ChangeLog {
 public:
  explicit PostgresLog(const PgLogOptions& options)
      : options_(options), appending_(options, 0), asking_(options, pg_answer_ms) {}

  Appended append(std::string_view body, Time now, const LogPosition& after) override {
    make_room(body.size());
    const PgAnswer answer = appending_.run(
        append_statement,
        {pg_bytes(body), pg_number(options_.lease_ms), pg_number(term_), pg_id(options_.node),
         pg_number(after.seq), pg_bytes(bytes_of(after.digest)), pg_number(now.ms), pg_number(rules())});
    Appended done;
    switch (answer.kind) {
      case PgAnswer::Kind::good:
        done.kind = answer.rows() == 1 ? Appended::Kind::durable : Appended::Kind::fenced;
        if (answer.rows() == 1) done.at = {answer.number(0, 0), answer.digest(0, 1)};
        break;
      case PgAnswer::Kind::lost: done.kind = Appended::Kind::in_doubt; break;
      case PgAnswer::Kind::unsent:
      case PgAnswer::Kind::refused:
        done.problem = problem_of(answer);
        done.kind = done.problem.kind == ProblemKind::busy ? Appended::Kind::unsent : Appended::Kind::refused;
        break;
    }
    if (done.kind != Appended::Kind::durable) partition_bytes_.reset();
    return done;
  }

  void use_term(std::uint64_t term) override { term_ = term; }

  Expected<LogTail> read(const LogPosition& after, const Digest256& before, std::size_t bytes) override {
    const PgAnswer answer =
        asking_.run(read_statement, {pg_number(after.seq), pg_number(std::uint64_t{bytes})});
    if (!answer.is_good()) return problem_of(answer);
    if (answer.rows() == 0) return no_head();
    const LogPosition head{answer.number(0, 0), answer.digest(0, 1)};
    LogTail tail;
    for (int row = 0; row < answer.rows() && !answer.is_null(row, 2); ++row)
      tail.rows.push_back(row_at(answer, row));
    if (tail.rows.empty() && head == after) return tail;
    if (head.seq > after.seq && (tail.rows.empty() || tail.rows.front().at.seq != after.seq + 1))
      return LogTail{LogTail::Kind::trimmed, {}};
    if (!tail.rows.empty() && next_position(after, tail.rows.front().body) == tail.rows.front().at)
      return tail;
    return parted(after, before, head);
  }

  Expected<std::optional<Leadership>> lead(std::optional<std::uint64_t> own_term) override {
    const std::int64_t asked_ms = boottime_ms();
    const PgAnswer answer =
        asking_.run(lead_statement, {pg_id(options_.node), pg_number(rules()), pg_number(options_.lease_ms),
                                     pg_number(static_cast<std::int64_t>(own_term.value_or(0)))});
    if (!answer.is_good()) return problem_of(answer);
    if (answer.rows() == 0) return std::optional<Leadership>{};
    term_ = answer.number(0, 0);
    return std::optional(
        Leadership{term_, {answer.number(0, 1), answer.digest(0, 2)}, answer.small(0, 3), asked_ms});
  }

  Expected<bool> renew() override {
    const PgAnswer answer =
        asking_.run(renew_statement, {pg_number(options_.lease_ms), pg_number(term_), pg_id(options_.node)});
    if (!answer.is_good()) return problem_of(answer);
    return answer.rows() == 1;
  }

  Expected<Done> step_down() override {
    return done(asking_.run(step_down_statement, {pg_number(term_), pg_id(options_.node)}));
  }

  Expected<LogView> announce(const NodeRow& self) override {
    const PgAnswer written =
        asking_.run(announce_statement, {pg_id(options_.node), pg_text(self.address), pg_text(self.version),
                                         pg_number(rules()), pg_number(self.applied), pg_text(self.state)});
    if (!written.is_good()) return problem_of(written);
    const PgAnswer answer = asking_.run(view_statement, {});
    if (!answer.is_good()) return problem_of(answer);
    if (answer.rows() == 0) return no_head();
    LogView view;
    view.head = {answer.number(0, 0), answer.digest(0, 1)};
    view.term = answer.number(0, 2);
    view.leader = answer.id(0, 3);
    view.lease_left_ms = answer.signed_number(0, 4);
    view.rules = answer.small(0, 11);
    TRY_DONE(look_at_size());
    view.bytes = size_;
    for (int row = 0; row < answer.rows() && !answer.is_null(row, 5); ++row)
      view.nodes.push_back(node_at(answer, row));
    return view;
  }

  Expected<Done> put_base(const std::filesystem::path& file, const LogPosition& at) override {
    return upload_base(asking_, file, at, current_schema());
  }
  Expected<std::optional<LogPosition>> fetch_base(const std::filesystem::path& file) override {
    return download_base(asking_, file);
  }
  Expected<Done> trim(std::uint64_t keep_bytes) override {
    size_asked_ms_.reset();
    return drop_old_rows(asking_, keep_bytes);
  }

 private:
  [[nodiscard]] static std::uint64_t rules() { return current_schema(); }

  Expected<Done> look_at_size() {
    const std::int64_t now_ms = boottime_ms();
    if (size_asked_ms_ && now_ms - *size_asked_ms_ < size_asked_every_ms) return Done{};
    const PgAnswer answer = asking_.run(size_statement, {});
    if (!answer.is_good()) return problem_of(answer);
    size_ = answer.number(0, 0);
    size_asked_ms_ = now_ms;
    return Done{};
  }

  /// Begins the next partition if the open one is large enough. If that fails, the open one only gets larger.
  void make_room(std::size_t bytes) {
    if (!partition_bytes_) {
      const auto known = open_partition_bytes(appending_);
      if (!known.ok()) return;
      partition_bytes_ = *known;
    }
    if (*partition_bytes_ > partition_size(options_.keep_bytes)) {
      static_cast<void>(begin_partition(appending_, term_));
      partition_bytes_ = 0;
    }
    *partition_bytes_ += bytes + row_overhead_bytes;
  }

  /// Finds out how much of the log was lost if the head does not reach `after`.
  [[nodiscard]] Expected<LogTail> parted(const LogPosition& after, const Digest256& before,
                                         const LogPosition& head) {
    LogTail tail{LogTail::Kind::went_back, {}};
    if (after.seq == 0 || head.seq + 1 < after.seq) return tail;
    Digest256 there{};
    if (head.seq + 1 == after.seq) {
      there = head.digest;
    } else if (after.seq > 1) {
      const PgAnswer answer = asking_.run(digest_statement, {pg_number(after.seq - 1)});
      if (!answer.is_good()) return problem_of(answer);
      if (answer.rows() == 0) return LogTail{LogTail::Kind::trimmed, {}};
      there = answer.digest(0, 0);
    }
    if (there == before) tail.kind = LogTail::Kind::last_row_lost;
    return tail;
  }

  PgLogOptions options_;
  PgConnection appending_;  ///< an append waits as long as its connection lives
  PgConnection asking_;
  std::uint64_t term_ = 0;
  std::uint64_t size_ = 0;
  std::optional<std::int64_t> size_asked_ms_;
  std::optional<std::uint64_t> partition_bytes_;  ///< size of the open partition; nullopt: not queried yet
};

}  // namespace

std::unique_ptr<ChangeLog> PgLog::open(const PgLogOptions& options) {
  return std::make_unique<PostgresLog>(options);
}

}  // namespace parley::store
