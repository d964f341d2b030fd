#pragma once
/// Regular expressions of assertions, rules and scripts: RE2, so that time is linear in the text, with a bound on the
/// pattern too (F23), and a price for each search. A Pattern belongs to one thread.

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model/result.hpp"

namespace parley {

/// What work on texts is counted in, from sizes and never by a clock: a byte that is looked at, and what takes about as long,
/// one to four nanoseconds.
using Steps = std::uint64_t;

/// What a search came to.
enum class Found : std::uint8_t { no, yes, undecided };

class Pattern {
 public:
  /// Problem: invalid_body with the reason, for a pattern RE2 refuses or that is too large.
  [[nodiscard]] static Result<Pattern> compile(std::string_view pattern);

  /// Whether the pattern matches somewhere in the text; `undecided` where that is more work than `left`, from which it is taken.
  /// A byte is a step as long as RE2 knows its way. What it finds out of that it remembers, in a small room at first, which is
  /// soon filled and cheap to pay in advance. Few patterns fill it: for those the search begins again in the whole room, and
  /// pays more in advance, and again each time that this one is full. Where that would be all the time RE2 takes another way,
  /// which is paid for in full: instructions times bytes. The same patterns and texts in the same order take the same steps, on
  /// any machine.
  [[nodiscard]] Found search(std::string_view text, Steps& left);
  /// From here on as if it had never searched.
  void renew();
  /// What RE2 finds out is paid for once more: another question begins.
  void begin_question() { learned_ = 0; }
  /// Instructions of the compiled form.
  [[nodiscard]] int size() const { return compiled_->ProgramSize(); }

 private:
  Pattern(std::string_view pattern, std::size_t length);

  /// Takes what the search of the text costs in advance; false where less is left.
  [[nodiscard]] bool pay(std::string_view text, Steps& left);
  /// Nullopt where the first room is full.
  [[nodiscard]] std::optional<Found> look(std::string_view text, Steps& left) const;
  void move_to_whole_room();

  std::unique_ptr<const RE2> compiled_;
  std::size_t length_;  ///< about its instructions, known before it is compiled
  Steps learned_ = 0;   ///< paid for what is found out about the pattern itself
  bool has_whole_room_ = false;
  bool is_used_ = false;
};

/// Patterns that are looked at once for all conversations that are asked the same, and once for all questions of one of them
/// found out about. Belongs to one thread.
class CompiledPatterns {
 public:
  /// As Pattern::compile; holds until the next call.
  [[nodiscard]] Result<Pattern>& of(std::string_view pattern);
  /// Another conversation begins: what a search costs must not hang on those before it.
  void begin_conversation() { ++conversation_; }

 private:
  struct Kept {
    Result<Pattern> pattern;
    std::uint64_t conversation;
  };

  std::map<std::string, Kept, std::less<>> compiled_;
  std::uint64_t conversation_ = 0;
};

}  // namespace parley
