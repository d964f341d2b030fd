#pragma once
/// Builds the rows of the route table from the types of an operation. The schema of the answer is given explicitly.
/// The schema of the body follows from the handler, whose inputs are read before it is called (inputs.hpp).
///
///   create<answers::EntryAnswer, &post_entry, &post_entry_again>(
///       "/test-results/{id}/conversation", "addConversationEntry", "Record an entry ...").prefer("return")
///
/// Constants; any thread.

#include <memory>
#include <type_traits>

#include "http/exchange/inputs.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/route.hpp"

namespace parley::http {

template <class Handler>
struct Signature;

/// A handler that answers from the request's snapshot.
template <class... Inputs>
struct Signature<Expected<Reply> (*)(const Context&, const store::Snapshot&, const RequestContext&,
                                     Inputs...)> {
  static constexpr SchemaId takes = body_schema<std::decay_t<Inputs>...>();

  template <auto handler>
  static Expected<Reply> answer(const Context& context, const store::Snapshot& snapshot,
                                const RequestContext& call) {
    if constexpr (sizeof...(Inputs) == 0) {
      return handler(context, snapshot, call);
    } else {
      TRY(inputs, read_inputs<std::decay_t<Inputs>...>(snapshot, call));
      return std::apply([&](auto&... input) { return handler(context, snapshot, call, std::move(input)...); },
                        inputs);
    }
  }
};

/// A handler that answers through ReplyTo.
template <class... Inputs>
struct Signature<void (*)(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo,
                          Inputs...)> {
  static constexpr SchemaId takes = body_schema<std::decay_t<Inputs>...>();

  template <auto handler>
  static void answer(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                     ReplyTo reply) {
    if constexpr (sizeof...(Inputs) == 0) {
      handler(context, snapshot, call, std::move(reply));
    } else {
      auto inputs = read_inputs<std::decay_t<Inputs>...>(snapshot, *call);
      if (!inputs) return reply(std::move(inputs).problem());
      std::apply(
          [&](auto&... input) { handler(context, snapshot, call, std::move(reply), std::move(input)...); },
          *inputs);
    }
  }
};

template <auto handler>
[[nodiscard]] constexpr Route route_of(std::string_view method, std::string_view path,
                                       std::string_view operation, std::string_view summary) {
  using Shape = Signature<decltype(handler)>;
  Route route{.method = method, .path = path, .handle = &Shape::template answer<handler>};
  route.operation = operation;
  route.summary = summary;
  route.takes = Shape::takes;
  route.right = method == "GET" ? Right::read : Right::write;
  return route;
}

/// GET of one record or document; `void` means that it has no schema.
template <class Answer, auto handler>
[[nodiscard]] constexpr Route get(std::string_view path, std::string_view operation,
                                  std::string_view summary) {
  Route route = route_of<handler>("GET", path, operation, summary);
  if constexpr (!std::is_void_v<Answer>) route.gives = SchemaId::of<Answer>();
  return route;
}

/// GET of a page of rows.
template <class Row, auto handler>
[[nodiscard]] constexpr Route list(std::string_view path, std::string_view operation,
                                   std::string_view summary) {
  return get<Row, handler>(path, operation, summary).as(Gives::page);
}

/// PATCH or PUT: 200 with the changed record.
template <class Answer, auto handler>
[[nodiscard]] constexpr Route change(std::string_view method, std::string_view path,
                                     std::string_view operation, std::string_view summary) {
  Route route = route_of<handler>(method, path, operation, summary);
  route.gives = SchemaId::of<Answer>();
  return route;
}
template <class Answer, auto handler>
[[nodiscard]] constexpr Route patch(std::string_view path, std::string_view operation,
                                    std::string_view summary) {
  return change<Answer, handler>("PATCH", path, operation, summary);
}
template <class Answer, auto handler>
[[nodiscard]] constexpr Route put(std::string_view path, std::string_view operation,
                                  std::string_view summary) {
  return change<Answer, handler>("PUT", path, operation, summary);
}

/// POST without support for Idempotency-Key.
template <class Answer, auto handler>
[[nodiscard]] constexpr Route post(std::string_view path, std::string_view operation,
                                   std::string_view summary) {
  return change<Answer, handler>("POST", path, operation, summary);
}

/// POST that is carried out once for each Idempotency-Key (D9); `again` answers a repeat.
template <class Answer, auto handler, AnswerAgain again>
[[nodiscard]] constexpr Route post(std::string_view path, std::string_view operation,
                                   std::string_view summary) {
  Route route = post<Answer, handler>(path, operation, summary);
  // An assignment would not work: clang 14 does not evaluate it in a constant.
  std::construct_at(&route.handle,
                    AnswerOnce{&Signature<decltype(handler)>::template answer<handler>, again});
  return route;
}

/// POST that answers 201 with the record that it created.
template <class Answer, auto handler, AnswerAgain again>
[[nodiscard]] constexpr Route create(std::string_view path, std::string_view operation,
                                     std::string_view summary) {
  return post<Answer, handler, again>(path, operation, summary).answer(201);
}

/// DELETE: 204 without a body. Permanent, so only an admin may call it unless the row sets another right.
template <auto handler>
[[nodiscard]] constexpr Route remove(std::string_view path, std::string_view operation,
                                     std::string_view summary) {
  return route_of<handler>("DELETE", path, operation, summary)
      .as(Gives::nothing)
      .answer(204)
      .needs(Right::admin);
}

}  // namespace parley::http
