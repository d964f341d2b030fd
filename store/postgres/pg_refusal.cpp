#include "store/postgres/pg_refusal.hpp"

#include <poll.h>

#include <cctype>
#include <memory>
#include <string_view>

namespace parley::store {
namespace {

constexpr int classify_polls_max = 20;
constexpr int classify_poll_ms = 100;

Problem refusal(std::string why) {
  return problem(ProblemKind::store_refuses, std::move(why));
}

std::string text_of(const char* text) {
  return text == nullptr || *text == '\0' ? "?" : text;
}

/// The code at the end of a PQERRORS_SQLSTATE message; empty: the message has no code.
std::string state_in(std::string_view message) {
  while (!message.empty() && std::isspace(static_cast<unsigned char>(message.back())) != 0)
    message.remove_suffix(1);
  const std::string_view word = message.size() < 5 ? std::string_view() : message.substr(message.size() - 5);
  for (const char c : word)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && !(c >= 'A' && c <= 'Z')) return {};
  return std::string(word);
}

/// libpq reports a code only if the verbosity is set while the connection is being opened.
std::string state_of_attempt(const char* const* keywords, const char* const* values) {
  const std::unique_ptr<PGconn, void (*)(PGconn*)> attempt(PQconnectStartParams(keywords, values, 0),
                                                           PQfinish);
  if (!attempt || PQstatus(attempt.get()) == CONNECTION_BAD) return {};
  PQsetErrorVerbosity(attempt.get(), PQERRORS_SQLSTATE);
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  for (int polls = 0; polls < classify_polls_max; ++polls) {
    if (next == PGRES_POLLING_FAILED) return state_in(PQerrorMessage(attempt.get()));
    if (next == PGRES_POLLING_OK) return {};
    pollfd socket{PQsocket(attempt.get()),
                  static_cast<short>(next == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
    if (::poll(&socket, 1, classify_poll_ms) > 0) next = PQconnectPoll(attempt.get());
  }
  return {};
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

Problem refusal_of(const std::string& state, const std::string& message) {
  if (state == "42501") {
    return refusal(
        "PostgreSQL denied a permission: " + message +
        ". Run GRANT CREATE ON DATABASE for the role of the log, or as administrator CREATE SCHEMA "
        "parley AUTHORIZATION with that role.");
  }
  const bool may_pass = state == "25006" || state.starts_with("57") || state.starts_with("53") ||
                        state.starts_with("40") || state.starts_with("08");
  if (may_pass) return problem(ProblemKind::busy, "PostgreSQL cannot take a statement now: " + message + ".");
  return refusal("PostgreSQL refuses a statement of the log (" + state + "): " + message + ".");
}

Problem connection_refusal(const PGconn* failed, const char* const* keywords, const char* const* values) {
  const std::string role = text_of(PQuser(failed));
  const std::string database = text_of(PQdb(failed));
  if (PQconnectionNeedsPassword(failed) != 0) {
    return refusal("PostgreSQL asks for the password of the role " + role +
                   ", and none is given: set PARLEY_LOG_PASSWORD.");
  }
  const std::string why = first_line(PQerrorMessage(failed));
  const std::string state = state_of_attempt(keywords, values);
  if (state == "28P01") {
    return refusal("PostgreSQL refuses the password of the role " + role +
                   ", or has no such role: correct PARLEY_LOG_PASSWORD, or the user in the URL of the log.");
  }
  if (state == "28000") {
    return refusal("PostgreSQL does not let the role " + role + " connect to the database " + database +
                   ": create the role, or allow it in pg_hba.conf.");
  }
  if (state == "3D000") {
    return refusal("PostgreSQL has no database " + database + ": create it, or correct the URL of the log.");
  }
  if (state == "42501") {
    return refusal("PostgreSQL refuses the role " + role + " the right to connect to the database " +
                   database + ": run GRANT CONNECT ON DATABASE.");
  }
  return problem(ProblemKind::busy, "PostgreSQL cannot be reached: " + why + ".");
}

}  // namespace parley::store
