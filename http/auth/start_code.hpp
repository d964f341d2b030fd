#pragma once
/// The sign-in code for the terminal in which the server starts. The person who starts it can read its data anyway. Called by app/
/// after the listener is open, on one thread.

#include "http/auth/api_key_text.hpp"
#include "http/auth/bootstrap.hpp"

namespace parley::http {

/// Makes a code that signs in once, within a minute, with the rights of the first working admin key. Empty if no admin key
/// works. Problem: the problem of `commit`, or a damaged store.
[[nodiscard]] Expected<std::string> start_code(const store::Store& store, const Keys& keys, Time now,
                                               const Commit& commit);

}  // namespace parley::http
