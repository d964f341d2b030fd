#include "convert/promptfoo/suite_reader.hpp"

#include <algorithm>
#include <array>

#include "convert/promptfoo/merged_maps.hpp"
#include "convert/promptfoo/providers.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Maximum number of cases that the tests may expand to.
constexpr std::size_t cases_max = 20'000;
constexpr std::string_view simulated_user = "promptfoo:simulated-user";
constexpr std::array<std::string_view, 7> usual_names{"message", "question", "query", "input",
                                                      "request", "prompt",   "text"};

/// Merges defaults, scenario and test. The maps `vars`, `options` and `metadata` are merged one level deep.
Node merged_test(const Node* under, const Node& over) {
  Node out = merged(under, &over);
  for (const std::string_view key : {"vars", "options", "metadata"}) {
    const Node* below = under == nullptr ? nullptr : under->find(key);
    const Node* above = over.find(key);
    if (below != nullptr && above != nullptr) set_member(out, std::string(key), merged(below, above));
  }
  out.place = over.place;
  return out;
}

/// Whether the value is expanded into cases. Lists of texts are; any other value is a single value.
bool is_expanded(const Node& value) {
  return value.is_list() && !value.items.empty() && value.key != "_conversation" &&
         value.items.front().is_text() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const Node& item) { return item.is_scalar(); });
}

/// Variable names: those of the test itself first, and those whose value is the text of a file last.
std::vector<std::string> order_of(const Node& test, const Node& merged_with_defaults) {
  std::vector<std::string> names;
  std::vector<std::string> files;
  for (const Node* holder : {&test, &merged_with_defaults}) {
    const Node* variables = holder->find("vars");
    if (variables == nullptr || !variables->is_map()) continue;
    for (const Node& each : variables->items) {
      std::vector<std::string>& list = each.is_text() && is_file_reference(each.text) ? files : names;
      if (std::find(list.begin(), list.end(), each.key) == list.end()) list.push_back(each.key);
    }
  }
  names.insert(names.end(), files.begin(), files.end());
  return names;
}

bool is_on(const Node& test, std::string_view option) {
  const Node* options = test.find("options");
  const Node* found = options == nullptr ? nullptr : options->find(option);
  return found != nullptr && found->flag;
}

}  // namespace

void SuiteReader::add(const Node& listed, const Source& source, const Scenario* scenario) {
  if (!listed.is_map()) {
    conversion_.faults.add(source, listed.place, "a test must be a mapping with \"vars\" or \"assert\"");
    return;
  }
  if (listed.has("$ref")) {
    conversion_.report.add(source, listed.place,
                           {.outcome = Outcome::not_mapped,
                            .source = "$ref",
                            .text = listed.text_of("$ref"),
                            .why = "the reference has no target in this file"});
    return;
  }
  const Node test = with_named_variables(conversion_, source_, source, listed);
  Case base;
  base.source = &source;
  const auto take = [&](const Source& from, const Node& holder) {
    if (const Node* given = holder.find("assert")) take_assertions(base, from, *given);
  };
  const Node under =
      scenario == nullptr ? defaults_.node : merged_test(&defaults_.node, scenario->config.node);
  base.test = merged_test(under.is_map() ? &under : nullptr, test);
  if (defaults_.source != nullptr && !is_on(base.test, "disableDefaultAsserts"))
    take(*defaults_.source, defaults_.node);
  if (scenario != nullptr) {
    take(*scenario->config.source, scenario->config.node);
    base.scenario = scenario->number;
  }
  take(source, test);
  if (const Node* options = base.test.find("options"); options != nullptr && options->has("storeOutputAs"))
    answers_.insert(options->text_of("storeOutputAs"));
  base.description = test.text_of("description");
  if (const Node* metadata = base.test.find("metadata"))
    base.conversation = metadata->text_of("conversationId");
  fill_variables(base, test, scenario);
  base.order = order_of(test, base.test);
  expand(base, is_on(base.test, "disableVarExpansion") ? base.variables.end() : base.variables.begin());
}

/// Takes the variables of the merged test, and reads the files that they name.
void SuiteReader::fill_variables(Case& base, const Node& test, const Scenario* scenario) {
  const Node* variables = base.test.find("vars");
  if (variables == nullptr || !variables->is_map()) return;
  const auto has = [](const Node& holder, const std::string& key) {
    const Node* given = holder.find("vars");
    return given != nullptr && given->has(key);
  };
  for (const Node& each : variables->items) {
    const Source* at = base.source;
    if (!has(test, each.key)) {
      const bool is_of_scenario = scenario != nullptr && has(scenario->config.node, each.key);
      at = is_of_scenario ? scenario->config.source : defaults_.source;
    }
    if (at == nullptr) at = base.source;
    Node& value = base.variables[each.key] = each;
    fill_file_variable(conversion_, source_, *at, value);
  }
  drop_line_ends(base.variables);
}

void SuiteReader::take_assertions(Case& base, const Source& from, const Node& given) {
  if (given.is_list()) {
    for (const Node& each : given.items) take_assertions(base, from, each);
    return;
  }
  const bool is_reference = given.is_text() && is_file_reference(given.text);
  // References inside a file are not followed, so that files cannot include each other endlessly.
  const bool is_in_file = std::any_of(assertion_files_.begin(), assertion_files_.end(),
                                      [&](const auto& known) { return known.second.source == &from; });
  if (const Sourced* file = is_reference && !is_in_file ? assertion_file(from, given) : nullptr)
    return take_assertions(base, *file->source, file->node);
  base.assertions.push_back({&from, given});
  fill_file_values(conversion_, source_, from, base.assertions.back().node);
}

const SuiteReader::Sourced* SuiteReader::assertion_file(const Source& from, const Node& reference) {
  const std::string name = file_name_of(reference.text);
  if (const auto known = assertion_files_.find(name); known != assertion_files_.end()) return &known->second;
  if (is_code_file(name)) return nullptr;
  auto read = read_data_file(conversion_, source_, {from, reference.place}, name);
  if (!read) return nullptr;
  const Source& file = keep(std::move(*read));
  auto tree = parse_either(file, conversion_.faults);
  if (!tree) return nullptr;
  return &assertion_files_.emplace(name, Sourced{&file, std::move(*tree)}).first->second;
}

At SuiteReader::at_setting(const Case& each, const Node& setting, std::string_view holder) const {
  const Node* from = holder.empty() ? &defaults_.node : defaults_.node.find(holder);
  const Node* inherited = from == nullptr ? nullptr : from->find(setting.key);
  const bool is_inherited =
      defaults_.source != nullptr && inherited != nullptr && inherited->place == setting.place;
  return {is_inherited ? *defaults_.source : *each.source, setting.place};
}

/// Adds one case for each item of a list of texts; several lists give all combinations.
void SuiteReader::expand(Case& base, Variables::iterator at) {
  const auto is_list = [](const auto& each) { return is_expanded(each.second); };
  at = std::find_if(at, base.variables.end(), is_list);
  if (at == base.variables.end()) {
    if (cases_.size() < cases_max) {
      cases_.push_back(base);
    } else if (cases_.size() == cases_max) {
      conversion_.faults.add(*base.source, base.test.place, "the variables expand to more than 20,000 tests");
    }
    return;
  }
  const Node values = at->second;
  for (const Node& value : values.items) {
    at->second = value;
    expand(base, std::next(at));
    if (!conversion_.faults.empty()) break;
  }
  at->second = values;
}

const Node* SuiteReader::simulated_provider(const Case& each) const {
  const Node* provider = each.test.find("provider");
  if (provider != nullptr) return provider_id(*provider) == simulated_user ? provider : nullptr;
  return simulated_.is_null() ? nullptr : &simulated_;
}

/// Without a conversationId, the cases of one configuration of a scenario form a conversation, as do all cases without a
/// scenario.
std::map<const SuiteReader::Case*, std::vector<const SuiteReader::Case*>> SuiteReader::conversations() const {
  std::map<std::pair<std::string, std::size_t>, const Case*> first;
  std::map<const Case*, std::vector<const Case*>> conversations;
  if (!prompts_.uses_conversation && (!prompts_.is_code || !prompts_.data.empty())) return conversations;
  for (const Case& each : cases_) {
    if (each.conversation.empty() && !prompts_.uses_conversation) continue;
    if (simulated_provider(each) != nullptr || recorded_of(each) != nullptr) continue;
    const std::size_t scenario = each.conversation.empty() ? each.scenario : 0;
    const auto [known, is_new] = first.try_emplace({each.conversation, scenario}, &each);
    conversations[known->second].push_back(&each);
    if (!is_new) conversations[&each];
  }
  return conversations;
}

const Node* SuiteReader::recorded_of(const Case& each) {
  const auto found = each.variables.find("_conversation");
  return found != each.variables.end() && found->second.is_list() ? &found->second : nullptr;
}

void SuiteReader::finish() {
  const auto groups = conversations();
  for (const Case& each : cases_) {
    const auto group = groups.find(&each);
    if (const Node* provider = simulated_provider(each)) {
      add_simulated(each, *provider);
    } else if (const Node* recorded = recorded_of(each)) {
      add_recorded(each, *recorded);
    } else if (group == groups.end()) {
      add_alone(each);
    } else if (!group->second.empty()) {
      add_conversation(group->second);
    }
    if (conversion_.faults.count() > Faults::shown_max) return;
  }
}

const Prompt* SuiteReader::prompt_of(const Case& each) const {
  const Node* allowed = each.test.find("prompts");
  if (allowed == nullptr && !allowed_prompts_.is_null()) allowed = &allowed_prompts_;
  return first_allowed(prompts_, allowed);
}

std::string SuiteReader::name_of(const Case& each) const {
  if (!each.description.empty()) return rendered(each.description, each.variables).value_or(each.description);
  std::string name;
  for (const std::string& key : each.order) {
    const auto found = each.variables.find(key);
    if (key == "_conversation" || found == each.variables.end() || found->second.is_map()) continue;
    const std::string value = as_text(found->second);
    const std::string text = rendered(value, each.variables).value_or(value);
    if (!text.empty()) name += (name.empty() ? "" : ", ") + text;
  }
  return cut(name, 80);
}

/// The variable that holds the user's text if no prompt is data.
std::optional<std::string> SuiteReader::text_variable(const Case& each) const {
  for (const std::string& wanted : conversion_.options.say) {
    if (each.variables.contains(wanted)) return wanted;
  }
  std::vector<std::string> texts;
  for (const auto& [key, value] : each.variables) {
    if (value.is_text()) texts.push_back(key);
  }
  if (texts.size() == 1) return texts.front();
  for (const std::string_view name : usual_names) {
    if (each.variables.contains(std::string(name))) return std::string(name);
  }
  return std::nullopt;
}

std::string SuiteReader::used_answer(const Case& each) const {
  const Prompt* prompt = prompt_of(each);
  for (const std::string& answer : answers_) {
    const auto uses = [&](const auto& variable) { return uses_variable(variable.second.text, answer); };
    const bool is_used = (prompt != nullptr && uses_variable(prompt->text, answer)) ||
                         std::any_of(each.variables.begin(), each.variables.end(), uses);
    if (is_used && !each.variables.contains(answer)) return answer;
  }
  return {};
}

/// Adds the user's turn of the case. False: it cannot be played, and the reason was reported.
bool SuiteReader::add_turn(TestDraft& draft, const Case& each) {
  const At at = at_of(each);
  const bool is_asked = !conversion_.options.say.empty() && text_variable(each).has_value();
  const Prompt* prompt = prompt_of(each);
  std::optional<std::string> text;
  std::string spelled = "prompt";
  std::string why = "no prompt is a text, and no variable is the user's text; name it with --say";
  if (prompt != nullptr && !is_asked) {
    text = rendered(prompt->text, each.variables);
    why = "the prompt has blocks or filters, which are code, or variables of the environment";
  } else if (const auto variable = text_variable(each)) {
    text = as_text(each.variables.at(*variable));
    spelled = *variable;
  }
  const auto is_unread_part = [&](const auto& variable) {
    const Node& value = variable.second;
    return value.is_text() && is_file_reference(value.text) && text->find(value.text) != std::string::npos;
  };
  if (text && std::any_of(each.variables.begin(), each.variables.end(), is_unread_part)) {
    text.reset();
    why = "the text is in a file that is missing or not text";
  }
  if (text) {
    if (const Node* options = each.test.find("options"); options != nullptr && prompt != nullptr) {
      text = options->text_of("prefix") + *text + options->text_of("suffix");
    }
    Item item{.source = spelled};
    if (const std::string answer = used_answer(each); !answer.empty()) {
      item.outcome = Outcome::approximated;
      item.why = answer + " is the answer of another test, and is left out";
      draft.cannot_play = true;
    } else if (ascii::trimmed(*text, " \t\n").empty()) {
      item.outcome = Outcome::not_mapped;
      item.why = "the text of the user is empty";
      draft.cannot_play = true;
    } else if (prompt != nullptr && !is_asked && prompt->has_other_parts) {
      item.outcome = Outcome::approximated;
      item.why = "pictures and files of the message are left out";
    }
    conversion_.say(draft, *text, at, std::move(item));
    return true;
  }
  conversion_.note(draft, at,
                   {.kind = ItemKind::turn,
                    .outcome = Outcome::not_mapped,
                    .source = spelled,
                    .text = prompt == nullptr ? "" : prompt->text,
                    .why = why});
  draft.cannot_play = true;
  return false;
}

void SuiteReader::add_assertions(TestDraft& draft, const Case& each, AssertionPlace place) {
  place.tools = tools_;
  for (const auto& [source, node] : each.assertions)
    add_assertion(conversion_, draft, *source, node, each.variables, place);
}

}  // namespace parley::convert
