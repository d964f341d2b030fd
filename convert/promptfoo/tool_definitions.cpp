#include "convert/promptfoo/tool_definitions.hpp"

#include <algorithm>

#include "convert/promptfoo/data_files.hpp"

namespace parley::convert {
namespace {

void add_definition(const Node& node, std::vector<ToolDefinition>& tools) {
  const Node* function = node.find("function");
  const Node& definition = function == nullptr ? node : *function;
  std::string name = definition.text_of("name");
  const auto is_known = [&](const ToolDefinition& each) { return each.name == name; };
  if (name.empty() || std::any_of(tools.begin(), tools.end(), is_known)) return;
  const Node* parameters = definition.first_of({"parameters", "input_schema"});
  tools.push_back({std::move(name), parameters == nullptr ? Node{} : *parameters});
}

void add_list(Conversion& conversion, const Source& source, const Node& list,
              std::vector<ToolDefinition>& tools) {
  if (list.is_list()) {
    for (const Node& each : list.items) {
      if (each.is_text()) {
        add_list(conversion, source, each, tools);
      } else {
        add_definition(each, tools);
      }
    }
    return;
  }
  if (!list.is_text() || !is_file_reference(list.text)) return;
  const std::string name = file_name_of(list.text);
  if (is_code_file(name)) return;
  const auto file = read_data_file(conversion, source, {source, list.place}, name);
  const auto tree = file ? parse_either(*file, conversion.faults) : std::nullopt;
  if (!tree || !tree->is_list()) return;
  for (const Node& each : tree->items) add_definition(each, tools);
}

}  // namespace

void add_tool_definitions(Conversion& conversion, const Source& source, const Node& config,
                          std::vector<ToolDefinition>& tools) {
  for (const std::string_view key : {"tools", "functions"}) {
    if (const Node* list = config.find(key)) add_list(conversion, source, *list, tools);
  }
}

}  // namespace parley::convert
