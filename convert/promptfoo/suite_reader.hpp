#pragma once
/// The tests of one configuration: merged with the defaults, expanded, grouped into conversations, added. One thread.

#include <deque>
#include <set>

#include "convert/promptfoo/assertions.hpp"
#include "convert/promptfoo/data_files.hpp"
#include "convert/promptfoo/prompts.hpp"

namespace parley::convert {

class SuiteReader {
 public:
  /// A node and the file that it is in.
  struct Sourced {
    const Source* source;
    Node node;
  };
  /// One configuration of a scenario, to which each test of the scenario is added.
  struct Scenario {
    Sourced config;
    std::size_t number = 0;  ///< from 1, over all scenarios of the file
  };

  SuiteReader(Conversion& conversion, const Source& source, Prompts prompts)
      : conversion_(conversion), source_(source), prompts_(std::move(prompts)) {}

  void set_defaults(const Node& defaults, const Source& source) {
    defaults_ = {&source, with_named_variables(conversion_, source_, source, defaults)};
  }
  /// Sets the prompts that the only provider allows.
  void set_allowed_prompts(const Node& names) { allowed_prompts_ = names; }
  /// Sets the provider of the configuration that is the simulated user.
  void set_simulated(const Node& provider) { simulated_ = provider; }
  /// Adds the tools that the configuration of a provider defines.
  void add_tools(const Node& config) { add_tool_definitions(conversion_, source_, config, tools_); }
  /// Adds one test as listed in a file, and expands its variables. `source` is the file, and must outlive the reader.
  void add(const Node& listed, const Source& source, const Scenario* scenario = nullptr);
  /// Keeps a file that was read in addition to the configuration.
  const Source& keep(Source&& source) { return kept_.emplace_back(std::move(source)); }
  /// Adds everything that was collected to the conversion.
  void finish();

 private:
  /// One row to play: a test with one value for each variable.
  struct Case {
    const Source* source = nullptr;
    Node test;                        ///< merged with defaults and scenario
    std::vector<Sourced> assertions;  ///< defaults first
    Variables variables;
    std::vector<std::string> order;  ///< variable names in the order in which name_of() lists them
    std::string conversation;        ///< conversationId; empty: none
    std::size_t scenario = 0;        ///< number of the configuration of a scenario; 0: none
    std::string description;
  };

  /// Adds assertions: one, a list, a file of assertions (`file://checks.yaml`), or a list that includes such files.
  void take_assertions(Case& base, const Source& from, const Node& given);
  /// The assertions in the file; null if the file is code or missing.
  const Sourced* assertion_file(const Source& from, const Node& reference);
  [[nodiscard]] At at_of(const Case& each) const { return {*each.source, each.test.place}; }
  /// The place of a setting: in the test, or in the defaults that it comes from. `holder`: `options`, `metadata` or
  /// empty.
  [[nodiscard]] At at_setting(const Case& each, const Node& setting, std::string_view holder) const;
  void expand(Case& base, Variables::iterator at);
  void add_alone(const Case& each);
  void add_conversation(const std::vector<const Case*>& cases);
  void add_simulated(const Case& each, const Node& provider);
  void add_recorded(const Case& each, const Node& recorded);
  /// The prompt of the case; null: all prompts are code, or none is listed.
  [[nodiscard]] const Prompt* prompt_of(const Case& each) const;
  /// The recorded conversation in the variables of the case; null: none.
  [[nodiscard]] static const Node* recorded_of(const Case& each);
  /// The cases of each conversation, by the first of them; the others map to an empty list.
  [[nodiscard]] std::map<const Case*, std::vector<const Case*>> conversations() const;
  void fill_variables(Case& base, const Node& test, const Scenario* scenario);
  void add_about(TestDraft& draft, const Case& each);
  void add_conversation_about(TestDraft& draft, const std::vector<const Case*>& cases);
  void add_turn_about(TestDraft& draft, const Case& each);
  void add_other_keys(TestDraft& draft, const Case& each);
  void add_settings(TestDraft& draft, const Case& each);
  void add_threshold(TestDraft& draft, const Case& each);
  void add_assertions(TestDraft& draft, const Case& each, AssertionPlace place);
  bool add_turn(TestDraft& draft, const Case& each);
  [[nodiscard]] const Node* simulated_provider(const Case& each) const;
  [[nodiscard]] std::string name_of(const Case& each) const;
  [[nodiscard]] std::optional<std::string> text_variable(const Case& each) const;
  /// The name of another test's answer that the turn uses; empty: none.
  [[nodiscard]] std::string used_answer(const Case& each) const;

  Conversion& conversion_;
  const Source& source_;
  Prompts prompts_;
  Node allowed_prompts_;
  std::deque<Source> kept_;
  std::map<std::string, Sourced> assertion_files_;  ///< files already read, by name
  Sourced defaults_{nullptr, {}};
  Node simulated_;
  std::vector<Case> cases_;
  std::set<std::string> answers_;  ///< names under which tests store answers
  std::vector<ToolDefinition> tools_;
};

}  // namespace parley::convert
