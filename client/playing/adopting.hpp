#pragma once
/// `parley apply --adopt`: writes edits made on the server into the files. Main thread.

#include <string>

#include "client/suite/compiled_suite.hpp"
#include "model/json/json.hpp"

namespace parley::client {

struct Adopted {
  std::string text;         ///< a report for the user: what was written and what was not
  bool is_complete = true;  ///< every edit made on the server is in the files
  bool changed_files = false;
};

/// Writes the server's values of `changedElsewhere` into the files of the suite; comments stay. `answer` is that of POST /apply.
/// Problem: a file cannot be written.
[[nodiscard]] Expected<Adopted> adopt(const CompiledSuite& suite,
                                      const std::vector<std::filesystem::path>& files,
                                      const json::Value& answer);

}  // namespace parley::client
