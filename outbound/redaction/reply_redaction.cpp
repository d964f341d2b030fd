#include "outbound/redaction/reply_redaction.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::outbound {
namespace {

/// The length of "support" and "private". A longer word may be a password and is redacted (I67).
constexpr std::size_t word_letters_max = 7;

/// Letters of one case, except that the first may be a capital.
bool is_plain_word(std::string_view text) {
  if (text.size() > word_letters_max) return false;
  const auto all = [](std::string_view letters, auto is) {
    return std::all_of(letters.begin(), letters.end(), is);
  };
  const auto is_upper = [](char c) { return ascii::is_letter(c) && !ascii::is_lower(c); };
  if (text.empty() || !ascii::is_letter(text.front())) return false;
  return all(text.substr(1), ascii::is_lower) || all(text, is_upper);
}

/// Writes a document again without the parts.
class Rewriting {
 public:
  explicit Rewriting(const HiddenForms& parts) : parts_(parts) {}

  void write(const json::Value& value) {
    switch (value.kind()) {
      case json::Kind::object: return write_object(value);
      case json::Kind::array: return write_array(value);
      case json::Kind::string: return write_string(value);
      default: out_.raw(value.raw());
    }
  }

  /// The written text, if it differs from the text that was read.
  [[nodiscard]] std::optional<std::string> text() && {
    if (!is_changed_) return std::nullopt;
    return std::move(out_).text();
  }

 private:
  void write_string(const json::Value& value) {
    const auto without = redacted(value.string(), parts_);
    if (!without) {
      out_.raw(value.raw());
      return;
    }
    is_changed_ = true;
    out_.string(*without);
  }

  void write_array(const json::Value& value) {
    out_.begin_array();
    for (const json::Value& item : value.children()) write(item);
    out_.end_array();
  }

  void write_object(const json::Value& value) {
    const std::vector<json::Value> members = value.children();
    const std::vector<std::string> keys = keys_of(members);
    out_.begin_object();
    for (std::size_t i = 0; i < members.size(); ++i) {
      out_.key(keys[i]);
      write(members[i]);
    }
    out_.end_object();
  }

  /// Keeps names unique: changed names that would equal another name get numbers.
  std::vector<std::string> keys_of(const std::vector<json::Value>& members) {
    std::vector<std::string> keys;
    std::vector<std::size_t> changed;
    for (const json::Value& member : members) {
      auto without = redacted(member.key(), parts_);
      if (without) changed.push_back(keys.size());
      keys.push_back(without ? std::move(*without) : std::string(member.key()));
    }
    if (changed.empty()) return keys;
    is_changed_ = true;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!std::binary_search(changed.begin(), changed.end(), i)) taken.insert(keys[i]);
    }
    std::map<std::string, std::size_t> numbers;
    for (const std::size_t i : changed) {
      const std::string key = keys[i];
      std::size_t& number = numbers.try_emplace(key, 1).first->second;
      while (!taken.insert(keys[i]).second) keys[i] = key + "-" + std::to_string(++number);
    }
    return keys;
  }

  const HiddenForms& parts_;
  json::Writer out_;
  bool is_changed_ = false;
};

}  // namespace

// A word that appears only after its backslashes are removed is never a coincidence: it was encoded as JSON.
ReplyRedaction::ReplyRedaction(const Secrets& secrets) {
  Parts parts = parts_as_sent(secrets);
  std::erase_if(parts, [](const std::string& part) { return is_plain_word(part); });
  parts_ = hidden_forms(parts);
}

void ReplyRedaction::hide(std::string& text) const {
  if (parts_.empty()) return;
  if (auto without = redacted(text, parts_)) text = std::move(*without);
}

bool ReplyRedaction::hide(json::Text& json) const {
  if (parts_.empty()) return true;
  // Without escapes, the JSON text contains its strings unchanged.
  const bool has_escapes = json.text.find('\\') != std::string::npos;
  if (!has_escapes && !redacted(json.text, parts_)) return true;
  const auto document = json::parse(json.text);
  if (!document.ok()) return false;
  Rewriting rewriting(parts_);
  rewriting.write(document->root());
  auto without = std::move(rewriting).text();
  if (!without) return true;
  if (!json::parse(*without).ok()) return false;
  json.text = std::move(*without);
  return true;
}

}  // namespace parley::outbound
