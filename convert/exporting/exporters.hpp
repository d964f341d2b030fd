#pragma once
/// Factories of the exporters, one for each format in the table. Each exporter has state and belongs to one thread.

#include "convert/exporting/exporting.hpp"

namespace parley::convert {

[[nodiscard]] std::unique_ptr<Exporter> make_jsonl(const ExportOptions& options, ExportReport& report);
[[nodiscard]] std::unique_ptr<Exporter> make_openai_jsonl(const ExportOptions& options, ExportReport& report);
[[nodiscard]] std::unique_ptr<Exporter> make_adk(const ExportOptions& options, ExportReport& report);
[[nodiscard]] std::unique_ptr<Exporter> make_promptfoo_csv(const ExportOptions& options,
                                                           ExportReport& report);
[[nodiscard]] std::unique_ptr<Exporter> make_suite(const ExportOptions& options, ExportReport& report);
[[nodiscard]] std::unique_ptr<Exporter> make_csv(const ExportOptions& options, ExportReport& report);

}  // namespace parley::convert
