#include "tester/script.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/cpu_time.hpp"

namespace parley::tester {

// Used in the messages of failed tests.
void PrintTo(const Say& say, std::ostream* out) {
  *out << "say(" << say.line << ") " << say.text;
}
void PrintTo(const Invoke& invoke, std::ostream* out) {
  *out << "invoke(" << invoke.line << ") " << invoke.name << " " << invoke.arguments.text;
}
void PrintTo(const End& end, std::ostream* out) {
  *out << "end " << word_of(end.reason);
}

namespace {

constexpr std::int64_t turns_max = 30;

Script script(std::string_view instruction) {
  auto parsed = Script::parse(instruction);
  EXPECT_TRUE(parsed.ok()) << parsed.problem().detail;
  return parsed.ok() ? parsed.value() : Script{};
}

/// Plays the instruction against a chatbot that gives the `answers` in turn, until the script or the answers end.
std::vector<Turn> play(std::string_view instruction, const std::vector<std::string>& answers) {
  const Script parsed = script(instruction);
  std::vector<Turn> turns;
  std::vector<std::uint32_t> used;
  for (std::size_t i = 0; i <= answers.size(); ++i) {
    Past past{used, static_cast<std::int64_t>(used.size()), i == 0 ? "" : answers[i - 1], i > 0};
    turns.push_back(next_turn(parsed, past, turns_max));
    if (const auto* say = std::get_if<Say>(&turns.back())) used.push_back(say->line);
    if (const auto* invoke = std::get_if<Invoke>(&turns.back())) used.push_back(invoke->line);
    if (std::holds_alternative<End>(turns.back())) break;
  }
  return turns;
}

const Turn tester_ended = End{EndReason::tester_ended};
const Turn goal_reached = End{EndReason::goal_reached};
const Turn max_turns = End{EndReason::max_turns};
const Turn too_much_work = BrokenScript{
    "matching the script's patterns against the chatbot's text would be too much work", "too_much_work"};

TEST(Script, says_its_lines_in_order_and_ends_D60) {
  EXPECT_EQ(play("Hi there\n\n# a comment\nsay: And then?\r\n  indented \t\nBye", {"a", "b", "c", "d"}),
            (std::vector<Turn>{Say{"Hi there", 1}, Say{"And then?", 4}, Say{"  indented \t", 5},
                               Say{"Bye", 6}, tester_ended}));
}

TEST(Script, says_hello_once_for_an_empty_instruction_D60) {
  const std::vector<Turn> hello{Say{"Hello", 0}, tester_ended};
  EXPECT_EQ(play("", {"a"}), hello);
  EXPECT_EQ(play("\n  \r\n\t\v\f\n", {"a"}), hello);
}

TEST(Script, has_nothing_to_say_if_it_holds_only_comments_and_settings_D60) {
  for (const char* instruction : {"# note", "\n  \r\n# note\n", "max turns: 3", "end if /a/", "#"})
    EXPECT_EQ(play(instruction, {}), std::vector<Turn>{tester_ended}) << instruction;
}

TEST(Script, keeps_to_the_last_limit_of_turns_D60) {
  EXPECT_EQ(play("max turns: 1\na\nb\n\nmax turns: 2\nc", {"", "", ""}),
            (std::vector<Turn>{Say{"a", 2}, Say{"b", 3}, max_turns}));
}

TEST(Script, reads_what_say_says) {
  struct SayRow {
    std::string line;
    std::string text;
  };
  const std::vector<SayRow> rows{
      {"say: plain", "plain"},
      {"  say:plain  ", "plain"},
      {"say:", ""},
      {R"(say: "two\nlines")", "two\nlines"},
      {R"(say: "# no comment")", "# no comment"},
      {R"(say: "")", ""},
      {R"(say: "a" and "b")", R"("a" and "b")"},
      {R"(say: "broken \x")", R"("broken \x")"},
      {R"(say: ")", "\""},
      {R"(say: say: twice)", "say: twice"},
      {"Say: upper case is a line", "Say: upper case is a line"},
      {"if you can, help me", "if you can, help me"},
      {"if/when it suits", "if/when it suits"},
      {"end of story", "end of story"},
      {"end if you like", "end if you like"},
      {"ending / if", "ending / if"},
      {"end.", "end."},
      {"maximum turns: 3", "maximum turns: 3"},
  };
  for (const SayRow& row : rows) EXPECT_EQ(play(row.line, {})[0], Turn(Say{row.text, 1})) << row.line;
}

TEST(Script, invokes_actions_with_compact_arguments) {
  EXPECT_EQ(play("invoke: book {\"id\": 7, \"to\": \"a b\"}\ninvoke: cancel\ninvoke: pay{}", {"", ""}),
            (std::vector<Turn>{Invoke{"book", {R"({"id":7,"to":"a b"})"}, 1}, Invoke{"cancel", {"{}"}, 2},
                               Invoke{"pay", {"{}"}, 3}}));
}

TEST(Script, takes_rules_once_in_order_before_lines) {
  const std::string_view text =
      "one\n"
      "if /name/ say: Ann\n"
      "if /(?i)NAME|age/ invoke: tell {\"age\": 3}\n"
      "two\n"
      "three";
  EXPECT_EQ(play(text, {"your name?", "name again?", "name!", "x", "y"}),
            (std::vector<Turn>{Say{"one", 1}, Say{"Ann", 2}, Invoke{"tell", {R"({"age":3})"}, 3},
                               Say{"two", 4}, Say{"three", 5}, tester_ended}));
}

TEST(Script, tries_patterns_only_on_what_the_chatbot_said_since) {
  const Script parsed = script("if // say: always\nend if /^$/\nline");
  EXPECT_EQ(next_turn(parsed, {{}, 0, "", false}, turns_max), Turn(Say{"line", 3}));
  EXPECT_EQ(next_turn(parsed, {{}, 0, "", true}, turns_max), goal_reached);
  EXPECT_EQ(next_turn(parsed, {{}, 0, "Welcome", true}, turns_max), Turn(Say{"always", 1}));
}

TEST(Script, asks_end_if_before_max_turns_before_rules) {
  const std::string_view text = "max turns: 2\nend if /done/\nif /x/ say: rule\na\nb\nc";
  EXPECT_EQ(play(text, {"", "done"}), (std::vector<Turn>{Say{"a", 4}, Say{"b", 5}, goal_reached}));
  EXPECT_EQ(play(text, {"", "x"}), (std::vector<Turn>{Say{"a", 4}, Say{"b", 5}, max_turns}));
  EXPECT_EQ(play(text, {"x", "x"}), (std::vector<Turn>{Say{"a", 4}, Say{"rule", 3}, max_turns}));
}

TEST(Script, limits_turns_by_default_too) {
  const Script parsed = script("a\nb");
  const std::vector<std::uint32_t> used{1};
  EXPECT_EQ(next_turn(parsed, {used, 1, "", true}, 1), max_turns);
  EXPECT_EQ(next_turn(parsed, {used, 1, "", true}, 2), Turn(Say{"b", 2}));
}

TEST(Script, ends_at_end) {
  EXPECT_EQ(play("a\n end \nb", {"x", "y"}), (std::vector<Turn>{Say{"a", 1}, tester_ended}));
}

TEST(Script, follows_from_the_used_lines_alone) {
  const Script parsed = script("a\nif /x/ say: r\nb\nc\nif /x/ say: s");
  const std::vector<std::uint32_t> used{1, 5, 3};
  EXPECT_EQ(next_turn(parsed, {used, 3, "x", true}, turns_max), Turn(Say{"r", 2}));
  EXPECT_EQ(next_turn(parsed, {used, 3, "", true}, turns_max), Turn(Say{"c", 4}));
}

TEST(Script, reads_slashes_in_patterns) {
  const Script parsed = script(R"(if /a\/b\\/ say: slash / here)");
  ASSERT_EQ(parsed.rules().size(), 1u);
  EXPECT_EQ(parsed.rules()[0].pattern, R"(a/b\\)");
  EXPECT_EQ(parsed.rules()[0].turn, Turn(Say{"slash / here", 1}));
  EXPECT_EQ(play("a\nend if /https:\\/\\/x\\.y/", {"see https://x.y"}),
            (std::vector<Turn>{Say{"a", 1}, goal_reached}));
}

struct BadScript {
  std::string text;
  std::string detail;  ///< how the detail begins
};

TEST(Script, names_the_line_of_each_fault) {
  const std::vector<BadScript> rows{
      {"a\nif /(/ say: b", "line 2: the pattern is not a valid RE2 pattern: missing )"},
      {"if /a(?=b)/ say: b", "line 1: the pattern is not a valid RE2 pattern"},
      {"if /a say: b", "line 1: `if /` lacks the closing slash"},
      {"if /a/", "line 1: `if /RE2/` must continue"},
      {"if /a/ shout: b", "line 1: `if /RE2/` must continue"},
      {"if /a/ end", "line 1: `if /RE2/` must continue"},
      {"end if /a", "line 1: `end if /` lacks"},
      {"end  if  /a/ now", "line 1: nothing may follow"},
      {"end if /*/", "line 1: the pattern is not a valid RE2 pattern"},
      {"max turns: 0", "line 1: `max turns:` needs"},
      {"max turns: 10001", "line 1: `max turns:` needs"},
      {"max turns: 1.5", "line 1: `max turns:` needs"},
      {"max turns:", "line 1: `max turns:` needs"},
      {"max turns: 3\nmax turns: no", "line 2: `max turns:` needs"},
      {"invoke:", "line 1: `invoke:` needs the name"},
      {"invoke: 2nd {}", "line 1: `invoke:` needs the name"},
      {"invoke: book-it {}", "line 1: `invoke:` needs the name"},
      {"invoke: book {\"id\":}", "line 1: the arguments of `invoke:` are not valid JSON"},
      {"invoke: book {\"id\":1,\"id\":2}", "line 1: the arguments of `invoke:` are not valid JSON"},
      {"invoke: book [1]", "line 1: the arguments of `invoke:` must be a JSON object"},
      {"if /a/ invoke: book 7", "line 1: the arguments of `invoke:` must be a JSON object"},
      {"if /(((a{1000}){1000}){1000})/ say: b", "line 1: the pattern is not a valid RE2 pattern"},
      {"if /(\\pL{900}){20}/ say: b", "line 1: "},
      {std::string(script_lines_max, '\n') + "x", "line 10000: a script has at most 10,000 lines"},
  };
  for (const BadScript& row : rows) {
    const auto parsed = Script::parse(row.text);
    ASSERT_FALSE(parsed.ok()) << row.text;
    EXPECT_EQ(parsed.problem().detail.substr(0, row.detail.size()), row.detail) << row.text;
    Findings findings;
    check_script(row.text, "/instruction", findings);
    ASSERT_EQ(findings.faults.size(), 1u) << row.text;
    EXPECT_EQ(findings.faults[0].pointer, "/instruction");
    EXPECT_EQ(findings.faults[0].detail, parsed.problem().detail);
  }
}

TEST(Script, reports_all_faults_at_once_up_to_a_bound) {
  Findings findings;
  check_script("if /(/ say: a\nfine\ninvoke: 7", "/instruction", findings);
  ASSERT_EQ(findings.faults.size(), 2u);
  EXPECT_EQ(findings.faults[1].detail.substr(0, 7), "line 3:");
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += "end if /\n";
  Findings bounded;
  check_script(many, "", bounded);
  EXPECT_EQ(bounded.faults.size(), 20u);
}

TEST(Script, bounds_all_patterns_together_F23) {
  std::string many;
  for (int i = 0; i < 9'000; ++i) many += "if /(?i)some words to compile " + std::to_string(i) + "/ say: x\n";
  const auto parsed = Script::parse(many.substr(0, 256 * 1024));
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.problem().detail.find("too large together"), std::string::npos);
}

TEST(Script, looks_at_faulty_patterns_within_a_budget_F31) {
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "if /(?i)[\\p{L}\\p{N}]{300}y/ say: x\n";
  const double began = test::cpu_seconds();
  EXPECT_FALSE(Script::parse(many).ok());
  EXPECT_LT(test::cpu_seconds() - began, 1) << "some 5 ms for each";
}

TEST(Script, leaves_templates_for_later_D22) {
  const std::string_view text = "max turns: {{n}}\ninvoke: book {\"id\": {{ id }}}\nif /{{(}}/ say: b";
  Findings findings;
  check_script(text, "/instruction", findings);
  EXPECT_TRUE(findings.faults.empty()) << findings.faults.front().detail;
  EXPECT_FALSE(Script::parse(text).ok()) << "what is still open when it runs is a fault";
}

TEST(Script, is_distinguished_from_prose_D61) {
  for (const std::string_view text :
       {"say: a", "prose\n  invoke: b", "if /x", "a\nend if /x/ junk", "\tif  /x/ say: y"}) {
    EXPECT_TRUE(is_script(text)) << text;
  }
  for (const std::string_view text : {"", "You want a refund.", "max turns: 5", "if you like", "end",
                                      "end if x/", "I say: no", "# say: no", "if/x/", "Say: a"}) {
    EXPECT_FALSE(is_script(text)) << text;
  }
}

TEST(Script, copes_with_a_huge_reply_F23) {
  const Script parsed = script("if /(a+)+b/ say: never\nend if /x$/\nline");
  EXPECT_EQ(next_turn(parsed, {{}, 0, std::string(3'000'000, 'a'), true}, turns_max), Turn(Say{"line", 3}));
}

TEST(Script, tries_patterns_on_a_reply_within_a_bound_F23) {
  std::mt19937 random(3);
  std::string reply = "aaaaaaaaaac";
  for (int i = 0; i < 900'000; ++i) reply += (random() & 1U) == 0 ? 'a' : 'b';
  std::string hostile = "say: hi\n";
  for (int i = 0; i < 8; ++i) hostile += "if /[ab]*a[ab]{" + std::to_string(900 - i) + "}c/ say: x\n";
  const std::vector<std::uint32_t> used{1};
  const double began = test::cpu_seconds();
  EXPECT_EQ(next_turn(script(hostile), {used, 1, reply, true}, turns_max), too_much_work);
  EXPECT_EQ(next_turn(script("end if /[ab]*a[ab]{900}c/\n" + hostile), {used, 1, reply, true}, turns_max),
            too_much_work);
  EXPECT_LT(test::cpu_seconds() - began, 5) << "seven for each pattern";
}

TEST(Script, tries_hundreds_of_plain_patterns_on_a_long_reply_D60) {
  std::string reply;
  while (reply.size() < 1'000'000)
    reply += "Your parcel " + std::to_string(reply.size()) + " is on its way. ";
  std::string plain = "say: start\n";
  for (int i = 0; i < 650; ++i)
    plain += "if /(?i)order " + std::to_string(i) + " is (lost|late)/ say: what about it?\n";
  const std::vector<std::uint32_t> used{1};
  for (const std::size_t bytes : {40'000u, 1'000'000u}) {
    EXPECT_EQ(next_turn(script(plain + "say: last"), {used, 1, reply.substr(0, bytes), true}, turns_max),
              Turn(Say{"last", 652}))
        << bytes;
  }
  EXPECT_EQ(next_turn(script(plain), {used, 1, reply + " Order 400 is LATE", true}, turns_max),
            Turn(Say{"what about it?", 402}));
}

TEST(Script, bounds_the_work_of_all_expensive_patterns_together_F23) {
  // Overlapping classes: each state of such a pattern has a transition for every letter, so that caching states never
  // helps.
  std::mt19937 random(3);
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  std::string reply = "aaaaaaaaaac";
  for (int i = 0; i < 900'000; ++i) reply += letters[random() % letters.size()];
  const auto overlapping = [&] {
    std::string pattern;
    for (int i = 0; i < 90; ++i) {
      const std::size_t from = random() % letters.size();
      const std::size_t to = from + random() % (letters.size() - from);
      pattern +=
          (i % 3 == 0 && i > 0 ? "Q|[" : "[") + std::string(1, letters[from]) + '-' + letters[to] + ']';
    }
    return pattern + 'Q';
  };
  std::string hostile;
  for (int i = 0; i < 150; ++i) hostile += "if /" + overlapping() + "/ say: x\n";
  const double began = test::cpu_seconds();
  EXPECT_EQ(next_turn(script(hostile), {{}, 0, reply, true}, turns_max), too_much_work);
  EXPECT_LT(test::cpu_seconds() - began, 8) << "twelve, were all of them tried";
}

}  // namespace
}  // namespace parley::tester
