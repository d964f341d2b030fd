#pragma once
/// Regular expressions of assertions, rules and scripts: RE2, so that time is linear in the text, with a bound on the
/// pattern too (F23), and a price for each search. A Pattern belongs to one thread.

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model/expected.hpp"

namespace parley {

/// What work on texts is counted in, from sizes and never by a clock: a byte that is looked at, and what takes about as long,
/// one to four nanoseconds.
using Steps = std::uint64_t;

/// What a search came to.
enum class Found : std::uint8_t { no, yes, undecided };

class Pattern {
 public:
  /// Problem: invalid_body with the reason, for a pattern RE2 refuses or that is too large.
  [[nodiscard]] static Expected<Pattern> compile(std::string_view pattern);

  /// Whether the pattern matches somewhere in the text; `undecided` where that is more work than `left`, from which it is taken.
  /// A byte is a step as long as RE2 knows its way. What it finds out of that it remembers, in a small room at first, which is
  /// soon filled and cheap to pay in advance. Few patterns fill it: for those a cheaper one decides first that is found wherever
  /// they are (with_open_gaps). Then the search begins again in the whole room, and pays more in advance, and again each time
  /// that this one is full; in pieces of the text where a match has a longest length. Where it would be full all the time RE2
  /// takes another way, which is paid for in full: the most instructions that are at work at once, times bytes of the text or
  /// piece. The same patterns and texts in the same order take the same steps, on any machine.
  [[nodiscard]] Found search(std::string_view text, Steps& left);
  /// Another question, of one text or several, begins: what RE2 finds out is paid for once more.
  void begin_question();
  /// The first room is full, and nobody knows whether this question alone would have filled it: it was not answered.
  [[nodiscard]] bool is_stale() const { return is_stale_; }
  /// Instructions of the compiled form.
  [[nodiscard]] int size() const { return compiled_->ProgramSize(); }
  /// Most that it takes of memory.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  Pattern(std::string_view pattern, std::size_t length);

  /// Takes what the search of a text of so many bytes costs in advance; false where less is left.
  [[nodiscard]] bool pay(std::size_t bytes, Steps& left);
  /// A part of a text, whose neighbours decide what `\b`, `^` and `$` mean at its ends.
  struct Piece {
    std::string_view text;
    std::size_t begin;
    std::size_t end;
  };
  /// Nullopt where the first room is full.
  [[nodiscard]] std::optional<Found> look(std::string_view text, Steps& left);
  [[nodiscard]] std::optional<Found> look_at(const Piece& piece, Steps& left) const;
  void move_to_whole_room();
  /// Whether one that is found wherever this one is, and that is cheap to search for, is not found.
  [[nodiscard]] bool is_ruled_out(const Piece& piece, Steps& left);
  /// About its instructions, of which no more than `width_` count in the whole room.
  [[nodiscard]] std::size_t length() const { return has_whole_room_ ? std::min(length_, width_) : length_; }

  std::unique_ptr<const RE2> compiled_;
  std::unique_ptr<Pattern> wider_;  ///< in the whole room, where there is one (with_open_gaps)
  std::size_t length_;              ///< about its instructions, known before it is compiled
  std::size_t width_ = 0;           ///< in the whole room: as many are at work at once
  std::size_t reach_ = 0;           ///< in the whole room, of a bounded pattern: no match has more bytes
  Steps learned_ = 0;               ///< paid for what is found out about the pattern itself
  bool has_whole_room_ = false;
  bool is_used_ = false;
  bool knows_more_ = false;  ///< than it found out by this question
  bool is_stale_ = false;
};

/// Patterns that are made once for all questions of all conversations. Belongs to one thread.
///
/// What is found, and the steps that it takes, hang on the pattern and the texts of the question alone, and not on what was asked
/// before, in which order or on which thread. A pattern serves another question only as long as its first room was never full.
/// It still knows all that it ever found out then, so one that is made anew, and finds out a part of that, does not fill the room
/// either: it takes the same way and the same steps. Where the room gets full in a later question than the first, nobody knows
/// whether a new one's would: the question has to be asked again, of a pattern that is made anew.
class CompiledPatterns {
 public:
  /// As Pattern::compile, and a question begins; holds until the next call.
  [[nodiscard]] Expected<Pattern>& of(std::string_view pattern);
  /// Whether the question that was asked last got no answer: what it took counts for nothing, and it is asked once more.
  [[nodiscard]] bool must_ask_again() const { return asked_ != nullptr && asked_->is_stale(); }

 private:
  void make_room();

  std::map<std::string, Expected<Pattern>, std::less<>> compiled_;
  const Pattern* asked_ = nullptr;
};

}  // namespace parley
