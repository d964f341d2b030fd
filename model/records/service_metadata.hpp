#pragma once
/// The keys that the service writes into the metadata of a result (D46, D47a, D61). Only service_metadata names
/// them. Pure functions; any thread.

#include <vector>

#include "model/problem.hpp"
#include "model/records/test_result.hpp"

namespace parley {

/// The keys that the service has written for this result, as an object.
[[nodiscard]] json::Text service_metadata(const ResultHead& head);

/// A client's metadata, divided into these keys and the rest.
struct ServiceKeys {
  std::vector<Fault> faults;  ///< one for each key that is sent with another value
  json::Text rest;            ///< the metadata without these keys
};
/// Needs: `metadata` is a JSON object.
[[nodiscard]] ServiceKeys without_service_keys(const json::Text& metadata, const ResultHead& head);

}  // namespace parley
