#include "client/playing/snapshots.hpp"

#include <algorithm>
#include <set>

#include "client/files/snapshot_file.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/safe_text.hpp"
#include "client/run/selection.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

constexpr std::size_t snapshot_bytes_max = std::size_t{8} << 20;

/// Returns the tool calls of a result, except ignored tools.
Expected<std::vector<SnapshotCall>> calls_of(Api& api, const std::string& result, const Snapshot& snapshot) {
  TRY(whole, api.get("/test-results/" + result));
  std::vector<SnapshotCall> calls;
  for (const EntryRow& entry : read_result(whole.root(), {}, {1, true}).row.transcript) {
    const bool is_ignored =
        std::find(snapshot.ignore.begin(), snapshot.ignore.end(), entry.text) != snapshot.ignore.end();
    if (entry.type != "tool" || is_ignored) continue;
    SnapshotCall call{entry.text};
    const auto metadata = json::parse(entry.metadata);
    const auto arguments = metadata ? json::given(metadata->root(), "arguments") : std::nullopt;
    if (arguments && arguments->is(json::Kind::object)) call.arguments = arguments->compact().text;
    calls.push_back(std::move(call));
  }
  return calls;
}

bool is_requested(const CompiledTest& test, const SnapshotChoice& wish) {
  if (!test.snapshot->is_recorded && wish.records_missing) return true;
  if (!wish.updates) return false;
  return wish.tests.empty() || std::any_of(wish.tests.begin(), wish.tests.end(),
                                           [&](const auto& glob) { return is_named(test, glob); });
}

std::string shown_file(const CompiledSuite& suite, const std::filesystem::path& file) {
  return one_line(file.lexically_relative(suite.folder).string());
}

/// Accepts the calls of one test, and returns a description for the user.
Expected<std::string> accept(Api& api, const CompiledSuite& suite, const CompiledTest& test,
                             const std::vector<std::string>& passed) {
  const Snapshot& snapshot = *test.snapshot;
  const std::string file = shown_file(suite, snapshot.file);
  if (passed.empty()) return file + ": not written, since no repetition passed\n";
  std::optional<std::vector<SnapshotCall>> agreed;
  for (const std::string& each : passed) {
    TRY(calls, calls_of(api, each, snapshot));
    if (agreed && *agreed != calls)
      return file + ": not written, since passing repetitions made different calls\n";
    agreed = std::move(calls);
  }
  const std::string before = content_of(snapshot.file, snapshot_bytes_max).value_or("");
  const std::string after = snapshot_text(one_line(test.name), *agreed, before);
  if (after == before || (!before.empty() && snapshot_calls(before) == *agreed)) return std::string();
  TRY_DONE(write_whole(snapshot.file, after));
  return "wrote " + file + "\n" + several_lines(line_diff(before, after));
}

}  // namespace

Expected<Done> check_updated_tests(const SnapshotChoice& wish, const std::vector<CompiledSuite>& suites) {
  for (const std::string& glob : wish.tests) {
    std::vector<std::string> keys;
    bool is_known = false;
    for (const CompiledSuite& suite : suites) {
      for (const CompiledTest& test : suite.tests) {
        is_known = is_known || is_named(test, glob);
        keys.push_back(test.key);
      }
    }
    if (!is_known)
      return problem(ProblemKind::invalid_parameter,
                     "--update: no test has the key \"" + glob + "\"" + did_you_mean(glob, keys));
  }
  return Done{};
}

Expected<std::string> write_snapshots(Api& api, const CompiledSuite& suite, const Report& report,
                                      const SnapshotChoice& wish) {
  std::map<const CompiledTest*, std::vector<std::string>> passed;
  std::set<const CompiledTest*> played;
  for (const ResultRow& row : report.results) {
    const CompiledTest* test = test_of(suite, row);
    if (test == nullptr || !test->snapshot || !is_requested(*test, wish)) continue;
    played.insert(test);
    if (row.state == CaseState::passed) passed[test].push_back(row.id);
  }
  std::string text;
  for (const CompiledTest& test : suite.tests) {
    if (!played.contains(&test)) continue;
    TRY(words, accept(api, suite, test, passed[&test]));
    text += words;
  }
  return text;
}

std::string missing_snapshots(const std::vector<ChosenCell>& cells) {
  std::set<const CompiledTest*> seen;
  std::string text;
  for (const ChosenCell& each : cells) {
    const CompiledTest& test = *each.test;
    if (!test.snapshot || test.snapshot->is_recorded || !seen.insert(&test).second) continue;
    text += test.place.file + ":" + std::to_string(test.place.line) + ":" +
            std::to_string(test.place.column) + ": error: snapshots/" + test.record_key +
            ".yaml does not exist; play \"" + one_line(test.name) +
            "\" once outside CI, and commit the file\n";
  }
  return text;
}

}  // namespace parley::client
