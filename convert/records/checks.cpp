#include "convert/records/checks.hpp"

#include "model/json/json_writer.hpp"

namespace parley::convert {
namespace {

void write_ignoring(json::Writer& out, Ignoring ignoring) {
  if (ignoring == Ignoring::fixed) return;
  out.key("ignore").begin_array();
  if (ignoring == Ignoring::letter_case || ignoring == Ignoring::case_and_whitespace) out.string("case");
  if (ignoring == Ignoring::whitespace || ignoring == Ignoring::case_and_whitespace) out.string("whitespace");
  out.end_array();
}

Check finished(std::string_view type, json::Writer&& out, std::string_view scope, Ignoring ignoring) {
  write_ignoring(out, ignoring);
  if (!scope.empty()) out.member("scope", scope);
  out.end_object();
  Check check;
  check.type = type;
  check.config = std::move(out).text();
  return check;
}

/// An `assert-set` whose rule has been written. It has the weights of the checks.
Check set_of(json::Writer&& out, std::span<const Check> checks) {
  out.key("assertions").begin_array();
  for (const Check& each : checks) {
    std::string config = each.config;
    if (each.negate) {
      config.pop_back();
      config += config == "{" ? R"("negate":true})" : R"(,"negate":true})";
    }
    out.begin_object().member("type", each.type).key("config").raw(config);
    if (each.weight) out.key("weight").raw(std::to_string(*each.weight));
    out.end_object();
  }
  out.end_array().end_object();
  Check check;
  check.type = "assert-set";
  check.config = std::move(out).text();
  return check;
}

}  // namespace

std::string turn_scope(std::size_t turn) {
  return "turn:" + std::to_string(turn);
}

Check text_check(std::string_view type, std::string_view value, std::string_view scope, Ignoring ignoring) {
  json::Writer out;
  out.begin_object().member("value", value);
  return finished(type, std::move(out), scope, ignoring);
}

Check texts_check(std::string_view type, std::span<const std::string> values, std::string_view scope,
                  Ignoring ignoring) {
  json::Writer out;
  out.begin_object().key("values").begin_array();
  for (const std::string& each : values) out.string(each);
  out.end_array();
  return finished(type, std::move(out), scope, ignoring);
}

Check pattern_check(std::string_view type, std::string_view pattern, std::string_view scope,
                    Ignoring ignoring) {
  json::Writer out;
  out.begin_object().member("pattern", pattern);
  return finished(type, std::move(out), scope, ignoring);
}

Check number_check(std::string_view type, std::string_view key, double number, std::string_view scope) {
  json::Writer out;
  out.begin_object().key(key).number(number);
  return finished(type, std::move(out), scope, Ignoring::fixed);
}

Check criterion_of(std::string text) {
  Check check;
  check.type = "criteria";
  check.criteria = std::move(text);
  return check;
}

Check criterion_says(const std::string& text, std::size_t turn) {
  return criterion_of("In its answer to turn " + std::to_string(turn + 1) +
                      " of the user the chatbot says in substance: " + text);
}

Check criterion_says_any(std::span<const std::string> texts, std::size_t turn) {
  if (texts.size() == 1) return criterion_says(texts.front(), turn);
  std::string list;
  for (const std::string& each : texts) list += "\n- " + each;
  return criterion_says("one of these:" + list, turn);
}

Check tool_called_check(std::string_view tool, std::string_view arguments, std::string_view scope) {
  json::Writer out;
  out.begin_object().member("name", tool);
  if (arguments.starts_with('{')) out.key("arguments").raw(arguments);
  return finished("tool-called", std::move(out), scope, Ignoring::fixed);
}

Check json_check(const JsonQuestion& question) {
  json::Writer out;
  out.begin_object().member("pointer", question.pointer).member("entries", question.entries);
  if (!question.name.empty()) out.member("name", question.name);
  out.key(question.condition).raw(question.value);
  if (!question.which.empty()) out.member("which", question.which);
  out.end_object();
  Check check;
  check.type = "json";
  check.config = std::move(out).text();
  return check;
}

Check set_check(std::string_view match, std::span<const Check> checks) {
  json::Writer out;
  out.begin_object().member("match", match);
  return set_of(std::move(out), checks);
}

Check threshold_check(std::string_view threshold, std::span<const Check> checks) {
  json::Writer out;
  out.begin_object().key("threshold").raw(threshold);
  return set_of(std::move(out), checks);
}

}  // namespace parley::convert
