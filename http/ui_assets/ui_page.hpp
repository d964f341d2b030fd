#pragma once
/// UiPage: answers GET and HEAD for the page: `/`, and every path under `/ui/`. No key is needed (D82), because the
/// files are the same for every caller and contain no data.
///
/// Thread: any; const after construction. With a folder (`--ui-dir`, on loopback only) files are read from disk on
/// each request.

#include <optional>
#include <string>

#include "http/exchange/reply.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

class UiPage {
 public:
  /// `folder`: the folder of index.html and assets/; if empty, the embedded files are served.
  UiPage(std::string base_path, std::string folder);

  /// Whether the path belongs to the page.
  [[nodiscard]] bool owns(std::string_view path) const;
  /// Needs: owns(request.path).
  [[nodiscard]] Expected<Reply> answer(const Request& request) const;

 private:
  [[nodiscard]] std::string_view inside(std::string_view path) const;
  [[nodiscard]] Expected<Reply> asset(const Request& request, std::string_view name) const;
  [[nodiscard]] Expected<Reply> asset_on_disk(std::string_view name) const;
  [[nodiscard]] Reply shell(const Request& request) const;
  [[nodiscard]] std::string document_of(std::string_view shell) const;

  std::string base_path_;
  std::string folder_;
  std::string document_;
};

}  // namespace parley::http
