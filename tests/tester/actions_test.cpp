#include "tester/actions.hpp"

#include <gtest/gtest.h>

namespace parley::tester {
namespace {

struct Read {
  ParsedActions parsed;
  std::vector<std::string> pointers;
};

Read read(std::string_view text) {
  const auto document = json::parse(text);
  EXPECT_TRUE(document.ok()) << text;
  Findings findings;
  Read result{parse_actions(document.value().root(), "/metadata/actions", findings), {}};
  for (const Fault& fault : findings.faults) result.pointers.push_back(fault.pointer);
  return result;
}

constexpr std::string_view booking = R"([{"name":"book_room","description":"Books",
  "properties":{"nights":{"type":"integer","description":"How many"},"price":{"type":"number"},"name":{"type":"string"},
  "sure":{"type":"boolean","description":null}},"required":["nights"]},{"name":"_x9","description":""}])";

TEST(Actions, are_read_whole) {
  const Read done = read(booking);
  EXPECT_TRUE(done.pointers.empty()) << done.pointers.front();
  EXPECT_TRUE(done.parsed.duplicates.empty());
  const ActionDefinition book{"book_room",
                              "Books",
                              {{"nights", PropertyType::integer, "How many"},
                               {"price", PropertyType::number, ""},
                               {"name", PropertyType::string, ""},
                               {"sure", PropertyType::boolean, ""}},
                              {"nights"}};
  EXPECT_EQ(done.parsed.actions, (std::vector<ActionDefinition>{book, {"_x9", "", {}, {}}}));
  EXPECT_TRUE(read("[]").parsed.actions.empty());
  EXPECT_TRUE(read("[]").pointers.empty());
}

struct BadActions {
  std::string text;
  std::string pointer;  ///< below /metadata/actions
};

TEST(Actions, are_checked_strictly_D53) {
  const std::string long_name(257, 'a');
  const std::vector<BadActions> rows{
      {R"({})", ""},
      {R"("book")", ""},
      {R"([7])", "/0"},
      {R"([{"description":"d"}])", "/0/name"},
      {R"([{"name":null,"description":"d"}])", "/0/name"},
      {R"([{"name":"","description":"d"}])", "/0/name"},
      {R"([{"name":"2nd","description":"d"}])", "/0/name"},
      {R"([{"name":"a-b","description":"d"}])", "/0/name"},
      {R"([{"name":"bük","description":"d"}])", "/0/name"},
      {R"([{"name":")" + long_name + R"(","description":"d"}])", "/0/name"},
      {R"([{"name":7,"description":"d"}])", "/0/name"},
      {R"([{"name":"a"}])", "/0/description"},
      {R"([{"name":"a","description":7}])", "/0/description"},
      {R"([{"name":"a","description":"d","x/y":1}])", "/0/x~1y"},
      {R"([{"name":"a","description":"d","properties":[]}])", "/0/properties"},
      {R"([{"name":"a","description":"d","properties":{"p":"string"}}])", "/0/properties/p"},
      {R"([{"name":"a","description":"d","properties":{"":{"type":"string"}}}])", "/0/properties/"},
      {R"([{"name":"a","description":"d","properties":{"p":{}}}])", "/0/properties/p/type"},
      {R"([{"name":"a","description":"d","properties":{"p":{"type":"array"}}}])", "/0/properties/p/type"},
      {R"([{"name":"a","description":"d","properties":{"p":{"type":["string"]}}}])", "/0/properties/p/type"},
      {R"([{"name":"a","description":"d","properties":{"p":{"type":"string","enum":["a"]}}}])",
       "/0/properties/p/enum"},
      {R"([{"name":"a","description":"d","properties":{"p":{"type":"string","description":1}}}])",
       "/0/properties/p/description"},
      {R"([{"name":"a","description":"d","required":"p"}])", "/0/required"},
      {R"([{"name":"a","description":"d","required":["p"]}])", "/0/required/0"},
      {R"([{"name":"a","description":"d","properties":{"p":{"type":"string"}},"required":["p",7]}])",
       "/0/required/1"},
  };
  for (const BadActions& row : rows) {
    EXPECT_EQ(read(row.text).pointers, std::vector<std::string>{"/metadata/actions" + row.pointer})
        << row.text;
  }
}

TEST(Actions, are_bounded_in_number) {
  std::string many = "[";
  for (int i = 0; i <= 100; ++i)
    many += (i > 0 ? ",{" : "{") + (R"("name":"a)" + std::to_string(i)) + R"(","description":""})";
  EXPECT_EQ(read(many + "]").pointers, std::vector<std::string>{"/metadata/actions"});
}

TEST(Actions, with_duplicate_names_are_listed_separately_from_the_faults) {
  const Read done =
      read(R"([{"name":"a","description":""},{"name":"b","description":""},{"name":"a","description":""},
                             {"name":"a","description":"x"}])");
  EXPECT_TRUE(done.pointers.empty());
  EXPECT_EQ(done.parsed.duplicates, std::vector<std::string>{"a"});
}

struct InvocationRow {
  std::string name;
  std::string arguments;
  std::string fault;  ///< part of the expected sentence; empty if there is no fault
};

TEST(Invocation, is_checked_against_the_registered_schema_D62) {
  const auto registered = read(booking).parsed.actions;
  const std::vector<InvocationRow> rows{
      {"book_room", R"({"nights":2})", ""},
      {"book_room", R"({"nights":2.0,"price":1.5,"name":"","sure":false})", ""},
      {"book_room", R"({"nights":20e-1})", ""},
      {"book_room", R"({"nights":1e30})", ""},
      {"book_room", R"({"nights":-0.0})", ""},
      {"_x9", "{}", ""},
      {"cancel", "{}", "matches no action"},
      {"Book_room", R"({"nights":2})", "matches no action"},
      {"book_room", "{}", "lacks the required argument 'nights'"},
      {"book_room", R"({"nights":2.5})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":15e-1})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":9007199254740993.5})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":1e-999999999999999999999})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":"2"})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":null})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":true})", "'nights' a value that is not of type integer"},
      {"book_room", R"({"nights":2,"price":"1"})", "'price' a value that is not of type number"},
      {"book_room", R"({"nights":2,"name":{}})", "'name' a value that is not of type string"},
      {"book_room", R"({"nights":2,"sure":0})", "'sure' a value that is not of type boolean"},
      {"book_room", R"({"nights":2,"guests":1})", "'guests', which the action does not declare"},
      {"book_room", R"([2])", "not an object"},
  };
  for (const InvocationRow& row : rows) {
    const auto arguments = json::parse(row.arguments);
    ASSERT_TRUE(arguments.ok());
    const auto fault = fault_of_invocation(registered, row.name, arguments.value().root());
    if (row.fault.empty()) {
      EXPECT_EQ(fault, std::nullopt) << row.arguments;
    } else {
      ASSERT_TRUE(fault.has_value()) << row.arguments;
      EXPECT_NE(fault->find(row.fault), std::string::npos) << *fault;
    }
  }
}

}  // namespace
}  // namespace parley::tester
