// Webhooks (D153). The secret is write-only. Every operation needs the right to write, because a URL can be a secret
// too. actors/webhooks/ delivers the events.

#include "http/bodies/agent_secrets.hpp"
#include "http/handlers/record_operations.hpp"
#include "model/records/webhook.hpp"
#include "outbound/webhooks/webhook_call.hpp"
#include "store/side/deliveries.hpp"
#include "store/side/notices.hpp"

namespace parley::http {

template <>
struct Specials<Webhook> : NoSpecials<Webhook> {
  static void complete(Webhook& webhook, const Draft& draft) {
    webhook.owner = Ref<RecordKind::user>{draft.call.principal.user};
    if (!gives(draft.body, "events"))
      webhook.events = {WebhookEvent::run_ended, WebhookEvent::gate_red, WebhookEvent::result_failed};
  }
  static void check(const Webhook& webhook, const Webhook*, const Draft& draft, Findings& findings) {
    const auto report = [&](std::string_view pointer, const std::string& fault) {
      if (!fault.empty()) findings.add(std::string(pointer), fault);
    };
    if (gives(draft.body, "url") && !webhook.url.empty())
      report("/url", outbound::fault_of_webhook_url(webhook.url));
    if (const auto secret = given_secret(draft.body))
      report("/secret", outbound::fault_of_webhook_secret(*secret));
  }
  static Expected<Done> settle(Webhook& webhook, const Webhook* before, const Draft& draft, Time /*now*/,
                               IdSource& /*ids*/) {
    const auto given = given_secret(draft.body);
    if (given && *given == secret_mask) {
      webhook.secret = before == nullptr ? std::nullopt : before->secret;
    } else if (given) {
      webhook.secret = draft.context.secrets.seal(webhook.stamp.id, "secret", *given);
    } else if (draft.body.find("secret")) {  // null removes the secret, as for agents
      webhook.secret.reset();
    }
    if (before != nullptr && !before->is_enabled && webhook.is_enabled) {
      webhook.failing_since.reset();
      webhook.disabled_at.reset();
      webhook.disabled_reason.reset();
    }
    return Done{};
  }
  static void show(const Webhook& webhook, RecordWriter& writer) {
    if (webhook.secret) writer.show_as("secret", '"' + std::string(secret_mask) + '"');
  }

 private:
  static std::optional<std::string> given_secret(const json::Value& body) {
    const auto secret = body.find("secret");
    if (!secret || !secret->is(json::Kind::string)) return std::nullopt;
    return std::string(secret->string());
  }
};

template struct RecordOperations<Webhook>;

namespace {

/// The limit for each shelf (owed or finished) of one webhook; the newest deliveries are shown.
constexpr std::size_t deliveries_shown_max = 20'000;

void write_delivery(json::Writer& out, const store::Delivery& delivery) {
  const auto time = [&](std::string_view name, const std::optional<Time>& at) {
    out.member_or_null(name, at ? std::optional(to_text(*at)) : std::nullopt);
  };
  out.begin_object().member("id", store::message_id(delivery.key.id));
  out.member("webhook", to_text(delivery.key.webhook)).member("event", delivery.event);
  out.member("createdAt", to_text(time_of(delivery.key.id)));
  out.member("status", word_of(delivery.status)).key("attempts").integer(delivery.attempts);
  time("nextAttemptAt", delivery.next_attempt_at);
  time("endedAt", delivery.ended_at);
  out.key("answerStatus");
  delivery.answer_status ? out.integer(*delivery.answer_status) : out.null();
  out.member_or_null("error", delivery.error).key("payload");
  delivery.body.empty() ? out.null() : out.raw(delivery.body);
  out.end_object();
}

}  // namespace

Expected<Reply> list_deliveries(const Context&, const store::Snapshot& snapshot, const RequestContext& call,
                                const Webhook& webhook) {
  QueryReader reader(call.query);
  const auto given = reader.text("status");
  const auto status = given ? from_word<store::DeliveryStatus>(*given) : std::nullopt;
  if (given && !status) reader.fault("status", "must be pending, delivered or failed");
  const PageQuery page = read_page(reader);
  check_sort(reader, page, words_of(call.route->sorts));
  TRY_DONE(reader.result());
  std::vector<store::Delivery> rows = store::deliveries_of(snapshot, webhook.stamp.id, deliveries_shown_max);
  if (status) std::erase_if(rows, [&](const store::Delivery& each) { return each.status != *status; });
  if (!page.is_ascending) std::reverse(rows.begin(), rows.end());
  return page_of(call, page, rows, write_delivery);
}

void test_webhook(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                  ReplyTo reply, const Webhook& webhook, NoBody) {
  const auto made = std::make_shared<store::Delivery>();
  const auto decide = [made, id = webhook.stamp.id](const store::Snapshot&, Time now,
                                                    IdSource& ids) -> Expected<store::ChangeSet> {
    made->key = {id, ids.next(now)};
    made->event = store::test_event;
    made->next_attempt_at = now;
    store::ChangeSet changes;
    store::put_notice(changes, {store::NoticeKind::test, made->key.id, 0, now, id});
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [made, reply](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    json::Writer out;
    write_delivery(out, *made);
    reply(json_reply(std::move(out).text()));
  });
}

void delete_webhook(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                    ReplyTo reply) {
  delete_record<Webhook>(context, call, reply, [](const Webhook& webhook) {
    store::ChangeSet changes;
    changes.erase(webhook);
    return changes;
  });
}

}  // namespace parley::http
