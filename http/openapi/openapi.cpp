#include "http/openapi/openapi.hpp"

#include <map>
#include <vector>

#include "http/openapi/openapi_tables.hpp"
#include "http/openapi/schemas.hpp"
#include "http/protocol/response.hpp"
#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"

namespace parley::http {
namespace {

constexpr std::string_view id_schema = R"({"type":"string","maxLength":64})";

void write_reference(json::Writer& out, std::string_view schema) {
  out.begin_object().member("$ref", "#/components/schemas/" + std::string(schema)).end_object();
}

void write_content(json::Writer& out, std::string_view media_type, std::string_view schema) {
  out.key("content").begin_object();
  out.key(media_type).begin_object();
  out.key("schema");
  write_reference(out, schema);
  out.end_object();
  out.end_object();
}

void write_text(json::Writer& out, std::string_view media_type) {
  out.key("content").begin_object();
  out.key(media_type).begin_object().key("schema").raw(R"({"type":"string"})").end_object();
  out.end_object();
}

/// Writes the list envelope around rows of one schema.
void write_page(json::Writer& out, std::string_view row) {
  out.key("content").begin_object().key("application/json").begin_object();
  out.key("schema").begin_object();
  out.member("type", "object");
  out.key("properties").begin_object();
  out.key("data").begin_object().member("type", "array").key("items");
  write_reference(out, row);
  out.end_object();
  for (const std::string_view name : {"total", "page", "limit"}) {
    out.key(name).begin_object().member("type", "integer").end_object();
  }
  out.end_object();
  out.key("required").begin_array().string("data").string("total").string("page").string("limit").end_array();
  out.end_object().end_object().end_object();
}

void write_reference_to(json::Writer& out, std::string_view section, std::string_view component) {
  out.begin_object();
  out.member("$ref", "#/components/" + std::string(section) + "/" + std::string(component));
  out.end_object();
}

void write_field(json::Writer& out, std::string_view name, std::string_view about) {
  out.key(name).begin_object().member("description", about);
  out.key("schema").raw(R"({"type":"string"})").end_object();
}

/// Writes the header fields of a successful answer.
void write_answer_fields(json::Writer& out, const Route& route) {
  std::vector<const FieldRow*> fields;
  for (const FieldRow& row : openapi_fields()) {
    if (row.belongs_to(route)) fields.push_back(&row);
  }
  if (fields.empty()) return;
  out.key("headers").begin_object();
  for (const FieldRow* row : fields) write_field(out, row->name, row->about);
  out.end_object();
}

void write_path_value(json::Writer& out, std::string_view name) {
  out.begin_object().member("name", name).member("in", "path");
  out.key("required").boolean(true);
  const bool is_signature = name == "signature";
  out.member("description", is_signature ? "The signature of the group." : "The id of the record.");
  out.key("schema").raw(is_signature ? R"({"type":"string","pattern":"^[0-9a-f]{16}$"})" : id_schema);
  out.end_object();
}

void write_filter(json::Writer& out, const Route& route, std::string_view name) {
  const FilterRow row = filter_of(route, name);
  out.begin_object().member("name", name).member("in", "query");
  out.key("required").boolean(false);
  out.member("description", row.about.empty() ? "Only rows with this " + std::string(name) + ", given by id."
                                              : std::string(row.about));
  out.key("schema");
  if (row.write_schema != nullptr) {
    row.write_schema(out);
  } else {
    out.raw(id_schema);
  }
  out.end_object();
}

/// The fields by which the rows of a list can be sorted.
std::vector<std::string_view> sorts_of(const Route& route) {
  if (!route.sorts.empty()) return words_of(route.sorts);
  const SchemaRow& row = schema_row(route.gives);
  return row.sort_names == nullptr ? std::vector<std::string_view>{} : row.sort_names();
}

void write_sort(json::Writer& out, const Route& route, const ParameterRow& row) {
  out.begin_object().member("name", row.name).member("in", row.in).member("description", row.about);
  out.key("required").boolean(false);
  out.key("schema").begin_object().member("type", "string").key("enum").begin_array();
  for (const std::string_view name : sorts_of(route)) out.string(name);
  out.end_array().member("default", "createdAt").end_object();
  out.end_object();
}

void write_parameters(json::Writer& out, const Route& route) {
  out.key("parameters").begin_array();
  for (auto at = route.path.find('{'); at != std::string_view::npos; at = route.path.find('{', at + 1)) {
    const std::string_view name = route.path.substr(at + 1, route.path.find('}', at) - at - 1);
    write_path_value(out, name);
  }
  for (const std::string_view filter : words_of(route.filters)) write_filter(out, route, filter);
  for (const ParameterRow& row : openapi_parameters()) {
    if (!row.belongs_to(route)) continue;
    row.component.empty() ? write_sort(out, route, row)
                          : write_reference_to(out, "parameters", row.component);
  }
  out.end_array();
}

void write_success(json::Writer& out, const Route& route) {
  out.key(std::to_string(route.success)).begin_object().member("description", "Done");
  write_answer_fields(out, route);
  switch (route.form) {
    case Gives::one: write_content(out, "application/json", schema_row(route.gives).name); break;
    case Gives::page: write_page(out, schema_row(route.gives).name); break;
    case Gives::text: write_text(out, "text/plain"); break;
    case Gives::html: write_text(out, "text/html"); break;
    case Gives::events: write_text(out, "text/event-stream"); break;
    case Gives::nothing: break;
  }
  out.end_object();
}

void write_answers(json::Writer& out, const Route& route) {
  out.key("responses").begin_object();
  write_success(out, route);
  for (const AnswerRow& row : openapi_answers()) {
    if (!row.belongs_to(route)) continue;
    out.key(std::to_string(row.status));
    write_reference_to(out, "responses", row.component);
  }
  out.key("default");
  write_reference_to(out, "responses", "Problem");
  out.end_object();
}

/// Whether the body has a required field. If not, an empty body counts as `{}` (D5).
bool has_required_field(const SchemaRow& schema) {
  json::Writer out;
  write_schema(out, schema);
  const auto document = json::parse(std::move(out).text());
  return document.ok() && document->root().find("required").has_value();
}

void write_body(json::Writer& out, SchemaId takes) {
  const SchemaRow& schema = schema_row(takes);
  out.key("requestBody").begin_object();
  out.key("required").boolean(has_required_field(schema));
  out.key("content").begin_object().key(schema.media_type).begin_object();
  out.key("schema");
  write_reference(out, schema.name);
  for (const ExampleRow& row : openapi_examples()) {
    if (row.takes == takes) out.key("example").raw(row.body);
  }
  out.end_object().end_object().end_object();
}

void write_operation(json::Writer& out, const Route& route) {
  std::string method(route.method);
  for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
  out.key(method).begin_object();
  out.member("operationId", route.operation).member("summary", route.summary);
  out.key("tags").begin_array().string(tag_of(route)).end_array();
  if (route.right == Right::none) out.key("security").begin_array().end_array();
  write_parameters(out, route);
  if (route.takes) write_body(out, route.takes);
  write_answers(out, route);
  out.end_object();
}

void write_shared_parameters(json::Writer& out) {
  out.key("parameters").begin_object();
  for (const ParameterRow& row : openapi_parameters()) {
    if (row.component.empty()) continue;
    out.key(row.component).begin_object();
    out.member("name", row.name).member("in", row.in).member("description", row.about);
    out.key("required").boolean(false);
    out.key("schema").raw(row.schema);
    out.end_object();
  }
  out.end_object();
}

void write_shared_answers(json::Writer& out) {
  out.key("responses").begin_object();
  for (const AnswerRow& row : openapi_answers()) {
    out.key(row.component).begin_object().member("description", row.about);
    if (!row.field.empty()) {
      out.key("headers").begin_object();
      write_field(out, row.field, row.about_field);
      out.end_object();
    }
    if (may_have_body(row.status)) write_content(out, "application/problem+json", "Problem");
    out.end_object();
  }
  out.key("Problem").begin_object().member("description", "Any other problem (RFC 9457).");
  out.key("headers").begin_object();
  write_field(out, "Allow", "With 405: the methods that the path allows");
  write_field(out, "Retry-After", "With 429 and 503: seconds to wait before a retry");
  out.end_object();
  write_content(out, "application/problem+json", "Problem");
  out.end_object();
  out.end_object();
}

void write_tags(json::Writer& out) {
  out.key("tags").begin_array();
  for (const TagRow& row : openapi_tags()) {
    out.begin_object().member("name", row.name).member("description", row.about).end_object();
  }
  out.end_array();
}

void write_components(json::Writer& out) {
  out.key("components").begin_object();
  out.key("securitySchemes").begin_object().key("key").begin_object();
  out.member("type", "http").member("scheme", "bearer").end_object().end_object();
  write_shared_parameters(out);
  write_shared_answers(out);
  out.key("schemas").begin_object();
  for (const SchemaRow& row : schemas()) {
    out.key(row.name);
    write_schema(out, row);
  }
  out.end_object();
  out.end_object();
}

}  // namespace

std::string openapi_json(std::span<const Route> routes, std::string_view version,
                         std::string_view base_path) {
  std::map<std::string_view, std::vector<const Route*>> by_path;
  for (const Route& route : routes) by_path[route.path].push_back(&route);
  json::Writer out;
  out.begin_object().member("openapi", "3.1.0");
  out.key("info").begin_object().member("title", "parley").member("version", version);
  out.member("description",
             "Runs simulated-user conversations against chatbots and agents, and scores them.");
  out.end_object();
  out.key("servers").begin_array().begin_object();
  out.member("url", base_path.empty() ? "/" : base_path).end_object().end_array();
  out.key("security")
      .begin_array()
      .begin_object()
      .key("key")
      .begin_array()
      .end_array()
      .end_object()
      .end_array();
  write_tags(out);
  out.key("paths").begin_object();
  for (const auto& [path, operations] : by_path) {
    out.key(path).begin_object();
    for (const Route* route : operations) write_operation(out, *route);
    out.end_object();
  }
  out.end_object();
  write_components(out);
  out.end_object();
  return std::move(out).text();
}

}  // namespace parley::http
