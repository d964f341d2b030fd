#pragma once
/// Users and their API keys (D20, D80). Only a hash of a key is stored.

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley {

enum class UserRole : std::uint8_t { admin, member, viewer };
template <>
struct Words<UserRole> {
  static constexpr std::array<std::string_view, 3> all{"admin", "member", "viewer"};
};

struct User {
  Stamp stamp;
  std::string name;
  std::optional<std::string> email;
  UserRole role = UserRole::member;
  bool is_disabled = false;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::user;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the user.");
    v.field("email", self.email, Rules{.chars_max = limits::name_chars_max}, "Where to reach the user.");
    v.field(
        "role", self.role, Rules{},
        "A viewer reads; a member writes, but manages neither users nor other people's keys; an admin "
        "may do everything. Admins cannot change their own role, or disable or archive themselves; another "
        "admin can.");
    v.field("isDisabled", self.is_disabled, Rules{}, "The keys of a disabled user are invalid.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
  }
};

enum class Scope : std::uint8_t { read, write, admin };
template <>
struct Words<Scope> {
  static constexpr std::array<std::string_view, 3> all{"read", "write", "admin"};
};

struct ApiKey {
  Stamp stamp;
  std::string name;
  std::string prefix;  ///< `parley_<8 characters>`, which identifies the key and grants nothing
  std::string hash;    ///< HMAC-SHA256 of the secret, in hex
  Ref<RecordKind::user> user;
  std::vector<Scope> scopes;
  std::optional<Time> expires_at;
  std::optional<Time> last_used_at;
  bool is_archived = false;

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::api_key;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the key.");
    v.field("prefix", self.prefix, Rules{.access = Access::service},
            "The part of the key that may be shown.");
    v.field("hash", self.hash, Rules{.access = Access::internal}, "");
    v.field("user", self.user, Rules{.access = Access::create},
            "The user that the key belongs to. Default: the caller.");
    // An empty list does not mean all scopes: a client that requests a key without rights must not get one
    // with all rights.
    v.field("scopes", self.scopes, Rules{.items_max = 3, .never_empty = true},
            "read, write, admin; if absent, every scope that both the caller and the user may have.");
    v.field("expiresAt", self.expires_at, Rules{}, "When the key stops working.");
    v.field("lastUsedAt", self.last_used_at, Rules{.access = Access::service}, "Last use, to the minute.");
    v.field("isArchived", self.is_archived, Rules{.access = Access::internal}, "");
  }
};

}  // namespace parley
