#include "scoring/tool_kinds/call_arguments.hpp"

#include "scoring/support/config.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {

ExpectedArguments expected_arguments(const json::Value& arguments, const json::Value& config,
                                     std::string_view mode_key) {
  const auto mode = from_word<ArgumentMode>(text_at(config, mode_key).value_or("partial"));
  return {arguments, mode.value_or(ArgumentMode::partial), texts_at(config, "keys"),
          given(config, "defaults"), number_at(config, "tolerance").value_or(0)};
}

std::string shown_arguments(const json::Value& metadata) {
  const auto arguments = metadata.find("arguments");
  return arguments ? shortened(arguments->raw()) : "no arguments";
}

}  // namespace parley::scoring
