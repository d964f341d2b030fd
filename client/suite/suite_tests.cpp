#include <algorithm>

#include "client/suite/check_keys.hpp"
#include "client/suite/suite_parts.hpp"
#include "model/records/custom_fields.hpp"
#include "model/source/yaml_reader.hpp"
#include "model/text/nearest.hpp"
#include "tester/compose.hpp"

namespace parley::client {
namespace {

std::vector<Assertion> records_of(const SuiteAssertions& assertions) {
  std::vector<Assertion> records;
  for (const SuiteAssertion& each : assertions) records.push_back(each.record);
  return records;
}

/// What a test shares with its variants and rows.
struct Base {
  View view;
  std::string key;
  std::string name;
};

class TestReader {
 public:
  TestReader(SuiteSources& sources, ScenarioPart& scenario, const TestContext& context)
      : sources_(sources), scenario_(scenario), context_(context) {
    defaults_ = context.defaults ? read_assertions(sources, context.defaults, "default.") : SuiteAssertions{};
  }

  std::vector<TestRecord> read() && {
    for (const View& test : scenario_.tests) {
      if (test.node->is(source::NodeKind::mapping)) read_test(test);
    }
    return std::move(records_);
  }

 private:
  void read_test(const View& test) {
    const Base base{test, test.at("key") ? test.at("key").text() : slug_of(test.at("name").text()),
                    test.at("name").text()};
    TestRecord record = settings_of(test, nullptr);
    CompiledTest& compiled = record.compiled;
    compiled.key = compiled.record_key = base.key;
    compiled.name = base.name;
    compiled.place = file_place(test.at("name") ? test.at("name").place() : test.place());
    compiled.from_log = test.at("from-log").text();
    record.description = sources_.text_of(test.at("description")).text;
    if (const View metadata = test.at("metadata")) record.metadata = metadata.json();
    record.history = history_of(test);
    const TestText text = read_text(sources_, test, compiled.max_turns);
    compiled.is_script = text.is_script || !text.is_given;
    record.own_instruction = compiled.instruction = text.instruction;
    if (!text.is_given && test.node->find("from-log") == nullptr) {
      sources_.error("missing-key", "a test needs \"script\", \"goal\" or \"from-log\"", key_or_name(test));
    }
    record.own = defaults_;
    for (SuiteAssertion& each : read_assertions(sources_, test, "")) record.own.push_back(std::move(each));
    read_snapshot(test, record);
    check_must(test, base, record);
    if (!test.at("data")) add_snapshot(test.at("snapshot"), record);
    record.assertions = record.own;
    const View fields = test.at("fields");
    if (const View data = test.at("data"))
      read_rows(base, record, data);
    else
      add_with_variants(base, std::move(record), fields ? fields : View{nullptr, test.file});
  }

  [[nodiscard]] static std::string history_of(const View& test) {
    const std::vector<View> messages = test.at("history").items();
    if (messages.empty()) return {};
    json::Writer out;
    out.begin_array();
    for (const View& each : messages) {
      out.begin_object()
          .member("role", each.at("role").text())
          .member("content", each.at("content").text())
          .end_object();
    }
    out.end_array();
    return std::move(out).text();
  }

  [[nodiscard]] static source::Place key_or_name(const View& test) {
    if (test.at("name")) return test.at("name").place();
    return {test.file, test.node->members.empty() ? test.node->at : test.node->members.front().name_at};
  }

  /// Reads the settings of a test or a variant. A variant inherits missing settings from its parent.
  TestRecord settings_of(const View& view, const TestRecord* parent) {
    TestRecord record;
    CompiledTest& compiled = record.compiled;
    if (parent != nullptr)
      compiled = parent->compiled;
    else
      compiled = inherited();
    compiled.scenario = scenario_.compiled.key;
    for (const View& tag : view.at("tags").items()) compiled.tags.push_back(tag.text());
    if (const auto repeat = view.at("repeat").whole()) compiled.repeat = *repeat;
    if (view.at("enabled")) compiled.is_enabled = compiled.is_enabled && view.at("enabled").flag();
    if (const auto turns = view.at("max-turns").whole()) compiled.max_turns = turns;
    if (const View persona = view.at("persona")) compiled.persona = persona_key(persona);
    return record;
  }
  CompiledTest inherited() {
    CompiledTest compiled;
    compiled.repeat = context_.defaults.at("repeat").whole().value_or(context_.repeat);
    compiled.max_turns = context_.defaults.at("max-turns").whole();
    if (const View persona = context_.defaults.at("persona")) compiled.persona = persona_key(persona);
    return compiled;
  }

  std::string persona_key(const View& name) {
    std::vector<std::string> names;
    for (const CompiledPersona& each : context_.personas) {
      if (each.name == name.text()) return each.key;
      names.push_back(each.name);
    }
    sources_.error("undefined",
                   "persona \"" + name.text() + "\" is not defined" + did_you_mean(name.text(), names),
                   name.place());
    return "";
  }

  void check_must(const View& test, const Base& base, const TestRecord& record) {
    // `must: []` states on purpose that nothing may fail the test. A `must` with a fault was already reported.
    if (test.node->find("must") != nullptr || record.compiled.snapshot) return;
    const bool has_must = std::any_of(record.own.begin(), record.own.end(),
                                      [](const auto& each) { return each.level == Level::must; });
    if (has_must) return;
    const std::string what = base.name.empty() ? "this test" : "\"" + base.name + "\"";
    sources_.error("no-must", "a test needs at least one \"must\"; nothing could fail " + what,
                   key_or_name(test));
  }

  /// Reads the settings of the snapshot. add_snapshot() adds the calls after the record has its key.
  static void read_snapshot(const View& test, TestRecord& record) {
    const View value = test.at("snapshot");
    if (!value) return;
    Snapshot snapshot;
    if (value.at("tools")) snapshot.mode = value.at("tools").text();
    for (const View& each : value.at("ignore").items()) snapshot.ignore.push_back(each.text());
    record.compiled.snapshot = std::move(snapshot);
  }

  /// Each record has its own file, because variants and rows make different calls.
  void add_snapshot(const View& value, TestRecord& record) {
    if (!record.compiled.snapshot) return;
    Snapshot& snapshot = *record.compiled.snapshot;
    snapshot.file = context_.folder / "snapshots" / (record.compiled.record_key + ".yaml");
    std::error_code failed;
    snapshot.is_recorded = std::filesystem::exists(snapshot.file, failed);
    const bool is_ignored = context_.ignores_snapshot && context_.ignores_snapshot(record.compiled);
    if (snapshot.is_recorded && !is_ignored) {
      if (const View file = sources_.read_suite(snapshot.file, value.place()))
        add_snapshot_assertion(value, file, record);
      return;
    }
    // A run that records the calls needs an assertion that holds: the gate wants a `must`, and an overlay can replace
    // the calls of its parent but not remove them.
    add_assertion(value, {"max-turns", R"({"value":10000})"}, record);
  }

  /// Adds `tool-set` with the recorded calls to `must`.
  void add_snapshot_assertion(const View& value, const View& file, TestRecord& record) {
    const View calls = file.at("calls");
    if (!calls || !calls.node->is(source::NodeKind::sequence)) {
      sources_.error("snapshot", "a snapshot has a list \"calls\"", file.place());
      return;
    }
    const Snapshot& snapshot = *record.compiled.snapshot;
    json::Writer ignored;
    ignored.begin_array();
    for (const std::string& each : snapshot.ignore) ignored.string(each);
    ignored.end_array();
    const std::string names = std::move(ignored).text();
    if (calls.items().empty()) {
      // `tool-set` needs a call. If the accepted run made none, only the ignored tools are allowed.
      if (snapshot.mode == "superset") {
        add_assertion(value, {"max-turns", R"({"value":10000})"}, record);
      } else {
        add_assertion(value, {"tools-allowed", R"({"names":)" + names + "}"}, record);
      }
      return;
    }
    json::Writer out;
    out.begin_object().member("mode", snapshot.mode).key("calls").raw(calls.json());
    if (!snapshot.ignore.empty()) out.key("ignore").raw(names);
    out.end_object();
    add_assertion(value, {"tool-set", std::move(out).text()}, record);
  }

  struct Check {
    std::string type;
    std::string config;
  };

  static void add_assertion(const View& value, Check check, TestRecord& record) {
    SuiteAssertion assertion;
    assertion.record.id = "snapshot";
    assertion.record.name = "makes the calls of the snapshot";
    assertion.record.type = std::move(check.type);
    assertion.record.severity = Severity::blocker;
    assertion.record.config = json::Text{std::move(check.config)};
    assertion.place = value.place();
    record.own.push_back(std::move(assertion));
  }

  /// Defines the columns as fields, because the server accepts no others once a field is defined.
  void define_columns(const DataRow& row) {
    const auto fields = json::parse(row.fields);
    if (scenario_.fields.empty() || !fields.ok()) return;
    for (const json::Value& value : fields->root().children()) {
      const bool is_defined = std::any_of(scenario_.fields.begin(), scenario_.fields.end(),
                                          [&](const FieldDef& field) { return field.key == value.key(); });
      if (is_defined) continue;
      FieldDef field;
      field.key = value.key();
      if (value.is(json::Kind::number)) field.type = FieldType::number;
      if (value.is(json::Kind::boolean)) field.type = FieldType::boolean;
      scenario_.fields.push_back(std::move(field));
    }
  }

  void read_rows(const Base& base, const TestRecord& record, const View& data) {
    for (const DataRow& row : read_data(sources_, data)) {
      define_columns(row);
      TestRecord each = record;
      each.compiled.row = row.key;
      each.compiled.name = base.name + " #" + row.key;
      each.compiled.record_key = base.key + "--" + slug_of(row.key);
      add_snapshot(base.view.at("snapshot"), each);
      each.assertions = each.own;
      const View own = base.view.at("fields");
      const json::Text beneath{own && own.node->is(source::NodeKind::mapping) ? own.json() : "{}"};
      each.compiled.fields = laid_over({{row.fields}, beneath}).text;
      check_field_values(sources_, scenario_.fields, {each.compiled.fields, View{}, row.place});
      add(std::move(each), {base.view.file, base.view.node->at});
    }
    if (base.view.at("variants")) {
      sources_.error("second-type", "a test with \"data\" has no \"variants\"",
                     base.view.key_place("variants"));
    }
  }

  void add_with_variants(const Base& base, TestRecord record, const View& fields) {
    record.compiled.fields = fields && fields.node->is(source::NodeKind::mapping) ? fields.json() : "{}";
    check_field_values(sources_, scenario_.fields,
                       {record.compiled.fields, fields, fields ? fields.place() : key_or_name(base.view)});
    const std::size_t parent = records_.size();
    add(std::move(record), key_or_name(base.view));
    for (const View& variant : base.view.at("variants").items()) {
      if (variant.node->is(source::NodeKind::mapping)) add_variant(base, parent, variant);
    }
    add_field_variants(base, parent);
    add_included_variants(base, parent);
  }

  void add_variant(const Base& base, std::size_t parent, const View& variant) {
    const std::string key = variant.at("key") ? variant.at("key").text() : slug_of(variant.at("name").text());
    TestRecord record = settings_of(variant, &records_[parent]);
    CompiledTest& compiled = record.compiled;
    compiled.variant = variant.at("name").text();
    compiled.name = base.name + " · " + compiled.variant;
    compiled.record_key = base.key + "--" + key;
    compiled.place = file_place(key_or_name(variant));
    record.parent = parent;
    const std::optional<std::int64_t> own_turns = variant.at("max-turns").whole();
    const TestText text = read_text(sources_, variant, own_turns);
    record.own_instruction = text.instruction;
    if (!text.is_given && own_turns) record.own_instruction = "max turns: " + std::to_string(*own_turns);
    record.own = read_assertions(sources_, variant, key.substr(0, 40) + ".");
    add_snapshot(base.view.at("snapshot"), record);
    compose(records_[parent], record);
    const View fields = variant.at("fields");
    if (fields && fields.node->is(source::NodeKind::mapping)) {
      compiled.fields = laid_over({{fields.json()}, {records_[parent].compiled.fields}}).text;
      check_field_values(sources_, scenario_.fields, {compiled.fields, fields, fields.place()});
    }
    add(std::move(record), key_or_name(variant));
  }

  /// Applies the overlay to the parent as the server does, and keeps the places of the assertions.
  static void compose(const TestRecord& parent, TestRecord& record) {
    const auto above = records_of(parent.assertions);
    const auto own = records_of(record.own);
    const auto composed =
        tester::compose({parent.compiled.instruction, above}, {record.own_instruction, own});
    record.compiled.instruction = composed.instruction;
    record.assertions.clear();
    for (const Assertion& each : composed.assertions) {
      const auto find = [&](const SuiteAssertions& in) {
        return std::find_if(in.begin(), in.end(),
                            [&](const SuiteAssertion& candidate) { return candidate.record.id == each.id; });
      };
      const auto in_own = find(record.own);
      const auto in_parent = find(parent.assertions);
      SuiteAssertion placed = in_own != record.own.end()             ? *in_own
                              : in_parent != parent.assertions.end() ? *in_parent
                                                                     : SuiteAssertion{};
      placed.record = each;
      placed.level = static_cast<Level>(each.severity);
      record.assertions.push_back(std::move(placed));
    }
  }

  /// `matrix.fields`: makes each combination of values a variant, which is played instead of the test.
  void add_field_variants(const Base& base, std::size_t parent) {
    const auto combinations = field_combinations(context_.matrix);
    if (!combinations) {
      sources_.error("too-many-cases", "\"fields\" makes more than 1000 combinations",
                     context_.matrix.key_place("fields"));
    }
    if (!combinations || combinations->empty()) return;
    records_[parent].is_played = false;
    for (const FieldCombination& each : *combinations) add_combination(base, parent, each);
  }

  /// `matrix.include`: makes the values of an entry a variant if no other record of the test has them.
  void add_included_variants(const Base& base, std::size_t parent) {
    for (const View& entry : context_.matrix.at("include").items()) {
      if (!entry.node->is(source::NodeKind::mapping)) continue;
      const View fields = entry.at("fields");
      if (!fields || !fields.node->is(source::NodeKind::mapping)) continue;
      if (const View test = entry.at("test"); test && test.text() != base.key) continue;
      const auto first = records_.begin() + static_cast<std::ptrdiff_t>(parent);
      const bool is_known = std::any_of(first, records_.end(), [&](const TestRecord& each) {
        return each.is_played && has_fields(each.compiled, fields);
      });
      if (is_known) continue;
      add_combination(base, parent, included_combination(fields));
      records_.back().is_only_included = true;
    }
  }

  void add_combination(const Base& base, std::size_t parent, const FieldCombination& combination) {
    TestRecord record = records_[parent];
    record.parent = parent;
    record.is_played = true;
    record.own.clear();
    record.own_instruction.clear();
    record.compiled.variant = combination.name;
    record.compiled.name = base.name + " · " + combination.name;
    record.compiled.record_key = base.key + "--" + slug_of(combination.name);
    add_snapshot(base.view.at("snapshot"), record);
    if (record.compiled.snapshot) compose(records_[parent], record);
    record.compiled.fields = laid_over({{combination.values}, {records_[parent].compiled.fields}}).text;
    check_field_values(sources_, scenario_.fields,
                       {record.compiled.fields, combination.given, combination.place});
    add(std::move(record), combination.place);
  }

  void add(TestRecord record, const source::Place& place) {
    CompiledTest& compiled = record.compiled;
    compiled.assertions.clear();
    for (const SuiteAssertion& each : record.assertions) {
      compiled.assertions.push_back({each.record.id, each.record.name.value_or(""), each.record.type,
                                     each.level, file_place(each.place)});
    }
    if (record.assertions.size() > limits::assertions_max) {
      sources_.error("too-many",
                     "a test has at most " + std::to_string(limits::assertions_max) + " assertions", place);
    }
    // With a matrix of fields, the values of the test itself are incomplete.
    if (record.parent != SIZE_MAX || !context_.matrix.at("fields"))
      check_filled_in(sources_, record.assertions, compiled);
    records_.push_back(std::move(record));
  }

  SuiteSources& sources_;
  ScenarioPart& scenario_;  ///< gets the columns of data as fields
  const TestContext& context_;
  SuiteAssertions defaults_;
  std::vector<TestRecord> records_;
};

}  // namespace

std::vector<TestRecord> read_tests(SuiteSources& sources, ScenarioPart& scenario,
                                   const TestContext& context) {
  return TestReader(sources, scenario, context).read();
}

}  // namespace parley::client
