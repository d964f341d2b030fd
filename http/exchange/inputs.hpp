#pragma once
/// The inputs that a handler reads from a request, as types. Its parameters after the reply are read in order, and
/// the first problem is the answer (D3). Pure except for reads; any thread.
///
///   T            a stored record, whose id is the next path value. Problem: 404
///   B            a described body without faults. Problem: 415, 400 with all faults
///   In<B>        a body whose faults are not answered yet: the handler adds its own and calls check()
///   Unread<B>    a body that is parsed when the handler calls read()
///   New<T>       the JSON of a body that creates a record
///   Patch<T>     the JSON of a body that changes a record
///   NoBody       no body: sent fields are ignored, or are faults with handling=strict (D5)

#include <tuple>
#include <utility>

#include "http/exchange/body.hpp"
#include "http/exchange/record_lookup.hpp"
#include "http/exchange/schema_id.hpp"

namespace parley::http {

/// Needs: check() before `body` is used.
template <class B>
struct In {
  B body;
  Body document;  ///< as sent
  Findings findings;

  /// Problem: 400 with all faults found.
  [[nodiscard]] Expected<Done> check() { return faults_of(std::move(findings)); }
};

template <class B>
[[nodiscard]] Expected<In<B>> read_in(const RequestContext& call) {
  TRY(document, read_body(call));
  Findings findings = findings_for(call);
  B body = parse_body<B>(document.root(), findings);
  note_ignored(call, findings);
  return In<B>{std::move(body), std::move(document), std::move(findings)};
}

template <class B>
struct Unread {
  [[nodiscard]] Expected<In<B>> read(const RequestContext& call) const { return read_in<B>(call); }
};

template <class T>
struct New {
  Body body;
};

template <class T>
struct Patch {
  Body body;
};

struct NoBody {};

/// How one parameter is read. `takes` is the schema of the body, `path_values` the number of path values that it
/// uses.
template <class T>
struct Input;

template <store::Stamped T>
struct Input<T> {
  static constexpr SchemaId takes{};
  static constexpr std::size_t path_values = 1;
  static Expected<T> read(const store::Snapshot& snapshot, const RequestContext& call, std::size_t value) {
    TRY(record, record_at<T>(snapshot, call.path_values.at(value)));
    TRY_DONE(check_may_exist(call));
    return record;
  }
};

/// A parameter that is a body.
template <class Schema>
struct BodyInput {
  static constexpr SchemaId takes = SchemaId::of<Schema>();
  static constexpr std::size_t path_values = 0;
};

template <class B>
requires(Described<B> && !store::Stamped<B>) struct Input<B> : BodyInput<B> {
  static Expected<B> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    TRY(in, read_in<B>(call));
    TRY_DONE(in.check());
    return std::move(in.body);
  }
};
template <class B>
struct Input<In<B>> : BodyInput<B> {
  static Expected<In<B>> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    return read_in<B>(call);
  }
};
/// The fields that a client may set on a new record.
template <store::Stamped T>
struct Input<In<T>> : BodyInput<New<T>> {
  static Expected<In<T>> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    return read_in<T>(call);
  }
};
template <class B>
struct Input<Unread<B>> : BodyInput<B> {
  static Expected<Unread<B>> read(const store::Snapshot&, const RequestContext&, std::size_t) {
    return Unread<B>{};
  }
};
template <class T>
struct Input<New<T>> : BodyInput<New<T>> {
  static Expected<New<T>> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    TRY(body, read_body(call));
    return New<T>{std::move(body)};
  }
};
template <class T>
struct Input<Patch<T>> : BodyInput<Patch<T>> {
  static Expected<Patch<T>> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    TRY(body, read_body(call));
    return Patch<T>{std::move(body)};
  }
};
template <>
struct Input<NoBody> {
  static constexpr SchemaId takes{};
  static constexpr std::size_t path_values = 0;
  static Expected<NoBody> read(const store::Snapshot&, const RequestContext& call, std::size_t) {
    TRY_DONE(read_no_body(call));
    return NoBody{};
  }
};

/// Reads the inputs in order. Problem: the first problem.
template <class First, class... Rest>
[[nodiscard]] Expected<std::tuple<First, Rest...>> read_inputs(const store::Snapshot& snapshot,
                                                               const RequestContext& call,
                                                               std::size_t path_value = 0) {
  TRY(first, Input<First>::read(snapshot, call, path_value));
  if constexpr (sizeof...(Rest) == 0) {
    return std::tuple<First>(std::move(first));
  } else {
    TRY(rest, read_inputs<Rest...>(snapshot, call, path_value + Input<First>::path_values));
    return std::tuple_cat(std::tuple<First>(std::move(first)), std::move(rest));
  }
}

/// The schema of the body among the inputs; the null id if no input is a body.
template <class... Inputs>
[[nodiscard]] constexpr SchemaId body_schema() {
  SchemaId takes;
  ((takes = Input<Inputs>::takes ? Input<Inputs>::takes : takes), ...);
  return takes;
}

}  // namespace parley::http
