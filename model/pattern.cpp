#include "model/pattern.hpp"

#include <algorithm>

#include "model/pattern_check.hpp"

namespace parley {
namespace {

/// What RE2 finds out about a pattern is kept here; what does not fit is found out again and again.
constexpr std::int64_t memory_bytes_max = 8 * 1024 * 1024;
/// Each may take `memory_bytes_max`; beyond it all are forgotten.
constexpr std::size_t compiled_max = 8;

// The price of a search, measured.
constexpr Steps search_steps = 64;               ///< of any, besides its bytes
constexpr Steps learning_steps_max = 2'000'000;  ///< until the memory is full: 10 ms, 20 ms for a large one
constexpr Steps slow_steps = 4;  ///< an instruction and byte on the slow way: nine nanoseconds

/// A search that is under way, as its thread's hooks see it.
struct Watched {
  Watched(Steps price, Steps& may_take);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  Steps slow_price;
  Steps& left;
};
thread_local Watched* watched = nullptr;

Watched::Watched(Steps price, Steps& may_take) : slow_price(price), left(may_take) {
  watched = this;
}
Watched::~Watched() {
  watched = nullptr;
}

/// Thrown out of RE2, which has nothing to undo where it calls a hook but what its destructors do.
struct TooMuch {};

void pay(Steps steps) {
  if (steps > watched->left) throw TooMuch{};
  watched->left -= steps;
}

/// The memory is full: what was found out is forgotten, and found out again.
void on_full_memory(const re2::hooks::DFAStateCacheReset& /*reset*/) {
  if (watched != nullptr) pay(learning_steps_max);
}

/// That happened too often: the search begins anew, and takes its slow way.
void on_slow_way(const re2::hooks::DFASearchFailure& /*failure*/) {
  if (watched != nullptr) pay(watched->slow_price);
}

/// Of the process: RE2 has no other place for hooks.
bool set_hooks() {
  re2::hooks::SetDFAStateCacheResetHook(on_full_memory);
  re2::hooks::SetDFASearchFailureHook(on_slow_way);
  return true;
}

std::unique_ptr<const RE2> compiled(std::string_view pattern) {
  static const bool is_set = set_hooks();
  static_cast<void>(is_set);
  RE2::Options options;
  options.set_max_mem(memory_bytes_max);
  options.set_log_errors(false);
  return std::make_unique<const RE2>(pattern, options);
}

/// False for a short pattern without what makes many instructions of few characters: it is compiled once, not twice.
bool may_be_large(std::string_view pattern) {
  constexpr std::size_t short_bytes_max = 500;
  return pattern.size() > short_bytes_max || pattern.find('{') != std::string_view::npos ||
         pattern.find("\\p") != std::string_view::npos || pattern.find("\\P") != std::string_view::npos;
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view pattern) {
  if (may_be_large(pattern)) {
    PatternMeasure measure = measured(pattern);
    if (!measure.fault.empty()) return problem(ProblemKind::invalid_body, std::move(measure.fault));
  }
  auto made = compiled(pattern);
  if (!made->ok()) return problem(ProblemKind::invalid_body, "is no RE2 pattern: " + made->error());
  return Pattern(std::move(made));
}

Found Pattern::search(std::string_view text, Steps& left) {
  const Steps in_full = text.size() * static_cast<Steps>(size());
  const Steps learning = std::min(in_full, learning_steps_max - learned_);
  const Steps price = search_steps + text.size() + learning;
  if (price > left) return Found::undecided;
  left -= price;
  learned_ += learning;
  is_used_ = true;
  const Watched search(slow_steps * in_full, left);
  try {
    return RE2::PartialMatch(text, *compiled_) ? Found::yes : Found::no;
  } catch (const TooMuch&) {
    return Found::undecided;
  }
}

void Pattern::renew() {
  if (is_used_) compiled_ = compiled(compiled_->pattern());
  is_used_ = false;
}

Result<Pattern>& CompiledPatterns::of(std::string_view pattern) {
  auto known = compiled_.find(pattern);
  if (known == compiled_.end()) {
    if (compiled_.size() >= compiled_max) compiled_.clear();
    known = compiled_.emplace(std::string(pattern), Kept{Pattern::compile(pattern), conversation_}).first;
  }
  Kept& kept = known->second;
  if (!kept.pattern.ok()) return kept.pattern;
  if (kept.conversation != conversation_) kept.pattern.value().renew();
  kept.conversation = conversation_;
  kept.pattern.value().begin_question();
  return kept.pattern;
}

}  // namespace parley
