#include "store/secrets/master_key.hpp"

#include <map>

#include "model/records/agent.hpp"
#include "store/audit/audit.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view fingerprint_name = "secrets";

fs::path key_file(const MasterKeySource& source) {
  return source.directory / "secrets.key";
}

bool has_key(const MasterKeySource& source) {
  std::error_code error;
  return source.given || fs::exists(key_file(source), error);
}

bool has_no_secrets(const Agent& agent) {
  return agent.secrets.text.empty() || agent.secrets.text == json::Text{}.text;
}

Problem no_key(const std::string& detail) {
  return problem(ProblemKind::store_refuses, detail);
}

Problem missing(const MasterKeySource& source) {
  return no_key(
      key_file(source).string() +
      " is missing, and PARLEY_SECRETS_KEY is not set. Agents' secrets are sealed with this key: restore it "
      "from a backup.");
}

Problem another(const MasterKeySource& source) {
  return no_key(
      (source.given ? std::string("PARLEY_SECRETS_KEY") : key_file(source).string()) +
      " is not the key that this store was made with. Agents' secrets are sealed with that key: restore it "
      "from a backup.");
}

/// Whether anything was sealed or chained with a master key. Schema 6 did not store the key's fingerprint.
bool has_used_a_key(const Snapshot& snapshot) {
  if (audit_head(snapshot).seq > 0) return true;
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::agents]);
  for (bool there = cursor.first(); there; there = cursor.next()) {
    const auto agent = snapshot.find<Agent>(id_at(cursor.key()));
    if (!agent.ok() || (*agent && !has_no_secrets(**agent))) return true;
  }
  return false;
}

/// Whether a store without its key needs that key.
bool needs_key(const Snapshot& snapshot, const std::optional<std::string>& known) {
  return known || has_used_a_key(snapshot);
}

Problem with_way_out(Problem refusal) {
  refusal.detail +=
      " If it is lost, --new-secrets-key true continues with a new key: sealed secrets stay unreadable, and "
      "the audit log up to then can no longer be verified.";
  return refusal;
}

}  // namespace

Expected<Secrets> open_secrets(Store& store, const MasterKeySource& source, bool accepts_another) {
  TRY(known, known_fingerprint(store.snapshot(), fingerprint_name));
  if (!accepts_another && !has_key(source) && needs_key(store.snapshot(), known))
    return with_way_out(missing(source));
  TRY(secrets, Secrets::open(source.directory, source.given));
  const std::string fingerprint = fingerprint_of(secrets);
  if (known == fingerprint) return secrets;
  if (known && !accepts_another) return with_way_out(another(source));
  std::map<std::string, std::string> rows;
  if (accepts_another) rows = start_new_log(store.snapshot(), audit_keys(secrets));
  rows.emplace(fingerprint_name, fingerprint);
  TRY(remembered, store.remember(rows));
  return secrets;
}

Expected<Done> check_master_key(const Snapshot& snapshot, const MasterKeySource& source) {
  TRY(known, known_fingerprint(snapshot, fingerprint_name));
  if (!has_key(source) && needs_key(snapshot, known)) return missing(source);
  if (!known) return Done{};
  TRY(secrets, Secrets::open(source.directory, source.given));
  if (*known != fingerprint_of(secrets)) return another(source);
  return Done{};
}

}  // namespace parley::store
