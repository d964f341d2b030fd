#include "model/pattern.hpp"

namespace parley {
namespace {

constexpr std::int64_t memory_bytes_max = 8 * 1024 * 1024;
/// Instructions of a compiled pattern: `\pL{20}` fits, `(.{1000}){1000}` does not.
constexpr int program_size_max = 20'000;
/// Instructions times bytes. RE2's slowest way takes some nanoseconds for each, so this is a minute at the
/// worst.
constexpr std::size_t work_max = 20'000'000'000;
/// Each may take `memory_bytes_max`; beyond it all are forgotten.
constexpr std::size_t compiled_max = 8;

}  // namespace

Result<Pattern> Pattern::compile(std::string_view pattern) {
  RE2::Options options;
  options.set_max_mem(memory_bytes_max);
  options.set_log_errors(false);
  auto compiled = std::make_unique<const RE2>(pattern, options);
  if (!compiled->ok()) return problem(ProblemKind::invalid_body, "is no RE2 pattern: " + compiled->error());
  if (compiled->ProgramSize() > program_size_max) {
    return problem(ProblemKind::invalid_body, "is too large a pattern; use smaller repetition counts");
  }
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
