#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "convert/exporting/exporters.hpp"
#include "convert/records/conversion.hpp"
#include "convert/records/escapes.hpp"
#include "convert/records/suite_text.hpp"
#include "model/text/ascii.hpp"
#include "tester/script.hpp"

// Writes a suite file whose POST /apply changes nothing: each record has the form from which the suite reader recreates
// it.

namespace parley::convert {
namespace {

constexpr std::string_view turns_prefix = "max turns: ";
constexpr std::string_view defaults_prefix = "default.";
constexpr std::size_t prefix_of_ids_max = 40;

std::string id_in(const Node& record, std::string_view link) {
  const Node* found = record.find(link);
  if (found == nullptr) return "";
  return found->is_map() ? found->text_of("id") : found->text;
}

std::vector<std::string> texts_in(const Node& record, std::string_view member) {
  std::vector<std::string> texts;
  for (const Node& each : record.list_of(member))
    texts.push_back(each.is_map() ? each.text_of("name") : each.text);
  return texts;
}

bool is_filled(const Node* node) {
  return node != nullptr && (!node->is_map() || !node->items.empty()) &&
         (!node->is_list() || !node->items.empty());
}

/// A name as a YAML key. Keys have no variables, so `$` is not doubled.
std::string key_of(std::string_view name) {
  return quoted_text(name) + ":";
}

std::int64_t usual_weight(Severity severity) {
  Assertion bare;
  bare.severity = severity;
  bare.weight = 0;  // otherwise GCC warns about an optional that never had a value
  bare.weight.reset();
  return weight_of(bare);
}

Check check_of(const Node& assertion, const std::string& prefix,
               std::map<std::string, std::size_t>& numbers) {
  constexpr std::array<std::string_view, 3> words{"must", "should", "could"};
  Check check;
  check.type = assertion.text_of("type");
  check.criteria = assertion.text_of("criteria");
  check.name = assertion.text_of("name");
  check.severity = from_word<Severity>(assertion.text_of("severity")).value_or(Severity::blocker);
  if (const Node* config = assertion.find("config")) check.config = to_json(*config);
  const Node* weight = assertion.find("weight");
  if (weight != nullptr && weight->number() != static_cast<double>(usual_weight(check.severity)))
    check.weight = static_cast<std::int64_t>(weight->number().value_or(0));
  const std::string word(words.at(static_cast<std::size_t>(check.severity)));
  const std::string made = prefix + word + "-" + std::to_string(++numbers[word]);
  if (const std::string id = assertion.text_of("id"); id != made) check.id = id;
  return check;
}

class SuiteExport final : public Exporter {
 public:
  explicit SuiteExport(ExportReport& report) : report_(report) {}

  void add(const Node& record) override { tests_.push_back(record); }
  void add_context(std::string_view list, const Node& record) override {
    context_[std::string(list)].push_back(record);
  }

  std::string finish() override {
    const std::string project = tests_.empty() ? "" : tests_.front().text_of("project");
    out_.line(0, "# Made by parley export tests");
    out_.line(0, "version: 1");
    out_.line(0, "project: " + (project.empty() ? std::string("exported") : project));
    write_agents();
    write_personas();
    find_defaults();
    if (!defaults_.empty()) {
      out_.line(0, "defaults:");
      write_checks(out_, 2, checks_of(*first_, {0, defaults_.size()}, std::string(defaults_prefix)));
    }
    out_.line(0, "scenarios:");
    for (const Node& each : context_["scenarios"]) write_scenario(each);
    return std::move(out_).text();
  }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  /// The key in suite files for a member of a config; null if there is no such key.
  static const char* file_key(const std::string& type, const std::string& member) {
    static const std::map<std::string, std::map<std::string, const char*>> keys{
        {"HTTP",
         {{"url", "http"},
          {"headers", "headers"},
          {"timeoutMs", "timeout"},
          {"retries", "retries"},
          {"method", "method"},
          {"request", "request"},
          {"reply", "reply"},
          {"query", "query"},
          {"stream", "stream"},
          {"oauth", "oauth"}}},
        {"OPENAI",
         {{"url", "openai"},
          {"model", "model"},
          {"system", "system"},
          {"parameters", "parameters"},
          {"tools", "tools"},
          {"timeoutMs", "timeout"},
          {"retries", "retries"}}},
        {"GITHUB", {{"workflow", "workflow"}, {"ref", "ref"}, {"apiUrl", "api-url"}}}};
    const auto of_type = keys.find(type);
    if (of_type == keys.end()) return nullptr;
    const auto found = of_type->second.find(member);
    return found == of_type->second.end() ? nullptr : found->second;
  }

  void write_agents() {
    out_.line(0, "agents:");
    if (context_["agents"].empty()) out_.line(2, "demo: {demo: true}");
    for (const Node& each : context_["agents"]) {
      if (names_.insert(slug_of(each.text_of("name"), "agent")).second)
        write_agent(each);
      else
        report_.lose(each.text_of("name"), "agent", "another agent has this name");
    }
  }

  void write_agent(const Node& agent) {
    const std::string type = agent.text_of("type");
    const std::string name = agent.text_of("name");
    out_.line(2, key_of(name));
    if (type == "DEMO") out_.line(4, "demo: true");
    if (type == "EXTERNAL") out_.line(4, "external: true");
    if (type == "LOCAL") {
      out_.line(4, "exec: [\"false\"]  # write the command here");
      report_.lose(name, "exec", "the server does not know the command of a LOCAL agent");
    }
    const Node* config = agent.find("config");
    if (config != nullptr && type == "GITHUB")
      out_.line(4, "github: " + value_of(config->text_of("owner") + "/" + config->text_of("repo")));
    for (const Node& each : config == nullptr ? std::vector<Node>{} : config->items) {
      if (type == "GITHUB" && (each.key == "owner" || each.key == "repo")) continue;
      const char* key = file_key(type, each.key);
      if (key == nullptr || each.is_null()) {
        if (!each.is_null()) report_.lose(name, "config." + each.key, "suite files have no such key");
        continue;
      }
      out_.line(
          4, std::string(key) + ": " + (each.key == "timeoutMs" ? each.text + "ms" : flow_of(to_json(each))));
    }
    if (const Node* metadata = agent.find("metadata")) {
      if (is_filled(metadata->find("knowledge")))
        out_.line(4, "knowledge: " + list_of(texts_in(*metadata, "knowledge")));
    }
    if (is_filled(agent.find("secrets")))
      report_.lose(name, "secrets", "the server does not show them; applying the file keeps them");
  }

  void write_personas() {
    if (context_["personalities"].empty()) return;
    out_.line(0, "personas:");
    for (const Node& each : context_["personalities"]) {
      out_.line(2, key_of(each.text_of("name")));
      write_block(out_, 4, "description", each.text_of("description"));
      if (const std::string text = each.text_of("instruction"); !text.empty())
        write_block(out_, 4, "instruction", text);
    }
  }

  /// Finds the assertions that all tests begin with and whose ids mark them as defaults.
  void find_defaults() {
    for (const Node& each : tests_) {
      if (!id_in(each, "parentTest").empty()) continue;
      std::vector<std::string> own;
      for (const Node& assertion : each.list_of("assertions")) {
        if (!assertion.text_of("id").starts_with(defaults_prefix)) break;
        own.push_back(to_json(assertion));
      }
      if (first_ != nullptr && own != defaults_) own.clear();
      defaults_ = std::move(own);
      if (first_ == nullptr) first_ = &each;
      if (defaults_.empty()) return;
    }
  }

  std::vector<Check> checks_of(const Node& test, Range range, const std::string& prefix) {
    std::vector<Check> checks;
    std::map<std::string, std::size_t> numbers;
    const auto& all = test.list_of("assertions");
    for (std::size_t i = range.begin; i < std::min(range.end, all.size()); ++i)
      checks.push_back(check_of(all[i], prefix, numbers));
    const auto is_before = [](const Check& a, const Check& b) { return a.severity < b.severity; };
    if (!std::is_sorted(checks.begin(), checks.end(), is_before))
      report_.lose(record_name(test), "assertions",
                   "order not kept: a suite lists must before should and could");
    return checks;
  }

  void write_scenario(const Node& scenario) {
    const auto is_own = [&](const Node& test) {
      return id_in(test, "scenario") == scenario.text_of("id") && id_in(test, "parentTest").empty();
    };
    if (!std::any_of(tests_.begin(), tests_.end(), is_own)) return;
    out_.line(2, key_of(scenario.text_of("name")));
    if (const std::string text = scenario.text_of("description"); !text.empty())
      write_block(out_, 4, "description", text);
    if (const auto agents = texts_in(scenario, "agents"); !agents.empty())
      out_.line(4, "agents: " + list_of(agents));
    for (const Node& each : context_["configurations"])
      if (each.text_of("id") == id_in(scenario, "configuration")) write_fields(each);
    out_.line(4, "tests:");
    for (const Node& each : tests_)
      if (is_own(each)) write_test(each);
  }

  void write_fields(const Node& configuration) {
    if (configuration.list_of("testFields").empty()) return;
    out_.line(4, "fields:");
    for (const Node& field : configuration.list_of("testFields")) {
      std::string text = "{type: " + field.text_of("type");
      if (!field.text_of("label").empty()) text += ", label: " + value_of(field.text_of("label"));
      if (const auto options = texts_in(field, "options"); !options.empty())
        text += ", options: " + list_of(options);
      if (const Node* required = field.find("required"); required != nullptr && required->flag)
        text += ", required: true";
      if (const Node* usual = field.find("default")) text += ", default: " + flow_of(to_json(*usual));
      out_.line(6, key_of(field.text_of("key")) + " " + text + "}");
    }
  }

  /// Writes `max-turns`, and `script` or `goal`.
  void write_instruction(int indent, std::string text, const Node& test) {
    if (text.starts_with(turns_prefix)) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string turns = text.substr(turns_prefix.size(), end - turns_prefix.size());
      if (ascii::is_digits(turns) && turns.size() < 6) {
        out_.line(indent, "max-turns: " + turns);
        text.erase(0, std::min(end + 1, text.size()));
      }
    }
    const bool is_variant = !id_in(test, "parentTest").empty();
    if (text.empty() && is_variant) return;
    if (text.empty()) {
      text = "# nothing is said";
      report_.lose(record_name(test), "instruction", "it is empty");
      return out_.line(indent, "script: " + value_of(text));
    }
    write_block(out_, indent, tester::is_script(text) ? "script" : "goal", text);
  }

  /// The key of the test, unique in the file. A test without a key gets one derived from its name.
  std::string key_of_test(const Node& test) {
    std::string key = test.text_of("key");
    if (!key.empty()) return key;
    const std::string name = slug_of(test.text_of("name"), "test");
    key = name;
    for (int number = 2; !keys_.insert(key).second; ++number) key = name + "-" + std::to_string(number);
    return key;
  }

  void write_common(int indent, const Node& test, const std::vector<std::string>& tags) {
    if (!tags.empty()) out_.line(indent, "tags: " + list_of(tags));
    if (is_filled(test.find("fields")))
      out_.line(indent, "fields: " + flow_of(to_json(*test.find("fields"))));
  }

  void write_test(const Node& test) {
    const std::string key = key_of_test(test);
    out_.line(6, "- name: " + value_of(test.text_of("name")));
    out_.line(8, "key: " + key);
    if (const std::string text = test.text_of("description"); !text.empty())
      write_block(out_, 8, "description", text);
    const Node* enabled = test.find("isEnabled");
    if (enabled != nullptr && !enabled->flag) out_.line(8, "enabled: false");
    write_common(8, test, texts_in(test, "tags"));
    if (is_filled(test.find("metadata")))
      out_.line(8, "metadata: " + flow_of(to_json(*test.find("metadata"))));
    if (!test.list_of("history").empty()) out_.line(8, "history:");
    for (const Node& each : test.list_of("history"))
      out_.line(10,
                "- {role: " + each.text_of("role") + ", content: " + value_of(each.text_of("content")) + "}");
    write_instruction(8, test.text_of("instruction"), test);
    const auto checks = checks_of(test, {defaults_.size(), SIZE_MAX}, "");
    const bool has_must = std::any_of(checks.begin(), checks.end(),
                                      [](const Check& each) { return each.severity == Severity::blocker; });
    if (!has_must) out_.line(8, "must: []");
    write_checks(out_, 8, checks);
    bool is_first = true;
    for (const Node& each : tests_) {
      if (id_in(each, "parentTest") != test.text_of("id")) continue;
      if (is_first) out_.line(8, "variants:");
      is_first = false;
      write_variant(each, test, key);
    }
  }

  void write_variant(const Node& variant, const Node& test, const std::string& key_of_parent) {
    const std::string before = test.text_of("name") + " · ";
    std::string name = variant.text_of("name");
    if (name.starts_with(before)) name.erase(0, before.size());
    std::string key = variant.text_of("key");
    if (key.starts_with(key_of_parent + "--")) key.erase(0, key_of_parent.size() + 2);
    if (key.empty()) key = slug_of(name, "variant");
    out_.line(10, "- name: " + value_of(name));
    out_.line(12, "key: " + key);
    const Node* enabled = variant.find("isEnabled");
    if (enabled != nullptr && !enabled->flag && test.find("isEnabled")->flag) out_.line(12, "enabled: false");
    std::vector<std::string> tags = texts_in(variant, "tags");
    const std::vector<std::string> of_test = texts_in(test, "tags");
    if (tags.size() >= of_test.size() && std::equal(of_test.begin(), of_test.end(), tags.begin()))
      tags.erase(tags.begin(), tags.begin() + static_cast<std::ptrdiff_t>(of_test.size()));
    write_common(12, variant, tags);
    write_instruction(12, variant.text_of("instruction"), variant);
    write_checks(out_, 12, checks_of(variant, {0, SIZE_MAX}, key.substr(0, prefix_of_ids_max) + "."));
    for (const char* each : {"description", "metadata", "history"}) {
      const Node* found = variant.find(each);
      if (is_filled(found) && !(found->is_text() && found->text.empty()))
        report_.lose(record_name(variant), each, "variants of suite files have none");
    }
  }

  ExportReport& report_;
  std::vector<Node> tests_;
  std::map<std::string, std::vector<Node>> context_;
  std::vector<std::string> defaults_;  ///< assertions as JSON
  const Node* first_ = nullptr;        ///< a test that has the defaults
  std::set<std::string> keys_;         ///< generated keys of tests without a key
  std::set<std::string> names_;        ///< slugs of agents
  Lines out_;
};

}  // namespace

std::unique_ptr<Exporter> make_suite(const ExportOptions& /*options*/, ExportReport& report) {
  return std::make_unique<SuiteExport>(report);
}

}  // namespace parley::convert
