// The table of types, the checks of assertions, and the score.

#include <fstream>
#include <set>
#include <sstream>

#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

AssertionResult ended(AssertionStatus status, Severity severity, std::optional<std::int64_t> weight = {}) {
  AssertionResult result;
  result.status = status;
  result.assertion.severity = severity;
  result.assertion.weight = weight;
  return result;
}

constexpr auto skipped = AssertionStatus::skipped;
constexpr auto blocker = Severity::blocker;
constexpr auto major = Severity::major;
constexpr auto minor = Severity::minor;

TEST(Assertions, get_an_id_and_the_weight_of_their_severity_where_they_have_none_D30) {
  std::vector<Assertion> given(4);
  given[0].severity = blocker;
  given[0].id = "mine";
  given[2].severity = minor;
  given[3].weight = 0;
  RandomIds ids;
  complete(given, Time{1}, ids);
  EXPECT_EQ(given[0].id, "mine");
  std::vector<std::int64_t> weights;
  for (const Assertion& each : given) {
    EXPECT_FALSE(each.id.empty());
    weights.push_back(each.weight.value_or(-1));
  }
  EXPECT_EQ(weights, (std::vector<std::int64_t>{5, 5, 1, 0}));
}

TEST(Kinds, are_sorted_and_complete_D31) {
  std::vector<std::string_view> names;
  for (const Kind* kind : kinds()) names.push_back(kind->name);
  const std::vector<std::string_view> wanted{
      "action-invoked", "action-offered", "assert-set",    "contains",     "contains-all", "contains-any",
      "cost",           "criteria",       "end-reason",    "ends-with",    "equals",       "event-recorded",
      "icontains",      "is-json",        "json",          "json-schema",  "levenshtein",  "max-length",
      "max-turns",      "min-length",     "min-turns",     "no-loop",      "regex",        "response-time",
      "rouge",          "starts-with",    "tokens",        "tool-called",  "tool-f1",      "tool-not-called",
      "tool-order",     "tool-set",       "tools-allowed", "tools-denied", "wildcard",     "word-count"};
  EXPECT_EQ(names, wanted);
  for (const std::string_view name : wanted) EXPECT_EQ(find_kind(name)->name, name);
  EXPECT_EQ(find_kind("contain"), nullptr);
  EXPECT_EQ(find_kind("zzz"), nullptr);
  EXPECT_EQ(find_kind(""), nullptr);
}

TEST(Kinds, list_each_key_once_with_a_sentence) {
  for (const Kind* kind : kinds()) {
    EXPECT_TRUE(kind->summary.ends_with(".")) << kind->name;
    std::set<std::string_view> seen;
    for (const ConfigKey& key : config_keys(*kind)) {
      EXPECT_TRUE(seen.insert(key.name).second) << kind->name << " " << key.name;
      EXPECT_TRUE(key.sentence.ends_with(".")) << kind->name << " " << key.name;
    }
  }
}

/// The number of faults at the key itself if its value is `word`, or a list of it.
std::size_t faults_of_word(const Kind& kind, const ConfigKey& key, std::string_view word) {
  const bool is_list = key.type != ConfigType::text;
  const std::string value = '"' + std::string(word) + '"';
  Assertion assertion;
  assertion.type = kind.name;
  assertion.config =
      json::Text{"{\"" + std::string(key.name) + "\":" + (is_list ? "[" + value + "]" : value) + "}"};
  Findings findings;
  check_assertions(std::span(&assertion, 1), "", findings);
  const std::string pointer = "/0/config/" + std::string(key.name) + (is_list ? "/0" : "");
  return static_cast<std::size_t>(
      std::count_if(findings.faults.begin(), findings.faults.end(),
                    [&](const Fault& fault) { return fault.pointer == pointer; }));
}

TEST(Kinds, accept_only_the_keywords_of_a_key_or_a_placeholder_D22_D31) {
  std::size_t keys = 0;
  for (const Kind* kind : kinds()) {
    for (const ConfigKey& key : config_keys(*kind)) {
      if (key.words.empty()) continue;
      ++keys;
      for (const std::string_view word : key.words)
        EXPECT_EQ(faults_of_word(*kind, key, word), 0U) << kind->name << " " << key.name << " " << word;
      EXPECT_EQ(faults_of_word(*kind, key, "a {{word}}"), 0U) << kind->name << " " << key.name;
      for (const std::string_view word : {"", "nonsense", "ANY", "{{ }}"})
        EXPECT_EQ(faults_of_word(*kind, key, word), 1U) << kind->name << " " << key.name << " " << word;
    }
  }
  EXPECT_GT(keys, 25U);
}

TEST(Kinds, are_all_described_in_the_docs) {
  std::ifstream file(PARLEY_SOURCE_DIR "/docs/assertions.md");
  std::stringstream read;
  read << file.rdbuf();
  const std::string page = read.str();
  ASSERT_FALSE(page.empty());
  for (const Kind* kind : kinds()) {
    const auto begin = page.find("\n## " + std::string(kind->name) + "\n");
    ASSERT_NE(begin, std::string::npos) << "docs/assertions.md has no section on " << kind->name;
    const std::string section = page.substr(begin + 1, page.find("\n## ", begin + 1) - begin);
    for (const ConfigKey& key : kind->keys) {
      EXPECT_NE(section.find("`" + std::string(key.name) + "`"), std::string::npos)
          << kind->name << " " << key.name;
    }
    EXPECT_NE(section.find("\"type\": \"" + std::string(kind->name) + "\""), std::string::npos) << kind->name;
  }
}

TEST(Kinds, are_all_listed_in_the_vocabulary) {
  std::ifstream file(PARLEY_SOURCE_DIR "/docs/vocabulary.md");
  std::stringstream read;
  read << file.rdbuf();
  const std::string page = read.str();
  for (const Kind* kind : kinds()) {
    EXPECT_NE(page.find("`" + std::string(kind->name) + "`"), std::string::npos)
        << "docs/vocabulary.md has no row on " << kind->name;
  }
}

TEST(Kinds, examples_in_the_docs_have_no_faults) {
  std::ifstream file(PARLEY_SOURCE_DIR "/docs/assertions.md");
  int examples = 0;
  bool in_example = false;
  std::string text;
  for (std::string line; std::getline(file, line);) {
    if (line == "```json") {
      in_example = true;
      text.clear();
    } else if (line == "```" && in_example) {
      in_example = false;
      ++examples;
      const auto document = json::parse(text);
      ASSERT_TRUE(document.ok()) << text;
      Findings findings;
      findings.strict = true;
      std::vector<Assertion> read(1);
      Parser parser(document.value().root(), ParseMode::create, "", findings);
      Assertion::describe(read[0], parser);
      parser.finish();
      check_assertions(read, "", findings);
      EXPECT_TRUE(findings.faults.empty())
          << text << findings.faults.front().pointer << " " << findings.faults.front().detail;
    } else if (in_example) {
      text += line + "\n";
    }
  }
  EXPECT_GE(examples, static_cast<int>(kinds().size()));
}

TEST(CheckAssertions, reports_all_faults_with_pointers_D3) {
  std::vector<Assertion> list{assertion("contains", R"({"value":"a"})"), assertion("magic", "{}"),
                              assertion("criteria", ""), assertion("regex", R"({"pattern":"(","x":1})"),
                              assertion("tool-not-called", "")};
  list[0].id = "a/b";
  Findings findings;
  check_assertions(list, "/assertions", findings);
  std::vector<std::string> pointers;
  for (const Fault& fault : findings.faults) pointers.push_back(fault.pointer);
  EXPECT_EQ(pointers,
            (std::vector<std::string>{"/assertions/0/id", "/assertions/1/type", "/assertions/2/criteria",
                                      "/assertions/3/config/x", "/assertions/3/config/pattern",
                                      "/assertions/4/config/name"}));
}

TEST(CheckAssertions, refuses_a_duplicate_id_but_not_a_duplicate_name) {
  std::vector<Assertion> list(4, assertion("tool-not-called", R"({"name":"a"})"));
  for (Assertion& one : list) one.name = "same";
  list[1].id = "a-1";
  list[3].id = "a-1";
  Findings findings;
  check_assertions(list, "/assertionResults", findings);
  ASSERT_EQ(findings.faults.size(), 1u);
  EXPECT_EQ(findings.faults[0].pointer, "/assertionResults/3/id");
}

TEST(CheckAssertions, leaves_texts_with_placeholders_for_later_D22) {
  const std::vector<Assertion> list{assertion("contains", R"({"value":"a","scope":"turn:{{turn}}"})"),
                                    assertion("end-reason", R"({"values":["{{ reason }}"]})"),
                                    assertion("regex", R"({"pattern":"({{pattern}}"})")};
  Findings findings;
  check_assertions(list, "", findings);
  EXPECT_TRUE(findings.faults.empty()) << findings.faults.front().pointer;
  for (const AssertionResult& result : judge({}, list)) EXPECT_EQ(result.status, in_error);

  const Assertion no_text = assertion("max-turns", R"({"value":"{{n}}"})");
  check_assertions({&no_text, 1}, "", findings);
  EXPECT_EQ(findings.faults.size(), 1u) << "a number cannot come from a text";
}

TEST(Judge, skips_criteria_and_says_how_to_have_them_judged_D33) {
  Assertion polite = assertion("criteria", "");
  polite.criteria = "The chatbot is polite.";
  const auto result = judge_one({}, polite);
  EXPECT_EQ(result.status, skipped);
  EXPECT_NE(result.reason.find("--judge-url"), std::string::npos);
  EXPECT_NE(result.reason.find("--judge-model"), std::string::npos);
  EXPECT_EQ(result.assertion, polite);
  expect_faults("criteria", {});
  polite.config = json::Text{R"({"negate":true})"};
  Findings findings;
  check_assertions({&polite, 1}, "", findings);
  EXPECT_EQ(findings.faults.at(0).pointer, "/0/config/negate");
}

TEST(Judge, gives_an_error_for_a_type_it_does_not_know) {
  EXPECT_EQ(judge_one({}, assertion("magic", "")).status, in_error);
  EXPECT_EQ(judge_one({}, assertion("contains", "[]")).status, in_error);
  EXPECT_EQ(judge_one({}, assertion("contains", "{")).status, in_error);
}

TEST(Judge, answers_in_the_order_of_the_assertions) {
  Builder made;
  made.chatbot("yes");
  const std::vector<Assertion> list{assertion("contains", R"({"value":"no"})"),
                                    assertion("contains", R"({"value":"yes"})")};
  const auto results = judge(made.subject(), list);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].status, failed);
  EXPECT_EQ(results[1].status, passed);
}

TEST(ScoreOf, weighs_passed_against_decided_D34) {
  struct ScoreRow {
    std::vector<AssertionResult> results;
    Score score;
  };
  const std::vector<ScoreRow> rows{
      {{}, {100, true, true}},
      {{ended(passed, major)}, {100, true, true}},
      {{ended(failed, major)}, {0, true, true, true}},
      {{ended(passed, blocker), ended(failed, major)}, {63, true, true, true}},    // 62.5, half up
      {{ended(passed, minor), ended(failed, minor, 199)}, {1, true, true, true}},  // 0.5, half up
      {{ended(passed, minor), ended(failed, minor, 200)}, {0, true, true, true}},
      {{ended(passed, minor), ended(failed, blocker)}, {17, false, true, true}},
      {{ended(passed, major), ended(skipped, major), ended(in_error, minor)}, {100, true, true}},
      {{ended(passed, major), ended(skipped, blocker)}, {100, false, false}},
      {{ended(passed, major), ended(in_error, blocker)}, {100, false, false}},
      {{ended(skipped, major)}, {0, true, false}},
      {{ended(passed, major, 0)}, {0, true, true}},
      {{ended(passed, major, 0), ended(passed, major, 1)}, {100, true, true}},
      {{ended(AssertionStatus::pending, blocker)}, {0, false, false}},
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(score_of(rows[i].results), rows[i].score) << "row " << i;
}

}  // namespace
}  // namespace parley::scoring
