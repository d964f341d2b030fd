#pragma once
/// Converts a text in memory as a single file.

#include <string>
#include <utility>
#include <vector>

#include "convert/convert.hpp"
#include "convert/formats.hpp"

namespace parley::convert {

struct Converted {
  Prepared prepared;
  std::string suite;   ///< YAML; empty if there are no tests
  std::string logs;    ///< JSON Lines
  std::string report;  ///< JSON Lines without the summary
};

inline Converted convert_text(Options options, const std::string& text) {
  Conversion conversion(options);
  conversion.inputs.give(options.paths.front(), text);
  Converted converted{prepare(conversion), {}, {}, {}};
  for (const MadeFile& file : converted.prepared.files) {
    if (file.kind == MadeFile::Kind::suite) converted.suite = file.content;
    if (file.kind == MadeFile::Kind::logs) converted.logs = file.content;
  }
  converted.report = converted.prepared.report.lines();
  return converted;
}

inline Converted convert_text(const std::string& format, const std::string& path, const std::string& text) {
  Options options;
  options.format = format;
  options.paths = {path};
  return convert_text(options, text);
}

/// Converts the first of several files; it may refer to the others.
inline Prepared convert_texts(const std::string& format,
                              const std::vector<std::pair<std::string, std::string>>& files) {
  Options options;
  options.format = format;
  options.paths = {files.front().first};
  Conversion conversion(options);
  for (const auto& [path, text] : files) conversion.inputs.give(path, text);
  return prepare(conversion);
}

/// Converts the text with the format that `--from auto` detects.
inline Converted convert_recognized(const std::string& path, const std::string& text) {
  const Format* format = recognized(path, text);
  return format == nullptr ? Converted{} : convert_text(std::string(format->name), path, text);
}

}  // namespace parley::convert
