#include "convert/records/report.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

constexpr std::size_t text_chars_max = 200;

void write_became(json::Writer& out, const std::vector<std::string>& became) {
  if (became.empty()) return;
  out.key("became");
  if (became.size() == 1) {
    out.string(became[0]);
    return;
  }
  out.begin_array();
  for (const std::string& each : became) out.string(each);
  out.end_array();
}

std::string plural(std::size_t count, std::string_view word) {
  return std::to_string(count) + " " + std::string(word) + (count == 1 ? "" : "s");
}

}  // namespace

std::string_view word_of(Outcome outcome) {
  constexpr std::array<std::string_view, 4> words{"exact", "approximated", "not_mapped", "ignored"};
  return words[static_cast<std::size_t>(outcome)];
}

std::string_view word_of(ItemKind kind) {
  constexpr std::array<std::string_view, 6> words{"turn", "check", "log", "agent", "run", "other"};
  return words[static_cast<std::size_t>(kind)];
}

std::string cut(std::string_view text, std::size_t characters) {
  std::size_t seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && seen++ == characters) return std::string(text.substr(0, at));
  }
  return std::string(text);
}

void Report::add(const std::string& path, Place place, const Item& item) {
  json::Writer out;
  out.begin_object()
      .member("at", shown(path, place.line == 0 ? Place{1, 1} : place))
      .member("kind", word_of(item.kind));
  if (!item.test.empty()) out.member("test", item.test);
  if (!item.log.empty()) out.member("log", item.log);
  out.member("source", item.source);
  if (!item.text.empty()) out.member("text", cut(item.text, text_chars_max));
  out.member("outcome", word_of(item.outcome));
  write_became(out, item.became);
  if (!item.why.empty()) out.member("why", item.why);
  if (!item.needs.empty()) out.member("needs", item.needs);
  if (item.count != 1) out.key("count").integer(static_cast<std::int64_t>(item.count));
  out.end_object();
  lines_ += std::move(out).text();
  lines_ += '\n';
  items_ += item.count;
  counts_[static_cast<std::size_t>(item.outcome)] += item.count;
  added_[static_cast<std::size_t>(item.kind)] += item.count;
  if (!item.needs.empty()) needs_.insert(item.needs);
  if (item.outcome != Outcome::approximated && item.outcome != Outcome::not_mapped) return;
  const Row row{item.source, item.outcome, item.why};
  if (losses_.size() < loss_rows_max || losses_.contains(row)) losses_[row] += item.count;
}

bool Report::lost_an_item() const {
  for (std::size_t kind = 0; kind < std::size(found_); ++kind) {
    if (found_[kind] > added_[kind]) return true;
  }
  return false;
}

std::string summary_json(const Totals& totals, const Report& report, const Stored* stored) {
  const auto count = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  json::Writer out;
  out.begin_object().member("format", totals.format);
  out.key("files").integer(count(totals.files)).key("tests").integer(count(totals.tests));
  out.key("disabled").integer(count(totals.disabled)).key("turns").integer(count(totals.turns));
  out.key("logs").integer(count(totals.logs)).key("entries").begin_object();
  out.key("tester")
      .integer(count(totals.entries.tester))
      .key("chatbot")
      .integer(count(totals.entries.chatbot));
  out.key("tool")
      .integer(count(totals.entries.tool))
      .key("action")
      .integer(count(totals.entries.action))
      .end_object();
  out.key("items").integer(count(report.items()));
  for (const Outcome each : {Outcome::exact, Outcome::approximated, Outcome::not_mapped, Outcome::ignored}) {
    out.key(word_of(each)).integer(count(report.count(each)));
  }
  out.key("needs").begin_array();
  for (const std::string& need : report.needs()) out.string(need);
  out.end_array();
  if (stored != nullptr) {
    out.key("stored").begin_object().key("new").integer(count(stored->created));
    out.key("changed")
        .integer(count(stored->changed))
        .key("unchanged")
        .integer(count(stored->unchanged))
        .end_object();
  }
  out.end_object();
  return std::move(out).text();
}

std::string summary_line(const Totals& totals, const Report& report) {
  std::string line = totals.format + ": " + plural(totals.tests, "test");
  if (totals.disabled > 0) line += " (" + std::to_string(totals.disabled) + " disabled)";
  line += ", " + plural(totals.logs, "log") + "; " + plural(report.items(), "item") + ": ";
  line += std::to_string(report.count(Outcome::exact)) + " exact, ";
  line += std::to_string(report.count(Outcome::approximated)) + " approximated, ";
  line += std::to_string(report.count(Outcome::not_mapped)) + " not mapped, ";
  return line + std::to_string(report.count(Outcome::ignored)) + " ignored";
}

std::string table_for_people(const Report& report) {
  std::string out;
  for (const auto& [row, count] : report.losses()) {
    std::string head = row.outcome == Outcome::approximated ? "approximated" : "not mapped";
    head.resize(14, ' ');
    std::string number = std::to_string(count);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    out += head + number + "  " + cut(row.source, 60) + ": " + row.why + "\n";
  }
  if (report.needs().empty()) return out;
  out += "The agent must record:\n";
  for (const std::string& need : report.needs()) out += "  " + need + "\n";
  return out;
}

}  // namespace parley::convert
