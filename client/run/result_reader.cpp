#include "client/run/result_reader.hpp"

#include <algorithm>

#include "client/remote/api.hpp"
#include "client/report/report_json.hpp"
#include "model/time.hpp"

namespace parley::client {
namespace {

bool is_decided(std::string_view status) {
  return status == "passed" || status == "failed";
}

EntryRow entry_of(const json::Value& value) {
  EntryRow row;
  row.id = text_at(value, "id");
  row.type = text_at(value, "type");
  row.role = text_at(value, "role");
  row.text = row.type == "message" ? text_at(value, "content") : text_at(value, "name");
  if (const auto metadata = json::given(value, "metadata")) row.metadata = metadata->compact().text;
  row.turn = integer_at(value, "turn");
  return row;
}

double seconds_between(const std::string& from, const std::string& to) {
  const auto first = time_from_text(from);
  const auto last = time_from_text(to);
  return first && last && *last > *first ? static_cast<double>(last->ms - first->ms) / 1000 : 0;
}

/// Returns the seconds from the first entry to the last. A fault has no entry, so a result that failed lasted until
/// its last change.
double seconds_of(const json::Value& result, const std::vector<json::Value>& entries) {
  if (entries.empty()) return 0;
  const bool has_failed = text_at(result, "status") == "failed";
  return seconds_between(text_at(entries.front(), "createdAt"),
                         has_failed ? text_at(result, "updatedAt") : text_at(entries.back(), "createdAt"));
}

void read_conversation(const std::vector<json::Value>& entries, ResultRow& row, bool keeps_transcript) {
  for (const json::Value& each : entries) {
    const std::string role = text_at(each, "role");
    const std::string type = text_at(each, "type");
    if (role == "tester" && (type == "message" || type == "action")) ++row.turns;
    const auto metadata = json::given(each, "metadata");
    if (role == "chatbot" && type == "message" && metadata) {
      row.usd += number_at(*metadata, "cost").value_or(0);
      if (const auto ms = number_at(*metadata, "responseTime")) row.response_ms.push_back(*ms);
    }
    if (keeps_transcript) row.transcript.push_back(entry_of(each));
  }
}

void name_test(const json::Value& result, const NameBook& names, ResultRow& row) {
  const auto known = names.tests.find(link_id(result, "test"));
  if (known == names.tests.end()) {
    row.test = link_id(result, "test");
    row.name = link_name(result, "test");
    if (row.name.empty()) row.name = row.test.empty() ? "no test" : row.test;
    return;
  }
  const NamedTest& test = known->second;
  row.test = test.key;
  row.name = test.name;
  row.scenario = test.scenario;
  row.variant = test.variant;
  row.fields = test.fields;
  row.file = test.file;
  row.line = test.line;
}

std::string name_in(const std::map<std::string, std::string>& names, const json::Value& result,
                    std::string_view link) {
  const auto known = names.find(link_id(result, link));
  return known == names.end() ? link_name(result, link) : known->second;
}

ModelCalls calls_of(const json::Value& result) {
  ModelCalls calls;
  const auto usage = json::given(result, "usage");
  if (!usage) return calls;
  if (const auto tester = json::given(*usage, "tester")) {
    calls.tester_usd = number_at(*tester, "cost").value_or(0);
    calls.tester_kept = integer_at(*tester, "repeated");
    calls.tester_asked = integer_at(*tester, "calls") - calls.tester_kept;
  }
  if (const auto judge = json::given(*usage, "judge")) {
    calls.judge_usd = number_at(*judge, "cost").value_or(0);
    calls.judge_kept = integer_at(*judge, "repeated");
    calls.judge_asked = integer_at(*judge, "calls") - calls.judge_kept;
  }
  return calls;
}

}  // namespace

CaseState state_of(const json::Value& result) {
  const std::string status = text_at(result, "status");
  if (status == "failed") return CaseState::fault;
  if (status == "canceled") return CaseState::canceled;
  if (status != "completed") return CaseState::missing;
  if (const auto review = json::given(result, "review"); review && !flag_at(*review, "valid"))
    return CaseState::undecided;
  const auto asserted = items_of(result, "assertionResults");
  bool is_open = false;
  bool has_decided = asserted.empty();
  for (const json::Value& each : asserted) {
    const bool decided = is_decided(text_at(each, "status"));
    has_decided = has_decided || decided;
    is_open = is_open || (!decided && text_at(each, "severity") == "BLOCKER");
  }
  if (is_open || !has_decided) return CaseState::undecided;
  return flag_at(result, "overallPassed") ? CaseState::passed : CaseState::failed;
}

ReadResult read_result(const json::Value& result, const NameBook& names, const ReadingOptions& options) {
  ReadResult read;
  ResultRow& row = read.row;
  row.id = text_at(result, "id");
  row.run = link_id(result, "run");
  name_test(result, names, row);
  row.agent = name_in(names.agents, result, "agent");
  if (const std::string persona = name_in(names.personas, result, "personality"); !persona.empty())
    row.persona = persona;
  row.repetition = options.repetition;
  row.state = state_of(result);
  row.score = integer_at(result, "score");
  if (const auto metadata = json::given(result, "metadata")) {
    if (const auto error = json::given(*metadata, "error"); error && row.state == CaseState::fault)
      row.fault = CaseFault{text_at(*error, "source"), text_at(*error, "code"), text_at(*error, "detail")};
  }
  if (row.state == CaseState::fault && !row.fault)
    row.fault = CaseFault{"infrastructure", text_at(result, "endReason"), "the result failed"};
  if (const auto review = json::given(result, "review"); review && !flag_at(*review, "valid"))
    row.review = text_at(*review, "reason");
  for (const json::Value& each : items_of(result, "assertionResults"))
    row.assertions.push_back(assertion_row_of(each));
  row.warnings = warning_rows_of(result);
  const auto entries = items_of(result, "conversation");
  row.seconds = seconds_of(result, entries);
  read_conversation(entries, row, options.keeps_transcript || row.state != CaseState::passed);
  read.calls = calls_of(result);
  return read;
}

std::int64_t RepetitionCounter::operator()(const json::Value& result) {
  std::int64_t& count = counts_[{link_id(result, "test"), link_id(result, "personality")}];
  return json::given(result, "retiredBy") ? count + 1 : ++count;
}

}  // namespace parley::client
