#include "convert/traces/inspect.hpp"

#include "convert/messages/chat_reader.hpp"
#include "convert/messages/rows.hpp"
#include "convert/reading/zip.hpp"
#include "convert/traces/conversation.hpp"

namespace parley::convert {
namespace {

/// Fills in long texts, which are stored separately and referred to as `attachment://HASH`.
void attach(Node& node, const Node& attachments) {
  constexpr std::string_view scheme = "attachment://";
  if (node.is_text() && node.text.starts_with(scheme)) {
    const Node* found = attachments.find(node.text.substr(scheme.size()));
    if (found != nullptr) node.text = as_text(*found);
  }
  for (Node& item : node.items) attach(item, attachments);
}

void add_scores(Conversion& conversion, const Source& source, const Node& sample, LogDraft& log) {
  const Node* scores = sample.first_of({"scores", "score"});
  if (scores == nullptr) return;
  set_member(log.metadata, "scores", to_json(*scores));
  for (const Node& each : scores->items) {
    conversion.report.add(source, each.place,
                          {.kind = ItemKind::check,
                           .source = "score",
                           .text = each.key + ": " + (each.is_map() ? each.text_of("value") : as_text(each)),
                           .log = conversion.external_id(log.id),
                           .became = {"metadata"}});
  }
}

void add_sample(Conversion& conversion, const Source& source, const Node& sample) {
  LogDraft log;
  log.id = sample.text_of("uuid");
  ChatReader reader(conversion, source, log);
  reader.set_log_name(conversion.external_id(log.id));
  if (const Node* messages = sample.find("messages")) {
    Node list = *messages;
    if (const Node* attachments = sample.find("attachments")) attach(list, *attachments);
    reader.add_all(list.items);
  }
  Unkept unkept;
  unkept.take(sample, "error", "only tool calls have an error in a log");
  unkept.take(sample, "metadata", "a log has no place for the metadata of a sample");
  unkept.take(sample, "store", "a log has no place for the state of a sample");
  unkept.report(conversion, source, conversion.external_id(log.id));
  const At at{source, sample.place};
  if (!reader.has_entries())
    return finish_trace(conversion, std::move(log), at, {"sample", "it contains no messages"});
  for (const std::string_view key : {"target", "epoch", "limit"}) {
    if (const Node* found = sample.find(key)) set_member(log.metadata, std::string(key), to_json(*found));
  }
  add_scores(conversion, source, sample, log);
  conversion.finish_log(std::move(log), at);
}

/// Reads a file or member of a log. Inspect writes NaN and Infinity, which JSON does not have.
std::optional<Node> read_part(Conversion& conversion, std::optional<Source> source) {
  if (!source) return std::nullopt;
  const std::size_t count = replace_constants(source->text);
  auto tree = parse_json(*source, conversion.faults);
  if (tree && count > 0)
    conversion.report.add(*source, tree->place,
                          {.outcome = Outcome::approximated,
                           .source = "NaN",
                           .why = "JSON has neither NaN nor Infinity; it is stored as null",
                           .count = count});
  return tree;
}

/// Reports what the header of a log says about the run as a whole.
void add_header(Conversion& conversion, const Source& source, const Node& header, std::size_t samples) {
  Unkept unkept;
  unkept.take(header, "error", "an error of the run as a whole is not that of a conversation", ItemKind::run);
  if (samples == 0)
    unkept.add(header.place, {.outcome = Outcome::not_mapped,
                              .source = "log",
                              .text = header.text_of("status"),
                              .why = "it has no samples"});
  unkept.report(conversion, source, {});
}

void import_zip(Conversion& conversion, const std::string& path, const std::string& bytes) {
  const auto members = zip_members(path, bytes, conversion.faults);
  if (!members) return;
  std::size_t samples = 0;
  std::optional<Source> header_source;
  std::optional<Node> header;
  for (const ZipMember& member : *members) {
    const bool is_sample = member.name.starts_with("samples/") && member.name.ends_with(".json");
    const bool is_header = member.name == "header.json";
    if (!is_sample && !is_header) continue;
    auto content = zip_content(path, bytes, member, conversion.inputs, conversion.faults);
    if (!content) return;
    auto source = source_of(path + "/" + member.name, std::move(*content), conversion.faults);
    auto part = read_part(conversion, source);
    if (!part) return;
    if (is_sample) {
      add_sample(conversion, *source, *part);
      ++samples;
    } else {
      header_source = std::move(source);
      header = std::move(part);
    }
  }
  if (samples == 0 && (!header || header->find("eval") == nullptr))
    return conversion.faults.add(path, "the archive has no samples; is it a log of Inspect?");
  if (header) add_header(conversion, *header_source, *header, samples);
}

void import_json(Conversion& conversion, const Source& source) {
  const auto tree = read_part(conversion, source);
  if (!tree) return;
  if (tree->find("eval") == nullptr) {
    conversion.faults.add(source, tree->place, "not a log of Inspect: it has no \"eval\"");
    return;
  }
  const std::vector<Node>& samples = tree->list_of("samples");
  add_header(conversion, source, *tree, samples.size());
  for (const Node& sample : samples) add_sample(conversion, source, sample);
}

}  // namespace

void import_inspect(Conversion& conversion) {
  for (const std::string& path : conversion.options.paths) {
    auto bytes = conversion.inputs.bytes_of(path);
    if (!bytes) continue;
    conversion.begin_output(path, stem_of(path));
    if (is_zip(*bytes)) {
      import_zip(conversion, path, *bytes);
    } else if (extension_of(path) == ".eval") {
      conversion.faults.add(path, "is not a zip archive, as an .eval log is");
    } else if (const auto source = source_of(path, std::move(*bytes), conversion.faults)) {
      read_output(conversion, *source, [&] { import_json(conversion, *source); });
    }
  }
}

int looks_like_inspect(const std::string& path, std::string_view text, const Node* head) {
  if (extension_of(path) == ".eval" && is_zip(text)) return 90;
  if (head == nullptr || head->find("eval") == nullptr) return 0;
  // A log that ended early has no samples.
  return head->has("samples") || (head->has("version") && head->has("status")) ? 90 : 0;
}

}  // namespace parley::convert
