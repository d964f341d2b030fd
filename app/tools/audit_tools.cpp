#include <cstdio>

#include "app/options/exit_codes.hpp"
#include "app/tools/tools.hpp"
#include "http/protocol/client_address.hpp"
#include "model/json/json_writer.hpp"
#include "store/audit/audit.hpp"
#include "store/engine/encoding.hpp"
#include "store/store.hpp"

namespace parley::app {
namespace {

/// The key that serve would use. It is never created here, because a new key would verify nothing.
Expected<store::Secrets> secrets_of(const std::filesystem::path& directory) {
  TRY(found, store::find_store(directory));
  const auto given = environment_value("PARLEY_SECRETS_KEY");
  std::error_code error;
  if (!given && !std::filesystem::exists(directory / "secrets.key", error)) {
    return problem(ProblemKind::store_refuses,
                   "secrets.key is missing in " + directory.string() + ", and PARLEY_SECRETS_KEY is not set");
  }
  return store::Secrets::open(directory, given);
}

void write_author(json::Writer& out, const store::Author& author) {
  out.begin_object();
  out.member("key", to_text(author.key));
  out.member("ip", http::text_of(author.address));
  out.member("action", author.operation);
  out.end_object();
}

void write_change(json::Writer& out, const store::AuditChange& change) {
  out.begin_object();
  out.member("table", store::name_of(change.table));
  const bool has_id = change.key.size() >= 16 && change.table != store::TableId::unique;
  out.member("id", has_id ? to_text(store::id_at(change.key)) : store::hex(change.key));
  if (change.table == store::TableId::entries && change.key.size() == 20) {
    out.key("entry").integer(static_cast<std::int64_t>(store::u32_at(change.key.substr(16))));
  }
  out.member("before", store::hex(change.before));
  out.member("after", store::hex(change.after));
  out.end_object();
}

void print(const store::AuditRecord& record) {
  for (const store::AuditSet& set : record.sets) {
    json::Writer out;
    out.begin_object();
    out.key("seq").integer(static_cast<std::int64_t>(record.seq));
    out.member("time", to_text(record.time));
    out.key("by").begin_array();
    for (const store::Author& author : set.authors) write_author(out, author);
    out.end_array();
    out.key("changes").begin_array();
    for (const store::AuditChange& change : set.changes) write_change(out, change);
    out.end_array();
    out.end_object();
    std::printf("%s\n", std::move(out).text().c_str());
  }
}

}  // namespace

int verify_audit(const ToolCall& call) {
  const auto secrets = secrets_of(call.data);
  if (!secrets) return failed(secrets.problem());
  const store::AuditCheck check{store::audit_keys(*secrets), call.head, call.with_values};
  const auto report = store::verify_audit(call.data, check);
  if (!report) return failed(report.problem());
  if (!report->fault.empty()) {
    std::printf("BROKEN at record %llu: %s\n", static_cast<unsigned long long>(report->fault_seq),
                report->fault.c_str());
    return exit_damaged;
  }
  if (report->another_key_until > 0) {
    std::printf(
        "records up to %llu were written under another key (--new-secrets-key) and cannot be verified\n",
        static_cast<unsigned long long>(report->another_key_until));
  }
  std::printf("good: %llu records from %llu on, %llu changes; head=%s\n",
              static_cast<unsigned long long>(report->records),
              static_cast<unsigned long long>(report->first),
              static_cast<unsigned long long>(report->changes), store::to_text(report->head).c_str());
  return 0;
}

int show_audit(const ToolCall& call) {
  const auto shown = store::read_audit(call.data, call.from, print);
  return shown.ok() ? 0 : failed(shown.problem());
}

}  // namespace parley::app
