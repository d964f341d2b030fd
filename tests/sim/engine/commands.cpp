#include "tests/sim/engine/commands.hpp"

#include "model/check.hpp"
#include "tests/sim/engine/model.hpp"
#include "tests/sim/engine/models.hpp"

namespace parley::sim {
namespace {

actors::PostEntry entry_of(const Op& op) {
  actors::PostEntry post;
  const std::string text = "p" + std::to_string(op.token);
  if (op.deed == Deed::tool) {
    post.type = EntryType::tool;
    post.name = text;
    return post;
  }
  if (op.deed == Deed::registers) {
    const std::string action = op.token % 2 == 0 ? "buy" : "sell";
    post.type = EntryType::internal_event;
    post.name = text;
    post.actions.emplace();
    post.actions->push_back({action, "does it", {}, {}});
    post.metadata.text = R"({"actions":[{"name":")" + action + R"(","description":"does it"}]})";
    return post;
  }
  post.content = text + (op.value % 3 == 0 ? " hello" : "") + (op.deed == Deed::insert ? " inserted" : "");
  if (op.deed == Deed::insert) (op.is_after ? post.after : post.before) = to_text(op.anchor_id);
  return post;
}

actors::PatchResult patch_of(const Op& op) {
  actors::PatchResult patch;
  switch (op.deed) {
    case Deed::cancel: patch.status = ResultStatus::canceled; break;
    case Deed::fail: patch.status = ResultStatus::failed; break;
    case Deed::start: patch.status = ResultStatus::running; break;
    case Deed::mode_auto: patch.completion_mode = CompletionMode::automatic; break;
    case Deed::mode_manual: patch.completion_mode = CompletionMode::manual; break;
    default: patch.metadata = json::Text{R"({"v":)" + std::to_string(op.token) + "}"};
  }
  return patch;
}

std::uint64_t detail_of(const Op& op, const actors::ResultReply& reply) {
  switch (op.deed) {
    case Deed::post:
    case Deed::tool:
    case Deed::registers:
    case Deed::insert: return reply.entries;
    case Deed::merge:
    case Deed::preview:
    case Deed::retry: return 0;
    case Deed::next: {
      if (!reply.turn || !reply.turn->ready) return later_detail;
      if (reply.turn->end_chat) return end_detail;
      if (!reply.turn->message || !reply.turn->message->starts_with("s")) return unnamed_detail;
      return turn_base + static_cast<std::uint64_t>(std::stoul(reply.turn->message->substr(1)));
    }
    default:
      return phase_detail(static_cast<Status>(reply.head.status), reply.head.is_ended(),
                          reply.head.is_claimed());
  }
}

}  // namespace

namespace {

/// The lines of the script, or the instruction for a tester model.
std::string instruction_of(const CaseOf& of) {
  if (of.made.is_free) return free_instruction(of.root, of.made.kind, turns_max_of(of.says));
  std::string script;
  for (std::uint32_t turn = 0; turn < of.says; ++turn) script += "say: s" + std::to_string(turn) + "\n";
  // If the script had no line of its own, a tester model would treat it as free text.
  return script + (of.says == 0 ? "end if /nobody says this/\nend" : "end");
}

std::vector<Assertion> assertions_of(const CaseOf& of) {
  Assertion greets;
  greets.id = "greets";
  greets.type = "contains";
  greets.config = json::Text{R"({"value":"hello"})"};
  greets.severity = Severity::major;
  std::vector<Assertion> all{greets};
  for (std::uint32_t i = 0; i < of.made.criteria; ++i) {
    Assertion rule;
    rule.id = "rule" + std::to_string(i);
    rule.criteria = criterion_text(of.root, i);
    rule.severity = i == 1 ? Severity::blocker : Severity::major;
    all.push_back(std::move(rule));
  }
  for (Assertion& each : all) each.weight = weight_of(each);  // as POST /test-results/ does
  return all;
}

}  // namespace

actors::CreateResult creation_of(const CaseOf& of) {
  actors::CreateResult command;
  if (!of.run.is_nil()) command.run = Ref<RecordKind::run>{of.run};
  command.agent.id = of.agent;
  command.is_manual = of.made.kind == Kind::person;
  command.driving.by_service = of.made.kind == Kind::driven;
  command.completion_mode = of.made.is_manual ? CompletionMode::manual : CompletionMode::automatic;
  command.test_created_at = Time{of.root};  // identifies its creator; retries inherit it
  command.test_case.instruction = instruction_of(of);
  command.test_case.assertions = assertions_of(of);
  return command;
}

actors::ResultCommand result_command_of(const Op& op) {
  switch (op.deed) {
    case Deed::post:
    case Deed::tool:
    case Deed::registers:
    case Deed::insert: return entry_of(op);
    case Deed::merge:
      return actors::PatchEntry{op.anchor_id, json::Text{R"({"m)" + std::to_string(op.token) + R"(":1})"}};
    case Deed::next: return actors::NextMessage{};
    case Deed::finish: return actors::Finish{};
    case Deed::retry: return actors::Retry{};
    default: return patch_of(op);
  }
}

actors::RunCommand run_command_of(const Op& op) {
  actors::PatchRun patch;
  switch (op.deed) {
    case Deed::cancel_run: return actors::CancelRun{};
    case Deed::close_run: patch.status = RunStatus::completed; break;
    case Deed::put_run_canceled: patch.status = RunStatus::canceled; break;
    case Deed::put_run_running: patch.status = RunStatus::running; break;
    default: CHECK(false);
  }
  return patch;
}

void take_answer(Op& op, const Expected<actors::ResultReply>& answer) {
  if (!answer.ok()) {
    op.reply = {answer.problem().status(), 0};
    return;
  }
  const actors::ResultReply& reply = answer.value();
  op.reply = {200, detail_of(op, reply)};
  if (op.deed == Deed::retry || op.deed == Deed::preview) op.made = reply.head.stamp.id;
  if (reply.entry) op.made = reply.entry->id;
  if (reply.turn && reply.turn->message_id) op.made = *reply.turn->message_id;
}

void take_answer(Op& op, const Expected<actors::RunReply>& answer) {
  if (!answer.ok()) {
    op.reply = {answer.problem().status(), 0};
    return;
  }
  const bool is_creation = op.deed == Deed::create;
  op.reply = {200, is_creation ? 0 : static_cast<std::uint64_t>(answer.value().run.status)};
  if (is_creation && answer.value().result) op.made = answer.value().result->head.stamp.id;
}

}  // namespace parley::sim
