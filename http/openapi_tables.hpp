#pragma once
/// What the OpenAPI document says beside the route table: groups of operations, parameters that many share, and which
/// problems an operation can answer. Tables; any thread.

#include <span>
#include <string_view>

#include "http/route.hpp"

namespace parley::http {

/// A group of operations: all paths with this first segment.
struct TagRow {
  std::string_view name;
  std::string_view about;
};
[[nodiscard]] std::span<const TagRow> openapi_tags();
/// The group of a path; `service` for what is about the service itself.
[[nodiscard]] std::string_view tag_of(const Route& route);

/// A parameter under components/parameters and the operations that have it.
struct ParameterRow {
  std::string_view component;
  std::string_view name;
  std::string_view in;
  std::string_view about;
  std::string_view schema;  ///< JSON
  bool (*belongs_to)(const Route& route);
};
[[nodiscard]] std::span<const ParameterRow> openapi_parameters();

/// An answer under components/responses and the operations that may give it.
struct AnswerRow {
  int status;
  std::string_view component;
  std::string_view about;
  bool (*belongs_to)(const Route& route);
};
[[nodiscard]] std::span<const AnswerRow> openapi_answers();

}  // namespace parley::http
