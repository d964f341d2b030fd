#pragma once
/// Internal to store/changelog: what PostgreSQL's refusals mean, in sentences for the operator: the cause and the cure. SQLSTATE
/// decides, because messages may be in any language. Thread: the connection's.

#include <libpq-fe.h>

#include <string>

#include "model/expected.hpp"

namespace parley::store {

/// Of a statement.
[[nodiscard]] Problem refusal_of(const std::string& state, const std::string& message);
/// Of a connection that was not opened; asks the server again for the error code. Kind: store_refuses if a retry would not help.
[[nodiscard]] Problem connection_refusal(const PGconn* failed, const char* const* keywords,
                                         const char* const* values);

}  // namespace parley::store
