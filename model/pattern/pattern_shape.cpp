#include "model/pattern/pattern_shape.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/text/ascii.hpp"

namespace parley {
namespace {

enum class PieceKind : std::uint8_t { unicode_class, endless, count, other };

/// What is not taken apart any further: an escape, a quote, a sign, a class in brackets.
struct PatternPiece {
  PieceKind kind;
  std::string_view text;
};

struct Count {
  int least;
  std::optional<int> most;  ///< none where it has no end
};

/// Takes a number from the front; nullopt for what RE2 does not read as a number, such as `007`. RE2 refuses counts above 1,000.
std::optional<int> take_number(std::string_view& text) {
  if (text.empty() || !ascii::is_digit(text[0])) return std::nullopt;
  if (text[0] == '0' && text.size() > 1 && ascii::is_digit(text[1])) return std::nullopt;
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return number;
}

/// Of `{2}`, `{2,}` and `{2,5}`; nullopt for a literal brace.
std::optional<Count> count_of(std::string_view braces) {
  if (!braces.starts_with('{') || !braces.ends_with('}')) return std::nullopt;
  std::string_view rest = braces.substr(1, braces.size() - 2);
  const auto least = take_number(rest);
  if (!least) return std::nullopt;
  if (rest.empty()) return Count{*least, *least};
  if (rest[0] != ',') return std::nullopt;
  rest.remove_prefix(1);
  if (rest.empty()) return Count{*least, std::nullopt};
  const auto most = take_number(rest);
  if (!most || !rest.empty()) return std::nullopt;
  return Count{*least, *most};
}

/// Takes a pattern apart that RE2 has taken.
class PatternPieces {
 public:
  explicit PatternPieces(std::string_view pattern) : rest_(pattern) {}

  std::optional<PatternPiece> next() {
    if (rest_.empty()) return std::nullopt;
    const auto [kind, bytes] = first_of(rest_);
    const PatternPiece piece{kind, rest_.substr(0, bytes)};
    rest_.remove_prefix(piece.text.size());
    return piece;
  }

 private:
  struct Read {
    PieceKind kind;
    std::size_t bytes;  ///< more than there are where the end is missing
  };

  static Read first_of(std::string_view rest) {
    switch (rest.front()) {
      case '\\': return escape(rest);
      case '[': return brackets(rest);
      case '*':
      case '+': return {PieceKind::endless, 1};
      case '{':
        return count_of(rest.substr(0, up_to(rest, "}"))) ? Read{PieceKind::count, up_to(rest, "}")}
                                                          : Read{PieceKind::other, 1};
      default: return {PieceKind::other, 1};
    }
  }

  static std::size_t up_to(std::string_view rest, std::string_view sign) {
    const auto at = rest.find(sign);
    return at == std::string_view::npos ? rest.size() : at + sign.size();
  }

  static Read escape(std::string_view rest) {
    if (rest.starts_with("\\Q")) return {PieceKind::other, up_to(rest, "\\E")};
    if (rest.starts_with("\\p{") || rest.starts_with("\\P{"))
      return {PieceKind::unicode_class, up_to(rest, "}")};
    if (rest.starts_with("\\p") || rest.starts_with("\\P")) return {PieceKind::unicode_class, 3};
    if (rest.starts_with("\\x{")) return {PieceKind::other, up_to(rest, "}")};
    return {PieceKind::other, 2};
  }

  /// A bracket that comes first closes nothing: `[]a]`, `[^]a]`.
  static Read brackets(std::string_view rest) {
    PieceKind kind = PieceKind::other;
    std::size_t bytes = rest.starts_with("[^") ? 2 : 1;
    if (rest.substr(bytes).starts_with("]")) ++bytes;
    while (bytes < rest.size() && rest[bytes] != ']') {
      const Read member = within_brackets(rest.substr(bytes));
      if (member.kind == PieceKind::unicode_class) kind = PieceKind::unicode_class;
      bytes += member.bytes;
    }
    return {kind, bytes + 1};
  }

  /// A name has something between its colons: `[[:]` is a bracket or a colon.
  static Read within_brackets(std::string_view rest) {
    if (rest.front() == '\\') return escape(rest);
    const auto end = rest.starts_with("[:") ? rest.find(":]", 2) : std::string_view::npos;
    return {PieceKind::other, end == std::string_view::npos ? 1 : end + 2};
  }

  std::string_view rest_;
};

/// Every second ASCII byte, so that RE2 cannot merge two into a range. In a group, so that RE2 does not merge it with an adjacent
/// class.
std::string narrow_class() {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string bytes;
  for (unsigned byte = 0; byte < 128; byte += 2) {
    bytes += "\\x";
    bytes += digits[byte / 16];
    bytes += digits[byte % 16];
  }
  return "([" + bytes + "])";
}

std::string with_classes_as(std::string_view instead, std::string_view pattern) {
  std::string text;
  PatternPieces pieces(pattern);
  while (const auto piece = pieces.next())
    text += piece->kind == PieceKind::unicode_class ? instead : piece->text;
  return text;
}

}  // namespace

bool is_bounded(std::string_view pattern) {
  PatternPieces pieces(pattern);
  while (const auto piece = pieces.next()) {
    if (piece->kind == PieceKind::endless) return false;
    if (piece->kind == PieceKind::count && !count_of(piece->text)->most) return false;
  }
  return true;
}

std::string with_narrow_classes(std::string_view pattern) {
  static const std::string narrow = narrow_class();
  return with_classes_as(narrow, pattern);
}

std::string with_open_classes(std::string_view pattern) {
  return with_classes_as("(?:\\C\\C?\\C?\\C?)", pattern);
}

std::string with_open_gaps(std::string_view pattern) {
  constexpr int often = 8;  // as little as this is repeated costs little
  std::string text;
  PatternPieces pieces(pattern);
  while (const auto piece = pieces.next()) {
    const auto count = piece->kind == PieceKind::count ? count_of(piece->text) : std::nullopt;
    if (count && count->most.value_or(often + 1) > often && (count->most || count->least > often))
      text += "{" + std::to_string(std::min(count->least, often)) + ",}";
    else
      text += piece->text;
  }
  return text;
}

}  // namespace parley
