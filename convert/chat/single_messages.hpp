#pragma once
/// Messages that are rows of their own, `{role, content}`: one conversation for each id that they name, or one for the file.
/// One thread.

#include <map>
#include <string>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

class SingleMessages {
 public:
  void add(const Node& message);
  [[nodiscard]] bool empty() const { return conversations_.empty(); }
  /// The conversations as rows with `messages` and, if they have one, `id`; in the order of the file.
  [[nodiscard]] std::vector<Node> rows() const;

 private:
  struct Conversation {
    std::string id;
    std::vector<Node> messages;
  };
  std::vector<Conversation> conversations_;
  std::map<std::string, std::size_t> places_;  ///< by id
};

}  // namespace parley::convert
