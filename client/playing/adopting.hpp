#pragma once
/// `parley apply --adopt`: writes edits made on the server into the files. Main thread.

#include <string>

#include "client/suite/compiled_suite.hpp"
#include "model/json/json.hpp"

namespace parley::client {

struct Adopted {
  std::string text;         ///< a report for the user: which edits were written and which were not
  bool is_complete = true;  ///< every edit made on the server is in the files
  bool changed_files = false;
};

/// Writes the server's values in `changedElsewhere` into the files of the suite and keeps their comments. `answer` is
/// the answer of POST /apply. Problem: a file cannot be written.
[[nodiscard]] Expected<Adopted> adopt(const CompiledSuite& suite,
                                      const std::vector<std::filesystem::path>& files,
                                      const json::Value& answer);

}  // namespace parley::client
