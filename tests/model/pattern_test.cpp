// Which patterns are accepted, and how much their search may cost.

#include "model/pattern/pattern.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <random>

#include "model/pattern/pattern_check.hpp"
#include "tests/support/cpu_time.hpp"

namespace parley {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

double seconds_of(const std::function<void()>& work) {
  const double began = test::cpu_seconds();
  work();
  return test::cpu_seconds() - began;
}

TEST(Pattern, is_taken_up_to_20000_instructions_and_no_further_F23) {
  // Not counting the four instructions that every program has. The patterns have repetitions, captures, choices and
  // classes, which RE2 counts differently during compilation.
  for (const std::string& fits :
       {repeated("a{1000}", 19) + "a{996}", std::string(19'996, 'x'), repeated("(a)", 6'665),
        std::string("\\pL{15}"), repeated("(?:|a){1000}", 9) + "(?:|a){998}",
        "((a?)*){1000}" + repeated("((a?)*)", 980), repeated(".{1000}", 2),
        std::string("(?i)[\\p{L}\\p{N}]{14}"),
        "(a|b|){1000}(a|b|){1000}(a|b|){1000}" + repeated("(a|b|)", 1'990)}) {
    const PatternMeasure measure = measured(fits);
    EXPECT_EQ(measure.fault, "") << fits.substr(0, 40);
    EXPECT_GT(measure.size, 15'000) << fits.substr(0, 40);
    EXPECT_TRUE(Pattern::compile(fits).ok()) << fits.substr(0, 40);
    EXPECT_EQ(PatternCheck().measure(fits).fault, "") << fits.substr(0, 40);
  }
  for (const std::string& large :
       {repeated("a{1000}", 20) + "aa", std::string(20'001, 'x'), std::string("\\pL{17}"),
        std::string("(?i)[\\p{L}\\p{N}]{300}"), repeated("(?:|a){1000}", 11)}) {
    EXPECT_EQ(measured(large).fault, "is too large a pattern; use smaller repetition counts")
        << large.substr(0, 40);
    EXPECT_FALSE(Pattern::compile(large).ok()) << large.substr(0, 40);
  }
}

TEST(Pattern, of_few_characters_is_refused_soon_F31) {
  EXPECT_LT(seconds_of([] { EXPECT_FALSE(Pattern::compile("(?i)[\\p{L}\\p{N}]{300}y").ok()); }), 0.1);
}

constexpr Steps many = 4'000'000'000;

Steps price_of(Pattern& pattern, std::string_view text, Found found) {
  Steps left = many;
  EXPECT_EQ(pattern.search(text, left), found) << text.size();
  return many - left;
}

Pattern made(std::string_view pattern) {
  auto compiled = Pattern::compile(pattern);
  EXPECT_TRUE(compiled.ok());
  return std::move(compiled).value();
}

/// At every position, another start of `[ab]*a[ab]{900}c` may end.
std::string tossed(std::size_t bytes) {
  std::mt19937 random(3);
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += (random() & 1U) == 0 ? 'a' : 'b';
  return text;
}

TEST(Pattern, takes_about_a_step_a_byte_where_it_is_usual_D31) {
  const std::string text =
      repeated("The quick brown fox jumps over the lazy dog while it rains in Oslo. ", 15'000);
  std::string words = "(?i)\\b(";
  for (int i = 0; i < 20; ++i) words += "reimburse" + std::to_string(i) + " word|";
  for (const std::string& usual :
       {words + "refund)\\b", std::string("\\pL+@\\pL+\\.\\pL+"), std::string("x{900}"),
        std::string("(?i)\\b(refund|return)\\b.{0,40}[0-9]{4}")}) {
    Pattern pattern = made(usual);
    for (int i = 0; i < 2; ++i) EXPECT_LT(price_of(pattern, text, Found::no), text.size() + 1'000) << usual;
  }
}

TEST(Pattern, costs_its_size_a_byte_without_a_dfa_F23) {
  for (const std::string odd : {"[ab]*a[ab]{25}c", "[ab]*a[ab]{400}c", "c[ab]{25}[bc][ab]*$"}) {
    const std::string text = (odd.front() == 'c' ? "c" : "") + tossed(100'000);
    Pattern pattern = made(odd);
    EXPECT_GT(price_of(pattern, text, Found::no), text.size() * static_cast<Steps>(pattern.size())) << odd;
  }
}

TEST(Pattern, is_not_searched_for_beyond_what_is_left_F23) {
  const std::string text = tossed(900'000);
  Pattern hostile = made("[ab]*a[ab]{900}c");
  const double took = seconds_of([&] {
    Steps left = many;
    EXPECT_EQ(hostile.search(text, left), Found::undecided);
  });
  EXPECT_LT(took, 1) << "seven seconds, were it decided";
  const std::string short_text = tossed(20'000);
  EXPECT_GT(price_of(hostile, short_text, Found::no), 907U * 4 * short_text.size());
  EXPECT_GT(price_of(hostile, short_text + 'a' + std::string(900, 'b') + 'c', Found::yes), 0U);
  Steps none = 10;
  EXPECT_EQ(hostile.search("aaaaaaaaaaaaaaaaaaaaa", none), Found::undecided);
  EXPECT_EQ(none, 10U);
}

/// Words in random order, one of which begins a match of `refund.{0,80}...`, again and again within the gap.
std::string rambling(std::size_t words) {
  std::mt19937 random(4);
  std::string text;
  for (std::size_t i = 0; i < words; ++i)
    text += std::array{"refund ", "now ", "alpha ", "beta ", "the "}.at(random() % 5);
  return text;
}

TEST(Pattern, with_a_longest_match_is_decided_however_often_it_begins_D31) {
  const std::string text = rambling(40'000);
  ASSERT_GT(text.size(), 180'000U);
  for (const char* usual : {"(?i)refund.{0,80}(card|bank)", "refund.{1,120}(card|bank)",
                            "the.{0,30}refund.{0,60}card", "(?i)\\brefund\\b[^.\\n]{0,200}\\bcard\\b"}) {
    Pattern pattern = made(usual);
    EXPECT_LT(price_of(pattern, text, Found::no), 2'000'000'000U) << usual;
    EXPECT_LT(price_of(pattern, text + "refund card refund bank", Found::yes), 2'000'000'000U) << usual;
  }
}

/// Prose whose words repeatedly match the part of the pattern before the gap.
std::string letter(std::size_t bytes) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < bytes)
    text +=
        std::array{"Guten ", "Tag ", "Herr ", "Schmidt, ", "R\u00fcckerstattung ", "f\u00fcr ", "Geduld. "}
            .at(random() % 7);
  return text;
}

TEST(Pattern, of_words_before_a_gap_is_decided_on_prose_D31) {
  const std::string text = letter(60'000);
  for (const char* usual : {"\\p{Lu}\\pL+.{0,60}card", "\\pL{3,}.{0,80}\\d{4}", "\\pL+ \\pL+.{0,60}zz",
                            "\\pL{5}\\PL.{0,60}zz", "\\w+ \\w+.{0,80}card", "\\b\\pL{3,}\\b.{0,50}\\d @"}) {
    Pattern pattern = made(usual);
    EXPECT_LT(price_of(pattern, text, Found::no), 2'400'000'000U) << usual;
    // The text after the gap of the pattern exists, but too far away.
    Pattern fresh = made(usual);
    const std::string far = text.substr(0, 40'000) + std::string(200, '.') + "1234, card, zz, , @";
    EXPECT_LT(price_of(fresh, far, Found::no), 2'400'000'000U) << usual;
    EXPECT_LT(price_of(fresh, far + " Guten Tag f\u00fcr 1234 card zz 1 @", Found::yes), 2'400'000'000U)
        << usual;
  }
}

/// The outcome and the cost of each search.
std::vector<std::pair<Found, Steps>> asked(CompiledPatterns& kept, std::string_view pattern,
                                           const std::vector<std::string>& texts) {
  std::vector<std::pair<Found, Steps>> costs;
  for (const std::string& text : texts) {
    Steps left = many;
    const Found found = kept.of(pattern).value().search(text, left);
    costs.emplace_back(found, many - left);
  }
  return costs;
}

TEST(Pattern, finds_and_costs_the_same_after_any_earlier_search) {
  // Each text alone leaves capacity for the DFA's states, several together do not; or one text uses up the capacity, or
  // needs the NFA.
  std::vector<std::string> texts{tossed(100), tossed(3'000), tossed(50'000), "x"};
  const std::string all = tossed(80'000);
  for (std::size_t i = 1; i < 20; ++i) texts.push_back(all.substr(i * 4'000, 1'500));
  for (const char* pattern :
       {"[ab]*a[ab]{900}c", "a[ab]{11}c", "(?i)order 17", "a[ab]{11}c$", "a[ab]{40}c"}) {
    CompiledPatterns kept;
    std::mt19937 random(5);
    for (int i = 0; i < 50; ++i) {
      const std::vector<std::string> one{texts[random() % texts.size()]};
      CompiledPatterns fresh;
      EXPECT_EQ(asked(kept, pattern, one), asked(fresh, pattern, one)) << pattern << " " << i;
    }
  }
}

TEST(Pattern, is_made_once_for_the_questions_of_all_conversations) {
  CompiledPatterns kept;
  const double took = seconds_of([&] {
    for (int i = 0; i < 2'000; ++i)
      EXPECT_EQ(asked(kept, "(?i)\\b(\\pL+)@(\\pL+)\\.(\\pL+)", {"a"}).front().first, Found::no);
  });
  EXPECT_LT(took, 1) << "more than a millisecond each, were it made for each";
}

TEST(Pattern, is_forgotten_where_there_are_too_many_and_finds_the_same) {
  CompiledPatterns kept;
  for (int i = 0; i < 600; ++i) {
    const auto took = asked(kept, "my order " + std::to_string(i % 300) + "$", {"Where is my order 7"});
    EXPECT_EQ(took.front().first, i % 300 == 7 ? Found::yes : Found::no) << i;
    EXPECT_FALSE(kept.of("(" + std::to_string(i)).ok());
  }
}

TEST(PatternCheck, spends_one_budget_on_all_patterns_F31) {
  for (const std::string& one : {std::string("(?i)[\\p{L}\\p{N}]{300}y"), std::string("\\pL{15}"),
                                 std::string(2'000, 'x'), repeated("\\PL", 500), repeated("a?", 5'000),
                                 "[" + repeated("\\pL", 100) + "]", repeated("a{1000}", 500)}) {
    PatternCheck check;
    std::size_t refused = 0;
    const double took = seconds_of([&] {
      for (int i = 0; i < 5'000; ++i) refused += check.measure(one).fault.empty() ? 0U : 1U;
    });
    EXPECT_GT(refused, 4'000U) << one.substr(0, 40);
    EXPECT_LT(took, 1 * test::sanitizer_factor) << one.substr(0, 40) << ": a tenth of it by itself";
    EXPECT_LT(check.work(), PatternCheck::work_max + pattern_size_max + 200'000);
  }
}

TEST(PatternCheck, takes_a_body_of_usual_patterns) {
  PatternCheck check;
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(check.measure("(?i)\\b(refund|return)\\b.*(days|weeks) #[0-9]{6} " + std::to_string(i)).fault,
              "");
  }
  PatternCheck of_unicode;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(of_unicode.measure("\\pL+@\\pL+\\.\\pL+").fault, "") << i << ": D55 allows 100";
  PatternCheck of_words;
  for (int i = 0; i < 100; ++i) {
    std::string words;
    for (int k = 0; k < 200; ++k) words += "w" + std::to_string(i) + std::to_string(k) + '|';
    EXPECT_EQ(of_words.measure(words + "x").fault, "") << i;
  }
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(check.measure("(").fault, "is not a valid RE2 pattern: missing ): (");
  EXPECT_EQ(check.measure("\\pL+").fault, "");
}

}  // namespace
}  // namespace parley
