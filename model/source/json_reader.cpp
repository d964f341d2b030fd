#include "model/source/json_reader.hpp"

#include <map>

#include "model/json/json.hpp"
#include "model/text/utf8.hpp"

namespace parley::source {
namespace {

class JsonReader {
 public:
  JsonReader(const SourceFilePtr& file, Span part, const TreeBounds& bounds)
      : file_(file),
        text_(file->text().substr(0, part.end)),
        at_(part.begin),
        bounds_(bounds),
        tree_(std::make_shared<Tree>(file)) {}

  ReadTree read() && {
    if (const std::size_t bad = utf8_fault(text_.substr(at_)); bad != std::string_view::npos) {
      fault("not-utf8", "the file is not UTF-8; save it as UTF-8", {at_ + bad, at_ + bad + 1});
      return finished();
    }
    skip_blanks();
    const Node* root = value(0);
    if (root != nullptr) {
      tree_->set_root(*root);
      skip_blanks();
      if (at_ < text_.size()) fault("json", "text after the end of the JSON value", {at_, at_ + 1});
    }
    return finished();
  }

 private:
  ReadTree finished() {
    return {faults_.empty() ? std::shared_ptr<const Tree>(tree_) : nullptr, std::move(faults_)};
  }

  const Node* fault(std::string code, std::string message, Span at) {
    faults_.push_back({Level::error, std::move(code), std::move(message), {file_, at}});
    return nullptr;
  }
  const Node* expected(const std::string& what) {
    const std::string found =
        at_ < text_.size() ? "\"" + std::string(text_.substr(at_, 1)) + "\"" : "the end of the text";
    return fault("json", "expected " + what + ", not " + (is_utf8(found) ? found : "another character"),
                 {at_, at_ + 1});
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool takes(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  const Node* value(std::size_t depth) {
    if (at_ >= text_.size()) return expected("a value");
    if (++count_ > bounds_.nodes_max) {
      return fault("too-large", "more than " + std::to_string(bounds_.nodes_max) + " values", {at_, at_ + 1});
    }
    if (depth > bounds_.depth_max) {
      return fault("too-deep", "nested deeper than " + std::to_string(bounds_.depth_max) + " levels",
                   {at_, at_ + 1});
    }
    switch (text_[at_]) {
      case '{': return mapping(depth);
      case '[': return sequence(depth);
      case '"': return string();
      default: return word();
    }
  }

  /// true, false, null or a number: the text up to the next delimiter.
  const Node* word() {
    const std::size_t begin = at_;
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}\"[{", at_), text_.size());
    const std::string_view text = text_.substr(begin, end - begin);
    const bool is_name = text == "true" || text == "false" || text == "null";
    const NodeKind kind = kind_of_plain(text);
    if (!is_name && kind != NodeKind::number) {
      if (!is_json_number(text)) return expected("a value");
      return fault("json", "a number of more than 64 characters or outside the range of a double",
                   {begin, end});
    }
    at_ = end;
    return &tree_->add({.kind = kind, .text = std::string(text), .at = {begin, end}});
  }

  /// The decoded text of the string at `at_`.
  std::optional<std::string> decoded(Span& at) {
    const std::size_t end = json::string_end(text_, at_);
    if (end == std::string_view::npos) {
      fault("json", "an unterminated string; add a quotation mark", {at_, at_ + 1});
      return std::nullopt;
    }
    at = {at_, end};
    const auto document = json::parse(text_.substr(at_, end - at_));
    if (!document.ok()) {
      fault("json", "a string with an invalid escape or a control character", at);
      return std::nullopt;
    }
    at_ = end;
    return std::string(document->root().string());
  }

  const Node* string() {
    Span at;
    auto text = decoded(at);
    if (!text) return nullptr;
    return &tree_->add(
        {.kind = NodeKind::string, .style = Style::double_quoted, .text = std::move(*text), .at = at});
  }

  const Node* sequence(std::size_t depth) {
    Node& node = tree_->add({.kind = NodeKind::sequence, .at = {at_, at_}});
    ++at_;
    if (!takes(']')) {
      do {
        skip_blanks();
        const Node* item = value(depth + 1);
        if (item == nullptr) return nullptr;
        node.items.push_back(item);
        node.weight += item->weight;
      } while (takes(','));
      if (!takes(']')) return expected("\",\" or \"]\"");
    }
    node.at.end = at_;
    return &node;
  }

  const Node* mapping(std::size_t depth) {
    Node& node = tree_->add({.kind = NodeKind::mapping, .at = {at_, at_}});
    ++at_;
    std::map<std::string, Span, std::less<>> seen;
    if (!takes('}')) {
      do {
        skip_blanks();
        if (!member(node, seen, depth)) return nullptr;
      } while (takes(','));
      if (!takes('}')) return expected("\",\" or \"}\"");
    }
    node.at.end = at_;
    return &node;
  }

  bool member(Node& node, std::map<std::string, Span, std::less<>>& seen, std::size_t depth) {
    if (at_ >= text_.size() || text_[at_] != '"') return expected("a key in quotation marks") != nullptr;
    Member member;
    auto name = decoded(member.name_at);
    if (!name) return false;
    member.name = std::move(*name);
    const auto [earlier, is_new] = seen.emplace(member.name, member.name_at);
    if (!is_new) {
      fault("duplicate-key",
            "duplicate key \"" + member.name + "\"; it is first used at " +
                place_text({file_, earlier->second}),
            member.name_at);
    }
    if (!takes(':')) return expected("\":\"") != nullptr;
    skip_blanks();
    member.value = value(depth + 1);
    if (member.value == nullptr) return false;
    node.weight += member.value->weight;
    node.members.push_back(std::move(member));
    return true;
  }

  SourceFilePtr file_;
  std::string_view text_;
  std::size_t at_;
  TreeBounds bounds_;
  std::shared_ptr<Tree> tree_;
  std::vector<SourceFault> faults_;
  std::size_t count_ = 0;
};

}  // namespace

ReadTree read_json(const SourceFilePtr& file, const TreeBounds& bounds) {
  return read_json(file, {0, file->text().size()}, bounds);
}

ReadTree read_json(const SourceFilePtr& file, Span part, const TreeBounds& bounds) {
  return JsonReader(file, part, bounds).read();
}

std::vector<ReadTree> read_json_lines(const SourceFilePtr& file, const TreeBounds& bounds) {
  std::vector<ReadTree> read;
  for (std::uint32_t number = 1; number <= file->line_count(); ++number) {
    const std::string_view line = file->line(number);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::size_t begin = file->line_begin(number);
    read.push_back(read_json(file, {begin, begin + line.size()}, bounds));
  }
  return read;
}

}  // namespace parley::source
