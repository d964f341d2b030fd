#pragma once
/// What becomes of an actor whose handler throws (a page that cannot be read, no memory left). CAF alone would end it in
/// silence, and nobody would ever do its work again. Each actor sets one of these when it is spawned.
/// Thread: the handlers run on their actor's.

#include <caf/error.hpp>
#include <exception>
#include <functional>
#include <string_view>

#include "actors/services.hpp"

namespace parley::actors {

/// As CAF takes it; the actor ends with what it gives.
using OnThrow = std::function<caf::error(std::exception_ptr&)>;

/// For an actor of which there is one: without it the service stands still while it seems to be well, so the process ends as
/// it does with a broken store, and the next one starts whole.
[[nodiscard]] OnThrow ends_process(std::string_view actor, Services& world);

/// For the actor of one record, which is read again by the next one: `leave` gives back what it holds. What `leave` throws
/// is logged.
[[nodiscard]] OnThrow ends_record(std::string_view kind, const Id& id, std::function<void()> leave);

}  // namespace parley::actors
