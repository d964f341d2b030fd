#pragma once
/// Internal to store/changelog: explains PostgreSQL's refusals to the operator: the cause and the fix. SQLSTATE
/// decides, because messages may be in any language. Thread: the connection's.

#include <libpq-fe.h>

#include <string>

#include "model/expected.hpp"

namespace parley::store {

/// The problem of a refused statement.
[[nodiscard]] Problem refusal_of(const std::string& state, const std::string& message);
/// The problem of a failed connection. Asks the server again for the error code. Kind: store_refuses if a retry
/// would not help.
[[nodiscard]] Problem connection_refusal(const PGconn* failed, const char* const* keywords,
                                         const char* const* values);

}  // namespace parley::store
