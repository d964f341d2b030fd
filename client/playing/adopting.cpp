#include "client/playing/adopting.hpp"

#include <algorithm>
#include <map>

#include "client/files/file_edit.hpp"
#include "client/files/suite_sources.hpp"
#include "client/remote/api.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"

namespace parley::client {
namespace {

/// Returns the instruction without the line that was generated from `max-turns`.
std::string text_of_instruction(std::string text, const CompiledTest* test) {
  if (test == nullptr || !test->max_turns) return text;
  const std::string line = "max turns: " + std::to_string(*test->max_turns) + "\n";
  return text.starts_with(line) ? text.substr(line.size()) : text;
}

class Adoption {
 public:
  Adoption(const CompiledSuite& suite, const std::vector<std::filesystem::path>& files)
      : suite_(suite), files_(files) {}

  Expected<Adopted> run(const json::Value& answer) {
    for (const json::Value& change : items_of(answer, "changedElsewhere")) take(change);
    for (auto& [name, edit] : edits_) {
      const std::string after = edit.edit.text();
      if (after == edit.before) continue;
      TRY_DONE(write_whole(edit.path, after));
      adopted_.changed_files = true;
      adopted_.text += "wrote " + one_line(name) + "\n";
    }
    return std::move(adopted_);
  }

 private:
  struct OpenFile {
    std::filesystem::path path;
    std::string before;
    FileEdit edit;
  };

  /// Returns the open file of the place; reads each file once. Null: the file is not part of the suite, or is
  /// malformed.
  OpenFile* file_of(const FilePlace& place) {
    if (const auto known = edits_.find(place.file); known != edits_.end()) return &known->second;
    for (const std::filesystem::path& each : files_) {
      if (each.filename() != std::filesystem::path(place.file).filename()) continue;
      const auto text = content_of(each, suite_bytes_max);
      if (!text) continue;
      auto edit = FileEdit::of(place.file, *text);
      if (!edit) return nullptr;
      return &edits_.emplace(place.file, OpenFile{each, *text, std::move(*edit)}).first->second;
    }
    return nullptr;
  }

  void refuse(const FilePlace& place, const std::string& record, const std::string& field,
              const std::string& why) {
    adopted_.is_complete = false;
    adopted_.text += place.file + ":" + std::to_string(place.line) + ": " + record + ": " + one_line(field) +
                     " was not adopted: " + why + "; edit it by hand\n";
  }

  void take(const json::Value& change) {
    const auto found = suite_.pointers.find(text_at(change, "pointer"));
    const std::string record = text_at(change, "type") + " \"" + one_line(text_at(change, "key")) + "\"";
    const FilePlace place = found == suite_.pointers.end() ? suite_.place : found->second;
    OpenFile* file = file_of(place);
    const source::Node* mapping = file == nullptr ? nullptr : file->edit.mapping_at(place.line, place.column);
    for (const json::Value& field : items_of(change, "fields")) {
      const std::string name = text_at(field, "pointer").substr(1);
      if (mapping == nullptr) {
        refuse(place, record, name, "its place in the files is not known");
        continue;
      }
      const auto done = set(*file, *mapping, change, field);
      if (!done) {
        refuse(place, record, name, done.problem().detail);
      } else {
        adopted_.text += "adopted " + record + ": " + name + "\n";
      }
    }
  }

  static Expected<Done> set(OpenFile& file, const source::Node& mapping, const json::Value& change,
                            const json::Value& field, const CompiledTest* test) {
    const std::string name = text_at(field, "pointer").substr(1);
    const auto now = field.find("now");
    const bool is_test = text_at(change, "type") == "test";
    const bool is_text = now && now->is(json::Kind::string);
    if (is_test && name == "instruction" && is_text) {
      const char* key = mapping.find("goal") != nullptr ? "goal" : "script";
      return file.edit.set_text(mapping, key, text_of_instruction(std::string(now->string()), test));
    }
    if (is_text && is_test && name == "name") return set_name(file, mapping, now->string(), test);
    if (is_text && (name == "description" || name == "instruction"))
      return file.edit.set_text(mapping, name, now->string());
    if (is_test && name == "isEnabled" && now) return file.edit.set_json(mapping, "enabled", now->raw());
    if (is_test && (name == "tags" || name == "fields") && now && !now->is(json::Kind::null))
      return file.edit.set_json(mapping, name, now->compact().text);
    return problem(ProblemKind::invalid_parameter, "suite files express it differently");
  }

  /// A test without a key derives it from its name. The key is written down before the name changes, so that the test
  /// keeps its record and history.
  static Expected<Done> set_name(OpenFile& file, const source::Node& mapping, std::string_view name,
                                 const CompiledTest* test) {
    if (mapping.find("key") == nullptr) {
      if (test == nullptr || test->record_key != test->key)
        return problem(ProblemKind::invalid_parameter, "its key comes from the name");
      TRY_DONE(file.edit.set_text(mapping, "key", test->key));
    }
    return file.edit.set_text(mapping, "name", name);
  }

  Expected<Done> set(OpenFile& file, const source::Node& mapping, const json::Value& change,
                     const json::Value& field) const {
    const std::string key = text_at(change, "key");
    const auto test = std::find_if(suite_.tests.begin(), suite_.tests.end(),
                                   [&](const CompiledTest& each) { return each.record_key == key; });
    return set(file, mapping, change, field, test == suite_.tests.end() ? nullptr : &*test);
  }

  const CompiledSuite& suite_;
  const std::vector<std::filesystem::path>& files_;
  std::map<std::string, OpenFile> edits_;
  Adopted adopted_;
};

}  // namespace

Expected<Adopted> adopt(const CompiledSuite& suite, const std::vector<std::filesystem::path>& files,
                        const json::Value& answer) {
  return Adoption(suite, files).run(answer);
}

}  // namespace parley::client
