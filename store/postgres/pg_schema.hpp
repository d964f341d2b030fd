#pragma once
/// Internal to store/changelog: the tables of a log, all in pg_schema.cpp, which implements the static
/// functions of PgLog.
/// Thread: one at a time.

namespace parley::store {

/// The statements that create missing objects, in one transaction.
[[nodiscard]] const char* schema_statements();

}  // namespace parley::store
