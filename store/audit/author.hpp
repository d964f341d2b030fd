#pragma once
/// Author: the client that asked for a change. The request passes it to the change set, and the audit log keeps
/// it (I68). A plain value; any thread.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/id.hpp"

namespace parley::store {

/// An IPv6 address, or an IPv4 address as ::ffff:a.b.c.d; all zeros: unknown.
using Address = std::array<std::uint8_t, 16>;

struct Author {
  Id key;             ///< API key; nil: the service itself
  Address address{};  ///< client address, from a trusted proxy if available, else from the connection
  std::string_view operation;  ///< operation id of the request; a static string

  [[nodiscard]] bool is_service() const { return key.is_nil(); }
};

}  // namespace parley::store
