#include "actors/webhooks/webhook_events.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>

#include "model/json/json_writer.hpp"

namespace parley::actors {
namespace {

constexpr std::size_t notices_step = 200;
constexpr std::size_t deliveries_step = 1'000;  ///< per change set; the last notice may exceed it
constexpr std::size_t webhooks_step = 1'000;

std::vector<Webhook> listening(const store::Snapshot& snapshot) {
  std::vector<Webhook> found;
  for (Id after; true;) {
    const auto ids = snapshot.ids_in({RecordKind::webhook}, after, webhooks_step);
    if (ids.empty()) return found;
    after = ids.back();
    for (const Id& id : ids) {
      auto webhook = snapshot.find<Webhook>(id);
      if (webhook.ok() && *webhook) found.push_back(std::move(**webhook));
    }
  }
}

bool subscribes_to(const Webhook& webhook, std::string_view event) {
  return webhook.is_enabled && std::any_of(webhook.events.begin(), webhook.events.end(),
                                           [&](WebhookEvent each) { return word_of(each) == event; });
}

/// The content of one event for both formats.
struct Event {
  std::string name;
  Time at;
  std::string data;  ///< JSON
  std::string text;  ///< for a channel
};

/// Slack reads these three characters as markup.
std::string slack_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string body_of(const Event& event, WebhookFormat format) {
  json::Writer out;
  out.begin_object();
  if (format == WebhookFormat::slack) {
    out.member("text", slack_text(event.text));
  } else {
    out.member("type", event.name).member("timestamp", to_text(event.at)).key("data").raw(event.data);
  }
  out.end_object();
  return std::move(out).text();
}

template <class T>
std::string name_of(const store::Snapshot& snapshot, const Id& id) {
  const auto record = snapshot.find<T>(id);
  return record.ok() && *record ? (*record)->name : std::string();
}

template <class T>
void write_link(json::Writer& out, std::string_view key, const store::Snapshot& snapshot,
                const std::optional<Id>& id) {
  out.key(key);
  if (!id) return static_cast<void>(out.null());
  out.begin_object().member("id", to_text(*id)).member("name", name_of<T>(snapshot, *id)).end_object();
}

template <class Link>
std::optional<Id> id_of(const std::optional<Link>& link) {
  return link ? std::optional(link->id) : std::nullopt;
}

/// The outcome of a run's gate: what the client reported, else the rule of a gate without options.
std::string gate_word(const Run& run, const store::RunCounters& counters) {
  if (std::string given = gate_of(run); !given.empty()) return given;
  if (run.status == RunStatus::failed || counters.not_passed + counters.failed > 0) return "red";
  const bool is_decided = run.status == RunStatus::completed && counters.passed == counters.total();
  return is_decided && counters.passed > 0 ? "green" : "open";
}

std::string quoted_name(const std::string& name, const Id& id) {
  return name.empty() ? to_text(id).substr(0, 13) : "\"" + name + "\"";
}

/// Makes the events of one notice.
class Reporter {
 public:
  Reporter(const store::Snapshot& snapshot, const std::string& public_url)
      : snapshot_(snapshot), public_url_(public_url) {}

  /// Empty if the record has been deleted since.
  Expected<std::vector<Event>> events_of(const store::Notice& notice) const {
    switch (notice.kind) {
      case store::NoticeKind::run_ended:
      case store::NoticeKind::gate_red: return of_run(notice);
      case store::NoticeKind::result_failed: return of_result(notice);
      case store::NoticeKind::test: return of_test(notice);
    }
    return std::vector<Event>{};
  }

 private:
  [[nodiscard]] std::string link(std::string_view page, const Id& id) const {
    return public_url_.empty() ? std::string() : public_url_ + "/ui/" + std::string(page) + "/" + to_text(id);
  }

  [[nodiscard]] std::string run_data(const Run& run, const store::RunCounters& counters,
                                     const std::string& gate) const {
    json::Writer out;
    out.begin_object().key("run").begin_object();
    out.member("id", to_text(run.stamp.id)).member("name", run.name);
    out.member("status", word_of(run.status)).member("createdAt", to_text(run.stamp.created_at()));
    if (!public_url_.empty()) out.member("url", link("runs", run.stamp.id));
    out.end_object();
    write_link<Scenario>(out, "scenario", snapshot_, run.scenario.id);
    write_link<Agent>(out, "agent", snapshot_, run.agent.id);
    out.member("gate", gate).key("results").begin_object();
    out.key("total").integer(counters.total()).key("passed").integer(counters.passed);
    out.key("notPassed").integer(counters.not_passed).key("undecided").integer(counters.undecided);
    out.key("failed").integer(counters.failed).key("canceled").integer(counters.canceled);
    out.end_object().key("score");
    const auto decided = static_cast<double>(counters.decided());
    decided > 0 ? out.number(std::round(10 * static_cast<double>(counters.score_sum) / decided) / 10)
                : out.null();
    out.end_object();
    return std::move(out).text();
  }

  Expected<std::vector<Event>> of_run(const store::Notice& notice) const {
    std::vector<Event> events;
    TRY(run, snapshot_.find<Run>(notice.subject));
    if (!run) return events;
    TRY(counters, snapshot_.run_counters(notice.subject));
    const std::string gate = gate_word(*run, counters);
    const std::string data = run_data(*run, counters, gate);
    const std::string numbers =
        std::to_string(counters.passed) + " of " + std::to_string(counters.total()) + " passed";
    const std::string name = "Run " + quoted_name(run->name, run->stamp.id);
    const std::string url = link("runs", run->stamp.id);
    const std::string end = url.empty() ? std::string() : "\n" + url;
    if (notice.kind == store::NoticeKind::run_ended) {
      events.push_back(
          {"run.ended", notice.at, data,
           name + " " + std::string(word_of(run->status)) + ": " + numbers + ", gate " + gate + end});
    }
    if (notice.kind == store::NoticeKind::gate_red || gate == "red")
      events.push_back({"gate.red", notice.at, data, name + ": the gate is red, " + numbers + end});
    return events;
  }

  Expected<std::vector<Event>> of_result(const store::Notice& notice) const {
    std::vector<Event> events;
    TRY(head, snapshot_.find<ResultHead>(notice.subject));
    if (!head) return events;
    json::Writer out;
    out.begin_object().key("result").begin_object();
    out.member("id", to_text(head->stamp.id)).member("status", word_of(head->status));
    out.key("score").integer(head->score).key("overallPassed");
    out.boolean(head->has_outcome() && head->overall_passed).key("endReason");
    head->end_reason ? out.string(word_of(*head->end_reason)) : out.null();
    if (!public_url_.empty()) out.member("url", link("results", head->stamp.id));
    out.end_object();
    write_link<Run>(out, "run", snapshot_, id_of(head->run));
    write_link<Test>(out, "test", snapshot_, id_of(head->test));
    write_link<Agent>(out, "agent", snapshot_, head->agent.id);
    out.end_object();
    const std::string test = head->test ? name_of<Test>(snapshot_, head->test->id) : std::string();
    const std::string url = link("results", head->stamp.id);
    std::string text =
        "Result of " + (test.empty() ? "a test" : "\"" + test + "\"") + " with agent \"" +
        name_of<Agent>(snapshot_, head->agent.id) + "\" " +
        (head->status == ResultStatus::failed ? std::string("failed")
                                              : "did not pass: score " + std::to_string(head->score));
    if (!url.empty()) text += "\n" + url;
    events.push_back({"result.failed", notice.at, std::move(out).text(), std::move(text)});
    return events;
  }

  Expected<std::vector<Event>> of_test(const store::Notice& notice) const {
    std::vector<Event> events;
    TRY(webhook, snapshot_.find<Webhook>(notice.webhook.value_or(Id{})));
    if (!webhook) return events;
    json::Writer out;
    out.begin_object().key("webhook").begin_object();
    out.member("id", to_text(webhook->stamp.id)).member("name", webhook->name).end_object().end_object();
    events.push_back({std::string(store::test_event), notice.at, std::move(out).text(),
                      "A test event of the webhook " + quoted_name(webhook->name, webhook->stamp.id)});
    return events;
  }

  const store::Snapshot& snapshot_;
  const std::string& public_url_;
};

store::Delivery delivery_of(const Webhook& webhook, const Event& event, const Id& id, Time now) {
  store::Delivery delivery;
  delivery.key = {webhook.stamp.id, id};
  delivery.event = event.name;
  delivery.body = body_of(event, webhook.format);
  delivery.next_attempt_at = now;
  return delivery;
}

void add(Expansion& expansion, const store::Delivery& delivery) {
  store::put_owed(expansion.changes, delivery);
  expansion.made.push_back(delivery.key);
}

}  // namespace

Expected<Expansion> expand_notices(const store::Snapshot& snapshot, Time now, IdSource& ids,
                                   const std::string& public_url) {
  Expansion expansion;
  const std::vector<store::Notice> notices = store::notices(snapshot, notices_step);
  if (notices.empty()) return expansion;
  const std::vector<Webhook> webhooks = listening(snapshot);
  const Reporter reporter(snapshot, public_url);
  expansion.has_more = notices.size() == notices_step;
  for (const store::Notice& notice : notices) {
    if (expansion.made.size() >= deliveries_step) {
      expansion.has_more = true;
      break;
    }
    const auto events = reporter.events_of(notice);
    store::erase_notice(expansion.changes, notice);
    if (!events) {  // a damaged record must not block all others
      spdlog::error("event not reported record={} detail=\"{}\"", to_text(notice.subject),
                    events.problem().detail);
      continue;
    }
    for (const Event& event : *events) {
      for (const Webhook& webhook : webhooks) {
        if (notice.webhook ? *notice.webhook != webhook.stamp.id : !subscribes_to(webhook, event.name))
          continue;
        add(expansion, delivery_of(webhook, event, notice.webhook ? notice.subject : ids.next(now), now));
      }
    }
  }
  return expansion;
}

}  // namespace parley::actors
