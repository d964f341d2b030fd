#include <string>

#include "convert/convert.hpp"
#include "convert/formats.hpp"
#include "convert/traces/otlp_wire.hpp"
#include "convert/traces/pushed_traces.hpp"
#include "model/check.hpp"
#include "model/json/json.hpp"
#include "model/source/yaml_reader.hpp"
#include "model/text/utf8.hpp"
#include "tests/fuzz/targets.hpp"

namespace parley::fuzz {
namespace {

/// A path whose extension makes the importer treat the file as one of its own kinds.
std::string path_for(std::string_view format, unsigned variant) {
  if (format == "promptfoo") return variant == 0 ? "input.yaml" : variant == 1 ? "input.csv" : "input.jsonl";
  if (format == "table") return variant == 0 ? "input.csv" : "input.jsonl";
  if (format == "rasa") return variant == 0 ? "input.yml" : "input.md";
  if (format == "botium")
    return variant == 0 ? "input.convo.txt" : variant == 1 ? "input.convo.csv" : "input.convo.yaml";
  if (format == "cxas") return "input.yaml";
  if (format == "inspect") return variant == 0 ? "input.eval" : "input.json";
  if (format == "botframework") return variant == 0 ? "input.chat" : "input.transcript";
  if (format == "deepeval" && variant == 0) return "input.csv";
  return variant == 0 ? "input.jsonl" : "input.json";
}

}  // namespace

void imports(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes.front());
  const auto formats = convert::formats();
  const convert::Format& format = formats[choice % formats.size()];
  convert::Options options;
  options.format = format.name;
  options.paths = {path_for(format.name, choice / static_cast<unsigned>(formats.size()) % 3)};
  if (choice >= 128) options.as = format.name == "adk" ? "logs" : "tests";
  convert::Conversion conversion(options);
  conversion.inputs.give(options.paths.front(), std::string(bytes.substr(1)));
  const convert::Prepared prepared = convert::prepare(conversion);
  // A conversion yields either faults or files, and all its output can be parsed.
  CHECK(prepared.faults.empty() == !prepared.files.empty());
  for (const convert::MadeFile& file : prepared.files) {
    CHECK(is_utf8(file.content));
    if (file.kind != convert::MadeFile::Kind::suite) continue;
    CHECK(source::read_yaml(source::source_file("suite", file.content)).tree != nullptr);
  }
}

void traces(std::string_view bytes) {
  std::string text(bytes);
  if (!bytes.starts_with('{')) {
    auto json = convert::otlp_json(bytes);
    if (!json) return;
    CHECK(json::parse(*json, json::outside).ok() ||
          json->find("arrayValue") != std::string::npos);  // nested too deep
    text = std::move(*json);
  }
  const convert::PushedTraces pushed = convert::read_pushed_traces(std::move(text));
  CHECK(pushed.fault.empty() || pushed.logs.empty());
  for (const convert::PushedLog& log : pushed.logs) {
    CHECK(is_utf8(log.line));
    const auto line = json::parse(log.line);
    CHECK(line.ok() && line->root().find("conversation")->size() > 0);
  }
}

}  // namespace parley::fuzz
