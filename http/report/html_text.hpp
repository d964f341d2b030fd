#pragma once
/// Writes foreign text into an HTML document so that it remains text, whatever characters it contains. Pure; any
/// thread.

#include <string>
#include <string_view>

namespace parley::http {

/// For text content or a quoted attribute value. Control characters and characters that reorder text become U+FFFD.
[[nodiscard]] std::string html_text(std::string_view text);
/// JSON for a script element. It contains no `<`, so that neither `</script` nor `<!--` can end or change the
/// element, and no character that reorders what a person reads.
[[nodiscard]] std::string json_in_html(std::string_view json);
/// Encodes as defined in RFC 4648 section 4.
[[nodiscard]] std::string base64(std::string_view bytes);
/// The CSP source expression for an inline script or style with exactly this text.
[[nodiscard]] std::string csp_hash(std::string_view text);

}  // namespace parley::http
