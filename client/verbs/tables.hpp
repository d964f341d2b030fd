#pragma once
/// Prints tables for people and rows for programs, from the same list of columns. Pure except for printing.

#include <functional>
#include <string>
#include <vector>

#include "client/screen/terminal.hpp"
#include "client/verbs/verb.hpp"
#include "model/json/json.hpp"

namespace parley::client {

struct Column {
  std::string_view field;  ///< the field name in --json
  std::string_view title;  ///< the table title; empty: only in JSON
  std::function<std::string(const json::Value& row)> text;
};

/// Returns the fields that --json requests. Problem: a field is unknown.
[[nodiscard]] Expected<std::vector<std::string>> json_fields(const Invocation& call,
                                                             const std::vector<Column>& columns);

/// Prints rows: with --json=fields an array of objects, with --json alone the names of the fields, and otherwise a
/// table. Problem: a field is unknown.
[[nodiscard]] Expected<Done> print_rows(const Invocation& call, const std::vector<Column>& columns,
                                        const std::vector<json::Value>& rows);
/// Prints members of an object: with --json=fields an object with these members, with --json alone their names.
/// Problem: a field is unknown.
[[nodiscard]] Expected<Done> print_members(const Invocation& call, const std::string& document);
/// Formats a table. Each row has one text per column.
[[nodiscard]] std::string table_text(const std::vector<std::string>& titles,
                                     const std::vector<std::vector<std::string>>& rows,
                                     const Terminal& terminal);

}  // namespace parley::client
