#pragma once
/// Webhooks: addresses that the service reports events to (D153). The secret is write-only and stored as
/// ciphertext. Plain values.

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley {

enum class WebhookEvent : std::uint8_t { run_ended, gate_red, result_failed };
template <>
struct Words<WebhookEvent> {
  static constexpr std::array<std::string_view, 3> all{"run.ended", "gate.red", "result.failed"};
};

/// The format of the body.
enum class WebhookFormat : std::uint8_t { standard, slack };
template <>
struct Words<WebhookFormat> {
  static constexpr std::array<std::string_view, 2> all{"standard", "slack"};
};

struct Webhook {
  Stamp stamp;
  std::string name;
  std::string url;
  std::vector<WebhookEvent> events;
  std::optional<std::string> secret;
  WebhookFormat format = WebhookFormat::standard;
  bool is_enabled = true;
  std::optional<Ref<RecordKind::user>> owner;
  std::optional<Time> failing_since;
  std::optional<Time> disabled_at;
  std::optional<std::string> disabled_reason;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::webhook;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max},
            "The display name of the webhook.");
    v.field("url", self.url,
            Rules{.required = true, .chars_max = limits::webhook_url_chars_max, .never_empty = true},
            "Where events are sent with POST.");
    v.field("events", self.events, Rules{.items_max = Words<WebhookEvent>::all.size(), .never_empty = true},
            "run.ended, gate.red, result.failed; all of them where absent.");
    v.field("secret", self.secret, Rules{.chars_max = limits::webhook_secret_chars_max, .never_empty = true},
            "Signs each request; `whsec_` and base64, or any text. Write-only: reads show \"***\".");
    v.field("format", self.format, Rules{}, "standard: an event as JSON; slack: a text for a Slack channel.");
    v.field("isEnabled", self.is_enabled, Rules{}, "Whether events are sent.");
    v.field("owner", self.owner, Rules{.access = Access::service},
            "The user whose API key created the record.");
    v.field("failingSince", self.failing_since, Rules{.access = Access::service},
            "When the current series of failures began.");
    v.field("disabledAt", self.disabled_at, Rules{.access = Access::service},
            "When the service disabled it.");
    v.field("disabledReason", self.disabled_reason, Rules{.access = Access::service},
            "Why the service disabled it.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
  }
};

}  // namespace parley
