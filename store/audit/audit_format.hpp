#pragma once
/// Internal to store/: the format of an audit record and its binding to the record before it. Pure; any
/// thread.
///
///   key of a record = seq                                  ; u64, from 1, without gaps
///   payload         = mac previous time *set
///   mac             = HMAC-SHA256 over seq previous time *set, keyed with AuditKeys::chain; 32 bytes
///   previous        = mac of the record with seq - 1; zeros in record 1; 32 bytes
///   time            = i64, ms
///   set             = count *author count *change           ; of one change set; counts are u32
///   author          = key address size operation            ; ids 16 bytes, address 16 bytes, size u8
///   change          = table size key before after           ; table u8 (TableId), size u16, digests 16 bytes
///   digest          = first half of SHA-256 over AuditKeys::values and the framed value; zeros: no value
///   anchor          = seq mac seal                          ; in `meta`: the record before the first verifiable one
///   seal            = HMAC-SHA256 over seq mac, keyed with AuditKeys::anchor; 32 bytes
///
/// Numbers are big-endian. The digest is keyed because the log outlives deleted records (D25), and a short
/// deleted text must not be found by guessing. The anchor vouches for records that --audit-retention removed, and for
/// records that another master key sealed.

#include "store/audit/audit.hpp"
#include "store/engine/value.hpp"

namespace parley::store {

inline constexpr std::size_t mac_bytes = 32;
inline constexpr std::size_t digest_bytes = 16;
/// The key of the anchor in `meta`.
inline constexpr std::string_view anchor_key = "audit";
inline constexpr std::array<char, mac_bytes> zeros{};
inline constexpr std::string_view no_mac{zeros.data(), mac_bytes};
inline constexpr std::string_view no_digest{zeros.data(), digest_bytes};

[[nodiscard]] std::string hmac(const Key256& key, std::string_view text);
[[nodiscard]] std::string audit_key(std::uint64_t seq);
/// Returns mac, previous and `rest`. `rest` begins with the time.
[[nodiscard]] std::string audit_payload(const AuditKeys& keys, std::uint64_t seq, std::string_view previous,
                                        std::string_view rest);
/// Whether the mac of the payload was made with these keys.
[[nodiscard]] bool is_sealed(const AuditKeys& keys, std::uint64_t seq, std::string_view payload);
[[nodiscard]] std::string anchor_payload(const AuditKeys& keys, const AuditHead& last);
/// nullopt if the payload is not an anchor or was not sealed with these keys.
[[nodiscard]] std::optional<AuditHead> anchor_of(const AuditKeys& keys, std::string_view payload);

/// The payload of a framed value; empty if its checksum is wrong.
[[nodiscard]] std::string_view payload_at(TableId table, std::string_view key, std::string_view value);
/// The head of a log that ends with this record. If the record is damaged, its mac is unknown, and verification
/// reports a fault there forever.
[[nodiscard]] AuditHead head_at(std::string_view key, std::string_view value);

void append_author(std::string& out, const Author& author);
/// Appends a change without its two digests; the caller appends them.
void append_place(std::string& out, TableId table, std::string_view key);
/// nullopt if the payload has another form. Needs: the payload outlives the result, which points into it.
[[nodiscard]] std::optional<AuditRecord> decode_audit(std::uint64_t seq, std::string_view payload);

/// Computes digests of values and reuses one OpenSSL context.
class Digester {
 public:
  explicit Digester(const Key256& key);
  ~Digester();
  Digester(const Digester&) = delete;
  Digester& operator=(const Digester&) = delete;

  /// Appends the digest of a value, or no_digest if there is no value.
  void append(std::string& out, std::optional<std::string_view> framed);

 private:
  struct Context;
  Key256 key_;
  std::unique_ptr<Context> context_;
};

}  // namespace parley::store
