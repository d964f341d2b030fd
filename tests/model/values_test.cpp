// Ids, times, problems, metadata: the plain values.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "model/id.hpp"
#include "model/json/problem_json.hpp"
#include "model/problem.hpp"
#include "model/records/agent.hpp"
#include "model/records/measure_sums.hpp"
#include "model/text/uri_text.hpp"
#include "model/time.hpp"
#include "model/values/metadata.hpp"

namespace parley {
namespace {

constexpr Time noon{1'769'860'800'123};  // 2026-01-31T12:00:00.123Z

TEST(UriText, has_a_pattern_of_the_characters_that_are_never_escaped) {
  const std::regex pattern{std::string(unreserved_pattern)};
  for (int c = 1; c < 128; ++c) {
    const std::string text(1, static_cast<char>(c));
    EXPECT_EQ(std::regex_match(text, pattern), is_unreserved(text.front())) << c;
  }
}

TEST(Id, ids_of_one_millisecond_sort_in_the_order_they_were_made_D7) {
  RandomIds ids;
  Id before = ids.next(Time{1'790'000'000'000});
  for (int i = 0; i < 4'000; ++i) {
    const Id next = ids.next(Time{1'790'000'000'000});
    ASSERT_LT(before, next) << i;
    EXPECT_EQ(time_of(next), Time{1'790'000'000'000});
    before = next;
  }
  EXPECT_LT(before, ids.next(Time{1'790'000'000'001}));
}

TEST(Id, a_clock_that_goes_back_and_a_crowded_millisecond_still_give_different_ids) {
  RandomIds ids;
  std::set<Id> seen;
  for (int i = 0; i < 10'000; ++i) seen.insert(ids.next(Time{1'790'000'000'000 - i / 5'000}));
  EXPECT_EQ(seen.size(), 10'000U);
  EXPECT_EQ(time_of(*seen.rbegin()), Time{1'790'000'000'000});
}

TEST(Id, is_a_UUIDv7_with_its_time_in_front_D7) {
  RandomIds ids;
  const Id id = ids.next(noon);
  const std::string text = to_text(id);
  EXPECT_EQ(text.size(), 36U);
  EXPECT_EQ(text[14], '7') << "the version";
  EXPECT_NE(std::string("89ab").find(text[19]), std::string::npos) << "the variant";
  EXPECT_EQ(time_of(id), noon);
  EXPECT_EQ(id_from_text(text), id);
}

TEST(Id, is_unique_and_sorts_by_time_I12) {
  RandomIds ids;
  std::set<Id> seen;
  for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(seen.insert(ids.next(noon)).second);
  EXPECT_LT(ids.next(noon), ids.next(Time{noon.ms + 1}));
  EXPECT_LT(to_text(ids.next(noon)), to_text(ids.next(Time{noon.ms + 1})));
}

TEST(Id, counts_for_tests) {
  CountingIds a(5), b(5);
  const Id first = a.next(noon);
  EXPECT_EQ(first, b.next(noon));
  EXPECT_LT(first, a.next(noon));
  EXPECT_TRUE(Id{}.is_nil());
  EXPECT_FALSE(first.is_nil());
}

TEST(Id, reads_nothing_but_its_own_form) {
  const std::string good = to_text(CountingIds().next(noon));
  ASSERT_TRUE(id_from_text(good).has_value());
  std::string upper = good;
  upper[0] = 'A';
  std::string dash = good;
  dash[8] = '0';
  std::string inside = good;
  inside[1] = '-';
  for (const std::string& bad : {std::string(), std::string("x"), good + "0", good.substr(1), upper, dash,
                                 inside, std::string(36, '-'), "{" + good.substr(1), std::string(36, '\0')}) {
    EXPECT_FALSE(id_from_text(bad).has_value()) << bad;
  }
}

struct Instant {
  std::string text;
  std::optional<std::string> canonical;
};

TEST(Time, reads_RFC_3339_and_writes_UTC_with_milliseconds_D7) {
  const std::vector<Instant> rows{
      {"2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"},
      {"2026-01-31t12:00:00z", "2026-01-31T12:00:00.000Z"},
      {"2026-01-31 12:00:00Z", "2026-01-31T12:00:00.000Z"},
      {"2026-01-31T12:00:00.1Z", "2026-01-31T12:00:00.100Z"},
      {"2026-01-31T12:00:00.123987654321Z", "2026-01-31T12:00:00.123Z"},
      {"2026-01-31T12:00:00+02:30", "2026-01-31T09:30:00.000Z"},
      {"2026-01-31T23:00:00-02:00", "2026-02-01T01:00:00.000Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"},
      {"1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"},
      {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"},
      {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
      {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"},
      {"", {}},
      {"2026-01-31", {}},
      {"2026-01-31T12:00:00", {}},
      {"2026-01-31T12:00Z", {}},
      {"2026-01-31T12:00:00.Z", {}},
      {"2026-01-31T12:00:00,5Z", {}},
      {"2026-01-31T12:00:00+0200", {}},
      {"2026-01-31T12:00:00+24:00", {}},
      {"2026-01-31T12:00:00Zx", {}},
      {"2026-01-31T12:00:00ZZ", {}},
      {"2026-02-30T12:00:00Z", {}},
      {"2025-02-29T12:00:00Z", {}},
      {"2026-13-01T12:00:00Z", {}},
      {"2026-00-01T12:00:00Z", {}},
      {"2026-01-31T24:00:00Z", {}},
      {"2026-01-31T12:60:00Z", {}},
      {"2026-01-31T12:00:61Z", {}},
      {"+026-01-31T12:00:00Z", {}},
      {"26-01-31T12:00:00.000Z", {}},
      // Outside the years that RFC 3339 can write.
      {"0000-01-01T00:00:00+01:00", {}},
      {"9999-12-31T23:59:59-01:00", {}},
      {"9999-12-31T23:59:60Z", {}},
  };
  for (const Instant& row : rows) {
    const auto time = time_from_text(row.text);
    EXPECT_EQ(time.has_value(), row.canonical.has_value()) << row.text;
    if (!time || !row.canonical) continue;
    EXPECT_EQ(to_text(*time), *row.canonical) << row.text;
    EXPECT_EQ(time_from_text(to_text(*time)), time) << row.text;
  }
  EXPECT_EQ(to_text(noon), "2026-01-31T12:00:00.123Z");
}

TEST(Problem, has_one_row_for_each_kind_in_order) {
  std::set<std::string_view> slugs;
  const auto& rows = problem_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rows.at(i).kind), i);
    EXPECT_TRUE(slugs.insert(rows.at(i).slug).second) << rows.at(i).slug;
    EXPECT_GE(rows.at(i).status, 400);
    EXPECT_FALSE(rows.at(i).title.empty());
  }
  EXPECT_EQ(rows.back().kind, ProblemKind::in_doubt) << "a kind without a row";
}

struct Kind {
  ProblemKind kind;
  int status;
};

TEST(Problem, answers_the_statuses_of_D4) {
  using enum ProblemKind;
  for (const auto& [kind, status] : std::vector<Kind>{{invalid_json, 400},
                                                      {invalid_body, 400},
                                                      {invalid_parameter, 400},
                                                      {invalid_state_for_request, 400},
                                                      {duplicate_action, 400},
                                                      {page_too_large, 400},
                                                      {unauthorized, 401},
                                                      {forbidden, 403},
                                                      {not_found, 404},
                                                      {method_not_allowed, 405},
                                                      {not_acceptable, 406},
                                                      {conflict, 409},
                                                      {conversation_full, 409},
                                                      {idempotency_key_in_progress, 409},
                                                      {precondition_failed, 412},
                                                      {body_too_large, 413},
                                                      {unsupported_media_type, 415},
                                                      {idempotency_key_reused, 422},
                                                      {too_many_requests, 429},
                                                      {internal, 500},
                                                      {busy, 503},
                                                      {draining, 503},
                                                      {store_refuses, 503},
                                                      {no_leader, 503},
                                                      {in_doubt, 502}}) {
    EXPECT_EQ(row_of(kind).status, status) << row_of(kind).slug;
    EXPECT_EQ(problem(kind, "x").retry_after_s > 0,
              status == 503 || status == 429 || kind == idempotency_key_in_progress)
        << row_of(kind).slug;
  }
}

TEST(Problem, writes_an_RFC_9457_document_D3) {
  const Problem faults = body_faults({{"/a", {}, "is \"required\""}, {{}, "page", "must be an integer"}});
  EXPECT_EQ(
      problem_json(faults, "req-1"),
      R"({"type":"/problems/invalid-body","title":"The body has faults","status":400,)"
      R"("detail":"2 faults, listed under errors","instance":"req-1",)"
      R"("errors":[{"pointer":"/a","detail":"is \"required\""},{"parameter":"page","detail":"must be an integer"}]})");
  EXPECT_EQ(problem_json(unknown_record("run", std::string(100, 'x')), ""),
            R"({"type":"/problems/not-found","title":"Not found","status":404,)"
            R"("detail":"there is no run with the id ')" +
                std::string(64, 'x') + R"('"})");
  EXPECT_EQ(body_fault("", "must be an object").faults.front().pointer, "");
}

TEST(Problems, say_where_the_one_fault_is_D3) {
  EXPECT_EQ(body_fault("/config/url", "is required").detail, "/config/url is required");
  EXPECT_EQ(body_fault("/agent", "there is no agent with this id").detail,
            "/agent: there is no agent with this id");
  EXPECT_EQ(body_fault("", "must be an object").detail, "the body must be an object");
  EXPECT_EQ(parameter_fault("sortBy", "must name a field").detail, "sortBy must name a field");
  EXPECT_EQ(body_fault("/a", "is required").faults, (std::vector<Fault>{{"/a", {}, "is required"}}));
}

TEST(Nouns, have_the_article_that_is_said) {
  EXPECT_EQ(noun_with_article(RecordKind::agent), "an agent");
  EXPECT_EQ(noun_with_article(RecordKind::api_key), "an API key");
  EXPECT_EQ(noun_with_article(RecordKind::external_log), "an external conversation log");
  EXPECT_EQ(noun_with_article(RecordKind::user), "a user");
  EXPECT_EQ(noun_with_article(RecordKind::run), "a run");
}

struct Merge {
  std::string base;
  std::string patch;
  std::string merged;
};

TEST(Metadata, merges_top_level_keys_and_keeps_every_text_I37_I58) {
  for (const Merge& row :
       std::vector<Merge>{{"{}", "{}", "{}"},
                          {R"({"a":1})", "{}", R"({"a":1})"},
                          {"{}", R"({"a":1})", R"({"a":1})"},
                          {R"({"a":1.0,"b":-0})", R"({"b":1e2,"c":null})", R"({"a":1.0,"b":1e2,"c":null})"},
                          {R"({"a":{"x":1,"y":2}})", R"({"a":{"x":3}})", R"({"a":{"x":3}})"},
                          {R"({"a":1,"b":2})", R"({"b":null})", R"({"a":1,"b":null})"},
                          {R"({"\u0061":1})", R"({"a":2})", R"({"a":2})"}}) {
    EXPECT_EQ(merged({row.base}, {row.patch}).text, row.merged);
  }
}

TEST(Metadata, counts_as_empty_where_it_cannot_be_read) {
  EXPECT_EQ(merged({R"({"a":***})"}, {R"({"b":1})"}).text, R"({"b":1})");
  EXPECT_EQ(merged({R"({"b":1})"}, {R"({"a":***})"}).text, R"({"b":1})");
  const std::array<std::string_view, 1> keys{"a"};
  EXPECT_EQ(without({R"({"a":***})"}, keys).text, "{}");
}

TEST(Metadata, leaves_keys_out) {
  const std::array<std::string_view, 2> keys{"a", "nope"};
  EXPECT_EQ(without({R"({"a":{"x":1},"b":1.0})"}, keys).text, R"({"b":1.0})");
}

TEST(Measures, counts_only_numbers_and_gives_no_mean_without_any_I59) {
  const auto metadata =
      json::parse(R"({"responseTime":10,"inputTokens":"7","cost":null,"outputTokens":2.5})");
  const Measures measures = measures_of(metadata->root());
  EXPECT_EQ(measures.response_time, 10);
  EXPECT_EQ(measures.output_tokens, 2.5);
  EXPECT_FALSE(measures.input_tokens || measures.cost);
  MeasureSums sums;
  sums.add(measures);
  sums.add(Measures{20, {}, {}, {}});
  sums.add(Measures{{}, 1e308, {}, {}});
  sums.add(Measures{{}, 1e308, {}, {}});
  EXPECT_EQ(sums.response_time.mean(), 15);
  EXPECT_EQ(sums.output_tokens.mean(), 2.5);
  EXPECT_FALSE(sums.cost.mean().has_value());
  EXPECT_FALSE(sums.input_tokens.mean().has_value()) << "the sum left the range of a double";
}

TEST(Agent, knows_its_types_D43_D70) {
  for (const std::string_view type : {"", "EXTERNAL", "LOCAL", "GITHUB", "HTTP", "OPENAI", "DEMO"}) {
    EXPECT_TRUE(is_agent_type(type)) << type;
    const bool is_hosted = type == "HTTP" || type == "OPENAI" || type == "DEMO";
    EXPECT_EQ(is_server_driven(type), is_hosted) << type;
    EXPECT_EQ(gets_results_at_launch(type), is_hosted || type == "LOCAL" || type == "GITHUB") << type;
  }
  for (const std::string_view type : {"local", "http ", "OTHER"}) EXPECT_FALSE(is_agent_type(type)) << type;
}

}  // namespace
}  // namespace parley
