#include "http/openapi/openapi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "http/openapi/schemas.hpp"
#include "http/routes.hpp"
#include "model/records/agent.hpp"
#include "model/records/scenario_configuration.hpp"
#include "scoring/kinds.hpp"

namespace parley::http {
namespace {

nlohmann::json document() {
  return nlohmann::json::parse(openapi_json(routes(), "1.2.3", "/base"));
}

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(c));
  return made;
}

TEST(OpenApi, holds_the_routes_and_nothing_else) {
  std::set<std::string> in_table, in_document;
  for (const Route& route : routes())
    in_table.insert(lower(route.method) + " " + std::string(route.path) + " " + std::string(route.operation));
  const nlohmann::json made = document();
  for (const auto& [path, item] : made.at("paths").items()) {
    for (const auto& [method, operation] : item.items())
      in_document.insert(method + " " + path + " " + operation.at("operationId").get<std::string>());
  }
  EXPECT_EQ(in_document, in_table);
  EXPECT_EQ(in_table.size(), routes().size()) << "no row is duplicated";
}

TEST(OpenApi, shows_which_operations_need_no_key_D82) {
  const nlohmann::json made = document();
  for (const Route& route : routes()) {
    const auto& operation = made.at("paths").at(std::string(route.path)).at(lower(route.method));
    EXPECT_EQ(operation.contains("security"), route.right == Right::none) << route.path;
    const bool checks_a_key = route.right != Right::none || route.operation == "signIn";
    EXPECT_EQ(operation.at("responses").contains("401"), checks_a_key) << route.path;
  }
}

TEST(OpenApi, names_schemas_that_exist) {
  const nlohmann::json made = document();
  const auto& schemas = made.at("components").at("schemas");
  for (const Route& route : routes()) {
    for (const SchemaId type : {route.takes, route.gives}) {
      EXPECT_TRUE(!type || schemas.contains(std::string(schema_row(type).name))) << route.path;
    }
  }
  EXPECT_EQ(made.at("servers").at(0).at("url"), "/base");
  EXPECT_EQ(made.at("info").at("version"), "1.2.3");
}

/// The names of the parameters of an operation, with references resolved.
std::set<std::string> parameters_of(const nlohmann::json& made, const std::string& path,
                                    const std::string& method) {
  std::set<std::string> names;
  for (const auto& each : made.at("paths").at(path).at(method).at("parameters")) {
    const bool is_reference = each.contains("$ref");
    const auto& row =
        is_reference ? made.at(nlohmann::json::json_pointer(each.at("$ref").get<std::string>().substr(1)))
                     : each;
    names.insert(row.at("name").get<std::string>());
  }
  return names;
}

TEST(OpenApi, gives_a_page_of_a_POST_its_parameters_and_links_D6) {
  const nlohmann::json made = document();
  EXPECT_EQ(
      parameters_of(made, "/runs/{id}/rescore", "post"),
      (std::set<std::string>{"id", "page", "limit", "sortBy", "sortOrder", "Idempotency-Key", "Prefer"}));
  const auto& answers = made.at("paths").at("/runs/{id}/rescore").at("post").at("responses");
  EXPECT_TRUE(answers.at("200").at("headers").contains("Link"));
}

TEST(OpenApi, types_the_filters_that_have_a_type) {
  const nlohmann::json made = document();
  const auto filter = [&](const std::string& path, const std::string& name) {
    for (const auto& each : made.at("paths").at(path).at("get").at("parameters"))
      if (each.value("name", "") == name) return each.at("schema");
    return nlohmann::json();
  };
  const std::vector<std::string> of_results{"pending", "running", "completed", "failed", "canceled"};
  EXPECT_EQ(filter("/runs", "status").at("enum").size(), 6u);
  for (const std::string path : {"/test-results", "/runs/{id}/test-results"})
    EXPECT_EQ(filter(path, "status").at("enum"), nlohmann::json(of_results)) << path;
  EXPECT_EQ(filter("/runs", "scheduled").at("type"), "boolean");
  EXPECT_EQ(filter("/runs", "agent").at("maxLength"), 64);
  EXPECT_EQ(filter("/tests", "name").at("maxLength"), 1'024);
}

TEST(OpenApi, allows_null_for_optional_fields_of_a_body_D5) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  for (const auto& [name, schema] : schemas.items()) {
    if (!name.ends_with("Body") && !name.ends_with("Patch")) continue;
    const auto required = schema.value("required", std::vector<std::string>{});
    if (!schema.contains("properties")) continue;  // a foreign format, such as OTLP
    for (const auto& [field, property] : schema.at("properties").items()) {
      const bool is_required = std::find(required.begin(), required.end(), field) != required.end();
      const bool is_anything = !property.contains("type") && !property.contains("anyOf");
      const bool may_be_null =
          property.dump().ends_with(R"({"type":"null"}]})") ||
          property.value("anyOf", nlohmann::json::array()).dump().ends_with(R"({"type":"null"}])");
      EXPECT_EQ(may_be_null || is_anything, !is_required) << name << "/" << field << " " << property;
    }
  }
}

TEST(OpenApi, describes_the_enforced_bounds_and_types) {
  const nlohmann::json made = document();
  const auto& schemas = made.at("components").at("schemas");
  const auto& given = schemas.at("TestResultBody").at("properties").at("assertionResults");
  EXPECT_EQ(given.at("anyOf").at(0).at("maxItems"), 15) << "D32, D41";
  const auto& assertion = schemas.at("AssertionResult");
  EXPECT_EQ(assertion.at("properties").at("passed").at("anyOf"),
            nlohmann::json::parse(R"([{"type":"boolean"},{"type":"null"}])"));
  const auto required = assertion.at("required").get<std::set<std::string>>();
  EXPECT_TRUE(required.contains("passed")) << "D32";
  EXPECT_TRUE(schemas.at("RunComparison").at("properties").at("overall").contains("$ref"));
}

TEST(OpenApi, describes_the_header_fields_of_answers_D4_D12) {
  const nlohmann::json made = document();
  const auto& answers = made.at("components").at("responses");
  EXPECT_TRUE(answers.at("NotModified").at("headers").contains("ETag"));
  EXPECT_TRUE(answers.at("Unauthorized").at("headers").contains("WWW-Authenticate"));
  const auto has_tag = [&](const std::string& path, const std::string& method, const std::string& status) {
    const auto& answer = made.at("paths").at(path).at(method).at("responses").at(status);
    return answer.contains("headers") && answer.at("headers").contains("ETag");
  };
  for (const std::string path :
       {"/scenarios", "/tests", "/agents", "/tags", "/external-conversation-logs", "/users"}) {
    EXPECT_TRUE(has_tag(path, "post", "201")) << path;
    EXPECT_TRUE(has_tag(path + "/{id}", "patch", "200")) << path;
    EXPECT_TRUE(has_tag(path + "/{id}", "get", "200")) << path;
  }
  EXPECT_TRUE(has_tag("/runs/{id}/compare/{other}", "get", "200"));
  EXPECT_FALSE(has_tag("/runs", "post", "201"));
  EXPECT_FALSE(has_tag("/api-keys", "post", "201"));
}

/// Defaults are documented, except within an alternative, where generators treat a property with a default as required.
TEST(OpenApi, describes_the_defaults_of_a_body) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  const auto preset = [&](const std::string& schema, const std::string& field) {
    const auto& property = schemas.at(schema).at("properties").at(field);
    EXPECT_FALSE(property.contains("default")) << schema << "/" << field;
    return property.at("anyOf").at(0).value("default", nlohmann::json());
  };
  EXPECT_EQ(preset("RescoreBody", "preview"), true);
  EXPECT_EQ(preset("TestBody", "isEnabled"), true);
  EXPECT_EQ(preset("UserBody", "role"), "member");
  EXPECT_EQ(preset("RunBody", "repetitions"), 1);
  EXPECT_EQ(preset("ScheduledRunBody", "timezone"), "UTC");
  EXPECT_TRUE(preset("TestPatch", "isEnabled").is_null()) << "a PATCH keeps the fields that it does not name";
  EXPECT_TRUE(preset("RunBody", "generateResults").is_null());
}

TEST(OpenApi, names_strict_handling_for_every_operation_it_applies_to_D5) {
  const nlohmann::json made = document();
  for (const Route& route : routes()) {
    const std::string path(route.path);
    const bool counts = route.right != Right::none;
    if (path.starts_with("/session")) continue;  // they accept bodies without a key
    EXPECT_EQ(parameters_of(made, path, lower(route.method)).contains("Prefer"), counts) << path;
    const auto& answers = made.at("paths").at(path).at(lower(route.method)).at("responses");
    EXPECT_EQ(answers.contains("400"), counts) << path;
  }
}

/// The alternative that is not null.
nlohmann::json given(const nlohmann::json& schemas, const std::string& schema, const std::string& field) {
  const auto& property = schemas.at(schema).at("properties").at(field);
  return property.contains("anyOf") ? property.at("anyOf").at(0) : property;
}

/// The `then` branch for the type in a schema with conditions by type; null if the schema has none for the type.
nlohmann::json case_of(const nlohmann::json& schema, const std::string& type) {
  for (const auto& each : schema.at("allOf")) {
    for (const auto& one : each.at("if").at("properties").at("type").at("enum"))
      if (one == type) return each.at("then");
  }
  return {};
}

TEST(OpenApi, describes_every_assertion_type_with_its_config_D31) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  for (const std::string body : {"TestBody", "TestPatch", "RescoreBody", "ScoreLogBody"})
    EXPECT_EQ(given(schemas, body, "assertions").at("items").at("$ref"), "#/components/schemas/Assertion")
        << body;
  std::vector<std::string> names;
  for (const scoring::Kind* kind : scoring::kinds()) {
    names.emplace_back(kind->name);
    const auto then = case_of(schemas.at("Assertion"), names.back());
    auto config = then.at("properties").at("config");
    const bool may_be_absent = config.contains("anyOf");
    if (may_be_absent) config = config.at("anyOf").at(0);
    std::set<std::string> told, keys, needed;
    for (const auto& [key, value] : config.at("properties").items()) told.insert(key);
    for (const scoring::ConfigKey& key : scoring::config_keys(*kind)) {
      keys.emplace(key.name);
      if (key.needed) needed.emplace(key.name);
    }
    EXPECT_EQ(told, keys) << kind->name;
    EXPECT_EQ(config.value("required", std::set<std::string>{}), needed) << kind->name;
    EXPECT_EQ(may_be_absent, needed.empty()) << kind->name;
  }
  EXPECT_EQ(schemas.at("AssertionType").at("enum"), nlohmann::json(names));
  EXPECT_EQ(given(schemas, "Assertion", "id").at("pattern"), "^[A-Za-z0-9._~-]*$");
  EXPECT_EQ(case_of(schemas.at("Assertion"), "criteria").at("required"), nlohmann::json::array({"criteria"}));
}

TEST(OpenApi, describes_the_keywords_of_assertion_configs_D22_D31) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  struct Row {
    std::string type, key;
    std::vector<std::string> words;
  };
  const std::vector<std::string> ignored{"case", "commas", "whitespace", "punctuation"};
  const std::vector<std::string> modes{"partial", "exact", "within"};
  for (const Row& row :
       std::vector<Row>{{"contains", "match", {"any", "all"}},
                        {"contains", "ignore", ignored},
                        {"equals", "ignore", ignored},
                        {"regex", "target", {"messages", "tools", "events", "actions"}},
                        {"json", "entries", {"messages", "tools", "events", "actions", "all"}},
                        {"tool-called", "mode", modes},
                        {"tool-set", "argumentMode", modes},
                        {"tool-order", "mode", {"subsequence", "strict"}},
                        {"assert-set", "match", {"all", "any", "none"}}}) {
    auto config = case_of(schemas.at("Assertion"), row.type).at("properties").at("config");
    if (config.contains("anyOf")) config = config.at("anyOf").at(0);
    auto value = config.at("properties").at(row.key).at("anyOf").at(0);
    if (value.at("type") == "array") value = value.at("items");
    EXPECT_EQ(value.at("type"), "string") << row.type;
    EXPECT_EQ(value.at("anyOf").at(0).at("enum"), nlohmann::json(row.words)) << row.type << " " << row.key;
    EXPECT_EQ(value.at("anyOf").at(1).at("pattern"), R"(\{\{[^{}]+\}\})") << row.type << " " << row.key;
  }
}

TEST(OpenApi, describes_every_agent_type_with_its_config_D70) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  EXPECT_EQ(schemas.at("AgentType").at("enum"), nlohmann::json(agent_types));
  EXPECT_EQ(case_of(schemas.at("AgentBody"), "HTTP").at("required"), nlohmann::json::array({"config"}));
  const auto config = case_of(schemas.at("AgentBody"), "OPENAI").at("properties").at("config");
  EXPECT_EQ(config.at("required"), nlohmann::json::array({"url", "model"}));
  EXPECT_FALSE(case_of(schemas.at("AgentPatch"), "HTTP").contains("required")) << "a PATCH may keep it";
  EXPECT_TRUE(case_of(schemas.at("AgentBody"), "EXTERNAL").is_null());
  EXPECT_EQ(given(schemas, "AgentBody", "secrets").at("$ref"), "#/components/schemas/Secrets");
  EXPECT_EQ(schemas.at("Secrets").at("additionalProperties").at("type"),
            nlohmann::json::array({"string", "null"}));
}

TEST(OpenApi, describes_what_the_other_bodies_need) {
  const nlohmann::json schemas = document().at("components").at("schemas");
  EXPECT_EQ(given(schemas, "ApiKeyBody", "scopes").at("minItems"), 1);
  for (const std::string entry : {"EntryBody", "LogMessage"}) {
    EXPECT_EQ(case_of(schemas.at(entry), "message").at("required"), nlohmann::json::array({"content"}));
    EXPECT_EQ(case_of(schemas.at(entry), "public-event").at("required"), nlohmann::json::array({"name"}));
  }
  EXPECT_EQ(given(schemas, "ScheduledRunBody", "cron").at("minLength"), 1);
  EXPECT_EQ(given(schemas, "ScheduledRunPatch", "timezone").at("minLength"), 1);
  EXPECT_EQ(given(schemas, "TagBody", "rule").at("properties").at("conditions").at("minItems"), 1);
  const auto fields = given(schemas, "ScenarioConfigurationBody", "testFields");
  EXPECT_EQ(fields.at("items").at("properties").at("key").at("pattern"), field_key_pattern);
}

/// Readers of the document may not have access to the decisions.
TEST(OpenApi, cites_only_documents_that_its_reader_has) {
  const std::string text = document().dump();
  std::smatch found;
  EXPECT_FALSE(std::regex_search(text, found, std::regex(R"([( ][DI]\d+[a-z]?[ ).,;"])"))) << found.str();
}

/// The key and the status 422 are documented exactly where the key is honored (D9).
TEST(OpenApi, describes_the_Idempotency_Key_where_it_is_honored_D9) {
  const nlohmann::json made = document();
  for (const Route& route : routes()) {
    const std::string path(route.path);
    const bool is_once = std::holds_alternative<AnswerOnce>(route.handle);
    EXPECT_EQ(parameters_of(made, path, lower(route.method)).contains("Idempotency-Key"), is_once) << path;
    const auto& answers = made.at("paths").at(path).at(lower(route.method)).at("responses");
    EXPECT_EQ(answers.contains("422"), is_once) << path;
  }
}

}  // namespace
}  // namespace parley::http
