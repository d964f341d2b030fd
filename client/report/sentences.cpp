#include "client/report/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "client/report/safe_text.hpp"
#include "client/report/transcript.hpp"

namespace parley::client {
namespace {

std::string faults_by_source(const Report& report) {
  std::map<std::string, std::int64_t> sources;
  for (const ResultRow& each : report.results)
    if (each.state == CaseState::fault) ++sources[fault_source_of(each)];
  std::string text;
  for (const auto& [source, count] : sources)
    text += ", " + counted(count, one_line(source) + " fault", one_line(source) + " faults");
  return text;
}

bool is_running(const Report& report) {
  return std::any_of(report.runs.begin(), report.runs.end(),
                     [](const RunRow& each) { return each.status == "running" || each.status == "pending"; });
}

/// Cents, with two more digits for less than ten cents.
int digits_of(double usd) {
  return usd < 0.1 ? 4 : 2;
}

}  // namespace

std::string money(double usd) {
  return usd <= 0 ? "" : fmt::format("${:.{}f}", usd, digits_of(usd));
}

std::string money_of(double usd, double usd_max) {
  return fmt::format("${:.{}f} of {:.{}f}", usd, digits_of(usd_max), usd_max, digits_of(usd_max));
}

std::string counted(std::int64_t count, std::string_view one, std::string_view several) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : several);
}

std::string duration_words(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

std::optional<double> p95_seconds(const std::vector<const ResultRow*>& results) {
  std::vector<double> times;
  for (const ResultRow* each : results)
    times.insert(times.end(), each->response_ms.begin(), each->response_ms.end());
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(times.size())));
  return times[std::max<std::size_t>(rank, 1) - 1] / 1000;
}

std::string sentence_of(const Report& report) {
  const Counts counts = counts_of(report.results);
  std::string text;
  if (const auto rate = pass_rate_of(counts)) {
    const scoring::Interval interval = scoring::wilson({counts.decided(), counts.passed});
    text = fmt::format("{} of {} decided passed, {:.0f} % ({:.0f}–{:.0f}).", counts.passed, counts.decided(),
                       100 * *rate, 100 * interval.low, 100 * interval.high);
  } else {
    text = fmt::format("Nothing was decided in {}.", counted(counts.cases, "case", "cases"));
  }
  std::string open;
  if (counts.failed > 0) open += ", " + counted(counts.failed, "answer wrong", "answers wrong");
  if (counts.undecided > 0) open += ", " + std::to_string(counts.undecided) + " undecided";
  open += faults_by_source(report);
  if (counts.canceled > 0) open += ", " + std::to_string(counts.canceled) + " canceled";
  if (counts.missing > 0)
    open += ", " + std::to_string(counts.missing) + (is_running(report) ? " live" : " not played");
  if (!open.empty()) text += " " + open.substr(2) + fmt::format(": coverage {:.2f}.", coverage_of(counts));
  if (report.usd.total() > 0) {
    const int digits = digits_of(report.usd.total());
    const auto part = [&](double usd) {
      return usd > 0 ? fmt::format("{:.{}f}", usd, digits) : std::string("0");
    };
    text += fmt::format(" {} (agent {}, tester {}, judge {})", money(report.usd.total()),
                        part(report.usd.agent), part(report.usd.tester), part(report.usd.judge));
  }
  return text;
}

std::string decision_sentence(const Report& report) {
  const std::string text(word_of(report.decision));
  std::string reasons;
  std::string subject;  // `against last-green 0197e1: ` in the previous reason
  for (const std::string& each : report.reasons) {
    const bool is_same = !subject.empty() && each.starts_with(subject);
    const std::string_view own = std::string_view(each).substr(is_same ? subject.size() : 0);
    reasons += (reasons.empty() ? ": " : is_same ? ", " : "; ") + one_line(own);
    const std::size_t colon = each.starts_with("against ") ? each.find(": ") : std::string::npos;
    subject = colon == std::string::npos ? "" : each.substr(0, colon + 2);
  }
  return text + reasons;
}

}  // namespace parley::client
