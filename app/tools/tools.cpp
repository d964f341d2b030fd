#include "app/tools/tools.hpp"

#include <algorithm>
#include <cstdio>

#include "app/options/exit_codes.hpp"
#include "app/options/log_start.hpp"
#include "app/process/fatal_errors.hpp"
#include "store/engine/encoding.hpp"
#include "store/secrets/backup.hpp"
#include "store/secrets/master_key.hpp"
#include "store/secrets/pepper.hpp"
#include "store/store.hpp"
#include "store/views/verify.hpp"

namespace parley::app {

int failed(const Problem& problem) {
  std::fprintf(stderr, "parley: %s\n", problem.detail.c_str());
  return problem.kind == ProblemKind::internal ? exit_damaged : exit_failed;
}

namespace {

/// More lines of the same kind add no information.
constexpr std::size_t lines_max = 20;

int done(const char* what, const std::filesystem::path& where, const store::BackupReport& report) {
  std::printf("%s %s: %llu bytes, %llu values verified\n", what, where.c_str(),
              static_cast<unsigned long long>(report.bytes), static_cast<unsigned long long>(report.values));
  return 0;
}

/// Not an error: the operator may keep the key elsewhere and give it only to the server.
void warn_without_master_key(const std::filesystem::path& place) {
  std::fprintf(
      stderr,
      "parley: warning: %s has no secrets.key, and PARLEY_SECRETS_KEY is not set. A server needs this "
      "key to start and to read agents' secrets; check that you still have it.\n",
      place.c_str());
}

int back_up(const ToolCall& call) {
  const auto report = store::back_up(call.data, call.file, given_keys());
  if (!report) return failed(report.problem());
  if (!report->has_master_key) warn_without_master_key(call.data);
  return done("backed up to", call.file, *report);
}

int restore(const ToolCall& call) {
  const auto report = store::restore({call.file, call.keys, given_keys()}, call.data);
  if (!report) return failed(report.problem());
  if (!report->has_master_key) warn_without_master_key(call.keys);
  return done("restored to", call.data, *report);
}

void print_line(std::string_view what, store::TableId table, std::string_view key) {
  const std::string line =
      std::string(what) + " table=" + std::string(store::name_of(table)) + " key=" + store::hex(key);
  std::printf("%s\n", line.c_str());
}

/// The fault if the store's keys differ from those that it was created with; empty if they match.
std::string fault_of_keys(const store::Store& store, const ToolCall& call) {
  const store::Snapshot snapshot = store.snapshot();
  const auto peppered = store::check_pepper(snapshot, call.data, environment_value("PARLEY_PEPPER_KEY"));
  if (!peppered) return peppered.problem().detail;
  const auto fine = store::check_master_key(snapshot, {call.data, environment_value("PARLEY_SECRETS_KEY")});
  return fine.ok() ? std::string() : fine.problem().detail;
}

int examine(const ToolCall& call) {
  if (const auto found = store::find_store(call.data); !found) return failed(found.problem());
  auto store = store::Store::open({.directory = call.data});
  if (!store) return failed(store.problem());
  if (const auto& done = (*store)->migration())
    std::printf("migrated from schema %u to %u in %lld ms\n", done->from, done->to,
                static_cast<long long>(done->took.count()));
  const auto verdict = store::verify((*store)->snapshot());
  if (!verdict) return failed(verdict.problem());
  for (const store::Unreadable& table : verdict->tables)
    std::printf("damaged table=%s: %s\n", std::string(store::name_of(table.table)).c_str(),
                table.why.c_str());
  for (std::size_t i = 0; i < std::min(verdict->corrupt.size(), lines_max); ++i)
    print_line("damaged", verdict->corrupt[i].table, verdict->corrupt[i].key);
  for (std::size_t i = 0; i < std::min(verdict->views.size(), lines_max); ++i)
    print_line(verdict->views[i].what, verdict->views[i].table, verdict->views[i].key);
  const std::string key_fault = verdict->tables.empty() ? fault_of_keys(**store, call) : std::string();
  if (!key_fault.empty()) std::printf("%s\n", key_fault.c_str());
  const bool is_good = verdict->is_good() && key_fault.empty();
  std::printf("%s: %llu values, %zu damaged, %zu wrong rows of views\n", is_good ? "good" : "DAMAGED",
              static_cast<unsigned long long>(verdict->values),
              verdict->tables.size() + verdict->corrupt.size(), verdict->views.size());
  return is_good ? 0 : exit_damaged;
}

}  // namespace

int use(const ToolCall& call) {
  report_stray_reads();
  switch (call.tool) {
    case ToolCall::Tool::backup: return back_up(call);
    case ToolCall::Tool::restore: return restore(call);
    case ToolCall::Tool::doctor: return examine(call);
    case ToolCall::Tool::audit_verify: return verify_audit(call);
    case ToolCall::Tool::audit_show: return show_audit(call);
    case ToolCall::Tool::migrate: return migrate(call);
    case ToolCall::Tool::rebase: return rebase(call);
  }
  return exit_failed;
}

}  // namespace parley::app
