#pragma once
/// Test stories of Rasa: inputs of the user and actions of the bot, from YAML or Markdown. One thread.

#include "convert/rasa/domain.hpp"

namespace parley::convert {

/// Adds a story while its steps are read.
class StoryReader {
 public:
  StoryReader(Conversion& conversion, const Source& source, const Domain& domain, const std::string& name,
              Place place);

  /// What the user says; empty text: the intent is said as `/intent{entities}`.
  void user(const std::string& text, const std::string& intent, const std::string& entities, Place place);
  void action(const std::string& name, Place place);
  /// A step with the text that the bot says.
  void bot(const std::string& text, Place place);
  /// Inputs of the policy, counted: `intent`, `entity`, `slot_was_set`, `active_loop`.
  void input(const std::string& kind, std::size_t count = 1) { inputs_[kind] += count; }
  /// What cannot be played: `checkpoint`, `or`.
  void lost(const std::string& kind, const std::string& text, Place place);
  void finish();

 private:
  Conversion& conversion_;
  const Source& source_;
  const Domain& domain_;
  Place place_;
  TestDraft draft_;
  std::size_t turns_ = 0;
  std::optional<Place> opening_;  ///< of the first words of the bot, if the user says nothing before
  std::map<std::string, std::size_t> inputs_;
};

void add_stories(Conversion& conversion, const Source& source, const Node& stories, const Domain& domain);
void add_markdown_stories(Conversion& conversion, const Source& source, const Domain& domain);

}  // namespace parley::convert
