#pragma once
/// Writes a suite as YAML that `parley validate` accepts. Equal suites give equal bytes. Pure; any thread.

#include <string>
#include <string_view>

#include "convert/records/records.hpp"

namespace parley::convert {

/// Needs: `project` is a slug. `origin` names the source in the first comment of the file.
[[nodiscard]] std::string suite_yaml(const Suite& suite, std::string_view project, std::string_view origin);

}  // namespace parley::convert
