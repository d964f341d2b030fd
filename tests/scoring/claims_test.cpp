// Claims in chatbot messages: what counts as one, where it comes from, and how well that agrees with labels made by
// reading.

#include "scoring/grounding/claims.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "model/json/json_writer.hpp"
#include "tests/scoring/conversation_builder.hpp"
#include "tests/scoring/shared_data.hpp"

namespace parley::scoring {
namespace {

/// "kind text" of each claim.
std::vector<std::string> claimed(const std::string& text) {
  std::vector<std::string> found;
  for (const Mention& mention : claims_in(text))
    found.push_back(std::string(word_of(mention.kind)) + " " +
                    text.substr(mention.begin, mention.end - mention.begin));
  return found;
}

using Texts = std::vector<std::string>;

TEST(ClaimsIn, distinguishes_the_kinds) {
  EXPECT_EQ(claimed("Flight HAT023 on May 24th, 2024 at 7:05 PM costs $1,023.50 for 2 people."),
            (Texts{"id HAT023", "date May 24th, 2024", "time 7:05 PM", "money $1,023.50", "number 2"}));
  EXPECT_EQ(claimed("2024-05-15T15:00:00, 15 May, 3 pm, arrives 01:30 +1 (EUR 20, 30 dollars, 12.5%)"),
            (Texts{"date 2024-05-15", "time 15:00:00", "date 15 May", "time 3 pm", "time 01:30",
                   "money EUR 20", "money 30 dollars", "number 12.5"}));
  EXPECT_EQ(
      claimed("Write to a.b+c@mail.example.com or see https://example.com/x?y=1. Card_12 ETK-HATHAT-001"),
      (Texts{"email a.b+c@mail.example.com", "url https://example.com/x?y=1", "id Card_12",
             "id ETK-HATHAT-001"}));
  EXPECT_EQ(claimed("a 24-hour window of 5–7 days, 10kg, 1,000 and 3.14"),
            (Texts{"number 24", "number 5", "number 7", "number 10", "number 1,000", "number 3.14"}));
  EXPECT_EQ(claimed("arriving-before-7:00 AM, id HAT1-7: x"), (Texts{"time 7:00 AM", "id HAT1-7"}));
  EXPECT_EQ(claimed("The first one, from JFK: maybe 2nd class, round-trip."), Texts{});
}

TEST(ClaimsIn, leaves_out_what_numbers_the_message_itself) {
  EXPECT_EQ(claimed("1. ABC1\n2) **Option 2**: $5\n  - Step 3 of options 1 or 2\n### 4. Five"),
            (Texts{"id ABC1", "money $5"}));
  EXPECT_EQ(claimed("{\"m\": \"So:\\n1) 4 bags\\n2) none\"}"), (Texts{"number 4"}));
  EXPECT_EQ(claimed("Flight 417 has 1. class and flight 1 none"), (Texts{"number 417", "number 1"}));
}

TEST(ClaimsIn, gives_one_value_to_what_means_the_same) {
  const auto value = [](const std::string& text) {
    const auto found = values_in(text);
    return found.size() == 1 ? found[0].value : "?";
  };
  EXPECT_EQ(value("12:00 AM"), value("00:00:00"));
  EXPECT_EQ(value("12:30 pm"), value("12:30"));
  EXPECT_EQ(value("11 PM"), value("23:00"));
  EXPECT_NE(value("23:00:05"), value("23:00"));
  EXPECT_EQ(value("$1,023.50"), value("1023.5 USD"));
  EXPECT_EQ(value("May 5, 2024"), value("2024-05-05"));
  EXPECT_EQ(value("5th of May 2024"), value("2024-05-05"));
  EXPECT_NE(value("May 5"), value("2024-05-05"));
  EXPECT_EQ(value("hat023"), value("HAT023"));
}

TEST(TraceClaims, finds_the_last_source_before_the_message) {
  Builder made;
  made.chatbot("It costs $40.").tester("I have 40 euros and want three seats.");
  made.tool(
      "search",
      R"({"arguments":{"price":99},"result":"{\"fares\":[{\"total\":120.0,\"day\":\"2024-05-20\"}]}"})");
  made.chatbot("$40 is too little: $120 on May 20, not $99. 3 seats for 0.99 more.");
  made.event(EntryType::internal_event, "sale", R"({"off":{"C-7":99}})")
      .chatbot("$99 with code c-7 within 24 hours");
  const std::vector<std::string_view> given{"Cancel within 24 hours."};
  const auto claims = trace_claims(made.subject(), given);
  std::vector<std::string> rows;
  for (const ExtractedClaim& claim : claims) {
    std::string source = claim.supported ? "given" : "unsupported";
    for (std::size_t i = 0; claim.source && i < made.subject().entries.size(); ++i)
      if (made.subject().entries[i].id == *claim.source) source = std::to_string(i);
    rows.push_back(claim.text + " " + source);
  }
  EXPECT_EQ(rows, (Texts{"$40 unsupported", "$40 1", "$120 2", "May 20 2", "$99 unsupported", "3 1",
                         "0.99 unsupported", "$99 4", "c-7 4", "24 given"}));
  EXPECT_TRUE(trace_claims({}, {}).empty());
}

TEST(TraceClaims, finds_a_number_that_a_tool_wrote_with_an_exponent) {
  for (const auto& [number, said] : std::vector<std::pair<std::string, std::string>>{
           {"1.2E7", "It costs 12000000 yen."}, {"5e-05", "0.00005 a day"}, {"48e-1", "That makes $4.80."}}) {
    Builder made;
    made.tool("price", R"({"result":{"p":)" + number + "}}").chatbot(said);
    const auto claims = trace_claims(made.subject());
    ASSERT_EQ(claims.size(), 1U) << said;
    EXPECT_TRUE(claims[0].supported) << said;
  }
  Builder made;
  made.tool("price", R"({"result":{"p":1.2E7}})").chatbot("1.2, and 7 more");
  for (const ExtractedClaim& claim : trace_claims(made.subject()))
    EXPECT_FALSE(claim.supported) << claim.text;
}

TEST(TraceClaims, is_shown_as_the_record_of_D24) {
  Builder made;
  made.tester("ABC1").chatbot("ABC1 \"9\"");
  EXPECT_EQ(shown_claims(trace_claims(made.subject())).text,
            R"([{"text":"ABC1","entry":")" + made.id(1) + R"(","kind":"id","source":")" + made.id(0) +
                R"(","supported":true},{"text":"9","entry":")" + made.id(1) +
                R"(","kind":"number","source":null,"supported":false}])");
}

TEST(TraceClaims, bounds_what_it_keeps_and_copes_with_hostile_texts_F23) {
  Builder made;
  std::string many;
  for (std::size_t i = 0; i < claims_max + 5; ++i) many += "x1 ";
  made.chatbot(many)
      .chatbot(std::string(200'000, '1'))
      .chatbot(std::string(200'000, '@') + std::string(50'000, '$'));
  EXPECT_EQ(trace_claims(made.subject()).size(), claims_max);
  Builder odd;
  odd.chatbot(std::string(200'000, '1') + " \xff\xfe May 99:99:99 $")
      .tool("t", R"({"result":"{[\\"})")
      .chatbot("\\");
  EXPECT_LE(trace_claims(odd.subject()).size(), 3u);
}

/// One labeled message, with its claims by position.
struct Labelled {
  std::string file;
  std::size_t simulation = 0;
  std::size_t message = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::string, bool>> claims;  ///< kind, is supported
};

std::vector<Labelled> read_labels(const std::string& name) {
  std::vector<Labelled> messages;
  std::ifstream file(PARLEY_SOURCE_DIR "/tests/scoring/labels/" + name);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what;
    if (what == "message") {
      Labelled& next = messages.emplace_back();
      words >> next.file >> next.simulation >> next.message;
    } else {
      std::size_t begin = 0;
      std::size_t end = 0;
      std::string kind;
      std::string verdict;
      words >> begin >> end >> kind >> verdict;
      messages.back().claims[{begin, end}] = {kind, verdict == "supported"};
    }
  }
  return messages;
}

/// The recorded conversation up to and including the message, and the policy that the agent was given.
struct Recorded {
  Builder conversation;
  std::string given;
};

Recorded recorded(const json::Value& file, const Labelled& labelled) {
  Recorded out;
  const auto simulations =
      file.is(json::Kind::array) ? file.children() : file.find("simulations")->children();
  const json::Value& simulation = simulations.at(labelled.simulation);
  const auto messages =
      (simulation.find("traj") ? simulation.find("traj") : simulation.find("messages"))->children();
  if (const auto policy = json::at_pointer(file, "/info/environment_info/policy"))
    out.given = policy->string();
  for (std::size_t i = 0; i <= labelled.message; ++i) {
    const std::string_view role = messages[i].find("role")->string();
    const auto content = messages[i].find("content");
    const std::string text(content && content->is(json::Kind::string) ? content->string() : "");
    if (role == "system") out.given += text;
    if (role == "user") out.conversation.tester(text);
    if (role == "assistant") out.conversation.chatbot(text);
    if (role == "tool") {
      std::string quoted;
      json::append_quoted(quoted, text);
      out.conversation.tool("tool", R"({"result":)" + quoted + "}");
    }
  }
  return out;
}

struct Agreement {
  int found = 0;
  int right = 0;
  int wanted = 0;
  [[nodiscard]] double precision() const { return found == 0 ? 1 : static_cast<double>(right) / found; }
  [[nodiscard]] double recall() const { return wanted == 0 ? 1 : static_cast<double>(right) / wanted; }
};

struct Measured {
  Agreement extraction;
  Agreement unsupported;
  Agreement verdicts;
};

/// How well the tracer agrees with the labels; nullopt if the recordings are missing.
std::optional<Measured> measure(const std::vector<Labelled>& labels) {
  Measured measured;
  std::map<std::string, std::optional<json::Document>> files;
  auto& [extraction, unsupported, verdicts] = measured;
  for (const Labelled& labelled : labels) {
    if (!files.contains(labelled.file)) files[labelled.file] = shared_data(labelled.file);
    if (!files[labelled.file]) return std::nullopt;
    const Recorded record = recorded(files[labelled.file]->root(), labelled);
    const std::vector<std::string_view> given{record.given};
    const Id message = record.conversation.subject().entries.back().id;
    extraction.wanted += static_cast<int>(labelled.claims.size());
    for (const auto& [place, label] : labelled.claims)
      if (!label.second) ++unsupported.wanted;
    for (const ExtractedClaim& claim : trace_claims(record.conversation.subject(), given)) {
      if (claim.entry != message) continue;
      const auto label = labelled.claims.find({claim.begin, claim.end});
      const bool is_one = label != labelled.claims.end() && label->second.first == word_of(claim.kind);
      ++extraction.found;
      if (is_one) ++extraction.right;
      if (is_one) ++verdicts.found;
      if (is_one && label->second.second == claim.supported) ++verdicts.right;
      if (!claim.supported) ++unsupported.found;
      if (!claim.supported && is_one && !label->second.second) ++unsupported.right;
      if (!is_one || label->second.second != claim.supported)
        std::cout << "  differs: " << labelled.file << " " << labelled.simulation << " " << labelled.message
                  << " " << claim.begin << "-" << claim.end << " " << word_of(claim.kind) << " "
                  << (claim.supported ? "supported" : "unsupported") << "\n";
    }
  }
  std::cout << extraction.wanted << " labelled claims: precision " << extraction.precision() << ", recall "
            << extraction.recall() << "; verdicts right " << verdicts.precision()
            << "; unsupported: precision " << unsupported.precision() << ", recall " << unsupported.recall()
            << " of " << unsupported.wanted << "\n";
  return measured;
}

TEST(TraceClaims, agrees_with_the_labels) {
  const auto labels = read_labels("airline_claims.tsv");
  ASSERT_EQ(labels.size(), 31u);
  const auto measured = measure(labels);
  if (!measured) GTEST_SKIP() << no_shared_data;
  EXPECT_GE(measured->extraction.wanted, 200);
  EXPECT_GE(measured->extraction.precision(), 0.95);
  EXPECT_GE(measured->extraction.recall(), 0.95);
  EXPECT_GE(measured->verdicts.precision(), 0.95);
  EXPECT_GE(measured->unsupported.precision(), 0.85);
  EXPECT_GE(measured->unsupported.recall(), 0.85);
}

TEST(TraceClaims, agrees_with_labels_that_it_was_not_made_for) {
  const auto labels = read_labels("airline_claims_unseen.tsv");
  ASSERT_EQ(labels.size(), 13u);
  const auto measured = measure(labels);
  if (!measured) GTEST_SKIP() << no_shared_data;
  EXPECT_GE(measured->extraction.wanted, 130);
  EXPECT_GE(measured->extraction.precision(), 0.95);
  EXPECT_GE(measured->extraction.recall(), 0.95);
  EXPECT_GE(measured->verdicts.precision(), 0.95);
}

}  // namespace
}  // namespace parley::scoring
