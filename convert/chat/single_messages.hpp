#pragma once
/// Rows that are single messages, `{role, content}`. They form one conversation for each conversation id, or one for
/// the file. One thread.

#include <map>
#include <string>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

class SingleMessages {
 public:
  void add(const Node& message);
  [[nodiscard]] bool empty() const { return conversations_.empty(); }
  /// The conversations in file order, as rows with `messages` and, if present, `id`.
  [[nodiscard]] std::vector<Node> rows() const;

 private:
  struct Conversation {
    std::string id;
    std::vector<Node> messages;
  };
  std::vector<Conversation> conversations_;
  std::map<std::string, std::size_t> places_;  ///< maps ids to positions in `conversations_`
};

}  // namespace parley::convert
