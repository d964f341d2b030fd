// CSV for people: one row for each message, test or result.

#include "convert/exporting/csv_cells.hpp"
#include "convert/exporting/exporters.hpp"

namespace parley::convert {
namespace {

class CsvExporter : public Exporter {
 public:
  explicit CsvExporter(ExportedKind kind) : kind_(kind) {
    switch (kind) {
      case ExportedKind::logs:
        text_ = csv_row({"log", "number", "turn", "type", "role", "name", "text", "metadata"});
        break;
      case ExportedKind::tests:
        text_ = csv_row({"test", "enabled", "instruction", "assertions", "description"});
        break;
      case ExportedKind::results:
        text_ = csv_row(
            {"result", "test", "state", "score", "passed", "status", "ended", "turns", "failed assertions"});
        break;
    }
  }

  void add(const Node& record) override {
    switch (kind_) {
      case ExportedKind::logs: add_log(record); break;
      case ExportedKind::tests: add_test(record); break;
      case ExportedKind::results: add_result(record); break;
    }
  }

  std::string finish() override { return std::move(text_); }

 private:
  void row(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = for_spreadsheet(std::move(cell));
    text_ += csv_row(cells);
  }

  static std::string member(const Node& record, std::string_view key) {
    const Node* found = record.find(key);
    return found == nullptr ? std::string() : as_text(*found);
  }

  void add_log(const Node& record) {
    std::size_t number = 0;
    for (const Node& entry : record.list_of("conversation")) {
      const std::string metadata = member(entry, "metadata");
      row({record_name(record), std::to_string(++number), member(entry, "turn"), member(entry, "type"),
           member(entry, "role"), member(entry, "name"), member(entry, "content"),
           metadata == "{}" ? "" : metadata});
    }
  }

  void add_test(const Node& record) {
    row({record_name(record), member(record, "isEnabled"), member(record, "instruction"),
         member(record, "assertions"), member(record, "description")});
  }

  void add_result(const Node& record) {
    std::string failed;
    for (const Node& each : record.list_of("assertionResults")) {
      if (each.text_of("status") != "failed") continue;
      std::string name = each.text_of("name");
      if (name.empty()) name = each.text_of("type");
      failed += (failed.empty() ? "" : "; ") + name + ": " + each.text_of("reason");
    }
    const Node* test = record.find("test");
    row({record.text_of("id"),
         test != nullptr && test->is_map() ? test->text_of("name") : member(record, "test"),
         member(record, "state"), member(record, "score"), member(record, "overallPassed"),
         member(record, "status"), member(record, "endReason"), member(record, "turns"), failed});
  }

  ExportedKind kind_;
  std::string text_;
};

}  // namespace

std::unique_ptr<Exporter> make_csv(const ExportOptions& options, ExportReport& /*report*/) {
  return std::make_unique<CsvExporter>(options.kind);
}

}  // namespace parley::convert
