#include "convert/agents/tau.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "convert/agents/tau_checks.hpp"
#include "convert/messages/chat_reader.hpp"
#include "convert/messages/rows.hpp"

namespace parley::convert {
namespace {

/// Sections of the instructions, in the order in which the simulated user reads them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> headings{
    {{"domain", "Domain"},
     {"reason_for_call", "Reason for the call"},
     {"known_info", "What you know"},
     {"unknown_info", "What you do not know"},
     {"task_instructions", "What to do"}}};

std::string instructions_of(const Node* instructions) {
  if (instructions == nullptr) return {};
  if (!instructions->is_map()) return as_text(*instructions);
  std::string text;
  for (const auto& [key, heading] : headings) {
    const std::string part = instructions->text_of(key);
    if (!part.empty()) text += (text.empty() ? "" : "\n\n") + std::string(heading) + ":\n" + part;
  }
  for (const Node& each : instructions->items) {
    const bool is_known = std::any_of(headings.begin(), headings.end(),
                                      [&](const auto& heading) { return heading.first == each.key; });
    if (!is_known && !each.is_null()) text += (text.empty() ? "" : "\n\n") + each.key + ":\n" + as_text(each);
  }
  return text;
}

class TaskReader {
 public:
  TaskReader(Conversion& conversion, const Source& source) : conversion_(conversion), source_(source) {}

  void add(const Node& task) {
    TestDraft draft = conversion_.begin_test(task.text_of("id"), at(task));
    if (const Node* about = task.find("description"))
      draft.test.description = about->is_map() ? about->text_of("purpose") : as_text(*about);
    const Node* scenario = task.find("user_scenario");
    const Node* instructions =
        scenario == nullptr ? task.find("instruction") : scenario->find("instructions");
    add_goal(draft, task, instructions);
    if (scenario != nullptr) add_persona(draft, scenario->find("persona"));
    add_initial_state(draft, task.find("initial_state"));
    if (const Node* tools = task.find("user_tools"); tools != nullptr && !tools->items.empty()) {
      conversion_.note(draft, at(*tools),
                       {.outcome = Outcome::not_mapped,
                        .source = "user_tools",
                        .text = as_text(*tools),
                        .why = "the tester has no such tools"});
    }
    if (const Node* criteria = task.find("evaluation_criteria")) add_criteria(draft, *criteria);
    add_others(draft, task);
    conversion_.finish(std::move(draft), at(task));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  /// Reports comments, and members that nothing reads.
  void add_others(TestDraft& draft, const Node& task) {
    constexpr std::array<std::string_view, 7> keys{
        "id",         "description",        "user_scenario", "instruction", "initial_state",
        "user_tools", "evaluation_criteria"};
    if (const Node* about = task.find("description"); about != nullptr && about->is_map()) {
      for (const Node& each : about->items) {
        if (each.is_null() || each.key == "purpose") continue;
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::ignored, .source = each.key, .text = as_text(each)});
      }
    }
    for (const Node& each : task.items) {
      if (each.is_null() || is_one_of(each.key, keys)) continue;
      const bool is_ticket = each.key == "ticket";
      conversion_.note(draft, at(each),
                       {.kind = is_ticket ? ItemKind::agent : ItemKind::other,
                        .outcome = Outcome::not_mapped,
                        .source = each.key,
                        .text = as_text(each),
                        .why = is_ticket ? "only an agent that works without a user reads it"
                                         : "it is not a key of a task"});
    }
  }

  void add_goal(TestDraft& draft, const Node& task, const Node* instructions) {
    const std::string text = instructions_of(instructions);
    if (!text.empty())
      return conversion_.set_goal(draft, text, at(*instructions), {.source = "instructions"});
    conversion_.note(draft, at(task),
                     {.kind = ItemKind::turn,
                      .outcome = Outcome::not_mapped,
                      .source = "instructions",
                      .why = "they are missing"});
    draft.cannot_play = true;
  }

  void add_persona(TestDraft& draft, const Node* persona) {
    if (persona == nullptr || as_text(*persona).empty()) return;
    std::vector<Persona>& known = conversion_.suite().personas;
    const std::string text = as_text(*persona);
    auto found = std::find_if(known.begin(), known.end(),
                              [&](const Persona& each) { return each.description == text; });
    if (found == known.end()) {
      known.push_back({"persona-" + std::to_string(known.size() + 1), text});
      found = std::prev(known.end());
    }
    draft.test.persona = found->key;
    conversion_.note(draft, at(*persona), {.source = "persona", .text = text, .became = {"persona"}});
  }

  void add_initial_state(TestDraft& draft, const Node* state) {
    if (state == nullptr || state->items.empty()) return;
    std::vector<std::string> lost;
    std::size_t skipped = 0;
    for (const Node& each : state->items) {
      if (each.is_null()) continue;
      if (each.key == "message_history") {
        skipped = add_history(draft, each);
      } else {
        lost.push_back(each.key);
      }
    }
    if (lost.empty() && draft.test.history.empty() && skipped == 0) return;
    Item item{.source = "initial_state", .text = to_json(*state)};
    if (!lost.empty()) {
      item.outcome = Outcome::not_mapped;
      item.why = "it sets the state of the tau2 environment, which parley does not have";
    } else {
      item.became = {"history"};
    }
    if (skipped > 0) {
      conversion_.note(draft, at(*state->find("message_history")),
                       {.outcome = Outcome::not_mapped,
                        .source = "message_history",
                        .why = "a history holds only texts of the user and the agent, not calls and results",
                        .count = skipped});
    }
    conversion_.note(draft, at(*state), std::move(item));
  }

  /// Adds the texts. Returns the number of messages that are tool results or have calls.
  static std::size_t add_history(TestDraft& draft, const Node& messages) {
    std::size_t skipped = 0;
    for (const Node& message : messages.items) {
      const std::string role = message.text_of("role");
      const std::string text = message.text_of("content");
      const bool is_text = !text.empty() && (role == "user" || role == "assistant");
      if (is_text) draft.test.history.push_back({role, text});
      if (!is_text || !message.list_of("tool_calls").empty()) ++skipped;
    }
    return skipped;
  }

  void add_criteria(TestDraft& draft, const Node& criteria) {
    const Node* basis = criteria.find("reward_basis");
    for (const Node& action : criteria.list_of("actions")) {
      Item item{.source = "action " + requestor_of(action),
                .text = action.text_of("name"),
                .needs = "tool calls as tool entries"};
      if (requestor_of(action) == "user") {
        item.why = "the tester has no tools of its own";
        conversion_.lose(draft, at(action), std::move(item));
        continue;
      }
      Check check = action_check(action, {});
      check.severity = is_in_basis(basis, "ACTION") ? Severity::blocker : Severity::minor;
      conversion_.check(draft, std::move(check), at(action), std::move(item));
    }
    for (const Node& info : criteria.list_of("communicate_info")) {
      Check check = communicate_check(as_text(info));
      check.severity = is_in_basis(basis, "COMMUNICATE") ? Severity::blocker : Severity::minor;
      conversion_.check(draft, std::move(check), at(info),
                        {.source = "communicate_info", .text = as_text(info)});
    }
    for (const Node& text : criteria.list_of("nl_assertions")) {
      Check check = criterion_of(as_text(text));
      check.severity = is_in_basis(basis, "NL_ASSERTION") ? Severity::blocker : Severity::major;
      conversion_.check(draft, std::move(check), at(text),
                        {.source = "nl_assertions", .text = as_text(text)});
    }
    for (const Node& each : criteria.list_of("env_assertions")) {
      conversion_.lose(draft, at(each),
                       {.source = "env_assertions",
                        .text = each.text_of("func_name"),
                        .why = "a function of the tau2 environment decides it"});
    }
    if (is_in_basis(basis, "DB")) {
      conversion_.note(draft, at(criteria),
                       {.outcome = Outcome::not_mapped,
                        .source = "DB",
                        .why = "it compares the final state of the tau2 database, which parley cannot see"});
    }
  }

  [[nodiscard]] static std::string requestor_of(const Node& action) {
    const std::string who = action.text_of("requestor");
    return who.empty() ? "assistant" : who;
  }

  Conversion& conversion_;
  const Source& source_;
};

class ResultReader {
 public:
  ResultReader(Conversion& conversion, const Source& source) : conversion_(conversion), source_(source) {}

  void add(const Node& result) {
    LogDraft log;
    log.id = result.text_of("id");
    ChatReader reader(conversion_, source_, log);
    reader.set_log_name(conversion_.external_id(log.id));
    const Node* messages = result.first_of({"messages", "traj"});
    if (messages != nullptr) reader.add_all(messages->items);
    for (const std::string_view key :
         {"task_id", "trial", "termination_reason", "agent_cost", "user_cost", "reward"}) {
      if (const Node* found = result.find(key)) set_member(log.metadata, std::string(key), to_json(*found));
    }
    if (const Node* info = result.find("reward_info")) {
      if (const Node* reward = info->find("reward")) set_member(log.metadata, "reward", to_json(*reward));
      add_checks(log, *info);
    }
    conversion_.finish_log(std::move(log), {source_, result.place});
  }

 private:
  void item(const LogDraft& log, const Node& node, Item item) {
    item.log = conversion_.external_id(log.id);
    conversion_.report.add(source_, node.place, item);
  }

  void add_check(LogDraft& log, const Node& node, Check check, const Node* met, Item about) {
    about.kind = ItemKind::check;
    about.became = {check.type};
    log.checks.push_back(std::move(check));
    if (met != nullptr && met->is(Node::Kind::boolean))
      log.expected.emplace_back(log.checks.size() - 1, met->flag);
    item(log, node, std::move(about));
  }

  void add_checks(LogDraft& log, const Node& info) {
    for (const Node& each : info.list_of("action_checks")) add_action(log, each);
    for (const Node& each : info.list_of("communicate_checks")) {
      const std::string text = each.text_of("info");
      add_check(log, each, communicate_check(text), each.find("met"),
                {.source = "communicate_check", .text = text});
    }
    for (const Node& each : info.list_of("nl_assertions")) {
      const std::string text = each.text_of("nl_assertion");
      add_check(log, each, criterion_of(text), each.find("met"), {.source = "nl_assertion", .text = text});
    }
    for (const Node& each : info.list_of("env_assertions")) {
      item(log, each,
           {.kind = ItemKind::check,
            .outcome = Outcome::not_mapped,
            .source = "env_assertion",
            .text = to_json(each),
            .why = "a function of the tau2 environment decides it"});
    }
    if (const Node* database = info.find("db_check")) {
      item(log, *database,
           {.outcome = Outcome::not_mapped,
            .source = "db_check",
            .text = to_json(*database),
            .why = "it compares the final state of the tau2 database, which parley cannot see"});
    }
  }

  void add_action(LogDraft& log, const Node& recorded) {
    const Node* action = recorded.find("action");
    if (action == nullptr) return;
    const std::string name = action->text_of("name");
    const bool is_users = action->text_of("requestor") == "user";
    Callers callers{!is_users, is_users};
    for (const LogEntry& entry : log.entries) {
      if (entry.name != name) continue;
      callers.agent = callers.agent || entry.type == LogEntry::Type::tool;
      callers.user = callers.user || entry.type == LogEntry::Type::action;
    }
    add_check(log, recorded, action_check(*action, callers), recorded.find("action_match"),
              {.source = std::string("action_check ") + (is_users ? "user" : "assistant"), .text = name});
  }

  Conversion& conversion_;
  const Source& source_;
};

bool is_task(const Node& node) {
  return node.find("evaluation_criteria") != nullptr || node.find("user_scenario") != nullptr;
}
/// Whether the node is a trajectory of tau-bench, or a tau2-bench simulation in its own file.
bool is_trajectory(const Node& node) {
  const bool is_simulation = node.find("task_id") != nullptr && node.find("messages") != nullptr &&
                             node.find("termination_reason") != nullptr;
  return is_simulation || node.find("traj") != nullptr;
}
/// The tasks or trajectories of a file: the file is a list, has the member `tasks`, or is itself one of them.
std::span<const Node> tasks_of(const Node& file) {
  if (file.is_list()) return file.items;
  const std::vector<Node>& tasks = file.list_of("tasks");
  if (tasks.empty() && (is_task(file) || is_trajectory(file))) return std::span(&file, 1);
  return tasks;
}
bool holds_tasks(std::span<const Node> rows) {
  return !rows.empty() && (is_task(rows.front()) || is_trajectory(rows.front()));
}

void import_file(Conversion& conversion, const Source& source, const Node& file) {
  ResultReader results(conversion, source);
  if (const Node* simulations = file.find("simulations"); simulations != nullptr && simulations->is_list()) {
    for (const Node& each : simulations->items) results.add(each);
    return;
  }
  const std::span<const Node> rows = tasks_of(file);
  if (!holds_tasks(rows)) {
    conversion.faults.add(source, file.place,
                          "neither tasks nor results of tau-bench: it has no \"evaluation_criteria\", "
                          "\"simulations\" or \"traj\"");
    return;
  }
  TaskReader tasks(conversion, source);
  for (const Node& each : rows) {
    if (is_trajectory(each)) {
      results.add(each);
    } else {
      tasks.add(each);
    }
  }
}

}  // namespace

void import_tau2(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const auto tree = parse_json(source, conversion.faults);
    if (tree) import_file(conversion, source, *tree);
  });
}

int looks_like_tau2(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  if (head->find("simulations") != nullptr && head->find("tasks") != nullptr) return 90;
  return holds_tasks(tasks_of(*head)) ? 90 : 0;
}

}  // namespace parley::convert
