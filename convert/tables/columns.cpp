#include "convert/tables/columns.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

// "instruction" precedes "input": if a table has both, the input is only the subject of the instruction.
constexpr std::array<std::string_view, 17> questions{
    "user_input",   "question",    "instruction",      "user_question",  "user_query",
    "user_message", "user_prompt", "customer_message", "customer_query", "input",
    "query",        "prompt",      "utterance",        "user",           "message",
    "text",         "user_text"};
// A table with an expected answer may also have the recorded answer, in "answer" or "output".
constexpr std::array<std::string_view, 20> answers{
    "reference_output",  "groundtruth",     "expected",       "golden_answer",    "ideal_response",
    "ideal_answer",      "expected_answer", "correct_answer", "reference_answer", "gold_answer",
    "expected_response", "ideal",           "ground_truth",   "expected_output",  "answer",
    "reference",         "target",          "truth",          "output",           "completion"};

/// Columns of Copilot Studio and Ragas that decide whether an answer passes.
constexpr std::array<std::string_view, 7> verdict_columns{
    "test_method_type",     "test_method",      "testing_method", "passing_score",
    "reference_tool_calls", "reference_topics", "rubrics"};

/// The header as spelled in the file; empty: missing.
std::string spelled(const std::set<std::string>& headers, std::string_view wanted) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const std::string& each) { return plain_header(each) == wanted; });
  return found == headers.end() ? std::string() : *found;
}

template <std::size_t Size>
std::string first_spelled(const std::set<std::string>& headers,
                          const std::array<std::string_view, Size>& wanted) {
  for (const std::string_view each : wanted) {
    if (std::string name = spelled(headers, each); !name.empty()) return name;
  }
  return {};
}

/// The header with one of the prefixes and a known rest, or the only one with a prefix: `input_question`,
/// `outputs.answer`.
template <std::size_t Size>
std::string prefixed(const std::set<std::string>& headers, std::initializer_list<std::string_view> prefixes,
                     const std::array<std::string_view, Size>& wanted) {
  std::map<std::string, std::string> rests;
  for (const std::string& each : headers) {
    const std::string name = plain_header(each);
    for (const std::string_view prefix : prefixes) {
      if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
      rests[name.substr(prefix.size())] = each;
      break;
    }
  }
  for (const std::string_view each : wanted) {
    const auto found = rests.find(std::string(each));
    if (found != rests.end()) return found->second;
  }
  // `input_tokens` is not a question, so an unknown rest needs the plural prefix.
  const bool is_plural =
      rests.size() == 1 && plain_header(rests.begin()->second).find("puts") != std::string::npos;
  return is_plural ? rests.begin()->second : std::string();
}

ExpectedColumn expected_of(const std::string& flag, const std::set<std::string>& headers) {
  const std::size_t colon = flag.rfind(':');
  if (headers.contains(flag) || colon == std::string::npos) return {flag, Expectation::by_length, {}};
  const std::string type = flag.substr(colon + 1);
  return {flag.substr(0, colon), type == "intent" ? Expectation::intent : Expectation::type, type};
}

bool has_all(const std::set<std::string>& headers, std::initializer_list<std::string_view> wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](std::string_view each) { return headers.contains(std::string(each)); });
}

void question_columns(const std::set<std::string>& headers, Columns& columns) {
  columns.family = "question and answer";
  const std::string question = question_in(headers);
  if (question.empty()) return;
  columns.say = {question};
  if (const std::string answer = answer_in(headers); !answer.empty() && answer != question)
    columns.expect = {{answer, Expectation::by_length, {}}};
  const bool is_instruction = plain_header(question) == "instruction";
  if (is_instruction) columns.detail = spelled(headers, "input");
  for (const std::string_view each : {"history", "chat_history"}) {
    if (columns.history.empty()) columns.history = spelled(headers, each);
  }
}

void known_columns(const std::set<std::string>& headers, Columns& columns) {
  if (has_all(headers, {"Line #", "Source", "Input"})) {
    columns.family = "Lex test set";
    columns.shape = Columns::Shape::lex;
    columns.say = {"Input"};
    columns.group = "Conversation #";
  } else if (headers.contains("scenario") &&
             (headers.contains("turns") || headers.contains("expected_outcome"))) {
    columns.family = "DeepEval";
    columns.shape = Columns::Shape::deepeval;
    columns.say = {"scenario"};
  } else if (has_all(headers, {"utterance", "expected_intent"})) {
    columns.family = "dfcx-scrapi";
    columns.say = {"utterance"};
    columns.expect = {{"expected_intent", Expectation::intent, {}}};
  } else if (headers.contains("turns")) {
    columns.family = "MT-Bench";
    columns.say = {"turns"};
    if (headers.contains("reference")) columns.expect = {{"reference", Expectation::type, "criteria"}};
  } else {
    question_columns(headers, columns);
  }
}

}  // namespace

std::string plain_header(std::string_view header) {
  std::string name;
  bool was_lower = false;
  for (const char c : ascii::trimmed(header)) {
    const char low = ascii::lower(c);
    if (low != c && was_lower) name += '_';
    was_lower = ascii::is_lower(c) || ascii::is_digit(c);
    name += c == ' ' || c == '-' ? '_' : low;
  }
  return name;
}

std::string question_in(const std::set<std::string>& headers) {
  const std::string known = first_spelled(headers, questions);
  return known.empty() ? prefixed(headers, {"inputs.", "inputs_", "input.", "input_"}, questions) : known;
}

std::string answer_in(const std::set<std::string>& headers) {
  const std::string known = first_spelled(headers, answers);
  if (!known.empty()) return known;
  return prefixed(headers,
                  {"reference_outputs.", "reference_outputs_", "expected_outputs.", "expected_outputs_",
                   "outputs.", "outputs_", "output.", "output_"},
                  answers);
}

Columns columns_of(const std::set<std::string>& headers, const Options& options) {
  Columns columns;
  known_columns(headers, columns);
  return with_flags(std::move(columns), headers, options);
}

Columns with_flags(Columns columns, const std::set<std::string>& headers, const Options& options) {
  if (!options.say.empty()) {
    Columns flags;
    flags.family = "flags";
    flags.say = options.say;
    flags.metadata = columns.metadata;
    flags.ignored = columns.ignored;
    columns = std::move(flags);
  }
  if (!options.expect.empty()) {
    columns.expect.clear();
    for (const std::string& each : options.expect) columns.expect.push_back(expected_of(each, headers));
  }
  if (!options.group.empty()) columns.group = options.group;
  columns.order = options.order;
  columns.name = options.name;
  columns.fields = options.fields;
  return columns;
}

std::string why_unchecked(const Columns& columns, const std::string& name) {
  if (std::find(verdict_columns.begin(), verdict_columns.end(), plain_header(name)) != verdict_columns.end())
    return "the rule of the source is not applied; --expect COL:TYPE chooses the assertion type";
  const bool is_reference =
      std::find(columns.references.begin(), columns.references.end(), name) != columns.references.end();
  return is_reference ? "only one of the reference outputs is checked; --expect names others" : "";
}

std::string words_of(const Columns& columns) {
  std::string out = columns.family + ": say ";
  for (const std::string& each : columns.say) out += (each == columns.say.front() ? "" : ", ") + each;
  for (const ExpectedColumn& each : columns.expect) {
    out += "; expect " + each.name + " (";
    out += (each.how == Expectation::intent ? "intent"
            : each.how == Expectation::type ? each.type
                                            : "contains or criteria") +
           ")";
  }
  if (!columns.group.empty()) out += "; group " + columns.group;
  return out;
}

}  // namespace parley::convert
