#include "store/side/sessions.hpp"

#include "model/json/json_writer.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::string_view session_mark = "s";
constexpr std::string_view code_mark = "c";
constexpr std::uint64_t code_revision = 1;

std::string session_key(const Id& id) {
  return std::string(session_mark).append(id.key());
}

std::string code_key(std::string_view digest) {
  return std::string(code_mark).append(digest);
}

std::string text_of(const json::Value& root, std::string_view name) {
  const auto value = root.find(name);
  return value ? std::string(value->string()) : std::string();
}

Time time_of(const json::Value& root, std::string_view name) {
  const auto value = root.find(name);
  return Time{value ? value->integer().value_or(0) : 0};
}

std::optional<Session> read_session(std::string_view key, const ValueView& value) {
  const auto document = json::parse(value.payload);
  if (!document || key.size() != session_mark.size() + id_bytes) return std::nullopt;
  const json::Value root = document->root();
  Session session;
  session.id = id_at(key.substr(session_mark.size()));
  session.cookie = text_of(root, "cookie");
  session.page = text_of(root, "page");
  session.key = id_from_text(text_of(root, "key")).value_or(Id{});
  session.since = time_of(root, "since");
  session.seen = time_of(root, "seen");
  session.revision = value.revision;
  return session;
}

std::optional<SignInCode> read_code(std::string_view key, const ValueView& value) {
  const auto document = json::parse(value.payload);
  if (!document) return std::nullopt;
  return SignInCode{std::string(key.substr(code_mark.size())),
                    id_from_text(text_of(document->root(), "key")).value_or(Id{}),
                    time_of(document->root(), "until")};
}

void erase_row(ChangeSet& changes, std::string_view key, std::uint64_t revision) {
  changes.writes.push_back({TableId::sessions, std::string(key), revision, {}});
}

/// Whether the row has expired or cannot be read.
bool is_over(std::string_view key, const ValueView& value, Time now) {
  if (key.starts_with(code_mark)) {
    const auto code = read_code(key, value);
    return !code || code->until <= now;
  }
  const auto session = read_session(key, value);
  return !session || session->ends_at() <= now;
}

/// Visits every row that verifies, until the visitor returns false.
template <class Visit>
void for_each_row(const Snapshot& snapshot, std::string_view mark, const Visit& visit) {
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::sessions]);
  bool there = mark.empty() ? cursor.first() : cursor.seek(mark);
  for (; there && cursor.key().starts_with(mark); there = cursor.next()) {
    const auto value = unframe(TableId::sessions, cursor.key(), cursor.value());
    const auto* good = std::get_if<ValueView>(&value);
    if (good != nullptr && !visit(cursor.key(), *good)) return;
  }
}

}  // namespace

Expected<std::optional<Session>> find_session(const Snapshot& snapshot, const Id& id) {
  const std::string key = session_key(id);
  TRY(found, snapshot.value(TableId::sessions, key));
  if (!found) return std::optional<Session>{};
  auto session = read_session(key, *found);
  if (!session) return problem_of(Corrupt{TableId::sessions, key});
  return session;
}

void put_session(ChangeSet& changes, const Session& session) {
  json::Writer out;
  out.begin_object().member("cookie", session.cookie).member("page", session.page);
  out.member("key", to_text(session.key));
  out.key("since").integer(session.since.ms).key("seen").integer(session.seen.ms).end_object();
  std::string key = session_key(session.id);
  std::string value = frame(key, session.revision + 1, out.peek());
  changes.writes.push_back({TableId::sessions, std::move(key), session.revision, std::move(value)});
}

void erase_session(ChangeSet& changes, const Session& session) {
  erase_row(changes, session_key(session.id), session.revision);
}

bool has_room_for_session(const Snapshot& snapshot) {
  MDB_stat status{};
  require(mdb_stat(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::sessions], &status),
          "count a table's rows");
  return status.ms_entries < sessions_max;
}

void put_code(ChangeSet& changes, const SignInCode& code) {
  json::Writer out;
  out.begin_object().member("key", to_text(code.key)).key("until").integer(code.until.ms).end_object();
  std::string key = code_key(code.digest);
  std::string value = frame(key, code_revision, out.peek());
  changes.writes.push_back({TableId::sessions, std::move(key), 0, std::move(value)});
}

Expected<std::optional<SignInCode>> find_code(const Snapshot& snapshot, std::string_view digest) {
  const std::string key = code_key(digest);
  TRY(found, snapshot.value(TableId::sessions, key));
  if (!found) return std::optional<SignInCode>{};
  return read_code(key, *found);
}

void use_code(ChangeSet& changes, const SignInCode& code) {
  erase_row(changes, code_key(code.digest), code_revision);
}

std::size_t end_sessions(const Snapshot& snapshot, const SessionTest& ends, std::size_t most,
                         ChangeSet& changes) {
  std::size_t count = 0;
  for_each_row(snapshot, session_mark, [&](std::string_view key, const ValueView& value) {
    const auto session = read_session(key, value);
    if (!session || !ends(*session)) return true;
    erase_row(changes, key, value.revision);
    return ++count < most;
  });
  return count;
}

std::size_t forget_ended_sessions(const Snapshot& snapshot, Time now, std::size_t most, ChangeSet& changes) {
  std::size_t count = 0;
  for_each_row(snapshot, "", [&](std::string_view key, const ValueView& value) {
    if (!is_over(key, value, now)) return true;
    erase_row(changes, key, value.revision);
    return ++count < most;
  });
  return count;
}

}  // namespace parley::store
