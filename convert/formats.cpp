#include "convert/formats.hpp"

#include <algorithm>
#include <array>

#include "convert/agents/adk.hpp"
#include "convert/agents/cxas.hpp"
#include "convert/agents/deepeval.hpp"
#include "convert/agents/tau.hpp"
#include "convert/botium/botium.hpp"
#include "convert/chat/evals.hpp"
#include "convert/chat/openai.hpp"
#include "convert/promptfoo/promptfoo.hpp"
#include "convert/rasa/rasa.hpp"
#include "convert/tables/tables.hpp"
#include "convert/traces/botframework.hpp"
#include "convert/traces/inspect.hpp"
#include "convert/traces/langfuse.hpp"
#include "convert/traces/otel.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

constexpr std::array table{
    Format{"openai-jsonl", "openai", "chat messages: fine-tuning and preference data, Azure evaluation rows",
           ".jsonl, or .json with a list", "--as tests, --check, --expect", import_openai_jsonl,
           looks_like_openai_jsonl},
    Format{"promptfoo", "", "promptfoo configurations and tables of tests", ".yaml, .json, .csv or .jsonl",
           "--say VAR, --guess", import_promptfoo, looks_like_promptfoo},
    Format{"table", "", "tables of questions and answers", ".csv, .tsv, .jsonl, or .json with a list",
           "--say, --expect, --group, --order, --name, --field, --check", import_table, looks_like_table},
    Format{"adk", "", "Google ADK eval sets", ".json", "--as logs", import_adk, looks_like_adk},
    Format{"rasa", "", "Rasa e2e tests and stories", ".yml, .md or a folder", "--domain FILE, --nlu",
           import_rasa, looks_like_rasa},
    Format{"tau2", "", "tau-bench and tau2-bench tasks and results", ".json", "", import_tau2,
           looks_like_tau2},
    Format{"botium", "", "Botium conversations", "a folder, or files", "--utterances all|first",
           import_botium, looks_like_botium},
    Format{"deepeval", "", "DeepEval goldens", ".json or .csv", "", import_deepeval, looks_like_deepeval},
    Format{"cxas", "", "CX Agent Studio evals (cxas-scrapi), Dialogflow CX test cases", ".yaml or .json", "",
           import_cxas, looks_like_cxas},
    Format{"openai-evals", "", "OpenAI Evals samples and registry", ".jsonl and .yaml", "",
           import_openai_evals, looks_like_openai_evals},
    Format{"sharegpt", "", "ShareGPT conversations", ".json with a list, or .jsonl",
           "--as tests, --check, --expect", import_sharegpt, looks_like_sharegpt},
    Format{"inspect", "", "Inspect logs", ".json or .eval", "", import_inspect, looks_like_inspect},
    Format{"botframework", "", "Bot Framework transcripts and chats", ".transcript or .chat", "",
           import_botframework, looks_like_botframework},
    Format{"langfuse", "", "Langfuse traces and data sets", ".json, .jsonl or .csv", "--say, --expect",
           import_langfuse, looks_like_langfuse},
    Format{"langsmith", "", "LangSmith runs and data sets", ".json, .jsonl or .csv", "--say, --expect",
           import_langsmith, looks_like_langsmith},
    Format{"otel", "", "OpenTelemetry traces and events with GenAI attributes", ".json or .jsonl", "",
           import_otel, looks_like_otel},
};

/// The first value of a text: the whole document, the first line of JSON Lines, or the first of several consecutive
/// values. nullopt for other texts.
std::optional<Node> head_of(const std::string& path, std::string_view text) {
  Faults spare;
  Source source{path, std::string(text)};
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return std::nullopt;
  if (is_yaml(path)) return parse_yaml(source, spare);
  if (text[first] != '{' && text[first] != '[') return std::nullopt;
  if (auto whole = parse_json(source, spare)) return whole;
  if (auto line = parse_json(source, {0, std::min(text.find('\n', first), text.size()), 1}, spare))
    return line;
  if (replace_constants(source.text) > 0) return parse_json(source, spare);
  const std::vector<Part> values = json_values(text);
  return values.empty() ? std::nullopt : parse_json(source, values.front(), spare);
}

}  // namespace

std::span<const Format> formats() {
  return table;
}

const Format* find_format(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Format& each) {
    return each.name == name || (!name.empty() && each.alias == name);
  });
  return found == table.end() ? nullptr : &*found;
}

const Format* recognized(const std::string& path, std::string_view text) {
  const auto head = head_of(path, text);
  const Format* best = nullptr;
  int best_fit = 0;
  for (const Format& each : table) {
    const int fit = each.looks_like(path, text, head ? &*head : nullptr);
    if (fit <= best_fit) continue;
    best = &each;
    best_fit = fit;
  }
  return best;
}

}  // namespace parley::convert
