#include "model/pattern_shape.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace parley {
namespace {

enum class PieceKind : std::uint8_t { unicode_class, endless, count, other };

/// What cannot be taken apart any further: an escape, a quote, a sign.
struct PatternPiece {
  PieceKind kind;
  std::string_view text;
  bool is_in_brackets;
};

struct Count {
  int least;
  std::optional<int> most;  ///< none where it has no end
};

/// Of `{2}`, `{2,}` and `{2,5}`; nullopt for a brace that stands for itself. RE2 takes up to 1,000.
std::optional<Count> count_of(std::string_view braces) {
  Count count{};
  const char* at = braces.data() + 1;
  const char* const end = braces.data() + braces.size() - 1;
  const auto least = std::from_chars(at, end, count.least);
  if (least.ec != std::errc()) return std::nullopt;
  count.most = count.least;
  if (least.ptr == end) return count;
  if (*least.ptr != ',') return std::nullopt;
  at = least.ptr + 1;
  if (at == end) return Count{count.least, std::nullopt};
  int most = 0;
  const auto read = std::from_chars(at, end, most);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return Count{count.least, most};
}

/// Takes a pattern apart that RE2 has taken.
class PatternPieces {
 public:
  explicit PatternPieces(std::string_view pattern) : rest_(pattern) {}

  std::optional<PatternPiece> next() {
    if (rest_.empty()) return std::nullopt;
    const bool was_in_brackets = is_in_brackets_;
    const auto [kind, bytes] = is_in_brackets_ ? within_brackets() : outside();
    const PatternPiece piece{kind, rest_.substr(0, bytes), was_in_brackets};
    rest_.remove_prefix(piece.text.size());
    return piece;
  }

 private:
  struct Read {
    PieceKind kind;
    std::size_t bytes;
  };

  [[nodiscard]] std::size_t up_to(std::string_view sign) const {
    const auto at = rest_.find(sign);
    return at == std::string_view::npos ? rest_.size() : at + sign.size();
  }

  [[nodiscard]] Read escape() const {
    if (rest_.starts_with("\\Q")) return {PieceKind::other, up_to("\\E")};
    if (rest_.starts_with("\\p{") || rest_.starts_with("\\P{")) return {PieceKind::unicode_class, up_to("}")};
    if (rest_.starts_with("\\p") || rest_.starts_with("\\P")) return {PieceKind::unicode_class, 3};
    if (rest_.starts_with("\\x{")) return {PieceKind::other, up_to("}")};
    return {PieceKind::other, 2};
  }

  Read within_brackets() {
    if (rest_.front() == '\\') return escape();
    if (rest_.starts_with("[:") && rest_.find(":]") != std::string_view::npos)
      return {PieceKind::other, up_to(":]")};
    is_in_brackets_ = rest_.front() != ']';
    return {PieceKind::other, 1};
  }

  Read outside() {
    switch (rest_.front()) {
      case '\\': return escape();
      case '[': return brackets();
      case '*':
      case '+': return {PieceKind::endless, 1};
      case '{':
        return count_of(rest_.substr(0, up_to("}"))) ? Read{PieceKind::count, up_to("}")}
                                                     : Read{PieceKind::other, 1};
      default: return {PieceKind::other, 1};
    }
  }

  /// A bracket that comes first closes nothing: `[]a]`, `[^]a]`.
  Read brackets() {
    is_in_brackets_ = true;
    const std::size_t begin = rest_.starts_with("[^") ? 2 : 1;
    return {PieceKind::other, rest_.substr(begin).starts_with("]") ? begin + 1 : begin};
  }

  std::string_view rest_;
  bool is_in_brackets_ = false;
};

/// One for each two of the bytes that are a character, so that none stands beside another.
std::string single_bytes() {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string bytes;
  for (unsigned byte = 0; byte < 128; byte += 2) {
    bytes += "\\x";
    bytes += digits[byte / 16];
    bytes += digits[byte % 16];
  }
  return bytes;
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
  static const std::string narrow = single_bytes();
  std::string text;
  PatternPieces pieces(pattern);
  while (const auto piece = pieces.next()) {
    if (piece->kind != PieceKind::unicode_class)
      text += piece->text;
    else
      text += piece->is_in_brackets ? narrow : "[" + narrow + "]";
  }
  return text;
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
