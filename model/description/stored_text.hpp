#pragma once
/// Reads JSON that parley wrote itself: compact, with members in the order of the record's description, and
/// verified by a checksum. No tree is built, so a GET costs one pass over the bytes. Unexpected text makes
/// the cursor fail, and the caller falls back to the strict parser. A cursor belongs to one function.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parley {

class StoredText {
 public:
  explicit StoredText(std::string_view text) : text_(text) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  /// Steps over `c` if it is next.
  bool take(char c);
  /// Steps over `"name":` if it is next.
  bool take_key(std::string_view name);
  /// Steps over `null` if it is next.
  bool take_null();
  /// Steps over the comma between members or items, if one is next.
  void end_member() { take(','); }

  [[nodiscard]] std::string string();
  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] double number();
  [[nodiscard]] bool boolean();
  /// Any value, unchanged.
  [[nodiscard]] std::string_view raw();
  void fail() { failed_ = true; }

 private:
  [[nodiscard]] std::string_view plain();
  bool skip_string();
  /// Steps over an object or array, without checking which bracket closes which.
  void skip_nested();

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// Reads string members of a stored object in one pass; those that are absent or no strings stay as they are. Looks
/// at the top level only. Needs: `found` is as long as `names`.
void read_members(std::string_view object, std::span<const std::string_view> names,
                  std::span<std::string> found);

/// The string members `names` of a stored object; empty if absent.
template <std::size_t N>
[[nodiscard]] std::array<std::string, N> stored_members(std::string_view object,
                                                        const std::string_view (&names)[N]) {
  std::array<std::string, N> found;
  read_members(object, names, found);
  return found;
}

/// The string member `name` of a stored object; empty if absent.
[[nodiscard]] std::string stored_member(std::string_view object, std::string_view name);

}  // namespace parley
