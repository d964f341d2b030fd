#pragma once
/// Author: who asked for a change. Carried from the request to the change set and kept in the audit log
/// (I68). A plain value; any thread.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/id.hpp"

namespace parley::store {

/// An IPv6 address, or an IPv4 one as ::ffff:a.b.c.d; all zeros: unknown.
using Address = std::array<std::uint8_t, 16>;

struct Author {
  Id key;                      ///< API key; nil: the service itself
  Address address{};           ///< of the client, as a trusted proxy names it, else of the connection
  std::string_view operation;  ///< operation id of the request; static text

  [[nodiscard]] bool is_service() const { return key.is_nil(); }
};

}  // namespace parley::store
