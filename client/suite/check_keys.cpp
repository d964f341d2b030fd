#include "client/suite/check_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "client/suite/compiled_suite.hpp"
#include "model/stable_hash.hpp"
#include "model/text/ascii.hpp"
#include "model/text/nearest.hpp"
#include "model/text/slug.hpp"

namespace parley::client {
namespace {

using source::NodeKind;

bool is_slug(std::string_view text) {
  const auto is_inner = [](char c) {
    return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= 100 &&
         (ascii::is_lower(text.front()) || ascii::is_digit(text.front())) &&
         std::all_of(text.begin(), text.end(), is_inner);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "\"" + std::string(words[i]) + "\"";
  }
  return text;
}

bool is_text(const View& value) {
  return value.node->is_scalar();
}

/// Checks one file. The checks of sections call each other recursively.
class KeyChecker {
 public:
  explicit KeyChecker(SuiteSources& sources) : sources_(sources) {}

  void check(const View& value, const FileSection& section) {
    if (!value.node->is(NodeKind::mapping)) {
      sources_.error("wrong-type", std::string(section.noun) + " must be a mapping of keys and values",
                     value.place());
      return;
    }
    const bool is_assertion = &section == &sections::assertion;
    for (const source::Member& member : value.node->members) {
      const FileKey* key = find_key(section, member.name);
      if (key != nullptr)
        check_value({member.value, value.file}, *key, {value.file, member.name_at});
      else if (!is_assertion)
        unknown(value, member, section);
    }
    for (const FileKey& key : section.keys) {
      if (!key.is_required || value.node->find(key.name) != nullptr) continue;
      sources_.error("missing-key", std::string(section.noun) + " needs \"" + std::string(key.name) + "\"",
                     first_line(value));
    }
  }

 private:
  /// A mapping spans several lines, so a fault of the whole mapping is shown at its first key.
  static source::Place first_line(const View& value) {
    if (value.node->members.empty()) return value.place();
    return {value.file, value.node->members.front().name_at};
  }

  void unknown(const View& value, const source::Member& member, const FileSection& section) {
    std::vector<std::string> names;
    for (const FileKey& key : section.keys) names.emplace_back(key.name);
    sources_.error("unknown-key",
                   "unknown key \"" + member.name + "\" in " + std::string(section.noun) +
                       did_you_mean(member.name, names),
                   {value.file, member.name_at});
  }

  void wrong(const View& value, const FileKey& key, const std::string& must_be) {
    sources_.error("wrong-type", "\"" + std::string(key.name) + "\" must be " + must_be, value.place());
  }

  /// Arguments of a command and options of a field are values, which may be empty. Other lists are of names.
  static bool may_hold_empty(const FileKey& key) { return key.name == "exec" || key.name == "options"; }

  /// Whether the value is the name or key of a record. A variable may make other values empty, but not these.
  static bool names_record(const FileKey& key) {
    return key.shape == Shape::slug || key.name == "name" || key.name == "scenario";
  }

  void empty(const View& value, const FileKey& key) {
    sources_.error("empty-value", "\"" + std::string(key.name) + "\" must not be empty", value.place());
  }

  void check_value(const View& value, const FileKey& key, const source::Place& key_place) {
    if (value.node->is(NodeKind::null)) {
      sources_.error("empty-value",
                     "\"" + std::string(key.name) + "\" has no value; give it one or remove the key",
                     key_place);
      return;
    }
    if (names_record(key) && is_text(value) && is_blank(value.text())) return empty(value, key);
    if (!sources_.has_variable(value) || !value.text().empty()) check_shape(value, key);
  }

  void check_shape(const View& value, const FileKey& key) {
    switch (key.shape) {
      case Shape::text:
        if (!is_text(value)) return wrong(value, key, "a text");
        if (value.text().empty()) empty(value, key);
        return;
      case Shape::file_text:
        if (!is_text(value)) wrong(value, key, "a text");
        return;
      case Shape::slug:
        if (!is_text(value) || !is_slug(value.text()))
          wrong(value, key, "lower-case letters, digits, \"-\", \"_\" and \".\", at most 100");
        return;
      case Shape::word: check_word(value, key); return;
      case Shape::flag:
        if (!value.is_flag()) wrong(value, key, "true or false");
        return;
      case Shape::whole: check_whole(value, key); return;
      case Shape::number: check_number(value, key); return;
      case Shape::duration: check_duration(value, key); return;
      case Shape::ratio:
        if (!is_text(value) || !ratio_of(value.text()))
          wrong(value, key, "k/n with k from 1 to n, as in 4/5");
        return;
      case Shape::names: check_names(value, key, false); return;
      case Shape::name_or_names: check_names(value, key, true); return;
      case Shape::texts_by_name:
      case Shape::secrets_by_name: check_texts_by_name(value, key); return;
      case Shape::secret: check_secret(value, key); return;
      case Shape::mapping:
        if (!value.node->is(NodeKind::mapping)) wrong(value, key, "a mapping");
        return;
      case Shape::any: return;
      case Shape::section: check(value, *key.nested); return;
      case Shape::section_or_word: check_section_or_word(value, key); return;
      case Shape::sections: check_list(value, key); return;
      case Shape::sections_by_name: check_sections_by_name(value, key); return;
      case Shape::assertions: check_assertions(value, key); return;
    }
  }

  void check_word(const View& value, const FileKey& key) {
    if (std::find(key.words.begin(), key.words.end(), value.text()) != key.words.end()) return;
    const std::vector<std::string> names(key.words.begin(), key.words.end());
    wrong(value, key, listed(key.words) + did_you_mean(value.text(), names));
  }

  void check_whole(const View& value, const FileKey& key) {
    const auto number = value.whole();
    if (number && *number >= key.least && *number <= key.most) return;
    if (key.most == INT64_MAX)
      return wrong(value, key, "a whole number of at least " + std::to_string(key.least));
    if (key.least == key.most) return wrong(value, key, std::to_string(key.least));
    wrong(value, key, "a whole number from " + std::to_string(key.least) + " to " + std::to_string(key.most));
  }

  void check_number(const View& value, const FileKey& key) {
    const auto number = value.number();
    const bool is_bounded = key.most != INT64_MAX;
    if (number && *number >= static_cast<double>(key.least) &&
        (!is_bounded || *number <= static_cast<double>(key.most)))
      return;
    wrong(value, key,
          is_bounded ? "a number from " + std::to_string(key.least) + " to " + std::to_string(key.most)
                     : "a number of at least 0");
  }

  void check_duration(const View& value, const FileKey& key) {
    const auto ms = duration_of(value.text());
    if (!ms || *ms < 0) return wrong(value, key, "a duration such as 250ms, 20s or 5m");
    if (*ms < key.least) return wrong(value, key, "longer than 0");
    if (*ms > key.most) wrong(value, key, "at most " + std::to_string(key.most / 1'000) + "s");
  }

  void check_names(const View& value, const FileKey& key, bool accepts_one) {
    if (accepts_one && is_text(value)) {
      if (value.text().empty()) empty(value, key);
      return;
    }
    if (!value.node->is(NodeKind::sequence))
      return wrong(value, key, accepts_one ? "a text or a list of texts" : "a list of texts");
    // An empty list where one name suffices would select everything.
    if (accepts_one && value.items().empty()) return empty(value, key);
    for (const View& item : value.items()) {
      if (!is_text(item) || item.node->is(NodeKind::null))
        wrong(item, key, "a list of texts");
      else if (item.text().empty() && !sources_.has_variable(item) && !may_hold_empty(key))
        empty(item, key);
    }
  }

  void check_texts_by_name(const View& value, const FileKey& key) {
    if (!value.node->is(NodeKind::mapping)) return wrong(value, key, "a mapping of texts");
    for (const source::Member& member : value.node->members) {
      const View each{member.value, value.file};
      if (!is_text(each) || each.node->is(NodeKind::null))
        wrong(each, key, "a mapping of texts");
      else if (key.shape == Shape::secrets_by_name)
        check_is_no_literal(each, member.name);
    }
  }

  void check_secret(const View& value, const FileKey& key) {
    if (!is_text(value)) return wrong(value, key, "a text");
    check_is_no_literal(value, "LLM_KEY");
  }

  void check_is_no_literal(const View& value, std::string_view name) {
    if (sources_.has_variable(value) || sources_.is_file_reference(value)) return;
    std::string variable;
    for (const char c : name) {
      const char upper = ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
      variable.push_back(ascii::is_letter(c) || ascii::is_digit(c) ? upper : '_');
    }
    sources_.error("literal-secret",
                   "a key is written in the file; write \"${" + variable + "}\" and set the variable",
                   value.place());
  }

  void check_section_or_word(const View& value, const FileKey& key) {
    if (value.node->is(NodeKind::mapping)) return check(value, *key.nested);
    if (std::find(key.words.begin(), key.words.end(), value.text()) == key.words.end())
      wrong(value, key, listed(key.words) + " or a mapping");
  }

  void check_list(const View& value, const FileKey& key) {
    if (!value.node->is(NodeKind::sequence)) return wrong(value, key, "a list");
    for (const View& item : value.items()) check(item, *key.nested);
  }

  void check_sections_by_name(const View& value, const FileKey& key) {
    if (!value.node->is(NodeKind::mapping)) return wrong(value, key, "a mapping of names");
    for (const source::Member& member : value.node->members) {
      if (is_blank(member.name))
        sources_.error("empty-value", "a name must not be empty", {value.file, member.name_at});
      check({member.value, value.file}, *key.nested);
    }
  }

  /// Assertion types are checked elsewhere, with the table of types (suite_assertions).
  void check_assertions(const View& value, const FileKey& key) {
    if (!value.node->is(NodeKind::sequence)) return wrong(value, key, "a list of assertions");
    for (const View& item : value.items()) check(item, sections::assertion);
  }

  SuiteSources& sources_;
};

}  // namespace

void check_section(SuiteSources& sources, const View& value, const FileSection& section) {
  KeyChecker(sources).check(value, section);
}

std::string slug_of(std::string_view name) {
  constexpr std::size_t bytes_max = 80;
  std::string slug = slug_from(name, bytes_max);
  return slug.empty() ? fmt::format("x-{:08x}", static_cast<std::uint32_t>(stable_hash(name))) : slug;
}

std::optional<std::int64_t> duration_of(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{
      {{"ms", 1}, {"s", 1'000}, {"", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0 || number > 1'000'000'000) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, ms] : units) {
    if (unit == name) return number * ms;
  }
  return std::nullopt;
}

}  // namespace parley::client
