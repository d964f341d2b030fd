#pragma once
/// Records when a key was last used (D80), to the minute. The record is written in the background, so that no request
/// waits for it, and at most once a minute per key, so that reads cause few writes. Thread: any.

#include "actors/gateway.hpp"
#include "model/clock.hpp"
#include "model/records/user.hpp"
#include "store/side/sessions.hpp"

namespace parley::http {

/// Whether no use of the key was recorded in the last minute.
[[nodiscard]] bool is_use_due(const ApiKey& key, Time now);

[[nodiscard]] bool is_use_due(const store::Session& session, Time now);

/// As note_use, for a session and its key.
void note_session_use(actors::Gateway& gateway, const Clock& clock, const Id& session);
/// Submits the change and returns. If the store is busy or full, a later use is recorded instead.
void note_use(actors::Gateway& gateway, const Clock& clock, const Id& key);

}  // namespace parley::http
