#pragma once
/// Exports records of a server to files of other tools. Pure: records in, text and report out. One thread.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The kind of records to export.
enum class ExportedKind : std::uint8_t { logs, tests, results };

/// The report of what an export omits.
class ExportReport {
 public:
  /// `record` is an externalId, a name or an id.
  void lose(const std::string& record, const std::string& what, const std::string& why);
  [[nodiscard]] const std::string& lines() const { return lines_; }
  /// One line for each kind of omission with its count; empty if nothing was omitted.
  [[nodiscard]] std::string table_for_people() const;

 private:
  std::string lines_;
  std::map<std::pair<std::string, std::string>, std::size_t> counts_;
};

struct ExportOptions {
  ExportedKind kind = ExportedKind::logs;
  bool is_plain = false;  ///< --plain: omits parley's own ids and metadata
};

/// Writes records one by one.
class Exporter {
 public:
  virtual ~Exporter() = default;
  /// Adds a record as the API returns it, including its conversation.
  virtual void add(const Node& record) = 0;
  /// Adds a record that other records refer to, from one of the lists `agents`, `personalities`, `scenarios` and
  /// `configurations`. Tables ignore it.
  virtual void add_context(std::string_view list, const Node& record);
  /// All text so far, including the end of the file.
  [[nodiscard]] virtual std::string finish() = 0;
};

struct ExportFormat {
  std::string_view name;
  std::string_view title;
  bool takes_logs;
  bool takes_tests;
  bool takes_results;
  std::unique_ptr<Exporter> (*make)(const ExportOptions& options, ExportReport& report);
};

/// The only table of export formats.
[[nodiscard]] std::span<const ExportFormat> export_formats();
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);

/// The name of a record for reports: its externalId, name or id.
[[nodiscard]] std::string record_name(const Node& record);

}  // namespace parley::convert
