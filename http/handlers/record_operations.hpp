#pragma once
/// The definitions of RecordOperations, and Specials: the behavior of one kind of record beyond its description.
/// Included only by the kind's own file, which specializes Specials and instantiates the template. Order: the faults
/// of a body are answered before anything is passed on; the decision checks again on its own snapshot.

#include "http/exchange/idempotency.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/handlers/handlers.hpp"
#include "http/lists/page.hpp"
#include "http/views/link.hpp"
#include "model/description/record_write.hpp"
#include "model/description/stored_text.hpp"

namespace parley::http {

/// The inputs from which a record is created or changed.
struct Draft {
  const Context& context;
  const store::Snapshot& snapshot;
  const RequestContext& call;
  const json::Value& body;
  /// Set if the body was checked before it was passed on; faults that do not depend on the store were answered then.
  /// Checking patterns may take a quarter of a second, which the actor of all records must not spend.
  bool is_checked = false;
};

/// Whether the body sets the field; null does not count (D5).
[[nodiscard]] inline bool gives(const json::Value& body, std::string_view field) {
  const auto value = body.find(field);
  return value && !value->is(json::Kind::null);
}

/// The defaults. A kind's Specials hides the ones that it replaces.
template <class T>
struct NoSpecials {
  /// Sets the fields that the server assigns to a new record.
  static void complete(T& /*record*/, const Draft& /*draft*/) {}
  /// Adds faults beyond the description. `before` is null for a new record.
  static void check(const T& /*record*/, const T* /*before*/, const Draft& /*draft*/,
                    Findings& /*findings*/) {}
  /// The last step of a decision, after the record got its id. Problem: an unreadable stored record.
  static Expected<Done> settle(T& /*record*/, const T* /*before*/, const Draft& /*draft*/, Time /*now*/,
                               IdSource& /*ids*/) {
    return Done{};
  }
  /// Adds other changes to the change set. Problem: a conflict with the store.
  static Expected<Done> join(const T& /*record*/, const T* /*before*/, const store::Snapshot& /*snapshot*/,
                             Time /*now*/, store::ChangeSet& /*changes*/) {
    return Done{};
  }
  /// Reads the list filters of the kind.
  static void filter(QueryReader& /*reader*/, const RequestContext& /*call*/, store::ListQuery& /*query*/) {}
  /// Replaces fields whose shown value differs from the stored value.
  static void show(const T& /*record*/, RecordWriter& /*writer*/) {}
  /// Called after a change is durable and before it is answered.
  static void changed(const Context& /*context*/) {}
};
template <class T>
struct Specials : NoSpecials<T> {};

template <class T>
void write_record(json::Writer& out, const T& record, WriteMode mode, const Linker& linker) {
  out.begin_object();
  RecordWriter writer(out, mode, &linker);
  Specials<T>::show(record, writer);
  T::describe(record, writer);
  out.end_object();
}

template <class T>
[[nodiscard]] std::string record_json(const store::Snapshot& snapshot, const T& record) {
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  write_record(out, record, WriteMode::full, linker);
  return std::move(out).text();
}

/// A kind whose single record shows more than its row in a list defines `Specials<T>::enrich`.
template <class T>
[[nodiscard]] std::string record_json(const Context& context, const store::Snapshot& snapshot,
                                      const T& record) {
  if constexpr (requires(T shown) { Specials<T>::enrich(context, snapshot, shown); }) {
    T shown = record;
    Specials<T>::enrich(context, snapshot, shown);
    return record_json(snapshot, shown);
  } else {
    return record_json(snapshot, record);
  }
}

/// `before` (or an empty record), updated from the body. Problem: 400 with every fault; 412 (D12).
template <class T>
[[nodiscard]] Expected<T> drafted(const Draft& draft, const T* before) {
  T record = before == nullptr ? T{} : *before;
  Findings findings = findings_for(draft.call);
  Parser parser(draft.body, before == nullptr ? ParseMode::create : ParseMode::patch, "", findings);
  T::describe(record, parser);
  parser.finish();
  if (before == nullptr) Specials<T>::complete(record, draft);
  check_links(draft.snapshot, findings);
  Specials<T>::check(record, before, draft, findings);
  if (!draft.is_checked) note_ignored(draft.call, findings);
  TRY_DONE(faults_of(std::move(findings)));
  if (before != nullptr) {
    auto same = check_state(draft.call, [&] { return record_json(draft.context, draft.snapshot, *before); });
    if (!same) return std::move(same).problem();
  }
  return record;
}

/// Deletes the record if it is unchanged since the client last saw it, and answers 204. `changes_of(record)` returns
/// the change set.
template <class T, class ChangesOf>
void delete_record(const Context& context, const RequestContextPtr& call, const ReplyTo& reply,
                   ChangesOf changes_of) {
  const auto decide = [call, changes_of](const store::Snapshot& snapshot, Time,
                                         IdSource&) -> Expected<store::ChangeSet> {
    TRY(record, record_at<T>(snapshot, call->id_text()));
    auto same = check_state(*call, [&] { return record_json(snapshot, record); });
    if (!same) return std::move(same).problem();
    return changes_of(record);
  };
  context.gateway.change_records(signed_by(call, decide), [reply](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    reply(empty_reply());
  });
}

template <class T>
[[nodiscard]] Reply created_reply(const RequestContext& call, const T& record, std::string shown) {
  Reply reply = tagged_reply(std::move(shown), "");
  reply.fields.emplace_back("Location", location_of(call, record.stamp.id));
  return reply;
}

/// Saves a new record that has no faults, and answers. `body` is the body of the request.
template <class T>
void save_new(const Context& context, const RequestContextPtr& call, const Body& body,
              std::shared_ptr<T> made, const ReplyTo& reply) {
  const auto decide = [made, body, call, &context](const store::Snapshot& now_stored, Time now,
                                                   IdSource& ids) -> Expected<store::ChangeSet> {
    made->stamp = {ids.next(now), now, 1};
    const json::Value given = body.root();
    const Draft draft{context, now_stored, *call, given};
    TRY_DONE(Specials<T>::settle(*made, nullptr, draft, now, ids));
    store::ChangeSet changes;
    changes.create(*made);
    TRY_DONE(Specials<T>::join(*made, nullptr, now_stored, now, changes));
    return changes;
  };
  const auto made_id = [made] { return AffectedIds{made->stamp.id}; };
  context.gateway.change_records(
      once(call, decide, made_id), [made, call, reply, &context](Expected<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        reply.later([made, call, &context]() -> Expected<Reply> {
          return created_reply(*call, *made, record_json(context, context.store.snapshot(), *made));
        });
      });
}

template <class T>
void RecordOperations<T>::create(const Context& context, const store::Snapshot& snapshot,
                                 const RequestContextPtr& call, ReplyTo reply, const New<T>& in) {
  const json::Value root = in.body.root();
  auto record = drafted<T>(Draft{context, snapshot, *call, root}, nullptr);
  if (!record) return reply(std::move(record).problem());
  save_new(context, call, in.body, std::make_shared<T>(std::move(record).value()), reply);
}

template <class T>
Expected<T> RecordOperations<T>::draft(const Context& context, const store::Snapshot& snapshot,
                                       const RequestContext& call, const json::Value& body) {
  const Draft draft{context, snapshot, call, body};
  TRY(record, drafted<T>(draft, nullptr));
  RandomIds ids;
  const Time now = context.clock.now();
  record.stamp = {ids.next(now), now, 1};
  TRY_DONE(Specials<T>::settle(record, nullptr, draft, now, ids));
  return record;
}

template <class T>
Expected<Reply> RecordOperations<T>::create_again(const Context& context, const store::Snapshot& snapshot,
                                                  const RequestContext& call, const AffectedIds& ids) {
  TRY(record, kept_record<T>(snapshot, ids));
  return created_reply(call, record, record_json(context, snapshot, record));
}

template <class T>
void RecordOperations<T>::patch(const Context& context, const store::Snapshot& snapshot,
                                const RequestContextPtr& call, ReplyTo reply, const T& found,
                                const Patch<T>& in) {
  const json::Value root = in.body.root();
  if (auto first = drafted<T>(Draft{context, snapshot, *call, root}, &found); !first) {
    return reply(std::move(first).problem());
  }
  const auto made = std::make_shared<T>();
  const auto decide = [made, body = in.body, call, &context](const store::Snapshot& now_stored, Time now,
                                                             IdSource& ids) -> Expected<store::ChangeSet> {
    TRY(before, record_at<T>(now_stored, call->id_text()));
    const json::Value given = body.root();
    const Draft draft{context, now_stored, *call, given, true};
    TRY(after, drafted<T>(draft, &before));
    TRY_DONE(Specials<T>::settle(after, &before, draft, now, ids));
    store::ChangeSet changes;
    if (write_stored(after) != write_stored(before)) {
      after.stamp.updated_at = std::max(now, Time{before.stamp.updated_at.ms + 1});
      after.stamp.revision = changes.replace(before, after);
      TRY_DONE(Specials<T>::join(after, &before, now_stored, now, changes));
    }
    *made = std::move(after);
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [made, reply, &context](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    Specials<T>::changed(context);
    reply.later([made, &context]() -> Expected<Reply> {
      return tagged_reply(record_json(context, context.store.snapshot(), *made), "");
    });
  });
}

template <class T>
Expected<Reply> RecordOperations<T>::get(const Context& context, const store::Snapshot& snapshot,
                                         const RequestContext& call, const T& record) {
  return tagged_reply(record_json(context, snapshot, record), call.if_none_match);
}

/// The list rows of a simple record.
template <class T>
[[nodiscard]] Rows rows_of(const store::Snapshot& snapshot, const SnapshotLinker& linker, WriteMode mode) {
  Rows rows;
  rows.write = [&snapshot, &linker, mode](json::Writer& out, const Id& id) -> Expected<Done> {
    TRY(record, snapshot.find<T>(id));
    if (!record) return snapshot.report(store::table_of<T>().id, id.key());
    write_record(out, *record, mode, linker);
    return Done{};
  };
  rows.bytes = [&snapshot](const Id& id) {
    const auto stored = snapshot.template raw<T>(id);
    return stored.ok() && *stored ? (*stored)->payload.size() : 0;
  };
  rows.key = [&snapshot](const Id& id, std::string_view field) -> Expected<std::optional<SortKey>> {
    TRY(record, snapshot.find<T>(id));
    if (!record) return std::optional<SortKey>{};
    return sort_key(*record, field);
  };
  rows.sortable = &sortable<T>;
  return rows;
}

/// The list of a kind, with the kind's own filters and the filters already in `query`.
template <class T>
[[nodiscard]] Expected<Reply> list_records(const store::Snapshot& snapshot, const RequestContext& call,
                                           store::ListQuery query) {
  QueryReader reader(call.query);
  const PageQuery page = read_page(reader);
  Specials<T>::filter(reader, call, query);
  if constexpr (requires(T record) { record.name; }) {
    if (const auto part = reader.text("name")) {
      query.predicate = [&snapshot, part = *part](const Id& id) {
        const auto value = snapshot.value(store::table_of(T::kind), id.key());
        return value.ok() && *value &&
               stored_member((*value)->payload, "name").find(part) != std::string::npos;
      };
    }
  }
  const SnapshotLinker linker(snapshot);
  const Rows rows = rows_of<T>(snapshot, linker, page.is_minimal ? WriteMode::minimal : WriteMode::full);
  return page_reply(snapshot, call, reader, page, std::move(query), rows);
}

template <class T>
Expected<Reply> RecordOperations<T>::list(const Context&, const store::Snapshot& snapshot,
                                          const RequestContext& call) {
  return list_records<T>(snapshot, call, list_of(T::kind));
}

}  // namespace parley::http
