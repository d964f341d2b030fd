#pragma once
/// Foreign text in an HTML document: it stays text, whatever characters it contains. Pure; any thread.

#include <string>
#include <string_view>

namespace parley::http {

/// As text or as the value of an attribute in quotes. Controls and characters that reorder text become U+FFFD.
[[nodiscard]] std::string html_text(std::string_view text);
/// JSON for a script element: no `<`, so that neither `</script` nor `<!--` can end or change it, and no
/// character that reorders what a person reads.
[[nodiscard]] std::string json_in_html(std::string_view json);
/// RFC 4648 section 4.
[[nodiscard]] std::string base64(std::string_view bytes);
/// A source expression of CSP for an inline script or style with exactly this text.
[[nodiscard]] std::string csp_hash(std::string_view text);

}  // namespace parley::http
