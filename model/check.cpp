#include "model/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace parley {

void check_failed(const char* condition, std::source_location where) {
  std::fprintf(stderr, "parley: broken invariant: %s at %s:%u in %s\n", condition, where.file_name(),
               where.line(), where.function_name());
  std::abort();
}

}  // namespace parley
