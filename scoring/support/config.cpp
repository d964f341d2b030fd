#include "scoring/support/config.hpp"

namespace parley::scoring {
namespace {

std::optional<json::Value> given_as(const json::Value& config, std::string_view key, json::Kind kind) {
  const auto value = config.find(key);
  return value && value->is(kind) ? value : std::nullopt;
}

}  // namespace

std::optional<std::string_view> text_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::string);
  return value ? std::optional(value->string()) : std::nullopt;
}

std::optional<std::int64_t> count_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::number);
  return value ? value->integer() : std::nullopt;
}

std::optional<double> number_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::number);
  return value ? std::optional(value->number()) : std::nullopt;
}

bool flag_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::boolean);
  return value && value->boolean();
}

std::optional<std::vector<std::string_view>> texts_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::array);
  if (!value) return std::nullopt;
  std::vector<std::string_view> texts;
  for (const json::Value& item : value->children()) {
    if (item.is(json::Kind::string)) texts.push_back(item.string());
  }
  return texts;
}

std::vector<json::Value> items_at(const json::Value& config, std::string_view key) {
  const auto value = given_as(config, key, json::Kind::array);
  return value ? value->children() : std::vector<json::Value>{};
}

std::vector<std::string_view> value_or_values(const json::Value& config) {
  if (const auto one = text_at(config, "value")) return {*one};
  return texts_at(config, "values").value_or(std::vector<std::string_view>{});
}

void check_value_or_values(const json::Value& config, const std::string& pointer, Findings& findings) {
  const bool has_value = given(config, "value").has_value();
  const bool has_values = given(config, "values").has_value();
  if (!has_value && !has_values) findings.add(pointer + "/value", "is required, or else values");
  if (has_value && has_values) findings.add(pointer + "/values", "excludes value; give one of them");
}

std::string value_pointer(const json::Value& config, std::size_t index) {
  return given(config, "value") ? "/value" : "/values/" + std::to_string(index);
}

void check_not_empty(std::string_view key, const json::Value& config, const std::string& pointer,
                     Findings& findings) {
  if (text_at(config, key) == "") findings.add(pointer + "/" + std::string(key), "must not be empty");
}

}  // namespace parley::scoring
