#pragma once
/// The first step of most verbs: the server to use, and a client of it. Main thread.

#include <memory>

#include "client/remote/api.hpp"
#include "client/remote/session.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// A session with its client.
struct OpenSession {
  Session session;
  std::unique_ptr<Api> api;
};

/// For verbs that read or change a server's records: the profile of the last login, else the project's local data, where
/// no agent is called meanwhile and nothing is scored.
[[nodiscard]] Expected<OpenSession> open_session(const Invocation& call);
/// With separate options. If this command starts the local server, the runs of commands that were killed are canceled.
[[nodiscard]] Expected<OpenSession> open_session(const Invocation& call, ServerPreference preference,
                                                 const SessionOptions& options);

/// `10s`, `250ms`, `5m`; a bare number is seconds. -1 if malformed.
[[nodiscard]] std::int64_t milliseconds_of(std::string_view text);
/// The value of --color. Problem: neither auto, always nor never.
[[nodiscard]] Expected<ColorMode> color_of(const Invocation& call);

}  // namespace parley::client
