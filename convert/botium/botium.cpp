#include "convert/botium/botium.hpp"

#include <algorithm>

#include "convert/botium/convo_test.hpp"
#include "convert/reading/csv.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Botium ignores files and conversations whose names begin with `skip`.
bool is_skipped(const std::string& name) {
  const std::string head = ascii::lower(name.substr(0, 5));
  return head == "skip." || head == "skip-" || head == "skip_";
}

void note_skipped(Conversion& conversion, const std::string& path, Place place, const std::string& name) {
  conversion.report.add(path, place, {.outcome = Outcome::ignored, .source = "skip", .text = name});
}

/// Reads one file into the library; spreadsheets are reported.
void read_file(Conversion& conversion, const std::string& path, ConvoLibrary& library) {
  if (extension_of(path) == ".xlsx") {
    conversion.report.add(path, {1, 1},
                          {.outcome = Outcome::not_mapped,
                           .source = "xlsx",
                           .why = "spreadsheets are not supported; save it as CSV"});
    return;
  }
  auto source = conversion.inputs.read(path);
  if (source) read_botium_file(conversion, std::move(*source), library);
}

/// Whether the file is a Botium file by its name or its content.
bool is_read(const std::string& path) {
  if (is_botium_file(path)) return true;
  if (!is_yaml(path) && extension_of(path) != ".json") return false;
  Faults spare;
  Inputs inputs(spare);
  const auto source = inputs.read(path);
  const auto tree = source ? parse_either(*source, spare) : std::nullopt;
  return tree && has_botium_keys(*tree);
}

/// Adds a test for each variation. False: a test was refused because the conversion reached its maximum, so all later
/// ones would be refused too.
bool add_variations(Conversion& conversion, const ConvoLibrary& library, const Convo& convo,
                    const std::vector<Variation>& variations) {
  const std::size_t faults = conversion.faults.count();
  for (const Variation& each : variations) {
    add_convo_test(conversion, library, convo, each);
    if (conversion.faults.count() > faults) return false;
  }
  return true;
}

void add_tests(Conversion& conversion, const ConvoLibrary& library, const std::string* only) {
  for (const Convo& convo : library.convos) {
    if (only != nullptr && convo.source->path != *only) continue;
    if (is_skipped(convo.name)) {
      note_skipped(conversion, convo.source->path, convo.place, convo.name);
      continue;
    }
    const auto whole = inlined(conversion, library, convo);
    if (!whole) continue;
    if (!add_variations(conversion, library, *whole, variations_of(conversion, library, *whole))) return;
    if (conversion.faults.count() > Faults::shown_max) return;
  }
}

void import_folder(Conversion& conversion, const std::string& path) {
  ConvoLibrary library;
  conversion.begin_output(path, stem_of(path));
  for (const std::string& file : conversion.inputs.files_below(path, is_botium_file)) {
    if (is_botium_settings(file)) {
      if (const auto settings = conversion.inputs.read(file))
        read_botium_settings(conversion, *settings, library.custom);
    }
    if (!is_read(file)) continue;
    if (const std::string name = std::filesystem::path(file).filename().string(); is_skipped(name)) {
      note_skipped(conversion, file, {1, 1}, name);
    } else {
      read_file(conversion, file, library);
    }
  }
  if (!conversion.faults.empty()) return;
  add_tests(conversion, library, nullptr);
  if (library.convos.empty() && conversion.report.items() == 0 && conversion.faults.empty()) {
    conversion.faults.add(path,
                          "there is no conversation (*.convo.txt, .csv, .yaml, .yml or .json) in the folder; "
                          "Markdown and Excel files are not read");
  }
}

/// Whether the text is a table of messages: `conversationId,sender,text`, sent by me or bot.
bool has_message_columns(const std::string& path, std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  if (extension_of(path) != ".csv" || header.find("conversationId") == std::string_view::npos) return false;
  Faults spare;
  const auto table = parse_csv({path, std::string(text)}, spare);
  const auto sender = table ? table->column("sender") : std::nullopt;
  if (!sender || !table->column("conversationId") || !table->column("text") || table->rows.empty())
    return false;
  const std::string first = ascii::lower(table->rows.front()[*sender].text);
  return first == "me" || first == "bot";
}

}  // namespace

void import_botium(Conversion& conversion) {
  ConvoLibrary files;
  std::vector<std::string> single;
  for (const std::string& path : conversion.options.paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      import_folder(conversion, path);
    } else {
      single.push_back(path);
      read_file(conversion, path, files);
    }
  }
  if (!conversion.faults.empty()) return;
  for (const std::string& path : single) {
    const bool has_convos = std::any_of(files.convos.begin(), files.convos.end(),
                                        [&](const Convo& each) { return each.source->path == path; });
    if (!has_convos) continue;
    conversion.begin_output(path, stem_of(path));
    add_tests(conversion, files, &path);
  }
  if (!single.empty() && files.convos.empty() && conversion.faults.empty()) {
    conversion.faults.add(single.front(), "there is no conversation in the files");
  }
}

int looks_like_botium(const std::string& path, std::string_view text, const Node* head) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    Faults spare;
    Inputs inputs(spare);
    const std::vector<std::string> files = inputs.files_below(path, is_botium_file);
    return std::any_of(files.begin(), files.end(), is_read) ? 80 : 0;
  }
  if (has_message_columns(path, text)) return 70;
  if (is_botium_file(path) || (head != nullptr && !head->list_of("convos").empty())) return 80;
  return head == nullptr && text.find("\n#me") != std::string_view::npos ? 70 : 0;
}

}  // namespace parley::convert
