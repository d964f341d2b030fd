#pragma once
/// The sign-in code for the terminal in which the server starts. The person who starts the server can read its data
/// anyway. Called by app/ after the listener is open, on one thread.

#include "http/auth/api_key_text.hpp"
#include "http/auth/bootstrap.hpp"

namespace parley::http {

/// Creates a code that permits one sign-in within a minute, with the rights of the first working admin key. Returns
/// an empty text if no admin key works. Problem: the problem from `commit`, or a damaged store.
[[nodiscard]] Expected<std::string> start_code(const store::Store& store, const Keys& keys, Time now,
                                               const Commit& commit);

}  // namespace parley::http
