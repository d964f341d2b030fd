#include "actors/base/actor_failure.hpp"

#include <spdlog/spdlog.h>

#include <caf/sec.hpp>

#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

std::string text_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "a value that is not an exception";
  }
}

}  // namespace

OnThrow ends_process(std::string_view actor, Services& services) {
  return [actor, &services](std::exception_ptr& thrown) -> caf::error {
    const std::string what = text_of(thrown);
    spdlog::critical("actor threw actor={} what=\"{}\"", actor, what);
    if (services.on_broken_store) services.on_broken_store("the " + std::string(actor) + " threw: " + what);
    return caf::sec::runtime_error;
  };
}

OnThrow ends_record(std::string_view kind, const Id& id, std::function<void()> leave) {
  return [kind, id, leave = std::move(leave)](std::exception_ptr& thrown) -> caf::error {
    spdlog::error("actor threw actor={} id={} what=\"{}\"", kind, to_text(id), text_of(thrown));
    const auto left = guarded<Done>([&] {
      leave();
      return Done{};
    });
    static_cast<void>(left);  // the exception is logged
    return caf::sec::runtime_error;
  };
}

}  // namespace parley::actors
