#pragma once
/// Tables for people and rows for programs, from one list of columns. Pure except for the printing.

#include <functional>
#include <string>
#include <vector>

#include "client/screen/terminal.hpp"
#include "client/verbs/verb.hpp"
#include "model/json/json.hpp"

namespace parley::client {

struct Column {
  std::string_view field;  ///< the name in --json
  std::string_view title;  ///< of the table; empty: only in JSON
  std::function<std::string(const json::Value& row)> text;
};

/// The fields that --json requests. Problem: an unknown one.
[[nodiscard]] Expected<std::vector<std::string>> json_fields(const Invocation& call,
                                                             const std::vector<Column>& columns);

/// Prints rows: with --json=fields an array of objects, with --json alone the names of the fields, else a table.
/// Problem: an unknown field.
[[nodiscard]] Expected<Done> print_rows(const Invocation& call, const std::vector<Column>& columns,
                                        const std::vector<json::Value>& rows);
/// Prints an object: with --json=fields these members of it, with --json alone the names of its members. Problem: an unknown field.
[[nodiscard]] Expected<Done> print_members(const Invocation& call, const std::string& document);
/// The same with rows that are already texts, one for each column.
[[nodiscard]] std::string table_text(const std::vector<std::string>& titles,
                                     const std::vector<std::vector<std::string>>& rows,
                                     const Terminal& terminal);

}  // namespace parley::client
