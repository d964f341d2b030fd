#pragma once
/// The script tester (D60): reads an instruction as directives and decides the tester's next turn. A Script
/// is a plain value; everything is pure and may run on any thread. The line numbers of the earlier turns show which
/// lines were used, so no state is kept between turns.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/description/record_parse.hpp"
#include "model/expected.hpp"
#include "model/json/json.hpp"
#include "model/pattern/pattern.hpp"
#include "model/values/end_reason.hpp"

namespace parley::tester {

inline constexpr std::size_t script_lines_max = 10'000;
/// The maximum for `max turns: N`.
inline constexpr std::int64_t script_turns_max = 10'000;
/// The work that the patterns of a script together may use in one turn: at most a second for usual patterns
/// and a few seconds for hostile ones. It is counted, so that a script behaves the same on any machine (F23).
inline constexpr Steps script_steps_max = 1'000'000'000;

/// The tester says a text. Lines count from 1; 0 is the implicit "Hello" of an empty instruction.
struct Say {
  std::string text;
  std::uint32_t line = 0;
  bool operator==(const Say&) const = default;
};
/// The tester invokes an action with these arguments (an object).
struct Invoke {
  std::string name;
  json::Text arguments;
  std::uint32_t line = 0;
  bool operator==(const Invoke&) const = default;
};
struct End {
  EndReason reason = EndReason::tester_ended;
  bool operator==(const End&) const = default;
};
/// The script cannot run or continue after its fields were filled in (D60). The test is at fault.
struct BrokenScript {
  std::string detail;
  std::string code = "invalid_script";
  bool operator==(const BrokenScript&) const = default;
};
using Turn = std::variant<Say, Invoke, End, BrokenScript>;

/// The directives of an instruction. Grammar of a line, blanks around it trimmed, `RE2` with `\/` for a
/// slash:
///   line  = "" | "#" any | "end" | "max turns:" N | "end if /" RE2 "/" | "if /" RE2 "/" turn | turn | any
///   The first line that is not blank, a comment or `max turns:` may also be "first:" ( JSON-string | any ): it is said.
///   turn  = "say:" ( JSON-string | any ) | "invoke:" NAME [ JSON-object ]
class Script {
 public:
  struct Rule {
    std::string pattern;
    Turn turn;
    std::uint32_t line = 0;
    bool operator==(const Rule&) const = default;
  };
  struct Line {
    Turn turn;
    std::uint32_t line = 0;
    bool operator==(const Line&) const = default;
  };

  /// Problem: invalid_body whose detail lists the faults ("line 3: ...").
  [[nodiscard]] static Expected<Script> parse(std::string_view instruction);

  [[nodiscard]] const std::vector<std::string>& ends() const { return ends_; }
  [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] std::optional<std::int64_t> turns_max() const { return turns_max_; }
  /// True for an instruction that is only white space: it says "Hello" once. An instruction of only comments
  /// and settings is not empty, but says nothing.
  [[nodiscard]] bool is_empty() const { return is_empty_; }
  bool operator==(const Script&) const = default;

 private:
  friend class ScriptReader;
  std::vector<std::string> ends_;  ///< patterns of `end if`
  std::vector<Rule> rules_;
  std::vector<Line> lines_;                ///< said or done in order, independent of the chatbot's messages
  std::optional<std::int64_t> turns_max_;  ///< the last one given
  bool is_empty_ = true;
};

/// Adds each fault of the instruction at `pointer` (D60: 400 when a test or result is written). A line with a
/// `{{key}}` is skipped: its text is known only after the replacement.
void check_script(std::string_view instruction, const std::string& pointer, Findings& findings);

/// A line of an instruction that a script tester says or does in its turn; not a rule or a setting.
struct SaidLine {
  std::uint32_t number = 0;
  std::string_view text;  ///< trimmed
  bool is_plain = false;  ///< not a directive: it is said unchanged
};
/// The lines in order, as views into the instruction. Compiles no patterns.
[[nodiscard]] std::vector<SaidLine> said_lines(std::string_view instruction);

/// True when a line begins with `say:`, `invoke:`, `if /` or `end if /`: such an instruction is run as a
/// script even where a model is configured (D61).
[[nodiscard]] bool is_script(std::string_view instruction);

/// The prefix `first: "TEXT"` of an instruction in prose: the model tester's first words (D108).
[[nodiscard]] std::optional<std::string> first_words(std::string_view instruction);

/// The conversation so far.
struct Past {
  std::span<const std::uint32_t> used_lines;  ///< line numbers of the earlier tester turns, in order
  std::int64_t tester_turns = 0;
  std::string last_chatbot_text;  ///< chatbot messages since the last tester turn, joined by newlines
  bool chatbot_replied = false;   ///< false: patterns are not tried
};

/// The tester's next turn: `end if`, then the limit of turns (the script's, else `turns_max_default`), then
/// the unused rules, then the next line (D60). Patterns see the first limits::content_bytes_max bytes
/// of the text; BrokenScript if that would take more than script_steps_max.
[[nodiscard]] Turn next_turn(const Script& script, const Past& past, std::int64_t turns_max_default);

}  // namespace parley::tester
