#pragma once
/// Exports: records of a server as files of other tools. Pure: records in, text and report out. One thread.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// What is exported.
enum class ExportedKind : std::uint8_t { logs, tests, results };

/// What an export leaves out.
class ExportReport {
 public:
  /// `record` is an externalId, a name or an id.
  void lose(const std::string& record, const std::string& what, const std::string& why);
  [[nodiscard]] const std::string& lines() const { return lines_; }
  /// A line for each thing that was left out, with its count; empty if nothing was.
  [[nodiscard]] std::string table_for_people() const;

 private:
  std::string lines_;
  std::map<std::pair<std::string, std::string>, std::size_t> counts_;
};

struct ExportOptions {
  ExportedKind kind = ExportedKind::logs;
  bool is_plain = false;  ///< --plain: no ids and metadata of our own
};

/// Writes records one after the other.
class Exporter {
 public:
  virtual ~Exporter() = default;
  /// A record as the API answers it, its conversation included.
  virtual void add(const Node& record) = 0;
  /// A record that others refer to, from one of the lists `agents`, `personalities`, `scenarios` and `configurations`. Tables need none.
  virtual void add_context(std::string_view list, const Node& record);
  /// All text so far, with the end of the file.
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

/// THE table of export formats.
[[nodiscard]] std::span<const ExportFormat> export_formats();
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);

/// What a record is called: externalId, name or id.
[[nodiscard]] std::string record_name(const Node& record);

}  // namespace parley::convert
