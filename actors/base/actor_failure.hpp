#pragma once
/// What happens to an actor whose handler throws, for example because a page cannot be read or memory is
/// exhausted. CAF alone would end it silently and leave its work undone. Each actor sets one of these
/// handlers when it is spawned. Thread: each handler runs on its actor's thread.

#include <caf/error.hpp>
#include <exception>
#include <functional>
#include <string_view>

#include "actors/services.hpp"

namespace parley::actors {

/// The handler in the form that CAF expects; the actor ends with the returned error.
using OnThrow = std::function<caf::error(std::exception_ptr&)>;

/// For an actor that exists only once: without it the service would stop working while it appears healthy. So
/// the process ends, as it does with a broken store, and the next process starts from a clean state.
[[nodiscard]] OnThrow ends_process(std::string_view actor, Services& services);

/// For the actor of one record: `leave` returns its resources, and the next actor reads the record again. An
/// exception from `leave` is logged.
[[nodiscard]] OnThrow ends_record(std::string_view kind, const Id& id, std::function<void()> leave);

}  // namespace parley::actors
