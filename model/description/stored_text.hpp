#pragma once
/// Reads JSON that parley wrote itself: compact, members in the order of the record's description, its text vouched for
/// by a checksum. No tree is built, so a GET costs a walk over the bytes. What does not look as expected makes the
/// cursor fail, and the caller falls back on the strict parser. A cursor belongs to one function.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

class StoredText {
 public:
  explicit StoredText(std::string_view text) : text_(text) {}

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  /// Steps over `c` when it is next.
  bool take(char c);
  /// Steps over `"name":` when it is next.
  bool take_key(std::string_view name);
  /// Steps over `null` when it is next.
  bool take_null();
  /// Steps over the comma between members or items, if there is one.
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

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// The string member `name` of a stored object; empty where it has none. Looks at the top level only.
[[nodiscard]] std::string stored_member(std::string_view object, std::string_view name);

}  // namespace parley
