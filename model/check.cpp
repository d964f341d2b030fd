#include "model/check.hpp"

#include <cstdlib>
#include <string>

#include "model/crash_message.hpp"

namespace parley {

void check_failed(const char* condition, std::source_location where) {
  say_last_words("parley: broken invariant: " + std::string(condition) + " at " + where.file_name() + ":" +
                 std::to_string(where.line()) + " in " + where.function_name() + "\n");
  std::abort();
}

}  // namespace parley
