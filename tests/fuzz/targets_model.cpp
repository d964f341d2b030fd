#include <string>
#include <variant>

#include "http/bodies/local_bodies.hpp"
#include "http/bodies/log_messages.hpp"
#include "http/bodies/result_bodies.hpp"
#include "http/bodies/run_bodies.hpp"
#include "model/check.hpp"
#include "model/description/record_parse.hpp"
#include "model/description/record_write.hpp"
#include "model/description/stored_reader.hpp"
#include "model/json/json.hpp"
#include "store/engine/entry_codec.hpp"
#include "store/engine/value.hpp"
#include "store/tables.hpp"
#include "store/views/aggregates.hpp"
#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

void look_at(const json::Value& value, int depth) {
  const json::Text compact = value.compact();
  const auto again = json::parse(compact.text);
  CHECK(again.ok());
  CHECK(json::equal(value, again->root()));
  CHECK(again->root().compact() == compact);
  CHECK(json::canonical(value) == json::canonical(again->root()));
  if (value.is(json::Kind::number)) static_cast<void>(value.integer());
  if (depth == 0) return;
  for (const json::Value& child : value.children()) look_at(child, depth - 1);
}

/// Checks that a record without faults survives storing and loading.
template <class Record>
void read_record(const json::Value& root, ParseMode mode) {
  Record record{};
  Findings findings;
  findings.strict = true;
  Parser parser(root, mode, "", findings);
  Record::describe(record, parser);
  parser.finish();
  for (const Fault& fault : findings.faults) CHECK(!fault.detail.empty());
  if (!findings.faults.empty() || mode != ParseMode::create) return;
  const std::string stored = write_stored(record);
  Record read{};
  CHECK(parse_stored(std::string_view(stored), read));
  CHECK(write_stored(read) == stored);
}

template <class... Records>
void read_records(const json::Value& root) {
  (read_record<Records>(root, ParseMode::create), ...);
  (read_record<Records>(root, ParseMode::patch), ...);
}

template <class Record>
void read_stored_record(std::string_view payload) {
  Record record{};
  if (!parse_stored(payload, record)) return;
  const std::string written = write_stored(record);
  // Texts are passed through unparsed, so the value must survive writing and reading only if they are JSON.
  if (!json::parse(written).ok()) return;
  Record again{};
  CHECK(parse_stored(std::string_view(written), again));
  CHECK(write_stored(again) == written);
}

}  // namespace

void json_texts(std::string_view bytes) {
  const auto document = json::parse(bytes);
  if (document) return look_at(document->root(), 3);
  CHECK(!document.problem().detail.empty());
}

void bodies(std::string_view bytes) {
  const auto document = json::parse(bytes);
  if (!document || !document->root().is(json::Kind::object)) return;
  const json::Value root = document->root();
  read_records<Scenario, Test, Agent, Personality, Folder, Tag, RunGroup, ScheduledRun, ScenarioConfiguration,
               User, ApiKey, ExternalLog, Run, http::ResultBody, http::ResultPatchBody, http::RunPatchBody,
               http::ScoringBody, http::LocalAgentBody>(root);
  Findings findings;
  static_cast<void>(http::read_messages(root, findings));
}

void stored(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto table =
      static_cast<store::TableId>(static_cast<unsigned char>(bytes[0]) % store::all_tables.size());
  const std::string_view value = bytes.substr(1);
  // The bytes as given have a wrong checksum, which must be noticed; correctly framed, they are returned unchanged.
  const auto damaged = store::unframe(table, "key", value);
  const std::string framed = store::frame("key", 7, value);
  const auto good = store::unframe(table, "key", framed);
  CHECK(std::get<store::ValueView>(good).payload == value);
  CHECK(std::holds_alternative<store::Corrupt>(store::unframe(table, "other", framed)));
  const auto* by_chance = std::get_if<store::ValueView>(&damaged);
  CHECK(by_chance == nullptr || store::frame("key", by_chance->revision, by_chance->payload) == value);
  if (const auto entry = store::decode_entry(value)) CHECK(store::encode(*entry) == value);
  static_cast<void>(store::decode_counters<store::RunCounters>(value));
  static_cast<void>(store::decode_counters<store::CaseCounters>(value));
  read_stored_record<ResultHead>(value);
  read_stored_record<TestCase>(value);
  read_stored_record<ResultExtras>(value);
  read_stored_record<ResultVerdict>(value);
  read_stored_record<Run>(value);
  read_stored_record<Agent>(value);
}

}  // namespace parley::fuzz
