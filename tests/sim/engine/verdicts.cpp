#include "tests/sim/engine/verdicts.hpp"

#include <algorithm>

#include "model/json/json.hpp"
#include "model/records/entry.hpp"
#include "model/records/test_result.hpp"

namespace parley::sim {
namespace {

/// An assertion as it was stored: its status and its weight (D30).
struct Decided {
  std::string id;
  std::string status;
  bool is_blocker = false;
  [[nodiscard]] bool counts() const { return status == "passed" || status == "failed"; }
  [[nodiscard]] int weight() const { return is_blocker ? 5 : 3; }
};

std::vector<Decided> decided_of(const ResultVerdict& verdict) {
  std::vector<Decided> all;
  const auto document = json::parse(verdict.assertion_results.text);
  for (const json::Value& one : document->root().children()) {
    Decided decided;
    decided.id = one.find("id")->string();
    decided.status = one.find("status")->string();
    decided.is_blocker = one.find("severity")->string() == "BLOCKER";
    all.push_back(std::move(decided));
  }
  return all;
}

bool says_hello(const store::Snapshot& snapshot, const Id& result) {
  bool says = false;
  const auto walked = snapshot.for_each_entry(result, [&](std::uint32_t, const store::StoredEntry& stored) {
    const Entry entry = entry_from_stored(stored.json).value();
    says = says ||
           (is_chatbot_message(entry) && entry.content && entry.content->find("hello") != std::string::npos);
    return true;
  });
  return walked.ok() && says;
}

/// D62: an unregistered action ends the conversation and must not become one of its turns.
bool flies(const store::Snapshot& snapshot, const Id& result) {
  bool is_there = false;
  const auto walked = snapshot.for_each_entry(result, [&](std::uint32_t, const store::StoredEntry& stored) {
    is_there = is_there || entry_from_stored(stored.json).value().name == unknown_action;
    return true;
  });
  return walked.ok() && is_there;
}

/// A lineage of one result has had its attempts one after the other, and its judge had no other open question.
bool is_alone(const View& view, std::uint32_t root) {
  return std::count_if(view.results().begin(), view.results().end(),
                       [&](const auto& result) { return result.first.root == root; }) == 1;
}

std::string_view word_of(Inquiry::End end) {
  switch (end) {
    case Inquiry::End::passed: return "passed";
    case Inquiry::End::failed: return "failed";
    case Inquiry::End::error: return "error";
    case Inquiry::End::none: break;
  }
  return "";
}

/// Whether the judge's answers give this status: for a lineage of one, the last answer that settled the question;
/// otherwise any.
bool is_judged_so(const std::vector<Inquiry>& inquiries, std::string_view status, bool is_alone) {
  std::string_view last;
  for (const Inquiry& inquiry : inquiries) {
    if (inquiry.end == Inquiry::End::none) continue;
    last = word_of(inquiry.end);
    if (!is_alone && last == status) return true;
  }
  return is_alone && !last.empty() && last == status;
}

/// D34, in integers.
struct Sum {
  int score = 0;
  bool passed = true;
  bool is_decided = false;
};
Sum sum_of(const std::vector<Decided>& all) {
  int of = 0;
  int got = 0;
  Sum sum;
  bool is_open = false;
  for (const Decided& one : all) {
    if (one.counts()) of += one.weight();
    if (one.status == "passed") got += one.weight();
    sum.passed = sum.passed && !(one.is_blocker && one.status != "passed");
    is_open = is_open || (one.is_blocker && !one.counts());
  }
  if (of > 0) sum.score = (got * 200 + of) / (of * 2);
  sum.is_decided = of > 0 && !is_open;
  return sum;
}

class Examination {
 public:
  Examination(const View& view, const Plan& plan, const Models& models)
      : view_(view), plan_(plan), models_(models) {}
  std::vector<std::string> faults;

  void examine(const store::Snapshot& snapshot, const Name& name, const ResultHead& head) {
    // Only the first verdict; the sequential model explains later changes.
    const auto verdict = snapshot.verdict(head.stamp.id, 0);
    if (!verdict || !*verdict) return fault("completed without a verdict (I21)", name);
    const auto all = decided_of(**verdict);
    for (const Decided& one : all) {
      const bool is_right = one.id == "greets"
                                ? (one.status == "passed") == says_hello(snapshot, head.stamp.id)
                                : is_right_rule(name, one);
      if (!is_right) fault(one.id + " is " + one.status + ", which nobody said (I26)", name);
    }
    if (head.rescored == 0) examine_sum(name, head, sum_of(all));
    // An outage never counts as a wrong answer (D47a, D51a).
    if (head.is_decided == head.fault.has_value() || head.fault == FaultSource::agent)
      fault("undecided, and booked as somebody else's fault", name);
  }

 private:
  void examine_sum(const Name& name, const ResultHead& head, const Sum& sum) {
    const bool is_summed =
        head.score == sum.score && head.overall_passed == sum.passed && head.is_decided == sum.is_decided;
    if (!is_summed) fault("score " + std::to_string(head.score) + " is not what its assertions give", name);
  }
  void fault(const std::string& what, const Name& name) { faults.push_back(what + ": " + text_of(name)); }
  [[nodiscard]] bool is_right_rule(const Name& name, const Decided& one) const {
    if (one.id != "rule0" && one.id != "rule1") return false;  // no result was created with it
    if (!plan_.models.has_judge) return one.status == "skipped";
    const auto criterion = static_cast<std::uint32_t>(std::stoul(one.id.substr(4)));
    return is_judged_so(models_.inquiries(name.root, criterion), one.status, is_alone(view_, name.root));
  }

  const View& view_;
  const Plan& plan_;
  const Models& models_;
};

std::string source_of(const ResultHead& head) {
  if (!head.error) return "nobody";
  const auto document = json::parse(head.error->text);
  const auto source = document->root().find("source");
  return source ? std::string(source->string()) : "nobody";
}

/// Whether the blamed party caused the failure that the result reports.
bool has_cause(const ResultHead& head, std::uint32_t root, const Agents& agents, const Models& models,
               const Facts& facts) {
  const std::string source = source_of(head);
  switch (*head.end_reason) {
    case EndReason::tester_error: return source == "tester" && models.has_failed(root);
    case EndReason::action_error:
      return source == "tester" && models.has_said(root, TesterSays::invokes_unknown);
    case EndReason::agent_error: return source == "agent" && agents.has_failed(to_text(head.stamp.id));
    case EndReason::client_error: return source == "client";
    case EndReason::timeout: return source == "infrastructure" && facts.may_run_too_long;
    default: break;
  }
  // Crashes during driving or scoring; scoring keeps the reason why the conversation ended.
  return source == "infrastructure" && facts.work_may_fail;
}

}  // namespace

std::vector<std::string> wrong_verdicts(const store::Snapshot& snapshot, const View& view, const Plan& plan,
                                        const Models& models) {
  Examination examination(view, plan, models);
  for (const auto& [name, id] : view.results()) {
    const auto head = snapshot.find<ResultHead>(id);
    if (head && *head && (*head)->status == ResultStatus::completed)
      examination.examine(snapshot, name, **head);
  }
  return std::move(examination.faults);
}

std::vector<std::string> wrong_faults(const store::Snapshot& snapshot, const View& view, const Agents& agents,
                                      const Models& models, const Facts& facts) {
  std::vector<std::string> faults;
  for (const auto& [name, id] : view.results()) {
    if (flies(snapshot, id)) faults.push_back("an unknown action was recorded (D62): " + text_of(name));
    const auto head = snapshot.find<ResultHead>(id);
    const bool is_failed = head && *head && (*head)->status == ResultStatus::failed;
    if (!is_failed || has_cause(**head, name.root, agents, models, facts)) continue;
    faults.push_back("failed (" + std::string(word_of(*(*head)->end_reason)) + "), booked on " +
                     source_of(**head) + ", for no reason: " + text_of(name));
  }
  return faults;
}

std::vector<std::string> asked_twice(const View& view, const Models& models) {
  std::vector<std::string> faults;
  for (const auto& [name, id] : view.results()) {
    if (!is_alone(view, name.root)) continue;
    if (models.asked_twice().contains(name.root))
      faults.push_back("its tester was asked twice at once: " + text_of(name));
    for (const std::uint32_t criterion : {0U, 1U}) {
      std::set<int> epochs;
      for (const Inquiry& inquiry : models.inquiries(name.root, criterion)) {
        if (!epochs.insert(inquiry.epoch).second)
          faults.push_back("judged twice by one process (I20): " + text_of(name));
      }
    }
  }
  return faults;
}

}  // namespace parley::sim
