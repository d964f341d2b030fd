#include "store/postgres/pg_connection.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>

#include "store/engine/value.hpp"
#include "store/postgres/log_url.hpp"
#include "store/postgres/pg_refusal.hpp"

namespace parley::store {
namespace {

constexpr int version_min = 140'000;
constexpr int poll_ms = 100;

/// Puts the text on one line, for a log message.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else {
      line += c;
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

/// The values in the form that libpq accepts. The values must outlive this object.
struct Arguments {
  explicit Arguments(const std::vector<PgValue>& values) {
    for (const PgValue& value : values) {
      bytes.push_back(value.bytes.data());
      lengths.push_back(static_cast<int>(value.bytes.size()));
      formats.push_back(value.is_binary ? 1 : 0);
    }
  }
  std::vector<const char*> bytes;
  std::vector<int> lengths;
  std::vector<int> formats;
};

std::string statement_name(const char* statement) {
  return "s" + std::to_string(reinterpret_cast<std::uintptr_t>(statement));
}

}  // namespace

PgValue pg_number(std::int64_t number) {
  return {std::to_string(number), false};
}
PgValue pg_number(std::uint64_t number) {
  return {std::to_string(number), false};
}
PgValue pg_bytes(std::string_view bytes) {
  return {std::string(bytes), true};
}
PgValue pg_text(std::string_view text) {
  return {std::string(text), false};
}
PgValue pg_id(const Id& id) {
  return {to_text(id), false};
}

std::string_view PgAnswer::bytes(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}
std::uint64_t PgAnswer::number(int row, int column) const {
  return u64_at(bytes(row, column));
}
std::int64_t PgAnswer::signed_number(int row, int column) const {
  return static_cast<std::int64_t>(number(row, column));
}
std::uint32_t PgAnswer::small(int row, int column) const {
  return u32_at(bytes(row, column));
}
bool PgAnswer::flag(int row, int column) const {
  return bytes(row, column) == std::string_view("\1", 1);
}
Id PgAnswer::id(int row, int column) const {
  return is_null(row, column) ? Id{} : id_at(bytes(row, column));
}
Digest256 PgAnswer::digest(int row, int column) const {
  Digest256 digest{};
  const std::string_view found = bytes(row, column);
  std::copy_n(found.begin(), std::min(found.size(), digest.size()), digest.begin());
  return digest;
}

Problem problem_of(const PgAnswer& answer) {
  switch (answer.kind) {
    case PgAnswer::Kind::unsent:
      if (answer.problem) return *answer.problem;
      break;
    case PgAnswer::Kind::refused: return refusal_of(answer.state, answer.message);
    case PgAnswer::Kind::good:
    case PgAnswer::Kind::lost: break;
  }
  return problem(ProblemKind::busy,
                 "The connection to PostgreSQL was lost" +
                     (answer.message.empty() ? std::string(".") : ": " + answer.message + "."));
}

Expected<Done> done(const PgAnswer& answer) {
  if (!answer.is_good()) return problem_of(answer);
  return Done{};
}

PgConnection::PgConnection(const PgLogOptions& options, std::int64_t answer_ms)
    : options_(options), answer_ms_(answer_ms) {}

Expected<Done> PgConnection::open() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return Done{};
  if (options_.is_stopping && options_.is_stopping())
    return problem(ProblemKind::busy, "The server is stopping, so it no longer connects to PostgreSQL.");
  prepared_.clear();
  const std::vector<LogParameter> parameters = log_parameters(options_.url, options_.password);
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const LogParameter& each : parameters) {
    keywords.push_back(each.keyword.c_str());
    values.push_back(each.value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 0));
  if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) {
    Problem why = connection_
                      ? connection_refusal(connection_.get(), keywords.data(), values.data())
                      : problem(ProblemKind::busy, "There is no memory for a connection to PostgreSQL.");
    close();
    return why;
  }
  return prepare_session();
}

/// Sets no statement time-out and cancels no statement: PostgreSQL would report a commit as done that no standby has.
Expected<Done> PgConnection::prepare_session() {
  const int version = PQserverVersion(connection_.get());
  if (version < version_min) {
    close();
    return problem(ProblemKind::store_refuses, "PostgreSQL " + std::to_string(version / 10'000) +
                                                   " is too old for the log: update it to 14 or newer.");
  }
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  const PgAnswer done = script(
      "SET search_path = pg_catalog; SET statement_timeout = 0; SET lock_timeout = 0; "
      "SET default_transaction_isolation = 'read committed'; SET client_encoding = 'UTF8'");
  if (!done.is_good()) return problem_of(done);
  return Done{};
}

bool PgConnection::wait_for_bytes(std::int64_t until_ms) {
  for (;;) {
    if (options_.is_stopping && options_.is_stopping()) return false;
    if (until_ms != 0 && boottime_ms() > until_ms) return false;
    const int flushed = PQflush(connection_.get());
    if (flushed < 0) return false;
    pollfd socket{PQsocket(connection_.get()), static_cast<short>(flushed > 0 ? POLLIN | POLLOUT : POLLIN),
                  0};
    const int ready = ::poll(&socket, 1, poll_ms);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    if ((socket.revents & (POLLIN | POLLERR | POLLHUP)) == 0) continue;
    return PQconsumeInput(connection_.get()) == 1;
  }
}

PgAnswer PgConnection::lost() {
  PgAnswer answer;
  answer.kind = PgAnswer::Kind::lost;
  if (connection_) answer.message = one_line(PQerrorMessage(connection_.get()));
  close();
  return answer;
}

PgAnswer PgConnection::received() {
  const std::int64_t until_ms = answer_ms_ == 0 ? 0 : boottime_ms() + answer_ms_;
  PgAnswer answer;
  for (;;) {
    while (PQisBusy(connection_.get()) != 0)
      if (!wait_for_bytes(until_ms)) return lost();
    std::unique_ptr<PGresult, PgAnswer::Clear> result(PQgetResult(connection_.get()));
    if (!result) break;
    const ExecStatusType status = PQresultStatus(result.get());
    // Of several statements, the first failed one is reported; the rest did not run.
    if (answer.kind == PgAnswer::Kind::refused) continue;
    answer.kind = PgAnswer::Kind::good;
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY) {
      const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
      const char* message = PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
      answer.kind = PgAnswer::Kind::refused;
      answer.state = state == nullptr ? "" : state;
      answer.message = one_line(message == nullptr ? PQresultErrorMessage(result.get()) : message);
    }
    answer.result_ = std::move(result);
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK) return lost();
  return answer;
}

bool PgConnection::prepare(const char* statement) {
  if (prepared_.contains(statement)) return true;
  if (PQsendPrepare(connection_.get(), statement_name(statement).c_str(), statement, 0, nullptr) != 1)
    return false;
  if (const PgAnswer done = received(); !done.is_good()) return false;
  prepared_.insert(statement);
  return true;
}

PgAnswer PgConnection::run(const char* statement, const std::vector<PgValue>& values) {
  if (auto opened = open(); !opened) {
    PgAnswer unsent;
    unsent.problem = std::move(opened).problem();
    return unsent;
  }
  const bool is_prepared = prepare(statement);
  if (!connection_) return {};  // the statement was not sent
  const Arguments arguments(values);
  const int count = static_cast<int>(values.size());
  // A statement that cannot be prepared is sent unprepared, so that the answer is its own error.
  const int sent =
      is_prepared
          ? PQsendQueryPrepared(connection_.get(), statement_name(statement).c_str(), count,
                                arguments.bytes.data(), arguments.lengths.data(), arguments.formats.data(), 1)
          : PQsendQueryParams(connection_.get(), statement, count, nullptr, arguments.bytes.data(),
                              arguments.lengths.data(), arguments.formats.data(), 1);
  return sent == 1 ? received() : lost();
}

PgAnswer PgConnection::script(const std::string& statements) {
  if (auto opened = open(); !opened) {
    PgAnswer unsent;
    unsent.problem = std::move(opened).problem();
    return unsent;
  }
  return PQsendQuery(connection_.get(), statements.c_str()) == 1 ? received() : lost();
}

}  // namespace parley::store
