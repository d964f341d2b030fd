#pragma once
/// Internal to store/changelog: the tables of a log (pg_schema.cpp has them all). Implements the static functions of PgLog.
/// Thread: one at a time.

namespace parley::store {

/// The statements that create what is missing, in one transaction.
[[nodiscard]] const char* schema_statements();

}  // namespace parley::store
