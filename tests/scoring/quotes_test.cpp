#include "scoring/support/quotes.hpp"

#include "scoring/verdict.hpp"
#include "tests/scoring/conversation_builder.hpp"

namespace parley::scoring {
namespace {

std::vector<Quote> quotes_of_assertion(Builder& conversation, std::string type, std::string config) {
  Assertion assertion;
  assertion.type = std::move(type);
  assertion.config = json::Text{std::move(config)};
  return judge(conversation.subject(), {&assertion, 1}).front().quotes;
}

TEST(PlaceOf, finds_the_words_as_they_are_written) {
  constexpr Ignored by_case{.letter_case = true};
  constexpr Ignored by_blanks{.whitespace = true};
  const auto words = [](std::string_view text, std::string_view part, const Ignored& ignored,
                        Edge edge = Edge::none) {
    const auto span = place_of(text, comparable(part, ignored), ignored, edge);
    return span ? std::string(text.substr(span->begin, span->end - span->begin)) : std::string("-");
  };
  EXPECT_EQ(words("Your REFUND is here", "refund", by_case), "REFUND");
  EXPECT_EQ(words("Die STRASSE da", "straße", by_case), "STRASSE");
  EXPECT_EQ(words("e\u0301te\u0301 \U0001F600 ok", "ÉTÉ", by_case), "e\u0301te\u0301");
  EXPECT_EQ(words("a b\n c", "abc", by_blanks), "a b\n c");
  EXPECT_EQ(words("Hello there", "there", by_case, Edge::start), "-");
  EXPECT_EQ(words("Hello there", "THERE", by_case, Edge::end), "there");
  EXPECT_EQ(words("Hello", "missing", by_case), "-");
}

TEST(Quotes, are_what_contains_and_regex_matched) {
  Builder talk;
  talk.tester("Where is it?").chatbot("Order 20 is an order. REORDER.");
  auto quotes = quotes_of_assertion(talk, "contains", R"({"value":"order"})");
  ASSERT_EQ(quotes.size(), 1U);
  EXPECT_EQ(quotes[0].text, "Order");
  EXPECT_EQ(quotes[0].at, "content");
  EXPECT_EQ(quotes[0].nth, 1);
  quotes = quotes_of_assertion(talk, "regex", R"({"pattern":"\\border\\b"})");
  ASSERT_EQ(quotes.size(), 1U);
  EXPECT_EQ(quotes[0].text, "order");
  EXPECT_TRUE(quotes_of_assertion(talk, "contains", R"({"value":"voucher"})").empty());
  EXPECT_TRUE(quotes_of_assertion(talk, "max-length", R"({"value":5})").empty());
}

TEST(Quotes, are_bounded_in_number_and_bytes) {
  Builder talk;
  talk.tester("Go").chatbot("a b c d e f g h i j k l " + std::string(2'000, 'x'));
  const auto many = quotes_of_assertion(talk, "contains-all",
                                        R"({"values":["a","b","c","d","e","f","g","h","i","j","k"]})");
  EXPECT_EQ(many.size(), limits::quotes_max);
  const auto long_one = quotes_of_assertion(talk, "regex", R"({"pattern":"x+"})");
  ASSERT_EQ(long_one.size(), 1U);
  EXPECT_EQ(long_one[0].text.size(), limits::quote_bytes_max);
}

TEST(Quotes, name_the_occurrence_and_cut_no_character_in_half) {
  const std::string text = "ab ab ab";
  EXPECT_EQ(quote_of({}, "content", text, {6, 8}).nth, 3);
  std::string wide;
  for (int i = 0; i < 300; ++i) wide += "é";
  EXPECT_EQ(quote_of({}, "content", wide, {0, wide.size()}).text.size(), 512U);
  EXPECT_EQ(quote_of({}, "content", "x" + wide, {0, wide.size() + 1}).text.size(), 511U);
}

TEST(Quotes, of_a_judge_are_found_in_content_and_metadata) {
  Entry entry;
  entry.content = "The order\n was placed.";
  entry.metadata.text = R"({"arguments":{"a/b":["x","order 42"]}})";
  EXPECT_EQ(find_quote(entry, "order was placed")->text, "order\n was placed");
  EXPECT_EQ(find_quote(entry, "order 42")->at, "/metadata/arguments/a~1b/1");
  EXPECT_FALSE(find_quote(entry, "nowhere"));
}

}  // namespace
}  // namespace parley::scoring
