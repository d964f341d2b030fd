#include "convert/exporting/exporting.hpp"

#include <algorithm>
#include <array>

#include "convert/exporting/exporters.hpp"
#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

constexpr std::array table{
    ExportFormat{"jsonl", "everything, as JSON Lines", true, false, false, make_jsonl},
    ExportFormat{"openai-jsonl", "chat messages JSONL", true, false, true, make_openai_jsonl},
    ExportFormat{"adk", "a Google ADK eval set", true, false, true, make_adk},
    ExportFormat{"promptfoo-csv", "a table of tests for promptfoo", false, true, false, make_promptfoo_csv},
    ExportFormat{"yaml", "a suite file", false, true, false, make_suite},
    ExportFormat{"csv", "a table for people", true, true, true, make_csv},
};

}  // namespace

void ExportReport::lose(const std::string& record, const std::string& what, const std::string& why) {
  json::Writer out;
  out.begin_object().member("record", record).member("source", what).member("outcome", "not_mapped");
  out.member("why", why).end_object();
  lines_ += std::move(out).text() + "\n";
  ++counts_[{what, why}];
}

std::string ExportReport::table_for_people() const {
  std::string out;
  for (const auto& [what, count] : counts_) {
    out += "left out " + std::to_string(count) + "  " + what.first + ": " + what.second + "\n";
  }
  return out;
}

void Exporter::add_context(std::string_view /*list*/, const Node& /*record*/) {}

std::span<const ExportFormat> export_formats() {
  return table;
}

const ExportFormat* find_export_format(std::string_view name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const ExportFormat& each) { return each.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string record_name(const Node& record) {
  for (const std::string_view key : {"externalId", "name", "id"}) {
    if (std::string name = record.text_of(key); !name.empty()) return name;
  }
  return "record";
}

}  // namespace parley::convert
