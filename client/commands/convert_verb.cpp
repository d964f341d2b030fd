// `convert` and `import --from`: read files of other tools as suites and logs.

#include <algorithm>

#include "client/commands/convert_options.hpp"
#include "client/commands/families.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/verb.hpp"
#include "convert/convert.hpp"
#include "convert/formats.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

std::string known_formats() {
  std::string out;
  for (const convert::Format& each : convert::formats()) out += std::string(each.name) + ", ";
  return out + "auto";
}

std::string unknown_format(const std::string& name) {
  std::vector<std::string> names{"auto"};
  for (const convert::Format& each : convert::formats()) names.emplace_back(each.name);
  const std::string meant = did_you_mean(name, names);
  return "--from " + name + " is unknown" + (meant.empty() ? "; the formats are " + known_formats() : meant);
}

bool is_slug(const std::string& text) {
  return !text.empty() && text == convert::slug_of(text, "");
}

/// Describes what is wrong with the options; empty if they are valid.
std::string fault_of(const convert::Options& options) {
  const convert::Format* format = convert::find_format(options.format);
  if (options.format.empty()) return "--from is needed: " + known_formats();
  if (format == nullptr && options.format != "auto") return unknown_format(options.format);
  if (options.paths.empty()) return "name the files to read";
  if (!options.as.empty() && options.as != "tests" && options.as != "logs")
    return "--as must be tests or logs";
  if (!options.into.empty() && !is_slug(options.into))
    return "--into must have lower-case letters, digits and hyphens only";
  if (options.utterances != "all" && options.utterances != "first")
    return "--utterances must be all or first";
  const bool is_check = options.check.empty() || options.check == "equals" ||
                        options.check == "levenshtein" || options.check == "criteria";
  return is_check ? "" : "--check must be equals, levenshtein or criteria";
}

}  // namespace

convert::Options convert_options(const Invocation& call) {
  convert::Options options;
  options.format = call.value("from");
  options.paths = call.arguments();
  options.folder = call.value("output", ".");
  options.report = call.value("report");
  options.into = call.value("into");
  options.as = call.value("as");
  options.is_strict = call.has("strict");
  options.is_forced = call.has("force");
  options.is_json = call.has("json");
  options.say = call.values("say");
  options.expect = call.values("expect");
  options.check = call.value("check");
  options.group = call.value("group");
  options.order = call.value("order");
  options.name = call.value("name");
  options.fields = call.values("field");
  options.may_guess = call.has("guess");
  options.domain = call.value("domain");
  options.with_nlu = call.has("nlu");
  options.utterances = call.value("utterances", "all");
  return options;
}

std::string convert_fault(const convert::Options& options) {
  return fault_of(options);
}

int convert_verb(const Invocation& call) {
  const convert::Options options = convert_options(call);
  if (const std::string fault = fault_of(options); !fault.empty()) return wrong_use(call, fault);
  const convert::Ended ended = convert::convert(options);
  write_text(1, ended.out);
  write_text(2, ended.err);
  return ended.exit_code;
}

}  // namespace parley::client
