#include "store/audit/audit_format.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "model/check.hpp"

namespace parley::store {
namespace {

constexpr std::size_t seq_bytes = 8;

void append_u16(std::string& out, std::size_t number) {
  out += static_cast<char>(number >> 8 & 0xff);
  out += static_cast<char>(number & 0xff);
}

/// Reads fields from the front of a payload. After the first missing field, all fields are empty.
class AuditFields {
 public:
  explicit AuditFields(std::string_view bytes) : rest_(bytes) {}

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) {
      is_good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char c : take(bytes)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::string_view digest() {
    const std::string_view taken = take(digest_bytes);
    return taken == no_digest ? std::string_view{} : taken;
  }
  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool is_over() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

Author author_in(AuditFields& fields) {
  Author author;
  const std::string_view key = fields.take(author.key.bytes.size());
  if (fields.is_good()) author.key = id_at(key);
  const std::string_view address = fields.take(author.address.size());
  for (std::size_t i = 0; i < address.size(); ++i)
    author.address.at(i) = static_cast<std::uint8_t>(address[i]);
  author.operation = fields.take(fields.number(1));
  return author;
}

AuditChange change_in(AuditFields& fields) {
  AuditChange change;
  const std::uint64_t table = fields.number(1);
  change.table = table < all_tables.size() ? static_cast<TableId>(table) : TableId::meta;
  change.key = fields.take(fields.number(2));
  change.before = fields.digest();
  change.after = fields.digest();
  return change;
}

}  // namespace

std::string hmac(const Key256& key, std::string_view text) {
  std::array<unsigned char, mac_bytes> mac{};
  unsigned int size = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(), &size) != nullptr);
  return {reinterpret_cast<const char*>(mac.data()), size};
}

std::string audit_key(std::uint64_t seq) {
  std::string key;
  append_u64(key, seq);
  return key;
}

std::string audit_payload(const AuditKeys& keys, std::uint64_t seq, std::string_view previous,
                          std::string_view rest) {
  std::string sealed = audit_key(seq);
  sealed.reserve(seq_bytes + previous.size() + rest.size());
  sealed.append(previous).append(rest);
  std::string payload = hmac(keys.chain, sealed);
  return payload.append(sealed, seq_bytes);
}

bool is_sealed(const AuditKeys& keys, std::uint64_t seq, std::string_view payload) {
  if (payload.size() < 2 * mac_bytes) return false;
  return audit_payload(keys, seq, payload.substr(mac_bytes, mac_bytes), payload.substr(2 * mac_bytes)) ==
         payload;
}

std::string anchor_payload(const AuditKeys& keys, const AuditHead& last) {
  const std::string sealed = audit_key(last.seq) + last.mac;
  return sealed + hmac(keys.anchor, sealed);
}

std::optional<AuditHead> anchor_of(const AuditKeys& keys, std::string_view payload) {
  constexpr std::size_t sealed_bytes = seq_bytes + mac_bytes;
  if (payload.size() != sealed_bytes + mac_bytes) return std::nullopt;
  if (hmac(keys.anchor, payload.substr(0, sealed_bytes)) != payload.substr(sealed_bytes)) return std::nullopt;
  return AuditHead{u64_at(payload), std::string(payload.substr(seq_bytes, mac_bytes))};
}

std::string_view payload_at(TableId table, std::string_view key, std::string_view value) {
  const auto read = unframe(table, key, value);
  const auto* good = std::get_if<ValueView>(&read);
  return good != nullptr ? good->payload : std::string_view{};
}

AuditHead head_at(std::string_view key, std::string_view value) {
  const std::string_view payload = payload_at(TableId::audit, key, value);
  return {u64_at(key), std::string(payload.size() < mac_bytes ? no_mac : payload.substr(0, mac_bytes))};
}

void append_author(std::string& out, const Author& author) {
  constexpr std::size_t operation_bytes_max = 255;
  out.append(author.key.key());
  out.append(reinterpret_cast<const char*>(author.address.data()), author.address.size());
  const std::string_view operation = author.operation.substr(0, operation_bytes_max);
  out += static_cast<char>(operation.size());
  out.append(operation);
}

void append_place(std::string& out, TableId table, std::string_view key) {
  out += static_cast<char>(table);
  append_u16(out, key.size());
  out.append(key);
}

std::optional<AuditRecord> decode_audit(std::uint64_t seq, std::string_view payload) {
  AuditFields fields(payload);
  AuditRecord record;
  record.seq = seq;
  record.mac = fields.take(mac_bytes);
  record.previous = fields.take(mac_bytes);
  record.time = Time{static_cast<std::int64_t>(fields.number(8))};
  while (fields.is_good() && !fields.is_over()) {
    AuditSet& set = record.sets.emplace_back();
    for (std::uint64_t left = fields.number(4); left > 0 && fields.is_good(); --left)
      set.authors.push_back(author_in(fields));
    for (std::uint64_t left = fields.number(4); left > 0 && fields.is_good(); --left)
      set.changes.push_back(change_in(fields));
  }
  if (!fields.is_good()) return std::nullopt;
  return record;
}

struct Digester::Context {
  EVP_MD* hash = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX* state = EVP_MD_CTX_new();
};

Digester::Digester(const Key256& key) : key_(key), context_(std::make_unique<Context>()) {
  CHECK(context_->hash != nullptr && context_->state != nullptr);
}

Digester::~Digester() {
  EVP_MD_CTX_free(context_->state);
  EVP_MD_free(context_->hash);
}

void Digester::append(std::string& out, std::optional<std::string_view> framed) {
  if (!framed) {
    out += no_digest;
    return;
  }
  std::array<unsigned char, mac_bytes> whole{};
  unsigned int size = 0;
  EVP_MD_CTX* state = context_->state;
  bool is_fine = EVP_DigestInit_ex2(state, context_->hash, nullptr) == 1;
  is_fine = is_fine && EVP_DigestUpdate(state, key_.data(), key_.size()) == 1;
  is_fine = is_fine && EVP_DigestUpdate(state, framed->data(), framed->size()) == 1;
  CHECK(is_fine && EVP_DigestFinal_ex(state, whole.data(), &size) == 1);
  out.append(reinterpret_cast<const char*>(whole.data()), digest_bytes);
}

}  // namespace parley::store
