// People's labels, and how well judges agree with them.

#include "store/side/labels.hpp"

#include <algorithm>
#include <map>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/lists/page.hpp"
#include "http/views/link.hpp"
#include "scoring/agreement.hpp"
#include "scoring/review.hpp"

namespace parley::http {
namespace {

/// `RESULT.LABEL`, so that the row is found without another index.
std::string public_id(const store::Label& label) {
  return to_text(label.result) + "." + to_text(label.id);
}

void write_label(json::Writer& out, const store::Label& label, const Linker& linker) {
  out.begin_object().member("id", public_id(label)).member("createdAt", to_text(time_of(label.id)));
  out.member("result", to_text(label.result));
  out.member_or_null("assertion", label.assertion.empty() ? std::nullopt : std::optional(label.assertion));
  out.key("user");
  linker.append(out, RecordKind::user, label.user);
  out.member("verdict", label.verdict).member("note", label.note).key("entries").begin_array();
  for (const Id& entry : label.entries) out.string(to_text(entry));
  out.end_array().end_object();
}

Expected<Reply> label_reply(const store::Snapshot& snapshot, const RequestContext& call,
                            const store::Label& label) {
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  write_label(out, label, linker);
  Reply reply = json_reply(std::move(out).text());
  reply.fields.emplace_back("Location", location_of(call, public_id(label)));
  return reply;
}

/// Keeps only the newest label of each person on each assertion, newest first.
std::vector<store::Label> current(std::vector<store::Label> labels) {
  std::map<std::tuple<Id, std::string, Id>, store::Label> newest;
  for (store::Label& label : labels) {
    const auto key = std::tuple(label.result, label.assertion, label.user);
    newest[key] = std::move(label);
  }
  std::vector<store::Label> kept;
  kept.reserve(newest.size());
  for (auto& [key, label] : newest) kept.push_back(std::move(label));
  return kept;
}

/// Checks that the assertion and the entries that the label names belong to the result.
Expected<Done> check_label(const store::Snapshot& snapshot, const ResultHead& head, const LabelBody& body,
                           Findings& findings) {
  if (body.assertion) {
    TRY(test_case, snapshot.part<TestCase>(head));
    const bool is_known =
        test_case && std::any_of(test_case->assertions.begin(), test_case->assertions.end(),
                                 [&](const Assertion& each) { return each.id == *body.assertion; });
    if (!is_known) findings.add("/assertion", "must be the id of an assertion of the result");
  }
  for (std::size_t i = 0; i < body.entries.size(); ++i) {
    if (!id_from_text(body.entries[i]))
      findings.add("/entries/" + std::to_string(i), "must be the id of an entry");
  }
  return Done{};
}

store::Label label_of(const LabelBody& body, const Id& user) {
  store::Label label;
  label.result = body.result.id;
  label.assertion = body.assertion.value_or("");
  label.user = user;
  label.verdict = word_of(body.verdict);
  label.note = body.note.value_or("");
  for (const std::string& entry : body.entries) label.entries.push_back(id_from_text(entry).value_or(Id{}));
  return label;
}

/// The verdicts of people and of one judge on one criterion.
struct Criterion {
  Assertion assertion;
  scoring::Agreement agreement;
};
using Criteria = std::map<std::tuple<Id, std::string, std::string>, Criterion>;  // test, assertion, judge

std::string model_of(const AssertionResult& row) {
  if (!row.judge) return {};
  const auto document = json::parse(row.judge->text);
  const auto model = document.ok() ? document->root().find("model") : std::nullopt;
  return model && model->is(json::Kind::string) ? std::string(model->string()) : std::string();
}

Expected<Done> add_label(const store::Snapshot& snapshot, const store::Label& label,
                         const std::optional<Id>& test, Criteria& criteria) {
  if (label.verdict != "passed" && label.verdict != "failed") return Done{};
  TRY(head, snapshot.find<ResultHead>(label.result));
  if (!head || (test && (!head->test || head->test->id != *test))) return Done{};
  TRY(verdict, snapshot.verdict(*head));
  if (!verdict) return Done{};
  for (const AssertionResult& row : scoring::results_of(*verdict)) {
    const std::string judge = model_of(row);
    const auto passed = AssertionResult::passed_of(row.status);
    if (row.assertion.id != label.assertion || judge.empty() || !passed) continue;
    Criterion& criterion = criteria[{head->test ? head->test->id : Id{}, row.assertion.id, judge}];
    criterion.assertion = row.assertion;
    criterion.agreement.add(label.verdict == "passed", *passed);
  }
  return Done{};
}

void write_criterion(json::Writer& out, const Id& test, const std::string& judge, const Criterion& criterion,
                     const Linker& linker) {
  const scoring::Kappa kappa = scoring::kappa_of(criterion.agreement);
  out.begin_object().key("test");
  test.is_nil() ? static_cast<void>(out.null()) : linker.append(out, RecordKind::test, test);
  out.key("assertion").begin_object().member("id", criterion.assertion.id);
  out.member_or_null("name", criterion.assertion.name);
  out.member_or_null("criteria", criterion.assertion.criteria).end_object();
  out.member("judge", judge).key("n").integer(criterion.agreement.pairs());
  out.key("agreed").integer(criterion.agreement.both_passed + criterion.agreement.both_failed);
  out.key("baseRate").number(kappa.base_rate).key("kappa");
  kappa.value ? out.number(*kappa.value) : out.null();
  out.key("interval").begin_object().key("low").number(kappa.interval.low);
  out.key("high").number(kappa.interval.high).end_object().end_object();
}

}  // namespace

void create_label(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                  ReplyTo reply, In<LabelBody> in) {
  check_links(snapshot, in.findings);
  if (const auto head = snapshot.find<ResultHead>(in.body.result.id); head.ok() && *head) {
    if (auto checked = check_label(snapshot, **head, in.body, in.findings); !checked)
      return reply(std::move(checked).problem());
  }
  if (auto checked = in.check(); !checked) return reply(std::move(checked).problem());
  const auto label = std::make_shared<store::Label>(label_of(in.body, call->principal.user));
  const auto decide = [label](const store::Snapshot&, Time now, IdSource& ids) -> Expected<store::ChangeSet> {
    label->id = ids.next(now);
    store::ChangeSet changes;
    store::put_label(changes, *label);
    return changes;
  };
  const auto made_ids = [label] { return AffectedIds{label->result, label->id}; };
  context.gateway.change_records(
      once(call, decide, made_ids), [label, call, reply, &context](Expected<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        reply.later([label, call, &context] { return label_reply(context.store.snapshot(), *call, *label); });
      });
}

Expected<Reply> create_label_again(const Context&, const store::Snapshot& snapshot,
                                   const RequestContext& call, const AffectedIds& ids) {
  CHECK(ids.size() == 2);
  TRY(label, store::find_label(snapshot, ids[0], ids[1]));
  if (!label) return problem(ProblemKind::not_found, "the label has been deleted since");
  return label_reply(snapshot, call, *label);
}

Expected<Reply> list_labels(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  QueryReader reader(call.query);
  const auto result = reader.id("result", RecordKind::test_result);
  const auto user = reader.id("user", RecordKind::user);
  const bool has_older = reader.flag("older").value_or(false);
  const PageQuery page = read_page(reader);
  check_sort(reader, page, words_of(call.route->sorts));
  TRY_DONE(reader.result());
  if (call.is_interactive && !result) return cut_short();
  std::vector<store::Label> labels = store::labels_of(snapshot, result);
  if (!has_older) labels = current(std::move(labels));
  std::erase_if(labels, [&](const store::Label& label) {
    return (user && label.user != *user) || !snapshot.has(RecordKind::test_result, label.result);
  });
  std::sort(labels.begin(), labels.end(), [&](const store::Label& a, const store::Label& b) {
    return page.is_ascending ? a.id < b.id : b.id < a.id;
  });
  const SnapshotLinker linker(snapshot);
  return page_of(call, page, labels,
                 [&](json::Writer& out, const auto& label) { write_label(out, label, linker); });
}

/// Deletes one of the caller's own labels; an admin may delete any label.
void delete_label(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                  ReplyTo reply) {
  const std::string text = call->id_text();
  const auto point = std::min(text.find('.'), text.size());
  const auto result = id_from_text(std::string_view(text).substr(0, point));
  const auto id = id_from_text(std::string_view(text).substr(std::min(point + 1, text.size())));
  if (!result || !id) return reply(unknown_record("label", text));
  const auto decide = [result = *result, id = *id, text, call](const store::Snapshot& now_stored, Time,
                                                               IdSource&) -> Expected<store::ChangeSet> {
    TRY(label, store::find_label(now_stored, result, id));
    if (!label) return unknown_record("label", text);
    if (label->user != call->principal.user && !call->principal.is_admin())
      return problem(ProblemKind::forbidden, "only an admin can delete the labels of other users");
    store::ChangeSet changes;
    store::erase_label(changes, *label);
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [reply](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(empty_reply());
  });
}

Expected<Reply> get_agreement(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  QueryReader reader(call.query);
  const auto test = reader.id("test", RecordKind::test);
  const auto judge = reader.text("judge");
  TRY_DONE(reader.result());
  if (call.is_interactive) return cut_short();
  Criteria criteria;
  for (const store::Label& label : current(store::labels_of(snapshot, std::nullopt)))
    TRY_DONE(add_label(snapshot, label, test, criteria));
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  out.begin_object().key("criteria").begin_array();
  for (const auto& [key, criterion] : criteria) {
    const auto& [of_test, assertion, of_judge] = key;
    if (!judge || *judge == of_judge) write_criterion(out, of_test, of_judge, criterion, linker);
  }
  out.end_array().end_object();
  return json_reply(std::move(out).text());
}

}  // namespace parley::http
