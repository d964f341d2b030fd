#include "client/suite/suite_assertions.hpp"

#include <algorithm>
#include <array>

#include "client/suite/file_keys.hpp"
#include "client/suite/schema_values.hpp"
#include "model/text/nearest.hpp"
#include "scoring/kind_schema.hpp"
#include "scoring/kinds.hpp"
#include "tester/template_fields.hpp"

namespace parley::client {
namespace {

using scoring::ConfigKey;
using scoring::ConfigType;
using scoring::Kind;
using source::NodeKind;

constexpr std::string_view criteria_type = "criteria";

/// Config keys that a short form may set. It sets the first key that the type has.
constexpr std::array<std::string_view, 5> scalar_keys{"value", "name", "pattern", "max", "min"};
constexpr std::array<std::string_view, 3> list_keys{"values", "names", "assertions"};

const ConfigKey* first_of(const Kind& kind, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    for (const ConfigKey& key : kind.keys) {
      if (key.name == name) return &key;
    }
  }
  return nullptr;
}

bool accepts_text(const ConfigKey& key) {
  return key.type == ConfigType::text;
}

/// Returns the key that a short form (`contains: "4.50"`) sets; null if the type has no key for such a value.
const ConfigKey* short_key(const Kind& kind, const View& value) {
  if (value.node->is(NodeKind::sequence)) return first_of(kind, list_keys);
  const ConfigKey* key = first_of(kind, scalar_keys);
  return key != nullptr ? key : first_of(kind, list_keys);
}

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const Kind* kind : scoring::kinds()) names.emplace_back(kind->name);
  return names;
}

/// Reads one assertion.
class AssertionReader {
 public:
  AssertionReader(SuiteSources& sources, const View& item, Level level) : sources_(sources), item_(item) {
    read_.level = level;
    read_.place = item.place();
    read_.record.severity = static_cast<Severity>(level);
  }

  /// Returns nullopt if the assertion has no valid type, and adds a fault.
  std::optional<SuiteAssertion> read() {
    if (!item_.node->is(NodeKind::mapping) || !find_type()) return std::nullopt;
    const View value{type_->value, item_.file};
    if (kind_->name == criteria_type) {
      if (!read_criteria(value)) return std::nullopt;
    } else {
      read_.record.config = config_of(value);
    }
    if (const View name = item_.at("name")) read_.record.name = name.text();
    if (const View id = item_.at("id")) read_.record.id = id.text();
    if (const auto weight = item_.at("weight").whole()) read_.record.weight = weight;
    read_.record.type = kind_->name;
    read_.place = {item_.file, type_->name_at};
    return std::move(read_);
  }

  /// Returns the place of a fault in the record. The pointer is relative to the assertion, such as `/config/...`.
  source::Place place_of(std::string_view pointer, bool is_of_key) const {
    if (type_ == nullptr) return item_.place();
    const source::Place type_place{item_.file, type_->name_at};
    if (pointer.starts_with("/id")) return item_.at("id") ? item_.at("id").place() : type_place;
    if (!pointer.starts_with("/config"))
      return type_->value->is(NodeKind::null) ? type_place : View{type_->value, item_.file}.place();
    pointer.remove_prefix(std::string_view("/config").size());
    const View value{type_->value, item_.file};
    if (!value.node->is(NodeKind::mapping)) return place_in_short(value, pointer);
    return place_in(value, pointer, type_place, is_of_key);
  }

 private:
  bool find_type() {
    for (const source::Member& member : item_.node->members) {
      if (find_key(sections::assertion, member.name) != nullptr) continue;
      const Kind* kind = scoring::find_kind(member.name);
      const source::Place at{item_.file, member.name_at};
      if (kind == nullptr) {
        auto names = type_names();
        for (const FileKey& key : sections::assertion.keys) names.emplace_back(key.name);
        sources_.error(
            "unknown-key",
            "unknown key \"" + member.name + "\" in an assertion" + did_you_mean(member.name, names), at);
        has_fault_ = true;
      } else if (type_ != nullptr) {
        sources_.error("second-type",
                       "an assertion has one type; \"" + type_->name + "\" and \"" + member.name +
                           "\" are two assertions",
                       at);
      } else {
        type_ = &member;
        kind_ = kind;
      }
    }
    if (type_ == nullptr && !has_fault_) {
      sources_.error("missing-key", "an assertion needs a type, such as \"contains\" or \"criteria\"",
                     item_.place());
    }
    return type_ != nullptr;
  }

  bool read_criteria(const View& value) {
    const View text = value.node->is(NodeKind::mapping) ? value.at("text") : value;
    if (!text || !text.node->is_scalar() || text.node->is(NodeKind::null)) {
      sources_.error("wrong-type", "\"criteria\" must be a text", {item_.file, type_->name_at});
      return false;
    }
    read_.record.criteria = sources_.text_of(text).text;
    if (value.node->is(NodeKind::mapping))
      read_.record.config = config_of(value);
    else if (item_.at("not").flag())
      read_.record.config = json::Text{R"({"negate":true})"};
    return true;
  }

  json::Text config_of(const View& value) {
    json::Writer out;
    out.begin_object();
    if (value.node->is(NodeKind::mapping)) {
      for (const source::Member& member : value.node->members) write_member(out, member, value.file);
    } else if (!value.node->is(NodeKind::null)) {
      write_short(out, value);
    }
    if (item_.at("not").flag() && !(value.node->is(NodeKind::mapping) && value.at("negate")))
      out.key("negate").boolean(true);
    out.end_object();
    return {std::move(out).text()};
  }

  void write_member(json::Writer& out, const source::Member& member, const source::SourceFilePtr& file) {
    if (kind_->name == criteria_type && member.name == "text") return;
    out.key(member.name);
    const auto keys = scoring::config_keys(*kind_);
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const ConfigKey& each) { return each.name == member.name; });
    if (key != keys.end() && accepts_text(*key) && member.value->is_scalar() &&
        !member.value->is(NodeKind::null)) {
      out.string(sources_.text_of({member.value, file}).text);
    } else if (sources_.is_file_reference({member.value, file})) {
      write_file(out, {member.value, file});
    } else {
      source::write_json(out, *member.value);
    }
  }

  /// `schema: file:answer.json`: writes the JSON in the file.
  void write_file(json::Writer& out, const View& value) {
    const PlacedText content = sources_.text_of(value);
    if (const auto parsed = json::parse(content.text); parsed.ok()) {
      out.raw(json::compacted(content.text));
      return;
    }
    sources_.error("json", "the file is not JSON", value.place());
    out.null();
  }

  void write_short(json::Writer& out, const View& value) {
    const ConfigKey* key = short_key(*kind_, value);
    if (key == nullptr) {
      sources_.error("wrong-type", "\"" + std::string(kind_->name) + "\" takes a mapping of its keys",
                     value.place());
      return;
    }
    out.key(key->name);
    const bool is_list =
        key->type == ConfigType::texts || key->type == ConfigType::names || key->type == ConfigType::objects;
    if (accepts_text(*key) && value.node->is_scalar()) {
      out.string(sources_.text_of(value).text);
    } else if (is_list) {
      out.begin_array();
      for (const View& item : value.names()) {
        if (item.node->is_scalar())
          out.string(item.text());
        else
          source::write_json(out, *item.node);
      }
      out.end_array();
    } else {
      source::write_json(out, *value.node);
    }
  }

  static source::Place place_in_short(const View& value, std::string_view pointer) {
    const auto index = pointer.rfind('/');
    if (value.node->is(NodeKind::sequence) && index != std::string_view::npos && index > 0) {
      const std::string number(pointer.substr(index + 1));
      const auto items = value.items();
      if (!number.empty() && number.size() < 6 &&
          std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
          std::stoul(number) < items.size()) {
        return items[std::stoul(number)].place();
      }
    }
    return value.place();
  }

  SuiteSources& sources_;
  View item_;
  const source::Member* type_ = nullptr;
  const Kind* kind_ = nullptr;
  bool has_fault_ = false;
  SuiteAssertion read_;
};

/// Names the part of the assertion that has the fault: `contains: "value"`. The pointer is relative to the assertion.
std::string subject_of(const Assertion& record, std::string_view pointer) {
  std::string where(pointer.starts_with("/config/")
                        ? pointer.substr(8)
                        : pointer.substr(std::min<std::size_t>(1, pointer.size())));
  std::replace(where.begin(), where.end(), '/', '.');
  return record.type + (where.empty() || where == "config" ? "" : ": \"" + where + "\"");
}

/// Adds the faults that the server would report, with their places. Needs: pointers that refer to one assertion.
void check_record(SuiteSources& sources, const AssertionReader& reader, const SuiteAssertion& read,
                  Findings& findings) {
  const std::size_t before = findings.faults.size();
  const std::string base = "/" + std::to_string(before);
  scoring::check_assertions({&read.record, 1}, base, findings);
  for (std::size_t i = before; i < findings.faults.size(); ++i) {
    const Fault& fault = findings.faults[i];
    const std::string_view pointer =
        std::string_view(fault.pointer).substr(std::min(fault.pointer.size(), base.size() + 2));
    sources.error("assertion", subject_of(read.record, pointer) + " " + fault.detail,
                  reader.place_of(pointer, fault.detail.find("is not a config key") != std::string::npos));
  }
}

}  // namespace

SuiteAssertions read_assertions(SuiteSources& sources, const View& owner, const std::string& prefix) {
  SuiteAssertions all;
  Findings findings;
  findings.strict = true;
  for (const Level level : {Level::must, Level::should, Level::could}) {
    std::size_t number = 0;
    for (const View& item : owner.at(word_of(level)).items()) {
      AssertionReader reader(sources, item, level);
      ++number;
      auto read = reader.read();
      if (!read) continue;
      if (read->record.id.empty())
        read->record.id = prefix + std::string(word_of(level)) + "-" + std::to_string(number);
      check_record(sources, reader, *read, findings);
      all.push_back(std::move(*read));
    }
  }
  return all;
}

void check_filled_in(SuiteSources& sources, const SuiteAssertions& assertions, const CompiledTest& test) {
  const auto fields = json::parse(test.fields);
  const auto none = json::parse("{}");
  if (!fields.ok() || !none.ok()) return;
  const tester::TemplateFields values(fields->root(), none->root());
  for (const SuiteAssertion& each : assertions) {
    if (!each.record.config || each.record.config->text.find("{{") == std::string::npos) continue;
    std::vector<Assertion> filled{each.record};
    Findings findings;
    if (values.put_in(filled)) scoring::check_assertions(filled, "", findings);
    for (const Fault& fault : findings.faults) {
      const std::string_view pointer =
          std::string_view(fault.pointer).substr(std::min<std::size_t>(2, fault.pointer.size()));
      sources.error(
          "assertion",
          subject_of(each.record, pointer) + " " + fault.detail + " with the fields of \"" + test.name + "\"",
          each.place);
    }
  }
}

void write_assertion_schema(json::Writer& out) {
  out.begin_object()
      .member("type", "object")
      .key("additionalProperties")
      .boolean(false)
      .key("properties")
      .begin_object();
  for (const Kind* kind : scoring::kinds()) {
    out.key(kind->name).begin_object().member("description", kind->summary).key("anyOf").begin_array();
    out.begin_object();
    if (kind->name == criteria_type)
      out.member("type", "object");
    else
      scoring::write_config_schema(out, *kind);
    out.end_object();
    const bool accepts_scalar = kind->name == criteria_type || first_of(*kind, scalar_keys) != nullptr ||
                                first_of(*kind, list_keys) != nullptr;
    if (accepts_scalar) out.raw(R"({"type":["string","number","boolean"]})");
    if (first_of(*kind, list_keys) != nullptr) out.raw(R"({"type":"array"})");
    if (!scoring::needs_config(*kind)) out.raw(R"({"type":"null"})");
    out.end_array().end_object();
  }
  for (const FileKey& key : sections::assertion.keys) write_key_schema(out, key);
  out.end_object().end_object();
}

}  // namespace parley::client
