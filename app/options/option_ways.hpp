#pragma once
/// How options of common kinds are set and shown. Plain functions; main thread.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/options/config.hpp"

namespace parley::app {

using Way = OptionRow::Way;

/// An integer in [least, most].
template <class Number>
Way number(Number Config::*member, std::int64_t least, std::int64_t most) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    const auto value = quantity_of(given);
    if (!value || !value->unit.empty() || value->number < least || value->number > most) {
      return "must be an integer from " + std::to_string(least) + " to " + std::to_string(most);
    }
    config.*member = static_cast<Number>(value->number);
    return {};
  };
  return {set, [=](const Config& config) { return std::to_string(config.*member); }};
}

inline Way duration(std::int64_t Config::*member, std::int64_t least_ms = 0) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    const std::int64_t ms = duration_ms(given);
    if (ms < 0) return "must be a duration such as 250ms, 60s, 10m, 24h or 7d";
    if (ms < least_ms) return "must be at least " + duration_text(least_ms);
    config.*member = ms;
    return {};
  };
  return {set, [=](const Config& config) { return duration_text(config.*member); }};
}

template <class Number>
Way bytes(Number Config::*member, std::int64_t least) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    const std::int64_t count = byte_count(given);
    if (count < 0) return "must be a number of bytes such as 1048576, 512KiB, 8MiB or 64GiB";
    if (count < least) return "must be at least " + byte_text(static_cast<std::uint64_t>(least));
    config.*member = static_cast<Number>(count);
    return {};
  };
  return {set, [=](const Config& config) { return byte_text(config.*member); }};
}

/// A switch with two keywords.
inline Way either(bool Config::*member, const std::string& on, const std::string& off) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    if (given != on && given != off) return "must be " + on + " or " + off;
    config.*member = given == on;
    return {};
  };
  return {set, [=](const Config& config) { return config.*member ? on : off; }};
}

/// A text that is accepted if `fault_of` finds no error in it.
inline Way text(std::string Config::*member,
                const std::function<std::string(const std::string&)>& fault_of = {}) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    if (std::string fault = fault_of ? fault_of(given) : std::string(); !fault.empty()) return fault;
    config.*member = given;
    return {};
  };
  return {set, [=](const Config& config) { return config.*member; }};
}

/// The path of a `kind` (file, directory); never empty if given.
inline Way path(std::filesystem::path Config::*member, const std::string& kind) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    if (given.empty()) return "must be a " + kind;
    config.*member = given;
    return {};
  };
  return {set, [=](const Config& config) { return (config.*member).string(); }};
}

inline Way words(std::string Config::*member, const std::vector<std::string>& allowed) {
  return text(member, [=](const std::string& given) -> std::string {
    if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return {};
    std::string fault = "must be one of";
    for (const std::string& word : allowed) fault += " " + word;
    return fault;
  });
}

/// A URL, stored without a trailing slash; empty if not set.
inline Way url(std::string Config::*member, const std::string& example) {
  const auto set = [=](Config& config, const std::string& given) -> std::string {
    const std::size_t scheme = given.starts_with("https://") ? 8 : given.starts_with("http://") ? 7 : 0;
    const bool has_host = scheme != 0 && given.size() > scheme && given[scheme] != '/';
    const bool is_plain = given.find_first_of(" \t\r\n?#") == std::string::npos;
    if (!given.empty() && !(has_host && is_plain)) return "must be a URL such as " + example;
    config.*member = given;
    while (!(config.*member).empty() && (config.*member).back() == '/') (config.*member).pop_back();
    return {};
  };
  return {set, [=](const Config& config) { return config.*member; }};
}

}  // namespace parley::app
