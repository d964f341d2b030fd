#include "model/pattern/pattern.hpp"

#include <algorithm>

#include "model/pattern/pattern_check.hpp"
#include "model/pattern/pattern_shape.hpp"
#include "model/pattern/re2_text.hpp"

namespace parley {
namespace {

/// The most memory of all kept patterns; beyond it all of them are dropped.
constexpr std::int64_t kept_bytes_max = 64 * 1024 * 1024;

// The charges of a search, measured: hostile patterns take some five nanoseconds a step, a few of them thirty.
constexpr Steps search_steps = 64;  ///< of any search, besides its bytes
constexpr Steps slow_steps = 4;     ///< per active instruction and byte in the NFA: nine nanoseconds

/// A fixed part, and a part in proportion to the pattern's length.
struct Line {
  std::int64_t fixed;
  std::int64_t each;

  [[nodiscard]] std::int64_t at(std::size_t length) const {
    return fixed + each * static_cast<std::int64_t>(length);
  }
};

// The sizes of RE2's cache of DFA states, in bytes, and the cost of filling it, in steps. The small cache holds some hundreds of
// states, which is all that a common pattern needs.
constexpr std::int64_t whole_bytes = 8 * 1024 * 1024;
constexpr Line first_bytes{256 * 1024, 1024};
constexpr Line first_steps{100'000, 500};
constexpr Line whole_steps{20'000'000, 8'000};
constexpr Line refill_steps{2'000'000, 2'000};

/// The bytes of a piece of text, or as many as the longest match if that is more. The large cache holds the states of one piece,
/// so RE2 stays with its DFA.
constexpr std::size_t piece_bytes_min = 8 * 1024;

/// The search in progress on this thread, for RE2's hooks.
struct Watched {
  Watched(bool in_whole_room, Steps refill, Steps slow_way, Steps& may_take);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  bool has_whole_room;
  Steps refill_price;
  Steps slow_price;
  Steps& left;
};
thread_local Watched* watched = nullptr;

Watched::Watched(bool in_whole_room, Steps refill, Steps slow_way, Steps& may_take)
    : has_whole_room(in_whole_room), refill_price(refill), slow_price(slow_way), left(may_take) {
  watched = this;
}
Watched::~Watched() {
  watched = nullptr;
}

// Thrown through RE2: where it calls a hook, its destructors undo everything.
struct TooMuch {};
struct NoRoom {};

void pay_for_more(Steps steps) {
  if (!watched->has_whole_room) throw NoRoom{};
  if (steps > watched->left) throw TooMuch{};
  watched->left -= steps;
}

/// The cache is full: RE2 drops its states and computes them again.
void on_full_room(const re2::hooks::DFAStateCacheReset& /*reset*/) {
  if (watched != nullptr) pay_for_more(watched->refill_price);
}

/// The cache was full too often: RE2 restarts the search with its NFA.
void on_slow_way(const re2::hooks::DFASearchFailure& /*failure*/) {
  if (watched != nullptr) pay_for_more(watched->slow_price);
}

/// RE2's hooks belong to the process.
bool set_hooks() {
  re2::hooks::SetDFAStateCacheResetHook(on_full_room);
  re2::hooks::SetDFASearchFailureHook(on_slow_way);
  return true;
}

std::unique_ptr<const RE2> compiled(std::string_view pattern, std::int64_t bytes) {
  static const bool is_set = set_hooks();
  static_cast<void>(is_set);
  RE2::Options options;
  options.set_max_mem(bytes);
  options.set_log_errors(false);
  return std::make_unique<const RE2>(re2_text(pattern), options);
}

/// Whether the memory suffices for RE2's DFA. RE2 searches a pattern anchored at the end of the text from there, with a reverse
/// program; if memory is too small for it, RE2 takes the NFA without calling a hook.
bool is_enough(const RE2& re2) {
  const bool may_end_with_text =
      re2.pattern().find('$') != std::string::npos || re2.pattern().find("\\z") != std::string::npos;
  return re2.ok() && (!may_end_with_text || re2.ReverseProgramSize() >= 0);
}

/// Instructions of the pattern or of its stand-in `like_it`, whichever has fewer.
std::size_t size_at_most(const std::string& like_it, const RE2& pattern) {
  const auto size = static_cast<std::size_t>(pattern.ProgramSize());
  if (like_it == pattern.pattern()) return size;
  const auto other = compiled(like_it, whole_bytes);
  return other->ok() ? std::min(size, static_cast<std::size_t>(other->ProgramSize())) : size;
}

/// False for a short pattern without classes and counts, which make many instructions of few characters: it is compiled only once.
bool may_be_large(std::string_view pattern) {
  constexpr std::size_t short_bytes_max = 500;
  return pattern.size() > short_bytes_max || pattern.find('{') != std::string_view::npos ||
         pattern.find("\\p") != std::string_view::npos || pattern.find("\\P") != std::string_view::npos;
}

}  // namespace

Expected<Pattern> Pattern::compile(std::string_view pattern) {
  std::size_t length = pattern.size();
  if (may_be_large(pattern)) {
    PatternMeasure measure = measured(pattern);
    if (!measure.fault.empty()) return problem(ProblemKind::invalid_body, std::move(measure.fault));
    length = static_cast<std::size_t>(measure.size);
  }
  Pattern made(pattern, length);
  if (made.compiled_->ok()) return made;
  return problem(ProblemKind::invalid_body, "is not a valid RE2 pattern: " + made.compiled_->error());
}

Pattern::Pattern(std::string_view pattern, std::size_t length)
    : compiled_(compiled(pattern, std::min(whole_bytes, first_bytes.at(length)))), length_(length) {
  if (!is_enough(*compiled_)) move_to_whole_room();
}

void Pattern::move_to_whole_room() {
  const std::string pattern = compiled_->pattern();
  compiled_ = compiled(pattern, whole_bytes);
  has_whole_room_ = true;
  learned_ = 0;
  width_ = size_at_most(with_narrow_classes(pattern), *compiled_);
  reach_ = size_at_most(with_open_classes(pattern), *compiled_);
  if (const std::string open = with_open_gaps(pattern); open != pattern) {
    Pattern wider(open, length_);
    if (wider.compiled_->ok() && !wider.has_whole_room_) wider_ = std::make_unique<Pattern>(std::move(wider));
  }
}

std::int64_t Pattern::bytes() const {
  return compiled_->options().max_mem() + (wider_ ? wider_->bytes() : 0);
}

bool Pattern::pay(std::size_t bytes, Steps& left) {
  const Line line = has_whole_room_ ? whole_steps : first_steps;
  const Steps a_byte = has_whole_room_ ? width_ : static_cast<Steps>(size());
  const Steps learning = std::min(bytes * a_byte, static_cast<Steps>(line.at(length())) - learned_);
  const Steps price = search_steps + bytes + learning;
  if (price > left) return false;
  left -= price;
  learned_ += learning;
  return true;
}

bool Pattern::is_ruled_out(const Piece& piece, Steps& left) {
  if (!wider_) return false;
  const auto found = wider_->pay(piece.end - piece.begin, left) ? wider_->look_at(piece, left) : std::nullopt;
  if (!found) wider_.reset();  // is not cheaper
  return found == Found::no;
}

std::optional<Found> Pattern::look(std::string_view text, Steps& left) {
  if (!has_whole_room_ || !is_bounded(compiled_->pattern())) return look_at({text, 0, text.size()}, left);
  // Every match lies within a piece and the bytes after it, as many as the longest match has.
  const std::size_t beyond = reach_;
  const std::size_t bytes = std::max(piece_bytes_min, beyond);
  for (std::size_t begin = 0;; begin += bytes) {
    const Piece piece{text, begin, std::min(begin + bytes + beyond, text.size())};
    const Found found =
        is_ruled_out(piece, left) ? Found::no : look_at(piece, left).value_or(Found::undecided);
    if (found != Found::no || piece.end == text.size()) return found;
    if (beyond > left) return Found::undecided;
    left -= beyond;  // is searched twice
  }
}

std::optional<Found> Pattern::look_at(const Piece& piece, Steps& left) const {
  const auto refill = static_cast<Steps>(refill_steps.at(length()));
  const Steps slow_way = slow_steps * (piece.end - piece.begin) * width_;
  const Watched search(has_whole_room_, refill, slow_way, left);
  try {
    const bool matches =
        compiled_->Match(re2_text(piece.text), piece.begin, piece.end, RE2::UNANCHORED, nullptr, 0);
    return matches ? Found::yes : Found::no;
  } catch (const TooMuch&) {
    return Found::undecided;
  } catch (const NoRoom&) {
    return std::nullopt;
  }
}

Found Pattern::search(std::string_view text, Steps& left) {
  is_used_ = true;
  if (is_ruled_out({text, 0, text.size()}, left)) return Found::no;
  if (!pay(text.size(), left)) return Found::undecided;
  if (const auto found = look(text, left)) return *found;
  is_stale_ = knows_more_;
  if (is_stale_) return Found::undecided;
  move_to_whole_room();
  if (is_ruled_out({text, 0, text.size()}, left)) return Found::no;
  if (!pay(text.size(), left)) return Found::undecided;
  return look(text, left).value_or(Found::undecided);
}

void Pattern::begin_question() {
  if (is_used_ && (has_whole_room_ || is_stale_)) *this = Pattern(compiled_->pattern(), length_);
  knows_more_ = is_used_;
  learned_ = 0;
}

Expected<Pattern>& CompiledPatterns::of(std::string_view pattern) {
  asked_ = nullptr;
  auto known = compiled_.find(pattern);
  if (known == compiled_.end()) {
    make_room();
    known = compiled_.emplace(std::string(pattern), Pattern::compile(pattern)).first;
  }
  Expected<Pattern>& found = known->second;
  if (!found.ok()) return found;
  found.value().begin_question();
  asked_ = &found.value();
  return found;
}

void CompiledPatterns::make_room() {
  std::int64_t bytes = whole_bytes;
  for (const auto& [text, kept] : compiled_) bytes += kept.ok() ? kept.value().bytes() : first_bytes.fixed;
  if (bytes > kept_bytes_max) compiled_.clear();
}

}  // namespace parley
