#include "tester/pattern.hpp"

#include <re2/re2.h>

namespace parley::tester {
namespace {

constexpr std::int64_t memory_bytes_max = 8 * 1024 * 1024;

}  // namespace

Result<Pattern> Pattern::compile(std::string_view pattern) {
  RE2::Options options;
  options.set_max_mem(memory_bytes_max);
  options.set_log_errors(false);
  auto compiled = std::make_unique<const RE2>(pattern, options);
  if (!compiled->ok())
    return parley::problem(ProblemKind::invalid_body, "not an RE2 pattern: " + compiled->error());
  return Pattern(std::move(compiled));
}

Pattern::Pattern(std::unique_ptr<const RE2> compiled) : compiled_(std::move(compiled)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

bool Pattern::matches(std::string_view text) const {
  return RE2::PartialMatch(text, *compiled_);
}
int Pattern::size() const {
  return compiled_->ProgramSize();
}

}  // namespace parley::tester
