#include "convert/exporting/exporting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/json/json.hpp"
#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

/// A log with everything that the formats can hold, as the API returns it.
constexpr std::string_view log_record =
    R"({"id":"1","externalId":"chat-7","metadata":{"system":"Be kind.","tools":[{"type":"function"}],"owner":{"a":[1]}},
"conversation":[{"id":"e0","type":"message","role":"chatbot","content":"Welcome."},
{"id":"e1","type":"message","role":"tester","content":"hi","metadata":{"lang":"en"}},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":{"q":1},"id":"c1","result":{"result":[1,2]},"error":"late"}},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":"5","result":"7"}},
{"type":"tool","role":"chatbot","name":"ping","metadata":{}},
{"type":"internal-event","role":"chatbot","name":"slot"},
{"type":"message","role":"chatbot","content":"One moment."},{"type":"message","role":"chatbot","content":"Done.","metadata":{"weight":0,"cost":0.1}},
{"type":"message","role":"tester","content":"bye"},{"type":"message","role":"chatbot","content":""}]})";

Node record_of(std::string_view text) {
  Faults faults;
  return *parse_json({"record", std::string(text)}, faults);
}

std::string exported(std::string_view format, ExportedKind kind, std::string_view record,
                     ExportReport& report) {
  auto exporter = find_export_format(format)->make({kind, false}, report);
  exporter->add(record_of(record));
  return exporter->finish();
}

bool same(const std::string& a, const std::string& b) {
  const auto one = json::parse(a);
  const auto other = json::parse(b);
  return one.ok() && other.ok() && json::equal(one->root(), other->root());
}

TEST(OpenAiExport, is_read_back_without_loss) {
  ExportReport report;
  const std::string text = exported("openai-jsonl", ExportedKind::logs, log_record, report);
  const Converted back = convert_text("openai-jsonl", "a.jsonl", text);
  ASSERT_EQ(back.prepared.faults, "");
  const Node log = record_of(back.logs);
  EXPECT_EQ(log.text_of("externalId"), "chat-7");
  EXPECT_TRUE(same(to_json(*log.find("metadata")),
                   R"({"system":"Be kind.","tools":[{"type":"function"}],"owner":{"a":[1]}})"))
      << to_json(*log.find("metadata"));
  EXPECT_TRUE(same(
      to_json(*log.find("conversation")),
      R"([{"role":"chatbot","content":"Welcome."},{"role":"tester","content":"hi","metadata":{"lang":"en"}},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":{"q":1},"id":"c1","result":{"result":[1,2]},"error":"late"}},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":"5","result":"7"}},{"type":"tool","role":"chatbot","name":"ping"},
{"role":"chatbot","content":"One moment."},{"role":"chatbot","content":"Done.","metadata":{"weight":0,"cost":0.1}},{"role":"tester","content":"bye"}])"))
      << to_json(*log.find("conversation"));
  EXPECT_THAT(report.table_for_people(), HasSubstr("left out 1  event slot"));
}

TEST(AdkExport, keeps_texts_and_calls_of_each_exchange) {
  ExportReport report;
  const std::string text = exported("adk", ExportedKind::logs, log_record, report);
  Options options;
  options.format = "adk";
  options.as = "logs";
  options.paths = {"a.json"};
  const Converted back = convert_text(options, text);
  ASSERT_EQ(back.prepared.faults, "");
  EXPECT_TRUE(same(to_json(*record_of(back.logs).find("conversation")),
                   R"([{"role":"tester","content":"hi"},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":{"q":1},"id":"c1","result":{"result":[1,2]}}},
{"type":"tool","role":"chatbot","name":"find","metadata":{"arguments":"5","result":"7"}},{"type":"tool","role":"chatbot","name":"ping","metadata":{"arguments":{}}},
{"role":"chatbot","content":"Welcome."},{"role":"chatbot","content":"One moment."},{"role":"chatbot","content":"Done."},{"role":"tester","content":"bye"}])"))
      << back.logs;
}

TEST(PromptfooExport, keeps_the_text_and_its_checks) {
  ExportReport report;
  const std::string text = exported("promptfoo-csv", ExportedKind::tests,
                                    R"({"name":"Price","instruction":"say: \"What, now?\"","assertions":[
{"type":"contains","config":{"value":"4,50","ignore":[]}},{"type":"contains-any","config":{"values":["a","b"],"negate":true}},
{"type":"criteria","criteria":"Is kind."},{"type":"tool-called","config":{"name":"x"}}]})",
                                    report);
  EXPECT_EQ(text,
            "message,__description,__expected1,__expected2,__expected3\r\n"
            "\"What, now?\",Price,\"contains: 4,50\",\"not-icontains-any: a, b\",llm-rubric: Is kind.\r\n");
  const Converted back = convert_text("promptfoo", "t.csv", text);
  EXPECT_THAT(back.suite, HasSubstr("say: \"What, now?\""));
  EXPECT_THAT(back.suite, HasSubstr(R"(- contains: {"value": "4,50", "ignore": [], "scope": "turn:0"})"));
  EXPECT_THAT(report.table_for_people(), HasSubstr("tool-called"));
}

TEST(PromptfooExport, omits_tests_that_would_always_pass) {
  for (
      const std::string_view record :
      {R"({"name":"Off","isEnabled":false,"instruction":"say: hi","assertions":[{"type":"criteria","criteria":"a"}]})",
       R"({"name":"Off","isEnabled":false,"instruction":"say: hi","assertions":[]})",
       R"({"name":"Lost","isEnabled":true,"instruction":"say: hi","assertions":[{"type":"tool-called","config":{"name":"x"}}]})"}) {
    ExportReport report;
    EXPECT_EQ(exported("promptfoo-csv", ExportedKind::tests, record, report), "message,__description\r\n");
    const bool is_off = record.find("Off") != std::string_view::npos;
    EXPECT_THAT(
        report.lines(),
        HasSubstr(is_off ? R"({"record":"Off","source":"test","outcome":"not_mapped","why":"it is disabled"})"
                         : R"({"record":"Lost","source":"test",)"));
  }
  ExportReport report;
  EXPECT_EQ(exported("promptfoo-csv", ExportedKind::tests,
                     R"({"name":"Free","isEnabled":true,"instruction":"say: hi","assertions":[]})", report),
            "message,__description\r\nhi,Free\r\n");
  EXPECT_EQ(report.lines(), "");
}

TEST(CsvExport, disarms_formulas) {
  ExportReport report;
  const std::string text = exported(
      "csv", ExportedKind::logs,
      R"({"externalId":"a","conversation":[{"type":"message","role":"tester","content":"=1+1"}]})", report);
  EXPECT_THAT(text, HasSubstr("a,1,,message,tester,,'=1+1,"));
}

}  // namespace
}  // namespace parley::convert
