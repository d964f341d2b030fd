#include "model/pattern.hpp"

#include "model/pattern_check.hpp"

namespace parley {
namespace {

/// What RE2 has seen of a text is kept here; with less it falls back to its slowest way earlier.
constexpr std::int64_t memory_bytes_max = 8 * 1024 * 1024;
/// Instructions times bytes. RE2's slowest way takes some nanoseconds for each, so this is a minute at the
/// worst.
constexpr std::size_t work_max = 20'000'000'000;
/// Each may take `memory_bytes_max`; beyond it all are forgotten.
constexpr std::size_t compiled_max = 8;

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
  RE2::Options options;
  options.set_max_mem(memory_bytes_max);
  options.set_log_errors(false);
  auto compiled = std::make_unique<const RE2>(pattern, options);
  if (!compiled->ok()) return problem(ProblemKind::invalid_body, "is no RE2 pattern: " + compiled->error());
  return Pattern(std::move(compiled));
}

const Result<Pattern>& CompiledPatterns::of(std::string_view pattern) {
  const auto known = compiled_.find(pattern);
  if (known != compiled_.end()) return known->second;
  if (compiled_.size() >= compiled_max) compiled_.clear();
  return compiled_.emplace(std::string(pattern), Pattern::compile(pattern)).first->second;
}

bool Pattern::may_match_bytes(std::size_t bytes) const {
  return bytes <= work_max / static_cast<std::size_t>(compiled_->ProgramSize() + 1);
}

}  // namespace parley
