#include "client/screen/live_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "client/report/safe_text.hpp"
#include "client/report/sentences.hpp"
#include "client/screen/screen.hpp"

namespace parley::client {
namespace {

constexpr std::size_t bar_columns = 20;

std::string bar_of(const Progress& progress) {
  const double share = progress.total == 0
                           ? 1
                           : static_cast<double>(progress.ended.cases) / static_cast<double>(progress.total);
  const auto full = static_cast<std::size_t>(std::floor(share * bar_columns));
  std::string bar;
  for (std::size_t i = 0; i < bar_columns; ++i) bar += i < full ? "█" : "░";
  return bar;
}

/// Estimates the time left from the pace so far; empty until a case has ended.
std::string time_left(const Progress& progress) {
  if (progress.ended.cases == 0 || progress.ended.cases >= progress.total) return "";
  const double left = progress.seconds * static_cast<double>(progress.total - progress.ended.cases) /
                      static_cast<double>(progress.ended.cases);
  const auto seconds = static_cast<std::int64_t>(left + 0.5);
  return fmt::format("   eta {}:{:02}", seconds / 60, seconds % 60);
}

}  // namespace

std::array<std::string, 3> live_lines(const Progress& progress, const Terminal& terminal,
                                      std::size_t columns) {
  const Counts& ended = progress.ended;
  std::array<std::string, 3> lines;
  lines[0] = fmt::format(" {}  {}/{}  ✓ {}  ✗ {}  ? {}  ! {}", bar_of(progress), ended.cases, progress.total,
                         ended.passed, ended.failed, ended.undecided, ended.faults);
  lines[1] =
      progress.live == 0 ? (ended.cases == 0 ? " starting" : "") : fmt::format(" {} live", progress.live);
  if (progress.live > 0 && !progress.oldest_label.empty())
    lines[1] += fmt::format(", oldest {} in turn {}: {}", duration_words(progress.oldest_seconds),
                            progress.oldest_turn, one_line(progress.oldest_label));
  std::string cost = money(progress.usd);
  if (progress.usd_max) cost = money_of(progress.usd, *progress.usd_max);
  lines[2] =
      " " + duration_words(progress.seconds) + (cost.empty() ? "" : "   " + cost) + time_left(progress);
  for (std::string& each : lines) {
    if (!terminal.is_utf8) each = in_ascii(each);
    each = fitted(each, columns > 1 ? columns - 1 : columns, terminal.is_utf8);
  }
  return lines;
}

std::string LiveLines::erasure() const {
  // Move up three lines and erase everything below.
  return drawn_.empty() ? "" : "\x1b[3A\r\x1b[J";
}

void LiveLines::print(const std::string& text) {
  write_text(terminal_.descriptor, erasure() + text + drawn_);
}

void LiveLines::show(const Progress& progress) {
  if (is_narrow(terminal_)) {
    clear();
    return;
  }
  std::string next;
  for (const std::string& each : live_lines(progress, terminal_, columns_now(terminal_))) next += each + "\n";
  if (next == drawn_) return;
  // Each line is overwritten and its rest erased, so that the lines never disappear.
  std::string out = drawn_.empty() ? "" : "\x1b[3A\r";
  for (std::size_t begin = 0; begin < next.size();) {
    const std::size_t end = next.find('\n', begin);
    out += next.substr(begin, end - begin) + "\x1b[K\n";
    begin = end + 1;
  }
  write_text(terminal_.descriptor, out);
  drawn_ = next;
}

void LiveLines::clear() {
  if (drawn_.empty()) return;
  write_text(terminal_.descriptor, erasure());
  drawn_.clear();
}

}  // namespace parley::client
