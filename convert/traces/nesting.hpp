#pragma once
/// Finds model calls inside a tool call: they are made by an agent that another agent uses as a tool, and are not part
/// of the conversation with the user. Plain values.

#include <map>
#include <string>

namespace parley::convert {

class Nesting {
 public:
  /// Adds one span, observation or run. An empty parent: it is the root.
  void add(const std::string& id, std::string parent, bool is_tool);
  /// Whether one of its ancestors is a tool call.
  [[nodiscard]] bool is_in_tool(const std::string& id) const;

 private:
  struct Place {
    std::string parent;
    bool is_tool = false;
  };
  std::map<std::string, Place> places_;
};

}  // namespace parley::convert
