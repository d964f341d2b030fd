#pragma once
/// Removes secrets from an agent's or model's answer before it is recorded (I67). Everything else stays
/// unchanged, because verdicts depend on it, and JSON stays JSON. Pure; any thread.

#include "model/json/json.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::outbound {

/// The secrets of one agent or endpoint. A secret that is a plain word of at most seven letters ("support",
/// "ollama") is not redacted here: it occurs by chance in messages, and a reader learns nothing from it. In
/// faults, it is redacted too.
class ReplyRedaction {
 public:
  explicit ReplyRedaction(const Secrets& secrets);

  /// Whether there are no secrets to search for.
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  void hide(std::string& text) const;
  /// Redacts keys and strings, as decoded; keys that would become equal get numbers. Numbers, and strings
  /// without a secret, stay as written (I58): digits of a number are not a key. Without a secret, every byte
  /// stays the same. False if the text is not JSON: it is then unchanged and must not be stored.
  [[nodiscard]] bool hide(json::Text& json) const;

 private:
  HiddenForms parts_;
};

}  // namespace parley::outbound
