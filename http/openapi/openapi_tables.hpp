#pragma once
/// The parts of the OpenAPI document that the route table does not hold: groups of operations, shared
/// parameters, and the problems that an operation can answer. Tables; any thread.

#include <span>
#include <string_view>
#include <vector>

#include "http/exchange/route.hpp"
#include "model/json/json_writer.hpp"

namespace parley::http {

/// A group of operations: all paths with this first segment.
struct TagRow {
  std::string_view name;
  std::string_view about;
};
[[nodiscard]] std::span<const TagRow> openapi_tags();
/// The group of a path; `service` for operations about the server itself.
[[nodiscard]] std::string_view tag_of(const Route& route);

/// A parameter of several operations, listed under components/parameters; one without a component has a
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

/// A filter of a list that is not the id of a record. `gives`: the rows of the list; none: every list.
struct FilterRow {
  std::string_view name;
  SchemaId gives;
  std::string_view about;
  void (*write_schema)(json::Writer& out);
};
/// The filter of the list; its `write_schema` is null if it is not in the table.
[[nodiscard]] FilterRow filter_of(const Route& route, std::string_view name);

/// Whether the operation has a query parameter of this name.
/// The names of the query parameters that the operation takes, separated by commas.
[[nodiscard]] std::string parameters_of(const Route& route);
[[nodiscard]] bool accepts_parameter(const Route& route, std::string_view name);

/// An example body for a first request; ids must be filled in.
struct ExampleRow {
  SchemaId takes;
  std::string_view body;  ///< JSON
};
/// For bodies whose schema alone yields no useful example.
[[nodiscard]] std::span<const ExampleRow> openapi_examples();

/// A header field that not every answer has.
struct FieldRow {
  std::string_view name;
  std::string_view about;
  bool (*belongs_to)(const Route& route);
};
/// The fields of successful answers.
[[nodiscard]] std::span<const FieldRow> openapi_fields();

/// An answer under components/responses, and the operations that can give it.
struct AnswerRow {
  int status;
  std::string_view component;
  std::string_view about;
  bool (*belongs_to)(const Route& route);
  std::string_view field{};  ///< a header field of the answer; empty: none
  std::string_view about_field{};
};
[[nodiscard]] std::span<const AnswerRow> openapi_answers();

}  // namespace parley::http
