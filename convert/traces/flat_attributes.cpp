#include "convert/traces/flat_attributes.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The conventions whose attributes are read by dotted names.
constexpr std::array<std::string_view, 7> conventions{"llm",    "gen_ai", "openinference", "input",
                                                      "output", "tool",   "session"};
constexpr std::string_view attribute_column = "attributes.";
constexpr std::size_t levels_inside_max = 12;

/// Lists and maps are also added by name, except inside a list: readers of `NAME.0.*` use only the scalar values.
struct Inside {
  std::size_t levels = 0;  ///< levels that are still flattened
  bool is_in_list = false;
};

void add_inside(Attributes& out, const std::string& name, const Node& value, Inside inside) {
  const bool is_list = value.is_list() && !value.items.empty() && value.items.front().is_map();
  const bool is_nested = inside.levels > 0 && (is_list || value.is_map());
  if (!is_nested || !inside.is_in_list) out[name] = value;
  if (!is_nested) return;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Node& item = value.items[i];
    add_inside(out, name + "." + (is_list ? std::to_string(i) : item.key), item,
               {inside.levels - 1, inside.is_in_list || is_list});
  }
}

/// Whether the name already refers to a value in a list, as `llm.input_messages.0.message.contents` does.
bool has_number(std::string_view name) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (ascii::is_digits(name.substr(dot + 1, name.find('.', dot + 1) - dot - 1))) return true;
  }
  return false;
}

}  // namespace

void add_flat(Attributes& out, const std::string& name, const Node& value) {
  const std::string_view convention = std::string_view(name).substr(0, name.find('.'));
  const bool is_known = std::find(conventions.begin(), conventions.end(), convention) != conventions.end();
  add_inside(out, name, value, {is_known && !has_number(name) ? levels_inside_max : 0, false});
}

bool is_frame_row(const Node& node) {
  return node.find("context.trace_id") != nullptr && node.find("context.span_id") != nullptr;
}

Attributes attributes_of_row(const Node& row) {
  Attributes out;
  for (const Node& member : row.items) {
    if (member.key.starts_with(attribute_column) && !member.is_null())
      add_flat(out, member.key.substr(attribute_column.size()), member);
  }
  return out;
}

}  // namespace parley::convert
