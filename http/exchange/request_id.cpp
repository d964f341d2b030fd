#include "http/exchange/request_id.hpp"

#include <algorithm>

#include "model/id.hpp"

namespace parley::http {
namespace {

constexpr std::size_t request_id_chars_max = 128;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= request_id_chars_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

RequestIdSource::RequestIdSource(Time now) : prefix_(to_text(RandomIds().next(now)).substr(19) + "-") {}

std::string RequestIdSource::next() {
  return prefix_ + std::to_string(++count_);
}

std::string RequestIdSource::keep_or_next(std::string_view given) {
  return is_request_id(given) ? std::string(given) : next();
}

}  // namespace parley::http
