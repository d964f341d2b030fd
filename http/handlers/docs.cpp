// The page that shows the API description in a browser (D82).

#include "http/handlers/handlers.hpp"
#include "http/openapi/docs_page.hpp"

namespace parley::http {

Expected<Reply> docs(const Context&, const store::Snapshot&, const RequestContext&) {
  return docs_page_reply();
}

}  // namespace parley::http
