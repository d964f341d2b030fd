#include "convert/promptfoo/references.hpp"

#include "convert/promptfoo/merged_maps.hpp"

namespace parley::convert {
namespace {

/// Maximum number of values that references may add to a file, so that a small file cannot become huge.
constexpr std::size_t referred_nodes_max = 1'000'000;

/// The number of values in the tree, including the node itself.
std::size_t size_of(const Node& node) {
  std::size_t size = 1;
  for (const Node& item : node.items) size += size_of(item);
  return size;
}

/// The value that `#/a/b` refers to; null if it is missing.
const Node* referred(const Node& root, std::string_view reference) {
  if (!reference.starts_with("#/")) return nullptr;
  const Node* node = &root;
  reference.remove_prefix(2);
  while (node != nullptr && !reference.empty()) {
    const std::size_t slash = reference.find('/');
    node = node->find(reference.substr(0, slash));
    reference = slash == std::string_view::npos ? std::string_view() : reference.substr(slash + 1);
  }
  return node;
}

/// The value in place of the reference. Other members of the reference take precedence.
Node filled_in(const Node& reference, const Node& value) {
  Node filled = renamed(value, reference.key);
  filled.place = reference.place;
  if (!filled.is_map()) return filled;
  for (const Node& member : reference.items) {
    if (member.key != "$ref") set_member(filled, member.key, member);
  }
  return filled;
}

/// `room`: the number of values that may still be filled in.
void fill_references(Node& node, const Node& root, std::size_t& room) {
  for (Node& item : node.items) {
    // Schemas of tools have their own references.
    if (item.key == "tools" || item.key == "functions") continue;
    const Node* found = referred(root, item.text_of("$ref"));
    if (found == nullptr) {
      fill_references(item, root, room);
      continue;
    }
    const std::size_t size = room == 0 ? 1 : size_of(*found);
    if (size > room) {
      room = 0;
      continue;
    }
    room -= size;
    item = filled_in(item, *found);
  }
}

}  // namespace

Node with_references(const Node& config) {
  Node filled = config;
  std::size_t room = referred_nodes_max;
  fill_references(filled, config, room);
  return filled;
}

}  // namespace parley::convert
