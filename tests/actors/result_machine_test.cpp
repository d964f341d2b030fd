// The conversation in the result machine: entries, turns, actions, inserts, merges.

#include "model/limits.hpp"
#include "tests/actors/support/machine.hpp"

namespace parley::actors::test {
namespace {

std::vector<Id> order_of(const ResultState& state) {
  std::vector<Id> ids;
  for (const EntrySlot& slot : state.slots) ids.push_back(slot.id);
  return ids;
}

TEST(ResultMachine, starts_with_the_first_entry_D40) {
  Machine machine;
  const ResultDecision decision = machine.apply(says("hello"));
  EXPECT_EQ(machine.state.head.status, ResultStatus::running);
  EXPECT_TRUE(decision.saves_head);
  EXPECT_FALSE(machine.apply(says("again")).saves_head) << "an append to a running result writes one record";
}

TEST(ResultMachine, appends_in_order_and_answers_the_own_entry_I34_I35) {
  Machine machine;
  const Entry first = machine.post(says("one"));
  const ResultDecision second = machine.apply(says("two"));
  EXPECT_EQ(order_of(machine.state), (std::vector<Id>{first.id, second.entries.front().entry.id}));
  EXPECT_EQ(second.reply->value().entries, 2U);
  EXPECT_EQ(second.reply->value().entry, second.entries.front().entry);
}

TEST(ResultMachine, numbers_exchanges_by_tester_turns_D53) {
  Machine machine;
  EXPECT_EQ(machine.post(named(EntryType::tool, "early")).turn, 0);
  const ResultDecision first = machine.receives(tester::Say{"hi", 1});
  EXPECT_EQ(first.entries.front().entry.turn, 0)
      << "the first turn shares exchange 0 with what came before it";
  const Entry reply = machine.post(says("hello"));
  EXPECT_EQ(reply.turn, 0);
  EXPECT_EQ(machine.receives(tester::Say{"and?", 2}).entries.front().entry.turn, 1);
  EXPECT_EQ(machine.post(says("well")).turn, 1);
  EXPECT_EQ(machine.post(behind(reply.id, named(EntryType::tool, "late"))).turn, 0) << "its anchor's";
}

TEST(ResultMachine, repeats_the_unanswered_turn_D47_I32) {
  Machine machine;
  EXPECT_EQ(machine.apply(NextMessage{}).effects, std::vector<ResultEffect>{AskTester{0}});
  machine.receives(tester::Say{"hi", 1});
  EXPECT_EQ(machine.apply(NextMessage{}).effects, std::vector<ResultEffect>{RepeatTurn{0}});
  machine.post(says("hello"));
  EXPECT_EQ(machine.apply(NextMessage{}).effects, std::vector<ResultEffect>{AskTester{1}});
}

TEST(ResultMachine, adds_up_what_the_testers_model_used_and_keeps_it_out_of_the_agents_figures) {
  Machine machine;
  TesterSpoke spoke{0, tester::Say{"hi", 1}, "model", ModelUse{"m", 2, 0, 100, 10, 0.5}};
  EXPECT_TRUE(machine.apply(spoke).saves_head);
  machine.post(says("hello"));
  EXPECT_FALSE(machine.apply(TesterSpoke{1, tester::Say{"again", 1}, "model"}).saves_head)
      << "nothing was used";
  machine.post(says("hello"));
  spoke.turn = 2;
  machine.apply(spoke);
  EXPECT_EQ(machine.state.head.tester_use, (ModelUse{"m", 4, 0, 200, 20, 1.0}));
  spoke.turn = 1;
  EXPECT_FALSE(machine.apply(spoke).saves()) << "late";
  EXPECT_EQ(machine.state.head.tester_use->calls, 4);
  EXPECT_EQ(machine.state.head.sums, std::nullopt);
  machine.post(says("hello"));
  const TesterFailed failed{3, "bad_status", "down", ModelUse{"m", 1, 0, 7, {}, {}}};
  static_cast<void>(on(machine.state, failed, machine.moment()));
  EXPECT_EQ(machine.state.head.status, ResultStatus::failed);
  EXPECT_EQ(machine.state.head.tester_use->input_tokens, 207) << "a void answer was paid for too";
}

struct Reply {
  std::string name;
  PostEntry post;
  bool answers;
};

TEST(ResultMachine, treats_only_replies_as_an_answer_D47) {
  const std::vector<Reply> rows{
      {"message", says("x"), true},
      {"empty message", says(""), true},
      {"public event", named(EntryType::public_event, "form"), true},
      {"registering internal event", registers({"press"}), true},
      {"tool", named(EntryType::tool, "lookup"), false},
      {"plain internal event", named(EntryType::internal_event, "note"), false},
  };
  for (const Reply& row : rows) {
    Machine machine;
    machine.receives(tester::Say{"hi", 1});
    machine.post(row.post);
    EXPECT_EQ(!machine.state.unanswered.has_value(), row.answers) << row.name;
  }
}

TEST(ResultMachine, does_not_treat_an_inserted_entry_as_an_answer_D47) {
  Machine machine;
  machine.post(says("greeting"));
  const Entry turn = machine.receives(tester::Say{"hi", 1}).entries.front().entry;
  machine.post(behind(turn.id, says("late data")));
  EXPECT_EQ(machine.state.unanswered, 1U);
  machine.post(before(turn.id, named(EntryType::tool, "earlier")));
  EXPECT_EQ(machine.state.slots.at(*machine.state.unanswered).id, turn.id)
      << "the index moves with its entry";
}

TEST(ResultMachine, drops_a_turn_that_comes_late_or_twice) {
  Machine machine;
  const TesterSpoke first{0, tester::Say{"hi", 1}, "script"};
  EXPECT_TRUE(machine.apply(first).saves());
  EXPECT_FALSE(machine.apply(first).saves());
  machine.post(says("hello"));
  EXPECT_FALSE(machine.apply(first).saves()) << "a turn of an older number";
  EXPECT_EQ(machine.state.slots.size(), 2U);
}

TEST(ResultMachine, answers_a_turn_with_exactly_one_of_message_and_action_I30) {
  Machine machine;
  machine.post(registers({"press"}));
  const TesterReply action = *machine.receives(tester::Invoke{"press", {R"({})"}, 3}).reply->value().turn;
  EXPECT_TRUE(action.action && !action.message && action.ready && !action.end_chat && action.message_id);
  machine.post(says("pressed"));
  const TesterReply text = *machine.receives(tester::Say{"thanks", 4}).reply->value().turn;
  EXPECT_TRUE(text.message && !text.action && text.ready && !text.end_chat && text.message_id);
  machine.post(says("bye"));
  const TesterReply end = *machine.receives(tester::End{}).reply->value().turn;
  EXPECT_EQ(end, end_of_chat());
  EXPECT_TRUE(end.end_chat && end.ready && !end.message && !end.action && !end.message_id);
}

TEST(ResultMachine, clears_the_registry_with_every_tester_turn_I33) {
  Machine machine;
  machine.post(registers({"press"}));
  machine.receives(tester::Say{"hi", 1});
  EXPECT_TRUE(machine.state.registry.empty());
  machine.post(registers({"press"}));  // the name is free again for the next turn
  EXPECT_EQ(machine.state.registry.size(), 1U);
}

TEST(ResultMachine, refuses_a_name_registered_in_the_turn_and_adds_nothing_I33) {
  Machine machine;
  machine.post(registers({"press", "pull"}));
  const ResultDecision again = machine.apply(registers({"push", "press"}));
  EXPECT_EQ(again.reply->problem().kind, ProblemKind::duplicate_action);
  EXPECT_EQ(again.reply->problem().faults.at(0).pointer, "/metadata/actions/1/name") << "D3";
  EXPECT_EQ(machine.state.slots.size(), 1U);
  EXPECT_EQ(machine.state.registry.size(), 2U) << "nothing of the refused event is registered";
}

TEST(ResultMachine, bounds_the_registry_of_a_turn) {
  Machine machine;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < limits::actions_max; ++i) names.push_back("a" + std::to_string(i));
  machine.post(registers(names));
  EXPECT_EQ(status_of(machine.apply(registers({"one_more"}))), 400);
}

TEST(ResultMachine, fails_on_an_invocation_that_does_not_fit_I28_D62) {
  PostEntry event = registers({"press"});
  event.actions->front().properties = {{"times", tester::PropertyType::integer, ""}};
  event.actions->front().required = {"times"};
  struct Bad {
    std::string name;
    std::string arguments;
  };
  for (const Bad& bad : std::vector<Bad>{{"unknown", R"({"times":1})"},
                                         {"press", "{}"},
                                         {"press", R"({"times":"1"})"},
                                         {"press", R"({"times":1.5})"},
                                         {"press", R"({"times":null})"}}) {
    Machine machine;
    machine.post(event);
    const ResultDecision decision = machine.receives(tester::Invoke{bad.name, {bad.arguments}, 2});
    EXPECT_EQ(machine.state.head.status, ResultStatus::failed) << bad.name << bad.arguments;
    EXPECT_EQ(machine.state.head.end_reason, EndReason::action_error);
    EXPECT_EQ(*decision.reply->value().turn, end_of_chat());
    EXPECT_TRUE(decision.entries.empty()) << "the offending invocation is no entry";
    const auto error = json::parse(machine.state.head.error->text);
    EXPECT_EQ(error->root().find("source")->string(), "tester");
    EXPECT_NE(error->root().find("detail")->string().find(bad.arguments), std::string_view::npos);
  }
}

TEST(ResultMachine, blames_the_test_for_a_broken_script_D47a) {
  Machine machine;
  machine.receives(tester::BrokenScript{"line 3: no such thing"});
  const auto error = json::parse(machine.state.head.error->text);
  EXPECT_EQ(error->root().find("source")->string(), "test");
  EXPECT_EQ(machine.state.head.end_reason, EndReason::tester_error);
}

TEST(ResultMachine, inserts_next_to_the_anchor_I34) {
  Machine machine;
  const Entry a = machine.post(says("a"));
  const Entry b = machine.post(says("b"));
  const Entry after_a = machine.post(behind(a.id, says("after a")));
  const Entry before_a = machine.post(before(a.id, says("before a")));
  const Entry nearer = machine.post(behind(a.id, says("nearer")));
  const Entry last = machine.post(behind(b.id, says("behind the last")));
  EXPECT_EQ(order_of(machine.state),
            (std::vector<Id>{before_a.id, a.id, nearer.id, after_a.id, b.id, last.id}));
  EXPECT_EQ(machine.state.next_ordinal, 6U);
}

TEST(ResultMachine, refuses_an_unknown_anchor_D54) {
  Machine machine;
  machine.post(says("a"));
  for (const std::string& anchor : {std::string("nonsense"), to_text(Machine{}.state.head.agent.id)}) {
    PostEntry post = says("x");
    post.after = anchor;
    const ResultDecision decision = machine.apply(post);
    EXPECT_EQ(decision.reply->problem().faults.front().pointer, "/after");
    post.before = std::exchange(post.after, std::nullopt);
    EXPECT_EQ(machine.apply(post).reply->problem().faults.front().pointer, "/before");
  }
  EXPECT_EQ(machine.state.slots.size(), 1U);
}

TEST(ResultMachine, counts_no_inserted_entry_as_a_turn) {
  Machine machine;
  machine.state.head.is_manual = true;
  const Entry reply = machine.post(says("hello"));
  machine.post(by_tester(says("typed")));
  machine.post(says("answer"));
  machine.post(behind(reply.id, by_tester(says("forgotten"))));
  const std::uint32_t turns = machine.state.tester_turns;
  derive_turns(machine.state);
  EXPECT_EQ(machine.state.tester_turns, turns) << "the state read anew is the state in memory";
  EXPECT_FALSE(machine.state.unanswered.has_value());
}

TEST(ResultMachine, derives_from_its_entries_the_turns_that_it_kept) {
  Machine machine;
  machine.post(says("greeting"));
  machine.receives(tester::Say{"hi", 1});
  machine.post(named(EntryType::tool, "t"));
  EXPECT_TRUE(machine.state.unanswered.has_value());
  const auto kept = machine.picture();
  derive_turns(machine.state);
  EXPECT_EQ(machine.picture(), kept);
  machine.post(says("hello"));
  const auto answered = machine.picture();
  derive_turns(machine.state);
  EXPECT_EQ(machine.picture(), answered);
}

TEST(ResultMachine, merges_metadata_and_keeps_the_rest_I37) {
  Machine machine;
  Entry entry = machine.post(says("a"));
  entry.metadata.text = R"({"a":1.0,"b":{"x":1}})";
  const ResultDecision decision = machine.apply(PatchEntry{entry.id, {R"({"b":2,"c":-0})"}}, entry);
  EXPECT_EQ(decision.entries.front().entry.metadata.text, R"({"a":1.0,"b":2,"c":-0})");
  EXPECT_FALSE(decision.entries.front().is_new);
  EXPECT_TRUE(decision.saves_head) << "the head carries updatedAt and guards the merge";
}

TEST(ResultMachine, a_merge_that_changes_nothing_saves_nothing_D7) {
  Machine machine;
  Entry entry = machine.post(says("a"));
  entry.metadata.text = R"({"a":1,"b":2})";
  const Time before = machine.state.touched;
  for (const std::string patch : {"{}", R"({"b":2})"}) {
    const ResultDecision decision = machine.apply(PatchEntry{entry.id, {patch}}, entry);
    EXPECT_FALSE(decision.saves()) << patch;
    EXPECT_EQ(decision.reply->value().entry->metadata, entry.metadata);
  }
  EXPECT_EQ(machine.state.touched, before);
}

TEST(ResultMachine, a_first_turn_that_fails_has_run_D40) {
  for (const TesterSpoke& spoke : {TesterSpoke{0, tester::Invoke{"unknown", {"{}"}, 1}, "script"},
                                   TesterSpoke{0, tester::BrokenScript{"bad"}, "script"}}) {
    Machine machine;
    const ResultDecision decision = machine.apply(spoke);
    EXPECT_EQ(machine.state.head.status, ResultStatus::failed);
    const auto is_start = [](const ResultEffect& effect) {
      const auto* told = std::get_if<NotifyRun>(&effect);
      return told != nullptr && told->has_started;
    };
    EXPECT_TRUE(std::any_of(decision.effects.begin(), decision.effects.end(), is_start));
  }
}

TEST(ResultMachine, lets_a_client_add_only_tools_and_events_where_the_service_drives_D71) {
  Machine machine;
  machine.state.head.is_server_driven = true;
  EXPECT_EQ(status_of(machine.apply(says("x"))), 409);
  EXPECT_EQ(status_of(machine.apply(named(EntryType::action, "press"))), 409);
  EXPECT_EQ(status_of(machine.apply(named(EntryType::tool, "t"))), 200);
  EXPECT_EQ(status_of(machine.apply(named(EntryType::public_event, "e"))), 200);
  EXPECT_EQ(status_of(machine.apply(NextMessage{})), 409);
}

TEST(ResultMachine, lets_a_person_play_the_tester_D52) {
  Machine machine;
  machine.state.head.is_manual = true;
  EXPECT_EQ(status_of(machine.apply(NextMessage{})), 409);
  machine.post(by_tester(says("hi")));
  PostEntry event = registers({"press"});
  event.actions->front().properties = {{"times", tester::PropertyType::integer, ""}};
  event.actions->front().required = {"times"};
  machine.post(event);
  PostEntry press = by_tester(named(EntryType::action, "press"));
  EXPECT_EQ(status_of(machine.apply(press)), 400) << "input of a person ends nothing";
  EXPECT_EQ(machine.phase(), Phase::R);
  press.metadata.text = R"({"arguments":{"times":2}})";
  EXPECT_EQ(machine.post(press).turn, 1);
  EXPECT_TRUE(machine.state.registry.empty());
}

TEST(ResultMachine, takes_a_late_action_of_an_earlier_turn_D52) {
  Machine machine;
  machine.state.head.is_manual = true;
  machine.post(by_tester(says("hi")));
  const Entry form = machine.post(registers({"buy"}));
  machine.post(by_tester(says("not now")));
  machine.post(registers({"sell"}));
  const PostEntry late = behind(form.id, by_tester(named(EntryType::action, "buy")));
  EXPECT_EQ(status_of(on(machine.state, late, machine.moment(), machine.state.registry)), 400);
  EXPECT_EQ(status_of(on(machine.state, late, machine.moment(), *registers({"buy"}).actions)), 200);
  EXPECT_EQ(status_of(machine.apply(by_tester(named(EntryType::action, "buy")))), 400)
      << "what is said now is held against what is registered now";
}

TEST(ResultMachine, names_the_tester_that_spoke_D61) {
  Machine machine;
  const ResultDecision decision = machine.apply(TesterSpoke{0, tester::Say{"hi", 1}, "model"});
  EXPECT_TRUE(decision.saves_head);
  EXPECT_EQ(decision.reply->value().head.tester, "model");
}

}  // namespace
}  // namespace parley::actors::test
