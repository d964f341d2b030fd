#include "client/report/reporters.hpp"

#include <gtest/gtest.h>

#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "model/json/json.hpp"

namespace parley::client {
namespace {

AssertionRow failed_must() {
  return {"a1",       "names the price",
          "contains", AssertionLevel::must,
          "failed",   "expected \"4.50\"; found \"5.20\"",
          {"e2"},     5};
}

ResultRow row(const std::string& id, CaseState state) {
  ResultRow result;
  result.id = id;
  result.run = "r1";
  result.test = "price";
  result.name = "Knows the price";
  result.scenario = "Menu";
  result.agent = "shop";
  result.file = "coffee.yaml";
  result.line = 7;
  result.state = state;
  result.turns = 1;
  result.seconds = 0.25;
  return result;
}

Report small_report() {
  Report report;
  report.parley = "0.2.0";
  report.project = "coffee";
  report.started_at = "2026-11-25T12:00:00.000Z";
  report.decision = Decision::red;
  report.exit = 1;
  report.reasons = {"pass rate 0.50 is below 1"};
  report.runs = {{"r1", "shop", "Menu", "completed", 0.5, {0.1, 0.9}, 1}};
  report.results = {row("0198-a", CaseState::passed), row("0198-b", CaseState::failed)};
  report.results[1].assertions = {failed_must()};
  report.results[1].repetition = 2;
  report.results[1].transcript = {{"e1", "message", "tester", "What is it?", "{}", 0},
                                  {"e2", "message", "chatbot", "It is 5.20", "{}", 0}};
  return report;
}

TEST(ReportJson, reads_back_what_it_wrote_as_document_and_as_lines) {
  Report report = small_report();
  const auto from_document = read_report(report_document(report));
  const auto from_lines = read_report(jsonl_report(report, {}));
  ASSERT_TRUE(from_document && from_lines);
  report.results[1].transcript.clear();
  EXPECT_EQ(*from_document, report);
  EXPECT_EQ(*from_lines, report);
}

TEST(ReportJson, notes_what_a_file_that_was_cut_off_lacks) {
  const std::string whole = jsonl_report(small_report(), {});
  const std::string second = whole.substr(whole.find('\n') + 1);
  const auto without_end = read_report(whole.substr(0, whole.find('\n') + 1));
  const auto without_first = read_report(second, *read_report(whole));
  ASSERT_TRUE(without_end && without_first);
  EXPECT_EQ(
      without_end->gaps,
      std::vector<std::string>{"no line has the type report: the file was cut off, or its run did not end"});
  EXPECT_EQ(without_first->gaps,
            std::vector<std::string>{"it has 1 of the 2 results that its report line counts"});
  EXPECT_TRUE(read_report(whole + whole)->gaps.empty()) << "two reports in one file";
}

TEST(ReportJson, names_a_shard_without_tests) {
  Report report;
  report.parley = "0.2.0";
  report.decision = Decision::green;
  report.empty_parts = {"shard 2/3"};
  const auto read = read_report(report_document(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->empty_parts, report.empty_parts);
}

TEST(ReportJson, notes_that_a_file_was_cut_off_within_a_line) {
  const std::string whole = jsonl_report(small_report(), {});
  const std::size_t first = whole.find('\n') + 1;
  const auto without_end = read_report(whole.substr(0, first + 20));
  ASSERT_TRUE(without_end) << without_end.problem().detail;
  EXPECT_EQ(without_end->results.size(), 1U);
  EXPECT_EQ(
      without_end->gaps,
      std::vector<std::string>{"no line has the type report: the file was cut off, or its run did not end"});
  const auto after_end = read_report(whole + whole.substr(0, 20));
  ASSERT_TRUE(after_end) << after_end.problem().detail;
  EXPECT_EQ(after_end->gaps, std::vector<std::string>{"its last line was cut off"});
}

/// A result with a failed must, which is undecided because another must has no verdict.
ResultRow undecided_row() {
  ResultRow result = row("0198-c", CaseState::undecided);
  result.assertions = {failed_must(),
                       {"a2", "is polite", "criteria", AssertionLevel::must, "error", "no answer", {}, 5}};
  return result;
}

TEST(Reporters, show_the_failed_must_of_an_undecided_result) {
  Report report = small_report();
  report.results = {undecided_row()};
  EXPECT_EQ(why(report.results.front()),
            "must \"names the price\": expected \"4.50\"; found \"5.20\"; not decided: must \"is polite\": "
            "no answer");
  EXPECT_EQ(why_open(report.results.front()), "must \"is polite\": no answer");
  const std::string xml = junit_report(report, {});
  EXPECT_NE(xml.find("<error message=\"must &quot;names the price&quot;"), std::string::npos) << xml;
}

TEST(Reporters, call_cases_of_a_running_run_live) {
  Report report = small_report();
  report.results[1].state = CaseState::missing;
  EXPECT_NE(sentence_of(report).find("1 not played"), std::string::npos);
  report.runs[0].status = "running";
  EXPECT_NE(sentence_of(report).find("1 live"), std::string::npos) << sentence_of(report);
}

/// A report whose only warnings belong to a passed result and to a failed one.
Report warned_report() {
  Report report = small_report();
  report.results[0].warnings = {{"script_unfinished", "2 of 3 lines | were played."}};
  report.results[1].warnings = {{"empty_answers", "1 chatbot turn"}};
  return report;
}

TEST(ReportJson, keeps_the_warnings_of_every_result) {
  Report report = warned_report();
  const auto read = read_report(report_document(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->results[0].warnings, report.results[0].warnings);
  EXPECT_EQ(read->results[1].warnings, report.results[1].warnings);
  EXPECT_EQ(report_document(small_report()).find("warnings"), std::string::npos);
}

TEST(Reporters, show_the_warnings_of_what_passed) {
  const Report report = warned_report();
  const std::string xml = junit_report(report, {});
  EXPECT_NE(xml.find("<system-out>warning: 2 of 3 lines | were played."), std::string::npos) << xml;
  const std::string annotations = github_report(report, {});
  EXPECT_NE(annotations.find("::warning file=coffee.yaml,line=7,title="), std::string::npos) << annotations;
  EXPECT_NE(annotations.find("::2 of 3 lines | were played.\n"), std::string::npos) << annotations;
  const std::string summary = markdown_report(report, {});
  EXPECT_NE(summary.find("- warning: Knows the price · shop&#58; 2 of 3 lines &#124; were played&#46;"),
            std::string::npos)
      << summary;
  for (const std::string& each : {xml, annotations, summary})
    EXPECT_EQ(each.find("1 chatbot turn"), std::string::npos) << each;
}

TEST(ReportJson, joins_shards_into_one_report) {
  const std::string lines = jsonl_report(small_report(), {});
  const auto joined = read_report(lines + lines);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->results.size(), 4u);
  EXPECT_EQ(counts_of(joined->results).failed, 2);
}

TEST(ReportJson, names_the_line_that_is_malformed) {
  const auto read = read_report("{\"type\": \"run\"}\n[1]\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.problem().detail, "line 2: must be a JSON object");
}

TEST(Junit, has_at_most_twelve_nodes_a_case) {
  const std::string xml = junit_report(small_report(), {});
  EXPECT_NE(xml.find("<testcase classname=\"coffee.Menu\" name=\"Knows the price #2\" time=\"0.250\" "
                     "file=\"coffee.yaml\" line=\"7\">"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<failure message="), std::string::npos);
  EXPECT_EQ(xml.find("<error"), std::string::npos);
}

TEST(Junit, leaves_out_places_for_strict_schemas_and_shows_flaky_tests_to_surefire) {
  ReportOptions options;
  options.junit_dialect = "jenkins";
  EXPECT_EQ(junit_report(small_report(), options).find("line="), std::string::npos);
  options.junit_dialect = "surefire";
  const std::string xml = junit_report(small_report(), options);
  EXPECT_NE(xml.find("<flakyFailure "), std::string::npos) << xml;
  EXPECT_EQ(xml.find("<failure "), std::string::npos);
}

TEST(Junit, calls_a_fault_an_error_of_its_source) {
  Report report = small_report();
  report.results[1].state = CaseState::fault;
  report.results[1].fault = CaseFault{"agent", "timeout", "no answer\x01 within 30 s"};
  const std::string xml = junit_report(report, {});
  EXPECT_NE(xml.find("type=\"agent\""), std::string::npos);
  EXPECT_NE(xml.find("no answer\\x01 within"), std::string::npos) << "a character that XML forbids";
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
}

TEST(Csv, disarms_formulas_and_quotes_separators) {
  Report report = small_report();
  report.results[0].name = "=HYPERLINK(\"x\")";
  report.results[1].name = "a,b";
  const std::string csv = csv_report(report, {});
  EXPECT_NE(csv.find("\"'=HYPERLINK(\"\"x\"\")\""), std::string::npos) << csv;
  EXPECT_NE(csv.find(",\"a,b\","), std::string::npos);
}

TEST(Github, points_at_the_line_of_the_test_and_escapes_commands) {
  Report report = small_report();
  report.results[1].assertions[0].reason = "found \"::add-mask::x\"\n::error::y";
  const std::string text = github_report(report, {});
  EXPECT_TRUE(text.starts_with("::error file=coffee.yaml,line=7,title=Knows the price · shop%3A 1/2::"))
      << text;
  EXPECT_EQ(text.find("\n::error::y"), std::string::npos);
}

TEST(Github, shows_nine_and_a_count) {
  Report report = small_report();
  report.results.clear();
  for (int i = 0; i < 21; ++i) {
    report.results.push_back(row("id" + std::to_string(i), CaseState::failed));
    report.results.back().test = "t" + std::to_string(i);
    report.results.back().name = "Test " + std::to_string(i);
  }
  const std::string text = github_report(report, {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_NE(text.find("12 more in the summary"), std::string::npos);
}

TEST(Html, runs_nothing_and_escapes_what_the_agent_said) {
  Report report = small_report();
  report.results[1].transcript[1].text = "<script>alert(1)</script>\x1b[31m";
  const std::string html = html_report(report, {});
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
}

TEST(Markdown, keeps_text_of_agents_from_being_markup) {
  Report report = small_report();
  report.results[1].assertions[0].reason = "@admin ![x](http://evil) <b>";
  const std::string text = markdown_report(report, {});
  EXPECT_EQ(text.find("![x]"), std::string::npos);
  EXPECT_EQ(text.find("@admin"), std::string::npos);
  EXPECT_EQ(text.find("<b>"), std::string::npos);
}

TEST(Sentences, name_what_each_party_cost_with_the_digits_of_the_sum) {
  Report report = small_report();
  report.usd = {0.40, 0.05, 0.07};
  EXPECT_TRUE(sentence_of(report).ends_with(" $0.52 (agent 0.40, tester 0.05, judge 0.07)"))
      << sentence_of(report);
  report.usd = {0.012, 0, 0};
  EXPECT_TRUE(sentence_of(report).ends_with(" $0.0120 (agent 0.0120, tester 0, judge 0)"))
      << sentence_of(report);
  EXPECT_EQ(money_of(2.014, 2), "$2.01 of 2.00");
  EXPECT_EQ(money_of(0.012, 0.008), "$0.0120 of 0.0080");
}

TEST(SafeText, escapes_what_moves_colors_or_reorders) {
  EXPECT_EQ(one_line("a\x1b]52;c;x\x07"
                     "b\r\nc\xC2\x9B"
                     "d\xE2\x80\xAE"),
            "a\\x1b]52;c;x\\x07b\\nc\\x9bd\\u202e");
  EXPECT_EQ(several_lines("a\r\nb\rc"), "a\nb\\x0dc");
  EXPECT_EQ(one_line("\xFFx"), "\xEF\xBF\xBDx");
}

TEST(SafeText, leaves_no_command_of_a_ci_system) {
  EXPECT_EQ(one_line("x ##[add-mask]s ##vso[task.x]y"), "x #\\x23[add-mask]s #\\x23vso[task.x]y");
  EXPECT_EQ(several_lines("###[a]\n##teamcity[b]"), "##\\x23[a]\n#\\x23teamcity[b]");
  for (const char* harmless : {"## [a]", "# [a]", "##", "##a", "[a] #[b]"})
    EXPECT_EQ(one_line(harmless), harmless);
}

TEST(SafeText, escapes_each_invisible_character_but_those_that_languages_need) {
  for (const char* hidden : {"\u200b", "\u200e", "\u200f", "\u061c", "\u202a", "\u2028", "\u2029", "\u2060",
                             "\u2065", "\u2066", "\u2069", "\ufeff", "\ue000", "\U000e0041"})
    EXPECT_EQ(one_line(hidden).front(), '\\') << hidden;
  for (const char* shown : {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001F469\u200d\U0001F4BB",
                            "\U0001FAFF", "\u0378"})
    EXPECT_EQ(one_line(shown), shown);
}

TEST(SafeText, fits_by_columns_and_not_by_bytes) {
  EXPECT_EQ(fitted("日本語テスト", 7), "日本語…");
  EXPECT_EQ(fitted("abcdef", 5, false), "ab...");
  EXPECT_EQ(columns_of(padded("é", 4)), 4u);
  EXPECT_EQ(in_ascii("a · b ✓ ✗ é"), "a - b + x ?");
}

TEST(ReporterChoice, reads_name_variant_and_file) {
  EXPECT_EQ(*reporter_choice("junit:out/parley.xml"), (ReporterChoice{"junit", "", "out/parley.xml"}));
  EXPECT_EQ(*reporter_choice("csv:assertions:a.csv"), (ReporterChoice{"csv", "assertions", "a.csv"}));
  EXPECT_EQ(*reporter_choice("csv:assertions"), (ReporterChoice{"csv", "assertions", ""}));
  EXPECT_EQ(*reporter_choice("json:-"), (ReporterChoice{"json", "", ""})) << "standard output";
  EXPECT_FALSE(reporter_choice("xml"));
  EXPECT_FALSE(reporter_choice("json:"));
}

}  // namespace
}  // namespace parley::client
