#include "actors/result/result_changes.hpp"

namespace parley::actors {
namespace {

bool has_any(const ResultExtras& extras) {
  return extras.metadata != json::Text{} || !extras.external_links.empty();
}

store::StoredEntry stored(const EntryWrite& write, std::string_view json, Time touched) {
  store::StoredEntry entry;
  entry.id = write.slot.id;
  entry.type = write.slot.type;
  entry.role = write.slot.role;
  entry.registers_actions = write.slot.registers;
  entry.is_inserted = write.slot.is_inserted;
  entry.is_history = write.slot.is_history;
  entry.turn = write.slot.turn;
  entry.origin = write.slot.origin;
  entry.touched_at = touched;
  if (is_chatbot_message(write.entry)) {
    const auto metadata = json::parse(write.entry.metadata.text);
    if (metadata) entry.measures = measures_of(metadata->root());
  }
  entry.json = json;
  return entry;
}

/// Whether an event of the history offers actions to the tester's first turn.
bool offers_actions(const HistoryMessage& message) {
  if (!is_event(message.type)) return false;
  const auto metadata = json::parse(message.metadata.text);
  const auto actions = metadata.ok() ? metadata->root().find("actions") : std::nullopt;
  return actions && actions->is(json::Kind::array) && actions->size() > 0;
}

/// The messages before the first turn, as entries of exchange 0.
void add_history(store::ChangeSet& changes, const ResultHead& head,
                 const std::vector<HistoryMessage>& history, IdSource& ids) {
  const Time now = head.stamp.created_at();
  for (std::size_t i = 0; i < history.size(); ++i) {
    const HistoryMessage& message = history[i];
    EntryWrite write;
    write.entry.id = ids.next(now);
    write.entry.type = message.type;
    write.entry.role = is_testers(message.role) ? Role::tester : Role::chatbot;
    write.entry.content = message.content;
    write.entry.name = message.name;
    write.entry.metadata = message.metadata;
    write.entry.created_at = now;
    write.entry.is_history = true;
    write.slot = {.id = write.entry.id,
                  .ordinal = static_cast<std::uint32_t>(i),
                  .type = write.entry.type,
                  .role = write.entry.role,
                  .is_history = true,
                  .registers = offers_actions(message)};
    changes.append_entry(head.stamp, write.slot.ordinal, stored(write, entry_json(write.entry), now));
  }
}

}  // namespace

void add_new_result(store::ChangeSet& changes, const NewResult& made, IdSource& ids) {
  ResultHead head = made.head;
  if (!made.test_case.history.empty())
    head.entries = static_cast<std::int64_t>(made.test_case.history.size());
  if (has_any(made.extras)) head.has_extras = true;
  changes.create(head);
  changes.put_part(head.stamp.id, made.test_case);
  if (has_any(made.extras)) changes.put_part(head.stamp.id, made.extras);
  add_history(changes, head, made.test_case.history, ids);
}

void add_conversation(store::ChangeSet& changes, const ResultDecision& decision, const ResultState& state,
                      const ResultHead& durable) {
  for (const EntryWrite& write : decision.entries) {
    const std::string json = entry_json(write.entry);
    const store::StoredEntry entry = stored(write, json, state.touched);
    if (write.is_new) {
      changes.append_entry(durable.stamp, write.slot.ordinal, entry);
    } else {
      changes.put_entry(durable.stamp, write.slot.ordinal, entry);
    }
  }
  if (decision.saves_order) {
    std::vector<std::uint32_t> order;
    order.reserve(state.slots.size());
    for (const EntrySlot& slot : state.slots) order.push_back(slot.ordinal);
    changes.put_order(durable.stamp.id, order);
  }
  if (decision.extras) changes.put_part(durable.stamp.id, *decision.extras);
  if (decision.verdict) {
    const std::int64_t version = state.head.rescored + 1;
    changes.put_verdict(durable.stamp.id, version, *decision.verdict);
    changes.erase_verdict(durable.stamp.id,
                          version - static_cast<std::int64_t>(limits::verdicts_kept_max) - 1);
  }
  if (decision.review) changes.put_part(durable.stamp.id, *decision.review);
  if (decision.claims) changes.put_part(durable.stamp.id, *decision.claims);
}

void add_clone(store::ChangeSet& changes, const CloneWrite& write, const TestCase& test_case,
               const ResultExtras& extras, std::uint64_t lineage_revision, IdSource& ids) {
  NewResult clone{write.clone, test_case, {}};
  if (test_case.metadata) clone.extras.metadata = *test_case.metadata;
  clone.extras.external_links = extras.external_links;
  add_new_result(changes, clone, ids);
  if (write.older) changes.replace(write.older->first, write.older->second);
  if (write.run) {
    const auto& [before, after] = *write.run;
    if (before.status == after.status) {
      changes.guard_revision(before);  // detects an earlier cancel-run
    } else {
      changes.replace(before, after);
    }
  }
  changes.put_lineage(write.lineage, write.clone.stamp.id, lineage_revision);
}

}  // namespace parley::actors
