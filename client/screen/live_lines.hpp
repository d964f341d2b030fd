#pragma once
/// Three lines at the bottom of a terminal that are redrawn in place. Each change is a single write, so that nothing
/// flickers. The alternate screen is not used, so that the scrollback is the log. Main thread.

#include <array>
#include <string>

#include "client/screen/terminal.hpp"

namespace parley::client {

struct Progress;

/// Returns the lines, each at most `columns` columns wide. Pure.
[[nodiscard]] std::array<std::string, 3> live_lines(const Progress& progress, const Terminal& terminal,
                                                    std::size_t columns);

class LiveLines {
 public:
  explicit LiveLines(const Terminal& terminal) : terminal_(terminal) {}

  /// Prints text above the lines, and redraws the lines below it.
  void print(const std::string& text);
  void show(const Progress& progress);
  void clear();

 private:
  [[nodiscard]] std::string erasure() const;

  Terminal terminal_;
  std::string drawn_;  ///< the lines as currently shown; empty: nothing is shown
};

}  // namespace parley::client
