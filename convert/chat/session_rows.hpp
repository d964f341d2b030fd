#pragma once
/// Sessions that coding agents record with one row for each event: Claude Code (`{type, message, sessionId}`) and Codex
/// (`{type: "response_item", payload}`). Their messages form one conversation; rows about the session itself are
/// counted. One thread.

#include <map>
#include <string>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Whether the row is an event of such a session.
[[nodiscard]] bool is_session_row(const Node& row);

class Session {
 public:
  Session(Conversion& conversion, const Source& source) : conversion_(conversion), source_(source) {}

  void add(const Node& row);
  [[nodiscard]] bool empty() const { return !is_found_; }
  /// The session as a row with `id` and `messages`. Reports the rows that are not messages.
  [[nodiscard]] Node row();

 private:
  struct Others {
    Place place;  ///< of the first such row
    std::size_t count = 0;
  };

  void ignore(const std::string& what, const Node& row);

  Conversion& conversion_;
  const Source& source_;
  bool is_found_ = false;
  std::string id_;
  std::vector<Node> messages_;
  std::map<std::string, Others> others_;  ///< by row type
};

}  // namespace parley::convert
