#include "scoring/config.hpp"

namespace parley::scoring {
namespace {

std::optional<json::Value> given_as(const json::Value& config, std::string_view key, json::Kind kind) {
  const auto value = config.find(key);
  return value && value->is(kind) ? value : std::nullopt;
}

}  // namespace

std::optional<json::Value> given(const json::Value& config, std::string_view key) {
  const auto value = config.find(key);
  return value && !value->is(json::Kind::null) ? value : std::nullopt;
}

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

std::vector<std::string_view> value_or_values(const json::Value& config) {
  if (const auto one = text_at(config, "value")) return {*one};
  return texts_at(config, "values").value_or(std::vector<std::string_view>{});
}

}  // namespace parley::scoring
