#include "http/ui_assets/ui_page.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include "http/protocol/gzip.hpp"
#include "http/ui_assets/ui_assets.hpp"

namespace parley::http {
namespace {

constexpr std::string_view base_mark = "@BASE@";
constexpr std::string_view without_page =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>parley</title>"
    "<p>This parley was built without its page (-DPARLEY_UI=OFF). "
    "The API works: see <a href=\"@BASE@/docs\">its description</a>.</p></html>";

/// The page may only run its own files and call this server. Text from elsewhere can never become markup.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'";
constexpr std::string_view permissions_policy =
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
    "microphone=(), midi=(), payment=(), usb=()";

void protect(Reply& reply) {
  reply.fields.emplace_back("Content-Security-Policy", content_policy);
  reply.fields.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  reply.fields.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
  reply.fields.emplace_back("Referrer-Policy", "no-referrer");
  reply.fields.emplace_back("Permissions-Policy", permissions_policy);
}

bool is_safe_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

std::string_view type_of(std::string_view name) {
  struct Type {
    std::string_view ending, type;
  };
  constexpr std::array types{Type{".js", "text/javascript; charset=utf-8"},
                             Type{".css", "text/css; charset=utf-8"}, Type{".svg", "image/svg+xml"}};
  const auto* found =
      std::find_if(types.begin(), types.end(), [&](const Type& each) { return name.ends_with(each.ending); });
  return found == types.end() ? "application/octet-stream" : found->type;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Problem no_such_file() {
  return problem(ProblemKind::not_found, "the page has no such file; reload the page to get the current one");
}

}  // namespace

UiPage::UiPage(std::string base_path, std::string folder)
    : base_path_(std::move(base_path)), folder_(std::move(folder)) {
  while (!base_path_.empty() && base_path_.back() == '/') base_path_.pop_back();
  document_ = document_of(ui_shell().empty() ? without_page : ui_shell());
}

std::string UiPage::document_of(std::string_view shell) const {
  std::string document(shell);
  for (auto at = document.find(base_mark); at != std::string::npos; at = document.find(base_mark, at))
    document.replace(at, base_mark.size(), base_path_);
  return document;
}

/// The part of the path after the base path; empty for a path outside it.
std::string_view UiPage::inside(std::string_view path) const {
  if (!path.starts_with(base_path_)) return {};
  path.remove_prefix(base_path_.size());
  return path.empty() ? "/" : path;
}

bool UiPage::owns(std::string_view path) const {
  const std::string_view below = inside(path);
  return below == "/" || below == "/ui" || below.starts_with("/ui/");
}

Expected<Reply> UiPage::asset_on_disk(std::string_view name) const {
  if (!is_safe_name(name)) return no_such_file();
  auto text = read_file(folder_ + "/assets/" + std::string(name));
  if (!text) return no_such_file();
  Reply reply;
  reply.body = std::move(*text);
  reply.media_type = type_of(name);
  return reply;
}

Expected<Reply> UiPage::asset(const Request& request, std::string_view name) const {
  if (!folder_.empty()) return asset_on_disk(name);
  const auto all = ui_assets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const UiAsset& each) { return each.name == name; });
  if (found == all.end()) return no_such_file();
  Reply reply;
  const bool is_packed = wants_gzip(request.joined("Accept-Encoding"));
  std::string tag = is_packed ? packed_tag(found->etag) : std::string(found->etag);
  if (names_tag(request.joined("If-None-Match"), found->etag)) {
    reply.status = 304;
  } else {
    reply.body = is_packed ? std::string(found->gzip) : unpacked(*found);
    reply.media_type = found->type;
    if (is_packed) reply.fields.emplace_back("Content-Encoding", "gzip");
  }
  reply.fields.emplace_back("ETag", std::move(tag));
  if (found->is_immutable) reply.fields.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
  return reply;
}

Reply UiPage::shell(const Request& request) const {
  std::string document = document_;
  if (!folder_.empty()) document = document_of(read_file(folder_ + "/index.html").value_or(document_));
  Reply reply = tagged_reply(std::move(document), request.joined("If-None-Match"));
  reply.media_type = "text/html; charset=utf-8";
  reply.fields.emplace_back("Cache-Control", "no-cache");
  return reply;
}

Expected<Reply> UiPage::answer(const Request& request) const {
  if (request.method == "OPTIONS" || (request.method != "GET" && request.method != "HEAD")) {
    Reply reply = empty_reply();
    if (request.method != "OPTIONS") reply.status = 405;
    reply.fields.emplace_back("Allow", "GET, HEAD, OPTIONS");
    return reply;
  }
  std::string_view path = inside(request.path);
  if (path == "/" || path == "/ui") {
    Reply reply;
    reply.status = 302;
    reply.media_type = "text/plain; charset=utf-8";
    reply.fields.emplace_back("Location", base_path_ + "/ui/");
    protect(reply);
    return reply;
  }
  path.remove_prefix(std::string_view("/ui/").size());
  constexpr std::string_view assets = "assets/";
  const std::string_view last = path.substr(path.rfind('/') + 1);
  // `A...B` names two records that the page compares; it is not a file name.
  const bool is_file = last.find('.') != std::string_view::npos && last.find("...") == std::string_view::npos;
  Reply reply;
  if (path.starts_with(assets)) {
    TRY(file, asset(request, path.substr(assets.size())));
    reply = std::move(file);
  } else if (is_file) {
    return no_such_file();
  } else {
    reply = shell(request);
  }
  protect(reply);
  return reply;
}

}  // namespace parley::http
