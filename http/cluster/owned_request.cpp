#include "http/cluster/owned_request.hpp"

#include "model/check.hpp"

namespace parley::http {

OwnedRequest::OwnedRequest(const Request& request) : view_(request) {
  std::size_t size = request.method.size() + request.target.size() + request.path.size() +
                     request.query.size() + request.body.size();
  for (const Field& field : request.fields) size += field.name.size() + field.value.size();
  bytes_.reserve(size);  // a reallocation would invalidate the views
  view_.method = keep(request.method);
  view_.target = keep(request.target);
  view_.path = keep(request.path);
  view_.query = keep(request.query);
  for (Field& field : view_.fields) field = {keep(field.name), keep(field.value)};
  view_.body = keep(request.body);
}

std::string_view OwnedRequest::keep(std::string_view text) {
  CHECK(bytes_.size() + text.size() <= bytes_.capacity());
  const std::size_t at = bytes_.size();
  bytes_ += text;
  return std::string_view(bytes_).substr(at);
}

}  // namespace parley::http
