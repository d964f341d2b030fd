#pragma once
/// The page /docs, which needs neither a store nor a key. Thread: any.

#include "http/exchange/reply.hpp"

namespace parley::http {

[[nodiscard]] Reply docs_page_reply();

}  // namespace parley::http
