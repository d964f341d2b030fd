#pragma once
/// The handler of POST /v1/traces. http/exchange/route.hpp describes how it answers.

#include "http/bodies/otlp_body.hpp"
#include "http/exchange/reply_to.hpp"
#include "http/exchange/route.hpp"
#include "http/handlers/handler_context.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

// traces/export_traces.cpp
void export_traces(const Context&, const store::Snapshot&, const RequestContextPtr&, ReplyTo, OtlpBody);

}  // namespace parley::http
