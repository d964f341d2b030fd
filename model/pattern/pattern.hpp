#pragma once
/// Regular expressions of assertions, rules and scripts: RE2, whose time is linear in the text, with a bound on the size of
/// the pattern (F23) and a charge for each search. A Pattern belongs to one thread.

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "model/expected.hpp"

namespace parley {

/// The unit of work on texts: reading one byte, one to four nanoseconds. Work is counted from sizes and never by a clock, so the
/// count is the same on every machine.
using Steps = std::uint64_t;

/// The outcome of a search.
enum class Found : std::uint8_t { no, yes, undecided };

class Pattern {
 public:
  /// Problem: invalid_body with the reason, if RE2 refuses the pattern or it is too large.
  [[nodiscard]] static Expected<Pattern> compile(std::string_view pattern);

  /// Whether the pattern matches somewhere in the text; `undecided` if that takes more work than `left`, which it reduces. A byte
  /// costs one step while RE2 runs its DFA. The DFA states go into a small cache first, whose filling is cheap and charged in
  /// advance. For the few patterns that fill it, a cheaper pattern that matches wherever they do (with_open_gaps) is tried first.
  /// If it matches, the search restarts with the large cache, charges more in advance, and again each time that this cache fills;
  /// if a match has a longest length, it searches the text in pieces. If the cache would fill all the time, RE2 changes to its
  /// NFA, which is charged in full: the most instructions that can be active together, times the bytes of the text or piece. The
  /// same patterns and texts in the same order take the same steps on every machine.
  [[nodiscard]] Found search(std::string_view text, Steps& left);
  /// Begins another question about one or more texts: its DFA states are charged again.
  void begin_question();
  /// The small cache is full, and this question alone might not have filled it: the question has no answer yet.
  [[nodiscard]] bool is_stale() const { return is_stale_; }
  /// Instructions of the compiled form.
  [[nodiscard]] int size() const { return compiled_->ProgramSize(); }
  /// The most memory that it uses.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  Pattern(std::string_view pattern, std::size_t length);

  /// Charges the advance for searching a text of `bytes` bytes; false if less is left.
  [[nodiscard]] bool pay(std::size_t bytes, Steps& left);
  /// A part of a text. The bytes around it decide what `\b`, `^` and `$` mean at its ends.
  struct Piece {
    std::string_view text;
    std::size_t begin;
    std::size_t end;
  };
  /// Nullopt if the small cache is full.
  [[nodiscard]] std::optional<Found> look(std::string_view text, Steps& left);
  [[nodiscard]] std::optional<Found> look_at(const Piece& piece, Steps& left) const;
  void move_to_whole_room();
  /// Whether a cheaper pattern that matches wherever this one does finds no match.
  [[nodiscard]] bool is_ruled_out(const Piece& piece, Steps& left);
  /// About the number of its instructions; with the large cache at most `width_`.
  [[nodiscard]] std::size_t length() const { return has_whole_room_ ? std::min(length_, width_) : length_; }

  std::unique_ptr<const RE2> compiled_;
  std::unique_ptr<Pattern> wider_;  ///< with the large cache, if with_open_gaps gives one
  std::size_t length_;              ///< about its instructions, known before compiling
  std::size_t width_ = 0;           ///< with the large cache: most instructions active together
  std::size_t reach_ = 0;           ///< with the large cache, bounded pattern: longest match in bytes
  Steps learned_ = 0;               ///< charged so far for DFA states
  bool has_whole_room_ = false;
  bool is_used_ = false;
  bool knows_more_ = false;  ///< its DFA has states of earlier questions
  bool is_stale_ = false;
};

/// Patterns compiled once for all questions about all conversations. Belongs to one thread.
///
/// The outcome and the steps of a question depend on its pattern and texts only, not on earlier questions, their order or the
/// thread. To ensure that, a pattern serves another question only while its small cache was never full. It then holds all states
/// of all its questions, so a new pattern, which needs some of them, does not fill the cache either: it takes the same path and
/// the same steps. If the cache fills in a later question than the first, a new pattern might not have filled it, so the question
/// is repeated with a newly compiled pattern.
class CompiledPatterns {
 public:
  /// As Pattern::compile, and begins a question; valid until the next call.
  [[nodiscard]] Expected<Pattern>& of(std::string_view pattern);
  /// Whether the last question got no answer: its steps do not count, and it must be asked once more.
  [[nodiscard]] bool must_ask_again() const { return asked_ != nullptr && asked_->is_stale(); }

 private:
  void make_room();

  std::map<std::string, Expected<Pattern>, std::less<>> compiled_;
  const Pattern* asked_ = nullptr;
};

}  // namespace parley
