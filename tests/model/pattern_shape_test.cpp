// What the text of a pattern tells about its search.

#include "model/pattern/pattern_shape.hpp"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>
#include <vector>

namespace parley {
namespace {

TEST(PatternShape, knows_what_surely_has_a_longest_match) {
  for (const char* bounded :
       {"",        "abc",        "a?",         "a{3}",         "a{0,60}b", "[a+*]{1,9}", "\\+\\*",
        "[]+]",    "[^]*]x",     "\\Qa+b*\\E", "[[:alpha:]+]", "a{",       "a{x}",       "{,}",
        "\\x{2a}", "\\p{Lu}{2}", "(?i)a|b",    "a{02,}",       "a{2,",     "[[:]b:]"})
    EXPECT_TRUE(is_bounded(bounded)) << bounded;
  for (const char* endless : {"a*", "a+", "a{2,}", "[a]+", "[]]+", "\\\\+", "\\Qa\\E+", "[[:alpha:]]+",
                              "[[:a]+", "\\pL+", "\\x{2a}*", "(a|b)*?"})
    EXPECT_FALSE(is_bounded(endless)) << endless;
}

TEST(PatternShape, opens_what_may_be_repeated_often) {
  const std::vector<std::pair<std::string, std::string>> opened{
      {"a.{0,60}b", "a.{0,}b"},   {"a.{3,60}?b", "a.{3,}?b"},         {"a{20}", "a{8,}"},
      {"a{20,}", "a{8,}"},        {"(a{9}b){2}", "(a{8,}b){2}"},      {"[^.]{0,200}x", "[^.]{0,}x"},
      {"\\pL{12}@", "\\pL{8,}@"}, {"\\p{Greek}{9}", "\\p{Greek}{8,}"}};
  for (const auto& [pattern, open] : opened) EXPECT_EQ(with_open_gaps(pattern), open);
  for (const char* same :
       {"", "a{8}", "a{2,}", "a{0,8}", "a{3,}b", "[a{0,60}]", "\\{0,60}", "\\Qa{0,60}\\E", "a{0,60", "{,60}",
        "\\x{20AC}", "a{00,60}", "a{0,060}", "a{500", "a{-1,60}", "a{+9}"})
    EXPECT_EQ(with_open_gaps(same), same);
}

TEST(PatternShape, narrows_the_classes_of_unicode_alone) {
  const std::string narrow = with_narrow_classes("\\pL");
  ASSERT_TRUE(narrow.starts_with("([\\x00\\x02")) << narrow;
  EXPECT_EQ(with_narrow_classes("a\\p{Lu}+[\\PN.-]\\P{^Greek}[^]\\pL]"),
            "a" + narrow + "+" + narrow + narrow + narrow);
  for (const char* same : {"", "\\\\pL", "\\Q\\pL\\E", "[[:alpha:]]\\w\\d", "pL", "[]p]", "[\\\\pL]"})
    EXPECT_EQ(with_narrow_classes(same), same);
}

TEST(PatternShape, is_as_many_instructions_whatever_stands_beside_a_class) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const int alone = RE2(with_narrow_classes("\\pL{9}"), quiet).ProgramSize();
  for (const char* beside : {"[[:ascii:]\\pL]{9}", "(?:\\pL|[[:ascii:]]){9}", "[^\\x01\\pL]{9}",
                             "(?:[\\x{F0000}-\\x{FFFFF}]|\\pL|[\\x00-\\x7f]){9}"})
    EXPECT_GE(RE2(with_narrow_classes(beside), quiet).ProgramSize(), alone) << beside;
}

TEST(PatternShape, has_no_longer_match_than_with_open_classes_it_has_instructions) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const auto letters = [](std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += "\xf0\xa0\x80\x80";  // a letter of four bytes
    return all;
  };
  for (const char* pattern : {"[[:ascii:]\\p{Han}]{100}", "\\pL{40}", "(?:[\\pL\\x00-\\x7f]|[^\\pN]){60}",
                              "[^\\x00-\\x{1FFFF}\\p{Greek}]{30}", "(?i)[\\p{Han}k]{20}\\p{Han}{20}"}) {
    const std::string open = with_open_classes(pattern);
    const RE2 wider(open, quiet);
    ASSERT_TRUE(wider.ok()) << open;
    for (std::size_t times = 10; times <= 100; times += 10) {
      if (!RE2::FullMatch(letters(times), RE2(pattern, quiet))) continue;
      EXPECT_TRUE(RE2::FullMatch(letters(times), wider)) << pattern;
      EXPECT_LE(4 * times, static_cast<std::size_t>(wider.ProgramSize())) << pattern;
    }
  }
}

TEST(PatternShape, is_no_longer_a_program_than_the_pattern_has_at_work) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  for (const char* pattern :
       {"\\pL{3}\\PL.{0,60}zz", "\\p{Lu}\\pL+.{0,60}card", "(?i)[\\pL\\pN]{9}", "[^\\pL]{9}x"}) {
    const RE2 whole(pattern, quiet);
    const RE2 narrow(with_narrow_classes(pattern), quiet);
    ASSERT_TRUE(whole.ok() && narrow.ok()) << pattern;
    EXPECT_LT(narrow.ProgramSize() * 3, whole.ProgramSize()) << pattern;
  }
}

/// A pattern of pieces that stand beside each other in all ways.
std::string any_pattern(std::mt19937& random) {
  const std::vector<std::string> atoms{"a",           "b",          ".",     "\\w",     "\\pL",
                                       "[ab ]",       "[^a]",       "(a|b)", "\\x{62}", "[\\pN+]",
                                       "(?:b.{0,9})", "\\Qa{9}\\E", "\\b",   "(?i)B",   "c"};
  const std::vector<std::string> counts{"",     "",      "",  "{0,12}", "{9}",  "{10}", "{9,12}",
                                        "{2,}", "{0,3}", "*", "+?",     "{9,}", "?",    "{2,11}?"};
  std::string pattern;
  for (std::size_t i = 0, size = 1 + random() % 5; i < size; ++i) {
    const std::string& atom = atoms[random() % atoms.size()];
    pattern += atom;
    if (atom != "\\b" && atom != "(?i)B") pattern += counts[random() % counts.size()];
  }
  return pattern;
}

TEST(PatternShape, finds_whatever_the_pattern_finds_once_its_gaps_are_open) {
  std::mt19937 random(7);
  RE2::Options quiet;
  quiet.set_log_errors(false);
  int differing = 0;
  for (int i = 0; i < 3'000; ++i) {
    const std::string pattern = any_pattern(random);
    const RE2 exact(pattern, quiet);
    if (!exact.ok()) continue;
    const std::string opened = with_open_gaps(pattern);
    const RE2 open(opened, quiet);
    ASSERT_TRUE(open.ok()) << pattern << " as " << opened;
    std::string text;
    for (std::size_t bytes = random() % 60; text.size() < bytes;) text += "abc 1\nB+"[random() % 8];
    const bool is_found = RE2::PartialMatch(text, exact);
    const bool is_found_open = RE2::PartialMatch(text, open);
    ASSERT_TRUE(is_found_open || !is_found) << pattern << " as " << opened << " in " << text;
    differing += is_found_open != is_found ? 1 : 0;
  }
  EXPECT_GT(differing, 10);
}

}  // namespace
}  // namespace parley
