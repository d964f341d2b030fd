#include "convert/tables/columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

// "instruction" comes before "input": where a table has both, the input is only what the instruction is about.
constexpr std::array<std::string_view, 11> questions{"user_input", "question", "instruction", "user_question",
                                                     "input",      "query",    "prompt",      "utterance",
                                                     "user",       "message",  "text"};
constexpr std::array<std::string_view, 16> answers{"answer",          "expected",         "ideal",
                                                   "expected_output", "expected_answer",  "expected_response",
                                                   "ideal_answer",    "reference_answer", "correct_answer",
                                                   "output",          "ground_truth",     "groundtruth",
                                                   "reference",       "target",           "truth",
                                                   "completion"};

/// The header as the file spells it, whatever its letter case, with blanks or dashes for underscores.
std::optional<std::string> spelled(const std::set<std::string>& headers, std::string_view wanted) {
  for (const std::string& each : headers) {
    std::string name = ascii::lower(ascii::trimmed(each));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
    if (name == wanted) return each;
  }
  return std::nullopt;
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
    columns.family = "question and answer";
    for (const std::string_view each : questions) {
      const auto name = spelled(headers, each);
      if (!name) continue;
      columns.say = {*name};
      break;
    }
    for (const std::string_view each : answers) {
      const auto name = spelled(headers, each);
      if (!name || columns.say.empty()) continue;
      columns.expect = {{*name, Expectation::by_length, {}}};
      break;
    }
  }
}

}  // namespace

Columns columns_of(const std::set<std::string>& headers, const Options& options) {
  Columns columns;
  known_columns(headers, columns);
  if (!options.say.empty()) {
    columns = {};
    columns.family = "flags";
    columns.say = options.say;
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
