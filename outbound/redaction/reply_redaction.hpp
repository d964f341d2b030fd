#pragma once
/// Takes secrets out of what an agent or a model said before it is recorded as its words (I67), and leaves everything else
/// as it was said, for verdicts depend on it. The JSON of it stays JSON. Pure; any thread.

#include "outbound/redaction/redaction.hpp"

namespace parley::outbound {

/// The secrets of one agent or endpoint. A secret that is a plain word of at most seven letters ("support", "ollama") is left
/// alone here: it stands by chance in what is said, and whoever reads it learns nothing. In faults it is masked as well.
class ReplyRedaction {
 public:
  explicit ReplyRedaction(const Secrets& secrets);

  /// There is nothing to look for.
  [[nodiscard]] bool empty() const { return parts_.empty(); }

  void hide(std::string& text) const;
  /// In keys and strings, as they read decoded; keys that would become the same get numbers. Numbers, and strings without a
  /// secret, stay as they were spelt (I58): digits of a number are no key. Where there is no secret every byte stays. False
  /// where the text is no JSON: it is as it was, and must not be kept.
  [[nodiscard]] bool hide(json::Text& json) const;

 private:
  Untold parts_;
};

}  // namespace parley::outbound
