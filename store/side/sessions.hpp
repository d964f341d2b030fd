#pragma once
/// Sessions of people who sign in to the web page (ADR 40), and one-time sign-in codes. Both depend on the API
/// key that created them; only digests of secrets are stored. Pure except for reads; thread: as the snapshot.
///
///   session = key "s" id              value {"cookie", "page": DIGEST, "key": ID, "since", "seen": ms}
///   code    = key "c" DIGEST          value {"key": ID, "until": ms}

#include <optional>
#include <string>
#include <string_view>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// A session ends after 12 hours without use, and at the latest 7 days after it began.
inline constexpr std::int64_t session_idle_ms = 12 * 3'600'000LL;
inline constexpr std::int64_t session_life_ms = 7 * 24 * 3'600'000LL;
/// The maximum number of rows: a team of a thousand people with ten browsers each.
inline constexpr std::size_t sessions_max = 10'000;

struct Session {
  Id id;
  std::string cookie;  ///< digest of the cookie value
  std::string page;    ///< digest of the page half
  Id key;              ///< the API key that signed in
  Time since;
  Time seen;                   ///< last use, rounded to the minute
  std::uint64_t revision = 0;  ///< 0: not stored yet

  [[nodiscard]] Time ends_at() const {
    return Time{std::min(seen.ms + session_idle_ms, since.ms + session_life_ms)};
  }
};

[[nodiscard]] Expected<std::optional<Session>> find_session(const Snapshot& snapshot, const Id& id);
/// Guard: the session still has its revision.
void put_session(ChangeSet& changes, const Session& session);
void erase_session(ChangeSet& changes, const Session& session);
/// Whether the table has room for another row.
[[nodiscard]] bool has_room_for_session(const Snapshot& snapshot);

struct SignInCode {
  std::string digest;
  Id key;
  Time until;
};

void put_code(ChangeSet& changes, const SignInCode& code);
[[nodiscard]] Expected<std::optional<SignInCode>> find_code(const Snapshot& snapshot,
                                                            std::string_view digest);
/// Guard: no other change set has used the code.
void use_code(ChangeSet& changes, const SignInCode& code);

/// Whether a session must be erased.
using SessionTest = std::function<bool(const Session& session)>;
/// Erases at most `most` sessions for which `ends` is true, and returns their number.
std::size_t end_sessions(const Snapshot& snapshot, const SessionTest& ends, std::size_t most,
                         ChangeSet& changes);
/// Erases at most `most` rows: expired sessions and codes, and unreadable rows.
std::size_t forget_ended_sessions(const Snapshot& snapshot, Time now, std::size_t most, ChangeSet& changes);

}  // namespace parley::store
