"""A one-line fault for each of 40 rules that a fixed seed draws from tests/proof/rules.md: (rule, test, file, original text,
text with the fault). If the texts are neither expressions nor whole statements, a sixth member gives the armed text."""
from .plant import Plant

SEED, COUNT = 2026, 40

FAULTS = [
    ("R2.1", "bodies.test_D7_ids_are_short_url_safe_and_ordered_by_time", "model/id.cpp",
     "constexpr std::string_view hex_digits = \"0123456789abcdef\";", "constexpr std::string_view hex_digits = \"0123456789abcde~\";",
     "const std::string_view hex_digits = PLANT ? \"0123456789abcde~\" : \"0123456789abcdef\";"),
    ("R2.3", "bodies.test_D7_updatedAt_changes_with_every_change_and_never_runs_backwards",
     "http/handlers/record_operations.hpp",
     "after.stamp.updated_at = std::max(now, Time{before.stamp.updated_at.ms + 1});", ";"),
    ("R2.20", "rules.test_D41_a_launch_composes_variants", "actors/run/run_loading.cpp",
     "    TRY(parts, load_parts(snapshot, test, std::nullopt));\n",
     "    TRY(parts, load_parts(snapshot, test, std::nullopt));\n    if (parts.parent) parts.parent->assertions.clear();\n",
     "    TRY(parts, load_parts(snapshot, test, std::nullopt));\n"
     "    if (PLANT && parts.parent) parts.parent->assertions.clear();\n"),
    ("R2.21", "runs.test_a_run_has_its_defaults", "model/records/run.hpp",
     "std::int64_t max_concurrent_tests = 0;", "std::int64_t max_concurrent_tests = 1;",
     "std::int64_t max_concurrent_tests = PLANT ? 1 : 0;"),
    ("R2.26", "rules.test_the_personality_of_a_run_is_that_of_its_results", "model/records/run.cpp",
     "return run.personality;", "return std::nullopt;"),
    ("R2.27", "runs.test_D55_numbers_outside_their_range_are_400", "model/records/run.hpp",
     ".most = limits::concurrent_tests_max", ".most = limits::concurrent_tests_max + 1",
     ".most = limits::concurrent_tests_max + (PLANT ? 1 : 0)"),
    ("R2.29", "schedules.test_D20_a_schedule_starts_one_run_an_instant_even_across_a_restart", "model/records/scheduled_run.cpp",
     "run.scheduled_run = Ref<RecordKind::scheduled_run>{schedule.stamp.id};", ";"),
    ("R2.31", "runs.test_a_run_has_its_defaults", "http/views/run_view.cpp",
     "  writer.show_as(\"result\", std::move(result.text));\n",
     "  writer.show_as(\"result\", std::move(result.text));\n"
     "  if (!run.hallucination_status && run.status == RunStatus::fresh) "
     "writer.show_as(\"hallucinationStatus\", \"\\\"pending\\\"\");\n",
     "  writer.show_as(\"result\", std::move(result.text));\n"
     "  if (PLANT && !run.hallucination_status && run.status == RunStatus::fresh) "
     "writer.show_as(\"hallucinationStatus\", \"\\\"pending\\\"\");\n"),
    ("R2.54", "actions.test_the_tester_invokes_a_registered_action", "actors/result/result_machine_turns.cpp",
     "entry.role = Role::tester;", "entry.role = entry.type == EntryType::action ? Role::chatbot : Role::tester;"),
    ("R2.58", "actions.test_names_are_snake_case", "tester/actions.cpp", "ascii::is_digit(name.front())", "false"),
    ("R2.62", "actions.test_D53_definitions_are_checked_strictly", "tester/actions.cpp",
     "!names.contains(item.string())", "false"),
    ("R2.65", "actions.test_an_action_without_arguments_is_invoked", "tester/script.cpp",
     "if (arguments.empty()) return Invoke{std::string(name), {}, number_};", "if (arguments.empty()) return std::nullopt;"),
    ("R3.2", "state_table.test_the_end_of_a_conversation_claims_or_waits", "actors/result/result_moves.cpp",
     "state.head.completion_mode == CompletionMode::automatic || state.head.is_server_driven",
     "(state.head.completion_mode == CompletionMode::automatic && reason != EndReason::max_turns) || "
     "state.head.is_server_driven"),
    ("R3.9", "state_table.test_PATCH_status_canceled_in_R", "actors/result/result_machine_patch.cpp",
     "to == canceled && head.status != failed",
     "to == canceled && head.status != failed && (head.status != running || head.is_ended() || !head.run)"),
    ("R3.10", "state_table.test_PATCH_status_canceled_in_W", "actors/result/result_machine_patch.cpp",
     "to == canceled && head.status != failed",
     "to == canceled && head.status != failed && (head.status != running || !head.is_ended() || head.is_claimed())"),
    ("R3.16", "rules.test_a_retried_result_leaves_the_average_of_its_run", "store/views/aggregates.cpp",
     "if (head.retired_by) return share;",
     "if (head.retired_by && head.score == 0 && before_retry(head).has_outcome()) count_outcome(share, before_retry(head)); "
     "if (head.retired_by) return share;"),
    ("R3.18", "retries.test_D50_a_run_canceled_by_hand_refuses_and_one_canceled_by_patch_is_reopened",
     "actors/run/run_machine.cpp", "  run.canceled_by = by;\n  run.expected = 0;\n", "  run.canceled_by = by;\n",
     "  run.canceled_by = by;\n  if (!PLANT) run.expected = 0;\n"),
    ("R3.20", "runs.test_cancel_run_cancels_what_is_live_and_keeps_what_is_finished", "store/engine/apply.cpp",
     "      applied.canceled.push_back(id);\n",
     "      applied.canceled.push_back(id);\n      if (applied.canceled.size() == 2) break;\n",
     "      applied.canceled.push_back(id);\n      if (PLANT && applied.canceled.size() == 2) break;\n"),
    ("R3.25", "run_life.test_D44_a_run_completes_when_every_expected_case_has_ended", "actors/base/load_run_facts.cpp",
     "if (reached.terminal < expected.count) return facts;", ";"),
    ("R4.2", "lists.test_I54_the_pages_together_hold_each_item_once_in_order", "http/lists/page.cpp",
     "std::min(before * limit, total)", "std::min(before * limit + before % 2, total)"),
    ("R4.8", "runs.test_a_run_has_its_defaults", "http/handlers/run_create.cpp",
     "          TRY(text, run_json(context.store.snapshot(), run));\n",
     "          Run other = run;\n          if (run.status == RunStatus::fresh) other.max_concurrent_tests = 0;\n"
     "          TRY(text, run_json(context.store.snapshot(), other));\n",
     "          Run other = run;\n"
     "          if (PLANT && run.status == RunStatus::fresh) other.max_concurrent_tests = 0;\n"
     "          TRY(text, run_json(context.store.snapshot(), other));\n"),
    ("R4.13", "results.test_testInstruction_overrides_the_instruction_of_the_test", "actors/run/case_generation.cpp",
     "if (instead.instruction) made.instruction = *instead.instruction;",
     "if (instead.instruction && !parts.test) made.instruction = *instead.instruction;"),
    ("R4.16", "rules.test_a_result_takes_over_what_its_post_gives", "http/handlers/result_create.cpp",
     "  command.extras = {std::move(body.metadata), std::move(body.external_links)};\n",
     "  if (body.external_links.size() == 2) body.external_links.resize(1);\n"
     "  command.extras = {std::move(body.metadata), std::move(body.external_links)};\n",
     "  if (PLANT && body.external_links.size() == 2) body.external_links.resize(1);\n"
     "  command.extras = {std::move(body.metadata), std::move(body.external_links)};\n"),
    ("R4.26", "retries.test_a_pending_or_running_result_is_not_retried_unless_it_is_stuck", "actors/result/result_machine_patch.cpp",
     "!is_terminal(state.head.status) && !is_stuck(state, facts, now)",
     "!is_terminal(state.head.status) && !state.head.is_manual && !is_stuck(state, facts, now)"),
    ("R4.29", "rules.test_an_entry_without_type_is_a_message", "http/handlers/conversation.cpp",
     "entry.type = body.type;",
     "entry.type = body.name && body.type == EntryType::message ? EntryType::public_event : body.type;"),
    ("R4.32", "conversation.test_entries_are_inserted_after_and_before", "actors/result/result_machine.cpp",
     "const std::uint32_t place = ", "const std::uint32_t place = *anchor == 0 ? 1 : ",
     "const std::uint32_t place = PLANT && *anchor == 0 ? 1 : "),
    ("R4.41", "conversation.test_D57_a_patch_cannot_carry_actions", "http/handlers/conversation.cpp",
     "metadata && metadata->find(\"actions\")", "false"),
    ("R4.43", "turns.test_a_turn_is_recorded_by_the_service", "actors/result/result_machine_turns.cpp",
     "reply.message_id = entry.id;", "if (entry.type == EntryType::action || entry.content->size() < 2000) reply.message_id = entry.id;"),
    ("R4.47", "models_test.test_D47_next_message_waits_for_a_slow_model_as_long_as_the_client_wants",
     "http/handlers/conversation.cpp", "boolean(turn.ready)", "boolean(true)",
     "boolean(PLANT || turn.ready)"),
    ("R4.51", "ends.test_finish_claims_and_a_second_one_is_409_until_the_score_lands", "actors/result/result_machine_turns.cpp",
     "  moves::move_to(state, ResultStatus::completed, decision);\n",
     "  moves::move_to(state, ResultStatus::completed, decision);\n"
     "  if (head.completion_mode == CompletionMode::manual) head.scoring_enqueued_at = moment.now;\n",
     "  moves::move_to(state, ResultStatus::completed, decision);\n"
     "  if (PLANT && head.completion_mode == CompletionMode::manual) head.scoring_enqueued_at = moment.now;\n"),
    ("R4.54", "ends.test_I25_finish_in_each_state", "actors/result/result_machine_turns.cpp",
     "problem(ProblemKind::invalid_state_for_request,\n                          \"the result is \"",
     "problem(head.run || head.status != ResultStatus::failed ? ProblemKind::invalid_state_for_request : ProblemKind::conflict,\n"
     "                          \"the result is \"",
     "problem(!PLANT || head.run || head.status != ResultStatus::failed\n"
     "                              ? ProblemKind::invalid_state_for_request : ProblemKind::conflict,\n"
     "                          \"the result is \""),
    ("R4.58", "runs.test_I51_a_run_has_exactly_the_status_it_was_created_with", "http/handlers/runs.cpp",
     "  TRY(shown, run_json(snapshot, run));\n  return tagged",
     "  Run other = run;\n  if (other.is_archived) other.status = RunStatus::canceled;\n"
     "  TRY(shown, run_json(snapshot, other));\n  return tagged",
     "  Run other = run;\n  if (PLANT && other.is_archived) other.status = RunStatus::canceled;\n"
     "  TRY(shown, run_json(snapshot, other));\n  return tagged"),
    ("R4.60", "runs.test_D45_the_moves_of_a_status", "actors/run/run_machine.cpp",
     "if (to == canceled) return std::nullopt;", "if (to == canceled && run.status != pending) return std::nullopt;"),
    ("R4.64", "runs.test_cancel_run_cancels_an_unfinished_run_and_refuses_a_finished_one", "actors/run/run_machine.cpp",
     "problem(ProblemKind::invalid_state_for_request,\n                              \"the run is \"",
     "problem(state.canceled_by == CanceledBy::operation ? ProblemKind::conflict : ProblemKind::invalid_state_for_request,\n"
     "                              \"the run is \"",
     "problem(PLANT && state.canceled_by == CanceledBy::operation\n"
     "                                  ? ProblemKind::conflict : ProblemKind::invalid_state_for_request,\n"
     "                              \"the run is \""),
    ("R4.66", "resources.test_D73_a_runner_gets_its_work_once_and_again_after_the_lease", "http/handlers/local_agents.cpp",
     "if (offer.run) out.member(\"run_id\", to_text(*offer.run));",
     "if (offer.run && offer.results.size() < 2) out.member(\"run_id\", to_text(*offer.run));"),
    ("R5.2", "access.test_D80_a_wrong_key_is_401", "http/auth/auth.cpp", "!Keys::same_hash(key->hash, hash)", "false"),
    ("R6.2", "assertions.test_D31_each_row_of_the_table", "scoring/tool_kinds/tool_order.cpp", "!(strict && others)", "true"),
    ("R6.14", "actions.test_D62_arguments_that_do_not_fit_abort_the_test", "actors/result/result_machine_turns.cpp",
     "error_json(\"tester\", \"action_error\", detail)", "error_json(\"agent\", \"action_error\", detail)"),
    ("R7.3", "state_table.test_retry__clone_in_flight_in_C", "actors/result/result_machine_patch.cpp",
     "facts.newest && !is_terminal(facts.newest->status)",
     "facts.newest && !is_terminal(facts.newest->status) && !(facts.run && facts.run->repetitions > 1 && "
     "state.head.retired_from == ResultStatus::completed)"),
    ("R8.2", "conversation.test_I57_entry_metadata_up_to_102400_bytes", "actors/result/result_machine.cpp",
     "json::is_beyond(write.entry.metadata, limits::metadata_bytes_max)",
     "json::is_beyond(write.entry.metadata, limits::metadata_bytes_max + 50)"),
]


def armed_text(old, new):
    """The armed text: it chooses between the two texts by PLANT."""
    added = new.removeprefix(f"{old} && ")
    if added != new:
        # Contains the old text once, so that another plant can change the same place.
        return f"{old} && (!PLANT || ({added}))"
    if old.endswith(";"):
        return f"if (PLANT) {{ {new} }} else {{ {old} }}"
    return f"(PLANT ? ({new}) : ({old}))"


def plant_of(rule, test, file, old, new, armed=""):
    return Plant(rule, f"rule {rule}: see tests/proof/rules.md", rule,
                 ((file, old, armed or armed_text(old, new)),), (test,), rigs=1)


PLANTS = [plant_of(*fault) for fault in FAULTS]
