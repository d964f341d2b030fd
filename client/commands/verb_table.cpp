#include "client/commands/families.hpp"
#include "client/verbs/verb.hpp"

namespace parley::client {
namespace {

constexpr OptionSpec whoami_options[] = {
    {"origin", 0, Takes::nothing, "", "show where the server and the key come from"},
};

constexpr OptionSpec switchover_options[] = {
    {"to", 0, Takes::value, "ADDRESS", "address of the new leader (default: the most up-to-date follower)"},
};

constexpr OptionSpec ls_options[] = {
    {"filter", 0, Takes::value, "EXPR", "only rows that match, such as 'status:completed agent=shop'", true},
    {"limit", 0, Takes::value, "N", "at most this many rows"},
};

constexpr OptionSpec show_options[] = {
    {"turn", 0, Takes::value, "N", "of a result: this turn only"},
    {"all", 0, Takes::nothing, "", "of a result: also events and metadata"},
};

/// Options for the rules of the gate.
constexpr OptionSpec rule_options[] = {
    {"min-pass-rate", 0, Takes::value, "RATE",
     "share of decided cases that must pass (1, unless --per-test is given)"},
    {"per-test", 0, Takes::value, "K/N", "repetitions of each test that must pass, such as 4/5"},
    {"min-score", 0, Takes::value, "SCORE", "lowest mean score, 0 to 100 (not checked)"},
    {"baseline", 0, Takes::value, "RUN", "a run, last-green or @FILE.jsonl: no test may have regressed"},
    {"allow-open", 0, Takes::nothing, "", "accept assertions that were not decided"},
    {"allow-undecided", 0, Takes::nothing, "", "accept tests that are worse, if that may be chance"},
    {"allow-missing", 0, Takes::nothing, "", "accept cases that were not played"},
    {"exit-zero", 0, Takes::nothing, "", "report only: always exit with 0"},
    {"reporter", 0, Takes::value, "NAME[:FILE]",
     "pretty, line, brief, json, jsonl, junit, md, github, csv, csv:assertions or html", true},
};

constexpr OptionSpec dialect_options[] = {
    {"junit-dialect", 0, Takes::value, "NAME", "gitlab, jenkins or surefire (gitlab)"},
};

constexpr OptionSpec variable_options[] = {
    {"env-file", 0, Takes::value, "FILE", "variables for ${NAME} in the files"},
};

constexpr OptionSpec gate_options[] = {
    {"explain", 0, Takes::nothing, "", "also show the rules that hold"},
    {"group", 0, Takes::nothing, "", "decide on all runs of the run's group"},
};

constexpr OptionSpec stored_rule_options[] = {
    {"no-gate", 0, Takes::nothing, "", "ignore the gate rules stored with the run"},
};

constexpr OptionSpec export_options[] = {
    {"format", 'f', Takes::value, "FORM",
     "html, junit, json, jsonl, csv, csv:assertions, md, github, openai-jsonl, adk, promptfoo-csv or yaml "
     "(json)"},
    {"output", 'o', Takes::value, "FILE", "the file to write (standard output)"},
    {"force", 0, Takes::nothing, "", "overwrite a YAML file with other content"},
    {"report", 0, Takes::value, "FILE", "write a report of omitted data to this file"},
    {"plain", 0, Takes::nothing, "", "with openai-jsonl: omit parley's ids and metadata"},
    {"suite", 0, Takes::value, "PROJECT",
     "with yaml: the project whose tests are exported ('': tests without a project)", false, true},
    {"group", 0, Takes::nothing, "", "all runs of the run's group"},
};

/// Options for reading files of other tools.
constexpr OptionSpec reading_options[] = {
    {"from", 0, Takes::value, "FORMAT", "the tool that the files come from, or auto"},
    {"report", 0, Takes::value, "FILE", "file for the report of what was lost"},
    {"strict", 0, Takes::nothing, "", "exit with 1 if anything was approximated or lost"},
    {"into", 0, Takes::value, "SLUG", "project of the suites, and prefix of external ids"},
    {"as", 0, Takes::value, "KIND", "tests or logs, for formats that can be either"},
    {"say", 0, Takes::value, "NAME", "table: column of the user's text; promptfoo: its variable", true},
    {"expect", 0, Takes::value, "COL[:TYPE]", "table: column of the expected answer, and its assertion type",
     true},
    {"check", 0, Takes::value, "TYPE", "recorded answers as checks: equals, levenshtein or criteria"},
    {"group", 0, Takes::value, "COL", "table: rows with one value are one conversation"},
    {"order", 0, Takes::value, "COL", "table: order of the rows of a conversation"},
    {"name", 0, Takes::value, "COL", "table: column of the test's name"},
    {"field", 0, Takes::value, "COL", "table: only these columns become fields", true},
    {"guess", 0, Takes::nothing, "", "promptfoo: read simple JavaScript checks"},
    {"domain", 0, Takes::value, "FILE", "rasa: check the texts of responses instead of their names"},
    {"nlu", 0, Takes::nothing, "", "rasa: check the intents of stories"},
    {"utterances", 0, Takes::value, "WHICH", "botium: a test for all utterances, or the first (all)"},
};

constexpr OptionSpec converting_options[] = {
    {"output", 'o', Takes::value, "DIR", "the folder for the files (the working directory)"},
    {"force", 0, Takes::nothing, "", "overwrite files with other content"},
};

constexpr OptionSpec import_options[] = {
    {"logs", 0, Takes::nothing, "", "each line of FILE is a conversation log"},
};

constexpr OptionSpec retry_options[] = {
    {"verdicts", 0, Takes::nothing, "", "also retry results that the agent got wrong; show both scores"},
};

constexpr OptionSpec rescore_options[] = {
    {"save", 0, Takes::nothing, "", "store the new verdicts"},
};

constexpr OptionSpec review_options[] = {
    {"no-model", 0, Takes::nothing, "", "decide by fixed rules, without the judge"},
};

constexpr OptionSpec run_options[] = {
    {"filter", 0, Takes::value, "EXPR", "only cells that match, such as 'tag:smoke -agent=next'", true},
    {"tag", 0, Takes::value, "TAG", "tests with this tag", true},
    {"agent", 0, Takes::value, "NAME", "this agent only; * matches any characters", true},
    {"persona", 0, Takes::value, "NAME", "this persona only", true},
    {"grep", 'g', Takes::value, "RE2", "tests whose scenario/name matches"},
    {"failed", 0, Takes::optional_value, "RUN", "only tests with a wrong answer in that run (last)"},
    {"errors", 0, Takes::optional_value, "RUN", "only tests that were not decided in that run (last)"},
    {"not-passed", 0, Takes::optional_value, "RUN", "both of these (last)"},
    {"changed-since", 0, Takes::value, "REV", "tests that differ from that revision of git"},
    {"shard", 0, Takes::value, "I/N", "part I of N; new tests do not move the others"},
    {"repeat", 0, Takes::value, "N", "play each cell N times"},
    {"until-decided", 0, Takes::optional_value, "MAX",
     "with --baseline: play more, up to MAX repetitions of a test, where that would decide (100)"},
    {"seed", 0, Takes::value, "N", "seed of the models and of --shuffle"},
    {"shuffle", 0, Takes::nothing, "", "play in a random order"},
    {"max-cost", 0, Takes::value, "USD", "stop at this cost"},
    {"max-time", 0, Takes::value, "DURATION", "stop after this time"},
    {"concurrency", 0, Takes::value, "N", "concurrent conversations of a run"},
    {"fail-fast", 0, Takes::optional_value, "N", "stop after N failed cases (1)"},
    {"list", 0, Takes::nothing, "", "show what would be played"},
    {"dry-run", 0, Takes::nothing, "", "also show the records"},
    {"gate", 0, Takes::nothing, "", "decide by the file's gate (the default)"},
    {"no-gate", 0, Takes::nothing, "", "ignore the file's gate: every case must pass"},
    {"allow-empty", 0, Takes::nothing, "", "allow an empty selection"},
    {"update", 0, Takes::optional_value, "TESTS",
     "accept the tool calls of passing tests as snapshots: of all tests or of these keys"},
    {"fresh", 0, Takes::nothing, "", "do not reuse answers of tester and judge"},
    {"ephemeral", 0, Takes::nothing, "", "store nothing in .parley/"},
    {"apply", 0, Takes::nothing, "", "with --server: apply the files first"},
    {"group", 0, Takes::value, "ID", "name of the run group, which joins shards on a shared server"},
};

constexpr OptionSpec clean_options[] = {
    {"older", 0, Takes::value, "DURATION", "only runs that are older than this, such as 30d"},
    {"all", 0, Takes::nothing, "", "every run that has ended"},
    {"dry-run", 0, Takes::nothing, "", "only count the runs that would be deleted"},
};

constexpr OptionSpec demo_options[] = {
    {"view", 0, Takes::nothing, "", "open the page of the run in a browser at the end"},
};

constexpr OptionSpec view_options[] = {
    {"file", 0, Takes::nothing, "", "write an HTML file instead of opening the page"},
};

constexpr OptionSpec tail_options[] = {
    {"output", 'o', Takes::value, "FORM", "jsonl: a line of JSON for each result"},
};

constexpr OptionSpec agent_options[] = {
    {"http", 0, Takes::value, "URL", "check a webhook; PARLEY_AGENT_KEY is its Authorization"},
    {"openai", 0, Takes::value, "URL", "check an OpenAI-compatible endpoint; PARLEY_AGENT_KEY is its key"},
    {"model", 0, Takes::value, "NAME", "with --openai: the model's name"},
    {"exec", 0, Takes::value, "COMMAND", "check a command"},
    {"mode", 0, Takes::value, "MODE", "with --exec: session or turn (session)"},
};

constexpr OptionSpec help_options[] = {
    {"man", 0, Takes::nothing, "", "as a man page; also of parley.yaml"},
};

constexpr OptionSpec init_options[] = {
    {"from", 0, Takes::value, "FILE", "a file of another tool, such as promptfooconfig.yaml"},
    {"example", 0, Takes::value, "NAME", "demo, http, openai, exec or goal"},
    {"http", 0, Takes::value, "URL", "a chatbot with this URL"},
    {"openai", 0, Takes::value, "URL", "an OpenAI-compatible endpoint, ending in /v1"},
    {"exec", 0, Takes::nothing, "", "a program on this machine"},
};

constexpr OptionSpec validate_options[] = {
    {"format", 0, Takes::value, "FORM", "text, json or github (text)"},
    {"deny-warnings", 0, Takes::nothing, "", "warnings count as errors"},
};

constexpr OptionSpec apply_options[] = {
    {"dry-run", 0, Takes::nothing, "", "show what would change"},
    {"force", 0, Takes::nothing, "", "overwrite what was edited on the server"},
    {"adopt", 0, Takes::nothing, "", "write what was edited on the server into the files first"},
    {"keep", 0, Takes::nothing, "", "do not archive records that are no longer in the files"},
    {"exit-code", 0, Takes::nothing, "", "with --dry-run: exit with 1 if something would change"},
};

constexpr VerbSpec rows[] = {
    {"init",
     "[DIR]",
     "write a first suite",
     "Without options it asks at a terminal; elsewhere it writes the demo.",
     1,
     {init_options},
     init_verb},
    {"run",
     "[PATH...]",
     "play the tests of a suite, report and decide",
     "PATH is a file, a folder or FILE:LINE; without one, parley.yaml is searched for here and in "
     "the parent folders. Without --server the server runs in this process and keeps its data in .parley/.",
     1'000,
     {run_options, rule_options, dialect_options, variable_options},
     run_verb},
    {"watch",
     "[PATH...]",
     "rerun changed tests whenever a file is saved",
     "Plays everything once. After each change it plays the tests that changed and those that did not pass. "
     "Keys: "
     "Enter reruns the last selection, a all tests, f those that did not pass; v shows the page, q quits.",
     1'000,
     {run_options, rule_options, dialect_options, variable_options},
     watch_verb},
    {"validate",
     "[PATH...]",
     "check suite files, offline",
     "",
     1'000,
     {validate_options, variable_options},
     validate_verb},
    {"schema", "", "print the JSON Schema of suite files", "", 0, {}, schema_verb},
    {"apply",
     "[PATH...]",
     "store the records of the files on a server",
     "",
     1'000,
     {apply_options, variable_options},
     apply_verb},
    {"diff",
     "[PATH...]",
     "show what apply would change",
     "",
     1'000,
     {apply_options, variable_options},
     diff_verb},
    {"demo",
     "",
     "play a built-in suite against a built-in chatbot",
     "One test fails on purpose. The exit code is 0 nevertheless.",
     0,
     {demo_options, run_options, rule_options, dialect_options},
     demo_verb},
    {"compare",
     "A B",
     "compare two runs, or two results",
     "A and B are runs, results or @FILE.jsonl.",
     2,
     {},
     compare_verb,
     true},
    {"view", "[RUN]", "open the page of a run in a browser", "", 1, {view_options}, view_verb},
    {"tail", "[RUN|RESULT]", "follow a run or a conversation", "", 1, {tail_options}, tail_verb},
    {"chat", "AGENT", "talk to an agent as its tester", "", 1, {}, chat_verb},
    {"agent",
     "check|serve [NAME]",
     "probe an agent, or run a LOCAL agent for a shared server",
     "",
     2,
     {agent_options},
     agent_verb},
    {"convert",
     "PATH...",
     "read tests and logs of other tools into files of parley",
     "Writes PATH.parley.yaml and PATH.logs.jsonl, and a report of what was lost. Works offline and runs no "
     "code.",
     10'000,
     {reading_options, converting_options},
     convert_verb},
    {"import",
     "FILE...",
     "store logs and suites, or convert files of other tools and store them",
     "With --from, converts the files first. Without it, FILE must be an output of convert.",
     10'000,
     {reading_options, import_options},
     import_verb},
    {"mcp",
     "",
     "serve the Model Context Protocol to a coding agent",
     "Reads messages on standard input and answers on standard output. The tools list and play tests, wait "
     "for runs, "
     "and show results, verdicts and comparisons. Without a server, the suite of the project is applied to "
     "its "
     "local data first.",
     0,
     {variable_options},
     mcp_verb},
    {"completion", "bash|zsh|fish", "print a completion script", "", 1, {}, completion_verb},
    {"ls",
     "[runs|tests|agents|scenarios|personas|logs|schedules|groups]",
     "list records of the server",
     "",
     1,
     {ls_options},
     ls_verb,
     true},
    {"results", "[RUN]", "list the results of a run", "", 1, {ls_options}, results_verb, true},
    {"show",
     "[RUN|RESULT|TEST]",
     "show a run, a result with its conversation, or a test",
     "RUN is an id, the beginning of one, last or last~N. In a conversation, a numbered bar marks what an "
     "assertion quotes.",
     1,
     {show_options},
     show_verb,
     true},
    {"gate",
     "[RUN...|FILE.jsonl...]",
     "decide whether a release may go out",
     "",
     1'000,
     {rule_options, gate_options, stored_rule_options, dialect_options},
     gate_verb},
    {"report",
     "FILE.jsonl...",
     "join the reports of shards into any report, and decide",
     "",
     10'000,
     {rule_options, gate_options, dialect_options},
     report_verb},
    {"export",
     "[RUN|tests|agents|scenarios|logs]",
     "write a run as a report, or records as JSON",
     "",
     1,
     {export_options, dialect_options},
     export_verb},
    {"retry",
     "[RUN]",
     "retry results that failed for reasons other than the agent",
     "",
     1,
     {retry_options},
     retry_verb},
    {"cancel", "[RUN]", "cancel a run and all its unfinished results", "", 1, {}, cancel_verb},
    {"rescore",
     "[RUN]",
     "score stored conversations again with the current assertions",
     "",
     1,
     {rescore_options},
     rescore_verb},
    {"review", "RESULT", "find out whether a result was a valid trial", "", 1, {review_options}, review_verb},
    {"clean", "", "delete runs from the local data of the project", "", 0, {clean_options}, clean_verb},
    {"login",
     "URL",
     "store the key of a server, read from PARLEY_KEY or standard input",
     "",
     1,
     {},
     login_verb},
    {"logout", "", "forget the key of a profile", "", 0, {}, logout_verb},
    {"whoami", "", "show which server a command would use", "", 0, {whoami_options}, whoami_verb},
    {"switchover",
     "",
     "let another node of a cluster lead",
     "--server is any node of the cluster, and the key an admin's. Prints the address and the term of the "
     "new leader.",
     0,
     {switchover_options},
     switchover_verb},
    {"help", "[COMMAND]", "show the commands, or the options of one", "", 1, {help_options}, help_verb},
    {"version", "", "show the version", "", 0, {}, version_verb},
    {"__complete", "", "names for the completion scripts", "", 1'000, {}, complete_verb},
};

}  // namespace

std::span<const VerbSpec> verbs() {
  return rows;
}

}  // namespace parley::client
