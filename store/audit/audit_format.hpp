#pragma once
/// Internal to store/: how a record of the audit log is written down and what binds it to the one before it. Pure; any
/// thread.
///
///   key of a record = seq                                  ; u64, 1 for the first one, without gaps
///   payload         = mac previous time *set
///   mac             = HMAC-SHA256 over seq previous time *set, keyed with AuditKeys::chain; 32 bytes
///   previous        = mac of the record with seq - 1; zeros before the first one; 32 bytes
///   time            = i64, ms
///   set             = count *author count *change           ; of one change set; counts are u32
///   author          = key address size operation            ; ids 16 bytes, address 16 bytes, size u8
///   change          = table size key before after           ; table u8 (TableId), size u16, digests 16 bytes
///   digest          = first half of SHA-256 over AuditKeys::values and the framed value; zeros: no value
///   anchor          = seq mac seal                          ; in `meta`: the last record that was let go
///   seal            = HMAC-SHA256 over seq mac, keyed with AuditKeys::anchor; 32 bytes
///   key anchor      = seq mac key-seal                      ; in `meta`: the last record under another master key
///   key-seal        = HMAC-SHA256 over "key" seq mac, keyed with AuditKeys::anchor; 32 bytes
///
/// Numbers are big-endian. The digest is keyed because the log outlives what was deleted for good (D25): a short text must
/// not be found by trying.

#include "store/audit/audit.hpp"
#include "store/engine/value.hpp"

namespace parley::store {

inline constexpr std::size_t mac_bytes = 32;
inline constexpr std::size_t digest_bytes = 16;
/// Where the anchor stands in `meta`.
inline constexpr std::string_view anchor_key = "audit";
/// Where the key anchor stands.
inline constexpr std::string_view key_anchor_key = "audit key";
inline constexpr std::array<char, mac_bytes> zeros{};
inline constexpr std::string_view no_mac{zeros.data(), mac_bytes};
inline constexpr std::string_view no_digest{zeros.data(), digest_bytes};

[[nodiscard]] std::string hmac(const Key256& key, std::string_view text);
[[nodiscard]] std::string audit_key(std::uint64_t seq);
/// mac, previous and the rest; `rest` begins with the time.
[[nodiscard]] std::string audit_payload(const AuditKeys& keys, std::uint64_t seq, std::string_view previous,
                                        std::string_view rest);
/// Whether a payload has the mac that it would get with these keys.
[[nodiscard]] bool is_sealed(const AuditKeys& keys, std::uint64_t seq, std::string_view payload);
enum class Anchor { let_go, another_key };
[[nodiscard]] std::string anchor_payload(const AuditKeys& keys, Anchor what, const AuditHead& last);
/// nullopt for a payload that is no such anchor, or was not sealed with these keys.
[[nodiscard]] std::optional<AuditHead> anchor_of(const AuditKeys& keys, Anchor what,
                                                 std::string_view payload);

/// What a framed value holds; empty where it does not verify.
[[nodiscard]] std::string_view payload_at(TableId table, std::string_view key, std::string_view value);
/// The head of a log that ends with this record. Where it is damaged its mac is unknown, and the chain shows a fault there
/// for ever.
[[nodiscard]] AuditHead head_at(std::string_view key, std::string_view value);

void append_author(std::string& out, const Author& author);
/// All of a change but its two digests, which follow.
void append_place(std::string& out, TableId table, std::string_view key);
/// Needs: the payload outlives what is given, which views it. nullopt for a payload of another form.
[[nodiscard]] std::optional<AuditRecord> decode_audit(std::uint64_t seq, std::string_view payload);

/// Digests values; keeps OpenSSL's context from one to the next.
class Digester {
 public:
  explicit Digester(const Key256& key);
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  /// Adds the digest of a value, or that of none.
  void append(std::string& out, std::optional<std::string_view> framed);

 private:
  struct Context;
  Key256 key_;
  std::unique_ptr<Context> context_;
};

}  // namespace parley::store
