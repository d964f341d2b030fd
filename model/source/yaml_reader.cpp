#include "model/source/yaml_reader.hpp"

#include <libfyaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

#include "model/check.hpp"
#include "model/text/utf8.hpp"

namespace parley::source {
namespace {

struct Closing {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};
using Parser = std::unique_ptr<fy_parser, Closing>;
using Diagnosis = std::unique_ptr<fy_diag, Closing>;

void print_nothing(fy_diag* /*diag*/, void* /*user*/, const char* /*text*/, std::size_t /*size*/) {}

Style style_of(fy_token* token) {
  switch (fy_token_scalar_style(token)) {
    case FYSS_SINGLE_QUOTED: return Style::single_quoted;
    case FYSS_DOUBLE_QUOTED: return Style::double_quoted;
    case FYSS_LITERAL: return Style::literal;
    case FYSS_FOLDED: return Style::folded;
    default: return Style::plain;
  }
}

std::string text_of(fy_token* token) {
  if (token == nullptr) return {};
  std::size_t size = 0;
  const char* text = fy_token_get_text(token, &size);
  return text == nullptr ? std::string() : std::string(text, size);
}

constexpr std::string_view duplicate_key = "duplicate-key";
/// Tags for the kinds that values have without a tag. All other tags would need types of their own.
constexpr std::array<std::string_view, 7> supported_tags{
    "tag:yaml.org,2002:str",  "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool",
    "tag:yaml.org,2002:null", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"};

/// Builds the tree from the parser's events.
class Builder {
 public:
  Builder(const SourceFilePtr& file, const TreeBounds& bounds)
      : file_(file), bounds_(bounds), tree_(std::make_shared<Tree>(file)) {}

  /// Takes the next event. False: reading has ended, successfully or with a fault.
  bool take(fy_event* event) {
    switch (event->type) {
      case FYET_DOCUMENT_START: return begin_document(event);
      case FYET_SCALAR: return add_scalar(event);
      case FYET_ALIAS: return add_alias(event);
      case FYET_MAPPING_START:
        return open(event, NodeKind::mapping, event->mapping_start.anchor, event->mapping_start.tag);
      case FYET_SEQUENCE_START:
        return open(event, NodeKind::sequence, event->sequence_start.anchor, event->sequence_start.tag);
      case FYET_MAPPING_END:
      case FYET_SEQUENCE_END: return close(event);
      case FYET_STREAM_END: return false;
      default: return true;
    }
  }

  ReadTree finished() && {
    if (root_ == nullptr) root_ = &tree_->add({});
    tree_->set_root(*root_);
    const bool is_broken = std::any_of(faults_.begin(), faults_.end(),
                                       [](const SourceFault& each) { return each.code != duplicate_key; });
    return {is_broken ? nullptr : std::move(tree_), std::move(faults_)};
  }
  bool fault(std::string code, std::string message, Span at) {
    faults_.push_back({Level::error, std::move(code), std::move(message), {file_, at}});
    return false;
  }
  [[nodiscard]] bool has_faults() const { return !faults_.empty(); }

 private:
  /// A mapping or sequence that is still open.
  struct Open {
    Node* node;
    std::string anchor;
    std::optional<Member> key;        ///< of a mapping: the key whose value comes next
    bool is_duplicate = false;        ///< that key appeared before
    std::vector<const Node*> merged;  ///< values of `<<`
    std::map<std::string, Span, std::less<>> seen;
  };

  Span span_of(fy_event* event) {
    const fy_mark* begin = fy_event_start_mark(event);
    const fy_mark* end = fy_event_end_mark(event);
    const std::size_t from = begin == nullptr ? last_ : std::min(begin->input_pos, file_->text().size());
    const std::size_t to = end == nullptr ? from : std::min(end->input_pos, file_->text().size());
    last_ = std::max(from, to);
    return {from, std::max(from, to)};
  }

  /// Extends the span to the quotation marks: the parser's marks are inside them.
  [[nodiscard]] Span with_quotes(Span at) const {
    const std::string_view text = file_->text();
    if (at.begin == 0 || at.end >= text.size()) return at;
    const char quote = text[at.begin - 1];
    if ((quote == '"' || quote == '\'') && text[at.end] == quote) return {at.begin - 1, at.end + 1};
    return at;
  }

  bool begin_document(fy_event* event) {
    if (++documents_ == 1) return true;
    return fault("second-document", "a second document; a file has one, so remove the \"---\"",
                 span_of(event));
  }

  bool check_tag(fy_token* tag, Span at, bool& is_text) {
    const std::string name = text_of(tag);
    if (tag == nullptr || name == "!") {
      is_text = is_text || name == "!";
      return true;
    }
    if (std::find(supported_tags.begin(), supported_tags.end(), name) != supported_tags.end()) {
      is_text = name == supported_tags.front();
      return true;
    }
    if (const fy_mark* begin = fy_token_start_mark(tag)) {
      const std::size_t size = file_->text().size();
      at = {std::min(begin->input_pos, size), std::min(fy_token_end_mark(tag)->input_pos, size)};
    }
    return fault("unknown-tag", "tag \"" + name + "\" is not supported; remove it", at);
  }

  /// The column of the first character of a line, from 0; npos: the line is blank.
  [[nodiscard]] std::size_t indent_of(std::uint32_t line) const {
    return file_->line(line).find_first_not_of(" \t\r");
  }

  /// The column that the lines of a block text must be indented beyond: that of its key, or of the line with
  /// its "|" or ">".
  [[nodiscard]] std::optional<std::size_t> outer_column(std::uint32_t first_line) const {
    std::optional<std::size_t> column;
    for (std::uint32_t line = first_line - 1; line > 0 && !column; --line) {
      if (const std::size_t indent = indent_of(line); indent != std::string_view::npos) column = indent;
    }
    if (opened_.empty()) return column == 0U ? std::nullopt : column;
    if (!opened_.back().key) return column;
    return std::max(column.value_or(0),
                    file_->position(opened_.back().key->name_at.begin).column - std::size_t{1});
  }

  /// libfyaml 0.7.12 accepts a block text that is indented less, and then loses lines of it or returns bytes that are not in the file.
  [[nodiscard]] bool is_indented(const Node& node) const {
    const bool is_block = node.style == Style::literal || node.style == Style::folded;
    if (!is_block || node.text.empty()) return true;
    const std::uint32_t first_line = file_->position(node.at.begin).line;
    const std::optional<std::size_t> outer = outer_column(first_line);
    for (std::uint32_t line = first_line; outer && line <= file_->line_count(); ++line) {
      if (const std::size_t indent = indent_of(line); indent != std::string_view::npos)
        return indent > *outer;
    }
    return true;
  }

  bool add_scalar(fy_event* event) {
    const Span at = with_quotes(span_of(event));
    Node node{.style = style_of(event->scalar.value), .text = text_of(event->scalar.value), .at = at};
    bool is_text = node.style != Style::plain;
    if (!check_tag(event->scalar.tag, at, is_text)) return false;
    node.kind = is_text ? NodeKind::string : kind_of_plain(node.text);
    if (!is_indented(node))
      return fault("yaml", "indent the block text more than its key and the line above it", at);
    if (node.text.find('\0') != std::string::npos) return fault("nul-byte", "a NUL character in a text", at);
    if (!count(at)) return false;
    const Node& added = tree_->add(std::move(node));
    return name_anchor(text_of(event->scalar.anchor), added) && place(added);
  }

  bool add_alias(fy_event* event) {
    Span at = span_of(event);
    if (at.begin > 0 && file_->text()[at.begin - 1] == '*') --at.begin;
    const std::string name = text_of(event->alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return fault("unknown-alias",
                   "alias \"" + name + "\" has no anchor before it; define \"&" + name + "\" first", at);
    }
    weight_ += found->second->weight;
    if (weight_ > bounds_.nodes_max) return too_many(at);
    return place(*found->second, at);
  }

  bool open(fy_event* event, NodeKind kind, fy_token* anchor, fy_token* tag) {
    const Span at = span_of(event);
    bool is_text = false;
    if (!check_tag(tag, at, is_text) || !count(at)) return false;
    if (opened_.size() >= bounds_.depth_max) {
      return fault("too-deep", "nested deeper than " + std::to_string(bounds_.depth_max) + " levels", at);
    }
    if (!opened_.empty() && opened_.back().node->is(NodeKind::mapping) && !opened_.back().key) {
      return fault("key-not-scalar", "a key must be a text, not a list or a mapping", at);
    }
    Node& node = tree_->add({.kind = kind, .at = at});
    opened_.push_back({&node, text_of(anchor), std::nullopt, false, {}, {}});
    return true;
  }

  bool close(fy_event* event) {
    Open done = std::move(opened_.back());
    opened_.pop_back();
    Node& node = *done.node;
    // A block mapping has no token of its own: it spans from its first key to its last value.
    const Span end = span_of(event);
    if (!node.members.empty()) node.at.begin = std::min(node.at.begin, node.members.front().name_at.begin);
    node.at.end = std::max(node.at.end, end.end);
    for (const Node* merged : done.merged) merge(node, *merged);
    for (const Node* item : node.items) node.weight += item->weight;
    for (const Member& member : node.members) node.weight += member.value->weight;
    return name_anchor(done.anchor, node) && place(node);
  }

  /// Adds a finished node to the open one.
  bool place(const Node& node, std::optional<Span> alias_at = std::nullopt) {
    if (opened_.empty()) {
      root_ = &node;
      return true;
    }
    Open& open = opened_.back();
    if (open.node->is(NodeKind::sequence)) {
      open.node->items.push_back(&node);
      return true;
    }
    if (!open.key) return take_key(open, node, alias_at.value_or(node.at));
    Member member = std::move(*open.key);
    open.key.reset();
    if (open.is_duplicate) return true;
    member.value = &node;
    if (member.name == "<<" && member.is_merged) return take_merge(open, node, member.name_at);
    open.node->members.push_back(std::move(member));
    return true;
  }

  bool take_key(Open& open, const Node& node, Span at) {
    if (!node.is_scalar())
      return fault("key-not-scalar", "a key must be a text, not a list or a mapping", at);
    const bool is_merge = node.text == "<<" && node.style == Style::plain;
    const auto [earlier, is_new] = open.seen.emplace(node.text, at);
    if (!is_new) {
      // The rest of the file is still read, so that all duplicates show; the first value counts.
      fault(
          std::string(duplicate_key),
          "duplicate key \"" + node.text + "\"; it is first used at " + place_text({file_, earlier->second}),
          at);
    }
    open.key = Member{node.text, at, nullptr, is_merge};
    open.is_duplicate = !is_new;
    return true;
  }

  bool take_merge(Open& open, const Node& node, Span at) {
    std::vector<const Node*> parts =
        node.is(NodeKind::sequence) ? node.items : std::vector<const Node*>{&node};
    for (const Node* part : parts) {
      if (!part->is(NodeKind::mapping))
        return fault("merge-not-mapping", "\"<<\" takes a mapping or a list of mappings", at);
    }
    open.merged.insert(open.merged.end(), parts.begin(), parts.end());
    return true;
  }

  /// The mapping's own keys take precedence over merged ones, and earlier merged ones over later ones.
  static void merge(Node& into, const Node& from) {
    for (const Member& member : from.members) {
      if (into.find(member.name) != nullptr) continue;
      into.members.push_back(member);
      into.members.back().is_merged = true;
    }
  }

  bool name_anchor(const std::string& name, const Node& node) {
    if (!name.empty()) anchors_[name] = &node;
    return true;
  }

  bool count(Span at) { return ++weight_ <= bounds_.nodes_max || too_many(at); }
  bool too_many(Span at) {
    return fault("too-large",
                 "more than " + std::to_string(bounds_.nodes_max) + " values, with aliases followed", at);
  }

  SourceFilePtr file_;
  TreeBounds bounds_;
  std::shared_ptr<Tree> tree_;
  std::vector<SourceFault> faults_;
  std::vector<Open> opened_;
  std::map<std::string, const Node*, std::less<>> anchors_;
  const Node* root_ = nullptr;
  std::size_t weight_ = 0;
  std::size_t last_ = 0;
  int documents_ = 0;
};

/// Takes the parser's own fault: line and column count from 0, the column in characters.
void take_diagnosis(fy_diag* diag, const SourceFile& file, Builder& builder) {
  void* at = nullptr;
  const fy_diag_error* error = fy_diag_errors_iterate(diag, &at);
  if (error == nullptr) {
    builder.fault("yaml", "malformed YAML", {0, 0});
    return;
  }
  const auto line =
      static_cast<std::uint32_t>(std::clamp(error->line, 1, static_cast<int>(file.line_count())));
  const std::string_view text = file.line(line);
  std::size_t offset = 0;
  for (int left = std::max(error->column, 1) - 1; left > 0 && offset < text.size(); --left) {
    do ++offset;
    while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U);
  }
  const std::size_t begin = file.line_begin(line) + offset;
  std::string message = error->msg == nullptr ? "malformed YAML" : error->msg;
  if (message == "invalid nested block mapping on the same line")
    message = "a text with \": \" must be in quotation marks";
  builder.fault("yaml", std::move(message), {begin, begin});
}

}  // namespace

ReadTree read_yaml(const SourceFilePtr& file, const TreeBounds& bounds) {
  Builder builder(file, bounds);
  if (const std::size_t bad = utf8_fault(file->text()); bad != std::string_view::npos) {
    builder.fault("not-utf8", "the file is not UTF-8; save it as UTF-8", {bad, bad + 1});
    return std::move(builder).finished();
  }
  if (const std::size_t nul = file->text().find('\0'); nul != std::string_view::npos) {
    builder.fault("nul-byte", "a NUL byte; the file is not a text", {nul, nul + 1});
    return std::move(builder).finished();
  }
  fy_diag_cfg quiet{};
  fy_diag_cfg_default(&quiet);
  quiet.fp = nullptr;
  quiet.output_fn = print_nothing;
  const Diagnosis diag(fy_diag_create(&quiet));
  fy_diag_set_collect_errors(diag.get(), true);
  fy_parse_cfg settings{};
  // Other YAML readers accept brackets and quoted texts whose later lines are not indented, and existing
  // files contain them.
  settings.flags =
      static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_ALLOW_DUPLICATE_KEYS |
                                      FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION);
  settings.diag = diag.get();
  const Parser parser(fy_parser_create(&settings));
  CHECK(parser != nullptr);
  fy_parser_set_string(parser.get(), file->text().data(), file->text().size());
  for (bool continues = true; continues;) {
    fy_event* event = fy_parser_parse(parser.get());
    if (event == nullptr) break;
    continues = builder.take(event);
    fy_parser_event_free(parser.get(), event);
  }
  if (fy_parser_get_stream_error(parser.get())) take_diagnosis(diag.get(), *file, builder);
  return std::move(builder).finished();
}

}  // namespace parley::source
