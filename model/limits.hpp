#pragma once
/// Every bound of the service, each with its source or reason. Constants; nothing here changes at run time.

#include <cstddef>
#include <cstdint>

namespace parley::limits {

// JSON bodies (D5).
inline constexpr std::size_t json_depth_max = 64;
inline constexpr std::size_t json_keys_max = 1'000;
inline constexpr std::size_t json_number_bytes_max = 64;

// Records (D55, D24, D41).
inline constexpr std::size_t name_chars_max = 1'024;
inline constexpr std::size_t description_bytes_max =
    256 * 1024;  ///< like an instruction: prose that a person writes
inline constexpr std::size_t instruction_bytes_max = 256 * 1024;
inline constexpr std::size_t criteria_bytes_max = 16 * 1024;
inline constexpr std::size_t assertions_max = 100;                 ///< per stored test
inline constexpr std::size_t test_metadata_bytes_max = 16 * 1024;  ///< D108: every result of the test has it
inline constexpr std::size_t test_tags_max = 50;
inline constexpr std::size_t tag_chars_max = 256;
inline constexpr std::size_t webhook_url_chars_max = 2'048;
inline constexpr std::size_t webhook_secret_chars_max = 512;
inline constexpr std::size_t history_messages_max = 200;
inline constexpr std::size_t history_bytes_max = 256 * 1024;  ///< like an instruction
inline constexpr std::size_t verdicts_kept_max = 10;        ///< older verdicts of a result that was rescored
inline constexpr std::size_t override_assertions_max = 15;  ///< in a POST /test-results/
inline constexpr std::size_t external_links_max = 10;
inline constexpr std::size_t external_link_bytes_max = 4 * 1024;
inline constexpr std::size_t record_json_bytes_max =
    256 * 1024;                                 ///< config, fields and a client's run result
inline constexpr std::size_t secrets_max = 64;  ///< per agent
inline constexpr std::size_t secret_name_bytes_max = 256;
/// Bytes that `{{key}}` values add to the assertions of one case, as JSON: room for the longest field in each
/// of fifteen assertions.
inline constexpr std::size_t field_texts_bytes_max = 4 * 1024 * 1024;
inline constexpr std::size_t links_max = 1'000;  ///< agents, folders, tags of one record

// Text of entries that a verdict quotes: enough to find the passage, without a copy of the conversation.
inline constexpr std::size_t quotes_max = 8;
inline constexpr std::size_t quote_bytes_max = 512;

// Entries (D53, D54, D55).
/// 100 KB of compact JSON; also for result metadata.
inline constexpr std::size_t metadata_bytes_max = 102'400;
inline constexpr std::size_t content_bytes_max = 1024 * 1024;
inline constexpr std::size_t entry_name_chars_max = 256;
inline constexpr std::size_t actions_max = 100;  ///< registry of one turn; a tester cannot choose among more
inline constexpr std::size_t entries_max = 10'000;
inline constexpr std::size_t conversation_bytes_max = 64 * 1024 * 1024;
inline constexpr std::size_t external_messages_max = 10'000;

// Runs (D55).
inline constexpr std::size_t run_metadata_bytes_max = 16 * 1024;  ///< D103
inline constexpr std::int64_t repetitions_max = 1'000;
inline constexpr std::int64_t concurrent_tests_max = 100'000;
inline constexpr std::size_t cases_max = 20'000;
/// Stored size of the cases of one launch, including repetitions. They are one commit, which is held in
/// memory more than once and delays all other commits. Room for 20,000 cases of 6 KiB.
inline constexpr std::size_t launch_bytes_max = 128 * 1024 * 1024;
inline constexpr std::size_t repetition_rows_max = 100;  ///< D35
/// Results of a run that a comparison reads, including replaced ones: all cases of a run, each retried once.
inline constexpr std::size_t compared_results_max = 2 * cases_max;

// Lists (D6).
inline constexpr std::int64_t page_limit_max = 1'000;
inline constexpr std::int64_t page_limit_default = 50;
inline constexpr std::size_t page_bytes_max = 32 * 1024 * 1024;
inline constexpr std::size_t sorted_rows_max = 200'000;  ///< rows that a sort without an index may read

// Queues. Beyond these bounds a caller receives 503 `busy`.
inline constexpr std::size_t waiting_commands_max = 256;  ///< commands that wait in one actor while it saves
inline constexpr std::size_t commands_in_flight_max = 20'000;  ///< commands that the gateway has admitted
/// Pieces of long work, waiting or in progress: each is a request, and each one in progress holds a page of
/// conversations.
inline constexpr std::size_t background_max = 64;
/// Threads for this work: more than one, so that a long piece does not delay all others.
inline constexpr std::size_t background_threads = 2;
/// Bodies that wait for expensive regex validation. A client waits for its own body, so the bounds are for
/// clients that leave and return. One user may have a quarter of the pieces and half of the bytes; a user's
/// reserve is not given to others.
inline constexpr std::size_t checks_max = 2'048;
inline constexpr std::size_t checks_of_user_max = checks_max / 4;
inline constexpr std::size_t checks_of_user_reserved = 16;
inline constexpr std::size_t checked_bytes_max = 128 * 1024 * 1024;
inline constexpr std::size_t checked_bytes_of_user_max = checked_bytes_max / 2;
inline constexpr std::size_t checked_bytes_of_user_reserved = 1024 * 1024;
/// Threads for this validation, so that no other long work waits for it.
inline constexpr std::size_t check_threads = 2;
inline constexpr std::size_t waiters_max =
    20'000;  ///< clients that wait (D96); more than the number of connections
inline constexpr std::size_t batch_change_sets_max = 2'000;  ///< LMDB's dirty page list
inline constexpr std::size_t batch_bytes_max = 16 * 1024 * 1024;
/// The most records of the audit log that one transaction removes (--audit-retention); more would delay its
/// writers.
inline constexpr std::size_t audit_let_go_max = 64;

/// Crashes of one scoring job after which its result is set aside (I10, D51a).
inline constexpr int attempts_max = 3;
/// Bytes of the conversations in memory whose results wait for a judge model; a single one may be larger.
inline constexpr std::size_t judged_bytes_max = 256 * 1024 * 1024;
/// Bytes of call bodies in memory at a time, on the wire or waiting for a slot; each contains its
/// conversation. Beyond this, a conversation waits before its next question is built, unless it is small:
/// there is room for all driven conversations that are small.
inline constexpr std::size_t held_bodies_bytes_max = 256 * 1024 * 1024;
inline constexpr std::size_t small_conversation_bytes = 16 * 1024;
/// Open questions to a judge model, and their bytes: each holds a transcript of up to 1 MiB.
inline constexpr std::size_t judge_questions_max = 1'024;
inline constexpr std::size_t judge_question_bytes_max = 64 * 1024 * 1024;

}  // namespace parley::limits
