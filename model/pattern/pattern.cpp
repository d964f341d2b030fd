#include "model/pattern/pattern.hpp"

#include "model/pattern/pattern_check.hpp"
#include "model/pattern/re2_text.hpp"

namespace parley {
namespace {

/// The most memory of all cached patterns; beyond it all of them are dropped.
constexpr std::int64_t kept_bytes_max = 64 * 1024 * 1024;

// The memory of a pattern, most of it for the states of its DFA: a few hundred states, which is all that a
// common pattern needs. RE2 uses no DFA if there is no room for about twenty of the largest states.
constexpr int small_size_max = 1'000;
constexpr std::int64_t small_bytes = measured_bytes_max;
constexpr std::int64_t bytes_an_instruction = 256;
constexpr std::int64_t bytes_max = 8 * 1024 * 1024;

// The measured charges for a search.
constexpr Steps search_steps = 64;  ///< for any search, in addition to its bytes
constexpr Steps slow_steps = 4;     ///< per instruction and byte in the NFA: up to ten nanoseconds
constexpr Steps fill_steps = 1'000'000;
constexpr Steps fill_steps_an_instruction = 2'000;

/// Thrown through RE2, which cleans up wherever it calls a hook.
enum class Break : std::uint8_t { too_much_work, no_room };

/// The search in progress on this thread, for RE2's hooks.
struct Search {
  bool is_first;  ///< the first search of its pattern
  Steps fill_price;
  Steps slow_price;
  Steps& left;
  bool was_full = false;

  void pay(Steps price) {
    if (price > left) throw Break::too_much_work;
    left -= price;
  }
};
thread_local Search* current = nullptr;

/// RE2 drops its DFA's states and computes them again.
void on_full_room(const re2::hooks::DFAStateCacheReset& /*reset*/) {
  if (current == nullptr) return;
  if (!current->is_first) throw Break::no_room;
  current->was_full = true;
  current->pay(current->fill_price);
}

/// RE2 restarts the search with its NFA.
void on_fallback(const re2::hooks::DFASearchFailure& /*failure*/) {
  if (current == nullptr) return;
  if (current->slow_price > slow_search_steps_max) throw Break::too_much_work;
  current->pay(current->slow_price);
}

/// RE2's hooks are global to the process.
bool set_hooks() {
  re2::hooks::SetDFAStateCacheResetHook(on_full_room);
  re2::hooks::SetDFASearchFailureHook(on_fallback);
  return true;
}

std::unique_ptr<const RE2> compiled(std::string_view pattern, std::int64_t bytes) {
  static const bool is_set = set_hooks();
  static_cast<void>(is_set);
  return std::make_unique<const RE2>(re2_text(pattern), re2_options(bytes));
}

/// RE2 searches a pattern that is anchored at the end of the text backward from there, with a reverse
/// program. If its memory is too small for that program, it falls back to the NFA without calling a hook.
bool has_reverse_program(const RE2& re2) {
  const bool may_end_with_text =
      re2.pattern().find('$') != std::string::npos || re2.pattern().find("\\z") != std::string::npos;
  return !may_end_with_text || re2.ReverseProgramSize() >= 0;
}

}  // namespace

Expected<Pattern> Pattern::compile(std::string_view pattern) {
  auto made = compiled(pattern, small_bytes);
  PatternMeasure measure = measure_of(*made);
  if (!measure.fault.empty()) return problem(ProblemKind::invalid_body, std::move(measure.fault));
  if (measure.size > small_size_max)
    made = compiled(pattern, small_bytes + bytes_an_instruction * measure.size);
  if (!has_reverse_program(*made)) made = compiled(pattern, bytes_max);
  return Pattern(std::move(made));
}

void Pattern::compile_again() {
  compiled_ = compiled(compiled_->pattern(), bytes());
  is_used_ = false;
  was_full_ = false;
}

bool Pattern::matches(std::string_view text, Steps& left) {
  const auto instructions = static_cast<Steps>(size());
  Search search{.is_first = !is_used_,
                .fill_price = fill_steps + fill_steps_an_instruction * instructions,
                .slow_price = slow_steps * instructions * text.size(),
                .left = left};
  struct Current {
    explicit Current(Search& now) { current = &now; }
    ~Current() { current = nullptr; }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
  } const is_current(search);
  is_used_ = true;
  const bool found = compiled_->Match(re2_text(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
  was_full_ = search.was_full;
  return found;
}

Found Pattern::search(std::string_view text, Steps& left) {
  if (left < search_steps + text.size()) return Found::undecided;
  left -= search_steps + text.size();
  if (was_full_) compile_again();
  for (;;) {
    try {
      return matches(text, left) ? Found::yes : Found::no;
    } catch (const Break reason) {
      compile_again();
      if (reason == Break::too_much_work) return Found::undecided;
    }
  }
}

std::optional<std::pair<std::size_t, std::size_t>> Pattern::place(std::string_view text) const {
  constexpr std::size_t text_bytes_max = 64 * 1024;
  constexpr std::size_t work_max = 20'000'000;
  if (text.size() > text_bytes_max || text.size() * static_cast<std::size_t>(size()) > work_max)
    return std::nullopt;
  const auto own = compiled(compiled_->pattern(), bytes());
  re2::StringPiece found;
  if (!own->Match(re2_text(text), 0, text.size(), RE2::UNANCHORED, &found, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return std::pair(begin, begin + found.size());
}

Expected<Pattern>& CompiledPatterns::of(std::string_view pattern) {
  auto known = compiled_.find(pattern);
  if (known == compiled_.end()) {
    make_room();
    known = compiled_.emplace(std::string(pattern), Pattern::compile(pattern)).first;
  }
  return known->second;
}

void CompiledPatterns::make_room() {
  std::int64_t bytes = bytes_max;
  for (const auto& [text, kept] : compiled_) bytes += kept.ok() ? kept.value().bytes() : small_bytes;
  if (bytes > kept_bytes_max) compiled_.clear();
}

}  // namespace parley
