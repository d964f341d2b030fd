// The types that check structure: JSON, JSON Schema, values at a pointer; and sets of assertions.

#include "scoring/support/schema.hpp"
#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

/// The pointer and detail of the first violation; empty if there are no violations.
std::string violation(const std::string& schema, const std::string& value) {
  const auto read = json::parse(schema);
  const auto document = json::parse(value);
  Findings findings;
  check_schema(read.value().root(), "", findings);
  EXPECT_TRUE(findings.faults.empty()) << schema;
  Work work;
  const auto found = Schema(read.value().root()).violation_of(document.value().root(), work);
  return found ? found->pointer + " " + found->detail : "";
}

TEST(JsonSchema, obeys_each_keyword) {
  struct SchemaRow {
    std::string schema;
    std::string good;
    std::string bad;
  };
  const std::vector<SchemaRow> rows{
      {R"({"type":"integer"})", "2.0", "2.5"},
      {R"({"type":"integer"})", "18446744073709551616", "18446744073709551616.5"},
      {R"({"type":"integer"})", "1e19", "1e-1"},
      {R"({"type":["string","null"]})", "null", "1"},
      {R"({"enum":[1,"a"]})", "1.0", "2"},
      {R"({"const":{"a":[1]}})", R"({"a":[1]})", R"({"a":[1,1]})"},
      {R"({"minimum":1})", "1", "0.9"},
      {R"({"maximum":9007199254740992})", "9007199254740992", "9007199254740993"},
      {R"({"exclusiveMinimum":1})", "1.1", "1"},
      {R"({"exclusiveMaximum":1})", "0", "1"},
      {R"({"minLength":2,"maxLength":2})", R"("żó")", R"("a")"},
      {R"({"pattern":"^[A-Z]+$"})", R"("AB")", R"("aB")"},
      {R"({"minItems":1,"maxItems":2})", "[1,2]", "[]"},
      {R"({"items":{"type":"string"}})", R"(["a"])", R"(["a",1])"},
      {R"({"required":["a"]})", R"({"a":null})", R"({"b":1})"},
      {R"({"properties":{"a":{"type":"number"}}})", R"({"b":"x"})", R"({"a":"x"})"},
      {R"({"properties":{"a":true},"additionalProperties":false})", R"({"a":1})", R"({"a":1,"b":2})"},
      {R"({"additionalProperties":{"type":"number"}})", R"({"a":1})", R"({"a":"1"})"},
      {R"({"minProperties":1,"maxProperties":1})", R"({"a":1})", R"({"a":1,"b":2})"},
      {R"({"allOf":[{"minimum":1},{"maximum":2}]})", "2", "3"},
      {R"({"anyOf":[{"type":"null"},{"minimum":5,"type":"number"}]})", "5", "4"},
      {R"({"oneOf":[{"minimum":1},{"minimum":5}]})", "3", "6"},
      {R"({"not":{"type":"string"}})", "1", R"("a")"},
      {R"({"properties":{"pattern":{"type":"string","pattern":"^x"}}})", R"({"pattern":"xy"})",
       R"({"pattern":"y"})"},
      {R"({"title":"t","description":"d","default":1,"format":"date","minLength":1})", R"("a")", R"("")"},
      {"true", "1", ""},
      {"false", "", "1"},
      {"{}", "[]", ""},
      {R"({"minimum":5,"minLength":3,"minItems":2,"required":["a"]})", "null", ""}};  // for other types
  for (const SchemaRow& row : rows) {
    if (!row.good.empty()) {
      EXPECT_EQ(violation(row.schema, row.good), "") << row.schema << row.good;
    }
    if (!row.bad.empty()) {
      EXPECT_NE(violation(row.schema, row.bad), "") << row.schema << row.bad;
    }
  }
  EXPECT_EQ(violation(R"({"properties":{"a/b":{"items":{"type":"string"}}}})", R"({"a/b":["x",7]})"),
            "/a~1b/1 must be of type \"string\"");
}

TEST(JsonSchema, refuses_what_it_does_not_know_with_the_pointer) {
  const std::vector<BadRow> rows{
      {R"(7)", ""},
      {R"({"$ref":"#"})", "/$ref"},
      {R"({"type":"text"})", "/type"},
      {R"({"type":["string","text"]})", "/type/1"},
      {R"({"type":[]})", "/type"},
      {R"({"enum":[]})", "/enum"},
      {R"({"enum":1})", "/enum"},
      {R"({"properties":[]})", "/properties"},
      {R"({"properties":{"a/b":{"items":{"minimum":"1"}}}})", "/properties/a~1b/items/minimum"},
      {R"({"required":"a"})", "/required"},
      {R"({"required":[1]})", "/required/0"},
      {R"({"minLength":-1})", "/minLength"},
      {R"({"minLength":1.5})", "/minLength"},
      {R"({"pattern":"("})", "/pattern"},
      {R"({"pattern":1})", "/pattern"},
      {R"({"anyOf":[]})", "/anyOf"},
      {R"({"anyOf":[{},{"x":1}]})", "/anyOf/1/x"},
      {R"({"not":1})", "/not"},
      {R"({"uniqueItems":true})", "/uniqueItems"}};
  for (const BadRow& row : rows) {
    expect_faults("is-json", {{R"({"schema":)" + row.config + "}", "/schema" + row.pointer}});
    expect_faults("json-schema",
                  {{R"({"pointer":"","schema":)" + row.config + "}", "/schema" + row.pointer}});
  }
  expect_faults("json-schema", {{R"({"pointer":""})", "/schema"},
                                {R"({"schema":{}})", "/pointer"},
                                {R"({"schema":{},"pointer":"a"})", "/pointer"},
                                {R"({"schema":{},"pointer":"","entries":"people"})", "/entries"},
                                {R"({"schema":{},"pointer":"","which":"some"})", "/which"}});
}

TEST(IsJson, reads_messages_strictly) {
  Builder made;
  made.chatbot(R"( {"total": 5} )").chatbot("```json\n{\"total\": \"5\"}\n```").chatbot("Done.");
  expect_rows(made, "is-json",
              {{"{}", passed},
               {R"({"scope":"all"})", failed},
               {R"({"scope":"last"})", failed},
               {R"({"schema":{"required":["total"]}})", passed},
               {R"({"schema":{"required":["sum"]}})", failed},
               {R"({"schema":{"properties":{"total":{"type":"string"}}}})", failed},
               {R"({"fenced":true,"schema":{"properties":{"total":{"type":"string"}}}})", passed}});
  Builder odd;
  odd.chatbot("```").chatbot("``````").chatbot("```\n```");
  expect_rows(odd, "is-json", {{R"({"fenced":true})", failed}});
}

TEST(IsJson, finds_an_object_or_list_within_a_text) {
  Builder made;
  made.chatbot("Here it is: {\"total\": 5, \"note\": \"a } b\"} (all of it).");
  expect_rows(made, "is-json",
              {{"{}", failed},
               {R"({"within":true})", passed},
               {R"({"within":true,"schema":{"required":["total"]}})", passed},
               {R"({"within":true,"schema":{"required":["sum"]}})", failed}});
  Builder several;
  several.chatbot("[see below] [1, 2] and {\"sum\": 3}").chatbot("nothing { here ]");
  expect_rows(several, "is-json",
              {{R"({"within":true,"schema":{"required":["sum"]},"scope":"first"})", passed},
               {R"({"within":true,"scope":"last"})", failed}});
  Builder brackets;
  brackets.chatbot(std::string(200'000, '['));
  expect_rows(brackets, "is-json", {{R"({"within":true})", failed}});
}

Builder orders() {
  Builder made;
  made.tester("a").tool("order", R"({"arguments":{"n":2},"result":{"total":10.04,"state":"open"}})");
  made.tester("b").tool("order", R"({"arguments":{"n":3},"result":{"total":20,"state":"open-late"}})");
  made.tool("bill", R"({"arguments":{"n":"x"},"result":{"total":null}})")
      .action("pay", R"({"arguments":{"n":1}})");
  return made;
}

TEST(JsonSchemaKind, asks_values_of_entries) {
  expect_rows(
      orders(), "json-schema",
      {{R"({"pointer":"/arguments/n","schema":{"type":"integer","minimum":3}})", passed},
       {R"({"pointer":"/arguments/n","schema":{"type":"integer"},"which":"all"})", failed},
       {R"({"pointer":"/arguments/n","schema":{"type":"integer"},"which":"all","name":"order"})", passed},
       {R"({"pointer":"/arguments/n","schema":{"const":2},"which":"first"})", passed},
       {R"({"pointer":"/arguments/n","schema":{"const":2},"which":"last"})", failed},
       {R"({"pointer":"/arguments/n","schema":{"const":1},"which":"last","entries":"actions"})", passed},
       {R"({"pointer":"/nothing","schema":{}})", failed}});
  const auto result = judge_one(
      orders().subject(),
      assertion("json-schema",
                R"({"pointer":"/arguments","schema":{"properties":{"n":{"type":"null"}}},"name":"bill"})"));
  EXPECT_EQ(
      result.reason,
      "Expected: some entry \"bill\" has /arguments as the schema says. Found: 1 other value, the last is "
      "{\"n\":\"x\"}: /n must be of type \"null\".");
}

TEST(JsonOperators, extend_those_of_D31) {
  expect_rows(orders(), "json",
              {{R"({"pointer":"/result/total","notEquals":20})", passed},
               {R"({"pointer":"/result/total","notEquals":null,"name":"bill"})", failed},
               {R"({"pointer":"/result/total","equals":10,"tolerance":0.04})", passed},
               {R"({"pointer":"/result/total","equals":10,"tolerance":0.03})", failed},
               {R"({"pointer":"/result/total","oneOf":[20,"a"]})", passed},
               {R"({"pointer":"/result/total","oneOf":[21,"20"]})", failed},
               {R"({"pointer":"/result/total","greaterOrEqual":20})", passed},
               {R"({"pointer":"/result/total","greaterOrEqual":20.1})", failed},
               {R"({"pointer":"/result/total","lessOrEqual":10.04})", passed},
               {R"({"pointer":"/result/total","lessOrEqual":10,"which":"first"})", failed},
               {R"({"pointer":"/result/state","startsWith":"open-"})", passed},
               {R"({"pointer":"/result/state","endsWith":"open","which":"last"})", failed},
               {R"({"pointer":"/result/state","matches":"^op.n$"})", passed},
               {R"({"pointer":"/result/total","matches":"20"})", failed},  // a number is not a text
               {R"({"pointer":"/arguments/n","lessThan":4,"which":"all","name":"order"})", passed},
               {R"({"pointer":"/arguments/n","lessThan":4,"which":"all"})", failed},
               {R"({"pointer":"/arguments/n","equals":2,"which":"turn:0"})", passed},
               {R"({"pointer":"/arguments/n","equals":2,"which":"turn:1"})", failed},
               {R"({"pointer":"/arguments/n","equals":1,"entries":"actions"})", passed},
               {R"({"pointer":"/arguments","exists":false,"name":"cancel"})", passed}});
  expect_faults("json", {{R"({"pointer":"","equals":1,"notEquals":2})", "/notEquals"},
                         {R"({"pointer":"","oneOf":[]})", "/oneOf"},
                         {R"({"pointer":"","matches":"("})", "/matches"},
                         {R"({"pointer":"","matches":"a","tolerance":1})", "/tolerance"},
                         {R"({"pointer":"","exists":true,"which":"all"})", "/which"},
                         {R"({"pointer":"","equals":1,"which":"none"})", "/which"}});
}

Builder greeting() {
  Builder made;
  made.chatbot("Hello and welcome");
  return made;
}

std::string set_of(const std::string& settings, const std::string& members) {
  return "{" + settings + (settings.empty() ? "" : ",") + R"("assertions":[)" + members + "]}";
}

constexpr const char* holding = R"({"type":"contains","config":{"value":"hello"}})";
constexpr const char* failing = R"({"type":"contains","config":{"value":"bye"}})";
constexpr const char* erring = R"({"type":"cost","config":{"max":1}})";

TEST(AssertSet, combines_with_three_values) {
  const auto both = [](std::string a, std::string b) { return std::move(a) + "," + std::move(b); };
  expect_rows(greeting(), "assert-set",
              {{set_of("", both(holding, holding)), passed},
               {set_of("", both(holding, failing)), failed},
               {set_of("", both(holding, erring)), in_error},
               {set_of("", both(failing, erring)), failed},
               {set_of(R"("match":"any")", both(failing, holding)), passed},
               {set_of(R"("match":"any")", both(failing, failing)), failed},
               {set_of(R"("match":"any")", both(failing, erring)), in_error},
               {set_of(R"("match":"any")", both(holding, erring)), passed},
               {set_of(R"("match":"none")", both(failing, failing)), passed},
               {set_of(R"("match":"none")", both(failing, erring)), in_error},
               {set_of(R"("match":"none")", both(holding, erring)), failed},
               {set_of(R"("negate":true)", holding), failed},
               {set_of("", R"({"type":"contains","config":{"value":"bye","negate":true}})"), passed}});
}

TEST(AssertSet, weighs_shares) {
  const std::string heavy = R"({"type":"contains","weight":3,"config":{"value":"hello"}})";
  expect_rows(
      greeting(), "assert-set",
      {{set_of(R"("threshold":0.75)", heavy + "," + failing), passed},
       {set_of(R"("threshold":0.76)", heavy + "," + failing), failed},
       {set_of(R"("threshold":0.6)", heavy + "," + failing + "," + erring), passed},
       {set_of(R"("threshold":0.7)", heavy + "," + failing + "," + erring), in_error},
       {set_of(R"("threshold":0.9)", heavy + "," + failing + "," + erring), failed},
       {set_of(R"("threshold":0.5)", R"({"type":"max-turns","weight":0,"config":{"value":9}})"), in_error}});
  const std::string two_failing = std::string(failing) + "," + failing;
  expect_rows(greeting(), "assert-set",
              {{set_of(R"("threshold":0.3333333333333333)", holding + ("," + two_failing)), passed},
               {set_of(R"("threshold":0.333333333334)", holding + ("," + two_failing)), failed},
               {set_of(R"("threshold":0.3333333333333333)", erring + ("," + two_failing)), in_error}});
}

TEST(AssertSet, checks_its_members) {
  const auto inner = [](const std::string& deeper) {
    return R"({"type":"assert-set","config":{"assertions":[)" + deeper + "]}}";
  };
  expect_rows(greeting(), "assert-set", {{set_of("", inner(inner(holding))), passed}});
  const auto set_of_so_many = [](int count) {
    std::string members = holding;
    for (int i = 1; i < count; ++i) members += "," + std::string(holding);
    return members;
  };
  expect_rows(greeting(), "assert-set", {{set_of("", set_of_so_many(50)), passed}});
  for (const int count : {51, 201}) {
    Findings findings;
    const Assertion large = assertion("assert-set", set_of("", set_of_so_many(count)));
    check_assertions({&large, 1}, "", findings);
    ASSERT_EQ(findings.faults.size(), 1u);
    EXPECT_EQ(findings.faults[0].detail, "must hold 1 to 50 objects");
  }
  expect_faults(
      "assert-set",
      {{"{}", "/assertions"},
       {set_of("", ""), "/assertions"},
       {set_of("", "7"), "/assertions/0"},
       {set_of(R"("match":"some")", holding), "/match"},
       {set_of(R"("match":"any","threshold":0.5)", holding), "/threshold"},
       {set_of(R"("threshold":0)", holding), "/threshold"},
       {set_of("", R"({"type":"magic"})"), "/assertions/0/type"},
       {set_of("", R"({"type":"criteria"})"), "/assertions/0/type"},
       {set_of("", R"({"type":"contains","config":{"value":"a","x":1}})"), "/assertions/0/config/x"},
       {set_of("", R"({"type":"regex","config":{"pattern":"("}})"), "/assertions/0/config/pattern"},
       {set_of("", R"({"type":"regex"})"), "/assertions/0/config/pattern"},
       {set_of("", R"({"type":"max-turns","config":[]})"), "/assertions/0/config"},
       {set_of("", R"({"type":"max-turns","severity":"MINOR","config":{"value":1}})"),
        "/assertions/0/severity"},
       {set_of("", R"({"type":"max-turns","weight":101,"config":{"value":1}})"), "/assertions/0/weight"},
       {set_of("", inner(inner(inner(holding)))),
        "/assertions/0/config/assertions/0/config/assertions/0/type"},
       {set_of("", set_of_so_many(51)), "/assertions"},
       {set_of("", inner(set_of_so_many(25)) + "," + inner(set_of_so_many(25))),
        "/assertions/1/config/assertions/23"},
       {set_of("", inner(failing) + "," + inner(R"({"type":"magic"})")),
        "/assertions/1/config/assertions/0/type"}});
}

TEST(AssertSet, leaves_texts_with_placeholders_for_later_D22) {
  const Assertion late = assertion(
      "assert-set",
      set_of(
          "",
          R"({"type":"regex","config":{"pattern":"({{x}}"}},{"type":"contains","config":{"value":"a","scope":"turn:{{n}}"}})"));
  Findings findings;
  check_assertions({&late, 1}, "", findings);
  EXPECT_TRUE(findings.faults.empty());
}

}  // namespace
}  // namespace parley::scoring
