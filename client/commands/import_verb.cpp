// `import`: converts and stores in one step, or stores the files that `convert` wrote.

#include "client/commands/convert_options.hpp"
#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/report/sentences.hpp"
#include "client/storing/importing.hpp"
#include "client/suite/compiled_suite.hpp"
#include "client/verbs/sessions.hpp"
#include "convert/convert.hpp"
#include "convert/formats.hpp"
#include "convert/output_files.hpp"
#include "convert/reading/inputs.hpp"

namespace parley::client {
namespace {

std::string stored_words(const convert::Stored& stored) {
  return "; stored: " + std::to_string(stored.created) + " new, " + std::to_string(stored.changed) +
         " changed, " + std::to_string(stored.unchanged) + " unchanged";
}

/// Reports faults of the input or of the report file, and returns the exit code.
int refused(std::string text) {
  write_text(2, std::move(text) + "Nothing was written.\n");
  return exit_wrong_use;
}

Expected<Done> store_files(Api& api, const std::vector<convert::MadeFile>& files, convert::Stored& stored) {
  for (const convert::MadeFile& file : files) {
    if (file.kind == convert::MadeFile::Kind::logs)
      TRY_DONE(store_logs(api, file.path, file.content, stored));
  }
  for (const convert::MadeFile& file : files) {
    if (file.kind == convert::MadeFile::Kind::suite) TRY_DONE(store_suite(api, file.content, stored));
  }
  return Done{};
}

int failed_to_store(const Invocation& call, const Problem& problem) {
  if (problem.kind != ProblemKind::conflict && problem.kind != ProblemKind::invalid_body)
    return failed(call, problem);
  write_text(2, "parley import: error: " + problem.detail + "\n");
  return exit_wrong_use;
}

int import_converted(const Invocation& call) {
  const convert::Options options = convert_options(call);
  if (const std::string fault = convert_fault(options); !fault.empty()) return wrong_use(call, fault);
  const convert::Prepared prepared = convert::prepare(options);
  if (!prepared.faults.empty()) return refused(prepared.faults);
  auto open = open_session(call, ServerPreference::last_login, SessionOptions{});
  if (!open) return failed(call, open.problem());
  convert::Stored stored;
  const auto done = store_files(*open->api, prepared.files, stored);
  if (!done) return failed_to_store(call, done.problem());
  if (call.has("report")) {
    const std::string fault = convert::write_all({prepared.files.back()}, options.is_forced);
    if (!fault.empty()) return refused(fault);
  }
  const bool is_json = options.is_json;
  write_text(1, (is_json ? convert::summary_json(prepared.totals, prepared.report, &stored)
                         : convert::summary_line(prepared.totals, prepared.report) + stored_words(stored)) +
                    "\n");
  write_text(2, prepared.notes + convert::table_for_people(prepared.report));
  const bool is_lossy = prepared.report.count(convert::Outcome::approximated) +
                            prepared.report.count(convert::Outcome::not_mapped) >
                        0;
  return options.is_strict && is_lossy ? convert::exit_lossy : convert::exit_done;
}

/// Whether `convert` writes files of this kind. With --logs, any kind is accepted.
bool is_made_file(const Invocation& call, const std::string& path) {
  const std::string extension = convert::extension_of(path);
  return call.has("logs") || convert::is_yaml(path) || extension == ".jsonl" || extension == ".ndjson" ||
         extension == ".json";
}

/// Says why the file is not a suite; empty if it is one.
std::string fault_of_suite(const std::string& path, const std::string& text) {
  LoadOptions options;
  options.paths = {path};
  options.folder = ".";
  if (!load_suites(options).suites.empty()) return "";
  const convert::Format* format = convert::recognized(path, text);
  return format == nullptr
             ? "is not a suite of parley; `parley validate` lists its errors. If another tool wrote it, "
               "name the tool with --from"
             : "is not a suite of parley: it looks like " + std::string(format->name) + "; add --from " +
                   std::string(format->name);
}

int import_made_files(const Invocation& call) {
  if (call.arguments().empty())
    return wrong_use(call, "name the files to store, or --from and the files to convert");
  convert::Faults faults;
  convert::Inputs inputs(faults);
  std::vector<convert::MadeFile> files;
  for (const std::string& path : call.arguments()) {
    auto source = inputs.read(path);
    if (!source) continue;
    if (!is_made_file(call, path)) {
      faults.add(path,
                 "is neither a suite (.yaml) nor logs (.jsonl); name the tool that wrote it with --from");
      continue;
    }
    const bool is_suite = !call.has("logs") && convert::is_yaml(path);
    if (const std::string fault = is_suite ? fault_of_suite(path, source->text) : ""; !fault.empty()) {
      faults.add(path, fault);
      continue;
    }
    files.push_back({is_suite ? convert::MadeFile::Kind::suite : convert::MadeFile::Kind::logs, path,
                     std::move(source->text)});
  }
  if (!faults.empty()) return refused(faults.text());
  auto open = open_session(call, ServerPreference::last_login, SessionOptions{});
  if (!open) return failed(call, open.problem());
  convert::Stored stored;
  const auto done = store_files(*open->api, files, stored);
  if (!done) return failed_to_store(call, done.problem());
  const std::string json = "{\"stored\":{\"new\":" + std::to_string(stored.created) +
                           ",\"changed\":" + std::to_string(stored.changed) +
                           ",\"unchanged\":" + std::to_string(stored.unchanged) + "}}";
  write_text(1, (call.has("json") ? json
                                  : counted(static_cast<std::int64_t>(files.size()), "file", "files") +
                                        stored_words(stored)) +
                    "\n");
  return exit_done;
}

}  // namespace

int import_verb(const Invocation& call) {
  return call.has("from") ? import_converted(call) : import_made_files(call);
}

}  // namespace parley::client
