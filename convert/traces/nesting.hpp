#pragma once
/// Which calls of a model are made inside the call of a tool: those of an agent that another agent uses as a tool. They are not
/// the conversation with the user. Plain values.

#include <map>
#include <string>

namespace parley::convert {

class Nesting {
 public:
  /// One span, observation or run. An empty parent: it is the root.
  void add(const std::string& id, std::string parent, bool is_tool);
  /// Whether an ancestor of it is the call of a tool.
  [[nodiscard]] bool is_in_tool(const std::string& id) const;

 private:
  struct Place {
    std::string parent;
    bool is_tool = false;
  };
  std::map<std::string, Place> places_;
};

}  // namespace parley::convert
