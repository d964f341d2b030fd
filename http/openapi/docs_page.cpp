// The page that shows the API description in a browser (D82). One document without external links. Its
// Content-Security-Policy allows its script and style by their hashes, and requests to this server only.

#include "http/openapi/docs_page.hpp"

#include "docs_page/assets.hpp"
#include "http/report/html_text.hpp"

namespace parley::http {
namespace {

std::string filled(std::string page, std::string_view mark, std::string_view text) {
  return page.replace(page.find(mark), mark.size(), text);
}

std::string whole_page() {
  const std::string styled = filled(std::string(docs_page::page), "@STYLE@", docs_page::style);
  return filled(styled, "@SCRIPT@", docs_page::script);
}

std::string policy() {
  return "default-src 'none'; script-src " + csp_hash(docs_page::script) + "; style-src " +
         csp_hash(docs_page::style) +
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
