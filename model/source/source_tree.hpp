#pragma once
/// A document as a tree of nodes, each with its location in the file: the result of the YAML and the JSON
/// reader. A Tree owns its nodes; pointers to them are valid as long as the tree. Any thread may read one.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/source/source_fault.hpp"

namespace parley::source {

enum class NodeKind : std::uint8_t { null, boolean, number, string, sequence, mapping };
/// How a scalar was written.
enum class Style : std::uint8_t { plain, single_quoted, double_quoted, literal, folded };

struct Node;

struct Member {
  std::string name;
  Span name_at;
  const Node* value = nullptr;
  bool is_merged = false;  ///< came from a `<<`
};

/// Scalars are strings unless they were written plain: `true` and `false` are booleans, `null`, `~` and nothing are null, and
/// what json::parse() reads as a number is a number (so `012`, `yes` and `1e999` are strings). `text` keeps what was written.
struct Node {
  NodeKind kind = NodeKind::null;
  Style style = Style::plain;
  std::string text = {};
  Span at;
  std::vector<const Node*> items = {};
  std::vector<Member> members = {};
  std::size_t weight = 1;  ///< nodes of the subtree, with aliases followed

  [[nodiscard]] bool is(NodeKind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_scalar() const { return kind != NodeKind::sequence && kind != NodeKind::mapping; }
  /// Null if there is no such member.
  [[nodiscard]] const Member* find(std::string_view name) const;
};

class Tree {
 public:
  explicit Tree(SourceFilePtr file) : file_(std::move(file)) {}

  [[nodiscard]] const SourceFilePtr& file() const { return file_; }
  /// Needs: a tree that a reader returned.
  [[nodiscard]] const Node& root() const { return *root_; }
  [[nodiscard]] Place place_of(const Node& node) const { return {file_, node.at}; }

  /// Used by readers.
  Node& add(Node node) { return nodes_.emplace_back(std::move(node)); }
  void set_root(const Node& node) { root_ = &node; }

 private:
  SourceFilePtr file_;
  std::deque<Node> nodes_;
  const Node* root_ = nullptr;
};

struct TreeBounds {
  std::size_t nodes_max = 1'000'000;  ///< counted with aliases followed
  std::size_t depth_max = 64;
};

/// A tree, or null and at least one error. A tree may also come with faults.
struct ReadTree {
  std::shared_ptr<const Tree> tree;
  std::vector<SourceFault> faults;
};

/// The location in the file of the bytes [begin, end) of a scalar's text: exact in plain, literal and quoted
/// scalars without escapes; else the location where the same text is found, or the whole scalar.
[[nodiscard]] Span span_in(const SourceFile& file, const Node& scalar, Span of_text);

/// Writes the node as JSON text, scalars according to their kind.
void write_json(json::Writer& out, const Node& node);

/// The number grammar of RFC 8259 section 6. json::parse() refuses long numbers and those out of range.
[[nodiscard]] bool is_json_number(std::string_view text);
/// A plain scalar's kind, as described at Node.
[[nodiscard]] NodeKind kind_of_plain(std::string_view text);

}  // namespace parley::source
