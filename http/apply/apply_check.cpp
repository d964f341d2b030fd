#include "http/apply/apply_check.hpp"

#include <algorithm>
#include <set>

#include "http/bodies/agent_secrets.hpp"
#include "model/records/custom_fields.hpp"
#include "model/records/named_records.hpp"
#include "model/records/scenario.hpp"
#include "model/records/scenario_configuration.hpp"
#include "model/text/ascii.hpp"
#include "outbound/agents/agent_config.hpp"
#include "scoring/kinds.hpp"
#include "tester/script.hpp"

namespace parley::http {
namespace {

bool is_slug(std::string_view text) {
  return !text.empty() && text.size() <= slug_chars_max &&
         (ascii::is_lower(text.front()) || ascii::is_digit(text.front())) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

/// Prefixes the pointers of a check that sees only one record with that record's pointer.
void take(Findings& findings, const std::string& pointer, Findings&& of_record) {
  for (Fault& fault : of_record.faults) findings.add(pointer + fault.pointer, std::move(fault.detail));
}

class ApplyCheck {
 public:
  ApplyCheck(const json::Value& body, Findings& findings) : body_(body), findings_(findings) {}

  void check() {
    each(body_, "", "agents", agents_,
         [&](const json::Value& value, const std::string& at) { check_agent(value, at); });
    each(body_, "", "personalities", personalities_, [&](const json::Value& value, const std::string& at) {
      Personality personality;
      read_fields(value, at, personality, findings_);
    });
    each(body_, "", "scenarios", scenarios_,
         [&](const json::Value& value, const std::string& at) { check_scenario(value, at); });
    if (count_ > applied_records_max) {
      findings_.add("/scenarios", "has more than " + std::to_string(applied_records_max) +
                                      " records of all kinds together");
    }
  }

 private:
  using Keys = std::set<std::string, std::less<>>;

  template <class Check>
  void each(const json::Value& owner, const std::string& pointer, std::string_view key, Keys& keys,
            Check check) {
    std::size_t index = 0;
    for (const json::Value& value : list_at(owner, key)) {
      const std::string at = pointer + "/" + std::string(key) + "/" + std::to_string(index++);
      if (!value.is(json::Kind::object)) {
        findings_.add(at, "must be an object");
        continue;
      }
      ++count_;
      const std::string name = text_member(value, "key");
      if (!is_slug(name)) {
        findings_.add(at + "/key", "must be lower-case letters, digits, \"-\", \"_\" and \".\", at most " +
                                       std::to_string(slug_chars_max));
      } else if (!keys.insert(name).second) {
        findings_.add(at + "/key", "is used twice");
      }
      check(value, at);
    }
  }

  void check_agent(const json::Value& value, const std::string& at) {
    Agent agent;
    read_fields(value, at, agent, findings_);
    if (!is_agent_type(agent.type)) findings_.add(at + "/type", "is not a type of agent");
    Findings of_agent;
    outbound::check_agent_config(agent, of_agent);
    take(findings_, at, std::move(of_agent));
    check_secrets(value, agent.type, at, findings_);
  }

  void check_scenario(const json::Value& value, const std::string& at) {
    ScenarioConfiguration fields;
    if (value.find("testFields")) {
      Parser parser(value, ParseMode::patch, at, findings_);
      ScenarioConfiguration::describe(fields, parser);
      check_field_defs(fields.test_fields, at + "/testFields", findings_);
    }
    std::size_t index = 0;
    for (const json::Value& agent : list_at(value, "agents")) {
      const bool is_known = agent.is(json::Kind::string) && agents_.contains(agent.string());
      if (!is_known)
        findings_.add(at + "/agents/" + std::to_string(index), "is not the key of an agent of this body");
      ++index;
    }
    each(value, at, "tests", tests_, [&](const json::Value& test, const std::string& pointer) {
      check_test(test, pointer, fields);
      each(test, pointer, "variants", tests_,
           [&](const json::Value& variant, const std::string& place) { check_test(variant, place, fields); });
    });
  }

  void check_test(const json::Value& value, const std::string& at,
                  const ScenarioConfiguration& configuration) {
    Test test;
    read_fields(value, at, test, findings_);
    tester::check_script(test.instruction, at + "/instruction", findings_);
    scoring::check_assertions(test.assertions, at + "/assertions", findings_);
    if (!configuration.test_fields.empty())
      check_fields({test.fields, {}}, configuration.test_fields, at + "/fields", findings_);
  }

  json::Value body_;
  Findings& findings_;
  Keys agents_;
  Keys personalities_;
  Keys scenarios_;
  Keys tests_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<json::Value> list_at(const json::Value& object, std::string_view key) {
  const auto list = object.find(key);
  return list && list->is(json::Kind::array) ? list->children() : std::vector<json::Value>{};
}

std::string text_member(const json::Value& object, std::string_view key) {
  const auto text = object.find(key);
  return text && text->is(json::Kind::string) ? std::string(text->string()) : std::string();
}

void check_apply(const json::Value& body, Findings& findings) {
  ApplyCheck(body, findings).check();
}

}  // namespace parley::http
