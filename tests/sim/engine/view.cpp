#include "tests/sim/engine/view.hpp"

#include <algorithm>

#include "actors/run/run_loading.hpp"
#include "actors/run/run_machine.hpp"
#include "model/json/json.hpp"
#include "model/records/entry.hpp"
#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "store/list.hpp"
#include "store/side/runner_leases.hpp"
#include "tests/sim/engine/rescores.hpp"

namespace parley::sim {
namespace {

std::uint32_t number_at(std::string_view text, std::size_t from) {
  std::uint32_t number = 0;
  for (; from < text.size() && text[from] >= '0' && text[from] <= '9'; ++from) {
    number = number * 10 + static_cast<std::uint32_t>(text[from] - '0');
  }
  return number;
}

/// The text that a client sends contains the token of its step: "p17" and more.
std::uint32_t token_of_text(const std::string& text) {
  return !text.empty() && text[0] == 'p' ? number_at(text, 1) : 0;
}

/// Metadata of entries is {"m17":1, ...}, of results {"v":17}.
std::uint64_t merged_of(const Entry& entry) {
  std::uint64_t merged = 0;
  if (entry.metadata.text.size() < 4) return 0;
  const auto parsed = json::parse(entry.metadata.text);
  for (const json::Value& member : parsed->root().children()) {
    if (!member.key().empty() && member.key()[0] == 'm')
      merged |= std::uint64_t{1} << number_at(member.key(), 1);
  }
  return merged;
}

Said said_of(const Entry& entry, std::uint32_t ordinal) {
  Said said;
  said.born = ordinal;
  said.merged = merged_of(entry);
  const auto turn = static_cast<std::uint32_t>(entry.turn);
  if (entry.role == Role::tester) {
    said.sort = Said::Sort::turn;
    said.token = turn_base + turn;
    return said;
  }
  said.token = token_of_text(entry.content ? *entry.content : entry.name.value_or(""));
  if (said.token == 0) said.token = answer_base + turn;
  if (entry.type == EntryType::tool) said.sort = Said::Sort::tool;
  if (is_event(entry.type)) said.sort = Said::Sort::registers;
  // The text of an insert shows that it is one; the anchor does not matter.
  said.is_inserted = entry.content && entry.content->find("inserted") != std::string::npos;
  const bool is_message = said.sort == Said::Sort::message;
  said.says_hello = is_message && entry.content && entry.content->find("hello") != std::string::npos;
  return said;
}

bool may_become(ResultStatus from, ResultStatus to) {
  using enum ResultStatus;
  if (from == to || to == canceled) return true;
  if (from == pending) return to != pending;
  return from == running && to != pending;
}

/// The status that a client sees. The run's own record follows its results one commit later (D44); if the counters do
/// not show whether one has started, the client sees what the actor of the run finds.
RunStatus shown_status(const store::Snapshot& snapshot, const Run& run) {
  const auto facts = actors::load_all_facts(snapshot, run);
  return facts ? actors::followed_status(run, *facts) : run.status;
}

}  // namespace

std::optional<Name> View::name_of(const Id& result) const {
  for (const auto& [name, id] : results_) {
    if (id == result) return name;
  }
  return std::nullopt;
}

const std::vector<std::pair<Id, std::uint32_t>>& View::entries_of(const Name& name) const {
  static const std::vector<std::pair<Id, std::uint32_t>> none;
  const auto found = entries_.find(name);
  return found == entries_.end() ? none : found->second;
}

std::optional<std::uint32_t> View::token_of(const Id& entry) const {
  const auto found = tokens_.find(entry);
  return found == tokens_.end() ? std::nullopt : std::optional(found->second);
}

Shape View::look(const store::Snapshot& snapshot, const std::map<std::uint32_t, std::string>& keys) {
  Shape shape;
  const auto run = snapshot.find<Run>(run_);
  if (!run || !*run) {
    faults_.emplace_back("the run cannot be read");
    return shape;
  }
  shape.run = static_cast<RunState>(shown_status(snapshot, **run));
  shape.canceled = (*run)->canceled_by == CanceledBy::operation ? Canceled::by_operation
                   : (*run)->canceled_by == CanceledBy::patch   ? Canceled::by_patch
                                                                : Canceled::not_at_all;
  store::ListQuery query{};
  query.kind = RecordKind::test_result;
  // The run is the only one, so all ids are those of its results and of the previews.
  const auto ids = store::all_ids(snapshot, query);
  std::vector<ResultHead> heads;
  for (const Id& id : *ids) heads.push_back(**snapshot.find<ResultHead>(id));
  // In the order of creation, which the time in an id does not give when the clock goes back.
  std::sort(heads.begin(), heads.end(), [](const ResultHead& a, const ResultHead& b) {
    return std::equal(b.stamp.id.bytes.begin() + 8, b.stamp.id.bytes.end(), a.stamp.id.bytes.begin() + 8)
               ? false
               : std::lexicographical_compare(a.stamp.id.bytes.begin() + 8, a.stamp.id.bytes.end(),
                                              b.stamp.id.bytes.begin() + 8, b.stamp.id.bytes.end());
  });
  results_.clear();
  std::map<std::uint32_t, std::uint32_t> generations;
  for (const ResultHead& head : heads) {
    const auto root = static_cast<std::uint32_t>(head.test_created_at.value_or(Time{0}).ms);
    const Name name{root, generations[root]++};
    results_.emplace_back(name, head.stamp.id);
    shape.add(read(snapshot, head, name));
  }
  read_leases(snapshot, shape);
  if (reads_verdicts_) watch_figures(snapshot, heads);
  for (const auto& [token, key] : keys) {
    const auto found = snapshot.remembered(key);
    if (found && *found) shape.kept |= std::uint64_t{1} << token;
  }
  return shape;
}

void View::read_leases(const store::Snapshot& snapshot, Shape& shape) const {
  const auto leases = store::leases_of(snapshot, agent_);
  if (!leases || leases->results.empty()) return;
  shape.leased_until = leases->until.ms;
  for (const Id& id : leases->results) {
    if (const auto name = name_of(id)) shape.leased.insert(*name);
  }
}

void View::read_verdict(const store::Snapshot& snapshot, const ResultHead& head, One& one) {
  if (!head.has_verdict()) return;
  const auto verdict = snapshot.verdict(head);
  const auto rows = verdict && *verdict ? rows_of(**verdict, one.name.root) : std::nullopt;
  if (!rows) return faults_.push_back("a verdict that cannot be read: " + text_of(one.name));
  one.rescored = head.rescored;
  one.rows = *rows;
  one.total = total_of(head);
  verdicts_.try_emplace({head.stamp.id, head.rescored},
                        Spoken{(*verdict)->assertion_results.text, one.total});
  watch_replaced(snapshot, head, text_of(one.name));
}

void View::watch_replaced(const store::Snapshot& snapshot, const ResultHead& head, const std::string& name) {
  const std::int64_t oldest = std::max<std::int64_t>(head.rescored - 10, 0);
  for (std::int64_t rescored = head.rescored; rescored >= oldest; --rescored) {
    const auto kept = snapshot.verdict(head.stamp.id, rescored);
    if (!kept || !*kept) return faults_.push_back("a verdict was lost: " + name);
    const auto seen = verdicts_.find({head.stamp.id, rescored});
    if (seen != verdicts_.end() && seen->second.rows != (*kept)->assertion_results.text)
      faults_.push_back("a verdict was overwritten: " + name);
    const auto older = verdicts_.find({head.stamp.id, rescored - 1});
    if (rescored == 0 || older == verdicts_.end()) continue;
    const auto& before = (*kept)->before;
    if (!before || before->score != older->second.total.score ||
        before->overall_passed != older->second.total.passed)
      faults_.push_back("a verdict does not know the one that it replaced: " + name);
  }
}

void View::watch_figures(const store::Snapshot& snapshot, const std::vector<ResultHead>& heads) {
  const auto shown = snapshot.run_counters(run_);
  if (!shown) return faults_.push_back("the run's figures cannot be read");
  store::RunCounters counted;
  for (const ResultHead& head : heads) {
    if (!head.run || head.status != ResultStatus::completed) continue;
    ++counted.completed;
    ++(!head.is_decided ? counted.undecided : head.overall_passed ? counted.passed : counted.not_passed);
    if (head.is_decided) counted.score_sum += head.score;
  }
  const bool is_same = shown->completed == counted.completed && shown->passed == counted.passed &&
                       shown->not_passed == counted.not_passed && shown->undecided == counted.undecided &&
                       shown->score_sum == counted.score_sum;
  if (!is_same) faults_.emplace_back("the run's figures are not those of its results");
}

One View::read(const store::Snapshot& snapshot, const ResultHead& head, const Name& name) {
  One one;
  one.name = name;
  one.kind = head.is_server_driven ? Kind::driven : head.is_manual ? Kind::person : Kind::client;
  one.status = static_cast<Status>(head.status);
  one.is_ended = head.is_ended();
  one.is_claimed = head.is_claimed();
  one.is_manual = head.completion_mode == CompletionMode::manual;
  one.is_retired = head.retired_by.has_value();
  one.is_preview = !head.run.has_value();
  one.is_free = is_free(snapshot, head.stamp.id);
  const auto extras = snapshot.find<ResultExtras>(head.stamp.id);
  if (extras && *extras && (*extras)->metadata.text.size() > 4) {
    one.metadata = number_at((*extras)->metadata.text, 5);  // {"v":17}
  }
  if (reads_verdicts_) read_verdict(snapshot, head, one);
  auto& entries = entries_[name];
  entries.clear();
  std::vector<Id> ids;
  Time touched = head.stamp.updated_at;
  const auto walked =
      snapshot.for_each_entry(head.stamp.id, [&](std::uint32_t ordinal, const store::StoredEntry& stored) {
        const Said said = said_of(entry_from_stored(stored.json).value(), ordinal);
        one.talk.push_back(said);
        entries.emplace_back(stored.id, said.token);
        tokens_[stored.id] = said.token;
        ids.push_back(stored.id);
        touched = std::max(touched, stored.touched_at);
        return true;
      });
  if (!walked.ok()) faults_.push_back("unreadable conversation of " + text_of(name));
  watch(head, touched, ids, text_of(name));
  return one;
}

void View::watch(const ResultHead& head, Time touched, const std::vector<Id>& entries,
                 const std::string& name) {
  const auto fault = [&](const char* what) { faults_.push_back(std::string(what) + ": " + name); };
  const bool needs_verdict = head.status == ResultStatus::completed;
  if (needs_verdict && !(head.is_ended() && head.is_claimed()))
    fault("completed but not ended and claimed (I21)");
  if (head.is_claimed() && !head.is_ended()) fault("claimed but not ended (I19)");
  if (is_terminal(head.status) && !head.is_ended()) fault("terminal but not ended (D49)");
  if (head.status == ResultStatus::pending && !entries.empty()) fault("pending with entries");
  if (touched < head.stamp.created_at()) fault("updatedAt before createdAt (I11)");
  const auto [place, is_new] = seen_.try_emplace(head.stamp.id, Seen{head, touched, entries});
  if (is_new) return;
  const Seen& before = place->second;
  if (!may_become(before.head.status, head.status)) fault("an illegal move (I15)");
  // A client may still report that its side broke, which is a reason of its own (D46).
  const bool is_broken = !is_terminal(before.head.status) && head.end_reason == EndReason::client_error;
  if (before.head.is_ended() && before.head.end_reason != head.end_reason && !is_broken)
    fault("endReason changed (I18)");
  if (before.head.is_claimed() && before.head.scoring_enqueued_at != head.scoring_enqueued_at)
    fault("scoringEnqueuedAt changed (I19)");
  if (touched < before.touched) fault("updatedAt went back (I11)");
  const bool is_same_verdict = before.head.rescored == head.rescored;
  if (before.head.status == ResultStatus::completed && is_same_verdict && before.head.score != head.score)
    fault("the score changed (I17)");
  if (before.head.rescored > head.rescored) fault("a verdict went back");
  // Earlier entries are still there, in the same order.
  auto next = entries.begin();
  for (const Id& id : before.entries) {
    next = std::find(next, entries.end(), id);
    if (next == entries.end()) return fault("an entry was lost or moved (I34)");
  }
  place->second = {head, touched, entries};
}

bool View::run_has_followed(const store::Snapshot& snapshot) const {
  const auto run = snapshot.find<Run>(run_);
  return run && *run && (*run)->status == shown_status(snapshot, **run);
}

bool View::is_free(const store::Snapshot& snapshot, const Id& result) {
  const auto known = free_.find(result);
  if (known != free_.end()) return known->second;
  const auto test_case = snapshot.find<TestCase>(result);
  const bool is_free = test_case && *test_case && (*test_case)->instruction.starts_with("You ");
  return free_.emplace(result, is_free).first->second;
}

}  // namespace parley::sim
