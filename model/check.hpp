#pragma once
/// CHECK: the assertion that stays on in release. It guards what only a bug of ours can break, never input.

#include <source_location>

namespace parley {

/// Prints the broken condition with its place to stderr and aborts; the data on disk is untouched (I1).
[[noreturn]] void check_failed(const char* condition, std::source_location where);

}  // namespace parley

#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) ::parley::check_failed(#condition, std::source_location::current()); \
  } while (false)
