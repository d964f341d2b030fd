#pragma once
/// The address that a name to listen on stands for. Thread: any; asks the system's resolver and may block.

#include <string>

#include "model/result.hpp"

namespace parley::http {

/// The numbers of the first address of the host; numbers, in brackets or not, stay as they are. `localhost` is 127.0.0.1
/// where it has that address. Problem: internal, for a name without an address.
[[nodiscard]] Result<std::string> numeric_host(const std::string& host);

}  // namespace parley::http
