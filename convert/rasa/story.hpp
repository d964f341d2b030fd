#pragma once
/// Rasa test stories: user inputs and bot actions, from YAML or Markdown. One thread.

#include "convert/rasa/domain.hpp"

namespace parley::convert {

/// Builds the test of a story while the steps are read.
class StoryReader {
 public:
  StoryReader(Conversion& conversion, const Source& source, const Domain& domain, const std::string& name,
              Place place);

  /// Adds a user turn. If the text is empty, the user says the intent as `/intent{entities}`.
  void user(const std::string& text, const std::string& intent, const std::string& entities, Place place);
  void action(const std::string& name, Place place);
  /// Adds a step with the bot's text.
  void bot(const std::string& text, Place place);
  /// Counts inputs of the policy: `intent`, `entity`, `slot_was_set`, `active_loop`.
  void input(const std::string& kind, std::size_t count = 1) { inputs_[kind] += count; }
  /// Reports a step that cannot be played, such as `checkpoint` or `or`.
  void lost(const std::string& kind, const std::string& text, Place place,
            const std::string& why = "a test is one conversation");
  void finish();

 private:
  Conversion& conversion_;
  const Source& source_;
  const Domain& domain_;
  Place place_;
  TestDraft draft_;
  std::size_t turns_ = 0;
  std::optional<Place> opening_;  ///< place of the bot's first text, if it precedes the first user turn
  std::map<std::string, std::size_t> inputs_;
};

void add_stories(Conversion& conversion, const Source& source, const Node& stories, const Domain& domain);
/// Whether a heading of a Markdown file begins training data, such as `## intent:greet`.
[[nodiscard]] bool is_training_heading(std::string_view heading);
void add_markdown_stories(Conversion& conversion, const Source& source, const Domain& domain);

}  // namespace parley::convert
