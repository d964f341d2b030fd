#pragma once
/// Opens the server that a verb uses, and a client for it. This is the first step of most verbs. Main thread.

#include <memory>

#include "client/remote/api.hpp"
#include "client/remote/session.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {

/// A session and a client for its server.
struct OpenSession {
  Session session;
  std::unique_ptr<Api> api;
};

/// For verbs that read or change records of a server. Opens the profile of the last login, or else the project's
/// local data with a server at rest, which calls no agent and scores nothing.
[[nodiscard]] Expected<OpenSession> open_session(const Invocation& call);
/// Opens a session with other options. If this command starts the local server, it cancels the runs of commands that
/// were killed.
[[nodiscard]] Expected<OpenSession> open_session(const Invocation& call, ServerPreference preference,
                                                 const SessionOptions& options);

/// Parses `10s`, `250ms`, `5m` and the like; a bare number is seconds. Returns -1 if the text is malformed.
[[nodiscard]] std::int64_t milliseconds_of(std::string_view text);
/// Returns the value of --color. Problem: the value is not auto, always or never.
[[nodiscard]] Expected<ColorMode> color_of(const Invocation& call);

}  // namespace parley::client
