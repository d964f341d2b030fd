#pragma once
/// The parts of the OpenAPI document that the route table does not contain: groups of operations, shared parameters,
/// and the problems that an operation can answer. Tables; any thread.

#include <span>
#include <string_view>
#include <vector>

#include "http/exchange/route.hpp"
#include "model/json/json_writer.hpp"

namespace parley::http {

/// A group of operations: all paths that begin with this segment.
struct TagRow {
  std::string_view name;
  std::string_view about;
};
[[nodiscard]] std::span<const TagRow> openapi_tags();
/// The group of a path; `service` for operations on the server itself.
[[nodiscard]] std::string_view tag_of(const Route& route);

/// A parameter of several operations, listed under components/parameters. A parameter without a component has a
/// different schema in each operation.
struct ParameterRow {
  std::string_view component;
  std::string_view name;
  std::string_view in;
  std::string_view about;
  std::string_view schema;  ///< JSON; empty without a component
  bool (*belongs_to)(const Route& route);
};
[[nodiscard]] std::span<const ParameterRow> openapi_parameters();

/// A list filter that is not the id of a record. `gives`: the rows of the list; the null id means every list.
struct FilterRow {
  std::string_view name;
  SchemaId gives;
  std::string_view about;
  void (*write_schema)(json::Writer& out);
};
/// The filter of a list; its `write_schema` is null if the filter is not in the table.
[[nodiscard]] FilterRow filter_of(const Route& route, std::string_view name);

/// The names of the query parameters that the operation takes, separated by commas.
[[nodiscard]] std::string parameters_of(const Route& route);
/// Whether the operation has a query parameter of this name.
[[nodiscard]] bool accepts_parameter(const Route& route, std::string_view name);

/// An example body for a first request; the client must fill in the ids.
struct ExampleRow {
  SchemaId takes;
  std::string_view body;  ///< JSON
};
/// Examples for bodies whose schema alone does not yield a useful example.
[[nodiscard]] std::span<const ExampleRow> openapi_examples();

/// A header field that only some answers have.
struct FieldRow {
  std::string_view name;
  std::string_view about;
  bool (*belongs_to)(const Route& route);
};
/// The header fields of successful answers.
[[nodiscard]] std::span<const FieldRow> openapi_fields();

/// An answer under components/responses, and the operations that can give it.
struct AnswerRow {
  int status;
  std::string_view component;
  std::string_view about;
  bool (*belongs_to)(const Route& route);
  std::string_view field{};  ///< a header field of the answer; empty if it has none
  std::string_view about_field{};
};
[[nodiscard]] std::span<const AnswerRow> openapi_answers();

}  // namespace parley::http
