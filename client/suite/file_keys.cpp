#include "client/suite/file_keys.hpp"

#include <algorithm>
#include <array>

namespace parley::client {
namespace {

using enum Shape;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> agent_kind_words{"http",   "openai",   "exec",
                                                           "github", "external", "demo"};
constexpr std::array<std::string_view, 1> none_words{"none"};
constexpr std::array<std::string_view, 4> field_words{"string", "number", "boolean", "select"};
constexpr std::array<std::string_view, 2> method_words{"POST", "PUT"};
constexpr std::array<std::string_view, 2> role_words{"tester", "chatbot"};
constexpr std::array<std::string_view, 1> snapshot_words{"tools"};
constexpr std::array<std::string_view, 4> set_words{"strict", "unordered", "subset", "superset"};

constexpr FileKey must_key{"must", assertions, "What may fail the test."};
constexpr FileKey should_key{"should", assertions, "What costs points if it does not hold."};
constexpr FileKey could_key{"could", assertions, "What costs a few points if it does not hold."};
constexpr FileKey persona_key{"persona", text, "Name of the persona that the tester plays."};
constexpr FileKey fields_key{"fields", mapping, "Values of the fields, which `{{name}}` puts into texts."};
constexpr FileKey repeat_key{"repeat", whole, "How many times each case is played.", nullptr, false,
                             1,        1'000};
constexpr FileKey max_turns_key{"max-turns", whole, "Highest number of tester turns.", nullptr, false,
                                1,           10'000};
constexpr FileKey tags_key{"tags", names, "Words to select by."};
constexpr FileKey enabled_key{"enabled", flag, "`false`: not played."};
constexpr FileKey script_key{"script", file_text, "What the tester says, line by line."};
constexpr FileKey goal_key{"goal", file_text, "What a model that plays the tester wants to reach."};

constexpr FileKey agents_by_name_key{"agents", sections_by_name, "The chatbots under test, by name.",
                                     &sections::agent};
constexpr FileKey personas_by_name_key{"personas", sections_by_name,
                                       "Personas that the tester can play, by name.", &sections::persona};
constexpr FileKey tests_key{"tests", Shape::sections, "The tests.", &sections::test};
constexpr FileKey field_definitions_key{"fields", sections_by_name, "Definitions of the fields of the tests.",
                                        &sections::field};

constexpr std::array suite_keys{
    FileKey{"version", whole, "Version of the format: 1.", nullptr, true, 1, 1},
    FileKey{"project", slug, "The project that owns the records of this suite.", nullptr, true},
    FileKey{"name", text, "The display name of the suite."},
    FileKey{"include", name_or_names, "Globs of files with `tests`, `agents` and `personas`."},
    FileKey{"tester", section_or_word, "The model that plays the tester.", &sections::model, false, 0,
            INT64_MAX, none_words},
    FileKey{"judge", section_or_word, "The model that decides `criteria`.", &sections::model, false, 0,
            INT64_MAX, none_words},
    agents_by_name_key,
    personas_by_name_key,
    FileKey{"defaults", section, "Settings that every test inherits.", &sections::defaults},
    FileKey{"scenario", text, "Name of the scenario of `tests`; the project's name if absent."},
    field_definitions_key,
    tests_key,
    FileKey{"scenarios", sections_by_name,
            "Several scenarios by name, in place of `scenario`, `fields` and `tests`.", &sections::scenario},
    FileKey{"matrix", section, "Which combinations are played.", &sections::matrix},
    repeat_key,
    FileKey{"concurrency", whole, "Concurrent conversations.", nullptr, false, 1, 100'000},
    FileKey{"seed", whole, "Seed of the order, and of models that accept one."},
    FileKey{"gate", section, "When a run is green.", &sections::gate},
    FileKey{"reporters", names, "Default reporters, in the form of `--reporter`."},
    FileKey{"renamed", texts_by_name, "Keys that changed, old to new, so that records keep their history."},
};
constexpr std::array included_keys{
    FileKey{"version", whole, "Version of the format: 1.", nullptr, false, 1, 1}, agents_by_name_key,
    personas_by_name_key, tests_key};
constexpr std::array model_keys{
    FileKey{"url", text, "Base URL of an OpenAI-compatible endpoint.", nullptr, true},
    FileKey{"model", text, "Name of the model.", nullptr, true},
    FileKey{"key", secret, "The key of the endpoint, from a variable or a file."},
    FileKey{"parameters", mapping, "Further keys of each request."},
    FileKey{"timeout", duration, "Time limit of one call.", nullptr, false, 1, 600'000},
};
constexpr std::array agent_keys{
    FileKey{"http", text, "URL that gets each turn."},
    FileKey{"openai", text, "Base URL of an OpenAI-compatible endpoint."},
    FileKey{"exec", names, "Program and arguments, run on this machine."},
    FileKey{"github", text, "`owner/repo` of a workflow."},
    FileKey{"external", flag, "`true`: a client passes the messages."},
    FileKey{"demo", flag, "`true`: the built-in shop assistant."},
    FileKey{"headers", texts_by_name, "Headers of each call.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"secrets",
            secrets_by_name,
            "Headers or keys, from variables or files.",
            nullptr,
            false,
            0,
            0,
            {},
            "http openai github"},
    FileKey{
        "timeout", duration, "Time limit of one turn.", nullptr, false, 1, 600'000, {}, "http openai exec"},
    FileKey{"retries", whole, "Repeats of a failed call.", nullptr, false, 0, 10, {}, "http openai exec"},
    FileKey{"method", word, "HTTP method of the call.", nullptr, false, 0, 0, method_words, "http"},
    FileKey{"request", any, "The body in the chatbot's own format.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"reply", any, "Where the parts of the answer are.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"query", mapping, "Query parameters of each call.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"stream", any, "How a streamed answer is read.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"oauth", mapping, "How the server fetches a token.", nullptr, false, 0, 0, {}, "http"},
    FileKey{"model", text, "Name of the model.", nullptr, false, 0, 0, {}, "openai"},
    FileKey{"system", file_text, "System message.", nullptr, false, 0, 0, {}, "openai"},
    FileKey{"tools", any, "Tool definitions, or `file:` of JSON.", nullptr, false, 0, 0, {}, "openai"},
    FileKey{"parameters", mapping, "Further keys of each request.", nullptr, false, 0, 0, {}, "openai"},
    FileKey{"workflow", text, "File name of the workflow.", nullptr, false, 0, 0, {}, "github"},
    FileKey{"ref", text, "Branch or tag; `main` if absent.", nullptr, false, 0, 0, {}, "github"},
    FileKey{"api-url", text, "API of a GitHub Enterprise server.", nullptr, false, 0, 0, {}, "github"},
    FileKey{"mode", any, "`session`, `turn` or `{pool: N}`.", nullptr, false, 0, 0, {}, "exec"},
    FileKey{"env", names, "Variables that the command gets.", nullptr, false, 0, 0, {}, "exec"},
    FileKey{"cwd", text, "Working directory, within the project.", nullptr, false, 0, 0, {}, "exec"},
    FileKey{"watch",
            name_or_names,
            "File globs; when a matching file changes, `watch` reruns the agent's tests.",
            nullptr,
            false,
            0,
            0,
            {},
            "exec"},
    FileKey{"knowledge", name_or_names, "What the chatbot may state as facts."},
    FileKey{"concurrency", whole, "Concurrent conversations.", nullptr, false, 1, 100'000},
};
constexpr std::array persona_keys{
    FileKey{"description", file_text, "Description of the persona."},
    FileKey{"instruction", file_text, "How it behaves."},
};
constexpr std::array field_keys{
    FileKey{"type", word, "Type of the value.", nullptr, true, 0, 0, field_words},
    FileKey{"options", names, "Values of a select."},
    FileKey{"required", flag, "Whether each test needs a value."},
    FileKey{"default", any, "Used where a test has no value."},
    FileKey{"label", text, "The display name of the field."},
};
constexpr std::array scenario_keys{
    FileKey{"description", file_text, "Description of the scenario."},
    field_definitions_key,
    FileKey{"agents", names, "Only these agents are played."},
    FileKey{"tests", Shape::sections, "The tests.", &sections::test, true},
};
constexpr std::array test_keys{
    FileKey{"name", text, "The display name of the test.", nullptr, true},
    FileKey{"key", slug,
            "Identifies the test; must stay when the name changes. Made from the name if absent."},
    FileKey{"description", file_text, "Description of the test."},
    script_key,
    goal_key,
    persona_key,
    fields_key,
    tags_key,
    repeat_key,
    enabled_key,
    max_turns_key,
    FileKey{"from-log", text, "External id of a conversation log that is played again."},
    must_key,
    should_key,
    could_key,
    FileKey{"snapshot", section_or_word, "Tool calls that an accepted run made.", &sections::snapshot, false,
            0, INT64_MAX, snapshot_words},
    FileKey{"variants", Shape::sections, "The test with changes.", &sections::variant},
    FileKey{"data", section, "A test for each row of a file.", &sections::data},
    FileKey{"metadata", mapping, "Any data to store with the test."},
    FileKey{"history", Shape::sections, "Messages before the first turn; no assertion counts them.",
            &sections::message},
};
constexpr std::array message_keys{
    FileKey{"role", word, "Whose message it is.", nullptr, true, 0, 0, role_words},
    FileKey{"content", text, "Its text.", nullptr, true},
};
constexpr std::array variant_keys{
    FileKey{"name", text, "The display name of the variant.", nullptr, true},
    FileKey{"key", slug, "Identifies the variant; made from the name if absent."},
    FileKey{"script", file_text, "Lines after those of the test."},
    FileKey{"goal", file_text, "Sentences after those of the test."},
    persona_key,
    fields_key,
    tags_key,
    repeat_key,
    enabled_key,
    max_turns_key,
    must_key,
    should_key,
    could_key,
};
constexpr std::array data_keys{
    FileKey{"file", text, "A CSV file with a header, or JSON Lines.", nullptr, true},
    FileKey{"key", text, "The column that identifies a row; its number if absent."},
};
constexpr std::array snapshot_keys{
    FileKey{"tools", word, "How calls are compared.", nullptr, true, 0, 0, set_words},
    FileKey{"ignore", names, "Tools whose calls do not count."},
};
constexpr std::array default_keys{persona_key, repeat_key, max_turns_key, must_key, should_key, could_key};
constexpr std::array matrix_keys{
    FileKey{"agent", name_or_names, "Agents; all if absent."},
    FileKey{"persona", name_or_names, "Personas of the tests that have none of their own; none if absent."},
    FileKey{"fields", mapping, "Lists of values by field; each combination is a variant."},
    FileKey{"exclude", Shape::sections, "Combinations that are not played.", &sections::cell},
    FileKey{"include", Shape::sections, "Combinations that are played in addition.", &sections::cell},
};
constexpr std::array cell_keys{
    FileKey{"agent", text, "Name of the agent."},
    FileKey{"persona", text, "Name of the persona."},
    FileKey{"test", text, "Key of the test."},
    fields_key,
};
constexpr std::array gate_keys{
    FileKey{"min-pass-rate", number, "Share of decided results that must pass.", nullptr, false, 0, 1},
    FileKey{"per-test", ratio, "Repetitions of each test that must pass: `4/5`."},
    FileKey{"min-score", number, "Lowest mean score.", nullptr, false, 0, 100},
    FileKey{"baseline", text, "A run, `last-green`, or a file of results; no test may be worse."},
    FileKey{"allow-open", flag, "Assertions may stay undecided."},
    FileKey{"allow-undecided", flag, "A test may be worse than the baseline if that may be chance."},
    FileKey{"max-cost", number, "Highest cost in USD."},
    FileKey{"max-time", duration, "Longest time."},
};
constexpr std::array assertion_keys{
    FileKey{"name", text, "A short name for people."},
    FileKey{"id", text, "Identifies the assertion; made from its position if absent."},
    FileKey{"weight", whole, "Share in the score.", nullptr, false, 0, 100},
    FileKey{"not", flag, "`true`: must not hold."},
};

constexpr std::array all_sections{
    &sections::suite,   &sections::included, &sections::model,    &sections::agent,     &sections::persona,
    &sections::field,   &sections::scenario, &sections::test,     &sections::assertion, &sections::variant,
    &sections::message, &sections::data,     &sections::snapshot, &sections::defaults,  &sections::matrix,
    &sections::cell,    &sections::gate};

}  // namespace

namespace sections {
constexpr FileSection suite{"suite", "a suite", "the file", suite_keys};
constexpr FileSection included{"included", "an included file", "a file of `include`", included_keys};
constexpr FileSection model{"model", "a model", "`tester`, `judge`", model_keys};
constexpr FileSection agent{"agent", "an agent", "`agents.NAME`", agent_keys};
constexpr FileSection persona{"persona", "a persona", "`personas.NAME`", persona_keys};
constexpr FileSection field{"field", "a field", "`fields.NAME`", field_keys};
constexpr FileSection scenario{"scenario", "a scenario", "`scenarios.NAME`", scenario_keys};
constexpr FileSection test{"test", "a test", "`tests[]`", test_keys};
constexpr FileSection variant{"variant", "a variant", "`tests[].variants[]`", variant_keys};
constexpr FileSection message{"message", "a message", "`tests[].history[]`", message_keys};
constexpr FileSection data{"data", "\"data\"", "`tests[].data`", data_keys};
constexpr FileSection snapshot{"snapshot", "\"snapshot\"", "`tests[].snapshot`", snapshot_keys};
constexpr FileSection defaults{"defaults", "\"defaults\"", "`defaults`", default_keys};
constexpr FileSection matrix{"matrix", "\"matrix\"", "`matrix`", matrix_keys};
constexpr FileSection cell{"cell", "a combination", "`matrix.exclude[]`, `matrix.include[]`", cell_keys};
constexpr FileSection gate{"gate", "\"gate\"", "`gate`", gate_keys};
constexpr FileSection assertion{"assertion", "an assertion", "an assertion, next to its type",
                                assertion_keys};
}  // namespace sections

const FileKey* find_key(const FileSection& section, std::string_view name) {
  const auto found = std::find_if(section.keys.begin(), section.keys.end(),
                                  [&](const FileKey& key) { return key.name == name; });
  return found == section.keys.end() ? nullptr : &*found;
}

std::span<const FileSection* const> file_sections() {
  return all_sections;
}

std::span<const std::string_view> agent_kinds() {
  return agent_kind_words;
}

}  // namespace parley::client
