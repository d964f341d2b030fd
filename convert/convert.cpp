#include "convert/convert.hpp"

#include <algorithm>
#include <set>

#include "convert/formats.hpp"
#include "convert/output_files.hpp"
#include "convert/records/suite_writer.hpp"
#include "model/check.hpp"

namespace parley::convert {
namespace {

/// Largest file, in bytes, that is read to recognize its format.
constexpr std::size_t looked_at_bytes_max = 32UL * 1024 * 1024;

/// The content of a file. An archive is returned unchanged. nullopt: it is a folder, too large, or a fault was
/// added.
std::optional<Source> content_of(const std::string& path, Faults& faults) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  const auto bytes = Inputs(faults).bytes_of(path);
  if (!bytes || bytes->size() > looked_at_bytes_max) return std::nullopt;
  if (bytes->starts_with("PK")) return Source{path, *bytes};
  return source_of(path, *bytes, faults);
}

/// The format that the file looks like; null if no format fits or the file cannot be read.
const Format* format_of(const std::string& path) {
  Faults spare;
  const auto source = content_of(path, spare);
  std::error_code error;
  if (!source && !std::filesystem::is_directory(path, error)) return nullptr;
  return recognized(path, source ? source->text : "");
}

/// Adds the reason why no format was recognized: invalid JSON or YAML despite the extension, or an unknown shape.
void add_unrecognized(const std::string& path, Faults& faults) {
  const std::size_t before = faults.count();
  const std::string extension = extension_of(path);
  const auto source = content_of(path, faults);
  if (source && (extension == ".json" || is_yaml(path))) {
    static_cast<void>(parse_either(*source, faults));
  } else if (source && extension == ".jsonl") {
    for (const Part& line : json_lines(source->text))
      if (!parse_json(*source, line, faults)) break;
  }
  if (faults.count() == before) faults.add(path, "no format is recognized; name it with --from");
}

/// The single format of all PATHs for `--from auto`; null: a fault was added.
const Format* detected(const Options& options, Faults& faults) {
  const Format* found = nullptr;
  for (const std::string& path : options.paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
      faults.add(path, "no such file");
      continue;
    }
    const Format* format = format_of(path);
    if (format == nullptr) {
      add_unrecognized(path, faults);
    } else if (found != nullptr && found != format) {
      faults.add(path, "looks like " + std::string(format->name) + ", and the files before it like " +
                           std::string(found->name) + "; convert them one format at a time");
    } else {
      found = format;
    }
  }
  return found;
}

/// A note for each PATH that looks like another format than `asked`.
std::string hints(const Options& options, const Format& asked) {
  std::string out;
  for (const std::string& path : options.paths) {
    const Format* format = format_of(path);
    if (format == nullptr || format == &asked) continue;
    out += path + ": note: the file looks like " + std::string(format->name) + "; use --from " +
           std::string(format->name) + "\n";
  }
  return out;
}

/// A note for each PATH that gave no test and no log. The exit code is 0, so only the note reports it.
std::string notes_of_nothing(const Conversion& conversion) {
  std::string out;
  for (const Output& output : conversion.outputs()) {
    if (!output.suite.tests.empty() || output.logs > 0) continue;
    const bool has_losses = conversion.report.count(Outcome::not_mapped) > 0;
    out +=
        output.path + ": note: nothing could be converted; " +
        (has_losses ? "the report has the reasons\n" : "the file contains no tests and no conversations\n");
  }
  return out;
}

std::string file_stem(const std::string& path, std::set<std::string>& taken) {
  const std::string stem = stem_of(path);
  std::string name = stem;
  for (std::size_t number = 2; !taken.insert(name).second; ++number)
    name = stem + "-" + std::to_string(number);
  return name;
}

void make_files(const Conversion& conversion, Prepared& prepared) {
  const Options& options = conversion.options;
  const std::filesystem::path folder(options.folder);
  std::set<std::string> taken;
  std::string first_stem = stem_of(options.paths.front());
  for (const Output& output : conversion.outputs()) {
    const std::string stem = file_stem(output.path, taken);
    const std::string project =
        options.into.empty() ? slug_of(options.format + "-" + stem, options.format) : options.into;
    if (!output.suite.tests.empty()) {
      prepared.files.push_back(
          {MadeFile::Kind::suite, (folder / (stem + ".parley.yaml")).string(),
           suite_yaml(output.suite, project, options.format + " (" + base_name(output.path) + ")")});
    }
    if (!output.log_lines.empty()) {
      prepared.files.push_back(
          {MadeFile::Kind::logs, (folder / (stem + ".logs.jsonl")).string(), output.log_lines});
    }
  }
  const std::string report =
      options.report.empty() ? (folder / (first_stem + ".report.jsonl")).string() : options.report;
  prepared.files.push_back({MadeFile::Kind::report, report,
                            conversion.report.lines() + "{\"summary\":" +
                                summary_json(conversion.totals, conversion.report) + "}\n"});
}

}  // namespace

Prepared prepare(const Options& options) {
  Conversion conversion(options);
  return prepare(conversion);
}

Prepared prepare(Conversion& conversion) {
  const Options options = conversion.options;
  const Format* format =
      options.format == "auto" ? detected(options, conversion.faults) : find_format(options.format);
  if (format != nullptr && conversion.faults.empty()) {
    conversion.options.format = format->name;
    conversion.totals.format = format->name;
    format->import(conversion);
  }
  Prepared prepared;
  if (!conversion.faults.empty()) {
    prepared.faults = conversion.faults.text();
    if (format != nullptr) prepared.faults += hints(options, *format);
    return prepared;
  }
  CHECK(!conversion.report.lost_an_item());
  make_files(conversion, prepared);
  prepared.totals = std::move(conversion.totals);
  prepared.report = std::move(conversion.report);
  prepared.notes = std::move(conversion.notes) + notes_of_nothing(conversion);
  return prepared;
}

Ended write(Prepared&& prepared, const Options& options) {
  const auto faulty = [](std::string text) {
    return Ended{exit_faulty, {}, std::move(text) + "Nothing was written.\n"};
  };
  if (!prepared.faults.empty()) return faulty(std::move(prepared.faults));
  if (std::string fault = write_all(prepared.files, options.is_forced); !fault.empty())
    return faulty(std::move(fault));
  Ended ended;
  ended.out = (options.is_json ? summary_json(prepared.totals, prepared.report)
                               : summary_line(prepared.totals, prepared.report)) +
              "\n";
  ended.err = prepared.notes + table_for_people(prepared.report);
  const bool is_lossy =
      prepared.report.count(Outcome::approximated) + prepared.report.count(Outcome::not_mapped) > 0;
  ended.exit_code = options.is_strict && is_lossy ? exit_lossy : exit_done;
  return ended;
}

Ended convert(const Options& options) {
  return write(prepare(options), options);
}

}  // namespace parley::convert
