#pragma once
/// The files of the page as stored in the program: compressed with gzip, and named by their contents. Constants; any
/// thread.

#include <span>
#include <string>
#include <string_view>

namespace parley::http {

struct UiAsset {
  std::string_view name;  ///< below /ui/assets/, such as main-ABCDEFGH.js
  std::string_view type;  ///< the media type
  std::string_view etag;  ///< entity tag of the plain form, in quotes
  std::string_view gzip;  ///< the compressed bytes
  bool is_immutable;      ///< the name contains a hash of the contents
};

/// Every file; empty if the program was built without the page.
[[nodiscard]] std::span<const UiAsset> ui_assets();
/// The HTML document of the page. `@BASE@` marks where the base path is inserted. Empty if there is no page.
[[nodiscard]] std::string_view ui_shell();

/// The plain bytes of a file.
[[nodiscard]] std::string unpacked(const UiAsset& asset);

/// The script and the style of a self-contained report (GET /runs/{id}/report). The script is one classic script that
/// finds its data in the elements `report-index` and `transcript-RESULTID`. Empty if there is no page.
[[nodiscard]] const std::string& report_script();
[[nodiscard]] const std::string& report_style();

}  // namespace parley::http
