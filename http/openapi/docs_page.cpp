// The page that shows the API's description in a browser (D82). One document without external links; its
// Content-Security-Policy allows its script and style by their hashes, and requests to this server only.

#include "http/openapi/docs_page.hpp"

#include <openssl/evp.h>

#include <array>

#include "docs_page/assets.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

std::string sha256_source(std::string_view text) {
  const std::string digest = store::sha256(text);
  std::array<unsigned char, 4 * ((32 + 2) / 3) + 1> base64{};
  const int length = EVP_EncodeBlock(base64.data(), reinterpret_cast<const unsigned char*>(digest.data()),
                                     static_cast<int>(digest.size()));
  return "'sha256-" + std::string(base64.begin(), base64.begin() + length) + "'";
}

std::string filled(std::string page, std::string_view mark, std::string_view text) {
  return page.replace(page.find(mark), mark.size(), text);
}

std::string whole_page() {
  const std::string styled = filled(std::string(docs_page::page), "@STYLE@", docs_page::style);
  return filled(styled, "@SCRIPT@", docs_page::script);
}

std::string policy() {
  return "default-src 'none'; script-src " + sha256_source(docs_page::script) + "; style-src " +
         sha256_source(docs_page::style) +
         "; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

Reply docs_page_reply() {
  static const std::string page = whole_page();
  static const std::string allowed = policy();
  Reply reply;
  reply.body = page;
  reply.media_type = "text/html; charset=utf-8";
  reply.fields.emplace_back("Content-Security-Policy", allowed);
  reply.fields.emplace_back("Referrer-Policy", "no-referrer");
  return reply;
}

}  // namespace parley::http
