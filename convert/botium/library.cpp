#include "convert/botium/library.hpp"

#include <algorithm>
#include <array>

#include "convert/botium/memory.hpp"
#include "convert/reading/csv.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

enum class Content : std::uint8_t { convo, partial, utterances, memory, none };

Content content_of(const std::string& path) {
  const std::string name = ascii::lower(std::filesystem::path(path).filename().string());
  if (name.find(".pconvo.") != std::string::npos) return Content::partial;
  if (name.find(".convo.") != std::string::npos) return Content::convo;
  if (name.find(".utterances.") != std::string::npos) return Content::utterances;
  if (name.find(".scriptingmemory.") != std::string::npos) return Content::memory;
  return Content::none;
}

ConvoStep::Kind kind_of(std::string_view sender) {
  const std::string word = ascii::lower(sender);
  if (word == "me") return ConvoStep::Kind::me;
  if (word == "begin" || word == "end") return ConvoStep::Kind::hook;
  return word == "include" ? ConvoStep::Kind::include : ConvoStep::Kind::bot;
}

bool is_sender(std::string_view word) {
  constexpr std::array<std::string_view, 5> senders{"me", "bot", "begin", "end", "include"};
  return std::find(senders.begin(), senders.end(), ascii::lower(word)) != senders.end();
}

void add_convo(ConvoLibrary& library, Convo&& convo, bool is_partial) {
  for (ConvoStep& step : convo.steps) {
    step.source = convo.source;
    while (!step.lines.empty() && ascii::trimmed(step.lines.back().text).empty()) step.lines.pop_back();
    while (!step.lines.empty() && ascii::trimmed(step.lines.front().text).empty())
      step.lines.erase(step.lines.begin());
  }
  if (is_partial) {
    library.partial[convo.name] = std::move(convo);
  } else {
    library.convos.push_back(std::move(convo));
  }
}

void read_text_convo(Conversion& conversion, const Source& source, ConvoLibrary& library, bool is_partial) {
  Convo convo;
  convo.source = &source;
  std::uint32_t number = 0;
  for (const std::string_view line : lines_of(source.text)) {
    ++number;
    const Place place{number, 1};
    const std::string_view trimmed = ascii::trimmed(line);
    const std::size_t blank = trimmed.find_first_of(" \t");
    if (trimmed.starts_with('#') &&
        is_sender(trimmed.substr(1, blank == std::string_view::npos ? blank : blank - 1))) {
      ConvoStep step;
      step.kind = kind_of(trimmed.substr(1, blank == std::string_view::npos ? blank : blank - 1));
      step.place = place;
      if (blank != std::string_view::npos)
        step.lines.push_back({std::string(ascii::trimmed(trimmed.substr(blank))), place});
      convo.steps.push_back(std::move(step));
    } else if (!convo.steps.empty()) {
      convo.steps.back().lines.push_back({std::string(line), place});
    } else if (convo.name.empty() && !trimmed.empty()) {
      convo.name = trimmed;
      convo.place = place;
    } else if (!trimmed.empty()) {
      convo.description += (convo.description.empty() ? "" : "\n") + std::string(trimmed);
    }
  }
  if (convo.steps.empty()) {
    conversion.faults.add(source, {1, 1}, "a conversation needs a line \"#me\" or \"#bot\"");
    return;
  }
  if (convo.name.empty()) convo.name = stem_of(source.path);
  add_convo(library, std::move(convo), is_partial);
}

/// Reads rows of `conversationId,sender,text`, or of two columns: the user's text and the bot's answer.
void read_csv_convos(Conversion& conversion, const Source& source, ConvoLibrary& library, bool is_partial) {
  const auto table = parse_csv(source, conversion.faults);
  if (!table) return;
  auto id = table->column("conversationId");
  auto sender = table->column("sender");
  auto text = table->column("text");
  const auto has_sender = [](const std::vector<Cell>& row) { return is_sender(row[1].text); };
  if ((!sender || !text) && table->headers.size() > 2 &&
      std::all_of(table->rows.begin(), table->rows.end(), has_sender)) {  // other headers: read by position
    id = 0U;
    sender = 1U;
    text = 2U;
  }
  if (!sender || !text) {
    if (table->headers.size() != 2) {
      conversion.faults.add(source, {1, 1}, "the columns must be conversationId, sender and text");
      return;
    }
    for (const auto& row : table->rows) {
      Convo convo{row[0].text, {}, row[0].place, &source};
      convo.steps.push_back({ConvoStep::Kind::me, {{row[0].text, row[0].place}}, row[0].place, &source});
      convo.steps.push_back({ConvoStep::Kind::bot, {{row[1].text, row[1].place}}, row[1].place, &source});
      add_convo(library, std::move(convo), is_partial);
    }
    return;
  }
  std::vector<Convo> convos;
  for (const auto& row : table->rows) {
    const std::string name = id ? row[*id].text : stem_of(source.path);
    auto found =
        std::find_if(convos.begin(), convos.end(), [&](const Convo& each) { return each.name == name; });
    if (found == convos.end()) found = convos.insert(convos.end(), {name, {}, row[0].place, &source});
    ConvoStep step{kind_of(row[*sender].text), {}, row[*sender].place, &source};
    for (const std::string_view line : lines_of(row[*text].text))
      step.lines.push_back({std::string(line), row[*text].place});
    found->steps.push_back(std::move(step));
  }
  for (Convo& each : convos) add_convo(library, std::move(each), is_partial);
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t bar = line.find('|');
    cells.emplace_back(ascii::trimmed(line.substr(0, bar)));
    if (bar == std::string_view::npos) return cells;
    line.remove_prefix(bar + 1);
  }
}

/// Converts a node to the line that a text file would have.
/// Needs: `{asserter, args, not, optional}`, `{logichook, args}`, `{userinput, args}` or `{NAME: arguments}`.
std::string line_of(const Node& node) {
  const Node* named = node.first_of({"asserter", "logichook", "logicHook", "userinput", "userInput"});
  const Node* arguments = named == nullptr ? &node.items.front() : node.find("args");
  std::string name = named == nullptr ? node.items.front().key : as_text(*named);
  const auto takes = [&](std::string_view prefix) {
    const bool is_there = named == nullptr && name.starts_with(prefix);
    if (is_there) name.erase(0, prefix.size());
    return is_there;
  };
  const auto is_set = [&](std::string_view key) {
    const Node* found = named == nullptr ? nullptr : node.find(key);
    return found != nullptr && found->flag;
  };
  std::string line;
  if (takes("?") || takes("OPTIONAL_") || is_set("optional")) line += '?';
  if (takes("!") || takes("NOT_") || is_set("not")) line += '!';
  line += name;
  if (arguments == nullptr || arguments->is_null()) return line;
  const std::vector<Node> values = arguments->is_list() ? arguments->items : std::vector<Node>{*arguments};
  for (const Node& value : values) {
    line += &value == values.data() ? ' ' : '|';
    for (const char c : as_text(value)) {
      if (c == '|') line += '\\';
      line += c;
    }
  }
  return line;
}

Convo convo_of(const Source& source, const Node& node) {
  Convo convo{node.text_of("name"), {}, node.place, &source, node.text_of("description")};
  if (convo.name.empty()) convo.name = stem_of(source.path);
  for (const Node& step_node : node.list_of("steps")) {
    for (const Node& part : step_node.items) {
      ConvoStep step{kind_of(part.key), {}, part.place, &source};
      const std::vector<Node> lines = part.is_list() ? part.items : std::vector<Node>{part};
      for (const Node& line : lines) {
        if (line.is_map() && !line.items.empty()) {
          step.lines.push_back({line_of(line), line.place});
          continue;
        }
        const std::string text = as_text(line);
        for (const std::string_view each : lines_of(text))
          step.lines.push_back({std::string(each), line.place});
      }
      convo.steps.push_back(std::move(step));
    }
  }
  return convo;
}

/// Reads rows of `{header: {name}, values: {$variable: value}}`, or the lines of a table.
void read_memory_rows(const Node& memory, ConvoLibrary& library) {
  std::vector<std::vector<std::string>> lines;
  for (const Node& each : memory.items) {
    if (each.is_text()) lines.push_back(cells_of(each.text));
    const Node* values = each.find("values");
    if (values == nullptr) continue;
    const Node* header = each.find("header");
    MemoryRow row{header == nullptr ? std::string() : header->text_of("name"), {}};
    for (const Node& value : values->items) row.values[value.key] = as_text(value);
    if (!row.values.empty()) add_memory(library, std::move(row));
  }
  add_memory_table(lines, library);
}

void read_tree(Conversion& conversion, const Source& source, ConvoLibrary& library, Content content) {
  const auto tree = parse_either(source, conversion.faults);
  if (!tree) return;
  if (content == Content::utterances || tree->find("utterances") != nullptr) {
    const Node* utterances = tree->find("utterances");
    for (const Node& each : (utterances == nullptr ? *tree : *utterances).items) {
      for (const Node& text : each.items) library.utterances[each.key].push_back(as_text(text));
    }
  }
  if (content == Content::utterances) return;
  const std::vector<Node>& convos = tree->is_list() ? tree->items : tree->list_of("convos");
  for (const Node& each : convos) {
    if (each.list_of("steps").empty()) {
      conversion.faults.add(source, each.place, "a conversation needs \"steps\"");
      return;
    }
    add_convo(library, convo_of(source, each), content == Content::partial);
  }
  for (const Node& each : tree->list_of("partialConvos")) add_convo(library, convo_of(source, each), true);
  if (const Node* memory = tree->find("scriptingMemory")) read_memory_rows(*memory, library);
}

/// Reads a table in which each column has the name of an utterance and its texts.
void read_utterance_columns(Conversion& conversion, const Source& source, ConvoLibrary& library) {
  const auto table = parse_csv(source, conversion.faults);
  if (!table) return;
  for (std::size_t k = 0; k < table->headers.size(); ++k) {
    const std::string name(ascii::trimmed(table->headers[k].text));
    if (name.empty()) continue;
    std::vector<std::string>& texts = library.utterances[name];
    for (const auto& row : table->rows) {
      if (const auto text = ascii::trimmed(row[k].text); !text.empty()) texts.emplace_back(text);
    }
  }
}

void read_utterances(const Source& source, ConvoLibrary& library) {
  std::string name;
  for (const std::string_view line : lines_of(source.text)) {
    const std::string_view text = ascii::trimmed(line);
    if (text.empty()) continue;
    if (name.empty()) {
      name = text;
      library.utterances[name];
    } else {
      library.utterances[name].emplace_back(text);
    }
  }
}

void read_memory(Conversion& conversion, const Source& source, ConvoLibrary& library) {
  std::vector<std::vector<std::string>> lines;
  if (extension_of(source.path) == ".csv") {
    const auto table = parse_csv(source, conversion.faults);
    if (!table) return;
    lines.emplace_back();
    for (const Cell& header : table->headers) lines.back().push_back(header.text);
    for (const auto& row : table->rows) {
      lines.emplace_back();
      for (const Cell& cell : row) lines.back().push_back(cell.text);
    }
  } else {
    for (const std::string_view line : lines_of(source.text)) {
      const std::string_view text = ascii::trimmed(line);
      if (!text.empty()) lines.push_back(cells_of(text));
    }
  }
  add_memory_table(lines, library);
}

}  // namespace

bool has_botium_keys(const Node& file) {
  return file.first_of({"convos", "partialConvos", "scriptingMemory", "utterances"}) != nullptr;
}

bool is_botium_file(const std::string& path) {
  constexpr std::array<std::string_view, 6> extensions{".txt", ".csv", ".yaml", ".yml", ".json", ".xlsx"};
  const std::string extension = extension_of(path);
  return content_of(path) != Content::none &&
         std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool is_botium_settings(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.starts_with("botium.") && name.ends_with(".json") && content_of(path) == Content::none;
}

void read_botium_settings(Conversion& conversion, const Source& file, CustomHooks& custom) {
  Faults spare;
  const auto tree = parse_json(file, spare);
  const Node* settings = tree ? tree->find("botium") : nullptr;
  const Node* capabilities = settings == nullptr ? nullptr : settings->find("Capabilities");
  if (capabilities == nullptr) return;
  const auto take = [&](std::string_view list, auto& names) {
    for (const Node& each : capabilities->list_of(list)) {
      const std::string name = each.text_of("ref");
      names.insert(name);
      if (const Node* global = each.find("global"); global != nullptr && global->flag)
        conversion.report.add(
            file, each.place,
            {.outcome = Outcome::not_mapped, .source = name, .text = "global", .why = "code is never run"});
    }
  };
  take("ASSERTERS", custom.asserters);
  take("LOGIC_HOOKS", custom.logic_hooks);
}

void read_botium_file(Conversion& conversion, Source&& file, ConvoLibrary& library) {
  const Source& source = library.sources.emplace_back(std::move(file));
  Content content = content_of(source.path);
  const std::string extension = extension_of(source.path);
  if (content == Content::none) content = Content::convo;
  if (content == Content::memory) return read_memory(conversion, source, library);
  if (is_yaml(source.path) || extension == ".json") return read_tree(conversion, source, library, content);
  const bool has_columns =
      source.text.substr(0, source.text.find('\n')).find_first_of(",;\t") != std::string::npos;
  if (content == Content::utterances && extension == ".csv" && has_columns)
    return read_utterance_columns(conversion, source, library);
  if (content == Content::utterances) return read_utterances(source, library);
  if (extension == ".csv") return read_csv_convos(conversion, source, library, content == Content::partial);
  read_text_convo(conversion, source, library, content == Content::partial);
}

}  // namespace parley::convert
