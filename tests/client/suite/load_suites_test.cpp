// Compilation of suites: data rows, variants, matrix, defaults, and what is sent to the server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "client/suite/compiled_suite.hpp"
#include "model/json/json.hpp"

namespace parley::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Suites : public ::testing::Test {
 protected:
  Suites() { std::filesystem::create_directories(folder_); }
  ~Suites() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  CompiledSuite load(const std::string& text, const std::string& path = "parley.yaml") {
    write("parley.yaml", text);
    LoadOptions options;
    options.paths = {(folder_ / path).string()};
    options.environment = {{"TOKEN", "canary-secret"}};
    LoadedSuites loaded = load_suites(options);
    EXPECT_EQ(loaded.suites.size(), 1U) << source::report_of(loaded.faults, source::FaultFormat::text);
    return loaded.suites.empty() ? CompiledSuite{} : std::move(loaded.suites.front());
  }
  static std::vector<std::string> keys_of(const CompiledSuite& suite) {
    std::vector<std::string> keys;
    for (const CompiledTest& test : suite.tests) keys.push_back(test.record_key);
    return keys;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("parley-suites-" + std::to_string(::getpid()));
  const std::string head_ =
      "version: 1\nproject: coffee\nagents: {shop: {demo: true}, next: {external: true}}\n";
};

TEST_F(Suites, make_a_test_of_each_row) {
  write("rows.csv", "id,word\nx,hello\ny,bye\n");
  const CompiledSuite suite =
      load(head_ +
           "tests: [{name: Says, script: 'say: {{word}}', data: {file: rows.csv, key: id}, "
           "must: [{contains: a}]}]\n");
  EXPECT_THAT(keys_of(suite), ElementsAre("says--x", "says--y"));
  EXPECT_EQ(suite.tests[0].name, "Says #x");
  EXPECT_EQ(suite.tests[1].fields, R"({"id":"y","word":"bye"})");
  EXPECT_EQ(suite.cells.size(), 4U);
}

TEST_F(Suites, report_a_missing_file_of_variables_alone) {
  write("parley.yaml", head_ + "tests: [{name: '${A}', script: 'say: ${B}', must: [{contains: a}]}]\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  options.env_file = folder_ / "none.env";
  const LoadedSuites loaded = load_suites(options);
  ASSERT_EQ(loaded.faults.size(), 1U) << source::report_of(loaded.faults, source::FaultFormat::text);
  EXPECT_THAT(loaded.faults[0].message, HasSubstr("of --env-file"));
}

TEST_F(Suites, check_assertions_with_the_fields_of_each_row) {
  write("rows.csv", "id,word\nx,hello\ny,\n");
  write("parley.yaml", head_ +
                           "tests: [{name: Says, script: 'say: a', data: {file: rows.csv, key: id}, "
                           "must: [{contains: '{{word}}'}]}]\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  ASSERT_EQ(loaded.faults.size(), 1U) << source::report_of(loaded.faults, source::FaultFormat::text);
  EXPECT_EQ(loaded.faults[0].code, "assertion");
  EXPECT_THAT(loaded.faults[0].message, HasSubstr("contains: \"value\" must hold"));
  EXPECT_THAT(loaded.faults[0].message, HasSubstr("with the fields of \"Says #y\""));
}

TEST_F(Suites, include_a_file_once) {
  write("more.yaml", "tests: [{name: More, script: 'say: a', must: [{contains: a}]}]\n");
  EXPECT_THAT(keys_of(load(head_ + "include: [more.yaml, ./more.yaml]\n")), ElementsAre("more"));
}

TEST_F(Suites, report_a_missing_json_file_once) {
  write("parley.yaml",
        "version: 1\nproject: coffee\nagents: {a: {http: 'http://x', request: 'file:none.json'}}\n"
        "tests: [{name: A, script: 'say: a', must: [{json-schema: {pointer: '', schema: "
        "'file:none.json'}}]}]\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  for (const source::SourceFault& each : loaded.faults) EXPECT_EQ(each.code, "no-file") << each.message;
  EXPECT_FALSE(loaded.faults.empty());
}

TEST_F(Suites, are_not_included_by_their_own_globs) {
  write("more.yaml", "tests: [{name: More, script: 'say: a', must: [{contains: a}]}]\n");
  const CompiledSuite suite =
      load(head_ + "include: ['*.yaml']\ntests: [{name: One, script: 'say: a', must: [{contains: a}]}]\n");
  EXPECT_THAT(keys_of(suite), ElementsAre("one", "more"));
}

TEST_F(Suites, report_a_line_without_a_test) {
  const std::string text = head_ + "tests: [{name: One, script: 'say: a', must: [{contains: a}]}]\n";
  write("parley.yaml", text);
  for (const std::string line : {"0", "1", "99"}) {
    LoadOptions options;
    options.paths = {(folder_ / "parley.yaml").string() + ":" + line};
    const LoadedSuites loaded = load_suites(options);
    EXPECT_TRUE(loaded.suites.empty()) << line;
    EXPECT_THAT(source::report_of(loaded.faults, source::FaultFormat::text),
                HasSubstr("no test is at line " + line));
  }
}

TEST_F(Suites, report_files_that_cannot_be_read_where_they_are_named) {
  std::filesystem::create_symlink("loop", folder_ / "loop");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::string& file : {std::string("loop"), std::string("pipe"), std::string(300, 'n')}) {
    write("parley.yaml",
          head_ + "tests: [{name: One, script: 'file:" + file + "', must: [{contains: a}]}]\n");
    LoadOptions options;
    options.paths = {(folder_ / "parley.yaml").string()};
    const LoadedSuites loaded = load_suites(options);
    ASSERT_EQ(loaded.faults.size(), 1U) << file;
    EXPECT_EQ(loaded.faults.front().code, "no-file");
    EXPECT_EQ(loaded.faults.front().place.file->position(loaded.faults.front().place.at.begin).line, 4U);
  }
}

TEST_F(Suites, read_numbers_and_flags_from_quoted_variables) {
  const CompiledSuite suite =
      load(head_ +
           "tests: [{name: One, script: 'say: a', repeat: '${N:-3}', enabled: \"${ON:-true}\",\n"
           "  must: [{contains: '${N:-3}'}]}]\n");
  ASSERT_EQ(suite.tests.size(), 1U);
  EXPECT_EQ(suite.tests[0].repeat, 3);
  EXPECT_TRUE(suite.tests[0].is_enabled);
}

TEST_F(Suites, leave_out_only_the_snapshots_that_are_updated) {
  std::filesystem::create_directories(folder_ / "snapshots");
  for (const char* key : {"one", "two"})
    write("snapshots/" + std::string(key) + ".yaml", "calls: [{name: t}]\n");
  write("parley.yaml", head_ +
                           "tests: [{name: One, script: 'say: a', snapshot: tools},\n"
                           "  {name: Two, script: 'say: a', snapshot: tools}]\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  options.ignores_snapshot = [](const CompiledTest& test) { return test.key == "two"; };
  const LoadedSuites loaded = load_suites(options);
  ASSERT_EQ(loaded.suites.size(), 1U);
  const auto& tests = loaded.suites.front().tests;
  EXPECT_EQ(tests[0].assertions.front().type, "tool-set");
  EXPECT_EQ(tests[1].assertions.front().type, "max-turns");
}

TEST_F(Suites, give_names_in_other_scripts_different_keys) {
  const CompiledSuite suite = load(head_ +
                                   "tests:\n"
                                   "  - {name: Привет, script: 'say: a', must: [{contains: a}]}\n"
                                   "  - {name: 你好, script: 'say: a', must: [{contains: a}]}\n");
  EXPECT_THAT(keys_of(suite), ElementsAre("x-59773851", "x-eaf3ce22"));
}

TEST_F(Suites, lay_variants_over_their_test) {
  const CompiledSuite suite =
      load(head_ +
           "tests: [{name: One, script: 'say: a', fields: {a: 1, b: 2}, must: [{contains: x, name: n}],\n"
           "  variants: [{name: Two, fields: {b: 3}, script: 'say: b', must: [{contains: y, name: n}]}]}]\n");
  ASSERT_THAT(keys_of(suite), ElementsAre("one", "one--two"));
  EXPECT_EQ(suite.tests[1].variant, "Two");
  EXPECT_EQ(suite.tests[1].fields, R"({"b":3,"a":1})");
  EXPECT_THAT(suite.tests[1].instruction, HasSubstr("say: b"));
  ASSERT_EQ(suite.tests[1].assertions.size(), 1U);
  EXPECT_EQ(suite.tests[1].assertions[0].level, Level::must);
}

TEST_F(Suites, combine_agents_personas_and_fields) {
  const CompiledSuite suite =
      load(head_ +
           "personas: {p: {description: x}, q: {description: y}}\n"
           "tests: [{name: One, script: 'say: a', must: [{contains: x}]}]\n"
           "matrix: {persona: [p, q], fields: {city: [Oslo, Wien]}, exclude: [{agent: next, persona: q}]}\n"
           "repeat: 3\n");
  EXPECT_EQ(suite.cells.size(), 6U);
  EXPECT_EQ(suite.excluded, 2U);
  EXPECT_EQ(case_count(suite), 18);
}

TEST_F(Suites, play_included_fields_that_no_other_variant_has) {
  const CompiledSuite suite =
      load(head_ +
           "tests: [{name: One, script: 'say: {{size}}', must: [{contains: x}]},\n"
           "  {name: Two, script: 'say: {{size}}', must: [{contains: x}]}]\n"
           "matrix: {agent: shop, fields: {size: [x, y]}, include: [{agent: next, test: one},\n"
           "  {agent: next, test: one, fields: {size: z}}, {agent: shop, test: two, fields: {size: y}}]}\n");
  EXPECT_THAT(keys_of(suite), ElementsAre("one", "one--size-x", "one--size-y", "one--size-z", "two",
                                          "two--size-x", "two--size-y"));
  EXPECT_EQ(suite.tests[3].fields, R"({"size":"z"})");
  EXPECT_EQ(suite.tests[3].name, "One · size z");
  std::vector<std::string> played;
  for (const Cell& each : suite.cells) played.push_back(each.agent + " " + each.test);
  EXPECT_THAT(played,
              ElementsAre("shop one--size-x", "shop one--size-y", "shop two--size-x", "shop two--size-y",
                          "next one--size-x", "next one--size-y", "next one--size-z"));
}

TEST_F(Suites, include_fields_without_a_matrix_of_fields) {
  const CompiledSuite suite = load(head_ +
                                   "tests: [{name: One, script: 'say: a', fields: {size: x}, "
                                   "must: [{contains: x}]}]\n"
                                   "matrix: {agent: shop, include: [{agent: shop, fields: {size: z}}]}\n");
  EXPECT_THAT(keys_of(suite), ElementsAre("one", "one--size-z"));
  EXPECT_EQ(suite.cells.size(), 2U);
}

TEST_F(Suites, report_included_fields_that_no_row_has) {
  write("rows.csv", "id,word\nx,hello\n");
  const std::string text = head_ +
                           "tests: [{name: Says, script: 'say: {{word}}', data: {file: rows.csv, key: id}, "
                           "must: [{contains: a}]}]\n"
                           "matrix: {include: [{agent: shop, fields: {word: WORD}}]}\n";
  const auto with = [&](const std::string& word) {
    std::string changed = text;
    return changed.replace(changed.find("WORD"), 4, word);
  };
  EXPECT_EQ(load(with("hello")).cells.size(), 2U);
  write("parley.yaml", with("bye"));
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  ASSERT_EQ(loaded.faults.size(), 1U) << source::report_of(loaded.faults, source::FaultFormat::text);
  EXPECT_EQ(loaded.faults[0].code, "no-cases");
  EXPECT_EQ(loaded.faults[0].place.file->position(loaded.faults[0].place.at.begin).line, 5U);
}

TEST_F(Suites, keep_secrets_in_the_write_only_field) {
  const CompiledSuite suite = load(
      "version: 1\nproject: coffee\nagents: {a: {http: 'http://x', secrets: {T: 'Bearer ${TOKEN}'}}}\n"
      "tests: [{name: One, script: 'say: a', must: [{contains: x}]}]\n");
  EXPECT_THAT(suite.agents[0].config, Not(HasSubstr("canary")));
  EXPECT_EQ(suite.agents[0].secrets, R"({"T":"Bearer canary-secret"})");
  EXPECT_THAT(suite.secrets, ElementsAre("Bearer canary-secret"));
}

TEST_F(Suites, change_the_digest_with_what_is_played_and_not_with_the_name) {
  const auto digest = [&](const std::string& test) {
    return load(head_ + "tests: [{" + test + "}]\n").tests.at(0).digest;
  };
  const std::string first = digest("name: One, key: k, script: 'say: a', must: [{contains: x}]");
  EXPECT_EQ(digest("name: Two, key: k, script: 'say: a', must: [{contains: x}]"), first);
  EXPECT_NE(digest("name: One, key: k, script: 'say: b', must: [{contains: x}]"), first);
  EXPECT_NE(digest("name: One, key: k, script: 'say: a', must: [{contains: y}]"), first);
}

TEST_F(Suites, choose_the_test_of_a_line) {
  const CompiledSuite suite = load(head_ +
                                       "tests:\n  - {name: One, script: 'say: a', must: []}\n"
                                       "  - {name: Two, script: 'say: a', must: []}\n",
                                   "parley.yaml:6");
  EXPECT_FALSE(suite.tests[0].is_selected);
  EXPECT_TRUE(suite.tests[1].is_selected);
}

TEST_F(Suites, say_plain_lines_as_a_script) {
  const CompiledSuite suite = load(head_ + "tests: [{name: One, script: \"Hello\\nbye\", must: []}]\n");
  EXPECT_EQ(suite.tests[0].instruction, "say: \"Hello\"\nbye\n");
}

TEST_F(Suites, send_a_document_that_is_json) {
  const CompiledSuite suite =
      load(head_ + "tests: [{name: One, script: 'say: a', max-turns: 3, must: [{criteria: polite}]}]\n");
  const auto document = json::parse(suite.apply_document);
  ASSERT_TRUE(document.ok());
  const auto text = json::at_pointer(document->root(), "/scenarios/0/tests/0/instruction");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->string(), "max turns: 3\nsay: a");
  EXPECT_EQ(suite.pointers.at("/scenarios/0/tests/0").line, 4U);
}

TEST_F(Suites, says_once_that_repetitions_are_few) {
  write("parley.yaml", head_ +
                           "gate: {baseline: last-green}\ntests:\n"
                           "  - {name: One, script: 'say: a', must: [{contains: x}]}\n"
                           "  - {name: Two, script: 'say: a', must: [{contains: x}]}\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  ASSERT_EQ(loaded.faults.size(), 1U);
  EXPECT_EQ(loaded.faults.front().code, "few-repetitions");
}

TEST_F(Suites, warn_of_placeholders_without_a_field_and_of_lines_that_resemble_directives) {
  write("rows.csv", "id,order\na,1\nb,2\n");
  write("parley.yaml",
        head_ +
            "fields: {city: {type: string, default: Oslo}, order: {type: string}}\ntests:\n"
            "  - name: Known\n    script: 'say: Order {{order}} to {{city}}'\n"
            "    data: {file: rows.csv, key: id}\n    must: [{contains: '{{order}}'}]\n"
            "  - name: Rows\n    script: 'say: Order {{ordr}}'\n"
            "    data: {file: rows.csv, key: id}\n    must: [{contains: x}]\n"
            "  - {name: Text, script: 'say: a', must: [{contains: '{{price}}'}]}\n"
            "  - {name: Directive, script: \"say: a\\nSay: b\", must: [{contains: x}]}\n"
            "  - {name: Off, enabled: false, script: 'say: {{gone}}', must: [{contains: x}]}\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  std::vector<std::string> found;
  for (const auto& each : loaded.faults) found.push_back(each.code + ": " + each.message);
  ASSERT_EQ(found.size(), 3U) << ::testing::PrintToString(found);
  EXPECT_EQ(found[0], "unknown-field: No field gives a value for {{ordr}}, so it is left as written.");
  EXPECT_EQ(found[1], "unknown-field: No field gives a value for {{price}}, so it is left as written.");
  EXPECT_TRUE(found[2].starts_with("directive-lookalike: Said as written, although it resembles a directive"))
      << found[2];
}

TEST_F(Suites, reports_only_the_fault_itself_and_not_what_follows_from_it) {
  write("rows.csv", "id,q\n1\n");
  write("parley.yaml",
        head_ +
            "personas: {hasty: {description: x}}\ntests:\n"
            "  - {name: One, script: 'say: a', persona: hasti, must: [{contains: x}]}\n"
            "  - {name: Two, script: 'say: a', data: {file: rows.csv}, must: [{contains: x}]}\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const LoadedSuites loaded = load_suites(options);
  std::vector<std::string> codes;
  for (const auto& each : loaded.faults) codes.push_back(each.code);
  EXPECT_THAT(codes, ::testing::UnorderedElementsAre("undefined", "csv"));
}

TEST_F(Suites, shows_a_wrong_field_at_its_value_and_lists_the_options) {
  write("parley.yaml",
        head_ +
            "fields: {city: {type: select, options: [Oslo, Wien]}}\ntests:\n"
            "  - {name: One, script: 'say: a', fields: {city: Rom, citi: x}, must: [{contains: x}]}\n");
  LoadOptions options;
  options.paths = {(folder_ / "parley.yaml").string()};
  const std::string report = source::report_of(load_suites(options).faults, source::FaultFormat::text);
  EXPECT_THAT(report, HasSubstr("must be one of the options of the field: Oslo, Wien"));
  EXPECT_THAT(report, HasSubstr("field \"citi\" is not defined; did you mean \"city\"?"));
}

}  // namespace
}  // namespace parley::client
