#include "convert/promptfoo/merged_maps.hpp"

#include <algorithm>

namespace parley::convert {

Node merged(const Node* under, const Node* over) {
  if (under == nullptr) return over == nullptr ? Node{} : *over;
  Node out = *under;
  if (over == nullptr) return out;
  if (!under->is_map() || !over->is_map()) return *over;
  for (const Node& member : over->items) {
    const auto found = std::find_if(out.items.begin(), out.items.end(),
                                    [&](const Node& each) { return each.key == member.key; });
    if (found == out.items.end()) {
      out.items.push_back(member);
    } else {
      *found = member;
    }
  }
  out.place = over->place;
  return out;
}

void set_member(Node& map, const std::string& key, Node value) {
  map.kind = Node::Kind::map;
  value.key = key;
  const auto found =
      std::find_if(map.items.begin(), map.items.end(), [&](const Node& each) { return each.key == key; });
  if (found == map.items.end()) {
    map.items.push_back(std::move(value));
  } else {
    *found = std::move(value);
  }
}

}  // namespace parley::convert
