#pragma once
/// Internal to store/changelog: one connection to PostgreSQL, opened on demand. Results are binary: numbers
/// big-endian, uuid 16 bytes, bytea and text unchanged.
/// Thread: one at a time. Calls block until the server answers, the connection breaks, the deadline passes, or
/// the process ends.

#include <libpq-fe.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "store/postgres/pg_log.hpp"

namespace parley::store {

/// One parameter of a statement.
struct PgValue {
  std::string bytes;
  bool is_binary = false;
};
[[nodiscard]] PgValue pg_number(std::int64_t number);
[[nodiscard]] PgValue pg_number(std::uint64_t number);
[[nodiscard]] PgValue pg_bytes(std::string_view bytes);
[[nodiscard]] PgValue pg_text(std::string_view text);
[[nodiscard]] PgValue pg_id(const Id& id);

/// The maximum duration of a statement on a connection that never appends.
inline constexpr std::int64_t pg_answer_ms = 5'000;

/// The answer to a statement.
class PgAnswer {
 public:
  enum class Kind : std::uint8_t {
    good,
    refused,  ///< the statement had no effect; `state` and `message` give the reason
    lost,     ///< the connection broke before the answer; the effect of a write is unknown
    unsent,   ///< there was no connection; `problem` is that of the attempt
  };
  Kind kind = Kind::unsent;
  std::string state;  ///< SQLSTATE
  std::string message;
  std::optional<Problem> problem;

  [[nodiscard]] bool is_good() const { return kind == Kind::good; }
  /// The following functions need a good answer.
  [[nodiscard]] int rows() const { return PQntuples(result_.get()); }
  [[nodiscard]] bool is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
  }
  [[nodiscard]] std::string_view bytes(int row, int column) const;
  [[nodiscard]] std::uint64_t number(int row, int column) const;  ///< int8
  [[nodiscard]] std::int64_t signed_number(int row, int column) const;
  [[nodiscard]] std::uint32_t small(int row, int column) const;  ///< int4
  [[nodiscard]] bool flag(int row, int column) const;
  [[nodiscard]] Id id(int row, int column) const;  ///< nil for null
  [[nodiscard]] Digest256 digest(int row, int column) const;

 private:
  friend class PgConnection;
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  std::unique_ptr<PGresult, Clear> result_;
};

/// `busy` for a lost or missing connection, `store_refuses` for a statement that PostgreSQL refuses.
[[nodiscard]] Problem problem_of(const PgAnswer& answer);
/// Converts the answer to a statement that returns only success.
[[nodiscard]] Expected<Done> done(const PgAnswer& answer);

class PgConnection {
 public:
  /// `answer_ms`: the maximum wait for an answer; 0: as long as the connection lives.
  PgConnection(const PgLogOptions& options, std::int64_t answer_ms);

  /// Problem: `busy`, or `store_refuses` if PostgreSQL refuses this node permanently.
  [[nodiscard]] Expected<Done> open();
  void close() { connection_.reset(); }

  /// Runs one statement, which is prepared at its first use on this connection.
  [[nodiscard]] PgAnswer run(const char* statement, const std::vector<PgValue>& values);
  /// Runs several statements without parameters in one transaction.
  [[nodiscard]] PgAnswer script(const std::string& statements);

 private:
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  [[nodiscard]] Expected<Done> prepare_session();
  [[nodiscard]] bool prepare(const char* statement);
  /// Waits for the answer to the statement that was sent.
  [[nodiscard]] PgAnswer received();
  [[nodiscard]] bool wait_for_bytes(std::int64_t until_ms);
  [[nodiscard]] PgAnswer lost();

  PgLogOptions options_;
  std::int64_t answer_ms_;
  std::unique_ptr<PGconn, Finish> connection_;
  std::set<const char*> prepared_;
};

}  // namespace parley::store
