#pragma once
/// When a key was last used (D80), to the minute: noted behind the answer's back, so that no request waits for it, and
/// at most once a minute and key, so that reading costs no writes. Thread: any.

#include "http/handlers/handler_context.hpp"
#include "model/records/user.hpp"

namespace parley::http {

/// Whether the key's last use lies a minute back or was never noted.
[[nodiscard]] bool is_use_due(const ApiKey& key, Time now);

/// The key as it is once its use at `used` is noted: unchanged where that is not due.
[[nodiscard]] ApiKey with_use(ApiKey key, Time used);
/// As with_use, for the use that is remembered of it, if one is.
[[nodiscard]] ApiKey with_remembered_use(const Context& context, ApiKey key);

/// Remembers the use, hands the change on and returns. What cannot be noted (a busy or full store) is noted with a later
/// use.
void note_use(const Context& context, const Id& key);

}  // namespace parley::http
