#pragma once
/// Removes secrets from an agent's or model's answer before it is recorded (I67), and leaves everything else
/// unchanged, because verdicts depend on it. Its JSON stays JSON. Pure; any thread.

#include "model/json/json.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::outbound {

/// The secrets of one agent or endpoint. A secret that is a plain word of at most seven letters ("support",
/// "ollama") is left alone here: it occurs by chance in messages, and a reader learns nothing from it. In
/// faults it is redacted as well.
class ReplyRedaction {
 public:
  explicit ReplyRedaction(const Secrets& secrets);

  /// There are no secrets to search for.
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  void hide(std::string& text) const;
  /// In keys and strings, as decoded; keys that would become equal get numbers. Numbers, and
  /// strings without a secret, stay as written (I58): digits of a number are not a key. Without a secret
  /// every byte stays. False if the text is not JSON: it is unchanged and must not be stored.
  [[nodiscard]] bool hide(json::Text& json) const;

 private:
  HiddenForms parts_;
};

}  // namespace parley::outbound
