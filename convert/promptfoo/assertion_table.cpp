#include "convert/promptfoo/assertion_table.hpp"

#include <algorithm>
#include <array>

#include "convert/promptfoo/tool_checks.hpp"
#include "convert/records/checks.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

using Mapper = Mapped (*)(const Question& question);

constexpr std::string_view no_value = "it has no value";

Mapped roughly(Check check, std::string why) {
  return {std::move(check), Outcome::approximated, std::move(why)};
}

std::string criterion_text(const Question& question, const std::string& text) {
  if (!question.place.is_one_of_many) return text;
  return "Judge only the chatbot's answer to turn " + std::to_string(question.place.turn + 1) +
         " of the user. " + text;
}

Mapped one_text(const Question& question, std::string_view type, Ignoring ignoring) {
  if (question.value.is_list() || question.value.is_map()) return lost("only texts are compared");
  if (question.value.is_null()) return lost(std::string(no_value));
  return {text_check(type, question.text(), question.place.scope, ignoring)};
}
Mapped contains(const Question& question) {
  return one_text(question, "contains", Ignoring::nothing);
}
Mapped icontains(const Question& question) {
  return one_text(question, "icontains", Ignoring::fixed);
}
Mapped starts_with(const Question& question) {
  return one_text(question, "starts-with", Ignoring::nothing);
}
Mapped equals(const Question& question) {
  return one_text(question, "equals", Ignoring::nothing);
}
Mapped contains_any(const Question& question) {
  return {texts_check("contains-any", texts_of(question.value), question.place.scope, Ignoring::nothing)};
}
Mapped contains_all(const Question& question) {
  return {texts_check("contains-all", texts_of(question.value), question.place.scope, Ignoring::nothing)};
}
Mapped icontains_any(const Question& question) {
  return {texts_check("contains-any", texts_of(question.value), question.place.scope, Ignoring::letter_case)};
}
Mapped icontains_all(const Question& question) {
  return {texts_check("contains-all", texts_of(question.value), question.place.scope, Ignoring::letter_case)};
}
Mapped regex(const Question& question) {
  return {pattern_check("regex", question.text(), question.place.scope)};
}

/// The schema, which may be given as JSON or YAML text.
Node schema_of(const Node& value) {
  Node schema = opened(value);
  if (!schema.is_text()) return schema;
  Faults spare;
  auto tree = parse_yaml({"value", schema.text}, spare);
  return tree && tree->is_map() ? std::move(*tree) : schema;
}

Mapped json_text_check(const Question& question, std::string_view flag) {
  json::Writer out;
  out.begin_object();
  if (!flag.empty()) out.key(flag).boolean(true);
  const Node schema = schema_of(question.value);
  if (schema.is_map()) write_json(out.key("schema"), schema);
  if (!question.place.scope.empty()) out.member("scope", question.place.scope);
  out.end_object();
  Check check;
  check.type = "is-json";
  check.config = std::move(out).text();
  if (!schema.is_map() && !schema.is_null() && !question.text().empty())
    return lost("the schema is in a file or in another language");
  return {std::move(check)};
}
Mapped is_json(const Question& question) {
  return json_text_check(question, "");
}
Mapped contains_json(const Question& question) {
  return json_text_check(question, "within");
}

Mapped word_count(const Question& question) {
  json::Writer out;
  out.begin_object();
  if (question.value.is_map()) {
    for (const std::string_view key : {"min", "max"}) {
      if (const Node* bound = question.value.find(key)) write_json(out.key(key), *bound);
    }
  } else {
    const std::string text(ascii::trimmed(question.text()));
    if (!ascii::is_digits(text)) return lost("the count is not a number");
    out.key("min").raw(text).key("max").raw(text);
  }
  if (!question.place.scope.empty()) out.member("scope", question.place.scope);
  out.end_object();
  Check check;
  check.type = "word-count";
  check.config = std::move(out).text();
  return {std::move(check)};
}

Mapped measured(const Question& question, std::string_view type, std::string needs) {
  const std::optional<double> bound = question.threshold ? question.threshold : question.value.number();
  if (!bound) return lost("it has no threshold");
  Mapped result{number_check(type, "max", *bound), Outcome::exact, {}, std::move(needs)};
  if (!question.place.is_one_of_many) return result;
  result.outcome = Outcome::approximated;
  result.why = "the source limits one turn, parley the whole conversation";
  return result;
}
Mapped cost(const Question& question) {
  return measured(question, "cost", "messages carry /cost");
}
Mapped latency(const Question& question) {
  return measured(question, "response-time", "messages carry /responseTime");
}

Mapped levenshtein(const Question& question) {
  const std::string text = question.text();
  const auto characters = std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (characters == 0) return lost("it compares with an empty text");
  const double share = std::max(0.0, 1 - question.threshold.value_or(5) / static_cast<double>(characters));
  Check check = text_check("levenshtein", text, question.place.scope);
  check.config.insert(1, "\"threshold\":" + json::number_text(share) + ",");
  return roughly(std::move(check), "the source limits the number of edits, parley their share");
}

Mapped rouge(const Question& question) {
  json::Writer out;
  out.begin_object()
      .member("value", question.text())
      .key("threshold")
      .number(question.threshold.value_or(0.75));
  if (!question.place.scope.empty()) out.member("scope", question.place.scope);
  out.end_object();
  Check check;
  check.type = "rouge";
  check.config = std::move(out).text();
  return roughly(std::move(check), "parley ignores letter case and punctuation, which the source compares");
}

Mapped criterion(const Question& question, const std::string& text) {
  return {criterion_of(criterion_text(question, text))};
}
Mapped rubric(const Question& question) {
  if (question.value.is_null()) return lost(std::string(no_value));
  if (!question.value.is_list()) return criterion(question, question.text());
  std::string text;
  for (const Node& item : question.value.items) text += (text.empty() ? "" : "\n") + as_text(item);
  return criterion(question, text);
}
Mapped factuality(const Question& question) {
  return criterion(question, "The chatbot's answer agrees with this fact: " + question.text());
}
Mapped relevance(const Question& question) {
  return criterion(question, "The chatbot's answer is relevant to what the user asked.");
}
Mapped goal(const Question& question) {
  return criterion(question,
                   "The chatbot reached this goal: " +
                       (question.value.is_map() ? question.value.text_of("goal") : question.text()));
}
Mapped refusal(const Question& question) {
  return criterion(question, "The chatbot refuses the request.");
}
Mapped conversation_relevance(const Question& /*question*/) {
  return roughly(criterion_of("Every answer of the chatbot is relevant to the conversation so far."),
                 "a share of windows in the source; parley uses a judge");
}
Mapped context(const Question& question, const std::string& text) {
  return roughly(criterion_of(criterion_text(question, text)),
                 "a share of statements in the source; parley uses a judge");
}
Mapped context_recall(const Question& question) {
  return context(question, "The chatbot's answer agrees with this, and leaves out nothing that matters: " +
                               question.text());
}
Mapped context_relevance(const Question& question) {
  return context(question, "The chatbot's answer uses only information that the user's question needs.");
}
Mapped faithfulness(const Question& question) {
  return context(question, "The chatbot's answer keeps to the information that it was given.");
}

Mapped finish_reason(const Question& question) {
  std::string value;
  json::append_quoted(value, question.text());
  return {json_check({"/finishReason", "messages", {}, "equals", value, question.place.scope}),
          Outcome::exact,
          {},
          "messages carry /finishReason"};
}

/// The text in `output.includes('x')`; nullopt for any other code.
std::optional<std::string> included_text(std::string_view code) {
  code = ascii::trimmed(code, " \t\n;");
  constexpr std::string_view head = "output.includes(";
  if (code.starts_with("return ")) code.remove_prefix(7);
  if (!code.starts_with(head) || code.size() < head.size() + 3 || code.back() != ')') return std::nullopt;
  const std::string_view quoted = code.substr(head.size(), code.size() - head.size() - 1);
  const char quote = quoted.front();
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  const bool is_text = (quote == '\'' || quote == '"' || quote == '`') && quoted.back() == quote;
  if (!is_text || inner.find_first_of(std::string{quote, '\\', '$'}) != std::string_view::npos)
    return std::nullopt;
  return std::string(inner);
}

struct Row {
  std::string_view type;
  Mapper map;  ///< null: not mapped; `why` has the reason
  std::string_view why = {};
};
constexpr std::string_view code = "code is never run";
constexpr std::string_view no_type = "parley has no such assertion type";
constexpr std::array rows{
    Row{"contains", contains},
    Row{"icontains", icontains},
    Row{"contains-any", contains_any},
    Row{"contains-all", contains_all},
    Row{"icontains-any", icontains_any},
    Row{"icontains-all", icontains_all},
    Row{"starts-with", starts_with},
    Row{"regex", regex},
    Row{"equals", equals},
    Row{"is-json", is_json},
    Row{"contains-json", contains_json},
    Row{"word-count", word_count},
    Row{"cost", cost},
    Row{"latency", latency},
    Row{"levenshtein", levenshtein},
    Row{"rouge-n", rouge},
    Row{"llm-rubric", rubric},
    Row{"g-eval", rubric},
    Row{"model-graded-closedqa", rubric},
    Row{"factuality", factuality},
    Row{"model-graded-factuality", factuality},
    Row{"answer-relevance", relevance},
    Row{"is-refusal", refusal},
    Row{"conversation-relevance", conversation_relevance},
    Row{"context-recall", context_recall},
    Row{"context-relevance", context_relevance},
    Row{"context-faithfulness", faithfulness},
    Row{"trajectory:tool-used", tool_used},
    Row{"trajectory:tool-args-match", tool_used},
    Row{"trajectory:tool-sequence", tool_sequence},
    Row{"trajectory:step-count", step_count},
    Row{"trajectory:goal-success", goal},
    Row{"tool-call-f1", tool_f1},
    Row{"finish-reason", finish_reason},
    Row{"javascript", nullptr, code},
    Row{"python", nullptr, code},
    Row{"ruby", nullptr, code},
    Row{"webhook", nullptr, "no other service is called"},
    Row{"similar", nullptr, "similarity by embeddings needs a model"},
    Row{"classifier", nullptr, "a classifier needs a model"},
    Row{"moderation", nullptr, "moderation needs a service"},
    Row{"perplexity", nullptr, "agents report no probabilities"},
    Row{"perplexity-score", nullptr, "agents report no probabilities"},
    Row{"bleu", nullptr, no_type},
    Row{"gleu", nullptr, no_type},
    Row{"meteor", nullptr, no_type},
    Row{"is-xml", nullptr, no_type},
    Row{"contains-xml", nullptr, no_type},
    Row{"is-sql", nullptr, no_type},
    Row{"contains-sql", nullptr, no_type},
    Row{"is-html", nullptr, no_type},
    Row{"contains-html", nullptr, no_type},
    Row{"select-best", nullptr, "it compares prompts"},
    Row{"max-score", nullptr, "it compares prompts"},
    Row{"human", nullptr, "a person decides it"},
    Row{"pi", nullptr, "it needs a service"},
    Row{"guardrails", nullptr, "it needs the provider"},
    Row{"is-valid-openai-tools-call", valid_calls},
    Row{"is-valid-openai-function-call", valid_calls},
    Row{"is-valid-function-call", valid_calls},
    Row{"skill-used", nullptr, no_type},
    Row{"search-rubric", nullptr, "it needs a search"},
};

std::string_view why_unknown(std::string_view type) {
  if (type.starts_with("promptfoo:redteam:")) return "the source judges attacks with prompts of its own";
  return type.starts_with("trace-") ? "agents report no spans" : no_type;
}

}  // namespace

Mapped lost(std::string why) {
  return {std::nullopt, Outcome::not_mapped, std::move(why)};
}

std::vector<std::string> texts_of(const Node& value) {
  std::vector<std::string> out;
  if (value.is_list()) {
    for (const Node& item : value.items) out.push_back(as_text(item));
    return out;
  }
  std::string_view left = value.text;
  while (true) {
    left = ascii::trimmed(left, " \t\n");
    // A comma within quotes is part of the text.
    const std::size_t quote = left.starts_with('"') ? left.find('"', 1) : std::string_view::npos;
    const std::size_t comma = left.find(',', quote == std::string_view::npos ? 0 : quote);
    out.emplace_back(ascii::trimmed(left.substr(0, comma), " \t\n\""));
    if (comma == std::string_view::npos) return out;
    left.remove_prefix(comma + 1);
  }
}

Mapped mapped(const Question& question, bool may_guess) {
  // `similar:cosine` and similar types
  const std::string_view type =
      question.type.starts_with("similar:") ? std::string_view("similar") : std::string_view(question.type);
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return each.type == type; });
  if (question.node.find("transform") != nullptr || question.node.find("contextTransform") != nullptr)
    return lost("\"transform\" is code");
  const bool is_mapped = row == rows.end() || row->map != nullptr;
  if (is_mapped && question.value.is_text() && question.value.text.starts_with("file://"))
    return lost("the value is in a file");
  if (row == rows.end()) return lost(std::string(why_unknown(type)));
  if (row->map != nullptr) return row->map(question);
  const auto guess =
      may_guess && question.type == "javascript" ? included_text(question.text()) : std::nullopt;
  if (!guess) return lost(std::string(row->why));
  return roughly(text_check("contains", *guess, question.place.scope, Ignoring::nothing),
                 "guessed from the code");
}

bool is_assertion_type(std::string_view name) {
  if (name.starts_with("not-")) name.remove_prefix(4);
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.type == name; });
}

}  // namespace parley::convert
