#include "model/pattern/pattern_check.hpp"

#include <algorithm>

#include "model/pattern/re2_text.hpp"
#include "model/text/ascii.hpp"

namespace parley {
namespace {

// The measured work of RE2 in addition to the instructions: a Unicode class has some 600 ranges, a repetition
// makes up to 1,000 copies of its operand, and adjacent optional parts are compared in pairs.
constexpr PatternWork unicode_class_work = 300;
constexpr PatternWork copies_a_unit = 5;
constexpr PatternWork optional_pairs_a_unit = 280;

/// The largest count of the repetition that begins there; 0 if it is not a repetition.
PatternWork copies_of(std::string_view braces) {
  constexpr PatternWork refused_above = 1'000;
  PatternWork most = 0;
  PatternWork number = 0;
  for (const char c : braces.substr(1)) {
    if (c == ',') number = 0;
    if (c != ',' && !ascii::is_digit(c)) break;
    if (c != ',') number = std::min(number * 10 + (c - '0'), refused_above);
    most = std::max(most, number);
  }
  return most;
}

/// The work of compiling the pattern, estimated from its text.
PatternWork reading_work(std::string_view pattern) {
  PatternWork classes = 0;
  PatternWork copies = 0;
  PatternWork optional = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if ((c == 'p' || c == 'P') && i > 0 && pattern[i - 1] == '\\') ++classes;
    if (c == '{') copies += copies_of(pattern.substr(i));
    if (c == '?') ++optional;
  }
  return static_cast<PatternWork>(pattern.size()) + classes * unicode_class_work + copies / copies_a_unit +
         optional * optional / optional_pairs_a_unit;
}

}  // namespace

PatternMeasure measure_of(const RE2& compiled) {
  const bool is_large = compiled.ok() ? compiled.ProgramSize() > pattern_size_max
                                      : compiled.error_code() == RE2::ErrorPatternTooLarge;
  if (is_large) return {pattern_size_max, "is too large a pattern; use smaller repetition counts"};
  if (!compiled.ok()) return {0, "is not a valid RE2 pattern: " + compiled.error()};
  return {compiled.ProgramSize(), {}};
}

PatternMeasure measured(std::string_view pattern) {
  return measure_of(RE2(re2_text(pattern), re2_options(measured_bytes_max)));
}

PatternMeasure PatternCheck::measure(std::string_view pattern) {
  const PatternWork reading = reading_work(pattern);
  if (reading <= work_max - work_) {
    PatternMeasure measure = measured(pattern);
    work_ += reading + measure.size;
    if (!measure.fault.empty() || work_ <= work_max) return measure;
  }
  return {0, "is too large a pattern in addition to the others of this body"};
}

}  // namespace parley
