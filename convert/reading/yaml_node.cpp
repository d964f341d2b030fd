// Converts the YAML of model/source/ to the tree that importers read. Aliases are expanded, so texts are limited here
// too.

#include "convert/reading/node.hpp"
#include "model/source/yaml_reader.hpp"

namespace parley::convert {
namespace {

/// Maximum bytes of all texts after aliases are expanded.
constexpr std::size_t text_bytes_max = 256UL * 1024 * 1024;

class TreeOfYaml {
 public:
  explicit TreeOfYaml(const source::SourceFile& file) : file_(file) {}

  Node build(const source::Node& from) {
    Node node;
    const source::Position at = file_.position(from.at.begin);
    node.place = {at.line, at.column};
    node.text = text_of(from);
    switch (from.kind) {
      case source::NodeKind::null: node.text.clear(); break;
      case source::NodeKind::boolean:
        node.kind = Node::Kind::boolean;
        node.flag = from.text.starts_with('t') || from.text.starts_with('T');
        break;
      case source::NodeKind::number: node.kind = Node::Kind::number; break;
      case source::NodeKind::string: node.kind = Node::Kind::text; break;
      case source::NodeKind::sequence:
        node.kind = Node::Kind::list;
        node.items.reserve(from.items.size());
        for (const source::Node* item : from.items) node.items.push_back(build(*item));
        break;
      case source::NodeKind::mapping:
        node.kind = Node::Kind::map;
        node.items.reserve(from.members.size());
        for (const source::Member& member : from.members) {
          node.items.push_back(build(*member.value));
          node.items.back().key = member.name;
        }
        break;
    }
    return node;
  }
  [[nodiscard]] bool is_too_large() const { return bytes_ > text_bytes_max; }

 private:
  std::string text_of(const source::Node& from) {
    bytes_ += from.text.size();
    return is_too_large() ? std::string() : from.text;
  }

  const source::SourceFile& file_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::optional<Node> parse_yaml(const Source& source, Faults& faults) {
  const source::SourceFilePtr file = source::source_file(source.path, source.text);
  const source::ReadTree read = source::read_yaml(file);
  if (!read.faults.empty()) {
    for (const source::SourceFault& fault : read.faults) {
      const source::Position at = file->position(fault.place.at.begin);
      faults.add(source, {at.line, at.column}, fault.message);
    }
    return std::nullopt;
  }
  TreeOfYaml builder(*file);
  Node node = builder.build(read.tree->root());
  if (builder.is_too_large()) {
    faults.add(source, {1, 1}, "more than 256 MiB of text with aliases followed");
    return std::nullopt;
  }
  return node;
}

}  // namespace parley::convert
