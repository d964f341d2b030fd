#define XXH_INLINE_ALL
#include <xxhash.h>

#include "client/suite/suite_parts.hpp"

namespace parley::client {
namespace {

/// Writes the body of POST /apply, and records where each part is written.
class ApplyWriter {
 public:
  ApplyWriter(const View& root, const std::vector<ScenarioPart>& scenarios,
              const std::vector<TestRecord>& records, CompiledSuite& suite)
      : root_(root), scenarios_(scenarios), records_(records), suite_(suite) {}

  std::string write() && {
    out_.begin_object().member("project", suite_.project);
    if (const View renamed = root_.at("renamed")) out_.key("renamed").raw(renamed.json());
    write_agents();
    write_personas();
    out_.key("scenarios").begin_array();
    for (std::size_t i = 0; i < scenarios_.size(); ++i)
      write_scenario(scenarios_[i], "/scenarios/" + std::to_string(i));
    out_.end_array().end_object();
    return std::move(out_).text();
  }

 private:
  void write_agents() {
    out_.key("agents").begin_array();
    for (std::size_t i = 0; i < suite_.agents.size(); ++i) {
      const CompiledAgent& agent = suite_.agents[i];
      suite_.pointers["/agents/" + std::to_string(i)] = agent.place;
      out_.begin_object().member("key", agent.key).member("name", agent.name).member("type", agent.type);
      out_.key("config").raw(agent.config).key("metadata").raw(agent.metadata);
      if (agent.secrets != "{}") out_.key("secrets").raw(agent.secrets);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_personas() {
    out_.key("personalities").begin_array();
    for (std::size_t i = 0; i < suite_.personas.size(); ++i) {
      const CompiledPersona& persona = suite_.personas[i];
      suite_.pointers["/personalities/" + std::to_string(i)] = persona.place;
      out_.begin_object().member("key", persona.key).member("name", persona.name);
      out_.member("description", persona.description).member("instruction", persona.instruction).end_object();
    }
    out_.end_array();
  }

  void write_scenario(const ScenarioPart& scenario, const std::string& pointer) {
    suite_.pointers[pointer] = scenario.compiled.place;
    out_.begin_object().member("key", scenario.compiled.key).member("name", scenario.compiled.name);
    out_.member("description", scenario.description);
    if (!scenario.compiled.agents.empty()) {
      out_.key("agents").begin_array();
      for (const std::string& agent : scenario.compiled.agents) out_.string(agent);
      out_.end_array();
    }
    if (!scenario.fields.empty()) write_fields(scenario.fields);
    out_.key("tests").begin_array();
    std::size_t number = 0;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      if (records_[i].parent != SIZE_MAX || records_[i].compiled.scenario != scenario.compiled.key) continue;
      write_test(i, pointer + "/tests/" + std::to_string(number++));
    }
    out_.end_array().end_object();
  }

  void write_fields(const std::vector<FieldDef>& fields) {
    out_.key("testFields").begin_array();
    for (const FieldDef& field : fields) {
      out_.begin_object()
          .member("key", field.key)
          .member("label", field.label)
          .member("type", word_of(field.type));
      if (field.options) {
        out_.key("options").begin_array();
        for (const std::string& option : *field.options) out_.string(option);
        out_.end_array();
      }
      out_.key("required").boolean(field.is_required);
      if (field.default_value) out_.key("default").raw(field.default_value->text);
      out_.end_object();
    }
    out_.end_array();
  }

  void write_test(std::size_t index, const std::string& pointer) {
    out_.begin_object();
    write_members(records_[index], pointer);
    if (!records_[index].compiled.from_log.empty()) out_.member("fromLog", records_[index].compiled.from_log);
    std::size_t number = 0;
    // The variants of a test come directly after it.
    for (std::size_t i = index + 1; i < records_.size() && records_[i].parent == index; ++i) {
      if (number == 0) out_.key("variants").begin_array();
      out_.begin_object();
      write_members(records_[i], pointer + "/variants/" + std::to_string(number++));
      out_.end_object();
    }
    if (number > 0) out_.end_array();
    out_.end_object();
  }

  void write_members(const TestRecord& record, const std::string& pointer) {
    const CompiledTest& test = record.compiled;
    suite_.pointers[pointer] = test.place;
    out_.member("key", test.record_key).member("name", test.name).member("description", record.description);
    out_.key("isEnabled").boolean(test.is_enabled).member("instruction", record.own_instruction);
    out_.key("fields").raw(test.fields);
    if (record.metadata != "{}") out_.key("metadata").raw(record.metadata);
    if (!record.history.empty()) out_.key("history").raw(record.history);
    // An empty list is written too, because an absent list would leave the stored tags unchanged.
    out_.key("tags").begin_array();
    for (const std::string& tag : test.tags) out_.string(tag);
    out_.end_array();
    out_.key("assertions").begin_array();
    for (std::size_t i = 0; i < record.own.size(); ++i) {
      suite_.pointers[pointer + "/assertions/" + std::to_string(i)] = file_place(record.own[i].place);
      write_assertion(out_, record.own[i].record);
    }
    out_.end_array();
  }

  View root_;
  const std::vector<ScenarioPart>& scenarios_;
  const std::vector<TestRecord>& records_;
  CompiledSuite& suite_;
  json::Writer out_;
};

}  // namespace

std::string digest_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  std::string hex(16, '0');
  for (std::size_t i = 16; i > 0; --i, hash >>= 4U) hex[i - 1] = digits[hash & 0xFU];
  return hex;
}

void write_assertion(json::Writer& out, const Assertion& assertion) {
  out.begin_object().member("id", assertion.id);
  if (assertion.name) out.member("name", *assertion.name);
  out.member("type", assertion.type);
  if (assertion.criteria) out.member("criteria", *assertion.criteria);
  out.member("severity", word_of(assertion.severity));
  if (assertion.weight) out.key("weight").integer(*assertion.weight);
  if (assertion.config) out.key("config").raw(assertion.config->text);
  out.end_object();
}

void write_apply_document(const View& root, const std::vector<ScenarioPart>& scenarios,
                          const std::vector<TestRecord>& records, CompiledSuite& suite) {
  suite.apply_document = ApplyWriter(root, scenarios, records, suite).write();
}

}  // namespace parley::client
