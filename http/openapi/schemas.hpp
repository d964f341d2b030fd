#pragma once
/// The schemas of the OpenAPI document: those that the route table names by type, and those that they refer to.
/// Constants and pure functions; any thread.

#include <span>
#include <string_view>
#include <vector>

#include "http/exchange/schema_id.hpp"
#include "model/json/json_writer.hpp"

/// Tags for answers without a described C++ type. They are never defined.
namespace parley::http::answers {

struct AgentCheck;
struct AgreementReport;
struct Applied;
struct Cells;
struct ComparedCells;
struct ConversationDiff;
struct Delivery;
struct Entries;
struct EntryAnswer;
struct Failures;
struct Grep;
struct Label;
struct LocalWork;
struct LogBatch;
struct LogScore;
struct NewApiKey;
struct OpenApi;
struct Repetition;
struct Rescoring;
struct RunComparison;
struct Session;
struct SignInCode;
struct Status;
struct Switchover;
struct TagApplied;
struct TesterReply;
struct TestResult;
struct TracesTaken;
struct Trends;
struct Validation;
struct Verdict;
struct Version;

}  // namespace parley::http::answers

namespace parley::http {

struct SchemaRow {
  std::string_view name;
  void (*write_members)(json::Writer& out);  ///< null: the schema is in schemas.json
  /// For records in lists: the fields by which they can be sorted.
  std::vector<std::string_view> (*sort_names)() = nullptr;
  SchemaId type{};  ///< null id: only other schemas refer to it, no operation does
  std::string_view media_type = "application/json";  ///< media type of a body
};

[[nodiscard]] std::span<const SchemaRow> schemas();
/// Writes the schema object.
void write_schema(json::Writer& out, const SchemaRow& row);
/// Needs: the type has a row.
[[nodiscard]] const SchemaRow& schema_row(SchemaId type);

}  // namespace parley::http
