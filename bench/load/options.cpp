#include "bench/load/options.hpp"

#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <string_view>

namespace parley::load {
namespace {

using Setter = std::function<bool(Options&, std::string_view)>;

Setter text(std::string Options::*member) {
  return [=](Options& options, std::string_view value) {
    options.*member = value;
    return true;
  };
}

template <class Number>
Setter number(Number Options::*member) {
  return [=](Options& options, std::string_view value) {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.*member);
    return error == std::errc{} && end == value.data() + value.size();
  };
}

Setter yes_no(bool Options::*member) {
  return [=](Options& options, std::string_view value) {
    options.*member = value == "yes";
    return value == "yes" || value == "no";
  };
}

bool set_address(Options& options, std::string_view value) {
  const auto colon = value.rfind(':');
  if (colon == std::string_view::npos) return false;
  options.host = value.substr(0, colon);
  return number(&Options::port)(options, value.substr(colon + 1));
}

const std::map<std::string_view, Setter>& setters() {
  static const std::map<std::string_view, Setter> all{
      {"--address", set_address},
      {"--key", text(&Options::key)},
      {"--connections", number(&Options::connections)},
      {"--threads", number(&Options::threads)},
      {"--seconds", number(&Options::seconds)},
      {"--warmup", number(&Options::warmup_s)},
      {"--rate", number(&Options::rate)},
      {"--seed", number(&Options::seed)},
      {"--ids", text(&Options::ids)},
      {"--ids-out", text(&Options::ids_out)},
      {"--count", number(&Options::count)},
      {"--agent", text(&Options::agent)},
      {"--run", text(&Options::run)},
      {"--test", text(&Options::test)},
      {"--completion-mode", text(&Options::completion_mode)},
      {"--turns", number(&Options::turns)},
      {"--end", yes_no(&Options::is_ended)},
      {"--wait-scored", yes_no(&Options::waits_for_score)},
      {"--entry-bytes", number(&Options::entry_bytes)},
      {"--entries-max", number(&Options::entries_max)},
      {"--method", text(&Options::method)},
      {"--path", text(&Options::path)},
      {"--body-bytes", number(&Options::body_bytes)},
      {"--body", text(&Options::body)},
      {"--status", number(&Options::status)},
      {"--length", number(&Options::length)},
  };
  return all;
}

}  // namespace

std::optional<Options> read_options(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) {
    std::fprintf(stderr,
                 "usage: parley_load get|append|conversation|seed|raw|each|heartbeat [--option value]...\n");
    for (const auto& [name, setter] : setters()) std::fprintf(stderr, "  %s\n", std::string(name).c_str());
    return std::nullopt;
  }
  Options options;
  options.mode = argv[1];
  for (int i = 2; i + 1 < argc; i += 2) {
    const auto found = setters().find(argv[i]);
    if (found == setters().end() || !found->second(options, argv[i + 1])) {
      std::fprintf(stderr, "parley_load: bad option %s %s\n", argv[i], argv[i + 1]);
      return std::nullopt;
    }
  }
  if (options.connections == 0 || options.threads == 0 || options.threads > options.connections) {
    std::fprintf(stderr, "parley_load: needs at least one thread, and a connection for each\n");
    return std::nullopt;
  }
  return options;
}

}  // namespace parley::load
