#pragma once
/// The settings in `test_config.json` in the folder of an eval set, and rubrics. One thread.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

struct AdkSettings {
  std::string match = "EXACT";  ///< match type of the tool trajectory
  std::vector<std::pair<std::string, Place>> rubrics;
  std::optional<Source> source;
};
/// The settings in the folder of `source`; the defaults if the file does not exist. Reports each metric.
[[nodiscard]] AdkSettings adk_settings_beside(Conversion& conversion, const Source& source);

/// The text of a rubric; null pointer if it has none.
[[nodiscard]] const Node* text_of_rubric(const Node& rubric);

}  // namespace parley::convert
