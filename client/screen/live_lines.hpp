#pragma once
/// Three lines at the bottom of a terminal that are redrawn in place: one write for each change, so nothing flickers, and no
/// other screen, so the scrollback is the log. Main thread.

#include <array>
#include <string>

#include "client/screen/terminal.hpp"

namespace parley::client {

struct Progress;

/// The lines, each of at most `columns` columns. Pure.
[[nodiscard]] std::array<std::string, 3> live_lines(const Progress& progress, const Terminal& terminal,
                                                    std::size_t columns);

class LiveLines {
 public:
  explicit LiveLines(const Terminal& terminal) : terminal_(terminal) {}

  /// Text above the lines, which are redrawn below it.
  void print(const std::string& text);
  void show(const Progress& progress);
  void clear();

 private:
  [[nodiscard]] std::string erasure() const;

  Terminal terminal_;
  std::string drawn_;  ///< the lines as currently shown; empty: none
};

}  // namespace parley::client
