#include "http/apply/apply_plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "http/apply/apply_check.hpp"
#include "http/apply/content_digest.hpp"
#include "http/bodies/agent_secrets.hpp"
#include "http/bodies/case_builder.hpp"
#include "scoring/kinds.hpp"
#include "store/engine/encoding.hpp"
#include "store/list.hpp"

namespace parley::http {
namespace {

class Planner {
 public:
  Planner(const ApplyTask& task, const store::Snapshot& snapshot, Time now, IdSource& ids)
      : task_(task), snapshot_(snapshot), now_(now), ids_(ids) {}

  Expected<ApplyPlan> plan() && {
    read_renamed();
    TRY_DONE(apply_agents());
    TRY_DONE(apply_personalities());
    TRY_DONE(apply_scenarios());
    if (task_.settings.prune == Prune::archive) {
      TRY_DONE(archive_others<Agent>());
      TRY_DONE(archive_others<Personality>());
      TRY_DONE(archive_others<Scenario>());
      TRY_DONE(archive_others<Test>());
    }
    return std::move(plan_);
  }

 private:
  void read_renamed() {
    const auto renamed = task_.body.find("renamed");
    if (!renamed || !renamed->is(json::Kind::object)) return;
    for (const json::Value& member : renamed->children()) {
      if (member.is(json::Kind::string)) old_keys_.emplace(member.string(), member.key());
    }
  }

  /// The unique name by which the store finds the record.
  [[nodiscard]] std::string unique_of(RecordKind kind, std::string_view key) const {
    return store::applied_name(static_cast<int>(kind), task_.settings.project, key);
  }

  /// The stored record with this key, or with the key that it had before it was renamed.
  struct Known {
    Id id;
    std::string key;
  };
  Expected<std::optional<Known>> known(RecordKind kind, const std::string& key) {
    TRY(id, snapshot_.unique(store::Namespace::applied, unique_of(kind, key)));
    if (id) return std::optional<Known>({*id, key});
    const auto old = old_keys_.find(key);
    if (old == old_keys_.end()) return std::optional<Known>{};
    TRY(moved, snapshot_.unique(store::Namespace::applied, unique_of(kind, old->second)));
    if (!moved) return std::optional<Known>{};
    return std::optional<Known>({*moved, old->second});
  }

  /// Applies one record: `fill` changes the record that is stored under its key.
  template <class T, class Fill>
  Expected<Id> apply(const json::Value& value, const std::string& pointer, Fill fill) {
    const std::string key = text_member(value, "key");
    TRY(found, known(T::kind, key));
    std::optional<T> before;
    if (found) {
      TRY(stored, snapshot_.find<T>(found->id));
      before = std::move(stored);
    }
    T after = before ? *before : T{};
    if (!before) after.stamp = {ids_.next(now_), now_, 1};
    after.is_archived = false;
    TRY_DONE(fill(after, before ? &*before : nullptr));
    after.applied = {task_.settings.project, key, std::nullopt};
    after.applied.digest = content_digest(after);
    touched_.insert(after.stamp.id);
    const AppliedChange change{ApplyAction::created, T::kind, key, after.stamp.id, pointer, {}};
    if (!before)
      create(after, change, found.has_value());
    else
      replace(*before, after, change, found->key);
    return after.stamp.id;
  }

  template <class T>
  void create(const T& after, const AppliedChange& change, bool is_claimed) {
    plan_.changes.create(after);
    // A deleted record releases its name.
    if (is_claimed) plan_.changes.release_unique(store::Namespace::applied, unique_of(T::kind, change.key));
    plan_.changes.claim_unique(store::Namespace::applied, unique_of(T::kind, change.key), after.stamp.id);
    plan_.list.push_back(change);
  }

  template <class T>
  void replace(const T& before, T& after, AppliedChange change, const std::string& old_key) {
    const bool is_renamed = old_key != change.key;
    if (write_stored(before) == write_stored(after) && !is_renamed) {
      ++plan_.unchanged;
      return;
    }
    change.fields = changed_fields(before, after);
    const bool is_edited = before.applied.digest != content_digest(before) && !change.fields.empty();
    if (is_edited && !task_.settings.force) {
      change.action = ApplyAction::changed_elsewhere;
      plan_.list.push_back(std::move(change));
      return;
    }
    change.action = ApplyAction::updated;
    after.stamp.updated_at = std::max(now_, Time{before.stamp.updated_at.ms + 1});
    after.stamp.revision = plan_.changes.replace(before, after);
    if (is_renamed) {
      plan_.changes.release_unique(store::Namespace::applied, unique_of(T::kind, old_key));
      plan_.changes.claim_unique(store::Namespace::applied, unique_of(T::kind, change.key), after.stamp.id);
    }
    plan_.list.push_back(std::move(change));
  }

  Expected<Done> apply_agents() {
    std::size_t index = 0;
    for (const json::Value& value : list_at(task_.body, "agents")) {
      const std::string pointer = "/agents/" + std::to_string(index++);
      TRY(id, apply<Agent>(value, pointer, [&](Agent& agent, const Agent* before) -> Expected<Done> {
            const json::Text stored = agent.secrets;
            read_fields(value, pointer, agent, ignored_);
            agent.secrets =
                value.find("secrets") ? applied_secrets(agent, before, value, task_.secrets) : stored;
            if (before == nullptr) agent.owner = task_.user;
            agent.is_archived = false;
            return Done{};
          }));
      agents_[text_member(value, "key")] = id;
    }
    return Done{};
  }

  Expected<Done> apply_personalities() {
    std::size_t index = 0;
    for (const json::Value& value : list_at(task_.body, "personalities")) {
      const std::string pointer = "/personalities/" + std::to_string(index++);
      TRY(id, apply<Personality>(value, pointer,
                                 [&](Personality& personality, const Personality*) -> Expected<Done> {
                                   read_fields(value, pointer, personality, ignored_);
                                   personality.is_archived = false;
                                   return Done{};
                                 }));
    }
    return Done{};
  }

  Expected<Done> apply_scenarios() {
    std::size_t index = 0;
    for (const json::Value& value : list_at(task_.body, "scenarios")) {
      TRY_DONE(apply_scenario(value, "/scenarios/" + std::to_string(index++)));
    }
    return Done{};
  }

  Expected<Done> apply_scenario(const json::Value& value, const std::string& pointer) {
    std::optional<Id> configuration;
    if (value.find("testFields")) {
      TRY(id, apply<ScenarioConfiguration>(value, pointer,
                                           [&](ScenarioConfiguration& made, const auto*) -> Expected<Done> {
                                             Parser parser(value, ParseMode::patch, pointer, ignored_);
                                             ScenarioConfiguration::describe(made, parser);
                                             made.is_archived = false;
                                             return Done{};
                                           }));
      configuration = id;
    }
    TRY(scenario,
        apply<Scenario>(value, pointer, [&](Scenario& made, const Scenario* before) -> Expected<Done> {
          made.name = text_member(value, "name");
          made.description = text_member(value, "description");
          made.agents.clear();
          for (const json::Value& key : list_at(value, "agents"))
            made.agents.push_back({agents_[std::string(key.string())]});
          made.configuration.reset();
          if (configuration) made.configuration = Ref<RecordKind::scenario_configuration>{*configuration};
          if (before == nullptr) made.created_by = task_.user;
          return Done{};
        }));
    std::size_t index = 0;
    for (const json::Value& test : list_at(value, "tests")) {
      const std::string at = pointer + "/tests/" + std::to_string(index++);
      TRY(parent, apply_test(test, at, scenario, std::nullopt));
      std::size_t number = 0;
      for (const json::Value& variant : list_at(test, "variants")) {
        TRY(id, apply_test(variant, at + "/variants/" + std::to_string(number++), scenario, parent));
      }
    }
    return Done{};
  }

  Expected<Id> apply_test(const json::Value& value, const std::string& pointer, const Id& scenario,
                          std::optional<Id> parent) {
    return apply<Test>(value, pointer, [&](Test& test, const Test* before) -> Expected<Done> {
      read_fields(value, pointer, test, ignored_);
      test.is_archived = false;
      test.scenario = {scenario};
      test.parent_test.reset();
      if (parent) test.parent_test = to_text(*parent);
      scoring::complete(test.assertions, now_, ids_);
      return take_log(value, pointer, test, before);
    });
  }

  /// Handles `fromLog`: the external id of the log whose user turns become the script.
  Expected<Done> take_log(const json::Value& value, const std::string& pointer, Test& test,
                          const Test* /*before*/) {
    const std::string external = text_member(value, "fromLog");
    test.source_conversation_log.reset();
    if (external.empty()) return Done{};
    TRY(id, snapshot_.unique(store::Namespace::external_id, store::unique_name(external)));
    if (!id) return body_fault(pointer + "/fromLog", "there is no conversation log with this external id");
    TRY(log, snapshot_.find<ExternalLog>(*id));
    if (!log) return body_fault(pointer + "/fromLog", "there is no conversation log with this external id");
    test.source_conversation_log = Ref<RecordKind::external_log>{*id};
    if (test.instruction.empty()) {
      Findings findings;
      test.instruction = script_of(*log, findings);
      if (!findings.faults.empty()) return body_fault(pointer + "/fromLog", findings.faults.front().detail);
    }
    return Done{};
  }

  template <class T>
  Expected<Done> archive_others() {
    store::ListQuery query{};
    query.kind = T::kind;
    query.filters.push_back(
        {store::Facet::project, {store::value_of(std::string_view(task_.settings.project))}});
    TRY(all, store::all_ids(snapshot_, query));
    for (const Id& id : all) {
      if (touched_.contains(id)) continue;
      TRY(before, snapshot_.find<T>(id));
      if (!before || before->is_archived || before->applied.project != task_.settings.project) continue;
      T after = *before;
      after.is_archived = true;
      after.applied.digest = content_digest(after);
      after.stamp.updated_at = std::max(now_, Time{before->stamp.updated_at.ms + 1});
      after.stamp.revision = plan_.changes.replace(*before, after);
      plan_.list.push_back({ApplyAction::archived, T::kind, after.applied.key.value_or(""), id, "", {}});
    }
    return Done{};
  }

  const ApplyTask& task_;
  const store::Snapshot& snapshot_;
  Time now_;
  IdSource& ids_;
  ApplyPlan plan_;
  Findings ignored_;                                          ///< check_apply has reported them
  std::map<std::string, std::string, std::less<>> old_keys_;  ///< old keys by new key
  std::map<std::string, Id, std::less<>> agents_;
  std::set<Id> touched_;
};

}  // namespace

std::size_t ApplyPlan::count(ApplyAction action) const {
  return static_cast<std::size_t>(std::count_if(
      list.begin(), list.end(), [&](const AppliedChange& each) { return each.action == action; }));
}

Expected<ApplyPlan> plan_apply(const ApplyTask& task, const store::Snapshot& snapshot, Time now,
                               IdSource& ids) {
  return Planner(task, snapshot, now, ids).plan();
}

}  // namespace parley::http
