#include "store/views/recount.hpp"

#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"
#include "store/views/views.hpp"

namespace parley::store {
namespace {

/// The limit of one report; a store with more wrong rows is entirely wrong.
constexpr std::size_t differences_max = 1'000;

class Recount {
 public:
  explicit Recount(const Snapshot& snapshot) : snapshot_(snapshot) {}

  Expected<std::vector<Difference>> compare() {
    TRY(taken, take_all());
    settle(wanted_);
    std::map<std::string, std::string> index;
    for (const auto& [key, count] : wanted_.index) index[key] = "";
    std::map<std::string, std::string> counts;
    for (const auto& [key, count] : wanted_.counts)
      append_u64(counts[key], static_cast<std::uint64_t>(count));
    std::map<std::string, std::string> runs;
    for (const auto& [run, counters] : wanted_.runs) runs[std::string(run.key())] = encode_counters(counters);
    std::map<std::string, std::string> cases;
    for (const auto& [place, counters] : wanted_.cases) {
      cases[case_key(place.first, place.second)] = encode_counters(counters);
    }
    compare_table(TableId::index, std::move(index));
    compare_table(TableId::counts, std::move(counts));
    compare_table(TableId::run_counters, std::move(runs));
    compare_table(TableId::case_counters, std::move(cases));
    return std::move(differences_);
  }

 private:
  Expected<Done> take_all() {
    TRY(scenarios, take<Scenario>());
    TRY(tests, take<Test>());
    TRY(agents, take<Agent>());
    TRY(personalities, take<Personality>());
    TRY(folders, take<Folder>());
    TRY(run_groups, take<RunGroup>());
    TRY(tags, take<Tag>());
    TRY(configurations, take<ScenarioConfiguration>());
    TRY(schedules, take<ScheduledRun>());
    TRY(users, take<User>());
    TRY(api_keys, take<ApiKey>());
    TRY(logs, take<ExternalLog>());
    TRY(webhooks, take<Webhook>());
    TRY(runs, take<Run>());
    return take<ResultHead>();
  }

  template <Stamped T>
  Expected<Done> take() {
    Cursor cursor(RawSnapshot(snapshot_).transaction, RawSnapshot(snapshot_)[table_of<T>().id]);
    for (bool there = cursor.first(); there; there = cursor.next()) {
      TRY(record, snapshot_.find<T>(id_at(cursor.key())));
      add_views(wanted_, *record, 1);
    }
    return Done{};
  }

  /// Compares the table with the wanted payloads by key. Those of `index` are empty and have no frame.
  void compare_table(TableId table, std::map<std::string, std::string> wanted) {
    Cursor cursor(RawSnapshot(snapshot_).transaction, RawSnapshot(snapshot_)[table]);
    for (bool there = cursor.first(); there; there = cursor.next()) {
      const std::string key(cursor.key());
      const auto found = wanted.find(key);
      if (found == wanted.end()) {
        report(table, key, "stray");
        continue;
      }
      if (payload_at(table, key, cursor.value()) != found->second) report(table, key, "differs");
      wanted.erase(found);
    }
    for (const auto& [key, payload] : wanted) report(table, key, "missing");
  }

  static std::optional<std::string_view> payload_at(TableId table, std::string_view key,
                                                    std::string_view stored) {
    if (table == TableId::index) return stored;
    const auto checked = unframe(table, key, stored);
    const auto* good = std::get_if<ValueView>(&checked);
    return good != nullptr ? std::optional(good->payload) : std::nullopt;
  }

  void report(TableId table, const std::string& key, std::string what) {
    if (differences_.size() < differences_max) differences_.push_back({table, key, std::move(what)});
  }

  const Snapshot& snapshot_;
  ViewChanges wanted_;
  std::vector<Difference> differences_;
};

}  // namespace

Expected<std::vector<Difference>> recount(const Snapshot& snapshot) {
  return Recount(snapshot).compare();
}

}  // namespace parley::store
