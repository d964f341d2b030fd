#include "actors/result/result_loading.hpp"

#include <algorithm>

#include "actors/base/load_run_facts.hpp"
#include "actors/result/result_moves.hpp"

namespace parley::actors {
namespace {

/// Adds the definitions that an event registered. They were checked when it was posted.
void add_registered(const store::StoredEntry& stored, Registry& registry) {
  const auto entry = json::parse(stored.json);
  if (!entry) return;
  const auto metadata = entry->root().find("metadata");
  const auto actions = metadata ? metadata->find("actions") : std::nullopt;
  if (!actions || actions->is(json::Kind::null)) return;
  Findings findings;
  auto parsed = tester::parse_actions(*actions, "", findings);
  registry.insert(registry.end(), parsed.actions.begin(), parsed.actions.end());
}

EntrySlot slot_of(std::uint32_t ordinal, const store::StoredEntry& stored) {
  EntrySlot slot;
  slot.id = stored.id;
  slot.ordinal = ordinal;
  slot.turn = stored.turn;
  slot.origin = stored.origin;
  slot.type = stored.type;
  slot.role = stored.role;
  slot.is_inserted = stored.is_inserted;
  slot.is_history = stored.is_history;
  slot.registers = stored.registers_actions;
  return slot;
}

/// The part of a result, or its default if the head has none.
template <class Part>
Expected<Part> part(const store::Snapshot& snapshot, const ResultHead& head) {
  TRY(found, snapshot.part<Part>(head));
  return found ? std::move(*found) : Part{};
}

/// Ordinal of the newest tester turn; nullopt before the first.
std::optional<std::uint32_t> last_turn_of(const ResultState& state) {
  std::optional<std::uint32_t> last;
  for (const EntrySlot& slot : state.slots) {
    if (is_tester_turn(slot) && (!last || slot.ordinal > *last)) last = slot.ordinal;
  }
  return last;
}

/// The text of an entry that is stored or among `fresh`.
Expected<std::string> content_of(const store::Snapshot& snapshot, const ResultState& state,
                                 std::span<const EntryWrite> fresh, std::uint32_t ordinal) {
  const auto decided = std::find_if(fresh.begin(), fresh.end(),
                                    [&](const EntryWrite& write) { return write.slot.ordinal == ordinal; });
  if (decided != fresh.end()) return decided->entry.content.value_or("");
  TRY(entry, load_entry(snapshot, state.head, ordinal));
  return entry.content.value_or("");
}

/// The chatbot's messages since the last tester turn, in conversation order, joined by newlines (D60).
Expected<std::string> last_chatbot_text(const store::Snapshot& snapshot, const ResultState& state,
                                        std::span<const EntryWrite> fresh, bool& replied) {
  const auto last = last_turn_of(state);
  auto from = state.slots.begin();
  if (last) {
    from = std::find_if(state.slots.begin(), state.slots.end(),
                        [&](const EntrySlot& slot) { return slot.ordinal == *last; });
    ++from;
  }
  std::string text;
  replied = false;
  for (auto slot = from; slot != state.slots.end(); ++slot) {
    if (slot->type != EntryType::message || slot->role != Role::chatbot || slot->is_history) continue;
    TRY(content, content_of(snapshot, state, fresh, slot->ordinal));
    if (replied) text += '\n';
    text += content;
    replied = true;
  }
  return text;
}

}  // namespace

Problem unknown_result(const Id& result) {
  return unknown_record("test result", to_text(result));
}

Expected<ResultState> load_result(const store::Snapshot& snapshot, const Id& result) {
  TRY(head, snapshot.find_listed<ResultHead>(result));
  if (!head) return unknown_result(result);
  ResultState state;
  state.head = std::move(*head);
  state.touched = state.head.stamp.updated_at;
  std::vector<store::StoredEntry> registering;
  const auto visit = [&](std::uint32_t ordinal, const store::StoredEntry& stored) {
    state.slots.push_back(slot_of(ordinal, stored));
    state.next_ordinal = std::max(state.next_ordinal, ordinal + 1);
    state.bytes += stored.json.size();
    state.touched = std::max(state.touched, stored.touched_at);
    state.has_inserts = state.has_inserts || stored.is_inserted;
    return true;
  };
  TRY(walked, snapshot.for_each_entry(state.head, visit));
  derive_turns(state);
  if (state.head.is_ended()) state.unanswered.reset();
  const auto last = last_turn_of(state);
  // A late entry of a result that waits for finish still belongs to the last turn, so action names must be
  // unique there too (I33).
  const bool accepts_entries = !is_terminal(state.head.status) && !state.head.is_claimed();
  for (const EntrySlot& slot : state.slots) {
    const bool is_current = accepts_entries && slot.registers && (!last || slot.ordinal > *last);
    if (!is_current) continue;
    TRY(stored, snapshot.entry(result, slot.ordinal));
    if (stored) add_registered(*stored, state.registry);
  }
  return state;
}

Expected<Entry> load_entry(const store::Snapshot& snapshot, const ResultHead& head, std::uint32_t ordinal) {
  TRY(stored, snapshot.entry(head, ordinal));
  if (!stored) return unknown_result(head.stamp.id);
  return entry_from_stored(stored->json);
}

Expected<std::vector<Entry>> load_entries(const store::Snapshot& snapshot, const ResultHead& head) {
  std::vector<Entry> entries;
  std::optional<Problem> unreadable;
  TRY(walked, snapshot.for_each_entry(head, [&](std::uint32_t, const store::StoredEntry& stored) {
    auto entry = entry_from_stored(stored.json);
    if (entry.ok()) {
      entries.push_back(std::move(entry).value());
    } else {
      unreadable = std::move(entry).problem();
    }
    return !unreadable;
  }));
  static_cast<void>(walked);
  if (unreadable) return *unreadable;
  return entries;
}

Expected<std::vector<std::uint32_t>> load_used_lines(const store::Snapshot& snapshot,
                                                     const ResultHead& head) {
  std::vector<std::uint32_t> lines;
  TRY(walked, snapshot.for_each_entry(head, [&](std::uint32_t, const store::StoredEntry& stored) {
    if (stored.role == Role::tester && !stored.is_inserted && !stored.is_history)
      lines.push_back(stored.origin);
    return true;
  }));
  static_cast<void>(walked);
  return lines;
}

Expected<std::vector<EntryText>> load_texts(const store::Snapshot& snapshot, const ResultHead& head) {
  std::vector<EntryText> texts;
  TRY(walked, snapshot.for_each_entry(head, [&](std::uint32_t, const store::StoredEntry& stored) {
    texts.push_back({stored.type, stored.role, std::string(stored.json)});
    return true;
  }));
  static_cast<void>(walked);
  return texts;
}

Expected<std::optional<Entry>> load_entry(const store::Snapshot& snapshot, const ResultState& state,
                                          const Id& entry) {
  const auto slot = std::find_if(state.slots.begin(), state.slots.end(),
                                 [&](const EntrySlot& known) { return known.id == entry; });
  if (slot == state.slots.end()) return std::optional<Entry>{};
  TRY(loaded, load_entry(snapshot, state.head, slot->ordinal));
  return std::optional<Entry>(std::move(loaded));
}

Expected<Registry> load_registry(const store::Snapshot& snapshot, const ResultState& state,
                                 const PostEntry& late) {
  Registry registry;
  const auto anchor = moves::anchor_of(state, late);
  if (!anchor) return registry;
  for (std::uint32_t place = late.after ? *anchor + 1 : *anchor; place > 0; --place) {
    const EntrySlot& slot = state.slots[place - 1];
    if (is_tester_turn(slot)) break;  // it cleared the actions registered before it (I33)
    if (!slot.registers) continue;
    TRY(stored, snapshot.entry(state.head, slot.ordinal));
    if (!stored) return unknown_result(state.head.stamp.id);
    add_registered(*stored, registry);
  }
  return registry;
}

Expected<ResultExtras> load_extras(const store::Snapshot& snapshot, const ResultHead& head) {
  return part<ResultExtras>(snapshot, head);
}

Expected<ResultVerdict> load_verdict(const store::Snapshot& snapshot, const ResultHead& head) {
  TRY(verdict, snapshot.verdict(head));
  return std::move(verdict).value_or(ResultVerdict{});
}

Expected<LoadedRetry> load_retry(const store::Snapshot& snapshot, const ResultState& state,
                                 std::int64_t stuck_after_ms) {
  LoadedRetry loaded;
  loaded.facts.stuck_after_ms = stuck_after_ms;
  const ResultHead& head = state.head;
  if (head.run) {
    TRY(run, snapshot.find<Run>(head.run->id));
    if (run) {
      TRY(results, load_facts(snapshot, *run));
      loaded.facts.run_is_over = is_over(results);
    }
    loaded.facts.run = std::move(run);
  }
  const Id root = head.lineage ? id_from_text(*head.lineage).value_or(head.stamp.id) : head.stamp.id;
  TRY(lineage, snapshot.lineage(root));
  if (lineage) loaded.lineage_revision = lineage->revision;
  if (lineage && lineage->newest != head.stamp.id) {
    TRY(newest, snapshot.find<ResultHead>(lineage->newest));
    if (newest) {
      // The stamp includes the time of the last entry, because updatedAt must not go back when the head is
      // written.
      TRY(changed_at, snapshot.newest_change(*newest));
      newest->stamp.updated_at = changed_at;
    }
    loaded.facts.newest = std::move(newest);
  }
  TRY(agent, snapshot.find<Agent>(head.agent.id));
  if (agent) loaded.facts.driving = driving_of(agent->type, head.is_manual);
  TRY(leases, store::leases_of(snapshot, head.agent.id));
  const auto& held = leases.results;
  if (std::find(held.begin(), held.end(), head.stamp.id) != held.end())
    loaded.facts.leased_until = leases.until;
  loaded.leases = std::move(leases);
  TRY(test_case, part<TestCase>(snapshot, head));
  TRY(extras, part<ResultExtras>(snapshot, head));
  loaded.test_case = std::move(test_case);
  loaded.extras = std::move(extras);
  return loaded;
}

Expected<TesterSpoke> script_turn(const store::Snapshot& snapshot, const ResultState& state,
                                  const Expected<tester::Script>& script, std::int64_t turns_max,
                                  std::span<const EntryWrite> fresh) {
  TesterSpoke spoke;
  spoke.turn = state.tester_turns;
  if (!script) {
    spoke.said = tester::BrokenScript{script.problem().detail};
    return spoke;
  }
  std::vector<const EntrySlot*> turns;
  for (const EntrySlot& slot : state.slots) {
    if (is_tester_turn(slot)) turns.push_back(&slot);
  }
  std::sort(turns.begin(), turns.end(),
            [](const EntrySlot* a, const EntrySlot* b) { return a->ordinal < b->ordinal; });
  std::vector<std::uint32_t> used(turns.size());
  std::transform(turns.begin(), turns.end(), used.begin(),
                 [](const EntrySlot* slot) { return slot->origin; });
  bool replied = false;
  TRY(text, last_chatbot_text(snapshot, state, fresh, replied));
  tester::Past past;
  past.used_lines = used;
  past.tester_turns = state.tester_turns;
  past.last_chatbot_text = std::move(text);
  past.chatbot_replied = replied;
  spoke.said = tester::next_turn(*script, past, turns_max);
  return spoke;
}

}  // namespace parley::actors
