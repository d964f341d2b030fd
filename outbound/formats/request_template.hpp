#pragma once
/// Request templates (D100): any JSON value whose strings may contain placeholders.
///
///   "{{name}}"           the whole string is one placeholder: replaced by the value itself, of any type
///   "Turn {{turn}}: x"   inside a longer string: replaced by the text of the value; null becomes empty
///   name = message | action | arguments | turn | testResultId | messages | conversation | metadata
///        | metadata.KEY | fields.KEY
///
/// Member names are not searched, and inserted values are not searched again. Pure; any thread.

#include <functional>
#include <string>
#include <string_view>

#include "model/description/record_parse.hpp"

namespace parley::outbound {

/// The JSON text for the name of a placeholder; "null" if no such value exists. Called once for each placeholder.
using ValueOf = std::function<std::string(std::string_view name)>;

/// Adds a fault for each placeholder with an unknown name. `pointer` points at the template.
void check_template(const json::Value& value, const std::string& pointer, Findings& findings);
/// As above, for an object of query parameters, whose values must be text, numbers or booleans.
void check_query(const json::Value& query, const std::string& pointer, Findings& findings);

/// The template with its values inserted, as JSON. Needs: valid JSON.
[[nodiscard]] std::string filled_json(const json::Value& form, const ValueOf& value_of);
/// The text of a string template with its values inserted. Needs: a string.
[[nodiscard]] std::string filled_text(const json::Value& form, const ValueOf& value_of);
/// Checks a URL whose path and query may have placeholders. Adds a fault for a placeholder before them, and for
/// an unknown one.
void check_url_template(std::string_view url, const std::string& pointer, Findings& findings);
/// The URL with its placeholders replaced by the percent-encoded values.
[[nodiscard]] std::string filled_url(std::string_view url, const ValueOf& value_of);

/// The URL with the percent-encoded parameters added. Omits a parameter whose value is null.
[[nodiscard]] std::string with_query(std::string url, const json::Value& query, const ValueOf& value_of);

}  // namespace parley::outbound
